"""The pairs of one type of layers before and after scaling, and the checks on them."""

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
from rope_cli.scaling.key_names import ORIGINAL
from rope_cli.scaling.layers import Layer

Array = NDArray[np.float64]

RELATIVE = 1e-12
# Rows are rotated at these positions and at the last one of the text.
POSITIONS = 0, 1, 3


@dataclass(frozen=True)
class ScaledLayer:
    """The pairs of one type of layers in a text of ``length`` positions."""

    config: Layer
    length: int

    @cached_property
    def values(self) -> dict[str, Any]:
        """The values of the method by the names of its attributes."""
        names = {ORIGINAL: "original_length"}
        return {names.get(name, name): value.value for name, value in self.config.values.items()}

    @cached_property
    def method(self) -> Any:
        """The method itself."""
        return scaling.method_named(self.config.method, **self.values)

    @property
    def d(self) -> int:
        """The rotary width, the d of the formulas."""
        return int(self.config.rotary_width.value)

    @property
    def b(self) -> float:
        """The base, the b of the formulas."""
        return float(self.config.base.value)

    @cached_property
    def scaled(self) -> Scaled:
        """The pairs after scaling."""
        scaled: Scaled = self.method.scaled(self.d, self.b, self.length)
        return scaled

    @property
    def ratios(self) -> Array:
        """Scaled divided by unscaled frequencies, ``[pairs]``."""
        return self.scaled.inverse_frequencies / self.scaled.theta

    @property
    def divisor(self) -> float:
        """The divisor of a pair that is divided in full; without a meaning for LongRoPE."""
        if self.config.method == "dynamic":
            return float(self.method.stretch(self.length))
        return float(self.values.get("factor", 1.0))

    @property
    def turning_length(self) -> int:
        """The positions in which turns are counted: the original length if there is one."""
        return int(self.values.get("original_length", self.length))

    @property
    def softmax_factor(self) -> float | None:
        """Another factor of the scores in latent attention, ``M(mscale_all_dim)^2``."""
        weight = self.values.get("mscale_all_dim")
        if not self.config.latent or not weight:
            return None
        return scaling.magnitude(self.values["factor"], weight) ** 2


def gather(layer: ScaledLayer) -> Evidence:
    """The numbers and checks of one type of layers."""
    scaled = layer.scaled
    turns = layer.turning_length * scaled.theta / (2 * math.pi)
    bands = [band.value for band in scaled.bands]
    values = {
        "layer_type": layer.config.name,
        "method": layer.config.method,
        "head_width": layer.config.head_width.value,
        "rotary_width": layer.d,
        "base": layer.b,
        "method_values": layer.values,
        "length": layer.length,
        "turning_length": layer.turning_length,
        "unscaled_inverse_frequencies": scaled.theta,
        "wavelengths": 2 * math.pi / scaled.theta,
        "turns": turns,
        "inverse_frequencies": scaled.inverse_frequencies,
        "ratios": layer.ratios,
        "bands": bands,
        "band_counts": {band.value: bands.count(band.value) for band in Band},
        "attention_factor": scaled.attention_factor,
        "score_gain": scaled.attention_factor**2,
        "softmax_factor": layer.softmax_factor,
        **dict(method_results(layer)),
    }
    return Evidence(values, (*common_checks(layer), *method_checks(layer)))


def method_results(layer: ScaledLayer) -> Iterator[tuple[str, Any]]:
    """Results that only some methods have."""
    method = layer.config.method
    if method == "yarn":
        yield "ramp_bounds", list(layer.method.bounds(layer.d, layer.b))
    if method == "ntk":
        yield "scaled_base", layer.method.base(layer.d, layer.b)
    if method == "dynamic":
        yield "scaled_base", layer.method.base(layer.d, layer.b, layer.length)
    if method == "longrope":
        yield "divisors", layer.method.divisors(layer.length)[0]


def common_checks(layer: ScaledLayer) -> Iterator[Check]:
    """The checks of every method."""
    scaled, method = layer.scaled, layer.config.method
    expected = reference.frequencies(method, layer.values, layer.d, layer.b, layer.length)
    factor = reference.attention_factor(method, layer.values)
    moving = expected > 0
    # Relative differences of moving pairs, absolute ones of pairs that stand still.
    still = 1.0 + scaled.inverse_frequencies[~moving]
    ratios = np.concatenate([scaled.inverse_frequencies[moving] / expected[moving], still])
    yield agree("frequencies-recomputed", ratios, np.ones(len(ratios)), RELATIVE)
    yield agree("attention-factor-recomputed", [scaled.attention_factor], [factor], RELATIVE)
    yield all_true("bands-by-ratio", bands_match_ratios(layer))
    norms = rotated_norms(layer) / factor
    yield agree("rotated-norm", norms, np.ones(len(norms)), RELATIVE)
    # An angle is rounded in proportion to its size, and these scores are of rows of norm 1.
    tolerance = RELATIVE * factor**2 * max(1.0, 5 * float(expected.max()))
    yield agree("score-gain", [score(layer)], [expected_score(expected, factor)], tolerance)


def bands_match_ratios(layer: ScaledLayer) -> list[bool]:
    """Whether the band of each pair is the one that the ratio of the reference implies."""
    method, values = layer.config.method, layer.values
    expected = reference.ratios(method, values, layer.d, layer.b, layer.length)
    tolerance, lists = 1e-9, layer.config.method == "longrope"

    def implied(ratio: float) -> Band:
        if ratio == 0:
            return Band.STILL
        if abs(ratio - 1) <= tolerance:
            return Band.KEPT
        divided = lists or abs(ratio * layer.divisor - 1) <= tolerance
        return Band.DIVIDED if divided else Band.BLENDED

    pairs = zip(layer.scaled.bands, expected.tolist(), strict=True)
    return [band is implied(ratio) for band, ratio in pairs]


def sample_rows(pairs: int) -> tuple[NDArray[np.complex128], NDArray[np.complex128]]:
    """A query and a key as complex numbers ``[pairs]``: no zeros, not parallel, of norm 1."""
    j = np.arange(pairs)
    query = np.asarray((1 + j % 5) + 1j * (2 - (3 * j) % 7 / 2), dtype=np.complex128)
    key = np.asarray((2 - (2 * j) % 3) - 1j * (1 + (4 * j) % 9 / 4), dtype=np.complex128)
    return query / float(np.linalg.norm(query)), key / float(np.linalg.norm(key))


def rotated_norms(layer: ScaledLayer) -> Array:
    """Norms of a row of norm 1 rotated at some positions, ``[positions]``."""
    query, _ = sample_rows(layer.d // 2)
    positions = [*POSITIONS, layer.length - 1]
    norms: Array = np.linalg.norm(query * layer.scaled.factors(positions), axis=1)
    return norms


def score(layer: ScaledLayer) -> float:
    """The score of a query at position 5 and a key at position 2."""
    query, key = sample_rows(layer.d // 2)
    rotated_query, rotated_key = layer.scaled.factors([5, 2]) * np.array([query, key])
    return float(np.sum(rotated_query * rotated_key.conj()).real)


def expected_score(frequencies: Array, factor: float) -> float:
    """The same score from the difference of the positions alone."""
    query, key = sample_rows(len(frequencies))
    angles = 3 * frequencies
    along, across = (query * key.conj()).real, (query * key.conj()).imag
    return float(factor**2 * np.sum(along * np.cos(angles) - across * np.sin(angles)))


def method_checks(layer: ScaledLayer) -> Iterator[Check]:
    """The checks of some methods only."""
    scaled, method = layer.scaled, layer.config.method
    theta, frequencies, ratios = scaled.theta, scaled.inverse_frequencies, layer.ratios
    first_kept, last_divided = ends(layer)
    if first_kept:
        yield same_bits("first-pair-kept", frequencies[:1], theta[:1])
    if last_divided:
        yield agree("last-pair-divided", ratios[-1:] * layer.divisor, [1.0], RELATIVE)
    if method == "longrope":
        yield from longrope_checks(layer)
        return
    yield from ratio_checks(ratios[frequencies > 0], frequencies[frequencies > 0], layer.divisor)
    if method == "dynamic":
        short = layer.method.scaled(layer.d, layer.b, layer.turning_length)
        yield same_bits("short-text-unscaled", short.inverse_frequencies, theta)
    if method == "llama3":
        kept = layer.method.kept_by_turns(layer.d, layer.b)
        ramp = theta * kept + theta / layer.divisor * (1 - kept)
        yield agree("ramp-in-turns", frequencies / ramp, np.ones(len(ramp)), RELATIVE)
    if method == "yarn":
        yield from yarn_checks(layer)


def ratio_checks(ratios: Array, frequencies: Array, divisor: float) -> Iterator[Check]:
    """Ratios of moving pairs lie between 1 and ``1 / divisor`` and fall, as the frequencies do."""
    least, most = sorted((1.0, 1.0 / divisor))
    inside = (least * (1 - RELATIVE) <= ratios) & (ratios <= most * (1 + RELATIVE))
    yield all_true("ratios-between", inside.tolist())
    if len(ratios) > 1 and divisor >= 1:
        falling = ratios[1:] <= ratios[:-1] * (1 + RELATIVE)
        yield all_true("ratios-never-rise", falling.tolist())
        yield all_true("frequencies-fall", (frequencies[1:] < frequencies[:-1]).tolist())


def ends(layer: ScaledLayer) -> tuple[bool, bool]:
    """Whether the method keeps pair 0, and whether it divides the last pair in full."""
    values, last = layer.values, layer.d // 2 - 1
    match layer.config.method:
        case "default":
            return True, False
        case "ntk" | "dynamic":
            return True, True
        case "linear":
            return layer.divisor == 1, True
        case "yarn":
            low, high = layer.method.bounds(layer.d, layer.b)
            return low < high, low < high <= last
        case "llama3":
            turns = values["original_length"] / (2 * math.pi)
            slowest = turns * layer.b ** (-2 * last / layer.d)
            return turns > values["high_freq_factor"], slowest < values["low_freq_factor"]
        case _:
            return layer.divisor == 1 and layer.config.method == "proportional", False


def yarn_checks(layer: ScaledLayer) -> Iterator[Check]:
    """Outside the blended band the ramp of the paper gives what that of the code gives."""
    low, high = layer.method.bounds(layer.d, layer.b)
    pairs = np.arange(layer.d // 2)
    outside = (pairs <= low) | (pairs >= high)
    fastest = layer.turning_length / (2 * math.pi)
    if low < high and outside.any() and fastest >= layer.values["beta_fast"]:
        paper = layer.method.scaled_by_turns(layer.d, layer.b).inverse_frequencies
        ratios = (layer.scaled.inverse_frequencies / paper)[outside]
        yield agree("paper-agrees-outside", ratios, np.ones(len(ratios)), RELATIVE)


def longrope_checks(layer: ScaledLayer) -> Iterator[Check]:
    """The short list counts up to the original length, the long one beyond it."""
    original, theta = layer.turning_length, layer.scaled.theta
    for name, length, list_name in (
        ("short-list-up-to-original", original, "short_factor"),
        ("long-list-beyond-original", original + 1, "long_factor"),
    ):
        scaled = layer.method.scaled(layer.d, layer.b, length)
        ratios = scaled.inverse_frequencies * layer.values[list_name] / theta
        yield agree(name, ratios, np.ones(len(ratios)), RELATIVE)
