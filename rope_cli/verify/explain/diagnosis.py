"""The search for the simplest hypotheses that explain a sample.

A hypothesis is accepted only if its predicted output equals the sample's within the tolerance of
the dtype. Figures such as a base or an offset are measured first, then tested in the same way.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property

import numpy as np

from rope_cli.rope.scaled_frequencies import unscaled
from rope_cli.verify.explain import fitted_laws, joint_laws
from rope_cli.verify.explain.hypotheses import Candidates, unscaled_of
from rope_cli.verify.explain.laws import Array, Law, clipped_laws, common_laws, unknown_law
from rope_cli.verify.explain.position_rules import offset_rule, rules_for_positions, rules_over_rows
from rope_cli.verify.measure.estimates import (
    Rotations,
    estimate_frequencies,
    is_steady,
    measure_rotations,
    rotation_noise,
)
from rope_cli.verify.measure.expected import (
    MOST_UNCERTAIN,
    ROUNDINGS,
    ROUNDOFF,
    Expected,
    relative_tolerance,
)
from rope_cli.verify.measure.hypothesis import Hypothesis, Mistake, Rounding
from rope_cli.verify.measure.prediction_errors import (
    errors_by_pair,
    positions_used,
    sample_ratios,
    worst_ratio,
)
from rope_cli.verify.measure.recovered_positions import (
    CHANCE,
    ENOUGH_POSITIONS,
    FARTHEST,
    estimate_offsets,
    estimate_positions,
)
from rope_cli.verify.measure.sampling import Sample

# With narrow tables, ties and last bits round differently in this share of the numbers.
STRAY, SUBSAMPLE_STRAY = 0.05, 0.25
GREATEST_FLOAT16 = 65504
# A fitted figure is as exact as the data, not as exact as the arithmetic.
FITTED_SLACK = 4.0
# Pairings whose pairs change their length by more than this share, on average, are not tried.
RIGID = 0.1
# A law farther off than this many tolerances is not tested on the whole sample.
LOOSE = 3.0
# So many pairs are looked at before all are.
FEW_PAIRS = 16
# How many times the expected tolerance a hypothesis may have.
MOST_TOLERANCE = 10
# An estimate of the number of hypotheses, and of rows that count as independent.
HYPOTHESES, INDEPENDENT_ROWS = 1000, 3
# Wider rows are tested for single mistakes only; pairs would be too slow.
WIDE = 4096

# Kinds whose fastest pairs are too fast for float32, and how many others must tell them.
SHARP_ENOUGH = {"frequencies-not-inverted", "degrees"}
SHARP, LEAST_SHARP, LEAST_SHARP_PAIRS = 0.1, 0.3, 3
# Kinds whose figures are listed where several give the same numbers.
UNDETERMINED, MOST_FIGURES = {"wrapped-positions", "yarn", "llama3"}, 3
# Less precise names for what others name.
LESS_PRECISE: tuple[tuple[set[str], set[str]], ...] = (
    ({"clamped-positions", "wrapped-positions"}, {"no-rotation"}),
    ({"row-offsets"}, {"running-positions", "shared-positions"}),
)

# An explanation whose errors are so many times the least ones is not named first.
CLEARLY_FARTHER = 1.3

Level = Callable[[], Iterator[Hypothesis]]


class Diagnosis(Candidates):
    """The hypotheses that explain one sample; ``list_only`` if it stands for a frequency list.

    ``slack`` is how many times the tolerance may be exceeded by what has no fitted figure.
    """

    def __init__(
        self, sample: Sample, expected: Expected, list_only: bool = False, slack: float = 1.0
    ) -> None:
        super().__init__(sample, expected)
        self.baseline = replace(self.baseline, slack=slack)
        self.list_only = list_only
        self.subsample = sample.subsample()
        self.rotations_by_pairing: dict[tuple[object, ...], Rotations] = {}

    @cached_property
    def most_mismatch(self) -> float:
        """The pair mismatch beyond which a pairing is not the one used.

        Lengths are off by no more than what a fit may leave, whatever the angles are.
        """
        noise = rotation_noise(self.sample)
        left = FITTED_SLACK * (noise + self.greatest_tolerance(self.baseline))
        return min(RIGID, left) / noise

    def explanations(self) -> list[Hypothesis]:
        """The hypotheses with the fewest mistakes that give the output, the likeliest first.

        With too little data some hypothesis fits by chance, so only the plain ones are tried.
        """
        levels: list[Level] = [self.singles, self.doubles, self.triples, self.last_resorts]
        if self.too_little_data:
            levels = [self.plain_singles]
        elif self.sample.before.shape[-1] > WIDE:
            levels = [self.singles]
        for level in levels:
            fitting = [hypothesis for hypothesis in level() if self.explains(hypothesis)]
            if fitting:
                simplest = simplest_of(fitting, self.expected.method == "default")
                return self.nearest_first(simplest)
        return []

    def nearest_first(self, explanations: list[Hypothesis]) -> list[Hypothesis]:
        """The same, those last that are clearly farther off than another one."""
        if len(explanations) == 1 or not all(hypothesis.testable for hypothesis in explanations):
            return explanations
        # A fitted figure has a wider tolerance, but that does not bring it nearer.
        errors = {
            id(hypothesis): hypothesis.slack
            * float(np.sqrt(np.mean(sample_ratios(hypothesis, self.sample) ** 2)))
            for hypothesis in explanations
        }
        limit = CLEARLY_FARTHER * min(errors.values())
        return sorted(explanations, key=lambda hypothesis: errors[id(hypothesis)] > limit)

    def position_explanations(self) -> list[Hypothesis]:
        """The rules of positions that explain rows with positions of their own."""
        if self.too_little_data:
            return []
        explanations = [
            hypothesis
            for start in (self.baseline, *self.variants())
            for hypothesis in self.positions_by_row(start)
            if self.explains(hypothesis)
        ]
        return simplest_of(explanations, unscaled=False) if explanations else []

    def positions_by_row(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Rules that join the rows of a batch, and those of the measured positions."""
        for mistake, rule in rules_over_rows(self.sample.array_positions):
            yield start.with_change(mistake, position_rule=rule)
        rotations = self.rotations(start)
        if rotations.pair_mismatch <= self.most_mismatch:
            yield from self.irregular_positions(start, rotations)

    def explains(self, hypothesis: Hypothesis) -> bool:
        """Whether the sample is what the hypothesis predicts, within a meaningful tolerance."""
        # The near positions that stand for a list are sharp, however fast its frequencies are.
        loose = not self.list_only and self.greatest_tolerance(hypothesis) > self.most_tolerance
        if loose and not self.certain_enough(hypothesis):
            return False  # any output would fit
        if hypothesis.rounding is None:
            if worst_ratio(hypothesis, self.subsample) > 1.0:
                return False
            ratios = sample_ratios(hypothesis, self.sample)
            return bool(ratios.max(initial=0.0) <= 1.0) and self.fits_each_pair(hypothesis, ratios)
        if not self.stays_finite(hypothesis.rounding):
            return False
        if share_wrong(hypothesis, self.subsample) > SUBSAMPLE_STRAY:
            return False
        stray = share_wrong(hypothesis, self.sample)
        return stray <= STRAY and stray <= self.wrong_share / 4

    def fits_each_pair(self, hypothesis: Hypothesis, ratios: Array) -> bool:
        """Whether no coordinate is off throughout by more than one rounding of the dtype may do.

        The tolerance of a fitted figure is wide for single numbers, and for far positions.
        """
        if hypothesis.slack <= 1:
            return True
        positions = positions_used(hypothesis, self.sample)
        tolerance = hypothesis.relative_tolerance(positions, self.sample.dtype)
        rounding = ROUNDINGS * ROUNDOFF[self.sample.dtype]
        shares = (tolerance - (hypothesis.slack - 1) * rounding) / tolerance  # [rows, pairs]
        left, right = hypothesis.places
        return all(
            bool((mean_square(ratios[..., at] / shares[:, np.newaxis]) <= 1.0).all())
            for at in (left, right)
        )

    def certain_enough(self, hypothesis: Hypothesis) -> bool:
        """Whether a hypothesis without a fitted figure is sharp for many pairs, if not for all.

        So is a pair with a narrow bound, and one whose errors are small in every row, by no chance.
        """
        if not SHARP_ENOUGH & set(hypothesis.kinds) or hypothesis.slack > 1:
            return False
        tolerance = hypothesis.relative_tolerance(self.sample.positions, self.sample.dtype)
        sharp = (tolerance < SHARP).mean(axis=0) > 0.5
        sharp |= (errors_by_pair(hypothesis, self.sample) < SHARP).all(axis=0)
        return float(sharp.mean()) >= LEAST_SHARP and int(sharp.sum()) >= LEAST_SHARP_PAIRS

    @cached_property
    def most_tolerance(self) -> float:
        """The tolerance beyond which any output would fit."""
        return max(MOST_UNCERTAIN, MOST_TOLERANCE * self.greatest_tolerance(self.baseline))

    @cached_property
    def wrong_share(self) -> float:
        """The share of the numbers that are wrong."""
        return share_wrong(self.baseline, self.sample)

    def greatest_tolerance(self, hypothesis: Hypothesis) -> float:
        """The tolerance of a hypothesis for its fastest pair at the farthest position."""
        farthest = [float(np.abs(self.sample.positions).max())]
        tolerance = hypothesis.relative_tolerance(farthest, self.sample.dtype)
        return float(tolerance.max(initial=0.0))

    def stays_finite(self, rounding: Rounding) -> bool:
        """Whether the positions and angles that are kept in the narrow dtype stay finite in it."""
        if not {"positions", "angles"} & set(rounding.quantities):
            return True
        farthest = float(np.abs(self.sample.positions).max())
        fastest = float(np.abs(self.baseline.frequencies).max(initial=0.0))
        return rounding.dtype != "float16" or farthest * max(1.0, fastest) < GREATEST_FLOAT16

    @property
    def too_little_data(self) -> bool:
        """Whether the numbers are too few or too coarse to tell many hypotheses apart."""
        noise = self.rotations(self.baseline).noise.min(axis=0)
        rotating = noise[(self.baseline.frequencies > 0) & (noise < 1)]
        rows = min(len(np.unique(self.sample.positions)), INDEPENDENT_ROWS)
        chance = float(np.prod(np.minimum(1.0, 2 * rotating / math.pi))) ** rows
        return chance * HYPOTHESES > CHANCE

    @property
    def is_sharp(self) -> bool:
        """Whether the expected rotation is narrow enough, where it is narrowest, to be missed.

        Pairs of one frequency count as one, and at far positions a fast pair says nothing.
        """
        frequencies = self.baseline.frequencies
        if not (frequencies > 0).any():
            return False
        tolerance = self.baseline.relative_tolerance(self.sample.positions, self.sample.dtype)
        narrowest = (tolerance + self.rotations(self.baseline).noise).min(axis=0)
        distinct = np.unique(frequencies[frequencies > 0])
        narrowest_by_frequency = [
            float(narrowest[frequencies == frequency].min()) for frequency in distinct
        ]
        rows = min(len(np.unique(self.sample.positions)), INDEPENDENT_ROWS)
        chance = (
            float(np.prod(np.minimum(1.0, 2 * np.array(narrowest_by_frequency) / math.pi))) ** rows
        )
        return chance * HYPOTHESES <= CHANCE

    def plain_singles(self) -> Iterator[Hypothesis]:
        """One mistake without a fitted figure."""
        yield from self.pairings()
        yield from self.plain_mistakes(self.baseline)

    def singles(self) -> Iterator[Hypothesis]:
        """One mistake."""
        yield from self.plain_singles()
        yield from self.fitted_mistakes(self.baseline)

    def doubles(self) -> Iterator[Hypothesis]:
        """Two mistakes: another pairing, direction, gain or missing scaling, and one more."""
        for variant in (*self.variants(), *self.without_scaling()):
            yield from self.plain_mistakes(variant)
            yield from self.fitted_mistakes(variant)
        yield from self.joint_laws(self.baseline)
        if self.expected.method != "default":
            yield from map(self.unscaled_at_width, self.of_other_widths())
            yield from self.ramps_at_another_base(self.baseline)
        yield from self.laws_with_offset(self.baseline)

    def joint_laws(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Another base, and a factor or a ramp besides."""
        rotations = self.rotations(start)
        estimate = estimate_frequencies(rotations)
        if estimate is None or not self.may_follow_laws(rotations):
            return
        expected = self.expected_for(start)
        laws = itertools.chain(
            joint_laws.base_and_factor_laws(expected, estimate, rotations),
            joint_laws.base_and_ramp_laws(expected, estimate, rotations),
        )
        for law in laws:
            if is_near(law.frequencies, rotations, law.error_factors):
                yield with_law(start, law)

    def ramps_at_another_base(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Another base under a scaling with other figures than the expected one."""
        rotations = self.rotations(start)
        estimate = estimate_frequencies(rotations)
        if estimate is None or not self.may_follow_laws(rotations):
            return
        for law in joint_laws.base_and_ramp_laws(unscaled_of(self.expected), estimate, rotations):
            plain = unscaled(start.width, law.mistake.figures["base"])
            if is_near(plain, rotations):
                continue  # no scaling shows
            if is_near(law.frequencies, rotations, law.error_factors):
                yield with_law(start, law)

    @property
    def roundings_may_add_up(self) -> bool:
        """Whether float32 angles far out may be off by more than the tolerance, and are steady.

        Frequencies multiplied from pair to pair carry every rounding on to the next.
        """
        far = self.greatest_tolerance(self.baseline) > 2 * ROUNDINGS * ROUNDOFF[self.sample.dtype]
        in_float32 = self.sample.dtype != "float64" and self.sample.tolerance is None
        return in_float32 and far and self.may_follow_laws(self.rotations(self.baseline))

    def of_other_widths(self) -> Iterator[Hypothesis]:
        """The pairings that rotate another number of coordinates."""
        for variant in self.variants():
            if variant.pairs != self.baseline.pairs:
                yield variant

    def unscaled_at_width(self, start: Hypothesis) -> Hypothesis:
        """The frequencies of another rotated width, not scaled."""
        plain = unscaled(start.width, self.expected.base)
        return start.with_change(Mistake("unscaled"), frequencies=plain, gain=1.0)

    def may_follow_laws(self, rotations: Rotations) -> bool:
        """Whether pairs keep their lengths and rotate steadily."""
        return rotations.pair_mismatch <= self.most_mismatch and is_steady(rotations, FITTED_SLACK)

    def triples(self) -> Iterator[Hypothesis]:
        """Another pairing or gain, then two more mistakes."""
        for variant in self.variants():
            if variant.kinds == ("other-layout",):
                yield from self.joint_laws(variant)
            for changed in self.sign_and_swap(variant):
                yield from self.plain_mistakes(changed)
                yield from self.fitted_mistakes(changed)
            yield from self.laws_with_offset(variant)
        for plain in self.without_scaling():
            for changed in self.sign_and_swap(plain):
                yield from self.fitted_mistakes(changed)

    def last_resorts(self) -> Iterator[Hypothesis]:
        """Positions or frequencies that follow no rule."""
        for variant in (self.baseline, *self.variants()):
            rotations = self.rotations(variant)
            if rotations.pair_mismatch > self.most_mismatch:
                continue
            yield from self.irregular_positions(variant, rotations)
            if not is_steady(rotations, FITTED_SLACK):
                continue
            for law in clipped_laws(variant.frequencies):
                if is_near(law.frequencies, rotations):
                    yield with_law(variant, law)
            estimate = estimate_frequencies(rotations)
            # Any two positions have a frequency between them.
            if estimate is not None and rotations.distinct_positions >= ENOUGH_POSITIONS:
                yield with_law(variant, unknown_law(estimate))

    def irregular_positions(self, start: Hypothesis, rotations: Rotations) -> Iterator[Hypothesis]:
        """The likeliest position of every row, as the simplest rules that give them."""
        farthest = max(4096, 2 * int(rotations.positions.max()))
        if farthest > FARTHEST or not (start.frequencies > 0).any():
            return
        measured = estimate_positions(rotations, start.frequencies, farthest)
        if measured is None:
            return
        sample = self.sample
        rules = rules_for_positions(sample.array_positions, sample.position_indices, measured)
        for mistake, rule in rules:
            yield start.with_change(mistake, position_rule=rule)

    def without_scaling(self) -> Iterator[Hypothesis]:
        """The scaling forgotten, perhaps but for its factor; another base may come to it."""
        plain = self.expected.other_readings.get("unscaled")
        if plain is not None and len(plain.theta) == self.baseline.pairs:
            mistake = Mistake("unscaled")
            for gain in dict.fromkeys((1.0, self.baseline.gain)):
                yield self.baseline.with_change(mistake, frequencies=plain.theta, gain=gain)

    def rotations(self, hypothesis: Hypothesis) -> Rotations:
        """The measured rotations, less the direction and exchange of a hypothesis."""
        permutation = hypothesis.permutation
        pairing = (
            hypothesis.layout_in,
            hypothesis.layout_out,
            hypothesis.width,
            hypothesis.pairs,
            hypothesis.stride,
            hypothesis.first,
            hypothesis.exchanged_out,
            None if permutation is None else permutation.tobytes(),
        )
        if pairing not in self.rotations_by_pairing:
            self.rotations_by_pairing[pairing] = measure_rotations(self.sample, hypothesis)
        rotations = self.rotations_by_pairing[pairing]
        exchanged = hypothesis.form == "exchanged"
        return rotations.undo_sign_and_swap(hypothesis.sign, exchanged, hypothesis.gain < 0)

    def fitted_mistakes(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """One more mistake whose figure is measured."""
        rotations = self.rotations(start)
        if rotations.pair_mismatch > self.most_mismatch:
            return
        yield from self.gains(start, rotations)
        if not is_steady(rotations, FITTED_SLACK):
            return
        offsets = [] if self.list_only else estimate_offsets(rotations, start.frequencies)
        for offset in offsets:
            mistake, rule = offset_rule(offset)
            yield start.with_change(mistake, position_rule=rule)
        for law in self.laws(start, rotations):
            if is_near(law.frequencies, rotations, law.error_factors):
                yield with_law(start, law)

    def laws(self, start: Hypothesis, rotations: Rotations) -> Iterator[Law]:
        """Laws of the measured frequencies, and those in common use."""
        estimate = estimate_frequencies(rotations)
        expected = self.expected_for(start)
        if estimate is not None:
            yield from fitted_laws.fitted_base_laws(expected, estimate, rotations)
            yield from fitted_laws.fitted_factor_laws(expected, estimate, rotations)
        yield from common_laws(expected)
        # Ramps keep the fastest pair.
        if is_near(expected.scaled.theta[:1], rotations.of_pair(0)):
            yield from fitted_laws.fitted_ramp_laws(expected, estimate)

    def laws_with_offset(self, start: Hypothesis) -> Iterator[Hypothesis]:
        """Another base and an offset: fit the base, then the offset, then the base again."""
        rotations = self.rotations(start)
        estimate = estimate_frequencies(rotations)
        if self.list_only or estimate is None or not self.may_follow_laws(rotations):
            return
        expected = self.expected_for(start)
        first_laws = fitted_laws.fitted_base_laws(
            expected, estimate, rotations, unknown_offset=True
        )
        for law in first_laws:
            for offset in estimate_offsets(rotations, law.frequencies):
                mistake, rule = offset_rule(offset)
                shifted = rotations.at_offset(offset)
                laws: Iterator[Law] = iter([law])
                if law.fitted:
                    laws = fitted_laws.fitted_base_laws(expected, estimate, shifted)
                for refined in laws:
                    if is_near(refined.frequencies, shifted, refined.error_factors):
                        yield with_law(start, refined).with_change(mistake, position_rule=rule)

    def gains(self, start: Hypothesis, rotations: Rotations) -> Iterator[Hypothesis]:
        """Another attention factor: missing, applied twice, or as measured."""
        measured, expected = rotations.gain, start.gain
        noise = float(np.median(rotations.noise))
        if not measured > 0 or abs(measured / expected - 1) <= noise / 4:
            return
        head = self.expected.head_width
        scale = expected / math.sqrt(head)
        if abs(measured / scale - 1) <= noise:
            yield start.with_change(Mistake("scaled-rows", {"width": head}), gain=scale)
            return
        for gain in (1.0, expected**2, measured):
            if abs(measured / gain - 1) <= noise:
                mistake = Mistake("attention-factor", {"found": gain, "expected": expected})
                yield start.with_change(mistake, gain=gain)
                return

    def variants(self) -> Iterator[Hypothesis]:
        """Pairings that fit, each alone and with the measured gain; other directions and signs."""
        candidates = [self.baseline, *self.pairings()]
        mismatches = [self.rotations(candidate).pair_mismatch for candidate in candidates]
        limit = min(max(3 * min(mismatches), 3.0), self.most_mismatch)
        for candidate, mismatch in zip(candidates, mismatches, strict=True):
            if mismatch <= limit:
                if candidate.mistakes:
                    yield candidate
                yield from self.gains(candidate, self.rotations(candidate))
        yield from self.sign_and_swap(self.baseline)
        yield self.baseline.with_change(Mistake("negated"), gain=-self.baseline.gain)


def share_wrong(hypothesis: Hypothesis, sample: Sample) -> float:
    """The share of the numbers of a sample that a hypothesis does not explain."""
    return float(np.mean(sample_ratios(hypothesis, sample) > 1.0))


def mean_square(ratios: Array) -> Array:  # [rows, samples, pairs] -> [pairs]
    """The mean of the squares of each pair."""
    return np.asarray(np.mean(ratios * ratios, axis=(0, 1)))


def is_near(frequencies: Array, rotations: Rotations, error_factors: Array | None = None) -> bool:
    """Whether frequencies nearly give the rotations, so that a full test is worth its time."""
    steps = dict.fromkeys((max(1, len(frequencies) // FEW_PAIRS), 1))
    return all(is_near_every(step, frequencies, rotations, error_factors) for step in steps)


def is_near_every(
    step: int, frequencies: Array, rotations: Rotations, error_factors: Array | None
) -> bool:
    """The same, of pair 0 and every ``step``-th pair after it."""
    positions, dtype, pairs = rotations.positions, rotations.dtype, slice(None, None, step)
    frequencies = frequencies[pairs]
    factors = None if error_factors is None else error_factors[pairs]
    predicted = np.exp(1j * np.multiply.outer(positions, frequencies))
    rounding = relative_tolerance(frequencies, positions, dtype, FITTED_SLACK, factors)
    tolerance = rotations.noise[:, pairs] + rounding
    errors = np.abs(rotations.unit_factors[:, pairs] - predicted)
    return bool((errors <= LOOSE * tolerance).all())


def with_law(start: Hypothesis, law: Law) -> Hypothesis:
    """A hypothesis with the frequencies of a law."""
    return start.with_change(
        law.mistake,
        *law.more,
        frequencies=law.frequencies,
        slack=FITTED_SLACK if law.fitted else start.slack,
        error_factors=law.error_factors,
    )


def simplest_of(explanations: list[Hypothesis], unscaled: bool) -> list[Hypothesis]:
    """Those with the fewest mistakes, without less precise names for the same.

    Of one kind there is one, except where its figures are not determined; figures in common use
    come first, and the same mistakes in another order are no other explanation.
    """
    fewest = min(len(hypothesis.mistakes) for hypothesis in explanations)
    explanations = [hypothesis for hypothesis in explanations if len(hypothesis.mistakes) == fewest]
    kinds = {hypothesis.mistakes[-1].kind for hypothesis in explanations}
    vague = {kind for names, precise in LESS_PRECISE if kinds & precise for kind in names}
    if unscaled and kinds & {"rotated-twice", "degrees", "no-rotation", "pairs-from-one"}:
        vague |= {"position-interpolation", "base", "ntk", "denominator"}
    vague |= {"unknown-frequencies", "other-positions"}
    distinct: dict[tuple[str, ...], list[Hypothesis]] = {}
    for hypothesis in explanations:
        if not set(hypothesis.kinds) & vague or kinds <= vague:
            distinct.setdefault(tuple(sorted(hypothesis.kinds)), []).append(hypothesis)
    return [
        hypothesis
        for same in distinct.values()
        for hypothesis in sorted(same, key=lambda hypothesis: hypothesis.slack > 1)[
            : MOST_FIGURES if UNDETERMINED & set(same[0].kinds) else 1
        ]
    ]
