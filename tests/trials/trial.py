"""One trial: random numbers are written to files, ``verify`` reads them, and is judged."""

from __future__ import annotations

import json
import tempfile
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rope_cli.cli.main import main
from trials import arrays, lists, scores
from trials.mistakes import Figures, Mistakes
from trials.question import SURE, Question, Subject
from trials.setups import pick

SUBJECTS: dict[str, Subject] = {"arrays": arrays, "lists": lists, "scores": scores}
# How often right numbers are those of each.
SHARES = ("arrays",) * 8 + ("lists", "scores")
LABELS = tuple(label for subject in SUBJECTS.values() for label in subject.labels)
# Names that say no more than that something else was done.
VAGUE = {"unknown-frequencies", "other-positions"}


class Trial(NamedTuple):
    """What was planted and what was found."""

    seed: int
    label: str
    visible: float
    code: int
    verdict: str
    planted: Mistakes
    named: tuple[Mistakes, ...]
    confident: bool
    same: bool
    words: tuple[str, ...]

    @property
    def wrong(self) -> bool:
        """Whether the arrays are surely wrong."""
        return self.label != "right" and self.visible > SURE

    @property
    def passed(self) -> bool:
        """Whether wrong arrays are called right; another layout that was named is not."""
        return self.code == 0 and self.called != "other-layout"

    @property
    def confused(self) -> bool:
        """Whether something else is named first than what was planted, if anything was."""
        return bool(self.named) if not self.planted else not (self.first or self.same)

    @property
    def first(self) -> bool:
        """Whether what was planted is named first, with its figures."""
        return bool(self.named) and agree(self.planted, self.named[0])

    @property
    def among(self) -> bool:
        """Whether it is named in any place."""
        return any(agree(self.planted, each) for each in self.named)

    @property
    def called(self) -> str:
        """What was named first."""
        if not self.named:
            return f"({self.verdict})"
        return " + ".join(sorted(kind for kind, _ in self.named[0]))

    @property
    def kinds(self) -> set[tuple[str, ...]]:
        """The kinds of each explanation, whatever their figures."""
        return {tuple(kind for kind, _ in each) for each in self.named}

    @property
    def misnamed(self) -> bool:
        """Whether something is named with confidence that would give other arrays."""
        named = {kind for kind, _ in self.named[0]} if self.named else set()
        vague = not named or bool(named & VAGUE)
        return self.wrong and self.confident and not (vague or self.first or self.same)


def agree(planted: Mistakes, found: Mistakes) -> bool:
    """Whether two lists have the same kinds and figures, measured ones within a hundredth."""
    return sorted(kind for kind, _ in planted) == sorted(kind for kind, _ in found) and all(
        figures_agree(figures, dict(found)[kind]) for kind, figures in planted
    )


def figures_agree(planted: Figures, found: Figures) -> bool:
    """Whether figures are those that were planted."""
    for name, value in planted.items():
        measured = found.get(name)
        if name in ("base", "factor", "found", "length") and isinstance(measured, int | float):
            if abs(measured - value) > abs(value) / 100:
                return False
        elif name in ("scale", "center") and isinstance(measured, int | float):
            if abs(measured - value) > 1 + abs(value) / 100:
                return False
        elif name == "rounded":
            if not set(value) <= set(measured or ()):
                return False
        elif name == "order":
            if list(value) != list(measured or ())[: len(value)]:
                return False
        elif name != "axis" and measured != value:
            return False
    return True


def run(words: list[str], folder: Path) -> tuple[int, list[dict[str, Any]]]:
    """The exit code of a command line, and the values of each section of its report."""
    path = folder / "report.json"
    with warnings.catch_warnings(action="error"):
        code = main([*words, "--format", "json", "-o", str(path)])
    if code == 2:
        return code, []
    sections = json.loads(path.read_text("utf-8"))["sections"]
    return code, [each["values"] for each in sections]


def explanations(values: dict[str, Any]) -> tuple[Mistakes, ...]:
    """The mistakes of every explanation, those of the first one first."""
    lists = [values["mistakes"], *values.get("alternatives", ())]
    return tuple(
        tuple((each["kind"], {k: v for k, v in each.items() if k != "kind"}) for each in mistakes)
        for mistakes in lists
        if mistakes
    )


def ask(seed: int, folder: Path) -> Question:
    """Right numbers for every fourth seed, else those of one label, of every label as many."""
    rng = np.random.default_rng(seed)
    if seed % 4 == 0:
        subject = SUBJECTS[pick(rng, SHARES)]
        return subject.right(rng, folder)
    label = LABELS[(seed - seed // 4 - 1) % len(LABELS)]
    subject = next(each for each in SUBJECTS.values() if label in each.labels)
    return subject.wrong(label, rng, folder)


def judged(seed: int) -> Trial:
    """One trial."""
    with tempfile.TemporaryDirectory() as name:
        question = ask(seed, Path(name))
        code, found = run(question.words, Path(name))
        verdict = found[0]["verdict"] if found else "refused"
        named = explanations(found[0]) if found else ()
        if not question.layout_named and is_layout(named[:1], question.layout):
            verdict, named = "agrees", named[1:]
        return Trial(
            *(seed, question.label, question.visible, code, verdict, question.mistakes, named),
            confident=bool(found) and found[0].get("every_number_explained", True),
            same=bool(named) and question.same(named[0]),
            words=tuple(question.words),
        )


def is_layout(named: tuple[Mistakes, ...], layout: str) -> bool:
    """Whether the one thing named is the layout, which was not told."""
    return named == ((("other-layout", {"layout": layout}),),)
