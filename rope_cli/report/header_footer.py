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
    'their places: "dog bites man" and "man bites dog" have the same scores. So RoPE takes the '
    "coordinates of q and of k in pairs and rotates each pair by an angle proportional to the "
    "token's position: the first pair fast, the last slowly. Positions then enter the score only "
    "as n-m, key minus query. One pair, q = [1, 0] at position m, k = [0, 1] at position n, "
    "1 radian per position:",
    "Внимание сравнивает запрос q и ключ k скалярным произведением — оценкой. От мест токенов она "
    "не зависит: «рысь ест мышь» и «мышь ест рысь» для неё одно и то же. Поэтому RoPE делит "
    "координаты q и k на пары и поворачивает каждую пару на угол, пропорциональный позиции токена: "
    "первую быстро, последнюю медленно. Тогда позиции входят в оценку лишь через n-m, разность "
    "позиций ключа и запроса. Одна пара: q = [1, 0] в позиции m, k = [0, 1] в n, 1 радиан на "
    "позицию:",
)
ORDER = t(
    ". A section asks first: answer, then read on. The chapter follows a Russian textbook, the "
    "note its supplement.",
    ". Раздел начинается с вопроса: ответьте и читайте дальше. Глава — из учебника, заметка — "
    "дополнение к ней.",
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
BOUNDS = say(
    "How to read the checks: values is how many numbers were compared; tolerance is how far they "
    "may be from what they should be (≤, or exact: not at all), or how far at least one of them "
    "must be from another number (≥).",
    "Как читать проверки: «значений» — сколько чисел сравнили, «допуск» — насколько они могут "
    "отличаться от верных (≤; «точно» — ничуть) или насколько хотя бы одно из них должно "
    "отличаться от другого числа (≥).",
)
CHECKS_OF_REPORT = t(
    "The report checks itself as well: a second run computes the same, and the page says what was "
    "computed.",
    "Отчёт проверяет и сам себя: второй прогон вычисляет то же самое, а напечатано то, что "
    "вычислено.",
)
PARTS = {"chapter": t("The chapter", "Глава"), "note": t("The note", "Заметка")}


def command_line(en: str, ru: str | None = None, **values: Piece) -> Phrase:
    """A command line; the one for Russian readers asks for Russian."""
    return Phrase(t(f"rope-report {en}", f"rope-report {ru or en} --lang ru"), values)


NAMES_OF_SECTIONS = say(
    "Show a section by its name or its number: {by_name}, or {by_number}; note:1 is the first "
    "section of the note. The chapter follows a Russian textbook, the note its supplement.",
    "Раздел можно показать по имени или по номеру: {by_name} или {by_number}; первый раздел "
    "заметки — note:1. Глава — из учебника, заметка — дополнение к ней.",
    by_name=command_line("show one-pair", "show one-pair"),
    by_number=command_line("show 1", "show 1"),
)
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
ALL_QUESTIONS = Commands(
    ((t("With their questions", "Вместе с вопросами"), command_line("list --questions")),)
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
    values = own_values(parameters.restricted_to(used))
    if scores and has_four_scores(scores) and set(TRACKS["chapter"]) <= set(slugs):
        return (*first_screen(scores), *values)
    note = (NOTE,) if set(TRACKS["note"]) <= set(slugs) else ()
    return (NAME, *note, *values)


def explained(sections: Sequence[Section], opening: Sequence[Block] = ()) -> tuple[Section, ...]:
    """The sections, with what the cues and the tables of checks mean where they first stand."""
    return with_bounds(with_legends(sections, opening))


def with_legends(sections: Sequence[Section], opening: Sequence[Block]) -> tuple[Section, ...]:
    """The sections, with a legend above the first block that shows a cue not explained before."""
    known = explained_cues(opening)
    explaining = []
    for section in sections:
        blocks: list[Block] = []
        for block in section.blocks:
            known |= explained_cues([block])
            cues = tuple(cue for cue in cues_of([block]) if cue not in known)
            blocks += [Legend(cues), block] if cues else [block]
            known.update(cues)
        explaining.append(replace(section, blocks=tuple(blocks)))
    return tuple(explaining)


def cues_of(blocks: Iterable[Block]) -> tuple[Cue, ...]:
    """The cues in the lines of these blocks, in the order of the legend."""
    lines = map(pieces_of, printed_lines(blocks))
    shown = {piece for pieces in lines for piece in pieces if isinstance(piece, Cue)}
    return tuple(cue for cue in Cue if cue in shown)


def explained_cues(blocks: Iterable[Block]) -> set[Cue]:
    """The cues that stand beside their words in lines of these blocks."""
    lines = list(map(pieces_of, printed_lines(blocks)))
    return {cue for cue in Cue for pieces in lines if cue in pieces and CUE_WORDS[cue] in pieces}


def with_bounds(sections: Sequence[Section]) -> tuple[Section, ...]:
    """The sections, with a sentence above the first table of checks on how to read it."""
    first = next((section for section in sections if section.verdicts), None)
    return tuple(
        replace(section, blocks=(*section.blocks, BOUNDS)) if section is first else section
        for section in sections
    )


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
    shown = (Cue.EQUAL, Cue.LATER, Cue.EARLIER)
    cues = [piece for cue in shown for piece in (cue, TIGHT, CUE_WORDS[cue], ", ")]
    return (
        TITLE,
        IDEA,
        table(None, (*left(corner), *right(*titles)), [row]),
        Paragraph((*cues[:-1], ORDER)),
        WAYS,
    )


def own_values(parameters: Parameters) -> tuple[Block, ...]:
    """The values that the reader gave, and the width that follows from the reader's rows."""
    implied = {"feature_width"} if parameters.width_of_rows else set()
    typed = [
        header_entry(name, parameters)
        for name, parameter in PARAMETERS.items()
        if parameter.header and name in parameters.given - implied
    ]
    sentences: list[Piece] = []
    if typed:
        sentences.append(t("Your values: {own}.", "Ваши параметры: {own}.", own=join(typed)))
    if implied & parameters.given:
        width = header_entry("feature_width", parameters)
        sentences.append(t("Your rows give the {width}.", "Из ваших строк: {width}.", width=width))
    return (Paragraph(separated(sentences)),) if sentences else ()


def separated(sentences: Sequence[Piece]) -> tuple[Piece, ...]:
    """Sentences with blanks between them."""
    return tuple(piece for sentence in sentences for piece in (sentence, " "))[:-1]


def chapter_values(parameters: Parameters, used: frozenset[str], note: bool) -> tuple[Block, ...]:
    """The chapter's values that the sections used: below them, where their names are known.

    The chapter's rows are mentioned only beside rows of the reader's.
    """
    rows = {"query", "key"}
    unnamed = set() if parameters.given & used & rows else rows
    kept = [
        header_entry(name, parameters)
        for name, parameter in PARAMETERS.items()
        if parameter.header and name in used - parameters.given - unnamed
    ]
    if not kept:
        return ()
    values = t(
        "The chapter's values: {kept}.", "Параметры примера из главы: {kept}.", kept=join(kept)
    )
    return (Paragraph((values, *((NOTE_VALUES,) if note else ()))),)


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
    implied = {"feature_width"} if parameters.width_of_rows else set()
    unused = parameters.given - used - implied
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
    values: Sequence[Block],
    parameters: Parameters,
    generic_rows: bool,
) -> tuple[Block, ...]:
    """The chapter's ``values``, the rows that sections share if they do, the verdict, a way on."""
    rows = say(
        "The example rows without zeros: q = {query}, k = {key}.",
        "Строки примера без нулей: q = {query}, k = {key}.",
        query=vector(GENERIC_QUERY, short=True),
        key=vector(GENERIC_KEY, short=True),
    )
    slugs = [section.slug for section in sections]
    return (
        *values,
        *((rows,) if generic_rows else ()),
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
    places = [TRACKS["chapter"].index(slug) for slug in slugs if slug in TRACKS["chapter"]]
    if len(places) == len(slugs) <= places[-1] - places[0]:  # some were left out between these
        reason = t("questions on these sections", "вопросы к этим разделам")
        return next_step(f"rope-report predict {' '.join(str(at + 1) for at in places)}", reason)
    reason = t("the next section", "следующий раздел")
    words = f"rope-report show {following}{{options}}"
    return next_step(words, reason, options=parameters.options_typed)
