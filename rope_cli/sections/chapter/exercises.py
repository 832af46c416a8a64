"""The nine questions of the chapter and its misconception, each answered with a number."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Paragraph, Short, vector
from rope_cli.document.evidence import (
    Evidence,
    agree,
    all_true,
    differ,
    greatest_difference,
    same_bits,
)
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.errors import OddFeatureWidth
from rope_cli.example import reference
from rope_cli.example.worked_example import FIRST_COLUMN, GENERIC_QUERY, Array, Example, as_array
from rope_cli.experiments import three_tokens
from rope_cli.rope import attention
from rope_cli.sections.chapter.refusals import refusal

TITLE = t("Nine questions and a misconception", "Девять вопросов и одно заблуждение")
QUESTION = t(
    "Answer the questions below yourself before you read the answers that follow them.",
    "Ответьте на вопросы сами и лишь потом читайте ответы, которые идут за ними.",
)

CLAIMS = {
    "1-identity": t(
        "at position 0 no bit of the row changes", "в позиции 0 не меняется ни один бит строки"
    ),
    "2-one-pair": t("the score of the pair at (1,0) is sin 1", "оценка пары в (1,0) равна sin 1"),
    "3-coordinates": t(
        "an equal shift changes rotated coordinates",
        "одинаковый сдвиг меняет повёрнутые координаты",
    ),
    "3-largest-move": t(
        "the largest of these changes is that of the plain formula",
        "наибольшее из этих изменений совпадает с вычисленным по формуле поворота",
    ),
    "3-equal-shift": t(
        "an equal shift keeps every dot product",
        "одинаковый сдвиг сохраняет каждое скалярное произведение",
    ),
    "4-shift-of-m": t(
        "a shift of m alone changes the score here", "сдвиг одной лишь m меняет здесь оценку"
    ),
    "4-mirror": t(
        "for equal rows a key one position later and one a position earlier have the same score",
        "при равных строках оценки ключа на позицию позже и на позицию раньше одинаковы",
    ),
    "4-period": t(
        "a pair that moves by π/2 per position has the same score after 4 positions",
        "у пары, которая проходит π/2 за позицию, оценка через 4 позиции та же",
    ),
    "5-orthogonal": t(
        "RRᵀ and RᵀR are the identity, so the norm is kept",
        "RRᵀ и RᵀR — единичные матрицы, поэтому норма сохраняется",
    ),
    "6-values": t(
        "with V rotated, an equal shift changes the output",
        "если повернуть V, одинаковый сдвиг меняет выход",
    ),
    "7-width-three": t("width 3 is refused", "ширина 3 отклоняется"),
    "8-signed": t(
        "the scores at (1,0) and (3,2) are equal, at (0,1) the sign is reversed",
        "оценки в (1,0) и (3,2) равны, в (0,1) знак противоположный",
    ),
    "9-old-scores": t(
        "one more token in front leaves the old scores as they were",
        "ещё один токен впереди не меняет прежних оценок",
    ),
    "9-context": t(
        "one more token in front changes the last output",
        "ещё один токен впереди меняет последний выход",
    ),
    "10-absolute-input": t(
        "a row is rotated by its own position only, bit for bit",
        "поворот строки зависит только от её собственной позиции, бит в бит",
    ),
}


EXERCISES = (
    t("Why does position 0 change nothing?", "Почему позиция 0 ничего не меняет?"),
    t(
        "What is the score of q = [1, 0] and k = [0, 1] at (m,n) = (1,0)?",
        "Какова оценка для q = [1, 0] и k = [0, 1] при (m,n) = (1,0)?",
    ),
    t(
        "What does an equal shift change, and what does it keep?",
        "Что одинаковый сдвиг меняет, а что сохраняет?",
    ),
    t("What does a shift of m alone change?", "Что меняет сдвиг одной только m?"),
    t("Why is the norm kept?", "Почему сохраняется норма?"),
    t("Should V or the mask be rotated?", "Нужно ли поворачивать V или маску?"),
    t("Why is d = 3 refused?", "Почему отклоняется d = 3?"),
    t(
        "What is absolute here, and what is a difference?",
        "Что здесь абсолютно, а что — разность?",
    ),
    t(
        "If an equal shift keeps every score, does a whole decoder ignore it?",
        "При одинаковом сдвиге оценки те же. Значит, не меняется и весь декодер?",
    ),
    t(
        "True or false: RoPE is given relative positions.",
        "Верно ли, что на вход RoPE идут относительные позиции?",
    ),
)
BEFORE_ANSWERS = say(
    "The answers follow. To be asked one question at a time and see each answer only after your "
    "own, stop here and run rope-report predict exercises.",
    "Дальше — ответы. Чтобы отвечать по одному вопросу и видеть ответ только после своего, "
    "остановитесь здесь и запустите rope-report predict exercises --lang ru.",
)


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
    base, places = example.parameters.base, (example.positions, example.shifted_positions)
    rotated, moved = (reference.rotate(example.query, base, positions) for positions in places)
    moves = greatest_difference(example.shifted_query, example.rotated_query)
    lone_shift = [example.score(FIRST_COLUMN, FIRST_COLUMN, m, 0) for m in (1, 2)]
    mirror = [example.score(FIRST_COLUMN, FIRST_COLUMN, m, 1) for m in (0, 2)]
    return Evidence(
        values={
            "identity_changes": int((identity != row).sum()),
            "identity_row": identity[0],
            "exercise_row": row[0],
            "pair_scores": pair_scores,
            "pair_angles": [1.0 * theta, 3.0 * theta],
            "shift_moves": moves,
            "neighbour_score": float(example.dot_products[0][1]),
            "neighbour_score_shifted": float(example.shifted_dot_products[0][1]),
            "lone_shift": lone_shift,
            "mirror": mirror,
            "period": periodic_scores(example),
        },
        checks=(
            same_bits("1-identity", identity, row),
            agree("2-one-pair", pair_scores[:1], [math.sin(1)], 1e-12),
            differ("3-coordinates", example.shifted_query, example.rotated_query, 0.1),
            agree("3-largest-move", [moves], [greatest_difference(moved, rotated)], 1e-12),
            agree("3-equal-shift", example.shifted_dot_products, example.dot_products, 1e-12),
            differ("4-shift-of-m", lone_shift[:1], lone_shift[1:], 0.1),
            agree("4-mirror", mirror[:1], mirror[1:], 1e-12),
            agree("4-period", periodic_scores(example), [1.0, 1.0], 1e-12),
        ),
    )


def periodic_scores(example: Example) -> list[float]:
    """The score of a pair that moves by pi/2 per position, at m = 1 and at m = 5, with n = 0."""
    # Of width 4 pair 1 moves by base^(-1/2) radians; the query and key are 0 in pair 0.
    embedding = example.embedding_for(4, 6, (2 / math.pi) ** 2)
    query, key = as_array([[0.0, 0.0, 1.0, 0.0]]), as_array([[0.0, 0.0, 0.0, 1.0]])
    rotated_key = example.rotate_key(key, 0, embedding)[0]
    return [float(example.rotate_query(query, m, embedding)[0] @ rotated_key) for m in (1, 5)]


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
    """The questions in the chapter's order and the misconception, then the answers."""
    return (
        table(None, (*right(""), *left(t("question", "вопрос"))), enumerate(EXERCISES, 1)),
        BEFORE_ANSWERS,
        *present_position_and_shift(evidence),
        *present_norm_values_and_width(evidence),
        *present_absolute_and_relative(evidence),
        say(
            "10. False, though often believed: absolute positions go in. At position 2 the row "
            "without zeros becomes {row}, bit for bit the same whether it is alone or among other "
            "rows. The difference n-m appears only when two rotated rows meet in a dot product.",
            "10. Нет, это заблуждение: на вход идут абсолютные позиции. В позиции 2 строка без "
            "нулей переходит в {row}, одна она или среди других строк: результат совпадает бит в "
            "бит. Разность n-m появляется, лишь когда две повёрнутые строки встречаются в "
            "скалярном произведении.",
            row=vector(evidence["rotated_alone"]),
        ),
    )


def present_position_and_shift(evidence: Evidence) -> tuple[Block, ...]:
    """Answers 1 to 4."""
    return (
        say(
            "1. At position 0 every angle 0·θ_j is 0, and R(0) is the identity. The row {row} "
            "becomes {rotated}, the same row.",
            "1. В позиции 0 каждый угол 0·θ_j равен 0, а R(0) — единичная матрица. Строка {row} "
            "переходит в {rotated}, то есть в саму себя.",
            row=vector(evidence["exercise_row"], short=True),
            rotated=vector(evidence["identity_row"], short=True),
        ),
        say(
            "2. q = [1, 0] is rotated by one radian towards k = [0, 1], so the score is the sine "
            "of 1: {score}.",
            "2. q = [1, 0] поворачивается на один радиан в сторону k = [0, 1], и оценка — это "
            "синус 1: {score}.",
            score=evidence["pair_scores"][0],
        ),
        say(
            "3. An equal shift changes the rotated coordinates, here by up to {moved}, but no dot "
            "product. That of neighbours is {before} before and {after} after. Such numbers check "
            "a single case. The proof is R(mθ)ᵀR(nθ) = R((n-m)θ), together with the fact that "
            "adding c to both positions leaves (n+c)-(m+c) = n-m.",
            "3. Одинаковый сдвиг меняет повёрнутые координаты, здесь на величину до {moved}, но не "
            "скалярные произведения. Для соседних позиций до сдвига получается {before}, после — "
            "{after}. Такие числа — лишь один случай. Доказательство — тождество R(mθ)ᵀR(nθ) = "
            "R((n-m)θ): если к обеим позициям прибавить c, то (n+c)-(m+c) = n-m.",
            moved=evidence["shift_moves"],
            before=evidence["neighbour_score"],
            after=evidence["neighbour_score_shifted"],
        ),
        *present_lone_shift(evidence),
    )


def present_lone_shift(evidence: Evidence) -> tuple[Block, ...]:
    """Answer 4."""
    return (
        say(
            "4. A shift of m alone changes n-m, and with it, as a rule, the score: with n = 0 from "
            "{one} at m = 1 to {two} at m = 2. There are exceptions. Where query and key are the "
            "same row, only cosines are left, and a cosine is even: with n = 1 the score is {left} "
            "at m = 0 and {right} at m = 2. Or the angles repeat: a pair that moves by π/2 per "
            "position comes full circle in 4, and with n = 0 its score for q = [1, 0] and k = [0, "
            "1] is {early} at m = 1 and {late} at m = 5.",
            "4. Сдвиг одной m меняет n-m, а вместе с ней, как правило, и оценку: при n = 0 она "
            "переходит от {one} (m = 1) к {two} (m = 2). Бывают исключения. Если запрос и ключ — "
            "одна и та же строка, остаются одни косинусы, а косинус — чётная функция: при n = 1 "
            "оценка равна {left} для m = 0 и {right} для m = 2. Или повторяются углы: пара, "
            "которая проходит π/2 за позицию, делает полный оборот за 4 позиции, и при n = 0 её "
            "оценка для q = [1, 0] и k = [0, 1] равна {early} для m = 1 и {late} для m = 5.",
            one=evidence["lone_shift"][0],
            two=evidence["lone_shift"][1],
            left=evidence["mirror"][0],
            right=evidence["mirror"][1],
            early=Short(evidence["period"][0]),
            late=Short(evidence["period"][1]),
        ),
    )


def present_norm_values_and_width(evidence: Evidence) -> tuple[Block, ...]:
    """Answers 5 to 7."""
    return (
        say(
            "5. The norm is kept because RᵀR is the identity: |Rx|² = xᵀRᵀRx = xᵀx. The squared "
            "norm of the row without zeros is {before} before the rotation and {after} at position "
            "5.",
            "5. Норма сохраняется, потому что RᵀR — единичная матрица: |Rx|² = xᵀRᵀRx = xᵀx. "
            "Квадрат нормы строки без нулей равен {before} до поворота и {after} в позиции 5.",
            before=evidence["square_norms"][0],
            after=evidence["square_norms"][1],
        ),
        say(
            "6. No. With V rotated, an equal shift by 3 would change the output by up to {moved}. "
            "A mask has no coordinates to rotate; it only says which keys are visible.",
            "6. Нет. Если повернуть V, одинаковый сдвиг на 3 изменит выход на величину до {moved}. "
            "А в маске нет координат, она лишь указывает, какие ключи видны.",
            moved=evidence["values_move"],
        ),
        say(
            "7. Because a rotation needs pairs, and of three coordinates one would be left without "
            "a partner.",
            "7. Потому что поворачиваются пары, а из трёх координат одна осталась бы без пары.",
        ),
    )


def present_absolute_and_relative(evidence: Evidence) -> tuple[Block, ...]:
    """Answers 8 and 9."""
    first, second, third = evidence["pair_scores"]
    return (
        say(
            "8. The positions that go in are absolute: the pair is rotated by {one} radian at m = "
            "1 and by {three} at m = 3. What comes out depends on the difference: the scores at "
            "(1,0) and (3,2) are {first} and {second}, because n-m is -1 in both; at (0,1) it is "
            "+1, and the score is {third}.",
            "8. На входе позиции абсолютные: при m = 1 пара поворачивается на {one} радиан, при m "
            "= 3 — на {three}. На выходе важна только разность: оценка в (1,0) — {first}, в (3,2) "
            "— {second}, потому что n-m и там и там равна -1, а в (0,1), где она равна "
            "+1, получается {third}.",
            one=Short(evidence["pair_angles"][0]),
            three=Short(evidence["pair_angles"][1]),
            first=first,
            second=second,
            third=third,
        ),
        present_decoder(evidence),
    )


def present_decoder(evidence: Evidence) -> Paragraph:
    """Answer 9."""
    return say(
        "9. No, that does not follow. The identity concerns one computation, the score of a "
        "query and a key whose content is fixed. For a decoder, every component and every border "
        "between components would have to be examined, with the same tokens in the same context. "
        'Section "whole-model" does so for a small one, whose outputs a shift of all positions '
        "does indeed leave unchanged. But a token put in front is not a shift. It moves two "
        "others from positions 0, 1 to 1, 2 and leaves their score q·k/√d at {score}; yet the "
        "last output goes from {short} to {long}, because it now mixes three values.",
        "9. Нет, отсюда это не следует. Тождество относится к одному вычислению: к оценке запроса "
        "и ключа, содержимое которых неизменно. Для декодера пришлось бы проверить каждый "
        "компонент и каждую границу между ними, притом с теми же токенами в том же контексте; для "
        "маленького декодера это сделано в разделе «whole-model», и сдвиг всех позиций там "
        "действительно ничего не меняет. А токен, поставленный впереди, — это не сдвиг. Два других "
        "переходят из позиций 0, 1 в 1, 2, и их оценка q·k/√d остаётся равной {score}. Но "
        "последний выход был {short}, а стал {long}, потому что теперь он складывается из трёх "
        "значений.",
        score=evidence["context_score"][0],
        short=vector(evidence["short_context"]),
        long=vector(evidence["long_context"]),
    )
