"""Shift both positions: the scores stay, as far as float64 can keep them."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Short, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Array, Example, as_array
from rope_cli.rope import attention
from rope_cli.rope.reduced_precision import to_bfloat16

TITLE = t("Shift both positions", "Одинаковый сдвиг обеих позиций")
QUESTION = t(
    "Add 3 to every position: what changes, the rotated rows, their scores, or both? "
    "And what if you add a million, or a million million?",
    "Прибавьте 3 ко всем позициям: что изменится — повёрнутые строки, их оценки или то "
    "и другое? А если прибавить миллион или триллион?",
)

CLAIMS = {
    "short-shift": t(
        "rows without zeros: the shift by 3 keeps all nine scores",
        "строки без нулей: сдвиг на 3 сохраняет все девять оценок",
    ),
    "long-shift": t(
        "rows without zeros: the shift by 300 keeps all nine scores",
        "строки без нулей: сдвиг на 300 сохраняет все девять оценок",
    ),
    "coordinates-move": t(
        "every shift moves the rotated rows (the least of the greatest moves)",
        "каждый сдвиг меняет повёрнутые строки (наименьшее из наибольших изменений)",
    ),
    "ladder": t(
        "at every shift of the ladder and both widths the error is under a tenth of its bound",
        "на каждой ступени и при обеих ширинах погрешность меньше десятой доли границы",
    ),
    "whole-angles-keep": t(
        "1 radian per position: the angles are whole numbers, and no shift costs a digit",
        "1 радиан на позицию: углы — целые числа, и ни при каком сдвиге знаки не теряются",
    ),
    "far-shift-loses-digits": t(
        "0.1 radian per position: the shift by 1e12 does change scores",
        "0.1 радиана на позицию: сдвиг на 1e12 оценки всё-таки меняет",
    ),
    "bfloat16-position-caught": t(
        "positions kept in bfloat16: the shift by 300 changes the score",
        "позиции в bfloat16: сдвиг на 300 меняет оценку",
    ),
}
LADDER = (3, 300, 10**4, 10**6, 10**8, 10**9, 10**12)
SHOWN = (0, 3, 300, 10**6)
WIDE, WIDE_BASE = 128, 10000.0
TOKENS = 3
LEAST_BOUND = 1e-12


def gather(example: Example) -> Evidence:
    """Rows and scores after some shifts, and the ladder at two widths."""
    width, base = len(GENERIC_QUERY), example.parameters.base
    own, wide = ({at: _grid(example, d, b, at) for at in (0, *LADDER)} for d, b in _settings(base))
    settings = zip((own, wide), _settings(base), strict=True)
    errors = np.array(
        [[greatest_difference(grids[at], grids[0]) for at in LADDER] for grids, _ in settings]
    )
    bounds = np.array([[_bound(d, at) for at in LADDER] for d, _ in _settings(base)])
    shown = [_turned(example, width, base, at)[0][1] for at in SHOWN]
    moves = [greatest_difference(row, shown[0]) for row in shown[1:]]
    narrow = [_narrow_score(example, base, at) for at in SHOWN]
    fast = np.array([_fast_pair(example, at) for at in (0, *LADDER)])
    return Evidence(
        values={
            "common_shifts": list(SHOWN),
            "common_shift_rows": np.array(shown),
            "common_shift_scores": np.array([own[at] for at in SHOWN]),
            "bfloat16_scores": narrow,
            "ladder_shifts": list(LADDER),
            "ladder_widths": [width, WIDE],
            "ladder_bounds": bounds,
            "ladder_decimals": [[_decimals(bound) for bound in line] for line in bounds],
            "ladder_errors": errors,
        },
        checks=(
            agree("short-shift", own[3], own[0], LEAST_BOUND),
            agree("long-shift", own[300], own[0], LEAST_BOUND),
            Check("coordinates-move", min(moves), 0.1, len(moves), "at least"),
            Check("ladder", float((errors / bounds).max()), 0.1, errors.size * TOKENS**2),
            agree("whole-angles-keep", fast[1:], [fast[0]] * len(LADDER), LEAST_BOUND),
            differ("far-shift-loses-digits", own[LADDER[-1]], own[0], 1e-9),
            differ("bfloat16-position-caught", narrow[2:3], narrow[:1], 0.1),
        ),
    )


def _settings(base: float) -> tuple[tuple[int, float], ...]:
    return (len(GENERIC_QUERY), base), (WIDE, WIDE_BASE)


def _contents(width: int) -> tuple[Array, Array]:
    """The rows without zeros, repeated to the width."""
    return np.resize(as_array(GENERIC_QUERY), width), np.resize(as_array(GENERIC_KEY), width)


def _turned(example: Example, width: int, base: float, shift: int) -> tuple[Array, Array]:
    """Queries and keys at three positions from the shift on, with a table of just these."""
    query, key = (np.tile(row, (TOKENS, 1)) for row in _contents(width))
    embedding = example.embedding_for(width, shift + TOKENS, base, shift)
    return example.rotate_query(query, shift, embedding), example.rotate_key(key, shift, embedding)


def _grid(example: Example, width: int, base: float, shift: int) -> Array:
    return attention.dot_products(*_turned(example, width, base, shift))


def _fast_pair(example: Example, shift: int) -> Array:
    """The grid of one pair that turns by 1 radian per position."""
    return _grid(example, 2, 1.0, shift)


def _narrow_score(example: Example, base: float, shift: int) -> float:
    """The score at (shift + 1, shift) if bfloat16 held both positions."""
    turned = []
    for rotate, row, position in (
        (example.rotate_query, GENERIC_QUERY, shift + 1),
        (example.rotate_key, GENERIC_KEY, shift),
    ):
        kept = int(to_bfloat16(position))
        turned.append(rotate(as_array([row]), kept, example.embedding_for(4, kept + 1, base, kept)))
    return float(turned[0][0] @ turned[1][0])


def _bound(width: int, shift: int) -> float:
    """max(1e-12, eps/4 * greatest position * greatest frequency * |q||k|); that frequency is 1."""
    query, key = _contents(width)
    size = float(np.linalg.norm(query) * np.linalg.norm(key))
    return max(LEAST_BOUND, float(np.finfo(np.float64).eps) / 4 * (shift + TOKENS - 1) * size)


def _decimals(bound: float) -> int:
    """How many decimals of a score such an error leaves alone."""
    return math.floor(1e-9 - math.log10(bound))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Rows against scores, then the ladder."""
    return (
        _rows_and_scores(evidence),
        say(
            "The coordinates change, the score at (m,n) = (1,0) stays. A position kept "
            "in bfloat16 passes the shift by 3 as well, and fails by 300: that type has no "
            "301, both tokens stand at 300, and the score becomes {same}, that of n-m = 0. "
            "Only positions beyond 256 show such a mistake.",
            "Координаты меняются, оценка в (m,n) = (1,0) — нет. Если хранить позиции в "
            "bfloat16, сдвиг на 3 ничего не портит, а сдвиг на 300 портит: числа 301 в "
            "этом "
            "типе нет, оба токена попадают в 300, и оценка становится {same}, как при "
            "n-m = 0. Такая ошибка видна только на позициях дальше 256.",
            same=evidence["bfloat16_scores"][2],
        ),
        _ladder(evidence),
        say(
            "The bound is the usual size of such an error, not the worst case: max(1e-12, "
            "eps/4 · "
            "greatest position · greatest θ · |q||k|). The "
            "identity itself is exact; the angle m·θ_j is not, for it is rounded to 53 bits "
            "and its error grows with m. So the chapter's 1e-12 holds for the shift by 3 and "
            "not for every shift. A pair of 1 radian per position has whole numbers for "
            "angles and loses nothing.",
            "Граница — обычная величина такой погрешности, а не худший случай: max(1e-12, "
            "eps/4 · "
            "наибольшая позиция · наибольшая θ · |q||k|). Само "
            "тождество точное, неточен угол m·θ_j: он округлён до 53 двоичных разрядов, и "
            "погрешность растёт вместе с m. Поэтому 1e-12 из главы верно для сдвига на 3, но "
            "не для любого. У пары с 1 радианом на позицию углы — целые числа, и она не теряет "
            "ничего.",
        ),
    )


def _spelled(shift: int) -> str:
    return str(shift) if shift < 10**4 else f"10^{len(str(shift)) - 1}"


def _rows_and_scores(evidence: Evidence) -> Table:
    found = zip(
        evidence["common_shifts"],
        evidence["common_shift_rows"],
        evidence["common_shift_scores"],
        evidence["bfloat16_scores"],
        strict=True,
    )
    return table(
        t(
            "Rows without zeros, q at m = 1, k at n = 0, both shifted:",
            "Строки без нулей, q в m = 1, k в n = 0, обе позиции сдвинуты:",
        ),
        (
            *right(t("shift", "сдвиг")),
            *left(t("rotated q", "q после поворота")),
            *right(t("score", "оценка"), "bfloat16"),
        ),
        ((_spelled(shift), vector(row), grid[1][0], narrow) for shift, row, grid, narrow in found),
    )


def _ladder(evidence: Evidence) -> Table:
    decimals = t("decimals kept", "верных знаков")
    bound = t("bound", "граница")
    (four, wide), bounds = evidence["ladder_decimals"], evidence["ladder_bounds"]
    return table(
        t(
            "How much rounding may change a score, and how many decimals that leaves; b = 100 "
            "at d = 4, b = 10000 at d = 128:",
            "На сколько округление может изменить оценку и сколько знаков после точки остаются "
            "верными; b = 100 при d = 4, b = 10000 при d = 128:",
        ),
        right(t("shift", "сдвиг"), ("d=4: ", bound), decimals, ("d=128: ", bound), decimals),
        (
            (
                _spelled(shift),
                Short(float(f"{bounds[0][at]:.1e}")),
                four[at],
                Short(float(f"{bounds[1][at]:.1e}")),
                wide[at],
            )
            for at, shift in enumerate(evidence["ladder_shifts"])
        ),
    )
