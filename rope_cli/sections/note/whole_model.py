"""A whole decoder: shifted position numbers leave it alone, a longer text does not."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from rope_cli.document.blocks import Block, Column, Paragraph, Signed, Table
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
from rope_cli.document.vocabulary import brief, formula, say, t, table_by_columns
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments import toy_decoder
from rope_cli.experiments.claims import attending
from rope_cli.sections.chapter import additive

TITLE = t("Shift the whole decoder", "Сдвиг всего декодера")
QUESTION = t(
    "A decoder, a model that computes the next token, has read six tokens. You add 1000 to all of "
    "their position numbers, or you put two more tokens in front of them. Which of the two can "
    "change its next token?",
    "Декодер — модель, которая вычисляет следующий токен, — прочитал шесть токенов. Ко всем "
    "номерам позиций прибавили 1000 — или поставили впереди ещё два токена. Какое из этих "
    "действий может изменить следующий токен?",
)

CLAIMS = {
    "decoder-shifted": t(
        "1, 3, 1000 or a million added to every position changes no logit",
        "1, 3, 1000 или миллион, прибавленные ко всем позициям, не меняют ни одного логита",
    ),
    "decoder-pads": t(
        "two masked padding tokens in front change no logit",
        "два токена-заполнителя впереди, скрытые маской, не меняют ни одного логита",
    ),
    "decoder-prefix": t(
        "two real tokens in front change logits", "два настоящих токена впереди меняют логиты"
    ),
    "decoder-doubled": t(
        "doubling every position changes logits", "если удвоить все позиции, логиты меняются"
    ),
    "decoder-values": t(
        "if V is rotated too, the shift by 3 changes logits",
        "если повернуть и V, сдвиг на 3 меняет логиты",
    ),
    "decoder-sinusoid": t(
        "if a sinusoid is added in place of the rotation, the shift by 3 changes logits",
        "если вместо поворота прибавить синусоиду, сдвиг на 3 меняет логиты",
    ),
    "decoder-reordered": t(
        "with every position 0 another order of the earlier tokens changes the last logits",
        "когда все позиции равны 0, другой порядок прежних токенов меняет последние логиты",
    ),
    "decoder-weights": t(
        "the weights are those of the formula, entry by entry",
        "все элементы весов равны вычисленным по формуле",
    ),
    "mask-alone": t(
        "with equal scores token m gives token 0 the weight 1/(m+1)",
        "при равных оценках токен m даёт токену 0 вес 1/(m+1)",
    ),
}
TOKENS = (3, 7, 7, 1, 15, 4)
PREFIX, PADS = (9, 2), (0, 0)
SHIFTS = (1, 3, 1000, 1_000_000)
# Another order of the first five tokens; the sixth stays the last.
REORDERED = (1, 15, 3, 7, 7, 4)


def gather(example: Example) -> Evidence:
    """The logits of six tokens as they are, and after each change."""
    changes = _logits_before_and_after(example)
    unchanged, _ = changes["doubled"]
    shifted = [changes[f"shift-{shift}"][1] for shift in SHIFTS]
    weights, by_formula = _weights_twice()
    by_mask = attending.weights_by_mask(len(TOKENS))
    return Evidence(
        values={
            "decoder_tokens": list(TOKENS),
            "decoder_prefix": list(PREFIX),
            "decoder_reordered": list(REORDERED),
            "decoder_logits": unchanged,
            "first_weight": float(toy_decoder.EMBEDDINGS[0, 0]),
            "weights_by_mask": by_mask,
            "gap_by_mask": attending.gap_by_mask(example),
            "logit_changes": {name: greatest_difference(*both) for name, both in changes.items()},
            "next_tokens": {
                name: [int(logits[-1].argmax()) for logits in both]
                for name, both in changes.items()
            },
        },
        checks=(
            agree("decoder-shifted", shifted, [unchanged] * len(SHIFTS), 1e-9),
            agree("decoder-pads", *changes["pads"], tolerance=1e-9),
            differ("decoder-prefix", *changes["prefix"], tolerance=0.1),
            differ("decoder-doubled", *changes["doubled"], tolerance=0.1),
            differ("decoder-values", *changes["values-rotated"], tolerance=0.1),
            differ("decoder-sinusoid", *changes["sinusoid"], tolerance=0.1),
            differ("decoder-reordered", *changes["reordered"], tolerance=0.1),
            agree("decoder-weights", weights, by_formula, 1e-15),
            agree("mask-alone", by_mask, [1 / (m + 1) for m in range(len(TOKENS))], 1e-15),
        ),
    )


def _logits_before_and_after(example: Example) -> dict[str, tuple[Array, Array]]:
    logits = partial(toy_decoder.logits, example)
    positions, longer = range(len(TOKENS)), range(len(PREFIX) + len(TOKENS))
    unchanged = logits(TOKENS, positions)
    shifted = {
        f"shift-{shift}": (unchanged, logits(TOKENS, range(shift, shift + len(TOKENS))))
        for shift in SHIFTS
    }
    padded = logits((*PADS, *TOKENS), longer, pads=len(PADS))[len(PADS) :]
    prefixed = logits((*PREFIX, *TOKENS), longer)[len(PREFIX) :]
    doubled = logits(TOKENS, [2 * position for position in positions])
    values, values_shifted = (
        logits(TOKENS, range(shift, shift + len(TOKENS)), rotate_values=True) for shift in (0, 3)
    )
    zeros = [0] * len(TOKENS)
    reordered = [logits(tokens, zeros)[-1:] for tokens in (TOKENS, REORDERED)]
    # Every row at position 0: only the added vectors depend on the place of a token.
    added, added_shifted = (logits(TOKENS, zeros, added=_sinusoids(shift)) for shift in (0, 3))
    return {
        **shifted,
        "pads": (unchanged, padded),
        "prefix": (unchanged, prefixed),
        "doubled": (unchanged, doubled),
        "values-rotated": (values, values_shifted),
        "sinusoid": (added, added_shifted),
        "reordered": (reordered[0], reordered[1]),
    }


def _weights_twice() -> tuple[Array, Array]:
    """Every weight as the decoder holds it, and by the formula with the seeds of the text."""
    (first, last), ((up_1, down_1), (up_2, down_2)) = toy_decoder.ATTENTION, toy_decoder.BLOCKS
    seeds = (*range(2, 10), 14, 15, 16, 17)
    matrices = (*first, *last, up_1, up_2, down_1, down_2)
    weights = [toy_decoder.EMBEDDINGS, *matrices]
    by_formula = [_by_formula(12, toy_decoder.EMBEDDINGS.shape)]
    by_formula += [
        _by_formula(seed, matrix.shape) / math.sqrt(len(matrix))
        for seed, matrix in zip(seeds, matrices, strict=True)
    ]
    return np.concatenate([*map(np.ravel, weights)]), np.concatenate([*map(np.ravel, by_formula)])


def _by_formula(s: int, shape: tuple[int, ...]) -> Array:
    rows, columns = shape
    entries = [
        ((3 * i**2 + 5 * j**3 + 7 * i * j + s * (i + 2 * j)) % 31 - 15) / 8
        for i in range(1, rows + 1)
        for j in range(1, columns + 1)
    ]
    return np.reshape(entries, shape)


def _sinusoids(shift: int) -> Array:
    positions = range(shift, shift + len(TOKENS))
    return np.array([additive.sinusoid(position, toy_decoder.WIDTH) for position in positions])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The toy, one line for each change, and what the mask has to do with it."""
    return (
        *_toy(evidence),
        _changes(evidence),
        say(
            "By itself an identity about a single score says nothing about a whole model, as the "
            "chapter is careful to add. Here it carries over from layer to layer: scores depend on "
            "the positions only through n-m, and everything else treats each token by itself. An "
            "added position vector, rotated values, or a rule that uses the position numbers "
            "themselves, such as a base chosen by the largest of them, would break this chain. Two "
            "more tokens, on the other hand, are no shift: they change what there is to attend to.",
            "Тождество для одной оценки ещё ничего не говорит о модели в целом, и глава это "
            "оговаривает. Здесь оно переносится из слоя в слой: оценки зависят только от n-m, а "
            "всё остальное обрабатывает каждый токен отдельно. Прибавленный вектор позиции, "
            "повёрнутые значения или правило, в которое входят сами номера позиций (скажем, "
            "основание, выбранное по наибольшему из них), разорвали бы эту цепочку. А два лишних "
            "токена — это не сдвиг: меняется то, на что направлено внимание.",
        ),
        _order_by_mask(evidence),
    )


def _toy(evidence: Evidence) -> tuple[Block, ...]:
    return (
        say(
            "The decoder is a toy with 20 tokens and rows of width 8: two layers, each with two "
            "heads of width 4, a ReLU block of width 16 and a causal mask. Before the heads, "
            "before the ReLU block and before the logits, each row is divided by √(s + 1e-6), "
            "where s is its mean square (RMSNorm). At the end the rows are multiplied by the "
            "embeddings again, which gives one number for every possible next token, its logit. "
            "Nothing was trained: row i, column j of each matrix, counted from 1, is",
            "Декодер игрушечный: словарь из 20 токенов, строки ширины 8, два слоя, в каждом две "
            "головы ширины 4, блок ReLU ширины 16 и каузальная маска. Перед головами, перед блоком "
            "ReLU и перед логитами каждая строка делится на √(s + 1e-6), где s — её средний "
            "квадрат (RMSNorm). Наконец, строки снова умножаются на эмбеддинги, и для каждого "
            "возможного следующего токена получается число, логит. Ничего не обучали: в строке i и "
            "столбце j каждой матрицы, считая с 1, стоит",
        ),
        formula("((3i^2 + 5j^3 + 7ij + s(i + 2j)) mod 31 - 15) / 8"),
        say(
            "with s = 12 for the embeddings; s = 2, 3, 4, 5 for W_q, W_k, W_v, W_o in the first "
            "layer and 6, 7, 8, 9 in the second; s = 14, 15 for the first and s = 16, 17 for the "
            "second matrix of the ReLU blocks. All but the embeddings are then divided by the "
            "square root of their number of rows. The embedding of token 0 begins with {weight}. "
            "RoPE, with b = 100, is the only part that uses position numbers. Tokens {tokens} are "
            "at positions 0-5.",
            "где s = 12 у эмбеддингов, 2, 3, 4, 5 у W_q, W_k, W_v, W_o первого слоя и 6, 7, 8, 9 — "
            "второго, 14, 15 у первых матриц блоков ReLU и 16, 17 у вторых. Все матрицы, кроме "
            "эмбеддингов, затем делятся на корень из числа своих строк. Эмбеддинг токена 0 "
            "начинается с {weight}. Номера позиций использует только RoPE, b = 100. Токены "
            "{tokens} стоят в позициях 0-5.",
            weight=evidence["first_weight"],
            tokens=", ".join(map(str, evidence["decoder_tokens"])),
        ),
    )


def _order_by_mask(evidence: Evidence) -> Paragraph:
    before, after = evidence["next_tokens"]["reordered"]
    return say(
        "The last line shows that RoPE is not the only thing that reveals the order. With every "
        "position 0 nothing is rotated, and yet the order {order} changes the next token from "
        "{before} to {after}: the causal mask lets each token use only itself and the earlier "
        "ones. With equal scores it alone gives token 0 the weight {first} at token 1 and {last} "
        'at token 5. And in section "order" the same token, once before another one and once '
        "after it, ends with outputs that differ by up to {gap}. That is how decoders without "
        "any position encoding can work (Kazemnejad et al. 2023, arXiv 2305.19466).",
        "Последняя строка показывает, что порядок задаёт не одно RoPE. Когда все позиции равны 0, "
        "ничего не повёрнуто, и всё же порядок {order} меняет следующий токен с {before} на "
        "{after}: каузальная маска оставляет каждому токену только его самого и более ранние. При "
        "равных оценках из-за одной только маски токен 1 даёт токену 0 вес {first}, а токен 5 — "
        "{last}. А в разделе «order» у одного и того же токена, поставленного до и после другого, "
        "выходы различаются на величину до {gap}. Поэтому и могут работать декодеры вовсе без "
        "позиционного кодирования (Kazemnejad и др., 2023, arXiv 2305.19466).",
        order=", ".join(map(str, evidence["decoder_reordered"])),
        before=before,
        after=after,
        first=brief(evidence["weights_by_mask"][1]),
        last=evidence["weights_by_mask"][5],
        gap=evidence["gap_by_mask"],
    )


def _changes(evidence: Evidence) -> Table:
    prefix = ", ".join(map(str, evidence["decoder_prefix"]))
    tokens = evidence["next_tokens"].values()
    return table_by_columns(
        None,
        (
            Column(t("what is changed", "что меняется")),
            (
                *(
                    t("all positions {shift}", "все позиции {shift}", shift=Signed(by))
                    for by in SHIFTS
                ),
                t("two padding tokens in front, masked", "два заполнителя впереди, под маской"),
                t("tokens {prefix} in front", "токены {prefix} впереди", prefix=prefix),
                t("all positions doubled", "все позиции удвоены"),
                t("V rotated too: shift +3", "повёрнуто и V: сдвиг +3"),
                t("sinusoid added, no RoPE: shift +3", "синусоида вместо RoPE: сдвиг +3"),
                t("all positions 0: tokens reordered", "все позиции 0: другой порядок токенов"),
            ),
        ),
        (
            t("largest change of a logit", "наибольшее изменение логита"),
            evidence["logit_changes"].values(),
        ),
        (t("next token", "следующий токен"), (f"{before} → {after}" for before, after in tokens)),
    )
