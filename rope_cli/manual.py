"""The words of the help pages in both languages, and how a page is laid out.

The floor is that of :mod:`rope_cli.words`; which commands and options there are is known to
:mod:`rope_cli.cli` alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rope_cli.words import Text

WIDTH = 79

USAGE = Text(en="Usage:", ru="Использование:")
COMMANDS_HEADING = Text(en="Commands:", ru="Команды:")
OPTIONS_HEADING = Text(en="Options:", ru="Параметры:")

# A word in capitals stands for what the user types.
METAVARS = {
    "OPTIONS": Text(en="OPTIONS", ru="ПАРАМЕТРЫ"),
    "COMMAND": Text(en="COMMAND", ru="КОМАНДА"),
    "SLUG": Text(en="SLUG", ru="РАЗДЕЛ"),
    "FILE": Text(en="FILE", ru="ФАЙЛ"),
    "DIR": Text(en="DIR", ru="КАТАЛОГ"),
}

SUMMARIES = {
    "rope-report": Text(
        en="Rotary position embeddings (RoPE), taught with numbers that are computed and checked "
        "at this moment. Without a command: show chapter.",
        ru="Ротационное позиционное кодирование (RoPE) на числах, которые вычислены и проверены "
        "прямо сейчас. Без команды: show chapter.",
    ),
    "show": Text(
        en="Print sections, named by slug or by group, in the order given.",
        ru="Напечатать разделы, названные по имени или группой, в заданном порядке.",
    ),
    "list": Text(
        en="List the sections: slug, title and the question each one asks.",
        ru="Перечислить разделы: имя, заголовок и вопрос, который задаёт раздел.",
    ),
    "check": Text(
        en="Compare every section with its golden file, byte for byte.",
        ru="Сравнить каждый раздел с его эталонным файлом, байт в байт.",
    ),
    "scaling": Text(
        en="Print how a real model turns its pairs and scales their frequencies, from its "
        "config.json (Hugging Face).",
        ru="Показать по config.json модели (Hugging Face), как она поворачивает пары и "
        "масштабирует их частоты.",
    ),
    "completion": Text(
        en="Print the script that completes commands, options and sections in a shell.",
        ru="Напечатать скрипт автодополнения команд, параметров и разделов для оболочки.",
    ),
}

DETAILS = {
    "rope-report": (
        Text(
            en="Exit codes: 0 every check holds; 1 a check or a comparison fails; 2 the input is "
            "refused, or a file cannot be read or written; 130 interrupted.",
            ru="Коды завершения: 0 — все проверки пройдены; 1 — не пройдена проверка или "
            "сравнение; 2 — ввод отклонён, либо файл нельзя прочитать или записать; "
            "130 — прервано.",
        ),
    ),
    "show": (
        Text(en="Groups: {groups}.", ru="Группы: {groups}."),
        Text(en="Sections: {slugs}.", ru="Разделы: {slugs}."),
    ),
    "check": (
        Text(
            en="Golden files are taken from --golden-dir, else from the golden directory of the "
            "checkout, else from the installed package. Exit code 1: a file differs, is missing, "
            "or belongs to no section.",
            ru="Эталонные файлы берутся из каталога --golden-dir, иначе из каталога golden рабочей "
            "копии, иначе из установленного пакета. Код завершения 1: файл отличается, отсутствует "
            "или не относится ни к одному разделу.",
        ),
    ),
    "scaling": (
        Text(
            en="Methods: default, linear, ntk, dynamic, yarn, llama3, longrope, proportional, and "
            "any share of the head; M-RoPE and axial rotation are refused. Two of them look at the "
            "length: dynamic and longrope.",
            ru="Методы: default, linear, ntk, dynamic, yarn, llama3, longrope, proportional, "
            "поворачиваться может и часть головы; M-RoPE и осевой поворот (axial) отклоняются. От "
            "длины текста зависят два метода: dynamic и longrope.",
        ),
    ),
    "completion": (
        Text(
            en='bash, zsh: eval "$(rope-report completion bash)"; '
            "fish: rope-report completion fish | source.",
            ru='bash, zsh: eval "$(rope-report completion bash)"; '
            "fish: rope-report completion fish | source.",
        ),
    ),
}

OPTIONS = {
    "--lang": Text(
        en="language; by default the variable ROPE_REPORT_LANG, else en",
        ru="язык; по умолчанию переменная ROPE_REPORT_LANG, иначе en",
    ),
    "--format": Text(en="form of the report; text by default", ru="вид отчёта; по умолчанию text"),
    "--output": Text(
        en='write to FILE (UTF-8), whole or not at all; "-" is standard output',
        ru='записать в ФАЙЛ (UTF-8): целиком или без изменений; "-" — стандартный вывод',
    ),
    "--width": Text(
        en="columns, {least} to {most}, or auto for those of the terminal; 80 by default",
        ru="число столбцов от {least} до {most}; auto — как у терминала; по умолчанию 80",
    ),
    "--color": Text(
        en="colours; auto heeds the terminal, NO_COLOR and FORCE_COLOR",
        ru="цвета; auto учитывает терминал, NO_COLOR и FORCE_COLOR",
    ),
    "--ascii": Text(
        en="draw every sign except letters in ASCII",
        ru="все знаки, кроме букв, из набора ASCII",
    ),
    "--feature-width": Text(
        en="your feature width d instead of the chapter's 4",
        ru="ваша ширина признаков d вместо 4 из главы",
    ),
    "--base": Text(
        en="your frequency base instead of the chapter's 100",
        ru="ваше основание частот вместо 100 из главы",
    ),
    "--positions": Text(
        en="your positions, as 0:3 or 0,1,7", ru="ваши позиции, например 0:3 или 0,1,7"
    ),
    "--shift": Text(en="your equal shift of all positions", ru="ваш одинаковый сдвиг всех позиций"),
    "--query": Text(
        en="your query rows: 1,0,1,0;0,1,0,1 or a .npy, .csv or .json file",
        ru="ваши строки запросов: 1,0,1,0;0,1,0,1 или файл .npy, .csv, .json",
    ),
    "--key": Text(
        en="your key rows, given in the same way", ru="ваши строки ключей, в том же виде"
    ),
    "--layout": Text(
        en="which coordinates form a pair: neighbours, or halves",
        ru="какие координаты образуют пару: соседние или из двух половин",
    ),
    "--dtype": Text(en="type of the rotated numbers", ru="тип поворачиваемых чисел"),
    "--rows": Text(
        en="summary shortens long tables, all prints every row",
        ru="summary сокращает длинные таблицы, all печатает все строки",
    ),
    "--length": Text(
        en="positions of the text, 1 to 2^53; by default the whole context of the model",
        ru="длина текста в позициях, от 1 до 2^53; по умолчанию весь контекст модели",
    ),
    "--update": Text(
        en="rewrite the golden files; refused when CI is set",
        ru="переписать эталонные файлы; недоступно, если задана переменная CI",
    ),
    "--golden-dir": Text(
        en="take the golden files from DIR",
        ru="взять эталонные файлы из каталога КАТАЛОГ",
    ),
    "--version": Text(en="print the version", ru="напечатать версию"),
    "--help": Text(en="print this page", ru="напечатать эту справку"),
}


def metavar(written: str, language: str) -> str:
    """What stands for a value in one language: ``FILE`` or ``ФАЙЛ``, ``en|ru`` in both."""
    word = written.strip("[].")
    said = METAVARS[word].said_in(language) if word in METAVARS else word
    return written.replace(word, said)


def usage(words: Iterable[str], language: str) -> str:
    """A command as it is typed: ``rope-report show [OPTIONS] SLUG...``."""
    return " ".join(metavar(word, language) for word in words)


def help_page(
    name: str,
    typed: Iterable[str],
    commands: Iterable[str],
    options: Iterable[tuple[Sequence[str], str | None]],
    language: str,
    values: Mapping[str, object],
) -> str:
    """The help of the command ``name`` in one language.

    ``typed`` are the words of its usage line, an option is its names and what it takes, and
    ``values`` fill the placeholders of the texts.
    """

    def said(text: Text) -> str:
        return text.said_in(language).format(**values)

    rows = []
    for names, takes in options:
        value = f" {metavar(takes, language)}" if takes else ""
        rows.append((", ".join(names) + value, said(OPTIONS[max(names, key=len)])))
    listed = [(command, said(SUMMARIES[command])) for command in commands]
    parts = [f"{said(USAGE)} {usage(typed, language)}", paragraph(said(SUMMARIES[name]))]
    if listed:
        parts.append(said(COMMANDS_HEADING) + "\n" + entries(listed))
    parts.append(said(OPTIONS_HEADING) + "\n" + entries(rows))
    parts.extend(paragraph(said(text)) for text in DETAILS.get(name, ()))
    return "\n\n".join(parts) + "\n"


def paragraph(text: str) -> str:
    """The text wrapped and indented by two."""
    return "\n".join("  " + line for line in wrapped(text, WIDTH - 2))


def entries(rows: Sequence[tuple[str, str]]) -> str:
    """Signs on the left and their meaning on the right."""
    margin = max(len(sign) for sign, _ in rows) + 4
    lines = []
    for sign, meaning in rows:
        first, *others = wrapped(meaning, WIDTH - margin)
        lines.append(f"  {sign}".ljust(margin) + first)
        lines.extend(" " * margin + line for line in others)
    return "\n".join(lines)


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` columns; importing textwrap would take longer than all this."""
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines
