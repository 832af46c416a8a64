"""From a sample to the simplest hypotheses that explain it.

Everything that is named is proved: a hypothesis is kept only if the output that it predicts is the
one at hand, within what the dtype allows. Figures such as a base or an offset are measured first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rope_cli.rope.layouts import adjacent_order, half_split_order
from rope_cli.verify import fits, positions
from rope_cli.verify.arrays import Sample
from rope_cli.verify.expected import ROUNDOFF, Expected, bound
from rope_cli.verify.hypotheses import (
    ROUNDINGS_OF,
    Hypothesis,
    Mistake,
    Rounded,
    expected_hypothesis,
)
from rope_cli.verify.measured import Slopes, Turns, noise_of, slopes_of, turns_of
from rope_cli.verify.sweep import ratios_of, worst_ratio

OTHER = {"adjacent": "half-split", "half-split": "adjacent"}
# Of a narrow table some last bits fall the other way, as they do between two frameworks.
STRAY = 0.05
GREATEST_FLOAT16 = 65504
# A fitted figure is as exact as the data, not as exact as the arithmetic.
FITTED_SLACK = 4.0
# A pairing whose pairs are stretched, on average, by more than this share is not the one used.
RIGID = 0.1
# What is kept in a narrow dtype, alone or as code does that computes everything in it.
NARROW = (
    ("frequencies",),
    ("positions",),
    ("angles",),
    ("tables",),
    ("frequencies", "angles"),
    ("positions", "angles"),
    ("frequencies", "positions", "angles"),
    ("frequencies", "positions", "angles", "tables"),
)
# What is this many times further off than allowed is not worth a proof.
LOOSE = 3.0


class Diagnosis:
    """Looks for the simplest explanations of one sample."""

    def __init__(self, sample: Sample, expected: Expected) -> None:
        self.sample, self.expected = sample, expected
        self.right = expected_hypothesis(expected)

    @property
    def noise(self) -> float:
        """The uncertainty of a measured turn."""
        return noise_of(self.sample.dtype)

    def explanations(self) -> list[Hypothesis]:
        """The hypotheses with the fewest mistakes that give the output, the likeliest first."""
        for level in (self.singles, self.doubles, self.triples, self.last_resorts):
            found = [each for each in level() if self.explains(each)]
            if found:
                fewest = min(len(each.mistakes) for each in found)
                simplest = [each for each in found if len(each.mistakes) == fewest]
                return distinct(simplest, self.expected.method == "default")
        return []

    def explains(self, hypothesis: Hypothesis) -> bool:
        """Whether the sample is what the hypothesis gives."""
        if hypothesis.rounded is None:
            return worst_ratio(hypothesis, self.sample) <= 1.0
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

    def singles(self) -> Iterator[Hypothesis]:
        """One mistake."""
        yield from self.pairings()
        yield from self.named(self.right)
        yield from self.measured(self.right)

    def doubles(self) -> Iterator[Hypothesis]:
        """Two mistakes: another pairing, direction or gain, and one more."""
        for variant in self.variants():
            yield from self.named(variant)
            yield from self.measured(variant)
        yield from self.moved_laws(self.right)

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
            if far <= positions.FARTHEST and (variant.theta > 0).any():
                found = positions.positions_of(turns, variant.theta, far)
                for mistake, rule in positions.found_rules(
                    self.sample.known, self.sample.places, found
                ):
                    yield variant.but(mistake, positions=rule)
            slopes = slopes_of(turns)
            if slopes is not None:
                law = fits.free_law(slopes)
                yield variant.but(law.mistake, theta=law.theta, slack=FITTED_SLACK)

    def pairings(self) -> Iterator[Hypothesis]:
        """Other coordinates paired, or other places for the results."""
        right, d = self.right, self.expected.rotary_width
        if d > 2:
            other = OTHER[right.layout_in]
            found = Mistake("other-layout", {"layout": other})
            yield right.but(found, layout_in=other, layout_out=other)
            for one, two in ((right.layout_in, other), (other, right.layout_in)):
                order = Mistake("order-out", {"layout_in": one, "layout_out": two})
                yield right.but(order, layout_in=one, layout_out=two)
            yield from self.permuted()
        yield from self.widths()

    def permuted(self) -> Iterator[Hypothesis]:
        """Weights put in the order of the other layout twice."""
        d, head = self.expected.rotary_width, self.expected.head_width
        if d <= 4:
            return
        for once in (half_split_order(d), adjacent_order(d)):
            order = np.arange(head)
            order[:d] = once[once]
            figures = {"order": order.tolist()}
            for layout in (self.right.layout_in, OTHER[self.right.layout_in]):
                mistakes = [Mistake("permuted", figures)]
                if layout != self.right.layout_in:
                    mistakes.append(Mistake("other-layout", {"layout": layout}))
                yield self.right.but(*mistakes, order=order, layout_in=layout, layout_out=layout)

    def widths(self) -> Iterator[Hypothesis]:
        """Another number of coordinates turned, each width with its own denominator."""
        right, head = self.right, self.expected.head_width
        d = self.expected.rotary_width
        touched = np.flatnonzero(np.any(self.sample.before != self.sample.after, axis=(0, 1)))
        least = int(touched[-1]) + 1 if len(touched) else head
        usual = {head, head // 2, head // 4, 3 * head // 4, 2 * head // 5}
        near = {least, least + 1, least + 2}
        for width in sorted(usual | near):
            if width == d or not 2 <= width <= head or width % 2:
                continue
            theta = fits.made(lambda: self.narrower(width).scaled)  # noqa: B023
            if theta is not None:
                mistake = Mistake("rotary-width", {"width": width})
                yield right.but(mistake, width=width, theta=theta)
        if d < head and right.layout_in == "half-split" and not head % 2:
            mistake = Mistake("stride", {"stride": head // 2})
            yield right.but(mistake, stride=head // 2)

    def named(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """One more mistake that needs no figure from the data."""
        still = np.zeros_like(start.theta)
        yield start.but(Mistake("no-rotation", {}), theta=still, gain=1.0)
        yield from self.forms(start)
        twice = start.theta * 2
        yield start.but(Mistake("rotated-twice", {}), theta=twice, gain=start.gain**2)
        for form, minus in (("lost", "lost"), ("moved", "moved")):
            yield start.but(Mistake("lost-minus", {"minus": minus}), form=form)
        for layout in OTHER if start.pairs > 1 and start.stride is None else ():
            figures = {"angles": OTHER[layout], "rotation": layout}
            mixed = {"layout_in": layout, "layout_out": layout, "angle_layout": OTHER[layout]}
            yield start.but(Mistake("mixed-layout", figures), **mixed)
        for mistake, rule in self.usual_positions():
            yield start.but(mistake, positions=rule)
        yield from self.other_rules(start)
        for unit, scale in (("degrees", math.pi / 180), ("radians", 180 / math.pi)):
            yield start.but(Mistake("degrees", {"taken_as": unit}), theta=start.theta * scale)
        yield from self.narrow(start)

    def usual_positions(self) -> Iterator[positions.Rule]:
        """Positions often taken for the right ones; where a table ended is seen in the errors."""
        yield from positions.usual_rules(self.sample.known)
        wrong = ratios_of(self.right, self.sample).max(axis=(1, 2)) > 1.0
        m = self.sample.positions
        if wrong.any() and not wrong.all() and m[~wrong].max() < m[wrong].min():
            yield positions.clamped(int(m[~wrong].max()))
            yield positions.wrapped(int(m[wrong].min()))

    def forms(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """The other direction; cosine and sine exchanged."""
        if start.form == "plain" and start.sign == self.right.sign:
            yield start.but(Mistake("direction", {}), sign=-start.sign)
            yield start.but(Mistake("sine-cosine-exchanged", {}), form="exchanged")

    def other_rules(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """What other code makes of the same config."""
        for rule, scaled in self.expected.others.items():
            if len(scaled.inverse_frequencies) == start.pairs:
                kind = rule if rule in ("unscaled", "other-list") else "other-rule"
                figures = {"rule": rule} if kind == "other-rule" else {}
                yield start.but(
                    Mistake(kind, figures),
                    theta=scaled.inverse_frequencies,
                    gain=scaled.attention_factor,
                )
                if scaled.attention_factor != start.gain and kind == "unscaled":
                    # Frequencies forgotten, the attention factor not.
                    yield start.but(Mistake(kind, figures), theta=scaled.inverse_frequencies)
        head, d = self.expected.head_width, self.expected.rotary_width
        if head != d and start.pairs == self.expected.pairs:
            law = fits.denominator_law(self.expected, head)
            yield start.but(law.mistake, theta=law.theta)

    def narrow(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Something kept in too narrow a dtype on the way."""
        for dtype in ROUNDINGS_OF:
            for what in NARROW:
                if "tables" in what and ROUNDOFF[dtype] <= ROUNDOFF[self.sample.dtype]:
                    continue
                rounded = Rounded(what, dtype)
                figures = {"dtype": dtype, "rounded": list(what)}
                yield start.but(Mistake("low-precision", figures), rounded=rounded)

    def turns(self, hypothesis: Hypothesis) -> Turns:
        """The measured turns, read in the direction and form of a hypothesis."""
        found = turns_of(self.sample, hypothesis)
        return found.read_as(hypothesis.sign, hypothesis.form == "exchanged")

    def measured(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """One more mistake whose figure is measured."""
        turns = self.turns(start)
        if turns.unlikeness() > RIGID / self.noise:
            return
        yield from self.gains(start, turns)
        for offset in positions.offsets(turns, start.theta):
            mistake, rule = positions.shifted(offset)
            yield start.but(mistake, positions=rule)
        slopes = slopes_of(turns)
        for law in self.laws(start, slopes, turns):
            if near(law, turns, self.sample.dtype):
                yield with_law(start, law)

    def laws(
        self, start: Hypothesis, slopes: Slopes | None, turns: Turns, moving: bool = False
    ) -> Iterator[fits.Law]:
        """Laws of the measured frequencies, and those in common use."""
        expected = self.expected_of(start)
        if slopes is not None:
            yield from fits.base_laws(expected, slopes, turns, moving)
            yield from fits.factor_laws(expected, slopes, turns, moving)
        yield from fits.usual_laws(expected)
        kept = fits.Law(Mistake("", {}), expected.scaled.theta[:1])
        if moving or near(kept, turns.of_pair(0), self.sample.dtype):
            yield from fits.ramp_laws(expected, slopes)

    def expected_of(self, start: Hypothesis) -> Expected:
        """What is expected, for as many pairs as a hypothesis has."""
        same = start.pairs == self.expected.pairs
        return self.expected if same else self.narrower(2 * start.pairs)

    def narrower(self, width: int) -> Expected:
        """What is expected, were so many coordinates turned."""
        scaled = self.expected.scale(width, self.expected.base)
        return replace(self.expected, rotary_width=width, scaled=scaled, others={})

    def moved_laws(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Other frequencies and an offset: the law first, then the offset, then the law again."""
        turns = self.turns(start)
        slopes = slopes_of(turns)
        if slopes is None or turns.unlikeness() > RIGID / self.noise:
            return
        expected = self.expected_of(start)
        for law in fits.base_laws(expected, slopes, turns, moving=True):
            for offset in positions.offsets(turns, law.theta):
                mistake, rule = positions.shifted(offset)
                again = turns.moved(offset)
                better = fits.base_laws(expected, slopes, again) if law.fitted else (law,)
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


def near(law: fits.Law, turns: Turns, dtype: str) -> bool:
    """Whether a law gives nearly the turns that were measured, so that it is worth a proof."""
    m = turns.positions
    predicted = np.exp(1j * np.multiply.outer(m, law.theta))
    allowed = turns.noise + bound(law.theta, m, dtype, FITTED_SLACK)
    return bool((np.abs(turns.units - predicted) <= LOOSE * allowed).all())


def with_law(start: Hypothesis, law: fits.Law) -> Hypothesis:
    """A hypothesis with other frequencies."""
    slack = FITTED_SLACK if law.fitted else start.slack
    return start.but(law.mistake, theta=law.theta, slack=slack)


def distinct(found: list[Hypothesis], plain: bool) -> list[Hypothesis]:
    """Each explanation once, without those that say the same in vaguer words."""
    kinds = {each.mistakes[-1].kind for each in found}
    vague = {"unknown-frequencies", "other-positions"}
    if plain and kinds & {"rotated-twice", "degrees", "no-rotation"}:
        vague |= {"position-interpolation", "base", "ntk", "denominator"}
    kept: dict[tuple[str, ...], Hypothesis] = {}
    for each in found:
        names = tuple(mistake.kind for mistake in each.mistakes)
        if not set(names) & vague or kinds <= vague:
            kept.setdefault(names, each)
    return list(kept.values())
