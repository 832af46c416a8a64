"""One pair by hand: the four scores that a reader can check with the sine key of a calculator."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from rope_cli.document.blocks import (
    TIGHT,
    Arrow,
    Block,
    Panel,
    Plane,
    Signed,
    cue_of_difference,
    vector,
)
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, greatest_difference
from rope_cli.document.vocabulary import formula, left, right, say, t, table
from rope_cli.example.worked_example import Array, Example, as_array

TITLE = t("One pair by hand", "Одна пара вручную")
QUESTION = t(
    "The query q = [1, 0] is at position m and the key k = [0, 1] at position n. Both are rotated "
    "counter-clockwise, by 1 radian for each position. What is their dot product after the "
    "rotation at (m,n) = (0,0), (1,0), (3,2) and (0,1)?",
    "Запрос q = [1, 0] стоит в позиции m, ключ k = [0, 1] — в позиции n. Оба вектора "
    "поворачиваются против часовой стрелки, на 1 радиан за каждую позицию. Чему равно их скалярное "
    "произведение после поворота при (m,n) = (0,0), (1,0), (3,2) и (0,1)?",
)

CLAIMS = {
    "hand-scores": t(
        "the scores are 0, sin 1, sin 1 and -sin 1", "оценки равны 0, sin 1, sin 1 и -sin 1"
    ),
    "hand-rotations": t(
        "R(m)q = [cos m, sin m] and R(n)k = [-sin n, cos n]",
        "R(m)q = [cos m, sin m] и R(n)k = [-sin n, cos n]",
    ),
    "scores-two-apart": t(
        "at n-m = 0, -2, -2 and +2 the scores are 0, sin 2, sin 2 and -sin 2",
        "при n-m = 0, -2, -2 и +2 оценки равны 0, sin 2, sin 2 и -sin 2",
    ),
    "same-difference-same-score": t(
        "at (1,0) and at (3,2) n-m is the same, and so is the score",
        "в (1,0) и в (3,2) одна и та же разность n-m и одна и та же оценка",
    ),
    "both-rows-moved": t(
        "neither rotated row at (3,2) is the one at (1,0)",
        "в (3,2) обе повёрнутые строки не те, что в (1,0)",
    ),
}
WHAT_IS_COMPARED = say(
    "Attention compares the query q of one token with the key k of another by their dot product, "
    "the score. The queries of all tokens are kept as one matrix, the keys as another, with a row "
    "for each token; that is why q and k are called rows here. Left alone, [1, 0] and [0, 1] have "
    "the score 0 wherever the two tokens are. RoPE rotates both rows before they are compared. The "
    "matrix R(φ), written row by row, rotates a pair of coordinates counter-clockwise by the angle "
    "φ; here the angle is the position itself, in radians.",
    "Внимание сравнивает запрос q одного токена с ключом k другого; их скалярное произведение "
    "называют оценкой. Запросы всех токенов хранят в одной матрице, ключи — в другой, и каждому "
    "токену отведена строка; поэтому q и k здесь называются строками. Если [1, 0] и [0, 1] не "
    "трогать, оценка равна 0, где бы ни стояли оба токена. RoPE поворачивает обе строки до "
    "сравнения. Матрица R(φ) — ниже она выписана по строкам — поворачивает пару координат на угол "
    "φ против часовой стрелки; здесь угол в радианах равен самой позиции.",
)
POSITIONS = ((0, 0), (1, 0), (3, 2), (0, 1))
# For the first screen of the report, which must not answer this section's question.
TWO_APART = ((0, 0), (2, 0), (5, 3), (0, 2))


def gather(example: Example) -> Evidence:
    """The pair [1, 0], [0, 1] at each (m,n)."""
    queries, keys = rotate_at(example, POSITIONS)
    scores = (queries * keys).sum(axis=1)
    scores_two_apart = np.multiply(*rotate_at(example, TWO_APART)).sum(axis=1)
    sines = [0.0, math.sin(1), math.sin(1), -math.sin(1)]
    rotations = [[math.cos(m), math.sin(m), -math.sin(n), math.cos(n)] for m, n in POSITIONS]
    moves = (greatest_difference(rows[1], rows[2]) for rows in (queries, keys))
    return Evidence(
        values={
            "hand_positions": [list(position) for position in POSITIONS],
            "hand_query": queries,
            "hand_key": keys,
            "hand_scores": scores,
            "positions_two_apart": [list(position) for position in TWO_APART],
            "scores_two_apart": scores_two_apart,
        },
        checks=(
            agree("hand-scores", scores, sines, 1e-12),
            agree(
                "scores-two-apart",
                scores_two_apart,
                [-math.sin(n - m) for m, n in TWO_APART],
                1e-12,
            ),
            agree("hand-rotations", np.hstack([queries, keys]), rotations, 1e-12),
            agree("same-difference-same-score", scores[1:2], scores[2:3], 1e-12),
            Check("both-rows-moved", min(moves), 0.1, 4, "at least"),
        ),
    )


def rotate_at(example: Example, positions: Sequence[tuple[int, int]]) -> tuple[Array, Array]:
    """[1, 0] rotated to each m and [0, 1] rotated to each n, both [positions, 2]."""
    embedding = example.embedding_for(2, 6, example.parameters.base)
    query, key = as_array([[1, 0]]), as_array([[0, 1]])
    queries = [example.rotate_query(query, m, embedding) for m, _ in positions]
    keys = [example.rotate_key(key, n, embedding) for _, n in positions]
    return np.concatenate(queries), np.concatenate(keys)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """What is compared, the scores in a table, and the two of equal n-m."""
    positions, queries, keys, scores = (
        evidence[f"hand_{name}"] for name in ("positions", "query", "key", "scores")
    )
    return (
        WHAT_IS_COMPARED,
        formula("R(φ) = [[cos φ, -sin φ], [sin φ, cos φ]]"),
        rows_as_arrows(evidence),
        table(
            None,
            (*left("(m,n)", "n-m", "R(m)q", "R(n)k"), *right(t("score", "оценка"))),
            (
                (
                    f"({m},{n})",
                    (Signed(n - m), TIGHT, cue_of_difference(n - m)),
                    vector(query),
                    vector(key),
                    score,
                )
                for (m, n), query, key, score in zip(positions, queries, keys, scores, strict=True)
            ),
        ),
        say(
            "From (1,0) to (3,2) both positions grow by 2 and both rows move on: q to {query}, k "
            "to {key}. Yet the score stays {score}, because the angle between the two rows depends "
            "on n-m alone. At (0,1) the key is one position later than the query instead of one "
            "earlier, and the score changes its sign.",
            "От (1,0) к (3,2) обе позиции увеличиваются на 2, и обе строки поворачиваются дальше: "
            "q переходит в {query}, k — в {key}. Но оценка остаётся равной {score}, потому что "
            "угол между строками зависит только от n-m. В (0,1) ключ стоит на позицию позже "
            "запроса, а не раньше, и оценка меняет знак.",
            query=vector(queries[2]),
            key=vector(keys[2]),
            score=scores[2],
        ),
    )


def rows_as_arrows(evidence: Evidence) -> Plane:
    """Both rows on the unit circle for each pair of positions."""
    positions, queries, keys = (evidence[f"hand_{name}"] for name in ("positions", "query", "key"))
    return Plane(
        t(
            "q and k after the rotation, for each (m,n)",
            "q и k после поворота, для каждой пары позиций (m,n)",
        ),
        tuple(
            Panel(
                f"({m},{n})",
                (
                    Arrow("q", (float(query[0]), float(query[1]))),
                    Arrow("k", (float(key[0]), float(key[1])), "long"),
                ),
            )
            for (m, n), query, key in zip(positions, queries, keys, strict=True)
        ),
        t(
            "From (1,0) to (3,2) both arrows move on by 2 radians, and the angle between them "
            "stays. At (0,1) the angle is wider than a right angle.",
            "От (1,0) к (3,2) обе стрелки проходят ещё 2 радиана, а угол между ними остаётся "
            "прежним. В (0,1) этот угол больше прямого.",
        ),
    )
