"""Shift both positions: the scores stay, as far as float64 can keep them."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Column, Short, Table, vector
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, differ
from rope_cli.document.vocabulary import say, t, table_by_columns
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Array, Example
from rope_cli.experiments.distances import MODEL_BASE, MODEL_WIDTH, key_rows, query_rows
from rope_cli.rope import attention
from rope_cli.rope.reduced_precision import to_bfloat16

TITLE = t("Shift both positions", "Одинаковый сдвиг обеих позиций")
QUESTION = t(
    "Add 3 to every position: what changes, the rotated rows, their scores, or both? And what if "
    "you add a million, or a million million?",
    "Прибавьте 3 ко всем позициям: что изменится — повёрнутые строки, их оценки или то и другое? А "
    "если прибавить миллион или триллион?",
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
SHIFTS = (0, *LADDER)
TOKENS = 3
LEAST_BOUND = 1e-12
EPSILON = float(np.finfo(np.float64).eps)


def gather(example: Example) -> Evidence:
    """Rows and scores after some shifts, and the ladder at two widths."""
    base = example.parameters.base
    own = _grids(example, len(GENERIC_QUERY), base)
    unshifted, short, long, *_, longest = own
    wide, whole_angles = _grids(example, MODEL_WIDTH, MODEL_BASE), _grids(example, 2, 1.0)
    errors = np.array([np.abs(grids[1:] - grids[0]).max(axis=(1, 2)) for grids in (own, wide)])
    widths = [len(GENERIC_QUERY), MODEL_WIDTH]
    bounds = np.array([_usual_errors(width) for width in widths])
    rows = query_rows(example, GENERIC_QUERY, [shift + 1 for shift in SHOWN], base)
    moves = np.abs(rows[1:] - rows[0]).max(axis=1)
    narrow = [_bfloat16_score(example, base, shift) for shift in SHOWN]
    return Evidence(
        values={
            "common_shifts": list(SHOWN),
            "common_shift_rows": rows,
            "common_shift_scores": own[[SHIFTS.index(shift) for shift in SHOWN]],
            "bfloat16_scores": narrow,
            "ladder_shifts": list(LADDER),
            "ladder_widths": widths,
            "ladder_bounds": bounds,
            # The decimals of a score that such an error leaves alone.
            "ladder_decimals": np.floor(1e-9 - np.log10(bounds)).astype(int),
            "ladder_errors": errors,
        },
        checks=(
            agree("short-shift", short, unshifted, LEAST_BOUND),
            agree("long-shift", long, unshifted, LEAST_BOUND),
            Check("coordinates-move", float(moves.min()), 0.1, len(moves), "at least"),
            Check("ladder", float((errors / bounds).max()), 0.1, errors.size * TOKENS**2),
            agree(
                "whole-angles-keep", whole_angles[1:], [whole_angles[0]] * len(LADDER), LEAST_BOUND
            ),
            differ("far-shift-loses-digits", longest, unshifted, 1e-9),
            differ("bfloat16-position-caught", narrow[2:3], narrow[:1], 0.1),
        ),
    )


def _contents(width: int) -> tuple[Array, Array]:
    """The rows without zeros, repeated to the width."""
    return np.resize(GENERIC_QUERY, width), np.resize(GENERIC_KEY, width)


def _grids(example: Example, width: int, base: float) -> Array:  # -> [shifts, 3, 3]
    """Dot products of queries and keys at three positions from each shift on."""
    query, key = _contents(width)
    spans = [range(shift, shift + TOKENS) for shift in SHIFTS]
    queries = [query_rows(example, query, span, base) for span in spans]
    keys = [key_rows(example, key, span, base) for span in spans]
    return attention.dot_products(queries, keys)


def _bfloat16_score(example: Example, base: float, shift: int) -> float:
    """The score at (shift + 1, shift) if bfloat16 held both positions."""
    query_position, key_position = int(to_bfloat16(shift + 1)), int(to_bfloat16(shift))
    query = query_rows(example, GENERIC_QUERY, [query_position], base)[0]
    return float(query @ key_rows(example, GENERIC_KEY, [key_position], base)[0])


def _usual_errors(width: int) -> Array:  # -> [shifts]
    """max(1e-12, eps/4 * greatest position * greatest frequency * |q||k|); that frequency is 1."""
    query, key = _contents(width)
    size = np.linalg.norm(query) * np.linalg.norm(key)
    return np.maximum(LEAST_BOUND, EPSILON / 4 * (np.array(LADDER) + TOKENS - 1) * size)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Rows against scores, then the ladder."""
    rows = map(vector, evidence["common_shift_rows"])
    return (
        table_by_columns(
            t(
                "Rows without zeros, q at m = 1, k at n = 0, both shifted:",
                "Строки без нулей, q в m = 1, k в n = 0, обе позиции сдвинуты:",
            ),
            (t("shift", "сдвиг"), map(_format_shift, evidence["common_shifts"])),
            (Column(t("rotated q", "q после поворота")), rows),
            (t("score", "оценка"), evidence["common_shift_scores"][:, 1, 0]),
            ("bfloat16", evidence["bfloat16_scores"]),
        ),
        say(
            "The coordinates change, the score at (m,n) = (1,0) stays. A position kept in bfloat16 "
            "passes the shift by 3 as well, and fails by 300: that type has no 301, both tokens "
            "stand at 300, and the score becomes {same}, that of n-m = 0. Only positions beyond "
            "256 show such a mistake.",
            "Координаты меняются, оценка в (m,n) = (1,0) — нет. Если хранить позиции в bfloat16, "
            "сдвиг на 3 ничего не портит, а сдвиг на 300 портит: числа 301 в этом типе нет, оба "
            "токена попадают в 300, и оценка становится {same}, как при n-m = 0. Такая ошибка "
            "видна только на позициях дальше 256.",
            same=evidence["bfloat16_scores"][2],
        ),
        _ladder(evidence),
        say(
            "The bound is the usual size of such an error, not the worst case: max(1e-12, eps/4 · "
            "greatest position · greatest θ · |q||k|). The identity itself is exact; the angle "
            "m·θ_j is not, for it is rounded to 53 bits and its error grows with m. So the "
            "chapter's 1e-12 holds for the shift by 3 and not for every shift. A pair of 1 radian "
            "per position has whole numbers for angles and loses nothing.",
            "Граница — обычная величина такой погрешности, а не худший случай: max(1e-12, eps/4 · "
            "наибольшая позиция · наибольшая θ · |q||k|). Само тождество точное, неточен угол "
            "m·θ_j: он округлён до 53 двоичных разрядов, и погрешность растёт вместе с m. Поэтому "
            "1e-12 из главы верно для сдвига на 3, но не для любого. У пары с 1 радианом на "
            "позицию углы — целые числа, и она не теряет ничего.",
        ),
    )


def _ladder(evidence: Evidence) -> Table:
    decimals, bound = t("decimals kept", "верных знаков"), t("bound", "граница")
    own_decimals, wide_decimals = evidence["ladder_decimals"]
    own_bounds, wide_bounds = evidence["ladder_bounds"]
    return table_by_columns(
        t(
            "How much rounding may change a score, and how many decimals that leaves; b = 100 at "
            "d = 4, b = 10000 at d = 128:",
            "На сколько округление может изменить оценку и сколько знаков после точки остаются "
            "верными; b = 100 при d = 4, b = 10000 при d = 128:",
        ),
        (t("shift", "сдвиг"), map(_format_shift, evidence["ladder_shifts"])),
        (("d=4: ", bound), map(_with_two_digits, own_bounds)),
        (decimals, own_decimals),
        (("d=128: ", bound), map(_with_two_digits, wide_bounds)),
        (decimals, wide_decimals),
    )


def _format_shift(shift: int) -> str:
    return str(shift) if shift < 10**4 else f"10^{len(str(shift)) - 1}"


def _with_two_digits(bound: float) -> Short:
    return Short(float(f"{bound:.1e}"))
