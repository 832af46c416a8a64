"""What ``vectors`` is asked for: what to rotate, and at which positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.user_input.numbers import InvalidNumber, read_positions
from rope_cli.verify.comparison import expected_for
from rope_cli.verify.measure.expected import STANDARD_BASE, Expected
from rope_cli.verify.read.request import layer_of, request_from
from rope_cli.verify.reference_vectors import DEFAULT_POSITIONS, cells

STANDARD_WIDTH, MOST_CELLS = 8, 1 << 22


def for_vectors(given: Mapping[str, Any]) -> tuple[Expected, Sequence[int]]:
    """What ``vectors`` is asked for: what to rotate, and the positions."""
    request = request_from({**given, "positions": None})
    asked = given.get("positions")
    positions = DEFAULT_POSITIONS if asked is None else read_positions("--positions", asked)
    width = STANDARD_WIDTH if request.width is None else request.width
    layer = layer_of(request)
    if layer is None:
        RotaryEmbedding.validate(width, positions[-1] + 1, request.base or STANDARD_BASE)
    expected = expected_for(request, width, positions[-1] + 1)
    count = cells(expected.head_width, expected.rotary_width, len(positions))
    if count > MOST_CELLS:
        option = "--feature-width x --positions"
        raise InvalidNumber(option=option, value=count, accepted=f"1...{MOST_CELLS}")
    return expected, positions
