"""As many positions as the command accepts: bounded memory, and still a report that can fail."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from rope_cli.errors import RopeError
from rope_cli.example.positions import consecutive_runs, rows_to_compare, shift_positions
from rope_cli.example.user_values import MOST_COORDINATES, parameters_from
from rope_cli.example.worked_example import Example
from rope_cli.report import build

Array = NDArray[Any]

SECTIONS = ("frequencies", "rotations", "norms", "dot-products")


@pytest.mark.parametrize("check", ["norms-kept", "equal-shift"])
@pytest.mark.parametrize("rotate", ["rotate_query", "rotate_key"])
@pytest.mark.parametrize("wrong", [0, 100, 333, 699, 701])
def test_one_wrong_row_in_the_middle_is_found(
    monkeypatch: pytest.MonkeyPatch, wrong: int, rotate: str, check: str
) -> None:
    """Of 700 rows none escapes, position 701 is reached by the shift alone, and NaN fails too."""
    real = getattr(Example, rotate)
    for factor in (1.001, np.nan):

        def broken(
            self: Example,
            content: Array,
            position_offset: int = 0,
            embedding: Any = None,
            factor: float = factor,
        ) -> Any:
            rotated = real(self, content, position_offset, embedding).copy()
            if position_offset <= wrong < position_offset + len(rotated):
                rotated[wrong - position_offset] *= factor
            return rotated

        with monkeypatch.context() as patch:
            patch.setattr(Example, rotate, broken)
            document = build.build(
                ["norms", "dot-products"], parameters_from({"positions": "0:700"})
            )
        failed = {v.check.name for s in document.sections for v in s.verdicts if not v.check.holds}
        meets_keys = rotate == "rotate_key" or wrong == 0 or wrong >= 699
        # A query in the middle meets no key: its norm gives it away.
        assert (check if meets_keys else "norms-kept") in failed


@pytest.mark.parametrize(
    ("width", "most"),
    [("1024", 4096), ("128", 32_768), ("4", 1_048_576), ("2", 1_048_576)],
)
def test_positions_and_width_are_limited_together(width: str, most: int) -> None:
    """At most 2^22 coordinates, and never more than 2^20 positions."""
    parameters = parameters_from({"feature_width": width, "positions": f"0:{most}"})
    assert len(parameters.positions) * int(width) <= MOST_COORDINATES == 4_194_304
    with pytest.raises(RopeError):
        parameters_from({"feature_width": width, "positions": f"0:{most + 1}"})


def test_too_many_coordinates_are_refused_by_name() -> None:
    """The rule, the value and what is accepted, in both languages; gaps change nothing."""
    with pytest.raises(RopeError) as refusal:
        parameters_from({"feature_width": "128", "positions": "0:32768,40000"})
    assert refusal.value.sentence("en") == (
        "--feature-width * --positions is 4194432; accepted: a whole number from 1 to 4194304"
    )
    assert refusal.value.sentence("ru") == (
        "--feature-width * --positions: задано 4194432; допустимо: целое число от 1 до 4194304"
    )
    with pytest.raises(RopeError, match="at most 1048576"):
        parameters_from({"feature_width": "2", "positions": "0:1000000,1000001:1100000"})


def test_rows_of_the_reader_are_limited_with_their_positions(tmp_path: Path) -> None:
    """A file of more than 2^22 numbers is refused like so many typed positions."""
    path = tmp_path / "rows.npy"
    np.save(path, np.ones((4097, 1024)))
    with pytest.raises(RopeError, match=r"of shape \[4097, 1024\]; accepted: .*at most 2\^22 numb"):
        parameters_from({"query": str(path), "positions": "0:4097"})


WATCHED = """
import sys
from rope_cli.__main__ import main
try:
    main()
finally:
    with open("/proc/self/status") as status:
        print(*(line for line in status if line.startswith("VmHWM")), file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="no /proc here")
@pytest.mark.parametrize(("width", "positions"), [("128", "0:32768"), ("4", "0:1048576")])
def test_largest_request_takes_bounded_memory(width: str, positions: Any) -> None:
    """The greatest that is accepted, in a process of its own whose whole memory is measured."""
    words = ["show", *SECTIONS, "-d", width, "--positions", positions, "--color", "never"]
    process = subprocess.run(
        [sys.executable, "-c", WATCHED, *words], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    assert f"{int(positions[2:]) - 6} more" in process.stdout
    kilobytes = int(process.stderr.split()[1])
    assert kilobytes < 1_500_000


@pytest.mark.parametrize(
    ("positions", "shift", "expected"),
    [
        ("0:3", "3", [0, 1, 2, 3, 4, 5]),
        ("0:3", "10", [0, 1, 2, 10, 11, 12]),
        ("0:4", "1", [0, 1, 2, 3, 4]),
        ("0,5", "0", [0, 5]),
        ("0,2,4", "1", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_reached_positions_are_those_before_and_after_the_shift(
    positions: Any, shift: int, expected: Any
) -> None:
    """Each once and rising."""
    example = Example(parameters_from({"positions": positions, "shift": shift}))
    assert example.reached_positions == expected


def test_shifted_positions_and_consecutive_runs() -> None:
    """A range stays a range; other positions are lists with their runs."""
    assert shift_positions(range(3, 7), 10) == range(13, 17)
    assert shift_positions((0, 4), 10) == [10, 14]
    assert list(consecutive_runs(range(5, 9))) == [slice(0, 4)]
    assert shift_positions(range(0, 6, 2), 1) == range(1, 7, 2)
    assert list(consecutive_runs(range(0, 6, 2))) == [slice(0, 1), slice(1, 2), slice(2, 3)]
    assert list(consecutive_runs([1, 2, 5, 7, 8])) == [slice(0, 2), slice(2, 3), slice(3, 5)]


def test_both_ends_of_many_rows_are_compared() -> None:
    """Up to 128 rows all of them; of more the first and the last 64, the very last one too."""
    assert rows_to_compare(3) == [0, 1, 2]
    assert rows_to_compare(128) == list(range(128))
    assert rows_to_compare(129) == [*range(64), *range(65, 129)]
    assert rows_to_compare(700) == [*range(64), *range(636, 700)]
