"""What was assumed of the files or read in another form, in words and for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rope_cli.document.blocks import Phrase, Piece, Short
from rope_cli.document.vocabulary import t
from rope_cli.example.positions import format_positions
from rope_cli.verify.read.named_arrays import InputArrays
from rope_cli.verify.read.position_arrays import Positions
from rope_cli.verify.read.request import Request

FORMS = {
    "pairs": t("a column for each pair", "по столбцу на пару"),
    "halves": t("each column twice, in two halves", "каждый столбец дважды, двумя половинами"),
    "neighbours": t("each column twice, side by side", "каждый столбец дважды, рядом"),
    "cos-sin": t("cosines, then sines, in one array", "косинусы и за ними синусы в одном массиве"),
    "complex": t("complex numbers", "комплексные числа"),
}
SENTENCES = {
    "table": t(
        "The file holds a table of cosines and sines ({form}). What is checked is how it rotates "
        "the pair (1, 0); the layout of the rows does not matter.",
        "В файле — таблица косинусов и синусов ({form}). Проверяется поворот пары (1, 0) по этой "
        "таблице; раскладка входа роли не играет.",
    ),
    "fractional-positions": t(
        "The positions in the file are fractions. They are read as whole positions, linearly "
        "scaled by the factor {factor}.",
        "Позиции в файле дробные. Они прочитаны как целые позиции и линейное масштабирование с "
        "множителем {factor}.",
    ),
    "last-positions-assumed": t(
        "Assumed: there are fewer queries than keys, as with a cache, so the queries are at the "
        "last positions, {positions}. To give other positions, put the array query_positions "
        "into the file.",
        "Запросов меньше, чем ключей, как при кэше, поэтому предполагается, что запросы стоят в "
        "последних позициях: {positions}. Другие позиции читаются из массива query_positions.",
    ),
    "outputs-exchanged": t(
        "The outputs of query and key are exchanged: each is right for the input of the other.",
        "Выходы запроса и ключа поменялись местами: каждый верен для входа другого.",
    ),
    "bfloat16-assumed": t(
        "Assumed: the two raw bytes of each number in {arrays} are bfloat16, as ml_dtypes writes "
        "it.",
        "Предполагается, что два байта каждого числа в {arrays} — это bfloat16, как его "
        "записывает ml_dtypes.",
    ),
}


class Remark(NamedTuple):
    """One remark; its kind and figures are names in JSON."""

    kind: str
    figures: Mapping[str, Any]


def remarks_on(
    arrays: InputArrays, request: Request, assumed: Positions | None, exchanged: bool
) -> tuple[Remark, ...]:
    """Every remark on the arrays of a request, and on the positions assumed for its queries.

    ``exchanged`` if the outputs of query and key are.
    """
    return tuple(all_remarks(arrays, request, assumed, exchanged))


def all_remarks(
    arrays: InputArrays, request: Request, assumed: Positions | None, exchanged: bool
) -> Iterator[Remark]:
    """The remarks in the order in which they are printed."""
    if exchanged:
        yield Remark("outputs-exchanged", {})
    if assumed is not None:
        yield Remark("last-positions-assumed", {"positions": assumed.tolist()})
    if arrays.table_form is not None:
        yield Remark("table", {"form": arrays.table_form})
    if request.linear_factor != 1:
        yield Remark("fractional-positions", {"factor": request.linear_factor})
    raw = [stored.name for stored in arrays.stored if stored.values.dtype.kind == "V"]
    if raw and request.dtype is None:
        yield Remark("bfloat16-assumed", {"arrays": list(dict.fromkeys(raw))})


def remark_sentence(remark: Remark) -> Phrase:
    """A remark in one or two sentences."""
    return Phrase(SENTENCES[remark.kind], {n: shown(v) for n, v in remark.figures.items()})


def shown(figure: Any) -> Piece:
    """A figure of a remark."""
    if isinstance(figure, str):
        return FORMS[figure]
    if not isinstance(figure, list):
        return Short(figure)
    if isinstance(figure[0], str):
        return ", ".join(figure)
    row = figure[0] if isinstance(figure[0], list) else figure
    return format_positions(row)
