"""Arrays of other libraries, those that are installed, are never called different."""

from __future__ import annotations

import pytest
from peers.command import STARTS, installed, main, try_peer
from peers.rotations import PEERS, Peer

# What needs numpy alone; all others are tried by ``python tests/peers``.
OURS = PEERS[0]


def test_the_loop_of_llama_cpp_agrees() -> None:
    """Whose float32 angles come by multiplication, near and far, in both of its dtypes."""
    result = try_peer(OURS)
    assert (result.tried, result.alarms) == (2 * len(STARTS), ())


def test_a_wrong_rotation_is_an_alarm() -> None:
    """The same loop for the wrong layout."""
    result = try_peer(Peer(**{**vars(OURS), "layout": "adjacent"}), STARTS[1:2])
    assert result.tried == 2
    assert [alarm.partition(":")[0] for alarm in result.alarms] == [
        "float32 from 4000",
        "float16 from 4000",
    ]
    assert all("other-layout" in alarm for alarm in result.alarms)


def test_what_was_run_is_printed_with_its_count(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Missing libraries are skipped by name."""
    absent = Peer(**{**vars(OURS), "name": "another", "needs": ("no_such_library",)})
    assert not installed(absent)
    monkeypatch.setattr("peers.command.PEERS", (OURS, absent))
    assert main() == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert lines == [
        "  llama.cpp's loop, in numpy: 8 of 8 agree",
        "  another: skipped, needs no_such_library",
        "8 arrays of 1 rotations, 0 called different.",
    ]
