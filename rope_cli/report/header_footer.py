"""What stands around the sections: the parameters above them, the verdict below them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from rope_cli.document.blocks import (
    TIGHT,
    Block,
    Commands,
    Cue,
    Legend,
    Paragraph,
    Phrase,
    Piece,
    Section,
    Short,
    Signed,
    Verdict,
    cue_of_difference,
    pieces_of,
    vector,
)
from rope_cli.document.evidence import Evidence
from rope_cli.document.formatting import CUE_WORDS
from rope_cli.document.lines import printed_lines
from rope_cli.document.vocabulary import left, right, say, t, table
from rope_cli.example.parameters import PARAMETERS, Parameters
from rope_cli.example.positions import name_positions
from rope_cli.example.worked_example import GENERIC_KEY, GENERIC_QUERY
from rope_cli.report.tracks import TRACKS, next_section, track_of
from rope_cli.text import Text
from rope_cli.user_input.rows import Rows

SHORT_ROW = 8
LAYOUTS = PARAMETERS["layout"].words
NAME = say(
    "Rotary position embedding (RoPE), computed and checked on this machine",
    "Ротационное позиционное кодирование (RoPE) в числах",
)
TITLE = say(
    "Rotary position embedding (RoPE) in one minute",
    "Ротационное позиционное кодирование (RoPE) за минуту",
)
IDEA = say(
    "Attention compares a query q and a key k by their dot product, the score, which ignores "
    'their places: "dog bites man" and "man bites dog" have the same scores. So RoPE rotates each '
    "pair of coordinates in proportion to position, the first fast, the last slowly. Positions "
    "then enter the score only as n-m, key minus query. One pair, "
    "q = [1, 0] at m, k = [0, 1] at n, 1 radian per position:",
    "Внимание сравнивает запрос q и ключ k скалярным произведением — оценкой. От их мест она не "
    "зависит: у «рысь ест мышь» и «мышь ест рысь» оценки равны. Поэтому RoPE поворачивает "
    "пары координат на углы, пропорциональные позиции: первую быстро, последнюю медленно. "
    "Тогда позиции входят в оценку лишь через n-m, ключ минус запрос. "
    "Одна пара, q = [1, 0] в m, k = [0, 1] в n, 1 радиан на позицию:",
)
ORDER = t(
    "Each section asks first: answer, then read the numbers, computed just now, and their checks. ",
    "Каждый раздел начинается с вопроса: ответьте сами, затем читайте числа и их проверки. ",
)
SOURCES = t(
    ". The chapter follows a Russian textbook, the note its supplement.",
    ". Глава — из учебника, заметка — дополнение к ней.",
)
NOTE = say(
    "The note supplements a Russian textbook's chapter on RoPE. Each section puts one of its "
    "claims, right or wrong, to the test.",
    "Заметка дополняет главу учебника о RoPE. Каждый раздел проверяет одно из её утверждений, "
    "верное или неверное.",
)
NOTE_VALUES = t(
    " The sections of the note give their own.", " В разделах заметки параметры названы отдельно."
)
NAMES_OF_SECTIONS = say(
    "Show a section by its name or its number: rope-report show one-pair, or rope-report show 1; "
    "note:1 is the first section of the note. The chapter follows a Russian textbook, the note "
    "its supplement.",
    "Раздел можно показать по имени или по номеру: rope-report show one-pair или rope-report show "
    "1; первый раздел заметки — note:1. Глава — из учебника, заметка — дополнение к ней.",
)
BOUNDS = say(
    "Checks: ≤ is the tolerance, the largest difference allowed; ≥ is a difference that at least "
    "one value must reach; exact allows no difference.",
    "Допуск в проверках: ≤ — наибольшее допустимое отличие; ≥ — отличие, которого должно достичь "
    "хотя бы одно значение; «точно» — отличий быть не должно.",
)
PARTS = {"chapter": t("The chapter", "Глава"), "note": t("The note", "Заметка")}


def command_line(en: str, ru: str | None = None, **values: Piece) -> Phrase:
    """A command line; the one for Russian readers asks for Russian."""
    return Phrase(t(f"rope-report {en}", f"rope-report {ru or en} --lang ru"), values)


MODEL, ARRAYS = command_line("scaling CONFIG.json"), command_line("verify FILE", "verify ФАЙЛ")
WAYS = Commands(
    (
        (
            t("Ten minutes", "Десять минут"),
            command_line("show 1 3 5 7 --step"),
        ),
        (t("A lesson", "Урок"), command_line("predict 1 3 5 7")),
        (t("An engineer's question", "Вопрос инженера"), command_line("show note")),
        (t("A model's frequencies", "Частоты модели"), MODEL),
        (t("Arrays from your code", "Массивы программы"), ARRAYS),
    )
)
AFTER_CHAPTER = Commands(
    (
        (t("Next, answer yourself", "Дальше ответьте сами"), command_line("predict chapter")),
        (t("Then the note", "Затем — заметка"), command_line("show note")),
    )
)
AFTER_NOTE = Commands(
    (
        (t("Next, answer yourself", "Дальше ответьте сами"), command_line("predict note")),
        (t("The frequencies of a real model", "Частоты настоящей модели"), MODEL),
        (t("Arrays from your own code", "Массивы из вашей программы"), ARRAYS),
    )
)


def opening(
    parameters: Parameters,
    sections: Sequence[Section],
    used: frozenset[str],
    scores: Evidence | None,
) -> tuple[Block, ...]:
    """What stands above sections: a name or the first screen, the parameters, and their cues.

    ``used`` names the parameters that the sections take. ``scores`` is the evidence of the section
    ``one-pair``.
    """
    slugs = [section.slug for section in sections]
    values = values_line(parameters, {track_of(slug) for slug in slugs}, used)
    if scores and has_four_scores(scores) and set(TRACKS["chapter"]) <= set(slugs):
        return (*first_screen(scores), *values)
    note = (NOTE,) if set(TRACKS["note"]) <= set(slugs) else ()
    cues = cues_of(block for section in sections for block in section.blocks)
    legend = (Legend(cues),) if cues else ()
    return (NAME, *note, *values, *legend)


def cues_of(blocks: Iterable[Block]) -> tuple[Cue, ...]:
    """The cues in the tables of these blocks, in the order of the legend."""
    shown: set[Cue] = set()
    for line in printed_lines(blocks):
        shown.update(piece for piece in pieces_of(line) if isinstance(piece, Cue))
        if len(shown) == len(Cue):
            break
    return tuple(cue for cue in Cue if cue in shown)


def has_four_scores(evidence: Evidence) -> bool:
    """Whether there is a score for each pair of positions; broken mathematics may leave none."""
    scores, positions = (
        evidence.values.get(f"{name}_two_apart") for name in ("scores", "positions")
    )
    return scores is not None and positions is not None and len(scores) == len(positions)


def first_screen(scores: Evidence) -> tuple[Block, ...]:
    """What RoPE is for, its idea in one table, how to read a section, and ways to go on.

    At 80 columns it has 23 lines, so that the prompt of a pager has the 24th.
    """
    titles = [
        (f"({m},{n}) ", Signed(n - m), TIGHT, cue_of_difference(n - m))
        for m, n in scores["positions_two_apart"]
    ]
    corner = t("(m,n) and n-m", "(m,n) и n-m")
    row = (t("score", "оценка"), *scores["scores_two_apart"])
    cues = [piece for cue in Cue for piece in (cue, TIGHT, CUE_WORDS[cue], ", ")]
    return (
        TITLE,
        IDEA,
        table(None, (*left(corner), *right(*titles)), [row]),
        Paragraph((ORDER, *cues[:-1], SOURCES)),
        WAYS,
    )


def values_line(
    parameters: Parameters, tracks: set[str], used: frozenset[str]
) -> tuple[Paragraph, ...]:
    """The parameters, unless the reader gave none and no section shown depends on them.

    A value that the reader gave and no section takes is left to the sections to mention.
    """
    parameters = parameters.restricted_to(used)
    shown = [name for name, parameter in PARAMETERS.items() if parameter.header]
    # The chapter's rows are mentioned only beside rows of the reader's.
    if not parameters.given & {"query", "key"}:
        shown = [name for name in shown if name not in ("query", "key")]
    own = [header_entry(name, parameters) for name in shown if name in parameters.given]
    kept = [header_entry(name, parameters) for name in shown if name not in parameters.given]
    if not own and not used and "chapter" not in tracks:
        return ()
    if not own:
        values = t(
            "The chapter's values: {kept}.",
            "Числа вычислены и проверены на вашем компьютере. Параметры примера из главы: {kept}.",
            kept=join(kept),
        )
    elif kept:
        values = t(
            "Your values: {own}. The chapter's: {kept}.",
            "Ваши параметры: {own}. Из главы: {kept}.",
            own=join(own),
            kept=join(kept),
        )
    else:
        values = t("Your values: {own}.", "Ваши параметры: {own}.", own=join(own))
    return (Paragraph((values, *((NOTE_VALUES,) if "note" in tracks else ()))),)


def with_parts(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections, each track under its name if there are two."""
    runs = [(track, tuple(run)) for track, run in groupby(sections, lambda s: track_of(s.slug))]
    if len(runs) < 2:
        return tuple(sections)
    return tuple(
        replace(section, part=None if index else PARTS[track])
        for track, run in runs
        for index, section in enumerate(run)
    )


def header_entry(name: str, parameters: Parameters) -> Phrase:
    """A parameter as the header shows it."""
    parameter = PARAMETERS[name]
    assert parameter.header is not None
    values = {
        attribute: short_value(getattr(parameters, attribute))
        for attribute in parameter.header.placeholders
    }
    word = parameter.words.get(str(getattr(parameters, name)))
    return Phrase(parameter.header, values if word is None else {**values, name: word})


def short_value(value: Any) -> Piece:
    """The value of a parameter, as short as it can be said."""
    if value is None:
        return t("of the chapter", "из главы")
    if isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return Short(value)
    return short_rows(value) if isinstance(value[0], tuple) else name_positions(value)


def short_rows(rows: Rows) -> Piece:
    """A single row itself when it is short, else how many rows there are."""
    if len(rows) == 1 and len(rows[0]) <= SHORT_ROW:
        return vector(rows[0], short=True)
    return t(
        "of {rows} x {width} numbers",
        "из {rows} × {width} чисел",
        rows=len(rows),
        width=len(rows[0]),
    )


def join(pieces: Sequence[Text | Phrase]) -> Phrase:
    """Pieces with commas between them."""
    names = [f"part{index}" for index in range(len(pieces))]
    pattern = ", ".join(f"{{{name}}}" for name in names)
    return Phrase(t(pattern, pattern), dict(zip(names, pieces, strict=True)))


def kept_values(parameters: Parameters, used: frozenset[str]) -> tuple[Block, ...]:
    """A line that says which of the reader's values a section cannot use, if there are any."""
    unused = parameters.given - used
    names = [
        parameter.name
        for name, parameter in PARAMETERS.items()
        if parameter.name and name in unused
    ]
    if not names:
        return ()
    sentence = say(
        "Your values that this section does not use: {names}.",
        "Ваши значения, которые в этом разделе не используются: {names}.",
        names=join(names),
    )
    return (sentence,)


def closing(
    sections: Sequence[Section],
    verdicts: Sequence[Verdict],
    parameters: Parameters,
    generic_rows: bool,
) -> tuple[Block, ...]:
    """The rows that sections share if they do, how to read the checks, the verdict, a way on."""
    rows = say(
        "The example rows without zeros: q = {query}, k = {key}.",
        "Строки примера без нулей: q = {query}, k = {key}.",
        query=vector(GENERIC_QUERY, short=True),
        key=vector(GENERIC_KEY, short=True),
    )
    slugs = [section.slug for section in sections]
    return (
        *((rows,) if generic_rows else ()),
        BOUNDS,
        outcome(sections, verdicts),
        way_on(slugs, parameters),
    )


def outcome(sections: Sequence[Section], verdicts: Sequence[Verdict] = ()) -> Paragraph:
    """How many checks held, and which did not."""
    nested = (section.verdicts for section in sections)
    checks = [verdict.check for group in (*nested, verdicts) for verdict in group]
    failed = [check.name for check in checks if not check.holds]
    held = len(checks) - len(failed)
    if not failed:
        return say(
            "{held} of {total} checks held.",
            "Пройдено проверок: {held} из {total}.",
            held=held,
            total=len(checks),
        )
    return say(
        "{held} of {total} checks held; {failed} FAILED: {names}.",
        "Пройдено проверок: {held} из {total}; НЕ ПРОЙДЕНО {failed}: {names}.",
        held=held,
        total=len(checks),
        failed=len(failed),
        names=", ".join(failed),
    )


def next_step(command: str, reason: Text, **values: Piece) -> Paragraph:
    """What to run next, and why; ``values`` fill the placeholders of the command."""
    return say(
        "Next: {command} ({reason}).",
        "Дальше: {command} ({reason}).",
        command=Phrase(t(command, f"{command} --lang ru"), values),
        reason=reason,
    )


def way_on(slugs: Sequence[str], parameters: Parameters) -> Block:
    """What to run after these sections; the next section takes the reader's own values as well."""
    following = next_section(slugs)
    if following is None:
        return AFTER_NOTE if slugs[-1] in TRACKS["note"] else AFTER_CHAPTER
    reason = t("the next section", "следующий раздел")
    words = f"rope-report show {following}{{options}}"
    return next_step(words, reason, options=parameters.options_typed)
