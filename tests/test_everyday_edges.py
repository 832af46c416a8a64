"""Easy to overlook: refusals in worker processes, empty names, pagers, advice that works."""

import copy
import os
import pickle

import pytest

from rope_cli.cli import streams
from rope_cli.cli.main import main
from rope_cli.errors import PositionRangeExceeded, RopeError
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.text import LANGUAGES


def test_a_refusal_survives_pickle_and_copy() -> None:
    """A worker process can hand a refusal back: class, values and sentences stay."""
    refusal = PositionRangeExceeded(offset=6, tokens=1, max_positions=6)
    for again in (pickle.loads(pickle.dumps(refusal)), copy.copy(refusal)):
        assert type(again) is PositionRangeExceeded
        assert again.values == refusal.values
        assert [again.sentence(each) for each in LANGUAGES] == [
            refusal.sentence(each) for each in LANGUAGES
        ]


def test_a_table_that_begins_later_refuses_what_is_before() -> None:
    """The rows of a window are those of the whole table, and nothing outside it is read."""
    whole = RotaryEmbedding(4, 9, 100.0)
    window = RotaryEmbedding(4, 9, 100.0, first_position=5)
    assert window.factors.tobytes() == whole.factors[5:].tobytes()
    row = [[1.0, 2.0, -0.5, 0.75]]
    assert window.rotate(row, 6).tobytes() == whole.rotate(row, 6).tobytes()
    with pytest.raises(RopeError, match="position 5 or later"):
        window.rotate(row, 4)
    with pytest.raises(RopeError, match=r"9 \+ 1"):
        RotaryEmbedding(4, 9, 100.0, first_position=9)


def test_an_empty_golden_directory_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """An unset variable in a script does not mean the current directory."""
    assert main(["check", "--golden-dir", ""]) == 2
    assert "the name is empty" in capsys.readouterr().err


def test_width_auto_asks_the_terminal_behind_a_pager(monkeypatch: pytest.MonkeyPatch) -> None:
    """When standard output is a pipe, standard error still knows the terminal."""

    class Stream:
        def __init__(self, number: int) -> None:
            self.fileno = lambda: number

    def size(number: int) -> os.terminal_size:
        if number == 1:
            raise OSError
        return os.terminal_size((60, 24))

    monkeypatch.setattr("sys.stdout", Stream(1))
    monkeypatch.setattr("sys.stderr", Stream(2))
    monkeypatch.setattr(os, "get_terminal_size", size)
    assert streams.terminal_width() == 60
