"""What right arrays hold: which coordinates rotate, how fast, and within which rounding errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.errors import RopeError
from rope_cli.rope.scaling import (
    Band,
    Default,
    DynamicNtk,
    LongRope,
    Method,
    NtkAware,
    Scaled,
    Yarn,
)
from rope_cli.rope.tables import LAYOUTS
from rope_cli.scaling.compute import ScaledLayer
from rope_cli.scaling.layers import Layer
from rope_cli.user_input.numbers import InvalidNumber, even_number_up_to
from rope_cli.verify.read.array_errors import DTYPES
from rope_cli.verify.read.request import Request, layer_of

Array = NDArray[np.float64]

# Before the name of other layers of the same config, as the name of a reading.
OTHER_LAYER = "layer:"
STANDARD_BASE, STANDARD_LAYOUT = 10_000.0, "adjacent"
# The unit roundoff of each dtype, and its smallest subnormal number.
ROUNDOFF = {dtype: 2.0**-bits for dtype, bits in DTYPES.items()}
SMALLEST = {"float64": 2.0**-1074, "float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}
# Roundoffs in one rotated coordinate: two products and their sum, and a cosine and a sine that are
# rounded themselves and may have been multiplied by the attention factor.
ROUNDINGS = 8
# Roundoffs in an angle: two of a power that is right to one unit in the last place, one each of a
# reciprocal and a product, two of scaling.
ANGLE_ROUNDINGS = 6
# Roundoffs in the exponent of a frequency, each of which moves the frequency by its logarithm:
# in exp(-2k/d ln b) those of 2k/d, of ln b and of their product; in b^(-2k/d) only the first.
EXPONENT_ROUNDINGS = 3
BLENDED_ROUNDINGS = 4.0
# Errors beyond this share of a pair's length say nothing about its rotation.
MOST_UNCERTAIN = 0.5


@dataclass(frozen=True, eq=False)
class Expected:
    """The rotation that right arrays show.

    Of ``head_width`` coordinates, ``rotary_width`` from ``first`` on are rotated in pairs, the
    others are unchanged. ``scaled`` holds the frequencies ``[pairs]`` in radians per position and
    the attention factor; ``scale(width, base)`` computes them for another width and base.
    ``other_readings`` are the results of other programs for the same config, by name.
    ``backward`` if adjoints are expected, which rotate backwards. ``method_values`` are the
    parameters of the scaling method. ``written`` is the layout of the results, if it is another
    than ``layout``, that of the input.
    """

    head_width: int
    rotary_width: int
    layout: str
    base: float
    method: str
    scaled: Scaled
    scale: Callable[[int, float], Scaled]
    other_readings: Mapping[str, Scaled] = field(default_factory=dict)
    backward: bool = False
    method_values: Mapping[str, Any] = field(default_factory=dict)
    first: int = 0
    written: str | None = None

    @property
    def layouts(self) -> tuple[str, str]:
        """The layouts in which pairs are read and written."""
        return self.layout, self.written or self.layout

    @property
    def frequencies(self) -> Array:
        """The frequencies ``[pairs]`` in radians per position."""
        return self.scaled.inverse_frequencies

    @property
    def pairs(self) -> int:
        """The number of rotated pairs."""
        return self.rotary_width // 2


def expected_plain(
    head_width: int, rotary_width: int, base: float, layout: str, backward: bool = False
) -> Expected:
    """The rotation without a config: ``theta_k = base^(-2k/d)`` for the rotary width d.

    Raises what :meth:`RotaryEmbedding.validate` raises.
    """
    return Expected(
        head_width,
        rotary_width,
        layout,
        base,
        method="default",
        scaled=Default().scaled(rotary_width, base),
        scale=lambda width, new_base: Default().scaled(width, new_base),
        backward=backward,
    )


def expected_by_config(
    layer: Layer, layout: str, length: int, base: float | None = None, backward: bool = False
) -> Expected:
    """The rotation of one layer type of a config, for a text of ``length`` positions.

    ``base`` replaces that of the config.
    """
    if base is not None:
        layer = replace(layer, base=layer.base._replace(value=base))
    computed = ScaledLayer(layer, length)
    method: Method = computed.method
    return Expected(
        head_width=layer.head_width.value,
        rotary_width=computed.d,
        layout=layout,
        base=computed.b,
        method=layer.method,
        scaled=computed.scaled,
        scale=lambda width, new_base: method.scaled(width, new_base, length),
        other_readings=dict(readings_by_other_programs(computed)),
        backward=backward,
        method_values=computed.values,
    )


def with_layout_of_model(request: Request) -> Request:
    """The request with the layout of the model's code, if that is known and no other is asked for.

    Some code reads pairs in one layout and writes them in the other.
    """
    known = request.config.layout if request.config else None
    if request.layout is not None or known is None:
        return request
    read, *written = (part.split()[0] for part in known.split(", "))
    other = written[0] if written and written[0] in LAYOUTS and written[0] != read else None
    return replace(request, layout=read, written=other, layout_by_model=True)


def last_part(request: Request) -> bool:
    """Whether the model's code rotates the last coordinates of a head."""
    return request.config is not None and request.config.facts.last


def rotates_backwards(request: Request) -> bool:
    """Whether the model's code rotates by minus the angle."""
    layout = request.config.layout if request.config else None
    return layout is not None and layout.endswith("backwards")


def expected_for(request: Request, head_width: int | None, length: int) -> Expected:
    """The rotation that the options describe, for rows of ``head_width`` coordinates.

    Without ``head_width`` the config or ``--feature-width`` gives it; ``--length`` replaces
    ``length``.
    """
    layer, layout = layer_of(request), request.layout or STANDARD_LAYOUT
    backward = request.backward != rotates_backwards(request)
    if layer is not None:
        length = length if request.length is None else request.length
        expected = expected_by_config(layer, layout, length, request.base, backward)
        readings = {**readings_of_other_layers(request, layer, length), **expected.other_readings}
        first = layer.head_width.value - expected.rotary_width if last_part(request) else 0
        return replace(expected, other_readings=readings, written=request.written, first=first)
    head = head_width or request.width or 0
    width = request.width or head
    if width > head:
        raise InvalidNumber(option="--feature-width", value=width, accepted=even_number_up_to(head))
    base = STANDARD_BASE if request.base is None else request.base
    return expected_plain(head, width, base, layout, request.backward)


def readings_of_other_layers(request: Request, layer: Layer, length: int) -> dict[str, Scaled]:
    """What the config says of its other layers, by their names."""
    readings = {}
    for other in request.config.layers if request.config else ():
        if other.name is not None and other.name != layer.name:
            with suppress(RopeError):
                readings[OTHER_LAYER + other.name] = ScaledLayer(other, length).scaled
    return readings


def readings_by_other_programs(computed: ScaledLayer) -> Iterator[tuple[str, Scaled]]:
    """The results of other programs for the same config, by the name of their rule."""
    method, width, base = computed.method, computed.d, computed.b
    plain = Default().scaled(width, base)
    if computed.config.method != "default":
        yield "unscaled", plain
    match method:
        case Yarn():
            yield (
                "other-truncation",
                replace(method, truncate=not method.truncate).scaled(width, base),
            )
            yield "ramp-by-turns", method.scaled_by_turns(width, base)
        case DynamicNtk():
            factor = method.factor
            # vLLM takes one base for every length; others read the factor as a static one.
            constant = NtkAware(factor * factor - factor + 1)
            yield "dynamic-constant", constant.scaled(width, base)
            yield "dynamic-static", NtkAware(factor).scaled(width, base)
        case LongRope():
            used = method.divisors(computed.length)[0]
            other = 1 if used == "long_factor" else method.original_length + 1
            yield "other-list", method.scaled(width, base, other)
    quotient = computed.config.quotient
    if quotient and quotient != width:
        # hidden_size / num_attention_heads as the width in the exponent.
        frequencies = base ** (-2.0 * np.arange(width // 2) / quotient)
        yield "quotient-width", Scaled(plain.theta, frequencies, 1.0, plain.bands)


def frequency_error_factors(scaled: Scaled) -> Array:  # [pairs]
    """The error of each frequency relative to that of an unblended one.

    A ramp subtracts nearly equal numbers, so a blended frequency has the absolute error of an
    unscaled one.
    """
    scaled_frequencies = scaled.inverse_frequencies
    blended = np.array([band is Band.BLENDED for band in scaled.bands])
    divisors = np.where(scaled_frequencies > 0, scaled_frequencies, 1.0)
    return np.where(
        blended & (scaled_frequencies > 0), BLENDED_ROUNDINGS * scaled.theta / divisors, 1.0
    )


def angle_roundings(frequencies: Array) -> Array:  # [pairs] of both
    """The roundoffs of an angle whose position and width are exact, by its pair's frequency.

    There are none where nothing is rounded: the frequency is 1 (the power 0 of any base), or that
    of pair 0 divided by a power of two, and a position times either is exact. Any other frequency
    f has ``6 + 3 |ln f|``: its own rounding, and that of its exponent.
    """
    magnitudes = np.abs(frequencies)
    logs = np.log(np.where(magnitudes > 0, magnitudes, 1.0))
    roundings: Array = ANGLE_ROUNDINGS + EXPONENT_ROUNDINGS * np.abs(logs)
    roundings[magnitudes == 1.0] = 0.0
    if len(magnitudes) and math.frexp(magnitudes[0])[0] == 0.5:
        roundings[0] = 0.0
    return roundings


def relative_tolerance(
    frequencies: Array,
    positions: ArrayLike,
    dtype: str,
    slack: float = 1.0,
    error_factors: Array | None = None,
) -> Array:  # [positions, pairs]
    """The largest error that rounding explains, as a share of a pair's length.

    A first-order bound of the usual computation (N. J. Higham, Accuracy and Stability of Numerical
    Algorithms, 2nd ed., section 3.1): with the unit roundoffs u of ``dtype`` and v of the angles,
    which frameworks compute in float32 at least, a pair of frequency f at position m is off by at
    most ``8 u + m f r v``. The roundings r are :func:`angle_roundings`, times ``error_factors``
    from :func:`frequency_error_factors`, and one more where v cannot hold m itself: float32 has no
    odd numbers above 2^24. ``slack`` multiplies the result.
    """
    distances = np.abs(np.asarray(positions, np.float64))
    angle = max(ROUNDOFF["float64"], min(ROUNDOFF[dtype], ROUNDOFF["float32"]))
    roundings = angle_roundings(frequencies) * (1.0 if error_factors is None else error_factors)
    magnitudes = np.abs(frequencies)
    tolerance: Array = angle * np.multiply.outer(distances, roundings * magnitudes)
    if angle > ROUNDOFF["float64"]:
        inexact = np.where(distances.astype(np.float32) == distances, 0.0, distances)
        if inexact.any():
            tolerance += angle * np.multiply.outer(inexact, magnitudes)
    return slack * (ROUNDINGS * ROUNDOFF[dtype] + tolerance)
