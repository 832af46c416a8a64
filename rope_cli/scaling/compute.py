"""What is computed for one type of layers: its pairs before and after scaling, and the checks."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true, same_bits
from rope_cli.rope import scaling
from rope_cli.rope.scaling import Band, Scaled
from rope_cli.scaling import reference
from rope_cli.scaling.layers import Layer
from rope_cli.scaling.methods import ORIGINAL

Array = NDArray[np.float64]

RELATIVE = 1e-12
# Positions of the rows that are rotated, besides the last one of the text.
POSITIONS = 0, 1, 3


@dataclass(frozen=True)
class Computed:
    """The pairs of one type of layers in a text of ``length`` positions."""

    layer: Layer
    length: int

    @cached_property
    def values(self) -> dict[str, Any]:
        """The values of the method, named as its class names them."""
        names = {ORIGINAL: "original_length"}
        return {names.get(name, name): read.value for name, read in self.layer.values.items()}

    @cached_property
    def method(self) -> Any:
        """The method itself."""
        return scaling.method_named(self.layer.method, **self.values)

    @property
    def d(self) -> int:
        """The rotary width, which the formulas have in the denominator."""
        return int(self.layer.rotary_width.value)

    @property
    def b(self) -> float:
        """The base of the frequencies."""
        return float(self.layer.base.value)

    @cached_property
    def scaled(self) -> Scaled:
        """The pairs after scaling."""
        made: Scaled = self.method.scaled(self.d, self.b, self.length)
        return made

    @property
    def ratios(self) -> Array:
        """What each frequency was multiplied by, ``[pairs]``."""
        return self.scaled.inverse_frequencies / self.scaled.theta

    @property
    def divisor(self) -> float:
        """By how much a divided pair is divided; for LongRoPE only a bound has a meaning."""
        if self.layer.method == "dynamic":
            return float(self.method.stretch(self.length))
        return float(self.values.get("factor", 1.0))

    @property
    def turning_length(self) -> int:
        """In how many positions turns are counted: where there is one, the original length."""
        return int(self.values.get("original_length", self.length))

    @property
    def softmax_factor(self) -> float | None:
        """By what latent attention multiplies the scores once more: ``M(mscale_all_dim)^2``."""
        weight = self.values.get("mscale_all_dim")
        if not self.layer.latent or not weight:
            return None
        return scaling.magnitude(self.values["factor"], weight) ** 2


def gather(computed: Computed) -> Evidence:
    """The numbers and checks of one type of layers."""
    scaled = computed.scaled
    turns = computed.turning_length * scaled.theta / (2 * math.pi)
    bands = [band.value for band in scaled.bands]
    values = {
        "layer_type": computed.layer.name,
        "method": computed.layer.method,
        "head_width": computed.layer.head_width.value,
        "rotary_width": computed.d,
        "base": computed.b,
        "method_values": computed.values,
        "length": computed.length,
        "turning_length": computed.turning_length,
        "unscaled_inverse_frequencies": scaled.theta,
        "wavelengths": 2 * math.pi / scaled.theta,
        "turns": turns,
        "inverse_frequencies": scaled.inverse_frequencies,
        "ratios": computed.ratios,
        "bands": bands,
        "band_counts": {band.value: bands.count(band.value) for band in Band},
        "attention_factor": scaled.attention_factor,
        "score_gain": scaled.attention_factor**2,
        "softmax_factor": computed.softmax_factor,
        **dict(particulars(computed)),
    }
    return Evidence(values, (*common_checks(computed), *own_checks(computed)))


def particulars(computed: Computed) -> Iterator[tuple[str, Any]]:
    """What only one method has."""
    method = computed.layer.method
    if method == "yarn":
        yield "ramp_bounds", list(computed.method.bounds(computed.d, computed.b))
    if method == "ntk":
        yield "scaled_base", computed.method.base(computed.d, computed.b)
    if method == "dynamic":
        yield "scaled_base", computed.method.base(computed.d, computed.b, computed.length)
    if method == "longrope":
        yield "divisors", computed.method.divisors(computed.length)[0]


def common_checks(computed: Computed) -> Iterator[Check]:
    """The checks of every method."""
    scaled, method = computed.scaled, computed.layer.method
    expected = reference.frequencies(
        method, computed.values, computed.d, computed.b, computed.length
    )
    factor = reference.attention_factor(method, computed.values)
    turning = expected > 0
    still = scaled.inverse_frequencies[~turning]
    found = scaled.inverse_frequencies[turning] / expected[turning]
    both = np.concatenate([found, 1.0 + still])
    yield agree("frequencies-recomputed", both, np.ones(len(both)), RELATIVE)
    yield agree("attention-factor-recomputed", [scaled.attention_factor], [factor], RELATIVE)
    yield all_true("bands-by-ratio", named_by_ratio(computed))
    yield agree("rotated-norm", norms(computed) / factor, np.ones(len(POSITIONS) + 1), RELATIVE)
    # An angle is rounded in proportion to its size, and these scores are of rows of norm 1.
    bound = RELATIVE * factor**2 * max(1.0, 5 * float(expected.max()))
    yield agree("score-gain", [score(computed)], [expected_score(expected, factor)], bound)


def named_by_ratio(computed: Computed) -> list[bool]:
    """For each pair whether its band is the one that the witness's ratio speaks for."""
    method, values = computed.layer.method, computed.values
    expected = reference.ratios(method, values, computed.d, computed.b, computed.length)
    tolerance, lists = 1e-9, computed.layer.method == "longrope"

    def spoken_for(ratio: float) -> Band:
        if ratio == 0:
            return Band.STILL
        if abs(ratio - 1) <= tolerance:
            return Band.KEPT
        divided = lists or abs(ratio * computed.divisor - 1) <= tolerance
        return Band.DIVIDED if divided else Band.BLENDED

    named = zip(computed.scaled.bands, expected.tolist(), strict=True)
    return [band is spoken_for(ratio) for band, ratio in named]


def contents(pairs: int) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """A query and a key as complex numbers ``[pairs]``: no zeros, not parallel, of norm 1."""
    j = np.arange(pairs)
    query = np.asarray((1 + j % 5) + 1j * (2 - (3 * j) % 7 / 2), dtype=np.complex128)
    key = np.asarray((2 - (2 * j) % 3) - 1j * (1 + (4 * j) % 9 / 4), dtype=np.complex128)
    return query / float(np.linalg.norm(query)), key / float(np.linalg.norm(key))


def norms(computed: Computed) -> Array:
    """How long a row of norm 1 is after its rotation, at some positions."""
    query, _ = contents(computed.d // 2)
    positions = [*POSITIONS, computed.length - 1]
    found: Array = np.linalg.norm(query * computed.scaled.factors(positions), axis=1)
    return found


def score(computed: Computed) -> float:
    """The score of a query at position 5 and a key at position 2."""
    query, key = contents(computed.d // 2)
    turned_query, turned_key = computed.scaled.factors([5, 2]) * np.array([query, key])
    return float(np.sum(turned_query * turned_key.conj()).real)


def expected_score(frequencies: Array, factor: float) -> float:
    """The same from the difference of the positions alone, times the squared factor."""
    query, key = contents(len(frequencies))
    angles = 3 * frequencies
    along, across = (query * key.conj()).real, (query * key.conj()).imag
    return float(factor**2 * np.sum(along * np.cos(angles) - across * np.sin(angles)))


def own_checks(computed: Computed) -> Iterator[Check]:
    """The checks that hold for this method, or for some, and not for all."""
    scaled, method = computed.scaled, computed.layer.method
    theta, frequencies, ratios = scaled.theta, scaled.inverse_frequencies, computed.ratios
    first, last = ends(computed)
    if first:
        yield same_bits("first-pair-kept", frequencies[:1], theta[:1])
    if last:
        yield agree("last-pair-divided", ratios[-1:] * computed.divisor, [1.0], RELATIVE)
    if method == "longrope":
        yield from longrope_checks(computed)
        return
    turning = ratios[frequencies > 0]
    least, most = sorted((1.0, 1.0 / computed.divisor))
    inside = (least * (1 - RELATIVE) <= turning) & (turning <= most * (1 + RELATIVE))
    yield all_true("ratios-between", inside.tolist())
    if len(turning) > 1 and computed.divisor >= 1:
        falling = turning[1:] <= turning[:-1] * (1 + RELATIVE)
        yield all_true("ratios-never-rise", falling.tolist())
        moving = frequencies[frequencies > 0]
        yield all_true("frequencies-fall", (moving[1:] < moving[:-1]).tolist())
    if method == "dynamic":
        short = computed.method.scaled(computed.d, computed.b, computed.turning_length)
        yield same_bits("short-text-unscaled", short.inverse_frequencies, theta)
    if method == "llama3":
        kept = computed.method.kept_by_turns(computed.d, computed.b)
        ramp = theta * kept + theta / computed.divisor * (1 - kept)
        yield agree("ramp-in-turns", frequencies / ramp, np.ones(len(ramp)), RELATIVE)
    if method == "yarn":
        yield from yarn_checks(computed)


def ends(computed: Computed) -> tuple[bool, bool]:
    """Whether pair 0 must be kept, and whether the last pair must be divided."""
    values, last = computed.values, computed.d // 2 - 1
    match computed.layer.method:
        case "default":
            return True, False
        case "ntk" | "dynamic":
            return True, True
        case "linear":
            return computed.divisor == 1, True
        case "yarn":
            low, high = computed.method.bounds(computed.d, computed.b)
            return low < high, low < high <= last
        case "llama3":
            turns = values["original_length"] / (2 * math.pi)
            slowest = turns * computed.b ** (-2 * last / computed.d)
            return turns > values["high_freq_factor"], slowest < values["low_freq_factor"]
        case _:
            return computed.divisor == 1 and computed.layer.method == "proportional", False


def yarn_checks(computed: Computed) -> Iterator[Check]:
    """Outside the band the ramp of the paper and that of the code say the same."""
    low, high = computed.method.bounds(computed.d, computed.b)
    pairs = np.arange(computed.d // 2)
    outside = (pairs <= low) | (pairs >= high)
    fastest = computed.turning_length / (2 * math.pi)
    if low < high and outside.any() and fastest >= computed.values["beta_fast"]:
        paper = computed.method.scaled_by_turns(computed.d, computed.b).inverse_frequencies
        found = (computed.scaled.inverse_frequencies / paper)[outside]
        yield agree("paper-agrees-outside", found, np.ones(len(found)), RELATIVE)


def longrope_checks(computed: Computed) -> Iterator[Check]:
    """The short list up to the original length, the long one after it."""
    original, theta = computed.turning_length, computed.scaled.theta
    for name, length, list_name in (
        ("short-list-up-to-original", original, "short_factor"),
        ("long-list-beyond-original", original + 1, "long_factor"),
    ):
        made = computed.method.scaled(computed.d, computed.b, length)
        found = made.inverse_frequencies * computed.values[list_name] / theta
        yield agree(name, found, np.ones(len(found)), RELATIVE)
