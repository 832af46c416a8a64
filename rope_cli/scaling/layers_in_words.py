"""Which coordinates the code of a model pairs, which layers do not rotate, and what layers see."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rope_cli.document.blocks import Paragraph, Phrase
from rope_cli.document.vocabulary import say, t
from rope_cli.report import header_footer
from rope_cli.scaling.config import ModelConfig
from rope_cli.user_input.command_errors import printable

LONGEST_NAME = 40
LAYOUT_SENTENCES = {
    "adjacent": t(
        "Layout: this model's code pairs adjacent coordinates, (2j, 2j+1).",
        "Раскладка: код этой модели объединяет в пары соседние координаты, 2j и 2j+1.",
    ),
    "half-split": t(
        "Layout: this model's code is half-split (rotate_half), with pairs (j, j + d/2).",
        "Раскладка: код этой модели делит координаты на половины (rotate_half), пару образуют j и "
        "j + d/2.",
    ),
    "adjacent in, half-split out": t(
        "Layout: this model's code reads adjacent pairs (2j, 2j+1) and writes pair j to "
        "(j, j + d/2). Its scores are those of the adjacent layout.",
        "Раскладка: код этой модели берёт пару из соседних координат, 2j и 2j+1, а результат "
        "записывает в j и j + d/2. Оценки те же, что при соседних парах.",
    ),
    "half-split, backwards": t(
        "Layout: this model's code is half-split, with pairs (j, j + d/2), and rotates the other "
        "way, by minus the angle.",
        "Раскладка: код этой модели делит координаты на половины, пару образуют j и j + d/2, а "
        "поворот идёт в другую сторону, на противоположный угол.",
    ),
    None: t(
        "Layout: not known. A config does not say which coordinates form a pair; the code does.",
        "Раскладка неизвестна: какие координаты образуют пару, решает не конфигурация, а код.",
    ),
}
LAST_PART = t(
    "The rotated part of a head is its last, not its first.",
    "Поворачивается последняя часть головы, а не первая.",
)


def about_layers(config: ModelConfig) -> Iterator[Paragraph]:
    """The layout, the layers without rotation, and the sliding window."""
    yield Paragraph(Phrase(LAYOUT_SENTENCES[config.layout], {}))
    if config.facts.last:
        yield Paragraph(Phrase(LAST_PART, {}))
    rotated = config.rotated
    if rotated.unrotated:
        yield say(
            "Layers without rotation: {names}.",
            "Слои без поворота: {names}.",
            names=header_footer.join([counted_name(config, name) for name in rotated.unrotated]),
        )
    if rotated.flagged:
        still, total = rotated.flagged
        yield say(
            "Layers without rotation: {still} of {total}. The table describes the others.",
            "Слоёв без поворота: {still} из {total}. Таблица описывает остальные.",
            still=still,
            total=total,
        )
    if rotated.interval:
        yield say(
            "One layer of every {interval} has no rotation. The table describes the others.",
            "Из каждых {interval} слоёв один без поворота. Таблица описывает остальные.",
            interval=rotated.interval,
        )
    if config.window:
        yield say(
            "In sliding layers a token attends only to the last {window} positions.",
            "В слоях со скользящим окном токен видит только последние позиции, их {window}.",
            window=config.window,
        )


def counted_name(config: ModelConfig, name: str) -> Phrase:
    """A type of layers, with how many there are if the file lists them."""
    counts = config.rotated.counts
    shown = printable(name, LONGEST_NAME)
    if name not in counts:
        return Phrase(t("{name}", "{name}"), {"name": shown})
    of = t("{name} ({count} of {total})", "{name} ({count} из {total})")
    return Phrase(of, {"name": shown, "count": counts[name], "total": sum(counts.values())})


def layer_values(config: ModelConfig) -> dict[str, Any]:
    """The same as JSON holds it."""
    rotated = config.rotated
    return {
        "layout": config.layout,
        "rotated_part": "last" if config.facts.last else "first",
        "type_is_known": config.facts.known,
        "unrotated_layer_types": list(rotated.unrotated),
        "unrotated_layers": list(rotated.flagged) if rotated.flagged else None,
        "unrotated_interval": rotated.interval,
        "sliding_window": config.window,
    }
