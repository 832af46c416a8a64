"""What was planted against what was named, counted over many trials."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

from trials.trial import Trial

MOST_CONFUSIONS = 4


class Counts:
    """Trials sorted by what they show; each list holds the trials of which it is true.

    ``alarms`` are right arrays called different or explained, ``missed`` surely wrong ones called
    right. Of ``named`` ones, which have a name, ``strict`` are those whose own name and figures
    come first, ``first`` those with another name of the same numbers as well, ``among`` those with
    either in any place. ``misnamed`` ones have a name that gives other numbers, with confidence.
    """

    def __init__(self, trials: Sequence[Trial]) -> None:
        self.right = [each for each in trials if each.label == "right"]
        self.alarms = [each for each in self.right if each.code or each.named]
        self.wrong = [each for each in trials if each.wrong]
        self.missed = [each for each in self.wrong if each.passed]
        self.named = [each for each in self.wrong if each.planted]
        self.strict = [each for each in self.named if each.first]
        self.first = [each for each in self.named if each.first or each.same]
        self.among = [each for each in self.named if each.among or each.same]
        self.misnamed = [each for each in self.wrong if each.misnamed]

    def lines(self) -> Iterator[str]:
        """The table of confusions and the shares."""
        yield f"{'planted':38}{'seen':>5}{'first':>7}{'equal':>7}  named otherwise"
        by_label = defaultdict(list)
        for trial in self.wrong:
            by_label[trial.label].append(trial)
        for label, some in sorted(by_label.items()):
            yield self.line(label, some)
        yield f"right, {len(self.right)}: called different or explained {len(self.alarms)}"
        yield f"surely wrong, {len(self.wrong)}: called right {len(self.missed)}"
        of = f"of {len(self.named)} with a name"
        yield f"named first {share(self.strict, self.named)} {of}"
        yield f"first, or another name of the same numbers {share(self.first, self.named)}"
        yield f"in any place {share(self.among, self.named)}"
        yield f"named wrong with confidence {share(self.misnamed, self.wrong)}"

    def line(self, label: str, trials: Sequence[Trial]) -> str:
        """One row of the table."""
        first = sum(each.first for each in trials)
        equal = sum(each.same and not each.first for each in trials)
        if not trials[0].planted:
            first, equal = sum(not each.named for each in trials), 0
        others = Counter(each.called for each in trials if each.confused)
        listed = [f"{name} {count}" for name, count in others.most_common(MOST_CONFUSIONS)]
        return f"{label:38}{len(trials):5}{first:7}{equal:7}  {', '.join(listed)}"


def share(part: Sequence[Trial], whole: Sequence[Trial]) -> str:
    """So many, and in percent."""
    return f"{len(part)}, {100 * len(part) / max(1, len(whole)):.1f}%"


def seeds(trials: Iterable[Trial]) -> list[str]:
    """The seeds with what was planted and what was named first."""
    return [f"{each.seed}: {each.label} {each.planted} -> {each.called}" for each in trials]
