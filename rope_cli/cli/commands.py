"""The commands: their options, their help in both languages, and what each calls.

Rooms are imported inside the functions, because help must not wait for numpy and rich.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rope_cli.cli import dialogue
from rope_cli.cli.completion import SHELLS, completion_script
from rope_cli.cli.help import PROGRAM, Group
from rope_cli.cli.options import (
    DIRECTORY,
    NAME,
    NUMBER,
    Choice,
    PathName,
    Words,
    argument,
    combine_options,
    format_option,
    lang_option,
    look_options,
    option,
    output_of,
    output_option,
    parameter_option,
    parameter_options,
    pass_output,
    printing_options,
    printing_switch,
    switch,
    write_option,
)
from rope_cli.cli.output import OutputOptions, require_choice
from rope_cli.cli.progress import progress_bar
from rope_cli.example.parameters import LIST
from rope_cli.report.tracks import GROUPS, ILLUSTRATED, NAMES, SLUGS, section_or_group
from rope_cli.text import Text
from rope_cli.user_input.command_errors import CommandRefusal, quoted, quoted_path
from rope_cli.user_input.files import write_file
from rope_cli.user_input.numbers import read_whole_number

if TYPE_CHECKING:
    from rope_cli.classroom.handout import Part
    from rope_cli.document.blocks import Document

GROUP_NAMES = Text(
    en="Groups: chapter (of a Russian textbook), note (its supplement), all.",
    ru="Группы: chapter (глава учебника), note (заметка, дополнение к ней), all (всё).",
)
SECTIONS = Text(en="SECTION...", ru="РАЗДЕЛ...")
ANY_SECTIONS = Text(en="[SECTION...]", ru="[РАЗДЕЛ...]")
NUMBERS = Text(
    en="Give a section by its name or its number: 3 is the third of the chapter, note:3 that of "
    "the note.",
    ru="Раздел задаётся именем или номером: 3 — третий раздел главы, note:3 — третий раздел "
    "заметки.",
)


class NoFigureFile(CommandRefusal):
    """A figure without a file to draw it into."""

    kind = "no-figure-file"
    SENTENCE = Text(
        en="the figure of {slug} needs a file; accepted: -o FILE.png, -o FILE.svg or -o FILE.pdf",
        ru="для рисунка {slug} нужен файл; допустимо: -o ФАЙЛ.png, -o ФАЙЛ.svg или -o ФАЙЛ.pdf",
    )


class CsvOfSections(CommandRefusal):
    """Sections as CSV, a form that only the glossary has."""

    kind = "csv-of-sections"
    SENTENCE = Text(
        en="--format csv can hold only the terms of the glossary, but {sections} is asked for; "
        "accepted: show glossary --format csv, or another --format",
        ru="--format csv содержит только термины раздела «glossary», а запрошено {sections}; "
        "допустимо: show glossary --format csv или другой --format",
    )


class NothingScaled(CommandRefusal):
    """A config whose frequencies are not scaled, so that there are no two curves to draw."""

    kind = "nothing-scaled"
    SENTENCE = Text(
        en="nothing is scaled in {path}, so there is no picture; accepted: a config with scaling",
        ru="в {path} масштабирования нет, поэтому нет и рисунка; допустимо: конфигурация с "
        "масштабированием",
    )


class FigureOfGroup(CommandRefusal):
    """A figure of several sections."""

    kind = "figure-of-group"
    SENTENCE = Text(
        en="a figure shows one section, but {slug} is a group; accepted: {accepted}",
        ru="рисунок строится для одного раздела, а {slug} — группа; допустимо: {accepted}",
    )


@click.command(
    PROGRAM,
    cls=Group,
    invoke_without_command=True,
    default=("show", "chapter"),
    others={"help": "-h", **{name: f"show {name}" for name in NAMES}},
    summary=Text(
        en="Rotary position embeddings (RoPE), taught with numbers that are computed and checked "
        "on the spot. Without a command it does what show chapter does, with the same options.",
        ru="Ротационное позиционное кодирование (RoPE) на числах, которые вычисляются и "
        "проверяются при каждом запуске. Без команды — то же, что show chapter, с теми же "
        "параметрами.",
    ),
    details=(
        Text(
            en="Exit codes: 0 all checks hold; 1 a check fails, or a comparison finds a "
            "difference; 2 the input is refused, or a file cannot be read or written; 130 "
            "interrupted.",
            ru="Код завершения: 0 — все проверки пройдены; 1 — проверка не пройдена или "
            "сравнение нашло отличие; 2 — ввод отклонён, либо файл нельзя прочитать или "
            "записать; 130 — прервано.",
        ),
    ),
)
@printing_options
@click.pass_context
def rope_report(ctx: click.Context, /) -> int:
    """Show the chapter where no command is given."""
    if ctx.invoked_subcommand is not None:
        return 0
    from rope_cli.report import build

    output = output_of(ctx)
    return output.print(with_questions(output, build.build(["chapter"])))


def with_questions(output: OutputOptions, document: Document) -> Document:
    """The document, for the page with questions about its sections."""
    if output.format != "html":
        return document
    from rope_cli.classroom.workbook import with_workbook

    return with_workbook(document)


@rope_report.command(
    "show",
    summary=Text(
        en="Print sections and groups of sections, in the order given.",
        ru="Напечатать разделы и группы разделов в заданном порядке.",
    ),
    details=(
        NUMBERS,
        GROUP_NAMES,
        Text(en=f"Sections: {', '.join(SLUGS)}.", ru=f"Разделы: {', '.join(SLUGS)}."),
        Text(
            en="show glossary --format csv prints the terms in both languages, for a spreadsheet.",
            ru="show glossary --format csv печатает термины на обоих языках для электронной "
            "таблицы.",
        ),
    ),
)
@argument("slugs", takes=SECTIONS, nargs=-1, required=True, type=Words(*NAMES))
@parameter_options
@switch(
    "--step",
    en="wait for Enter after each question and each screenful (q quits); on a terminal, text only",
    ru="ждать Enter после каждого вопроса и каждого экрана (q — выход); только в терминале и "
    "в формате text",
)
@printing_switch(
    "--big",
    en="for a projector: two empty lines between blocks, a rule between rows; text only",
    ru="для проектора: две пустые строки между частями, линия между строками таблиц; только в "
    "формате text",
)
@printing_switch(
    "--open",
    en="the page with nothing folded; html only",
    ru="страница, на которой всё развёрнуто; только в формате html",
)
@lang_option
@format_option("csv")
@write_option
@look_options
@pass_output
def show(output: OutputOptions, slugs: tuple[str, ...], step: bool, **values: str | None) -> int:
    """Compute and print sections with the values that the reader gives."""
    slugs = tuple(map(section_or_group, slugs))
    if output.format == "csv":
        return print_terms(output, slugs)
    from rope_cli.example.user_values import parameters_from
    from rope_cli.report import build

    document = with_questions(output, build.build(slugs, parameters_from(values)))
    if step:
        return dialogue.print_in_steps(output, document)
    return output.print_report(dialogue.with_step_hint(output, document))


def print_terms(output: OutputOptions, slugs: tuple[str, ...]) -> int:
    """Print the glossary as CSV."""
    if set(slugs) != {"glossary"}:
        raise CsvOfSections(sections=quoted(" ".join(slugs)))
    from rope_cli.document.terms import terms_csv

    text = terms_csv()
    output.deliver(lambda ascii_only: text, escape_letters=True)
    return 0


seed_option = option(
    "--seed",
    takes="N",
    en="use other numbers of the same kind; the same N always gives the same ones; by default "
    "those of the chapter and the note",
    ru="другие числа того же рода, для одного N всегда одни и те же; по умолчанию числа из главы "
    "и заметки",
)


def read_seed(text: str | None) -> int | None:
    """The seed; ``None`` keeps the chapter's numbers."""
    return None if text is None else read_whole_number("--seed", text)


@rope_report.command(
    "predict",
    summary=Text(
        en="Predict first: answer the questions of some sections, or of all, at the terminal. The "
        "right answer is shown only after yours.",
        ru="Предсказать и проверить себя: ответить в терминале на вопросы названных разделов или "
        "всех. Верный ответ показывается только после вашего.",
    ),
    details=(
        Text(
            en="Keys, each followed by Enter: h hint, s show the answer, b back, q quit; Enter "
            "alone goes on. Ctrl-C and the end of the input quit as well, and the score is "
            "still shown. A number may be written 0.5, 0,5, 1/2 or -5e-1; it counts as right "
            "if its error is at most the tolerance.",
            ru="Клавиши, после каждой Enter: h — подсказка, s — показать ответ, b — назад, q — "
            "выход; просто Enter — дальше. После Ctrl-C и в конце ввода тоже печатается число "
            "верных ответов. Числа записывают так: 0.5, 0,5, 1/2, -5e-1; ответ верен, если "
            "ошибка не больше допуска.",
        ),
        Text(
            en="Without a terminal, with --output, and in any format but text, questions and "
            "answers are printed and nothing is asked.",
            ru="Вне терминала, с --output и в любом формате, кроме text, вопросы и ответы "
            "печатаются, а программа ничего не спрашивает.",
        ),
        Text(
            en="--format gift prints the questions, their tolerances and the reasons for "
            "typical mistakes, for Moodle and other course systems.",
            ru="--format gift печатает вопросы, допустимые отклонения и объяснения типичных ошибок "
            "для Moodle и других учебных систем.",
        ),
        NUMBERS,
        GROUP_NAMES,
    ),
)
@argument("slugs", takes=ANY_SECTIONS, nargs=-1, type=Words(*NAMES))
@seed_option
@option(
    "--handout",
    type=Choice("questions", "answers"),
    en="print the questions, or the answers, as a sheet in any format, and ask nothing",
    ru="напечатать лист с вопросами или с ответами в любом формате, ничего не спрашивая",
)
@option(
    "--progress",
    takes=Text(en="FILE", ru="ФАЙЛ"),
    type=PathName(),
    en="keep the answers in FILE, which mark can read, and continue where it ends",
    ru="сохранять ответы в ФАЙЛ (его читает и mark) и в следующий раз продолжать с того же места",
)
@option(
    "--again",
    is_flag=True,
    en="ask only what has no right answer in the file of --progress",
    ru="задавать только те вопросы, на которые в файле --progress нет верного ответа",
)
@lang_option
@format_option("gift")  # for Moodle and other course systems
@write_option
@look_options
@pass_output
def predict(
    output: OutputOptions,
    slugs: tuple[str, ...],
    seed: str | None,
    handout: Part | None,
    progress: str | None,
    again: bool,
) -> int:
    """Ask at a terminal; elsewhere, and for a handout, print."""
    from rope_cli.classroom.handout import HandoutRequest, gift, report
    from rope_cli.classroom.selection import select_questions

    number = read_seed(seed)
    if output.format == "gift":
        text = gift(HandoutRequest(slugs, number), output.language)
        output.deliver(lambda ascii_only: text, escape_letters=True)
        return 0
    if progress is not None or again:
        return ask_with_progress(output, slugs, number, handout, progress, again)
    if handout is None and dialogue.can_ask(output):
        return dialogue.ask(output, select_questions(slugs, number))
    return output.print(report(HandoutRequest(slugs, number, handout)))


def ask_with_progress(
    output: OutputOptions,
    slugs: tuple[str, ...],
    seed: int | None,
    handout: Part | None,
    path: str | None,
    again: bool,
) -> int:
    """Ask at a terminal what the file leaves open.

    Raises ``NeedsProgress``, ``NeedsTerminal``, ``OtherSeed`` and ``CannotRead``.
    """
    from rope_cli.classroom.kept_answers import NeedsProgress, NeedsTerminal, read_progress
    from rope_cli.classroom.selection import select_questions

    if path is None:
        raise NeedsProgress
    if handout is not None or not dialogue.can_ask(output):
        raise NeedsTerminal
    progress = read_progress(path, seed, again)
    return dialogue.ask(output, select_questions(slugs, progress.seed), progress)


@rope_report.command(
    "mark",
    summary=Text(
        en="Mark ANSWERS, the file of a student or a folder with a file for each student, and "
        "explain the wrong answers.",
        ru="Проверить ответы — файл ученика или каталог, где у каждого ученика свой файл, — и "
        "объяснить неверные.",
    ),
    details=(
        Text(
            en="A file holds lines `question: value` (what follows a # is a comment), CSV (.csv) "
            "or a JSON object (.json). The names of the questions are on the sheets that "
            "rope-report predict --handout prints; give the same sections and the same --seed. "
            "The exit code is 0 whatever the marks.",
            ru="Файл с ответами — это строки «вопрос: значение» (после # — примечание), CSV (.csv) "
            "или объект JSON (.json). Имена вопросов стоят на листах, которые печатает "
            "rope-report predict --handout; задайте те же разделы и --seed. Код завершения 0 при "
            "любых ответах.",
        ),
    ),
)
@argument("answers", takes=Text(en="ANSWERS", ru="ОТВЕТЫ"), required=True, type=PathName())
@argument("slugs", takes=ANY_SECTIONS, nargs=-1, type=Words(*NAMES))
@seed_option
@option(
    "--encoding",
    takes=NAME,
    en="encoding of the files of answers; by default UTF-8 or UTF-16, otherwise cp1251 if that "
    "yields Cyrillic words, else cp1252",
    ru="кодировка файлов с ответами; по умолчанию UTF-8 или UTF-16, иначе cp1251, "
    "если в ней получаются русские слова, а если нет — cp1252",
)
@lang_option
@format_option("csv")  # a table for the teacher's own spreadsheet
@write_option
@look_options
@pass_output
def mark(
    output: OutputOptions,
    answers: str,
    slugs: tuple[str, ...],
    seed: str | None,
    encoding: str | None,
) -> int:
    """Mark a file of answers, or a folder of them."""
    from rope_cli.classroom.mark import MarkRequest, marks_csv, report

    request = MarkRequest(answers, slugs, read_seed(seed), encoding)
    if output.format != "csv":
        return output.print(report(request))
    text = marks_csv(request, output.language)
    output.deliver(lambda ascii_only: text, escape_letters=True)
    return 0


@rope_report.command(
    "figure",
    summary=Text(
        en="Save the pictures of a section, or of a model's CONFIG.json, to FILE.png, FILE.svg or "
        "FILE.pdf (option -o).",
        ru="Сохранить рисунки раздела или конфигурации модели (CONFIG.json) в ФАЙЛ.png, ФАЙЛ.svg "
        "или ФАЙЛ.pdf (параметр -o).",
    ),
    details=(
        Text(
            en=f"Sections with pictures: {', '.join(ILLUSTRATED)}.",
            ru=f"Разделы с рисунками: {', '.join(ILLUSTRATED)}.",
        ),
        Text(
            en=".png and .pdf need matplotlib: pip install 'rope-report[figures]'.",
            ru="Для .png и .pdf нужна библиотека matplotlib: pip install 'rope-report[figures]'.",
        ),
    ),
)
@argument("slug", takes=Text(en="SECTION", ru="РАЗДЕЛ"), required=True, type=Words(*ILLUSTRATED))
@lang_option
@output_option(
    en="the file to save to: .png, .svg or .pdf", ru="файл для рисунков: .png, .svg или .pdf"
)
@pass_output
def figure(output: OutputOptions, slug: str) -> int:
    """Draw the pictures of a section, or of a config, into a file."""
    if slug.lower().endswith(".json"):
        return figure_of_config(output, slug)
    slug = section_or_group(slug)
    if slug in GROUPS:
        raise FigureOfGroup(slug=quoted(slug), accepted=", ".join(ILLUSTRATED))
    if output.output == "-":
        raise NoFigureFile(slug=quoted(slug))
    from rope_cli.report.figure import figure

    figure(slug, output.output, output.language)
    return 0


def figure_of_config(output: OutputOptions, path: str) -> int:
    """Draw the frequencies of a model before and after scaling into a file."""
    from rope_cli.report.figure import pictures_in, save_pictures
    from rope_cli.scaling.report import report

    if output.output == "-":
        raise NoFigureFile(slug=quoted(path))
    pictures = pictures_in(report(path).sections)
    if not pictures:
        raise NothingScaled(path=quoted_path(path))
    save_pictures(pictures, output.output, output.language)
    return 0


@rope_report.command(
    "list",
    summary=Text(
        en="List the sections of the chapter and of the note: number, title and name, a line each.",
        ru="Перечислить разделы главы и заметки, по строке на каждый: номер, заголовок и имя.",
    ),
)
@switch(
    "--questions",
    en="the question of each section too; json always has it",
    ru="вместе с вопросом каждого раздела; в формате json он есть всегда",
)
@printing_options
@pass_output
def list_sections(output: OutputOptions, questions: bool) -> int:
    """Print slugs and titles, and the questions where they are wanted."""
    from rope_cli.report.build import contents, listing

    short = not questions and output.format in ("text", "markdown", "html")
    return output.print(contents() if short else listing())


@rope_report.command(
    "check",
    summary=Text(
        en="Compare every section with its golden file, byte for byte.",
        ru="Сравнить каждый раздел с его эталонным файлом, байт в байт.",
    ),
    details=(
        Text(
            en="Golden files are taken from --golden-dir, else from the directory golden of the "
            "checkout, else from the installed package. Exit code 1: a file differs, is missing, "
            "or belongs to no section.",
            ru="Эталонные файлы берутся из каталога --golden-dir, иначе из каталога golden рабочей "
            "копии, иначе из установленного пакета. Код завершения 1: файл отличается, "
            "отсутствует или не относится ни к одному разделу.",
        ),
    ),
)
@switch(
    "--update",
    en="rewrite the golden files; refused when CI is set",
    ru="переписать эталонные файлы; недоступно, если задана переменная CI",
)
@option(
    "--golden-dir",
    takes=DIRECTORY,
    type=PathName("dir"),
    en="the directory of the golden files",
    ru="каталог эталонных файлов",
)
@switch(
    "--verbose",
    en="list every file, the unchanged ones too",
    ru="перечислить все файлы, и совпавшие тоже",
)
@printing_options
@pass_output
def check(output: OutputOptions, update: bool, golden_dir: str | None, verbose: bool) -> int:
    """Compare with the golden files, or rewrite them first."""
    from rope_cli.report.golden import find_directory
    from rope_cli.report.golden_report import report

    output.protect([find_directory(golden_dir).path])
    return output.print(report(golden_dir, update, verbose))


part_option = option(
    "--part",
    takes=NAME,
    en="object of the config that holds the model, such as llm_config or "
    "thinker_config.text_config; by default the language model",
    ru="объект конфигурации, в котором описана модель, например llm_config или "
    "thinker_config.text_config; по умолчанию языковая модель",
)


@rope_report.command(
    "scaling",
    summary=Text(
        en="Show how a real model rotates its pairs and scales their frequencies, from its "
        "config.json (Hugging Face).",
        ru="Показать по config.json модели (Hugging Face), как она поворачивает пары и "
        "масштабирует их частоты.",
    ),
    details=(
        Text(
            en="With two files it says what differs, which pairs rotate at different frequencies, "
            "and at what distance between two tokens this begins to matter; the exit code is 1 "
            "if the two models rotate differently.",
            ru="Если задать два файла, будет показано, чем они отличаются, у каких пар другая "
            "частота и с какого расстояния между токенами это заметно; код завершения 1, если "
            "поворот у них разный.",
        ),
        Text(
            en="Methods: default, linear, ntk, dynamic, yarn, llama3, longrope, proportional; a "
            "part of the head may be rotated. M-RoPE is read as ordinary RoPE, for text alone; "
            "axial rotation is refused. Two methods depend on the length of the sequence: dynamic "
            "and longrope.",
            ru="Методы: default, linear, ntk, dynamic, yarn, llama3, longrope, proportional; "
            "поворачиваться может и часть головы. M-RoPE читается как обычное RoPE, то есть только "
            "для текста; осевой поворот (axial) отклоняется. От длины последовательности зависят "
            "два метода: dynamic и longrope.",
        ),
    ),
)
@argument("config", takes="CONFIG.json", required=True, type=PathName())
@argument("other", takes="[OTHER.json]", required=False, type=PathName())
@option(
    "--length",
    takes="N",
    en="length of the sequence in tokens, 1 to 2^53; by default the whole context of the model",
    ru="длина последовательности в токенах, от 1 до 2^53; по умолчанию весь контекст модели",
)
@part_option
@parameter_option("every_row")
@printing_options
@pass_output
def scaling(
    output: OutputOptions,
    config: str,
    other: str | None,
    length: str | None,
    part: str | None,
    rows: str | None,
) -> int:
    """Print how the model of a configuration rotates its pairs, or how two of them differ."""
    from rope_cli.scaling import report, two_models_report

    positions = None if length is None else read_whole_number("--length", length, least=1)
    every_row = rows == "all"
    if other is None:
        return output.print(report.report(config, positions, every_row, part))
    return output.print(two_models_report.report((config, other), positions, every_row, part))


# What both verify and vectors take.
model_options = combine_options(
    option(
        "--config",
        takes="CONFIG.json",
        type=PathName(),
        en="take width, base and scaling from the config.json of a model",
        ru="взять ширину, основание и масштабирование из config.json модели",
    ),
    part_option,
    option(
        "--layer-type",
        takes=NAME,
        en="type of the layers, if the config scales several types differently",
        ru="тип слоёв, если в конфигурации разные типы масштабируются по-разному",
    ),
)
base_option = option(
    "-b",
    "--base",
    takes=NUMBER,
    en="base of the frequencies, 10000 by default",
    ru="основание частот, по умолчанию 10000",
)


@rope_report.command(
    "verify",
    summary=Text(
        en="Tell whether saved arrays were rotated by RoPE, by which variant of it, and if not, "
        "what went wrong. FILE is a .npz or .json with input and output; or give two files.",
        ru="Определить, получены ли сохранённые массивы поворотом RoPE, каким его вариантом, а "
        "если нет, то в чём ошибка. ФАЙЛ — .npz или .json с массивами input и output; можно "
        "задать и два файла.",
    ),
    details=(
        Text(
            en="The arrays may also be named query and rotated_query, or key and rotated_key; "
            "positions, of shape [tokens] or [batch, tokens], may be stored with them. A "
            "table is checked too: cos and sin, or cos_sin_cache. Without --axes, verify "
            "looks for the tokens on the last axis but one and on the axis before it. "
            "Without --config and --base it takes the base 10000; without --layout it "
            "accepts either layout.",
            ru="Массивы могут называться и query, rotated_query или key, rotated_key; рядом могут "
            "лежать позиции: positions формы [токены] или [пакет, токены]. Проверяется и таблица: "
            "cos и sin либо cos_sin_cache. Без --axes токены "
            "ищутся на предпоследней оси и на оси перед ней. Без --config и --base основание "
            "равно 10000; без --layout подходит любая раскладка.",
        ),
        Text(
            en="Exit codes: 0 the arrays agree, 1 they differ, 2 the input is refused.",
            ru="Код завершения: 0 — массивы соответствуют RoPE, 1 — не соответствуют, 2 — ввод "
            "отклонён.",
        ),
    ),
)
@argument(
    "files",
    takes=Text(en="FILE...", ru="ФАЙЛ..."),
    nargs=-1,
    required=True,
    type=PathName(),
)
@model_options
@option(
    "--length",
    takes="N",
    en="length of the sequence, for scaling that depends on it; by default up to the last token",
    ru="длина последовательности, если от неё зависит масштабирование; по умолчанию до "
    "последнего токена",
)
@option(
    "-d",
    "--feature-width",
    takes="N",
    en="how many coordinates are rotated",
    ru="сколько координат поворачивается",
)
@base_option
@parameter_option("layout")
@option(
    "--first-feature",
    takes="N",
    en="first rotated coordinate, if it is not the first of the head; by default 0",
    ru="первая поворачиваемая координата, если перед ней стоят другие; по умолчанию 0",
)
@option(
    "--positions",
    takes=LIST,
    en="positions of the tokens, such as 0:16 or 0,1,7; by default those in the file, else those "
    "from 0 on",
    ru="позиции токенов, например 0:16 или 0,1,7; по умолчанию из файла, иначе подряд от 0",
)
@option(
    "--offset",
    takes="N",
    en="position of the first token; the others follow it",
    ru="позиция первого токена; остальные следуют за ней подряд",
)
@option(
    "--axes",
    takes=Text(en="NAMES", ru="ИМЕНА"),
    en="names of the axes, such as batch,tokens,heads,features",
    ru="имена осей, например batch,tokens,heads,features",
)
@option(
    "--dtype",
    takes=Text(en="DTYPE", ru="ТИП"),
    type=Choice("float64", "float32", "float16", "bfloat16"),
    en="type in which the numbers were computed: float64, float32, float16 or bfloat16, which may "
    "be stored as its bits in uint16",
    ru="тип, в котором вычислены числа: float64, float32, float16 или bfloat16, который может "
    "храниться как биты в uint16",
)
@option(
    "--tolerance",
    takes=NUMBER,
    en="largest error accepted, as a share of the length of a pair; by default that of the dtype",
    ru="допуск в долях длины пары; по умолчанию его определяет тип чисел",
)
@option(
    "--input-name",
    takes=NAME,
    en="name of the array before the rotation",
    ru="имя массива до поворота",
)
@option(
    "--output-name",
    takes=NAME,
    en="name of the array after the rotation",
    ru="имя массива после поворота",
)
@switch(
    "--backward",
    en="the arrays are adjoints: expect the transposed rotation",
    ru="массивы — сопряжённые величины, поворот должен быть транспонированным",
)
@switch(
    "--frequencies",
    en="FILE is a plain list of inverse frequencies",
    ru="ФАЙЛ — список частот пар (в коде их называют обратными)",
)
@parameter_option("every_row")
@printing_options
@pass_output
def verify(output: OutputOptions, **request: Any) -> int:
    """Compare arrays, or a list of frequencies, with what is expected, and say what is wrong."""
    from rope_cli.verify.read.request import request_from
    from rope_cli.verify.report import report

    return output.print(report(request_from(request), progress_bar()))


@rope_report.command(
    "vectors",
    summary=Text(
        en="Write reference vectors for testing any implementation: inputs, tables, rotated "
        "outputs and adjoints, in both layouts.",
        ru="Записать эталонные векторы для проверки любой реализации: входы, таблицы, повёрнутые "
        "выходы и сопряжённые величины, в обеих раскладках.",
    ),
    details=(
        Text(
            en="A FILE that ends in .npz holds arrays with all their bits; one that ends in "
            ".json, and standard output, hold JSON.",
            ru="В ФАЙЛ с окончанием .npz записываются массивы со всеми битами, в ФАЙЛ с "
            "окончанием .json и в стандартный вывод — JSON.",
        ),
    ),
)
@model_options
@option(
    "--length",
    takes="N",
    en="length of the sequence, for scaling that depends on it; by default up to the last position",
    ru="длина последовательности, если от неё зависит масштабирование; по умолчанию до "
    "последней позиции",
)
@option(
    "-d",
    "--feature-width",
    takes="N",
    en="width of the rows, 8 by default",
    ru="ширина строк, по умолчанию 8",
)
@base_option
@option(
    "--positions",
    takes=LIST,
    en="positions of the tokens, such as 0:16 or 0,1,7; by default 5–9, 12, 200, 201",
    ru="позиции токенов, например 0:16 или 0,1,7; по умолчанию 5–9, 12, 200, 201",
)
@lang_option
@write_option
@pass_output
def vectors(output: OutputOptions, **request: str | None) -> int:
    """Write reference vectors, as .npz if the file is named so, else as JSON."""
    from rope_cli.verify import reference_vectors as reference

    reference.refuse_other_suffix(output.output)
    expected, positions = reference.expected_and_positions(request)
    arrays = reference.vectors_from(expected, positions)
    if output.output.lower().endswith(".npz"):
        write_file(output.output, reference.as_npz(arrays))
    else:
        output.deliver(lambda ascii_only: reference.as_json(arrays))
    return 0


@rope_report.command(
    "completion",
    summary=Text(
        en="Print the script that completes commands, options and sections in a shell.",
        ru="Напечатать скрипт автодополнения команд, параметров и разделов для оболочки.",
    ),
    details=(
        Text(
            en='bash, zsh: eval "$(rope-report completion bash)"; '
            "fish: rope-report completion fish | source.",
            ru='bash, zsh: eval "$(rope-report completion bash)"; '
            "fish: rope-report completion fish | source.",
        ),
    ),
)
@argument("shell", takes="|".join(SHELLS), required=True, type=Words(*SHELLS))
@lang_option
@write_option
@pass_output
def completion(output: OutputOptions, shell: str) -> int:
    """Print the completion script of a shell."""
    script = completion_script(rope_report, require_choice(SHELLS, "completion", shell))
    output.deliver(lambda ascii_only: script)
    return 0
