"""Random numbers, right and wrong: ``verify`` is never fooled and names what it sees.

They come from ``tests/trials``, which shares no code with the package. There are 400 of them;
``python tests/trials --count 4000`` makes more. Whatever fails here names its seeds.
"""

from __future__ import annotations

import pytest
from trials.command import COUNT, trials
from trials.confusions import Counts, seeds
from trials.trial import LABELS

pytestmark = pytest.mark.slow

FIRST, AMONG, MISNAMED = 0.97, 0.99, 0.005


@pytest.fixture(scope="module")
def counts() -> Counts:
    """All trials, made once."""
    return Counts(trials(0, COUNT))


def test_most_of_what_is_planted_can_be_seen(counts: Counts) -> None:
    """A quarter is right; of every label there is some that can be seen."""
    assert len(counts.right) == COUNT // 4
    assert {each.label for each in counts.wrong} == set(LABELS)
    assert len(counts.wrong) >= 0.95 * (COUNT - len(counts.right))


def test_right_numbers_are_never_called_different(counts: Counts) -> None:
    """In any dtype, way of computing, layout, order of axes and method of scaling."""
    assert seeds(counts.alarms) == []


def test_wrong_numbers_are_never_called_right(counts: Counts) -> None:
    """If they are further off than rounding may bring them."""
    assert seeds(counts.missed) == []


def test_mistakes_are_named(counts: Counts, capsys: pytest.CaptureFixture[str]) -> None:
    """With their figures first, or by another name of the same numbers."""
    with capsys.disabled():
        print("", *counts.lines(), sep="\n")
    others = [each for each in counts.named if each not in counts.first]
    assert len(counts.first) >= FIRST * len(counts.named), seeds(others)
    others = [each for each in counts.named if each not in counts.among]
    assert len(counts.among) >= AMONG * len(counts.named), seeds(others)


def test_wrong_names_are_rare(counts: Counts) -> None:
    """A name that makes other numbers than those at hand, and is said to explain them all."""
    assert len(counts.misnamed) <= MISNAMED * len(counts.wrong), seeds(counts.misnamed)


def test_explanations_are_few(counts: Counts) -> None:
    """Most numbers have one, and none has more than six, but for figures of the same kinds."""
    assert seeds(each for each in counts.wrong if len(each.kinds) > 6) == []
    assert sum(len(each.named) <= 1 for each in counts.wrong) >= 0.75 * len(counts.wrong)
