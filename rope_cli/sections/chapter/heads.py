"""Attention heads: projections, a rotation for each head, joining, and W_O."""

from __future__ import annotations

import math

import numpy as np

from rope_cli.document.blocks import Block, Cell, Number, Rows, Short, Table, cue_of_speed
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference, same_bits
from rope_cli.document.summaries import rows_by_position_and_pair, shown_indices
from rope_cli.document.vocabulary import digits_kept, formula, left, right, say, t, table
from rope_cli.example import reference
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY, Array, Example, as_array
from rope_cli.rope import attention
from rope_cli.rope.tables import RotaryEmbedding

TITLE = t("Attention heads", "Головы внимания")
QUESTION = t(
    "A model of width 8 has two heads of width 4. Does its second head begin with a fast pair or "
    "with a slow one?",
    "В модели ширины 8 две головы ширины 4. С какой пары начинается вторая голова — с быстрой "
    "или с медленной?",
)
OWN_QUESTION = t(
    "A model has two heads of the same width. Does its second head begin with a fast pair or with "
    "a slow one?",
    "В модели две головы одинаковой ширины. С какой пары начинается вторая голова — с быстрой или "
    "с медленной?",
)

USES = frozenset({"feature_width", "shift"})
CLAIMS = {
    "each-head-alone": t(
        "each head is rotated as if it were alone, bit for bit",
        "каждая голова поворачивается так, как если бы она была одна, бит в бит",
    ),
    "head-scores-shift": t(
        "in each head an equal shift keeps every score",
        "в каждой голове одинаковый сдвиг сохраняет каждую оценку",
    ),
    "model-width-is-wrong": t(
        "one rotation across the model width gives other rows",
        "один поворот по всей ширине модели даёт другие строки",
    ),
    "across-by-formula": t(
        "the rows rotated across the model width are those of the formula with d = model width",
        "строки, повёрнутые по всей ширине модели, равны вычисленным по формуле с d этой ширины",
    ),
    "heads-by-definition": t(
        "the outputs o are those of the formulas, computed separately",
        "выходы o совпадают с отдельно вычисленными по формулам",
    ),
    "heads-output-shift": t(
        "an equal shift keeps the output when each head is rotated on its own",
        "одинаковый сдвиг не меняет выход, если каждая голова повёрнута отдельно",
    ),
    "across-output-shift": t(
        "an equal shift keeps the output with a rotation across the model width too",
        "одинаковый сдвиг не меняет выход и при повороте по всей ширине модели",
    ),
    "across-other-output": t(
        "the two ways give different outputs", "выходы при этих двух способах различны"
    ),
    "norm-before-or-after": t(
        "dividing q by its root mean square gives the same row before and after the rotation",
        "деление q на среднеквадратичное даёт одно и то же до и после поворота",
    ),
    "gains-before-or-after": t(
        "gains 1, 2, 1, 2, ... do not give the same row before and after",
        "с множителями 1, 2, 1, 2, ... результаты до и после различны",
    ),
}
HEADS, TOKENS = 2, 3
HEAD_NAMES = (t("head 0", "голова 0"), t("head 1", "голова 1"))


def gather(example: Example) -> Evidence:
    """Rows of two heads, a whole attention layer with two heads, and a norm beside RoPE."""
    return rotated_heads(example) + layer(example) + norm_and_rotation(example)


def rotated_heads(example: Example) -> Evidence:
    """Two heads, together and alone, and one rotation across both."""
    parameters = example.parameters
    rows = as_array([example.continued_to_width(row) for row in (GENERIC_QUERY, GENERIC_KEY)])
    heads = np.repeat(rows[:, np.newaxis], TOKENS, axis=1)  # [heads, tokens, width]
    together = example.rotate_query(heads)
    alone = np.array([example.rotate_query(head) for head in heads])
    joined = join(heads)
    across = split(rotate_across(example, joined))
    by_formula = split(reference.rotate(joined, parameters.base, range(TOKENS)))
    theta = across_table(example).inverse_frequencies
    scores, shifted_scores = (
        attention.dot_products(
            example.rotate_query(heads, offset), example.rotate_key(heads[::-1].copy(), offset)
        )
        for offset in (0, parameters.shift)
    )
    tolerance = example.tolerance(float(np.linalg.norm(heads, axis=2).max() ** 2))
    return Evidence(
        values={
            "head_frequencies": np.tile(example.embedding.inverse_frequencies, (HEADS, 1)),
            "model_width_frequencies": theta.reshape(HEADS, -1),
            "heads_rotated": together,
            "heads_rotated_across": across,
        },
        checks=(
            same_bits("each-head-alone", together, alone),
            agree("head-scores-shift", shifted_scores, scores, tolerance),
            differ("model-width-is-wrong", across, together, 0.1),
            agree("across-by-formula", across, by_formula, 1e-12),
        ),
        parameters=parameters,
    )


def split(rows: Array) -> Array:  # [tokens, model width] -> [heads, tokens, width]
    """The heads of rows of the model width."""
    return np.stack(np.split(rows, HEADS, axis=-1))


def join(heads: Array) -> Array:  # [heads, tokens, width] -> [tokens, model width]
    """The heads side by side again."""
    return np.concatenate(list(heads), axis=-1)


def across_table(example: Example, offset: int = 0) -> RotaryEmbedding:
    """The table of three positions for rows of the whole model width."""
    width, base = HEADS * example.parameters.feature_width, example.parameters.base
    return example.embedding_for(width, offset + TOKENS, base, offset)


def rotate_across(example: Example, rows: Array, offset: int = 0) -> Array:
    """Rows ``[tokens, model width]`` rotated as a whole."""
    return example.rotate_query(rows, offset, across_table(example, offset))


def weights(number: int, width: int) -> Array:
    """The matrix ``w_ij = cos(number i j) / 2``, indices from 1."""
    index = np.arange(1, width + 1)
    return np.asarray(np.cos(number * np.multiply.outer(index, index)) / 2)


def tokens_before(width: int) -> Array:
    """The rows ``x_mi = sin((m + 1) i)``, i from 1."""
    return np.sin(np.multiply.outer(np.arange(1, TOKENS + 1), np.arange(1, width + 1)))


def projections(width: int) -> tuple[Array, Array, Array, Array]:
    """Queries, keys and values ``[tokens, width]`` of the layer before any rotation, and W_O."""
    x = tokens_before(width)
    w_q, w_k, w_v, w_o = (weights(number, width) for number in (1, 2, 3, 4))
    return x @ w_q, x @ w_k, x @ w_v, w_o


def layer(example: Example) -> Evidence:
    """An attention layer, rotated head by head and across, before and after an equal shift."""
    q, k, v, w_o = projections(HEADS * example.parameters.feature_width)
    shift, last = example.parameters.shift, TOKENS - 1

    def mix(queries: Array, keys: Array) -> Array:
        return attention.attend(queries, keys, split(v))

    in_heads = [
        (example.rotate_query(split(q), offset), example.rotate_key(split(k), offset))
        for offset in (0, shift)
    ]
    across = [
        (split(rotate_across(example, q, offset)), split(rotate_across(example, k, offset)))
        for offset in (0, shift)
    ]
    own, whole = ([join(mix(*rows)) @ w_o for rows in way] for way in (in_heads, across))
    norms = [float(np.linalg.norm(rows, axis=-1).max()) for rows in (q, k, v)]
    tolerance = example.tolerance(1 + math.prod(norms) * float(np.linalg.norm(w_o)))
    return Evidence(
        values={
            "heads_shift": shift,
            "heads_path": {
                "query": split(q)[:, last],
                "rotated": in_heads[0][0][:, last],
                "output": mix(*in_heads[0])[:, last],
                "joined": split(own[0])[:, last],
            },
            "heads_moves": [greatest_difference(*own), greatest_difference(*whole)],
            "heads_apart": greatest_difference(own[0], whole[0]),
        },
        checks=(
            agree("heads-by-definition", own[0], defined_outputs(example), tolerance),
            agree("heads-output-shift", own[1], own[0], tolerance),
            agree("across-output-shift", whole[1], whole[0], tolerance),
            differ("across-other-output", whole[0], own[0], 0.01),
        ),
    )


def defined_outputs(example: Example) -> Array:
    """The outputs of the layer by the formulas alone."""
    width, base = example.parameters.feature_width, example.parameters.base
    model = np.arange(1, HEADS * width + 1)
    x = as_array([[math.sin(m * i) for i in model] for m in range(1, TOKENS + 1)])
    w_q, w_k, w_v, w_o = (
        as_array([np.cos(s * i * model) / 2 for i in model]) for s in (1, 2, 3, 4)
    )
    heads = []
    for start in range(0, len(model), width):
        q, k, v = (x @ w[:, start : start + width] for w in (w_q, w_k, w_v))
        q, k = (reference.rotate(rows, base, range(TOKENS)) for rows in (q, k))
        heads.append(reference.attend(q, k, v))
    return np.asarray(np.hstack(heads) @ w_o)


def norm_and_rotation(example: Example) -> Evidence:
    """A query divided by its root mean square before and after the rotation, and with gains."""
    width = example.parameters.feature_width
    rows = np.tile(as_array(example.continued_to_width(GENERIC_QUERY)), (TOKENS, 1))
    gains = np.resize([1.0, 2.0], width)

    def normed(q: Array) -> Array:
        return np.asarray(q / np.sqrt((q * q).mean(axis=-1, keepdims=True)))

    plain = example.rotate_query(normed(rows)), normed(example.rotate_query(rows))
    gained = example.rotate_query(normed(rows) * gains), normed(example.rotate_query(rows)) * gains
    return Evidence(
        values={"gains_apart": greatest_difference(*gained)},
        checks=(
            agree("norm-before-or-after", *plain, 1e-12),
            differ("gains-before-or-after", *gained, 0.1),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """A layer with two heads, the frequencies of both, and what a rotation across them loses."""
    return (
        formula("q = x·W_q, k = x·W_k, v = x·W_v"),
        formula("o = [h_0, h_1]·W_O"),
        say(
            "W_q, W_k and W_v make a query, a key and a value of the model width out of the row x "
            "of each token. All three are cut into heads. Each head rotates its q and k and "
            "computes attention on its own; the outputs h_0 and h_1 are joined and multiplied by "
            "W_O (Vaswani et al. 2017, arXiv 1706.03762). In a model the four matrices are "
            "learned. Here they are w_ij = cos(s·i·j)/2 with s = 1, 2, 3, 4, and the token at "
            "position m has x_i = sin((m+1)·i), where i and j run from 1 to {model}.",
            "Матрицы W_q, W_k и W_v превращают строку x каждого токена в запрос, ключ и значение, "
            "и у всех трёх ширина модели. Все три делят на головы. Каждая голова сама поворачивает "
            "свои q и k и сама вычисляет внимание; выходы h_0 и h_1 соединяют и умножают на W_O "
            "(Vaswani и др., 2017, arXiv 1706.03762). В модели эти четыре матрицы обучаются. Здесь "
            "они заданы формулой w_ij = cos(s·i·j)/2, где s = 1, 2, 3, 4, а строка x токена в "
            "позиции m — формулой x_i = sin((m+1)·i); i и j пробегают числа от 1 до {model}.",
            model=HEADS * len(evidence["heads_path"]["query"][0]),
        ),
        path_table(evidence),
        frequencies_table(evidence),
        say(
            "With a fast one. A head is rotated along its own last axis, so d in θ_j = b^(-2j/d) "
            "is the width of a head, and in every head pair 0 moves by {fast} radian per "
            "position. In large models d is often 128, which makes 64 pairs. The rows of this "
            'table are q and k of section "norms", one in each head.',
            "С быстрой. Голова поворачивается вдоль своей последней оси, поэтому d в формуле θ_j "
            "= b^(-2j/d) — ширина головы, и в каждой голове пара 0 проходит за позицию {fast} "
            "радиан. В больших моделях d часто равно 128, это 64 пары. В этой таблице повёрнуты "
            "строки q и k из раздела «norms», по одной на голову.",
            fast=Short(evidence["head_frequencies"][1][0]),
        ),
        moves_table(evidence),
        *what_is_lost(evidence),
    )


def path_table(evidence: Evidence) -> Table:
    """The last token on its way through both heads, of wide heads the ends."""
    path = evidence["heads_path"]
    features = shown_indices(len(path["query"][0]), everything=False)
    halves = (t("first half", "первая половина"), t("second half", "вторая половина"))
    return table(
        t("Token 2 on its way through the layer:", "Путь токена 2 через слой:"),
        (
            *left(t("step", "шаг"), ""),
            *right(*("..." if feature is None else f"[{feature}]" for feature in features)),
        ),
        (
            (name, part, *("..." if feature is None else row[feature] for feature in features))
            for step, name, parts in (
                ("query", "q = x·W_q", HEAD_NAMES),
                ("rotated", "R(2·θ)q", HEAD_NAMES),
                ("output", "h", HEAD_NAMES),
                ("joined", "o", halves),
            )
            for part, row in zip(parts, path[step], strict=True)
        ),
    )


def frequencies_table(evidence: Evidence) -> Table:
    """The frequencies of both heads, each on its own and across the model width."""
    return Table(
        (
            *right(t("head", "голова")),
            *left(t("pair j", "пара j")),
            *right(
                t("θ_j, head by head", "θ_j, каждая голова отдельно"),
                t("θ_j across the model", "θ_j по всей ширине модели"),
                t("x_(2j) at m=1, head by head", "x_(2j) при m=1, каждая отдельно"),
                t("x_(2j) at m=1, across", "x_(2j) при m=1, по всей ширине"),
            ),
        ),
        head_rows(evidence),
        t(
            "Each head on its own, beside one rotation across the model width:",
            "Каждая голова отдельно и один поворот по всей ширине модели:",
        ),
    )


def head_rows(evidence: Evidence) -> Rows:
    """A row for each pair of each head."""
    theta, theta_across = evidence["head_frequencies"], evidence["model_width_frequencies"]
    rotated, rotated_across = evidence["heads_rotated"], evidence["heads_rotated_across"]

    def row(head: int, pair: int) -> tuple[Cell, ...]:
        return (
            head,
            (pair, " ", cue_of_speed(pair, theta[head])),
            digits_kept(theta[head][pair]),
            digits_kept(theta_across[head][pair]),
            Number(rotated[head][1][2 * pair]),
            Number(rotated_across[head][1][2 * pair]),
        )

    return rows_by_position_and_pair(theta.shape, False, row)


def moves_table(evidence: Evidence) -> Table:
    """How far an equal shift moves the output of the layer, for both ways to rotate."""
    moves = evidence["heads_moves"]
    return table(
        t(
            "What a shift of all positions by {shift} does to o:",
            "Как сдвиг всех позиций на {shift} меняет o:",
            shift=evidence["heads_shift"],
        ),
        (
            *left(t("how q and k are rotated", "как поворачиваются q и k")),
            *right(t("largest change of o", "наибольшее изменение o")),
        ),
        (
            (t("head by head", "каждая голова отдельно"), moves[0]),
            (t("across the model width", "по всей ширине модели"), moves[1]),
        ),
    )


def what_is_lost(evidence: Evidence) -> tuple[Block, ...]:
    """What a rotation across the model width keeps and loses, and where a norm belongs."""
    theta = evidence["model_width_frequencies"][1][0]
    return (
        say(
            "A rotation across the model width keeps the relative property: in every head the "
            "scores still depend on the positions only through n-m, and o does not change. What it "
            "loses is a fast pair in the second head. The fastest one there moves by {slow} "
            "radians per position and needs {period} positions for a full circle. Nor do weights "
            "learned one way fit the other: with the same matrices the two outputs differ by up to "
            "{apart}.",
            "И при повороте по всей ширине модели оценки в каждой голове зависят от позиций "
            "только через n-m, и o не меняется. Но такой поворот лишает вторую голову быстрой "
            "пары: самая быстрая там проходит за позицию {slow} радиана, а полный оборот делает "
            "за {period} позиции. К тому же веса, обученные при одном способе, не подходят к "
            "другому: с теми же матрицами выходы расходятся на величину до {apart}.",
            slow=Short(theta),
            period=Short(round(2 * math.pi / theta, 2)),
            apart=evidence["heads_apart"],
        ),
        say(
            "Some models normalize q and k in each head (QK-norm). A rotation keeps the root mean "
            "square, so dividing by it before or after RoPE gives the same result. But learned "
            "gains, one for each coordinate, commute with a rotation only if the two of each pair "
            "are equal: with gains 1, 2, 1, 2, ... the two orders differ by up to {gains} for the "
            "query without zeros at positions 0-2. The code of Qwen3 (arXiv 2505.09388) normalizes "
            "first and rotates afterwards.",
            "В некоторых моделях q и k в каждой голове нормируют (QK-norm). Поворот не меняет "
            "среднеквадратичного значения, и делить на него можно и до RoPE, и после. Но обучаемые "
            "множители, свой у каждой координаты, перестановочны с поворотом, только если в каждой "
            "паре они равны: при множителях 1, 2, 1, 2, ... два порядка для запроса без нулей в "
            "позициях 0-2 расходятся на величину до {gains}. В коде Qwen3 (arXiv 2505.09388) "
            "сначала нормируют, потом поворачивают.",
            gains=evidence["gains_apart"],
        ),
    )
