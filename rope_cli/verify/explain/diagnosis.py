"""From a sample to the simplest hypotheses that explain it.

Everything that is named is proved: a hypothesis is kept only if the output that it predicts is the
one at hand, within what the dtype allows. Figures such as a base or an offset are measured first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from rope_cli.verify.explain import fitted_laws
from rope_cli.verify.explain.hypotheses import Candidates
from rope_cli.verify.explain.laws import Law, free_law, usual_laws
from rope_cli.verify.measure import recovered_positions
from rope_cli.verify.measure.estimates import Slopes, Turns, noise_of, slopes_of, turns_of
from rope_cli.verify.measure.expected import MOST_UNCERTAIN, bound
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, Rounded
from rope_cli.verify.measure.sweep import ratios_of, worst_ratio

# Of a narrow table some last bits fall the other way, as they do between two frameworks.
STRAY = 0.05
GREATEST_FLOAT16 = 65504
# A fitted figure is as exact as the data, not as exact as the arithmetic.
FITTED_SLACK = 4.0
# A pairing whose pairs are stretched, on average, by more than this share is not the one used.
RIGID = 0.1
# What is this many times further off than allowed is not worth a proof.
LOOSE = 3.0
# How much more than what is expected a hypothesis may allow.
USUALLY = 10
# So many hypotheses are tried with figures of their own, and so many rows count as independent.
HYPOTHESES, INDEPENDENT_ROWS = 1000, 3
# Rows that are wider are looked at for one mistake only, for the time that pairs of them take.
WIDE = 4096


class Diagnosis(Candidates):
    """Looks for the simplest explanations of one sample."""

    @property
    def noise(self) -> float:
        """The uncertainty of a measured turn."""
        return noise_of(self.sample)

    def explanations(self) -> list[Hypothesis]:
        """The hypotheses with the fewest mistakes that give the output, the likeliest first.

        Where chance would give any output to one of so many hypotheses, the many are not tried.
        """
        levels = [self.singles, self.doubles, self.triples, self.last_resorts]
        if self.scarce:
            levels = [self.plain_singles]
        elif self.sample.before.shape[-1] > WIDE:
            levels = [self.singles]
        for level in levels:
            found = [each for each in level() if self.explains(each)]
            if found:
                fewest = min(len(each.mistakes) for each in found)
                simplest = [each for each in found if len(each.mistakes) == fewest]
                return distinct(simplest, self.expected.method == "default")
        return []

    def explains(self, hypothesis: Hypothesis) -> bool:
        """Whether the sample is what the hypothesis gives, and another would not do as well."""
        farthest = [float(np.abs(self.sample.positions).max())]
        loose, usual = (
            float(bound(each.fastest, farthest, self.sample.dtype, each.slack).max(initial=0.0))
            for each in (hypothesis, self.right)
        )
        if loose > max(MOST_UNCERTAIN, USUALLY * usual):
            return False  # what is allowed is longer than the pair: any output would do
        if hypothesis.rounded is None:
            return all(worst_ratio(hypothesis, each) <= 1.0 for each in (self.few, self.sample))
        if not self.representable(hypothesis.rounded):
            return False
        stray = float(np.mean(ratios_of(hypothesis, self.sample) > 1.0))
        wrong = float(np.mean(ratios_of(self.right, self.sample) > 1.0))
        return stray <= STRAY and stray <= wrong / 4

    def representable(self, rounded: Rounded) -> bool:
        """Whether positions and angles stay finite in the narrow dtype."""
        greatest = float(np.abs(self.sample.positions).max())
        speed = float(np.abs(self.right.theta).max(initial=0.0))
        return rounded.dtype != "float16" or greatest * max(1.0, speed) < GREATEST_FLOAT16

    @property
    def scarce(self) -> bool:
        """Whether there are too few numbers, or too coarse ones, to tell many hypotheses apart."""
        noise = self.turns(self.right).noise.min(axis=0)
        turning = noise[(self.right.theta > 0) & (noise < 1)]
        rows = min(len(np.unique(self.sample.positions)), INDEPENDENT_ROWS)
        share = float(np.prod(np.minimum(1.0, 2 * turning / math.pi))) ** rows
        return share * HYPOTHESES > recovered_positions.CHANCE

    def plain_singles(self) -> Iterator[Hypothesis]:
        """One mistake without a figure."""
        yield from self.pairings()
        yield from self.named(self.right)

    def singles(self) -> Iterator[Hypothesis]:
        """One mistake."""
        yield from self.pairings()
        yield from self.named(self.right)
        yield from self.measured(self.right)

    def doubles(self) -> Iterator[Hypothesis]:
        """Two mistakes: another pairing, direction or gain, and one more."""
        for variant in (*self.variants(), *self.unscaled()):
            yield from self.named(variant)
            yield from self.measured(variant)
        yield from self.moved_laws(self.right)

    def unscaled(self) -> Iterator[Hypothesis]:
        """The scaling forgotten, to which another base may come."""
        plain = self.expected.others.get("unscaled")
        if plain is not None and len(plain.theta) == self.right.pairs:
            yield self.right.but(Mistake("unscaled", {}), theta=plain.theta, gain=1.0)

    def triples(self) -> Iterator[Hypothesis]:
        """Another pairing or gain, then two more."""
        for variant in self.variants():
            for turned in self.forms(variant):
                yield from self.named(turned)
                yield from self.measured(turned)
            yield from self.moved_laws(variant)

    def last_resorts(self) -> Iterator[Hypothesis]:
        """Positions or frequencies that follow no rule."""
        for variant in (self.right, *self.variants()):
            if self.turns(variant).unlikeness() > RIGID / self.noise:
                continue
            turns = self.turns(variant)
            far = max(4096, 2 * int(turns.positions.max()))
            found = None
            if far <= recovered_positions.FARTHEST and (variant.theta > 0).any():
                found = recovered_positions.positions_of(turns, variant.theta, far)
            if found is not None:
                known, places = self.sample.known, self.sample.places
                for mistake, rule in recovered_positions.found_rules(known, places, found):
                    yield variant.but(mistake, positions=rule)
            slopes = slopes_of(turns)
            # Two positions have a slope between them whatever they are.
            if (
                slopes is not None
                and len(np.unique(turns.positions)) >= recovered_positions.TELLING_POSITIONS
            ):
                law = free_law(slopes)
                yield variant.but(law.mistake, theta=law.theta, slack=FITTED_SLACK)

    def turns(self, hypothesis: Hypothesis) -> Turns:
        """The measured turns, read in the direction and form of a hypothesis."""
        paired = (
            *(hypothesis.layout_in, hypothesis.layout_out, hypothesis.width, hypothesis.pairs),
            *(hypothesis.stride, None if hypothesis.order is None else hypothesis.order.tobytes()),
        )
        found = self.measured_turns.get(paired)
        if found is None:
            found = self.measured_turns[paired] = turns_of(self.sample, hypothesis)
        return found.read_as(hypothesis.sign, hypothesis.form == "exchanged")

    def measured(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """One more mistake whose figure is measured."""
        turns = self.turns(start)
        if turns.unlikeness() > RIGID / self.noise:
            return
        yield from self.gains(start, turns)
        for offset in () if self.of_list else recovered_positions.offsets(turns, start.theta):
            mistake, rule = recovered_positions.shifted(offset)
            yield start.but(mistake, positions=rule)
        slopes = slopes_of(turns)
        for law in self.laws(start, slopes, turns):
            if near(law, turns, self.sample.dtype):
                yield with_law(start, law)

    def laws(
        self, start: Hypothesis, slopes: Slopes | None, turns: Turns, moving: bool = False
    ) -> Iterator[Law]:
        """Laws of the measured frequencies, and those in common use."""
        expected = self.expected_of(start)
        if slopes is not None:
            yield from fitted_laws.base_laws(expected, slopes, turns, moving)
            yield from fitted_laws.factor_laws(expected, slopes, turns, moving)
        yield from usual_laws(expected)
        kept = Law(Mistake("", {}), expected.scaled.theta[:1])
        if moving or near(kept, turns.of_pair(0), self.sample.dtype):
            yield from fitted_laws.ramp_laws(expected, slopes)

    def moved_laws(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Other frequencies and an offset: the law first, then the offset, then the law again."""
        turns = self.turns(start)
        slopes = slopes_of(turns)
        if self.of_list or slopes is None or turns.unlikeness() > RIGID / self.noise:
            return
        expected = self.expected_of(start)
        for law in fitted_laws.base_laws(expected, slopes, turns, moving=True):
            for offset in recovered_positions.offsets(turns, law.theta):
                mistake, rule = recovered_positions.shifted(offset)
                again = turns.moved(offset)
                better = fitted_laws.base_laws(expected, slopes, again) if law.fitted else (law,)
                for one in better:
                    if near(one, again, self.sample.dtype):
                        yield with_law(start, one).but(mistake, positions=rule)

    def gains(self, start: Hypothesis, turns: Turns) -> Iterator[Hypothesis]:
        """Another attention factor."""
        found, expected = turns.gain, start.gain
        noise = float(np.median(turns.noise))
        if not found > 0 or abs(found / expected - 1) <= noise / 4:
            return
        for value in (1.0, expected**2, found):
            if abs(found / value - 1) <= noise:
                figures = {"found": value, "expected": expected}
                yield start.but(Mistake("attention-factor", figures), gain=value)
                return

    def variants(self) -> Iterator[Hypothesis]:
        """Pairings that fit, each alone and with the gain that was measured; the other forms."""
        candidates = [self.right, *self.pairings()]
        unlike = [self.turns(each).unlikeness() for each in candidates]
        limit = min(max(3 * min(unlike), 3.0), RIGID / self.noise)
        for each, how in zip(candidates, unlike, strict=True):
            if how <= limit:
                if each.mistakes:
                    yield each
                yield from self.gains(each, self.turns(each))
        yield from self.forms(self.right)
        yield self.right.but(Mistake("negated", {}), gain=-self.right.gain)


def near(law: Law, turns: Turns, dtype: str) -> bool:
    """Whether a law gives nearly the turns that were measured, so that it is worth a proof."""
    m = turns.positions
    predicted = np.exp(1j * np.multiply.outer(m, law.theta))
    allowed = turns.noise + bound(law.theta, m, dtype, FITTED_SLACK, law.rough)
    return bool((np.abs(turns.units - predicted) <= LOOSE * allowed).all())


def with_law(start: Hypothesis, law: Law) -> Hypothesis:
    """A hypothesis with other frequencies."""
    slack = FITTED_SLACK if law.fitted else start.slack
    return start.but(law.mistake, theta=law.theta, slack=slack, rough=law.rough)


def distinct(found: list[Hypothesis], plain: bool) -> list[Hypothesis]:
    """Each explanation once, without those that say the same in vaguer words."""
    kinds = {each.mistakes[-1].kind for each in found}
    vague = {"unknown-frequencies", "other-positions"}
    if plain and kinds & {"rotated-twice", "degrees", "no-rotation", "pairs-from-one"}:
        vague |= {"position-interpolation", "base", "ntk", "denominator"}
    if "no-rotation" in kinds:
        vague |= {"clamped-positions", "wrapped-positions"}
    kept: dict[tuple[str, ...], Hypothesis] = {}
    for each in found:
        names = tuple(mistake.kind for mistake in each.mistakes)
        if not set(names) & vague or kinds <= vague:
            kept.setdefault(names, each)
    return list(kept.values())
