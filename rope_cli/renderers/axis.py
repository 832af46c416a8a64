"""Numbers to places of a picture, with a tick here and there."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from rope_cli.document import formatting

# The share of a logarithmic axis that is left for 0, which has no logarithm.
ROOM_FOR_ZERO = 0.08
# Rounding errors of logarithms and sums stay far below this share of a step.
SLACK = 1e-9


class Axis:
    """Linear, or logarithmic between decades with a place of its own for 0.

    A linear one begins or ends with 0 if all values are on one side of it, unless ``zero`` is
    false. ``most`` limits the steps.
    """

    def __init__(
        self,
        values: Sequence[float],
        logarithmic: bool,
        start: float,
        end: float,
        zero: bool = True,
        most: int = 6,
    ) -> None:
        self.logarithmic, self.start, self.end = logarithmic, start, end
        self.zero = start if logarithmic and 0 in values else None
        if self.zero is not None:
            self.start += ROOM_FOR_ZERO * (end - start)
        if logarithmic:
            powers = [math.log10(value) for value in values if value > 0] or [0.0]
            self.low = float(math.floor(min(powers) + SLACK))
            high = float(math.ceil(max(powers) - SLACK))
            self.step = float(max(1, math.ceil((high - self.low) / most)))
        else:
            ends = (*values, 0.0) if zero or not values else values
            low, high = min(ends), max(ends)
            self.step = round_step((high - low) or 1.0, min(most, 4))
            if all(float(value).is_integer() for value in values):
                self.step = max(self.step, 1.0)
            self.low = math.floor(low / self.step + SLACK) * self.step
        self.high = max(high, self.low + self.step / 2)

    def holds(self, value: float) -> bool:
        """Whether the axis has a place for a value."""
        has_place = value > 0 or not self.logarithmic or (value == 0 and self.zero is not None)
        return math.isfinite(value) and has_place

    def place(self, value: float) -> float:
        """Where a value is on the picture."""
        if value == 0 and self.zero is not None:
            return self.zero
        number = math.log10(value) if self.logarithmic else value
        return self.start + (number - self.low) / (self.high - self.low) * (self.end - self.start)

    def gap(self) -> float | None:
        """The middle between 0 and the logarithmic part, if there are both."""
        return None if self.zero is None else (self.zero + self.start) / 2

    def ticks(self) -> Iterator[tuple[float, str]]:
        """Places with their numbers."""
        if self.zero is not None:
            yield self.zero, "0"
        for count in range(math.floor((self.high - self.low) / self.step + SLACK) + 1):
            value = round(self.low + count * self.step, 12)
            value = 10.0**value if self.logarithmic else value
            yield self.place(value), formatting.format_short(value + 0.0)


def round_step(span: float, parts: int) -> float:
    """A step of 1, 2 or 5 times a power of ten, about a ``parts``-th of a span."""
    rough = span / parts
    power = 10.0 ** math.floor(math.log10(rough))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= 0.99 * rough)
