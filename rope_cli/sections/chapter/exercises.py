"""The nine questions of the chapter and its misconception, each answered with a number."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, vector
from rope_cli.document.evidence import (
    Evidence,
    agree,
    all_true,
    differ,
    greatest_difference,
    same_bits,
)
from rope_cli.document.vocabulary import say, t
from rope_cli.errors import OddFeatureWidth
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_QUERY, Array, Example, as_array
from rope_cli.experiments import three_tokens
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
    parts = (
        position_and_shift(example),
        norm_values_and_width(example),
        absolute_and_relative(example),
    )
    return Evidence(
        values={name: value for part in parts for name, value in part.values.items()},
        checks=tuple(check for part in parts for check in part.checks),
    )


def position_and_shift(example: Example) -> Evidence:
    """Questions 1 to 4: position 0, one pair, an equal shift, a shift of m alone."""
    row = as_array([GENERIC_QUERY])
    identity = example.rotate_query(row)
    pair_scores = signed_pair_scores(example)
    theta = reference.inverse_frequency(0, 2, example.parameters.base)
    lone_shift = [example.score(FIRST_COLUMN, FIRST_COLUMN, m, 0) for m in (1, 2)]
    mirror = [example.score(FIRST_COLUMN, FIRST_COLUMN, m, 1) for m in (0, 2)]
    return Evidence(
        values={
            "identity_changes": int((identity != row).sum()),
            "exercise_row": row[0],
            "pair_scores": pair_scores,
            "pair_angles": [1.0 * theta, 3.0 * theta],
            "shift_moves": greatest_difference(example.shifted_query, example.rotated_query),
            "neighbour_score": float(example.dot_products[0][1]),
            "neighbour_score_shifted": float(example.shifted_dot_products[0][1]),
            "lone_shift": lone_shift,
            "mirror": mirror,
        },
        checks=(
            same_bits("1-identity", identity, row),
            agree("2-one-pair", pair_scores[:1], [math.sin(1)], 1e-12),
            differ("3-coordinates", example.shifted_query, example.rotated_query, 0.1),
            agree("3-equal-shift", example.shifted_dot_products, example.dot_products, 1e-12),
            differ("4-shift-of-m", lone_shift[:1], lone_shift[1:], 0.1),
            agree("4-mirror", mirror[:1], mirror[1:], 1e-12),
        ),
    )


def signed_pair_scores(example: Example) -> list[float]:
    """The scores of q = [1, 0] and k = [0, 1] at (1,0), (3,2) and (0,1)."""
    return [example.score((1.0, 0.0), (0.0, 1.0), m, n) for m, n in ((1, 0), (3, 2), (0, 1))]


def norm_values_and_width(example: Example) -> Evidence:
    """Questions 5 to 7: the norm, rotated values, width 3."""
    row, identity = as_array([GENERIC_QUERY]), np.eye(4)
    squares = [float((rows**2).sum()) for rows in (row, example.rotate_query(row, 5))]
    rotation = np.array([example.rotate_query(unit[np.newaxis], 1)[0] for unit in identity])
    products = [rotation @ rotation.T, rotation.T @ rotation]
    offsets = (0, example.parameters.shift)
    outputs = [three_tokens.attend(example, offset, "with-values") for offset in offsets]
    odd = refusal(lambda: example.embedding_type(3, 6, example.parameters.base))
    return Evidence(
        values={
            "square_norms": squares,
            "values_move": greatest_difference(*outputs),
            "left_without_partner": 3 % 2,
            "refused": odd.kind if odd else "accepted",
        },
        checks=(
            agree("5-orthogonal", products, [identity, identity], 1e-12),
            differ("6-values", outputs[0], outputs[1], 0.1),
            all_true("7-width-three", [isinstance(odd, OddFeatureWidth)]),
        ),
    )


def absolute_and_relative(example: Example) -> Evidence:
    """Questions 8 and 9 and the misconception: signed scores, a longer context, one row alone."""
    short_scores, short_outputs = scores_and_outputs(example, 1)
    long_scores, long_outputs = scores_and_outputs(example, 0)
    row = as_array([GENERIC_QUERY])
    alone, among = example.rotate_query(row, 2), example.rotate_query(np.tile(row, (3, 1)))
    signed = [math.sin(1), math.sin(1), -math.sin(1)]
    return Evidence(
        values={
            "short_context": short_outputs[-1],
            "long_context": long_outputs[-1],
            "context_score": [float(scores[-1][-2]) for scores in (short_scores, long_scores)],
            "rotated_alone": alone[0],
        },
        checks=(
            agree("8-signed", signed_pair_scores(example), signed, 1e-12),
            agree("9-old-scores", long_scores[1:, 1:], short_scores, 1e-12),
            differ("9-context", short_outputs[-1], long_outputs[-1], 0.1),
            same_bits("10-absolute-input", alone[0], among[2]),
        ),
    )


def scores_and_outputs(example: Example, first: int) -> tuple[Array, Array]:
    """Scores and causal outputs of the tokens from ``first`` on, at positions from 0."""
    q, k, v = (rows[first:] for rows in three_tokens.contents())
    q, k = example.rotate_query(q), example.rotate_key(k)
    return attention.scores(q, k), attention.attend(q, k, v, attention.causal_mask(len(q)))


def present(evidence: Evidence) -> tuple[Block, ...]:
    """Question and answer, in the chapter's order, then the misconception."""
    return (
        *present_position_and_shift(evidence),
        *present_norm_values_and_width(evidence),
        *present_absolute_and_relative(evidence),
        say(
            "Misconception: RoPE is given relative indices. No, absolute ones: at position 2 the "
            "row without zeros becomes {row}, bit for bit the same alone and among other rows. The "
            "difference n-m appears only when two rotated rows meet in a dot product.",
            "Заблуждение: RoPE получает относительные индексы. Нет, абсолютные: в позиции 2 "
            "строка без нулей переходит в {row} — бит в бит одинаково, одна она или среди других "
            "строк. Разность n-m появляется лишь тогда, когда две повёрнутые строки встречаются "
            "в скалярном произведении.",
            row=vector(evidence["rotated_alone"]),
        ),
    )


def present_position_and_shift(evidence: Evidence) -> tuple[Block, ...]:
    """Answers 1 to 4."""
    return (
        say(
            "1. Why does position 0 change nothing? Every angle is 0·θ_j = 0, so each pair meets "
            "R(0) = I: of the coordinates of {row}, {changed} changed.",
            "1. Почему позиция 0 ничего не меняет? Все углы 0·θ_j равны 0, на каждую пару "
            "действует R(0) = I: у строки {row} изменилось координат: {changed}.",
            row=vector(evidence["exercise_row"]),
            changed=evidence["identity_changes"],
        ),
        say(
            "2. What does one pair give at (m,n) = (1,0)? q = [1, 0] turns by one radian towards "
            "k = [0, 1], and the score is its sine, {score}.",
            "2. Что даёт одна пара при (m,n) = (1,0)? q = [1, 0] поворачивается на один радиан в "
            "сторону k = [0, 1], оценка равна синусу: {score}.",
            score=evidence["pair_scores"][0],
        ),
        say(
            "3. What does an equal shift change? Rotated coordinates, by up to {moved}; the score "
            "of neighbours is {before} before and {after} after.",
            "3. Что меняет одинаковый сдвиг? Повёрнутые координаты — на величину до {moved}; "
            "оценка соседних позиций до сдвига {before}, после — {after}.",
            moved=evidence["shift_moves"],
            before=evidence["neighbour_score"],
            after=evidence["neighbour_score_shifted"],
        ),
        say(
            "4. And a shift of m alone? It changes n-m: with n = 0 the score goes from {one} at "
            "m = 1 to {two} at m = 2. There are exceptions: with n = 1 it is {left} at m = 0 and "
            "{right} at m = 2, because the cosine is even.",
            "4. А сдвиг одной только m? Он меняет n-m: при n = 0 оценка переходит от {one} (m = 1) "
            "к {two} (m = 2). Бывают исключения: при n = 1 она равна {left} (m = 0) и {right} "
            "(m = 2), потому что косинус — чётная функция.",
            one=evidence["lone_shift"][0],
            two=evidence["lone_shift"][1],
            left=evidence["mirror"][0],
            right=evidence["mirror"][1],
        ),
    )


def present_norm_values_and_width(evidence: Evidence) -> tuple[Block, ...]:
    """Answers 5 to 7."""
    return (
        say(
            "5. Why is the norm kept? |Rx|² = xᵀ RᵀR x = xᵀx: the squared norm of the row without "
            "zeros is {before} before and {after} at position 5.",
            "5. Почему сохраняется норма? |Rx|² = xᵀ RᵀR x = xᵀx: квадрат нормы строки без нулей "
            "до поворота {before}, в позиции 5 — {after}.",
            before=evidence["square_norms"][0],
            after=evidence["square_norms"][1],
        ),
        say(
            "6. Should V or the mask be rotated? No. With V rotated an equal shift moves the "
            "output by up to {moved}; the mask holds no coordinates, only what may be seen.",
            "6. Нужно ли поворачивать V или маску? Нет. Если повернуть V, одинаковый сдвиг изменит "
            "выход на величину до {moved}; в маске нет координат, она лишь задаёт видимость.",
            moved=evidence["values_move"],
        ),
        say(
            "7. Why is d = 3 refused? {alone} coordinate would have no partner: {kind}.",
            "7. Почему отклоняется d = 3? Без пары осталась бы {alone} координата: {kind}.",
            alone=evidence["left_without_partner"],
            kind=evidence["refused"],
        ),
    )


def present_absolute_and_relative(evidence: Evidence) -> tuple[Block, ...]:
    """Answers 8 and 9."""
    first, second, third = evidence["pair_scores"]
    return (
        say(
            "8. What is absolute and what is a difference? The inputs are absolute: m = 1 turns by "
            "{one}, m = 3 by {three}. The scores at (1,0) and (3,2), {first} and {second}, know "
            "only n-m = -1; at (0,1), where n-m = +1, the score is {third}.",
            "8. Что здесь абсолютно, а что — разность? На вход идут абсолютные позиции: при m = 1 "
            "угол {one}, при m = 3 — {three}. Оценки в (1,0) и (3,2), {first} и {second}, знают "
            "только n-m = -1; в (0,1), где n-m = +1, оценка равна {third}.",
            one=evidence["pair_angles"][0],
            three=evidence["pair_angles"][1],
            first=first,
            second=second,
            third=third,
        ),
        say(
            "9. Does this prove that a whole decoder ignores a shift? No. Put one more token "
            "before two others: their score q·k/√d stays {score} ({again}), all positions moved by "
            "one, and yet the last output goes from {short} to {long}. What changed is the "
            "context; the identity still holds.",
            "9. Доказывает ли это, что декодер целиком нечувствителен к сдвигу? Нет. Поставим "
            "перед двумя токенами ещё один: их оценка q·k/√d прежняя, {score} ({again}), все "
            "позиции сдвинулись на единицу, но последний выход был {short}, а стал {long}. "
            "Изменился контекст; тождество по-прежнему верно.",
            score=evidence["context_score"][0],
            again=evidence["context_score"][1],
            short=vector(evidence["short_context"]),
            long=vector(evidence["long_context"]),
        ),
    )
