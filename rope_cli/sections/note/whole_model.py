"""A whole decoder: shifted position numbers leave it alone, a longer text does not."""

from __future__ import annotations

from functools import partial

import numpy as np

from rope_cli.document.blocks import Block, Column, Signed, Table
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
from rope_cli.document.vocabulary import say, t, table_by_columns
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments import toy_decoder
from rope_cli.sections.chapter import additive

TITLE = t("Shift the whole decoder", "Сдвиг всего декодера")
QUESTION = t(
    "A decoder has read six tokens. Add 1000 to all their position numbers, or put two more words "
    "in front of them: which of the two changes its next token?",
    "Декодер прочитал шесть токенов. Прибавим 1000 ко всем номерам позиций — или поставим перед "
    "токенами ещё два слова. Что из этого изменит следующий токен?",
)

CLAIMS = {
    "decoder-shifted": t(
        "with 1, 3, 1000 or a million added to every position all logits stay",
        "если прибавить ко всем позициям 1, 3, 1000 или миллион, логиты не меняются",
    ),
    "decoder-pads": t(
        "two masked pads in front change no logit",
        "два токена-заполнителя в начале, скрытые маской, не меняют ни одного логита",
    ),
    "decoder-prefix": t(
        "two real tokens in front change logits", "два настоящих токена в начале меняют логиты"
    ),
    "decoder-doubled": t("doubled positions change logits", "удвоенные позиции меняют логиты"),
    "decoder-values": t(
        "if V is rotated too, the shift by 3 changes logits",
        "если повернуть и V, сдвиг на 3 меняет логиты",
    ),
    "decoder-sinusoid": t(
        "if a sinusoid is added instead, the shift by 3 changes logits",
        "если вместо поворота прибавить синусоиду, сдвиг на 3 меняет логиты",
    ),
}
TOKENS = (3, 7, 7, 1, 15, 4)
PREFIX, PADS = (9, 2), (0, 0)
SHIFTS = (1, 3, 1000, 1_000_000)


def gather(example: Example) -> Evidence:
    """The logits of six tokens as they are, and after each change."""
    changes = _logits_before_and_after(example)
    unchanged, _ = changes["doubled"]
    shifted = [changes[f"shift-{shift}"][1] for shift in SHIFTS]
    return Evidence(
        values={
            "decoder_tokens": list(TOKENS),
            "decoder_prefix": list(PREFIX),
            "decoder_logits": unchanged,
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
    # Every row at position 0: the added vectors alone say where a token stands.
    added, added_shifted = (
        logits(TOKENS, [0] * len(TOKENS), added=_sinusoids(shift)) for shift in (0, 3)
    )
    return {
        **shifted,
        "pads": (unchanged, padded),
        "prefix": (unchanged, prefixed),
        "doubled": (unchanged, doubled),
        "values-rotated": (values, values_shifted),
        "sinusoid": (added, added_shifted),
    }


def _sinusoids(shift: int) -> Array:
    positions = range(shift, shift + len(TOKENS))
    return np.array([additive.sinusoid(position, toy_decoder.WIDTH) for position in positions])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """One line for each change: how far a logit moves, and the next token."""
    return (
        say(
            "A toy: two layers of two heads, RMS norm, a ReLU block, a causal mask, weights from a "
            "formula. It knows positions from RoPE alone. Tokens {tokens} stand at 0-5.",
            "Игрушечный декодер: два слоя по две головы, RMS-норма, блок ReLU, каузальная маска, "
            "веса заданы формулой. О позициях он знает только от RoPE. Токены {tokens} стоят в "
            "позициях 0-5.",
            tokens=", ".join(map(str, evidence["decoder_tokens"])),
        ),
        _changes(evidence),
        say(
            "The local identity alone proves nothing about a model, and the chapter says so. Here "
            "it goes from layer to layer by induction: scores see only n-m, and all the rest works "
            "on each token by itself. An added position vector, rotated values or a rule that "
            "looks at the length would break the chain. And two more words are no shift: they "
            "are seen.",
            "Одно лишь локальное тождество о модели в целом ничего не доказывает, и глава говорит "
            "об этом прямо. Здесь оно переходит из слоя в слой по индукции: оценки зависят только "
            "от n-m, всё остальное обрабатывает каждый токен отдельно. Цепочку разорвут "
            "прибавленный вектор позиции, повёрнутые значения или правило, которое смотрит на "
            "длину. А два лишних слова — не сдвиг: их видно.",
        ),
    )


def _changes(evidence: Evidence) -> Table:
    prefix = ", ".join(map(str, evidence["decoder_prefix"]))
    tokens = evidence["next_tokens"].values()
    return table_by_columns(
        None,
        (
            Column(t("what is done", "что сделано")),
            (
                *(
                    t("all positions {shift}", "все позиции {shift}", shift=Signed(by))
                    for by in SHIFTS
                ),
                t("two pads in front, masked", "два заполнителя в начале, под маской"),
                t("tokens {prefix} in front", "токены {prefix} в начале", prefix=prefix),
                t("positions doubled", "позиции удвоены"),
                t("V rotated too: shift +3", "V тоже повёрнуты: сдвиг +3"),
                t("sinusoid added, no RoPE: shift +3", "синусоида вместо RoPE: сдвиг +3"),
            ),
        ),
        (
            t("greatest change of a logit", "наибольшее изменение логита"),
            evidence["logit_changes"].values(),
        ),
        (t("next token", "следующий токен"), (f"{before} → {after}" for before, after in tokens)),
    )
