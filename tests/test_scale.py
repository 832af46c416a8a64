"""Very many positions: the same report in bounded memory, and still a report that can fail."""

import json
import os
import re
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest

from rope_cli.errors import RopeError
from rope_cli.example import parameters, worked_example
from rope_cli.example.parameters import Parameters
from rope_cli.example.positions import consecutive_runs, shift_positions, united
from rope_cli.example.user_values import parameters_from
from rope_cli.example.worked_example import Example
from rope_cli.renderers import json as as_json
from rope_cli.renderers import text as as_text
from rope_cli.report import build
from rope_cli.rope.tables import RotaryEmbedding

SECTIONS = ("frequencies", "rotations", "norms", "dot-products")


def asked(**options):
    """The parameters that options as typed ask for."""
    return parameters_from(options)


def printed(parameters, language="en"):
    """The four sections that take positions, as text."""
    document = build.build(SECTIONS, parameters)
    assert document.holds
    text = as_text.render(document, language, width=80, ascii_only=False, color=False)
    # How many numbers a second run compares is how many are held.
    return re.sub(r"(bitwise-replay.*) \d+\n", r"\1\n", text)


def random_rows(count, width, seed):
    """So many rows of plain numbers."""
    rows = np.random.default_rng(seed).uniform(-3, 3, (count, width))
    return tuple(map(tuple, rows.tolist()))


CASES = {
    "one range": asked(positions="0:700", feature_width="8"),
    "a shift within a block": asked(positions="5:905", feature_width="8", shift="17"),
    "a shift beyond a block": asked(positions="0:700", feature_width="8", shift="100000"),
    "gaps": asked(positions="0:300,400,402,404,1000:1500", feature_width="8", layout="half-split"),
    "far": asked(positions="1000000:1000700", feature_width="8", base="10000", dtype="float32"),
    "float32": asked(positions="0:700", feature_width="8", dtype="float32"),
    "a row for each": Parameters(
        feature_width=8,
        positions=range(700),
        query=random_rows(700, 8, 1),
        key=random_rows(700, 8, 2),
        given=frozenset({"feature_width", "positions", "query", "key"}),
    ),
}


@pytest.mark.parametrize("most_held", [8, 100, 1000])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("language", ["en", "ru"])
def test_passing_by_says_what_holding_says(monkeypatch, language, case, most_held):
    """Rows in blocks of any size give the same text to the last character."""
    expected = printed(CASES[case], language)
    monkeypatch.setattr(worked_example, "MOST_HELD", most_held)
    assert printed(CASES[case], language) == expected


@pytest.mark.parametrize("check", ["norms-kept", "equal-shift"])
@pytest.mark.parametrize("rotate", ["rotate_query", "rotate_key"])
@pytest.mark.parametrize(
    ("count", "wrong"),
    # Position 701 is reached by the shift alone; of 728 the last block is as long as the ends.
    [(700, 333), (700, 100), (700, 0), (700, 699), (700, 701), (728, 610)],
)
def test_one_wrong_row_in_the_middle_is_found(monkeypatch, count, wrong, rotate, check):
    """Of rows that pass by none escapes, and a sum that is no number fails as well."""
    monkeypatch.setattr(worked_example, "MOST_HELD", 1600)
    real = getattr(Example, rotate)
    for factor in (1.001, np.nan):

        def broken(self, content, position_offset=0, embedding=None, factor=factor):
            turned = real(self, content, position_offset, embedding).copy()
            if position_offset <= wrong < position_offset + len(turned):
                turned[wrong - position_offset] *= factor
            return turned

        with monkeypatch.context() as patch:
            patch.setattr(Example, rotate, broken)
            document = build.build(
                ["norms", "dot-products"], asked(positions=f"0:{count}", feature_width="8")
            )
        failed = {v.check.name for s in document.sections for v in s.verdicts if not v.check.holds}
        meets_keys = rotate == "rotate_key" or wrong == 0 or wrong >= count - 1
        # A query in the middle meets no key: its norm gives it away.
        assert (check if meets_keys else "norms-kept") in failed


def peak_of(parameters):
    """The most memory that numbers and text took at one time, in bytes."""
    tracemalloc.start()
    printed(parameters)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("shift", ["3", "5000000"])
def test_memory_does_not_grow_with_positions(shift):
    """Four times as many positions take no more memory, which is far below that of one array."""
    printed(asked(positions="0:100", feature_width="64"))  # what is loaded once
    small, large = (
        peak_of(asked(positions=f"0:{count}", feature_width="64", shift=shift))
        for count in (2**15, 2**17)
    )
    assert large < 1.1 * small
    assert large < 0.6 * 2**17 * 64 * 8


def test_blocks_cover_every_token_once(monkeypatch):
    """Whatever the number of tokens, and with one table for each block and its shift."""
    made = []
    real = Example._new_embedding

    def counted(self, *arguments):
        made.append(arguments)
        return real(self, *arguments)

    monkeypatch.setattr(Example, "_new_embedding", counted)
    monkeypatch.setattr(worked_example, "MOST_HELD", 800)
    for count in (1, 99, 100, 101, 200, 250):
        worked = Example(asked(positions=f"7:{7 + count}", feature_width="8"))
        assert [token for part in worked.blocks() for token in part] == list(range(count))
    worked = Example(asked(positions="0:1000", feature_width="8"))
    made.clear()
    for part in worked.blocks():
        worked.turned("query", part)
        worked.turned("key", part, 3)
    assert len(made) == 10 + 1  # the table from 0 on is always there
    assert worked._passing == ()


def test_programs_get_the_ends(monkeypatch):
    """Of very many rows JSON holds the first and last 64, with their positions."""
    monkeypatch.setattr(worked_example, "MOST_HELD", 800)
    monkeypatch.setattr(parameters, "MOST_LISTED", 500)
    document = build.build(SECTIONS, CASES["one range"])
    found = json.loads(as_json.render(document, "en", width=80, ascii_only=False, color=False))
    assert found["parameters"]["positions"] == {"first": 0, "last": 699, "count": 700}
    values = {name: value for part in found["sections"] for name, value in part["values"].items()}
    ends = [*range(64), *range(636, 700)]
    assert values["rotation_positions"] == [ends, [end + 3 for end in ends]]
    assert values["grid_positions"] == ends
    assert len(values["rotated_query"]) == len(values["input_norms"]) == 128
    assert np.shape(values["dot_products"]) == (4, 128)
    assert values["table_length"] == 703
    assert len(values["cosines"]) == len(values["table_positions"]) == 128
    whole = RotaryEmbedding(8, 700, 100.0).rotate(np.tile([1.0, 0.0], (700, 4)))
    assert values["rotated_query"] == whole[ends].tolist()
    compared = {
        check["name"]: check["compared"] for s in found["sections"] for check in s["checks"]
    }
    assert compared["norms-kept"] == 2 * 2 * 700
    assert compared["equal-shift"] == 4 * 700


def test_a_million_positions_are_accepted():
    """The list of them takes no memory either; one more than 2^20 is refused by name."""
    tracemalloc.start()
    million = asked(positions="0:1000000", feature_width="128")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(million.positions), million.greatest_position) == (10**6, 10**6 + 2)
    assert peak < 1e6
    with pytest.raises(RopeError, match="at most 1048576"):
        asked(positions="0:1048577")
    with pytest.raises(RopeError, match="at most 1048576"):
        asked(positions="0:1000000,1000001:1100000")


def test_very_many_given_rows_are_refused(tmp_path):
    """Rows that the reader gives have to be held: 2^22 numbers at most."""
    path = tmp_path / "rows.npy"
    np.save(path, np.ones((4097, 1024)))
    with pytest.raises(
        RopeError, match=re.escape("--query (rows x width) is 4195328; accepted: a number")
    ):
        asked(query=str(path), positions="0:4097")


WATCHED = """
import sys
from rope_cli.__main__ import main
try:
    main()
finally:
    with open("/proc/self/status") as status:
        print(*(line for line in status if line.startswith("VmHWM")), file=sys.stderr)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here")
def test_the_command_streams():
    """Through the door, in a process of its own whose whole memory is looked at."""
    words = ["show", "norms", "-d", "128", "--positions", "0:131072", "--color", "never"]
    process = subprocess.run(
        [sys.executable, "-c", WATCHED, *words], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert "131066 more" in process.stdout
    assert "524288" in process.stdout  # two sides, before and after the shift
    kilobytes = int(process.stderr.split()[1])
    assert kilobytes < 131072 * 128 * 8 / 1024  # less than one array of the rows


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (range(3), range(3, 6), range(6)),
        (range(3, 6), range(3), range(6)),
        (range(3), range(10, 13), [0, 1, 2, 10, 11, 12]),
        (range(10), range(2, 4), range(10)),
        ([0, 5], range(3), [0, 1, 2, 5]),
        (range(0, 6, 2), range(1, 7, 2), [0, 1, 2, 3, 4, 5]),
    ],
)
def test_positions_are_united(first, second, expected):
    """Each once and rising; a range where it can be one."""
    found = united(first, second)
    assert found == expected
    assert type(found) is type(expected)


def test_moved_and_runs():
    """A range stays a range; other positions are lists with their stretches."""
    assert shift_positions(range(3, 7), 10) == range(13, 17)
    assert shift_positions((0, 4), 10) == [10, 14]
    assert list(consecutive_runs(range(5, 9))) == [slice(0, 4)]
    assert shift_positions(range(0, 6, 2), 1) == range(1, 7, 2)
    assert list(consecutive_runs(range(0, 6, 2))) == [slice(0, 1), slice(1, 2), slice(2, 3)]
    assert list(consecutive_runs([1, 2, 5, 7, 8])) == [slice(0, 2), slice(2, 3), slice(3, 5)]
