"""The words of the help pages about the classroom, in both languages."""

from __future__ import annotations

from rope_cli.text import Text

METAVARS = {
    "ANSWERS": Text(en="ANSWERS", ru="ОТВЕТЫ"),
}

SUMMARIES = {
    "predict": Text(
        en="Predict first: ask the questions of sections at the terminal, of all without a SLUG. "
        "Each answer is committed before the right one is shown.",
        ru="Сначала предскажите: задать в терминале вопросы разделов, без имени — всех. Верный "
        "ответ показывается только после вашего.",
    ),
    "mark": Text(
        en="Mark ANSWERS, the file of a student or a folder with a file for each, and say why "
        "wrong answers are wrong.",
        ru="Проверить ответы — файл ученика или каталог, где у каждого свой файл, — и объяснить "
        "неверные.",
    ),
    "figure": Text(
        en="Draw the pictures of a section into FILE.png, FILE.svg or FILE.pdf (option -o).",
        ru="Нарисовать рисунки раздела в ФАЙЛ.png, ФАЙЛ.svg или ФАЙЛ.pdf (параметр -o).",
    ),
}

DETAILS = {
    "predict": (
        Text(
            en="Keys, each followed by Enter: h hint, s show the answer, b back, q quit; Enter "
            "alone goes on. Ctrl-C and the end of the input leave with the score. Accepted: 0.5, "
            "0,5, 1/2, -5e-1; the edge of the tolerance is inclusive.",
            ru="Клавиши, после каждой Enter: h — подсказка, s — показать ответ, b — назад, q — "
            "выход; один Enter — дальше. После Ctrl-C и конца ввода печатается счёт. Допустимо: "
            "0.5, 0,5, 1/2, -5e-1; край допуска засчитывается.",
        ),
        Text(
            en="Without a terminal, with --output, and in any format but text, questions and "
            "answers are printed and nothing is asked.",
            ru="Без терминала, с --output и в любом виде, кроме text, вопросы и ответы "
            "печатаются, и программа ничего не спрашивает.",
        ),
        Text(en="Groups: {groups}.", ru="Группы: {groups}."),
    ),
    "mark": (
        Text(
            en="A file holds lines `question: value` (from # on a comment), CSV (.csv) or a JSON "
            "object (.json). The names of the questions stand in the handouts of rope-report "
            "predict; give the same SLUGs and the same --seed. Exit code 0, whatever the marks.",
            ru="Файл содержит строки «вопрос: значение» (после # — примечание), CSV (.csv) или "
            "объект JSON (.json). Имена вопросов напечатаны в листках rope-report predict; "
            "задайте те же разделы и то же --seed. Код завершения 0 при любых оценках.",
        ),
    ),
    "figure": (
        Text(en="Sections with pictures: {illustrated}.", ru="Разделы с рисунками: {illustrated}."),
        Text(
            en="matplotlib draws: pip install 'rope-report[figures]'.",
            ru="Рисует matplotlib: pip install 'rope-report[figures]'.",
        ),
    ),
}

OPTIONS = {
    "--seed": Text(
        en="fresh numbers of the same kind, the same for each N; by default those of the texts",
        ru="новые числа того же рода, одни и те же для каждого N; по умолчанию числа из текстов",
    ),
    "--handout": Text(
        en="print the questions, or the answers, as a sheet in any format, and ask nothing",
        ru="напечатать листок с вопросами или с ответами в любом виде и ничего не спрашивать",
    ),
    "--step": Text(
        en="wait for Enter after each question and each screenful (q quits); text at a terminal "
        "only",
        ru="ждать Enter после каждого вопроса и каждого экрана (q — выход); только для text в "
        "терминале",
    ),
    "--big": Text(
        en="text for a projector: two empty lines between blocks, a rule between rows",
        ru="текст для проектора: две пустые строки между частями, линия между строками таблиц",
    ),
}

OPTIONS_OF = {
    "figure": {
        "--output": Text(
            en="the file to draw into: .png, .svg or .pdf",
            ru="файл для рисунка: .png, .svg или .pdf",
        ),
    },
}
