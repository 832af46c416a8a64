"""Hypotheses with mistakes that need no figure fitted to the data; none is judged here."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from rope_cli.rope.layouts import adjacent_order, half_split_order
from rope_cli.rope.scaled_frequencies import unscaled
from rope_cli.verify.explain import position_rules
from rope_cli.verify.explain.laws import denominator_law, frequencies_or_none
from rope_cli.verify.measure.expected import (
    OTHER_LAYER,
    ROUNDOFF,
    Expected,
    expected_plain,
    frequency_error_factors,
)
from rope_cli.verify.measure.float32_ways import inverted_ways
from rope_cli.verify.measure.hypothesis import (
    ROUND_TO,
    Hypothesis,
    Mistake,
    Rounding,
    expected_hypothesis,
)
from rope_cli.verify.measure.prediction_errors import sample_ratios
from rope_cli.verify.measure.sampling import Sample

OTHER_LAYOUT = {"adjacent": "half-split", "half-split": "adjacent"}
# The factor on an angle whose unit is mistaken.
UNITS = {
    "degrees": math.pi / 180,
    "radians": 180 / math.pi,
    "turns": 2 * math.pi,
    "no turns": 1 / (2 * math.pi),
}
# Angles of greater frequencies carry no information.
GREATEST_FREQUENCY = 1e12
# What code keeps in a narrow dtype: one quantity, or all from one on.
NARROW_QUANTITIES = (
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
    """Hypotheses that add one mistake without a fitted figure to the expected rotation."""

    def __init__(self, sample: Sample, expected: Expected) -> None:
        self.sample, self.expected = sample, expected
        self.baseline = expected_hypothesis(expected)

    def expected_for(self, start: Hypothesis) -> Expected:
        """What is expected for as many pairs as a hypothesis has, scaled as it is."""
        if any(mistake.kind == "unscaled" for mistake in start.mistakes):
            return unscaled_of(self.expected)
        width = 2 * start.pairs
        return (
            self.expected if start.pairs == self.expected.pairs else at_width(self.expected, width)
        )

    def pairings(self) -> Iterator[Hypothesis]:
        """Other coordinates paired, or results written to other places."""
        if self.expected.rotary_width > 2:
            yield from self.other_layouts()
            yield from self.permuted_weights()
        yield self.baseline.with_change(Mistake("results-exchanged"), exchanged_out=True)
        yield from self.plain_share()
        yield from self.rotary_widths()
        yield from self.other_slices()

    def other_layouts(self) -> Iterator[Hypothesis]:
        """Pairs read and written in the other layout, or read in one and written in the other."""
        own = self.baseline.layout_in, self.baseline.layout_out
        other = OTHER_LAYOUT[own[0]]
        for read, written in ((other, other), (own[0], own[0]), (own[0], other), (other, own[0])):
            layouts = {"layout_in": read, "layout_out": written}
            mistake = Mistake("order-out", layouts)
            if read == written:
                mistake = Mistake("other-layout", {"layout": read})
            if (read, written) != own:
                yield self.baseline.with_change(mistake, **layouts)

    def in_layout(self, layout: str) -> dict[str, str]:
        """Where pairs are read and written in a layout: as expected, or both in the other one."""
        own = self.baseline.layout_in
        written = self.baseline.layout_out if layout == own else layout
        return {"layout_in": layout, "layout_out": written}

    def plain_share(self) -> Iterator[Hypothesis]:
        """A share of the head rotated alone, where its pairs should stay among those at rest."""
        if self.expected.method != "proportional":
            return
        width = 2 * int(self.expected.method_values["share"] * self.expected.rotary_width // 2)
        if 2 <= width < self.expected.rotary_width:
            yield self.baseline.with_change(
                Mistake("other-rule", {"rule": "plain-partial"}),
                width=width,
                frequencies=unscaled(width, self.expected.base),
            )

    def other_slices(self) -> Iterator[Hypothesis]:
        """The rotated slice elsewhere in the head; perhaps as wide as it looks."""
        head, own, first = (
            self.expected.head_width,
            self.expected.rotary_width,
            self.expected.first,
        )
        touched = self.touched_coordinates
        starts = {head - own, 0, int(touched[0]) if len(touched) else 0} - {first}
        widths = {own, 2 * ((head - max(starts, default=0)) // 2)}
        for start, width in itertools.product(sorted(starts), sorted(widths)):
            if width < 2 or not 0 <= start <= head - width:
                continue
            frequencies = self.frequencies_at_width(width)
            if frequencies is None:
                continue
            mistakes = [Mistake("slice-start", {"first": start, "expected": first})]
            if width != own:
                mistakes.append(Mistake("rotary-width", {"width": width, "expected": own}))
            moved = {"first": start, "width": width, "frequencies": frequencies}
            for layout in (self.baseline.layout_in, OTHER_LAYOUT[self.baseline.layout_in]):
                if layout != self.baseline.layout_in:
                    mistakes.append(Mistake("other-layout", {"layout": layout}))
                yield self.baseline.with_change(*mistakes, **self.in_layout(layout), **moved)

    @cached_property
    def touched_coordinates(self) -> NDArray[np.intp]:
        """The coordinates that differ between input and output."""
        changed = np.any(self.sample.before != self.sample.after, axis=(0, 1))
        return np.flatnonzero(changed)

    def frequencies_at_width(self, width: int) -> NDArray[np.float64] | None:
        """The expected frequencies of another width; ``None`` where they are refused."""
        if width == self.expected.rotary_width:
            return self.expected.frequencies
        return frequencies_or_none(partial(self.expected.scale, width, self.expected.base))

    def permuted_weights(self) -> Iterator[Hypothesis]:
        """Weights put into the order of the other layout twice."""
        width, head = self.expected.rotary_width, self.expected.head_width
        if width <= 4:
            return
        own = self.baseline.layout_in
        for once in (half_split_order(width), adjacent_order(width)):
            first = self.expected.first
            twice = np.arange(head)
            twice[first : first + width] = first + once[once]
            for layout in (own, OTHER_LAYOUT[own]):
                mistakes = [Mistake("permuted", {"order": twice.tolist()})]
                if layout != own:
                    mistakes.append(Mistake("other-layout", {"layout": layout}))
                yield self.baseline.with_change(
                    *mistakes, permutation=twice, **self.in_layout(layout)
                )

    def rotary_widths(self) -> Iterator[Hypothesis]:
        """Another number of rotated coordinates, or half a head between those of a pair."""
        first, own = self.expected.first, self.expected.rotary_width
        head = self.expected.head_width - first
        touched = self.touched_coordinates
        least = int(touched[-1]) + 1 - first if len(touched) else head
        common = {head, head // 2, head // 4, 3 * head // 4, 2 * head // 5}
        for width in sorted(common | {least, least + 1, least + 2}):
            if width == own or not 2 <= width <= head or width % 2:
                continue
            frequencies = self.frequencies_at_width(width)
            if frequencies is not None:
                mistake = Mistake("rotary-width", {"width": width, "expected": own})
                yield self.baseline.with_change(mistake, width=width, frequencies=frequencies)
        if own < head and self.baseline.layout_in == "half-split" and not head % 2:
            mistake = Mistake("stride", {"stride": head // 2})
            yield self.baseline.with_change(mistake, stride=head // 2)

    def plain_mistakes(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """One more mistake that needs no fitted figure."""
        still = np.zeros_like(start.frequencies)
        yield start.with_change(Mistake("no-rotation"), frequencies=still, gain=1.0)
        yield start.with_change(Mistake("zeros"), form="zeros")
        yield start.with_change(Mistake("negated"), gain=-start.gain)
        yield from self.sign_and_swap(start)
        twice = start.frequencies * 2
        mistake = Mistake("rotated-twice")
        yield start.with_change(mistake, frequencies=twice, gain=start.gain**2)
        for minus in ("lost", "moved"):
            yield start.with_change(Mistake("lost-minus", {"minus": minus}), form=minus)
        for form in ("in-place", "no-sine"):
            yield start.with_change(Mistake(form), form=form)
        for half in ("left", "right"):
            yield start.with_change(Mistake("half-written", {"written": half}), form=f"only-{half}")
        yield from self.mixed_layouts(start)
        for mistake, rule in self.position_rules():
            yield start.with_change(mistake, position_rule=rule)
        yield from self.other_readings(start)
        for unit, scale in UNITS.items():
            mistake = Mistake("degrees", {"taken_as": unit})
            yield start.with_change(mistake, frequencies=start.frequencies * scale)
        yield from self.reordered_frequencies(start)
        yield from self.low_precision(start)

    def sign_and_swap(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """The other direction; cosine and sine exchanged."""
        if start.form == "plain" and start.sign == self.baseline.sign:
            yield start.with_change(Mistake("direction"), sign=-start.sign)
            yield start.with_change(Mistake("sine-cosine-exchanged"), form="exchanged")

    def mixed_layouts(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Angles repeated for one layout, pairs formed as in the other."""
        if start.pairs == 1 or start.stride is not None:
            return
        for layout, other in OTHER_LAYOUT.items():
            mistake = Mistake("mixed-layout", {"angles": other, "rotation": layout})
            yield start.with_change(
                mistake, layout_in=layout, layout_out=layout, angle_layout=other
            )

    def position_rules(self) -> Iterator[position_rules.Rule]:
        """Common substitutes for the positions; the end of a table shows in the errors."""
        yield from position_rules.common_rules(self.sample.array_positions)
        wrong = sample_ratios(self.baseline, self.sample).max(axis=(1, 2)) > 1.0
        positions = self.sample.positions
        if wrong.any() and not wrong.all() and positions[~wrong].max() < positions[wrong].min():
            yield position_rules.clamping_rule(int(positions[~wrong].max()))
            yield position_rules.wrapping_rule(int(positions[wrong].min()))

    def other_readings(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Readings of the config by other programs."""
        for name, scaled in self.expected.other_readings.items():
            frequencies = scaled.inverse_frequencies
            if len(frequencies) != start.pairs:
                continue
            gains = [scaled.attention_factor]
            if name == "unscaled" or "attention-factor" in start.kinds:
                # The attention factor may be applied without the scaling, or a wrong one with it.
                gains.append(start.gain)
            for gain in dict.fromkeys(gains):
                yield start.with_change(
                    reading_mistake(name),
                    frequencies=frequencies,
                    error_factors=frequency_error_factors(scaled),
                    gain=gain,
                )
        head, width = self.expected.head_width, self.expected.rotary_width
        if head != width and start.pairs == self.expected.pairs:
            law = denominator_law(self.expected, head)
            yield start.with_change(law.mistake, frequencies=law.frequencies)

    def reordered_frequencies(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Frequencies in reverse order, of the next pair, or not inverted."""
        frequencies = start.frequencies
        if start.pairs < 2 or not (frequencies > 0).all():
            return
        reverse = frequencies[::-1].copy()
        yield start.with_change(Mistake("reversed-frequencies"), frequencies=reverse)
        if self.expected.method == "default":
            step = self.expected.base ** (-2.0 / self.expected.rotary_width)
            yield start.with_change(Mistake("pairs-from-one"), frequencies=frequencies * step)
        if float(frequencies.min()) * GREATEST_FREQUENCY > 1:
            mistake = Mistake("frequencies-not-inverted")
            yield start.with_change(mistake, frequencies=1 / frequencies)
            if self.sample.dtype != "float64":
                for way in inverted_ways(frequencies):
                    yield start.with_change(mistake, frequencies=1 / frequencies, way=way)

    def holds_positions(self, dtype: str) -> bool:
        """Whether a narrow dtype holds every position of the sample exactly."""
        positions = np.asarray(self.sample.positions, np.float64)
        with np.errstate(over="ignore"):
            return np.array_equal(ROUND_TO[dtype](positions), positions)

    def low_precision(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Intermediate results kept in too narrow a dtype."""
        for dtype in ROUND_TO:
            for quantities in NARROW_QUANTITIES:
                if "tables" in quantities and ROUNDOFF[dtype] <= ROUNDOFF[self.sample.dtype]:
                    continue
                if quantities == ("positions",) and self.holds_positions(dtype):
                    continue  # nothing is rounded
                figures = {"dtype": dtype, "rounded": list(quantities)}
                rounding = Rounding(quantities, dtype)
                yield start.with_change(Mistake("low-precision", figures), rounding=rounding)


# The same for all hypotheses, so that what is computed of it is kept.
@lru_cache(maxsize=16)
def at_width(expected: Expected, width: int) -> Expected:
    """What is expected if ``width`` coordinates are rotated."""
    scaled = expected.scale(width, expected.base)
    return replace(expected, rotary_width=width, scaled=scaled, other_readings={})


@lru_cache(maxsize=16)
def unscaled_of(expected: Expected) -> Expected:
    """What would be expected without scaling."""
    return expected_plain(
        expected.head_width, expected.rotary_width, expected.base, expected.layout
    )


def reading_mistake(name: str) -> Mistake:
    """The mistake that another program's reading of a config is."""
    if name in ("unscaled", "other-list"):
        return Mistake(name)
    if name.startswith(OTHER_LAYER):
        return Mistake("other-layer", {"layer": name.removeprefix(OTHER_LAYER)})
    return Mistake("other-rule", {"rule": name})
