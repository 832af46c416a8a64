"""Mistakes that need no figure from the data: each hypothesis is made, none is judged."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rope_cli.rope.layouts import adjacent_order, half_split_order
from rope_cli.verify.explain.laws import denominator_law, made
from rope_cli.verify.measure import recovered_positions
from rope_cli.verify.measure.aligned_arrays import Sample
from rope_cli.verify.measure.estimates import Turns
from rope_cli.verify.measure.expected import ROUNDOFF, Expected, expected_plain, roughness
from rope_cli.verify.measure.hypothesis import (
    ROUNDINGS_OF,
    Hypothesis,
    Mistake,
    Rounded,
    expected_hypothesis,
)
from rope_cli.verify.measure.sweep import ratios_of

OTHER = {"adjacent": "half-split", "half-split": "adjacent"}
# What is kept in a narrow dtype, alone or as code does that computes everything in it.
# What an angle is multiplied by when its unit is mistaken.
UNITS = {
    "degrees": math.pi / 180,
    "radians": 180 / math.pi,
    "turns": 2 * math.pi,
    "no turns": 1 / (2 * math.pi),
}
# A frequency beyond which angles say nothing any more.
GREATEST_SPEED = 1e12
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


class Candidates:
    """The hypotheses that differ from what is expected in something known by name."""

    def __init__(self, sample: Sample, expected: Expected, of_list: bool = False) -> None:
        self.sample, self.few, self.expected = sample, sample.few(), expected
        self.of_list = of_list
        self.measured_turns: dict[tuple[object, ...], Turns] = {}
        self.right = expected_hypothesis(expected)

    def expected_of(self, start: Hypothesis) -> Expected:
        """What is expected, for as many pairs as a hypothesis has, scaled as it is."""
        if any(mistake.kind == "unscaled" for mistake in start.mistakes):
            one = self.expected
            return expected_plain(one.head_width, one.rotary_width, one.base, one.layout)
        same = start.pairs == self.expected.pairs
        return self.expected if same else self.narrower(2 * start.pairs)

    def narrower(self, width: int) -> Expected:
        """What is expected, were so many coordinates turned."""
        scaled = self.expected.scale(width, self.expected.base)
        return replace(self.expected, rotary_width=width, scaled=scaled, others={})

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
            theta = made(lambda: self.narrower(width).scaled)  # noqa: B023
            if theta is not None:
                mistake = Mistake("rotary-width", {"width": width, "expected": d})
                yield right.but(mistake, width=width, theta=theta)
        if d < head and right.layout_in == "half-split" and not head % 2:
            mistake = Mistake("stride", {"stride": head // 2})
            yield right.but(mistake, stride=head // 2)

    def named(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """One more mistake that needs no figure from the data."""
        still = np.zeros_like(start.theta)
        yield start.but(Mistake("no-rotation", {}), theta=still, gain=1.0)
        yield start.but(Mistake("negated", {}), gain=-start.gain)
        yield from self.forms(start)
        twice = start.theta * 2
        yield start.but(Mistake("rotated-twice", {}), theta=twice, gain=start.gain**2)
        for minus in ("lost", "moved"):
            yield start.but(Mistake("lost-minus", {"minus": minus}), form=minus)
        for form in ("in-place", "no-sine"):
            yield start.but(Mistake(form, {}), form=form)
        for layout in OTHER if start.pairs > 1 and start.stride is None else ():
            figures = {"angles": OTHER[layout], "rotation": layout}
            mixed = {"layout_in": layout, "layout_out": layout, "angle_layout": OTHER[layout]}
            yield start.but(Mistake("mixed-layout", figures), **mixed)
        for mistake, rule in self.usual_positions():
            yield start.but(mistake, positions=rule)
        yield from self.other_rules(start)
        for unit, scale in UNITS.items():
            yield start.but(Mistake("degrees", {"taken_as": unit}), theta=start.theta * scale)
        yield from self.frequencies_upside_down(start)
        yield from self.narrow(start)

    def frequencies_upside_down(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Frequencies in another order, of another pair, or not inverted."""
        if start.pairs < 2 or not (start.theta > 0).all():
            return
        yield start.but(Mistake("reversed-frequencies", {}), theta=start.theta[::-1].copy())
        if self.expected.method == "default":
            next_pair = self.expected.base ** (-2.0 / self.expected.rotary_width)
            yield start.but(Mistake("pairs-from-one", {}), theta=start.theta * next_pair)
        if float(start.theta.min()) * GREATEST_SPEED > 1:
            yield start.but(Mistake("frequencies-not-inverted", {}), theta=1 / start.theta)

    def usual_positions(self) -> Iterator[recovered_positions.Rule]:
        """Positions often taken for the right ones; where a table ended is seen in the errors."""
        yield from recovered_positions.usual_rules(self.sample.known)
        wrong = ratios_of(self.right, self.sample).max(axis=(1, 2)) > 1.0
        m = self.sample.positions
        if wrong.any() and not wrong.all() and m[~wrong].max() < m[wrong].min():
            yield recovered_positions.clamped(int(m[~wrong].max()))
            yield recovered_positions.wrapped(int(m[wrong].min()))

    def forms(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """The other direction; cosine and sine exchanged."""
        if start.form == "plain" and start.sign == self.right.sign:
            yield start.but(Mistake("direction", {}), sign=-start.sign)
            yield start.but(Mistake("sine-cosine-exchanged", {}), form="exchanged")

    def other_rules(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """What other code makes of the same config."""
        for rule, scaled in self.expected.others.items():
            if len(scaled.inverse_frequencies) == start.pairs:
                mistake = of_rule(rule)
                yield start.but(
                    mistake,
                    theta=scaled.inverse_frequencies,
                    rough=roughness(scaled),
                    gain=scaled.attention_factor,
                )
                if scaled.attention_factor != start.gain and rule == "unscaled":
                    # Frequencies forgotten, the attention factor not.
                    yield start.but(mistake, theta=scaled.inverse_frequencies)
        head, d = self.expected.head_width, self.expected.rotary_width
        if head != d and start.pairs == self.expected.pairs:
            law = denominator_law(self.expected, head)
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


def of_rule(rule: str) -> Mistake:
    """The mistake that another reading of a config is."""
    if rule in ("unscaled", "other-list"):
        return Mistake(rule, {})
    return Mistake("other-rule", {"rule": rule})
