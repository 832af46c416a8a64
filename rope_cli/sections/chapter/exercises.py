"""The nine questions of the chapter and its misconception, each answered with a number."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Number, Paragraph, Phrase, Piece, vector
from rope_cli.document.evidence import (
    Evidence,
    agree,
    all_true,
    differ,
    greatest_difference,
    same_bits,
)
from rope_cli.document.vocabulary import t
from rope_cli.errors import OddFeatureWidth
from rope_cli.example import reference
from rope_cli.example.worked_example import (
    FIRST_COLUMN,
    GENERIC_QUERY,
    TOKEN_KEYS,
    TOKEN_QUERIES,
    TOKEN_VALUES,
    Array,
    Example,
    as_array,
)
from rope_cli.rope import attention
from rope_cli.sections.chapter.refusals import refusal

TITLE = t("Nine questions and a misconception", "Девять вопросов и одно заблуждение")
QUESTION = t(
    "Answer each of the nine before you read its line.",
    "Ответьте на каждый из девяти вопросов, прежде чем читать строку с ответом.",
)

CLAIMS = {
    "1-identity": t(
        "at position 0 no coordinate changes", "в позиции 0 не меняется ни одна координата"
    ),
    "2-one-pair": t("the pair at (1,0) scores sin 1", "оценка пары в (1,0) равна sin 1"),
    "3-coordinates": t(
        "rotated coordinates move under an equal shift",
        "при одинаковом сдвиге повёрнутые координаты меняются",
    ),
    "3-equal-shift": t(
        "an equal shift keeps every dot product",
        "одинаковый сдвиг сохраняет каждое скалярное произведение",
    ),
    "4-shift-of-m": t("moving m alone changes the score", "сдвиг одной лишь m меняет оценку"),
    "4-mirror": t(
        "equal content at equal distance on either side of the key scores alike",
        "одинаковое содержимое по обе стороны от ключа на равном расстоянии даёт одну оценку",
    ),
    "5-orthogonal": t(
        "R-transposed times R is the identity, so the norm is kept",
        "произведение Rᵀ на R — единичная матрица, и норма сохраняется",
    ),
    "6-values": t(
        "rotated values make the output depend on absolute position",
        "из-за повёрнутых значений выход зависит от абсолютной позиции",
    ),
    "7-width-three": t("width 3 is refused", "ширина 3 отклоняется"),
    "8-signed": t(
        "(1,0), (3,2) and (0,1): the first two agree, the third has the other sign",
        "(1,0), (3,2) и (0,1): первые две оценки равны, у третьей другой знак",
    ),
    "9-old-scores": t(
        "one more token in front leaves the old scores as they were",
        "ещё один токен впереди не меняет прежних оценок",
    ),
    "9-context": t("but it changes the last output", "но последний выход от него меняется"),
    "10-absolute-input": t(
        "a row is rotated by its own position, alone",
        "строку поворачивает только её собственная позиция",
    ),
}


def gather(example: Example) -> Evidence:
    """One number or more for each question."""
    parameters = example.parameters
    width, base = parameters.feature_width, parameters.base
    generic = as_array([GENERIC_QUERY])
    still = example.rotate_query(generic)
    pair = {
        place: example.score((1.0, 0.0), (0.0, 1.0), *place) for place in ((1, 0), (3, 2), (0, 1))
    }
    row = {m: example.score(FIRST_COLUMN, FIRST_COLUMN, m, 1) for m in (0, 1, 2)}
    lone = [example.score(FIRST_COLUMN, FIRST_COLUMN, m, 0) for m in (1, 2)]
    moved = greatest_difference(example.shifted_query, example.rotated_query)
    dense = np.array([example.rotate_query(unit[np.newaxis], 1)[0] for unit in np.eye(width)])
    squares = [float((turned**2).sum()) for turned in (generic, example.rotate_query(generic, 5))]
    values_move = [
        _attended(example, offset, rotate_values=True) for offset in (0, parameters.shift)
    ]
    short, long = _context(example, 1), _context(example, 0)
    odd = refusal(lambda: example.embedding_type(3, example.embedding.max_positions, base))
    alone, among = example.rotate_query(generic, 2), example.rotate_query(np.tile(generic, (3, 1)))
    return Evidence(
        values={
            "identity_changes": int((still != generic).sum()),
            "exercise_row": generic[0],
            "pair_scores": list(pair.values()),
            "pair_angles": [
                1.0 * reference.inverse_frequency(0, 2, base),
                3.0 * reference.inverse_frequency(0, 2, base),
            ],
            "shift_moves": moved,
            "neighbour_score": float(example.dot_products[0][1]),
            "neighbour_score_shifted": float(example.shifted_dot_products[0][1]),
            "lone_shift": lone,
            "mirror": [row[0], row[2]],
            "square_norms": squares,
            "values_move": greatest_difference(*values_move),
            "left_without_partner": 3 % 2,
            "refused": odd.kind if odd else "accepted",
            "short_context": short[1][-1],
            "long_context": long[1][-1],
            "context_score": [float(short[0][-1][-2]), float(long[0][-1][-2])],
            "rotated_alone": alone[0],
        },
        checks=(
            same_bits("1-identity", still, generic),
            agree("2-one-pair", [pair[1, 0]], [math.sin(1)], 1e-12),
            differ("3-coordinates", example.shifted_query, example.rotated_query, 0.1),
            agree("3-equal-shift", example.shifted_dot_products, example.dot_products, 1e-12),
            differ("4-shift-of-m", lone[:1], lone[1:], 0.1),
            agree("4-mirror", [row[0]], [row[2]], 1e-12),
            agree(
                "5-orthogonal",
                [*(dense @ dense.T), *(dense.T @ dense)],
                [*np.eye(width)] * 2,
                1e-12,
            ),
            differ("6-values", values_move[0], values_move[1], 0.1),
            all_true("7-width-three", [isinstance(odd, OddFeatureWidth)]),
            agree("8-signed", list(pair.values()), [math.sin(1), math.sin(1), -math.sin(1)], 1e-12),
            agree("9-old-scores", long[0][1:, 1:], short[0], 1e-12),
            differ("9-context", short[1][-1], long[1][-1], 0.1),
            same_bits("10-absolute-input", alone[0], among[2]),
        ),
    )


def _attended(example: Example, offset: int, rotate_values: bool) -> Array:
    q, k, v = as_array(TOKEN_QUERIES), as_array(TOKEN_KEYS), as_array(TOKEN_VALUES)
    turned = example.rotate_key(v, offset) if rotate_values else v
    return attention.attend(example.rotate_query(q, offset), example.rotate_key(k, offset), turned)


def _context(example: Example, first: int) -> tuple[Array, Array]:
    """Scores and causal outputs of the tokens from ``first`` on, at positions from 0."""
    q, k, v = (as_array(content)[first:] for content in (TOKEN_QUERIES, TOKEN_KEYS, TOKEN_VALUES))
    turned_q, turned_k = example.rotate_query(q), example.rotate_key(k)
    output = attention.attend(turned_q, turned_k, v, attention.causal_mask(len(q)))
    return attention.scores(turned_q, turned_k), output


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Question and answer, in the chapter's order, then the misconception."""
    pair, lone, mirror = evidence["pair_scores"], evidence["lone_shift"], evidence["mirror"]
    fillings: tuple[dict[str, Piece], ...] = (
        {"row": vector(evidence["exercise_row"]), "changed": evidence["identity_changes"]},
        {"score": Number(pair[0])},
        {
            "moved": Number(evidence["shift_moves"]),
            "before": Number(evidence["neighbour_score"]),
            "after": Number(evidence["neighbour_score_shifted"]),
        },
        {
            "one": Number(lone[0]),
            "two": Number(lone[1]),
            "left": Number(mirror[0]),
            "right": Number(mirror[1]),
        },
        {
            "before": Number(evidence["square_norms"][0]),
            "after": Number(evidence["square_norms"][1]),
        },
        {"moved": Number(evidence["values_move"])},
        {"alone": evidence["left_without_partner"], "kind": evidence["refused"]},
        {
            "one": Number(evidence["pair_angles"][0]),
            "three": Number(evidence["pair_angles"][1]),
            "first": Number(pair[0]),
            "second": Number(pair[1]),
            "third": Number(pair[2]),
        },
        {
            "score": Number(evidence["context_score"][0]),
            "again": Number(evidence["context_score"][1]),
            "short": vector(evidence["short_context"]),
            "long": vector(evidence["long_context"]),
        },
        {"row": vector(evidence["rotated_alone"])},
    )
    return tuple(
        Paragraph(Phrase(text, filling)) for text, filling in zip(ANSWERS, fillings, strict=True)
    )


ANSWERS = (
    t(
        "1. Why does position 0 change nothing? Every angle is 0·θ_j = 0, so each pair meets "
        "R(0) = I: of the coordinates of {row}, {changed} changed.",
        "1. Почему позиция 0 ничего не меняет? Все углы 0·θ_j равны 0, на каждую пару действует "
        "R(0) = I: у строки {row} изменилось координат: {changed}.",
    ),
    t(
        "2. What does one pair give at (m,n) = (1,0)? q = [1, 0] turns by one radian towards "
        "k = [0, 1], and the score is its sine, {score}.",
        "2. Что даёт одна пара при (m,n) = (1,0)? q = [1, 0] поворачивается на один радиан в "
        "сторону k = [0, 1], оценка равна синусу: {score}.",
    ),
    t(
        "3. What does an equal shift change? Rotated coordinates, by up to {moved}; the score "
        "of neighbours is {before} before and {after} after.",
        "3. Что меняет одинаковый сдвиг? Повёрнутые координаты — на величину до {moved}; оценка "
        "соседних позиций до сдвига {before}, после — {after}.",
    ),
    t(
        "4. And a shift of m alone? It changes n-m: with n = 0 the score goes from {one} at "
        "m = 1 to {two} at m = 2. There are exceptions: with n = 1 it is {left} at m = 0 and "
        "{right} at m = 2, because the cosine is even.",
        "4. А сдвиг одной только m? Он меняет n-m: при n = 0 оценка переходит от {one} (m = 1) "
        "к {two} (m = 2). Бывают исключения: при n = 1 она равна {left} (m = 0) и {right} (m = 2), "
        "потому что косинус — чётная функция.",
    ),
    t(
        "5. Why is the norm kept? |Rx|² = xᵀ RᵀR x = xᵀx: the squared norm of the row without "
        "zeros "
        "is {before} before and {after} at position 5.",
        "5. Почему сохраняется норма? |Rx|² = xᵀ RᵀR x = xᵀx: квадрат нормы строки без нулей до "
        "поворота {before}, в позиции 5 — {after}.",
    ),
    t(
        "6. Should V or the mask be rotated? No. With V rotated an equal shift moves the output "
        "by up to {moved}; the mask holds no coordinates, only what may be seen.",
        "6. Нужно ли поворачивать V или маску? Нет. Если повернуть V, одинаковый сдвиг изменит "
        "выход на величину до {moved}; в маске нет координат, она лишь задаёт видимость.",
    ),
    t(
        "7. Why is d = 3 refused? {alone} coordinate would have no partner: {kind}.",
        "7. Почему отклоняется d = 3? Без пары осталась бы {alone} координата: {kind}.",
    ),
    t(
        "8. What is absolute and what is a difference? The inputs are absolute: m = 1 turns by "
        "{one}, m = 3 by {three}. The scores at (1,0) and (3,2), {first} and {second}, know only "
        "n-m = -1; at (0,1), where n-m = +1, the score is {third}.",
        "8. Что здесь абсолютно, а что — разность? На вход идут абсолютные позиции: при m = 1 "
        "угол {one}, при m = 3 — {three}. Оценки в (1,0) и (3,2), {first} и {second}, знают только "
        "n-m = -1; в (0,1), где n-m = +1, оценка равна {third}.",
    ),
    t(
        "9. Does this prove that a whole decoder ignores a shift? No. Put one more token before "
        "two others: their score q·k/√d stays {score} ({again}), all positions moved by one, and "
        "yet "
        "the last output goes from {short} to {long}. What changed is the context; the identity "
        "still holds.",
        "9. Доказывает ли это, что декодер целиком нечувствителен к сдвигу? Нет. Поставим перед "
        "двумя токенами ещё один: их оценка q·k/√d прежняя, {score} ({again}), все позиции "
        "сдвинулись на "
        "единицу, но последний выход был {short}, а стал {long}. Изменился контекст; тождество "
        "по-прежнему верно.",
    ),
    t(
        "Misconception: RoPE is given relative indices. No, absolute ones: at position 2 "
        "the row without zeros becomes {row}, bit for bit the same alone and among other rows. The "
        "difference n-m appears only when two rotated rows meet in a dot product.",
        "Заблуждение: RoPE получает относительные индексы. Нет, абсолютные: в позиции 2 строка "
        "без нулей переходит в {row} — бит в бит одинаково, одна она или среди других строк. "
        "Разность n-m появляется лишь тогда, когда две повёрнутые строки встречаются в скалярном "
        "произведении.",
    ),
)
