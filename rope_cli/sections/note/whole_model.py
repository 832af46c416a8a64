"""A whole decoder: shifted position numbers leave it alone, a longer text does not."""

from __future__ import annotations

import numpy as np

from rope_cli.document.blocks import Block, Line, Phrase
from rope_cli.document.evidence import Evidence, agree, differ, greatest_difference
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.worked_example import Array, Example
from rope_cli.experiments import toy_decoder
from rope_cli.sections.chapter import additive

TITLE = t("Shift the whole decoder", "Сдвиг всего декодера")
QUESTION = t(
    "A decoder has read six tokens. Add 1000 to all their position numbers, or put two "
    "more words in front of them: which of the two changes its next token?",
    "Декодер прочитал шесть токенов. Прибавим 1000 ко всем номерам позиций — или "
    "поставим перед токенами ещё два слова. Что из этого изменит следующий токен?",
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
PREFIX = (9, 2)
PAD = 0
SHIFTS = (1, 3, 1000, 1_000_000)


def gather(example: Example) -> Evidence:
    """The logits of six tokens as they are, and after each change."""
    places = range(len(TOKENS))
    later = range(len(PREFIX), len(PREFIX) + len(TOKENS))
    all_places = range(later.stop)
    still = toy_decoder.logits(example, TOKENS, places)
    moved = [
        toy_decoder.logits(example, TOKENS, [place + shift for place in places]) for shift in SHIFTS
    ]
    pads = (PAD,) * len(PREFIX)
    padded = toy_decoder.logits(example, (*pads, *TOKENS), all_places, pads=len(pads))[later]
    prefixed = toy_decoder.logits(example, (*PREFIX, *TOKENS), all_places)[later]
    doubled = toy_decoder.logits(example, TOKENS, [2 * place for place in places])
    values = [
        toy_decoder.logits(example, TOKENS, [at + shift for at in places], rotate_values=True)
        for shift in (0, 3)
    ]
    # Every row at position 0: the added vectors alone say where a token stands.
    nowhere = [0] * len(TOKENS)
    added = [toy_decoder.logits(example, TOKENS, nowhere, added=_sinusoids(by)) for by in (0, 3)]
    changes = {
        **{f"shift-{by}": (still, after) for by, after in zip(SHIFTS, moved, strict=True)},
        "pads": (still, padded),
        "prefix": (still, prefixed),
        "doubled": (still, doubled),
        "values-rotated": (values[0], values[1]),
        "sinusoid": (added[0], added[1]),
    }
    return Evidence(
        values={
            "decoder_tokens": list(TOKENS),
            "decoder_prefix": list(PREFIX),
            "decoder_logits": still,
            "logit_changes": {name: greatest_difference(*two) for name, two in changes.items()},
            "next_tokens": {
                name: [int(each[-1].argmax()) for each in two] for name, two in changes.items()
            },
        },
        checks=(
            agree("decoder-shifted", moved, [still] * len(SHIFTS), 1e-9),
            agree("decoder-pads", padded, still, 1e-9),
            differ("decoder-prefix", prefixed, still, 0.1),
            differ("decoder-doubled", doubled, still, 0.1),
            differ("decoder-values", values[1], values[0], 0.1),
            differ("decoder-sinusoid", added[1], added[0], 0.1),
        ),
    )


def _sinusoids(offset: int) -> Array:
    places = range(offset, offset + len(TOKENS))
    return np.array([additive.sinusoid(place, toy_decoder.WIDTH) for place in places])


def present(evidence: Evidence) -> tuple[Block, ...]:
    """One line for each change: how far a logit moves, and the next token."""
    changed, following = evidence["logit_changes"], evidence["next_tokens"]
    return (
        say(
            "A toy: two layers of two heads, RMS norm, a ReLU block, a causal mask, "
            "weights from a formula. It knows positions from RoPE alone. Tokens {tokens} "
            "stand at 0-5.",
            "Игрушечный декодер: два слоя по две головы, RMS-норма, блок ReLU, "
            "каузальная маска, веса заданы формулой. О позициях он знает только от RoPE. "
            "Токены {tokens} стоят в позициях 0-5.",
            tokens=", ".join(map(str, evidence["decoder_tokens"])),
        ),
        table(
            None,
            (
                *left(t("what is done", "что сделано")),
                *right(
                    t("greatest change of a logit", "наибольшее изменение логита"),
                    t("next token", "следующий токен"),
                ),
            ),
            (
                (
                    _described(name, evidence),
                    change,
                    "{} → {}".format(*following[name]),
                )
                for name, change in changed.items()
            ),
        ),
        say(
            "The local identity alone proves nothing about a model, and the chapter says "
            "so. Here it goes from layer to layer by induction: scores see only n-m, and all "
            "the rest works on each token by itself. An added position vector, rotated values "
            "or a rule that looks at the length would break the chain. And two more words are "
            "no shift: they are seen.",
            "Одно лишь локальное тождество о модели в целом ничего не доказывает, и глава "
            "говорит об этом прямо. Здесь оно переходит из слоя в слой по индукции: оценки "
            "зависят только от n-m, всё остальное обрабатывает каждый токен отдельно. Цепочку "
            "разорвут прибавленный вектор позиции, повёрнутые значения или правило, которое "
            "смотрит на длину. А два лишних слова — не сдвиг: их видно.",
        ),
    )


def _described(name: str, evidence: Evidence) -> Line:
    prefix = ", ".join(map(str, evidence["decoder_prefix"]))
    kind, _, shift = name.partition("shift-")
    if not kind:
        return Phrase(SHIFTED, {"shift": f"{int(shift):+d}"})
    return Phrase(WORDS[name], {"prefix": prefix}) if name == "prefix" else WORDS[name]


SHIFTED = t("all positions {shift}", "все позиции {shift}")
WORDS = {
    "pads": t("two pads in front, masked", "два заполнителя в начале, под маской"),
    "prefix": t("tokens {prefix} in front", "токены {prefix} в начале"),
    "doubled": t("positions doubled", "позиции удвоены"),
    "values-rotated": t("V rotated too: shift +3", "V тоже повёрнуты: сдвиг +3"),
    "sinusoid": t("sinusoid added, no RoPE: shift +3", "синусоида вместо RoPE: сдвиг +3"),
}
