"""What right arrays would hold: which coordinates turn, how fast, and how exactly that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rope_cli.rope.scaled_frequencies import unscaled
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
from rope_cli.scaling.compute import Computed
from rope_cli.scaling.layers import Layer
from rope_cli.verify.read.array_errors import DTYPES

Array = NDArray[np.float64]

STANDARD_BASE, STANDARD_LAYOUT = 10_000.0, "adjacent"
# The unit roundoff of each dtype, and the spacing of its smallest numbers.
ROUNDOFF = {dtype: 2.0**-bits for dtype, bits in DTYPES.items()}
SMALLEST = {"float64": 2.0**-1074, "float32": 2.0**-149, "float16": 2.0**-24, "bfloat16": 2.0**-133}
# Two products and their sum, each rounded, of a cosine and a sine that are rounded as well and may
# have been multiplied by the attention factor: a pair is off by at most so many roundoffs.
ROUNDINGS = 8
# Exponent, power, reciprocal, scaling and product, each rounded, before the cosine is taken.
ANGLE_ROUNDINGS = 6
BLENDED_ROUNDINGS = 4.0
# A share of a pair's length: an error beyond it could be that of any turn.
MOST_UNCERTAIN = 0.5


@dataclass(frozen=True, eq=False)
class Expected:
    """How each pair of ``rotary_width`` coordinates of a head should be turned.

    ``head_width`` is the width of the last axis; the coordinates after the first ``rotary_width``
    stay as they are. ``scaled`` holds the frequencies ``[pairs]`` in radians per position and the
    attention factor; ``scale(d, b)`` makes them for any width and base. ``others`` are what other
    code makes of the same config, by the name of the rule. ``backward`` if adjoints are expected,
    which are turned back. ``values`` are those of the method.
    """

    head_width: int
    rotary_width: int
    layout: str
    base: float
    method: str
    scaled: Scaled
    scale: Callable[[int, float], Scaled]
    others: Mapping[str, Scaled] = field(default_factory=dict)
    backward: bool = False
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def theta(self) -> Array:
        """The frequencies ``[pairs]`` in radians per position."""
        return self.scaled.inverse_frequencies

    @property
    def pairs(self) -> int:
        """How many pairs are turned."""
        return self.rotary_width // 2


def expected_plain(
    head_width: int, rotary_width: int, base: float, layout: str, backward: bool = False
) -> Expected:
    """Without a config: ``theta_k = base^(-2k/d)`` for the rotary width d.

    Raises what :meth:`RotaryEmbedding.validate` raises.
    """
    scaled = Default().scaled(rotary_width, base)
    return Expected(
        head_width,
        rotary_width,
        layout,
        base,
        "default",
        scaled,
        scale=lambda d, b: Default().scaled(d, b),
        backward=backward,
    )


def expected_by_config(
    layer: Layer, layout: str, length: int, base: float | None = None, backward: bool = False
) -> Expected:
    """What a config says of one type of layers, for a text of ``length`` positions.

    ``base`` replaces that of the config.
    """
    if base is not None:
        layer = replaced_base(layer, base)
    computed = Computed(layer, length)
    return Expected(
        head_width=layer.head_width.value,
        rotary_width=computed.d,
        layout=layout,
        base=computed.b,
        method=layer.method,
        scaled=computed.scaled,
        scale=lambda d, b: scaled_by(computed.method, d, b, length),
        others=dict(other_rules(computed)),
        backward=backward,
        values=computed.values,
    )


def scaled_by(method: Method, d: int, b: float, length: int) -> Scaled:
    """A method at another width or base."""
    return method.scaled(d, b, length)


def replaced_base(layer: Layer, base: float) -> Layer:
    """The same layers with another base."""
    return replace(layer, base=layer.base._replace(value=base))


def other_rules(computed: Computed) -> Iterator[tuple[str, Scaled]]:
    """What other code makes of the same config, by the name of the rule."""
    method, d, b = computed.method, computed.d, computed.b
    plain = Default().scaled(d, b)
    if computed.layer.method != "default":
        yield "unscaled", plain
    match method:
        case Yarn():
            yield "other-truncation", replace(method, truncate=not method.truncate).scaled(d, b)
            yield "ramp-by-turns", method.scaled_by_turns(d, b)
        case DynamicNtk():
            s = method.factor
            # What vLLM computed once for the whole table, and the static reading of the factor.
            yield "dynamic-constant", NtkAware(s * s - s + 1).scaled(d, b)
            yield "dynamic-static", NtkAware(s).scaled(d, b)
        case LongRope():
            used = method.divisors(computed.length)[0]
            other = 1 if used == "long_factor" else method.original_length + 1
            yield "other-list", method.scaled(d, b, other)
    if computed.layer.quotient and computed.layer.quotient != d:
        # The width that follows from hidden_size and the number of heads, in the exponent.
        wide = unscaled(computed.layer.quotient + computed.layer.quotient % 2, b)
        pairs = min(len(wide), d // 2)
        theta = plain.theta.copy()
        theta[:pairs] = wide[:pairs]
        yield "quotient-width", Scaled(plain.theta, theta, 1.0, plain.bands)


def roughness(scaled: Scaled) -> Array:  # [pairs]
    """How many times less exactly a blended frequency is known than one that is not blended.

    A ramp subtracts numbers that are nearly equal, and its error is one of the unscaled frequency.
    """
    theta = scaled.inverse_frequencies
    blended = np.array([band is Band.BLENDED for band in scaled.bands])
    turning = np.where(theta > 0, theta, 1.0)
    return np.where(blended & (theta > 0), BLENDED_ROUNDINGS * scaled.theta / turning, 1.0)


def bound(
    theta: Array,
    positions: ArrayLike,
    dtype: str,
    factor: float = 1.0,
    rough: Array | None = None,
) -> Array:  # [positions, pairs]
    """How far a pair may be from the exact one, as a share of its length before the turn.

    Values carry the roundoff of ``dtype``. Angles are computed in float32 at least, as the
    frameworks do; their error grows with the position, and with the logarithm of the frequency,
    because the exponent is rounded before the power is taken. ``rough`` are the
    :func:`roughness` of the pairs.
    """
    m = np.abs(np.asarray(positions, np.float64))
    with np.errstate(divide="ignore"):
        logs = np.where(theta != 0, np.abs(np.log(np.abs(theta))), 0.0)
    angle = max(ROUNDOFF["float64"], min(ROUNDOFF[dtype], ROUNDOFF["float32"]))
    errors = (ANGLE_ROUNDINGS + logs) * np.abs(theta) * (1.0 if rough is None else rough)
    loose: Array = ROUNDINGS * ROUNDOFF[dtype] + angle * np.multiply.outer(m, errors)
    return factor * loose
