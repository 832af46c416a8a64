"""Answers as people write them, in the files that their programs make: fair marks."""

import csv
import html
import io
import random
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any, cast

import pytest

from rope_cli.classroom import handout
from rope_cli.classroom.answers import judge
from rope_cli.classroom.encodings import UnknownEncoding
from rope_cli.classroom.handout import HandoutRequest
from rope_cli.classroom.mark import MarkRequest, as_csv, report
from rope_cli.classroom.marks import NoAnswers, StudentMarks, mark_files
from rope_cli.classroom.question import Wrong
from rope_cli.classroom.question_names import IDS, split_line
from rope_cli.classroom.questions import questions_with
from rope_cli.classroom.selection import select_questions
from rope_cli.document import formatting
from rope_cli.document.blocks import Line, Table
from rope_cli.renderers import render
from rope_cli.user_input.command_errors import CannotRead

QUESTIONS = questions_with()
BY_ID = {question.id: question for question in QUESTIONS}


def marks_of(
    path: Path, seed: int | None = None, encoding: str | None = None
) -> tuple[StudentMarks, ...]:
    """The marks of a file or a folder."""
    return mark_files(str(path), questions_with, seed, encoding)


def remarks(student: StudentMarks) -> list[str]:
    """The remarks on a student in English."""
    return [formatting.format_line(line, "en").replace("\u00a0", " ") for line in student.problems]


# A number as people write it, a habit a line: {p} with a point, {c} with a comma, {s} with a minus
# of its own, {e} with an e, {m} and {k} its parts in a product with a power of ten, {g} with its
# decimals in threes.
HABITS = """
{p}
{c}
{s}
{p}.
{c};
{c} .
{p} !
{p}?
{p}...
{c}…
= {p}
={c}
≈ {p}
≈{c}
~{p}
≅ {p}
=> {p}
-> {p}
→ {c}
⇒ {p}
x = {p}
x = {c}.
s≈{p}
q·k = {p} ≈ {p}
cos 1 + … = {c}
{e}
{E}
{m}·10^{k}
{mc}·10^{k}
{m}*10^({k})
{m}*10**{k}
{m} x 10^{k}
{mc} х 10^{k}
{m}×10{up}
{mc} · 10{up}
{m} 10^{k}
{m}\\cdot 10^{{{k}}}
${p}$
$\\approx {p}$
\\( {p} \\)
{g}
"{p}"
'{p}'
“{p}”
«{c}»
`{p}`
**{p}**
_{p}_
({p})
[{p}]
______{p}______
{p} 👍
👉 {c}
🤔 {p} 🙂🙂
✅{p}
{p} ❗️
about {p}
approx. {p}
Roughly {p}
I think {p}
I think it is {p}
Answer: {p}
answer = {p}
Ans. {p}
My answer is {p}
Ответ: {c}
ответ {c}
Ответ — {c}
Отв.: {c}
мой ответ {c}
Получилось {c}
Получается ≈ {c}
Примерно {c}
около {c}
где-то {c}
{p} (approx)
{c} (примерно)
{c} (это приблизительно)
{p} (3 digits)
{p} (= the sum)
{p} ({p})
{p} approximately
{p} I think
{c}, наверное
{c}, кажется
{c} с округлением
{p} ± 0.0001
{c} +- 0,0001
- {abs}
минус {abs}
minus {abs}
➖{abs}
−{abs}
–{abs}
"""


def spellings(value: float) -> list[str]:
    """A number in every habit; those with a minus of their own for a negative one alone."""
    digits = f"{value:.6f}"
    mantissa, exponent = f"{value:.6e}".split("e")
    power = str(int(exponent))
    whole, _, decimals = digits.partition(".")
    parts = {
        "p": digits,
        "c": digits.replace(".", ","),
        "s": digits.replace("-", "\u2212"),
        "e": f"{value:.6e}",
        "E": f"{value:.6E}".replace(".", ","),
        "m": mantissa,
        "mc": mantissa.replace(".", ","),
        "k": power,
        "up": power.translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")),
        "g": f"{whole},{decimals[:3]}\u2009{decimals[3:]}",
        "abs": digits.removeprefix("-"),
    }
    habits = (habit for habit in HABITS.splitlines() if habit)
    return [habit.format(**parts) for habit in habits if "{abs}" not in habit or value < 0]


def test_right_value_is_right_in_any_spelling() -> None:
    """Every numeric question of both tracks in every habit, with two seeds."""
    judged = 0
    for seed in (None, 1):
        for question in questions_with(seed):
            for text in () if question.kind == "choice" else spellings(question.answer):
                judged += 1
                assert judge(question, text).right, (question.id, text)
    assert judged >= 2 * 40 * 80


def test_wrong_value_is_wrong_in_any_spelling() -> None:
    """Every typical mistake, and its reason is the one that the plain number has."""
    for question in QUESTIONS:
        for mistake in () if question.kind == "choice" else question.wrong:
            for text in spellings(mistake.value):
                judgement = judge(question, text)
                assert not judgement.right, (question.id, text)
                assert judgement.reason == mistake.reason, (question.id, text)


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        (
            "one-pair-2",
            "sin 1|sin(1)|Sin 1 = 0.841|sin(1 rad)|sin(1 рад)|sin 57.2958°|sin(57,2958 градусов)"
            "|0{,}841|\\sin(57.2958^\\circ)|\\sin 57.2958^{\\circ}|плюс 0,841|0.841 (?!)"
            "|0.841. (ok)."
            "|\\sin 1|$\\sin(1)$|синус 1|0,841 (это sin 1)|sin 1 (0.841)|0.841 (sin 1)|84,15%",
            "cos 1|cos(1 рад)|-sin 1|\\cos 1|косинус 1|0,54 (это cos 1)|минус sin 1|sin 1°|sin 2",
        ),
        (
            "frequencies-1",
            "0,1 рад|0.1 rad/pos|0.1 rad/pos.|0,1 радиана за позицию|0,1 рад./поз.|1/10|10⁻¹|10^-1"
            "|10^{-1}|10**-1|1:10|\\frac{1}{10}|100^(-1/2)|1/√100|1/sqrt(100)|10 в степени -1"
            "|1·10-1",
            "0,01 рад|10 рад/поз|10^1|1/100|10⁻²|1:100|\\frac{1}{100}|100^-1|0,1°|5,73°"
            "|5,73° за позицию",
        ),
        (
            "frequencies-2",
            "20π|20 π|20*pi|20 пи|20\\pi|2π/0.1|2*3.14159/0,1|62.8 positions|62,8 позиций"
            "|~62.83 pos."
            "|примерно 62,83 позиции|20π ≈ 62,8|62.8319 tokens|62,8 токена|20π (62.83)|20·3,14159",
            "10π|31,4 позиции|2π|6.28 positions|3600 positions|10 пи|10\\pi",
        ),
        (
            "visibility-1",
            "1/4|¼|0,25|25%|25 %|1:4|\\frac14|\\frac{1}{4}|2^-2|1/(3+1)|0.25 (1/4)|1/4 = 0,25",
            "1/6|1/3|33.3%|16,7 %|1:3|1|100%",
        ),
        (
            "dense-vs-pairs-1",
            "256|256 умножений|256 multiplications|256 операций|4*64|"
            "2·128|4·64 = 256|2^8|256.|256 шт.|256x|x256|×256",
            "128|512 умножений|128²|16384|16 384|64 multiplications|2^7",
        ),
        (
            "norms-1",
            "√5.8125|корень из 5,8125|квадратный корень из 5,8125|корень 5,8125|the root of 5.8125"
            "|square root of 5.8125|sqrt 5.8125|\\sqrt{5.8125}|5.8125^0.5|5,8125^{1/2}"
            "|2.41 (√5.8125)",
            "5,8125|корень из 5|square root of 6|5.8125^2|√5",
        ),
        ("expectation-1", "0|0.0|-0|ноль|нуль|zero|0,000|0/5", "4|2|1/2|0,5|one = 1"),
        (
            "order-1",
            "2|2)|(2)|2.|№2|№ 2|line 2|Line 2.|строка 2|вариант 2|Ответ: 2|answer 2|2️⃣|②|2-й|2-я|2nd"
            "|второй|Вторая строка|second|The second one|second line|2 👍|👉 2|2 (наверное)|**2**"
            "|they move along with the tokens|2) переставятся вместе с токенами.",
            "1|3)|вариант 1|первый|third|№3|1️⃣|the first|1-й вариант|изменятся их значения",
        ),
    ],
)  # fmt: skip
def test_each_question_in_its_own_ways(name: str, right: str, wrong: str) -> None:
    """Roots, sines, fractions, units, ordinals; a wrong one in the same way is read and wrong."""
    for text in right.split("|"):
        assert judge(BY_ID[name], text).right, text
    for text in wrong.split("|"):
        judgement = judge(BY_ID[name], text)
        assert judgement.value is not None, text
        assert not judgement.right, text


@pytest.mark.parametrize(
    "text",
    ["not 0.841", "не 0,841", "это не 0,841", "0.841 or 0.54", "±0.841", "0.841 thousand", "half",
     "log 0.841", "0.841 i", "arcsin 1", "2 и 3", "0.841 0.54", "5 из 6", "0.8-0.9?!x", "sin", "√"],
)  # fmt: skip
def test_what_says_something_else_is_not_read(text: str) -> None:
    """A number with words that change it is unreadable, neither right nor wrong."""
    assert judge(BY_ID["one-pair-2"], text).value is None


@pytest.mark.parametrize(
    "text",
    ["не 2", "not 2", "2 или 3", "second or third", "вторник", "12", "2 из 3", "1, потом 2", "both",
     "not the second", "2.5", "никакой", "1) переставятся вместе с токенами", "-2", "0", "2²"],
)  # fmt: skip
def test_what_is_no_line_is_not_taken_for_one(text: str) -> None:
    """Two numbers, a number with words that change it, a word that only begins like an ordinal."""
    assert judge(BY_ID["order-1"], text).value is None


@pytest.mark.parametrize("language", ["en", "ru"])
def test_line_of_a_choice_may_be_copied(language: str) -> None:
    """As the sheet prints it, with or without its number; the line of another number is refused."""
    for question in QUESTIONS:
        for place, line in enumerate(question.choices, 1):
            text = line.in_language(language)
            right = place == question.answer
            for copied in (f"{place}) {text}", f"({place}) {text}.", text, text.upper()):
                assert judge(question, copied).right == right, (question.id, copied)
            other = place % len(question.choices) + 1
            assert judge(question, f"{other}) {text}").value is None


@pytest.mark.parametrize(
    ("line", "pair"),
    [
        ("norms-1. 5.57", ("norms-1", "5.57")),
        ("One-Pair-3: 0.84", ("one-pair-3", "0.84")),
        ("- one-pair-2: 0.84", ("one-pair-2", "0.84")),
        ("1) one-pair-2: 0.84", ("one-pair-2", "0.84")),
        ("norms-1 - 5.57", ("norms-1", "5.57")),
        ("norms-1 – 5.57", ("norms-1", "5.57")),
        ("norms-1 -5.57", ("norms-1", "-5.57")),
        ("norms-1: -5.57", ("norms-1", "-5.57")),
        ("norms-1 .5", ("norms-1", ".5")),
        ("| norms-1 | 5.57 |", ("norms-1", "5.57")),
        ("* **norms-1**: 5", ("norms-1", "5")),
        ("one_pair 3 = 5", ("one-pair-3", "5")),
        ("norms‑1 → 5", ("norms-1", "5")),
        ("misconception 1", ("misconception", "1")),
        ("direction-2: 2) the same number", ("direction-2", "2) the same number")),
        ("Seed: 7", ("seed", "7")),
        ("exercise-12: 5", None),
        ("I do not know", None),
    ],
)
def test_name_of_a_question_is_found(line: str, pair: tuple[str, str] | None) -> None:
    """With any bullet, dash and capital; no name is taken for the beginning of another."""
    assert split_line(line) == ([] if pair is None else [pair])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one-pair-1:0,284; one-pair-2:0,54; one-pair-3: −5", ("0,284", "0,54", "−5")),
        ("one-pair-1 = 1, one-pair-2 = 2, one-pair-3 = 3.", ("1", "2", "3.")),
        ("one-pair-1\n0,284\none-pair-2:\n\n0,54\none-pair-3)\n-5", ("0,284", "0,54", "-5")),
        ("## one-pair-1\n0.284\n## one-pair-2\n0.841\n# one-pair-3: 5", ("0.284", "0.841", None)),
        ("👉 one-pair-1: 1\n✅ one-pair-2 — 2\n3️⃣ one-pair-3 → 3", ("1", "2", "3")),
        ("• one-pair-1: 1\n▪ one-pair-2: 2\n> one-pair-3: 3", ("1", "2", "3")),
        ("№1 one-pair-1: 1\nВопрос one-pair-2: 2\n(3) one-pair-3: 3", ("1", "2", "3")),
        ("[12:30, 01.12.2026] Анна: one-pair-1: 1", ("1", None, None)),
        ("01.12.2026, 12:31 - Анна: one-pair-2: 2", (None, "2", None)),
        ("One pair 1: 1\nOne—pair—2: 2\nonepair3 = 3", ("1", "2", "3")),
        ("оne-раir-1: 1\none-pаir-2: 2", ("1", "2", None)),  # some letters are Cyrillic
        ('"one-pair-1": "1",\n«one-pair-2»: 2\n`one-pair-3`: 3', ('"1"', "2", "3")),
        ("one-pair-1;0,284\none-pair-2,0.54\none-pair-3\t-5", ("0,284", "0.54", "-5")),
        ('{"one-pair-1": 0.284, "one-pair-2": "0,841"}', ("0.284", "0,841", None)),
        ("one-pair-1: —\none-pair-2: ?\none-pair-3: не знаю", (None, None, None)),
        ("one-pair-1: 5\none-pair-1:", ("5", None, None)),
        ("one-pair-1. q = [1, 0] is at position m; 0,284\none-pair-2: 5", ("0,284", "5", None)),
        ("one-pair-1: 1; maybe\none-pair-2 = 2; не уверена", ("1", "2", None)),
        ("Анна Петрова 9Б\nmath, group 3\none-pair-1: 1", ("1", None, None)),
    ],
)  # fmt: skip
def test_lines_as_messengers_and_phones_make_them(
    tmp_path: Path, text: str, expected: tuple[str | None, ...]
) -> None:
    """Bullets, prefixes, several answers on a line, an answer on the next one; without a remark."""
    path = tmp_path / "a.txt"
    path.write_text(text)
    (student,) = mark_files(str(path), lambda seed: select_questions(["one-pair"], seed))
    assert tuple(answer.text for answer in student.answers) == expected
    assert remarks(student) == []


@pytest.mark.parametrize(
    ("line", "seed"),
    [
        ("seed 7: copy this line with your answers.", 7),
        ("seed 7: перепишите эту строку вместе с ответами.", 7),
        ("seed 7,", 7),
        ("Вариант № 7", 7),
        ("Анна Петрова, вариант 7", 7),
        ("Anna (seed 7)", 7),
        ("seed=7", 7),
        ("seed 7.5", None),
        ("seed seven", None),
    ],
)
def test_seed_is_read_as_people_copy_it(tmp_path: Path, line: str, seed: int | None) -> None:
    """The sheet's own line, a name before it, a comma behind it."""
    path = tmp_path / "a.txt"
    path.write_text(f"{line}\none-pair-2: 5\n")
    (student,) = marks_of(path)
    assert student.seed == seed


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize("seed", [None, 7])
def test_sheet_that_was_filled_in_is_read(
    tmp_path: Path, form: str, language: str, seed: int | None
) -> None:
    """With the answers on their lines, below them, or in their place; one left blank is blank."""
    sheet = render(handout.report(HandoutRequest((), seed, "questions")), form, language)
    questions = questions_with(seed)
    label = {"en": "Answer:", "ru": "Ответ:"}[language]
    path = tmp_path / "a.txt"
    for filled, right in (
        (rf"{label} {{}}\1", len(questions)),
        (f"{label}\n{{}}", len(questions)),
        ("{}", len(questions)),
        (rf"{label} \1", 0),
        ("", 0),
    ):
        parts = re.split(rf"{label} ([_\\]+)", sheet)
        blanks = (filled.replace(r"\1", parts[1]).format(f"{q.answer:.6g}") for q in questions)
        path.write_text("".join(a + b for a, b in zip(parts[::2], [*blanks, ""], strict=True)))
        (student,) = marks_of(path)
        assert (student.right, len(student.unanswered)) == (right, len(questions) - right), filled
        assert remarks(student) == ([f"marked with seed {seed}"] if seed else [])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.csv", "№;вопрос;ответ;комментарий\n1;one-pair-2;0,841;легко\n2;order-1;2;\n"),
        ("a.csv", "one-pair-2;0,841;sure\norder-1;2;?\n"),
        ("a.csv", "1,one-pair-2,0.841\n2,order-1,2\n"),
        ("a.csv", "one-pair-2: 0,841\norder-1: 2\n"),
        ("a.csv", "question\tanswer\r\none-pair-2\t0,841\r\norder-1\t2\r\n"),
        ("a.csv", '"question";"answer"\n"one-pair-2";"0,841"\n"order-1";"2"\n'),
    ],
)
def test_tables_of_other_shapes_are_read(tmp_path: Path, name: str, text: str) -> None:
    """With a number before the name, a comment behind the answer, or no column at all."""
    path = tmp_path / name
    path.write_text(text)
    (student,) = marks_of(path)
    assert (student.right, student.problems) == (2, ())


@pytest.mark.parametrize(
    ("by", "said"),
    [
        (1, "before: they may stand one row too low"),
        (-1, "after: they may stand one row too high"),
    ],
)
def test_answers_in_other_rows_are_noticed(tmp_path: Path, by: int, said: str) -> None:
    """Right answers, each beside the next question."""
    questions = [question for question in QUESTIONS if question.kind != "choice"][:9]
    rows = zip(questions[max(by, 0) :], questions[max(-by, 0) :], strict=False)
    path = tmp_path / "a.txt"
    path.write_text("".join(f"{row.id}: {other.answer:.6g}\n" for row, other in rows))
    (student,) = mark_files(str(path), lambda seed: questions)
    (remark,) = remarks(student)
    assert remark == f"8 of 8 answers fit the question {said}"


@pytest.mark.parametrize("row", ["0\t.\t?", "0 . ?", "│ 0 │ . │ ? │", "| 0 | . | ? |"])
def test_copied_matrix_is_no_answer(tmp_path: Path, row: str) -> None:
    """Where a question was copied with its drawing and not answered, nothing is wrong."""
    sentence = formatting.format_line(BY_ID["dot-products-1"].sentence, "en")
    path = tmp_path / "a.txt"
    path.write_text(f"dot-products-1. {sentence}\n{row}\none-pair-2: 0.841\n")
    (student,) = mark_files(str(path), lambda seed: questions_with(seed, ["dot-products"]))
    assert [answer.state for answer in student.answers] == ["missing", "missing"]
    path.write_text(f"dot-products-1. {sentence}\n{row}\n1,535\none-pair-2: 0.841\n")
    (student,) = mark_files(str(path), lambda seed: questions_with(seed, ["dot-products"]))
    assert [answer.text for answer in student.answers] == ["1,535", None]


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_form_holds_a_class(tmp_path: Path, sign: str) -> None:
    """A row a student, a column a question, under its name or as the sheet prints it."""
    second = formatting.format_line(BY_ID["one-pair-2"].sentence, "ru")
    rows = [
        ["Отметка времени", "Фамилия, имя", "one-pair-1", f"one-pair-2. {second}", "Seed", "Да?"],
        ["01.12.2026 12:30", "Петрова Анна", "0,540302", "sin 1", "", "да"],
        ["01.12.2026 12:31", "Ким Борис", "0.841", "не знаю", "", ""],
        ["01.12.2026 12:32", "", "0,284", "0,841", "7", "one-pair-1: 5"],
    ]  # fmt: skip
    path = tmp_path / "form.csv"
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file, delimiter=sign).writerows(rows)
    students = mark_files(str(path), lambda seed: questions_with(seed, ["one-pair"]))
    states = [[answer.state for answer in student.answers] for student in students]
    assert [student.student for student in students] == ["Петрова Анна", "Ким Борис", "form.3"]
    assert states == [
        ["right", "right", "missing"],
        ["wrong", "missing", "missing"],
        ["right", "right", "missing"],
    ]
    assert [remarks(student) for student in students] == [[], [], ["marked with seed 7"]]


@pytest.mark.parametrize(("name", "student"), [("Ким Борис", "Ким Борис"), ("", "form")])
def test_form_that_one_student_answered(tmp_path: Path, name: str, student: str) -> None:
    """The name is that in the row, else that of the file."""
    path = tmp_path / "form.csv"
    path.write_text(f"name,one-pair-1,one-pair-2\n{name},0.54,0.841\n", "utf-8")
    (boris,) = mark_files(str(path), lambda seed: questions_with(seed, ["one-pair"]))
    assert (boris.student, boris.right) == (student, 2)


def test_folder_of_a_class_has_more_than_answers(tmp_path: Path) -> None:
    """What a system leaves is no student; a photo is one, but not one who left questions blank."""
    for name in ("Thumbs.db", "desktop.ini", "~$anna.xlsx", ".DS_Store"):
        (tmp_path / name).write_bytes(b"\0\1\2")
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\0\x10JFIF")
    (tmp_path / "anna.txt").write_text("one-pair-2: 0.841\none-pair-3: a bit\n")
    request = MarkRequest(str(tmp_path), ["one-pair"])
    document = report(request)
    values = document.sections[0].values
    assert [student["student"] for student in values["students"]] == ["anna", "photo"]
    missing = {row["question"]: row["missing"] for row in values["questions"]}
    assert missing == {"one-pair-1": 1, "one-pair-2": 0, "one-pair-3": 0}
    text = render(document, "text", "en", width=120)
    assert text.count("Cannot be read: This is not a number. Accepted:") == 1
    assert "│ one-pair-3 │ anna: a bit" in text
    assert "Mistakes, and who made them" not in text


TEXT = """Имя: Анна
one-pair-2: 0,841
order-1: 2)
# моя догадка
exercise-2: 0.54
"""


def table_of(sign: str, head: str, number: str, note: str = "", end: str = "\r\n") -> str:
    """The answers of ``TEXT`` as a table."""
    rows = [(head, "answer", "note"), ("one-pair-2", number, note)]
    rows += [("order-1", "2", ""), ("exercise-2", "0.54", note)]
    columns = 3 if note else 2
    return "".join(sign.join(row[:columns]) + end for row in rows)


SHEET = "question;answer\r\none-pair-2;0,841\r\norder-1;2;;\r\nexercise-2;0,54\r\n"


@pytest.mark.parametrize(
    ("name", "data", "assumed"),
    [
        ("a.txt", TEXT.encode(), None),
        ("a.txt", TEXT.encode("utf-8-sig"), None),
        ("a.txt", TEXT.replace("\n", "\r\n").encode("utf-16"), None),
        ("a.txt", b"\xfe\xff" + TEXT.encode("utf-16-be"), None),
        ("a.txt", TEXT.encode("utf-16-le"), "utf-16-le"),
        ("a.txt", TEXT.encode("cp1251"), "cp1251"),
        (
            "a.txt",
            TEXT.replace("моя догадка", "déjà vu").replace("Имя: Анна", "").encode("cp1252"),
            "cp1252",
        ),
        ("a.txt", TEXT.replace(": ", "\t").encode("utf-16"), None),
        ("a.txt", TEXT.encode() + "# дог".encode()[:-1], "utf-8"),
        ("a.txt", TEXT.encode("cp1251") + b"# \x98", "cp1251"),
        ("a.csv", SHEET.encode("cp1251"), None),
        ("a.csv", ("sep=;\r\n" + SHEET).encode("utf-8-sig"), None),
        ("a.csv", SHEET.replace("question", "вопрос").encode("cp1251"), "cp1251"),
        ("a.csv", SHEET.replace(";2;;", ';="2"').encode(), None),
        ("a.csv", b'"one-pair-2","0,841"\n"order-1",2\n"exercise-2",0.54\n', None),
        # Excel in Russia: "CSV" and "Unicode text"; in the West: "CSV UTF-8" and "CSV".
        ("a.csv", table_of(";", "вопрос", "0,841").encode("cp1251"), "cp1251"),
        ("a.txt", table_of("\t", "вопрос", "0,841").encode("utf-16"), None),
        ("a.csv", table_of(",", "question", "0.841", "café").encode("utf-8-sig"), None),
        ("a.csv", table_of(",", "question", "0.841", "café").encode("cp1252"), "cp1252"),
        # LibreOffice by comma, semicolon and tab, its cells quoted, and under another name.
        ("a.csv", table_of(",", "question", '"0,841"', "легко", "\n").encode(), None),
        ("a.csv", table_of(";", '"question"', "0.841", '"легко"', "\n").encode(), None),
        ("a.csv", table_of("\t", "question", "0,841", "легко", "\n").encode("utf-16"), None),
        ("a.txt", table_of(";", '"question"', '"0,841"', '"легко"', "\n").encode(), None),
        ("a.txt", table_of(",", "question", '"0,841"', "легко", "\n").encode(), None),
    ],
)
def test_files_of_every_program_are_read(
    tmp_path: Path, name: str, data: bytes, assumed: str | None
) -> None:
    """UTF-8, UTF-16 and code pages, CRLF, a spreadsheet's own CSV; a guess is said."""
    path = tmp_path / name
    path.write_bytes(data)
    (student,) = marks_of(path)
    states = {answer.question.id: answer.state for answer in student.answers if answer.text}
    assert states == {"one-pair-2": "right", "order-1": "right", "exercise-2": "wrong"}
    said = [f"the file is not proper UTF-8 and was read as {assumed}; --encoding decides"]
    assert remarks(student) == (said if assumed else [])


def test_encoding_decides(tmp_path: Path) -> None:
    """A named encoding is used without a remark; unknown names and other bytes are refused."""
    path = tmp_path / "a.txt"
    path.write_bytes(TEXT.encode("koi8-r"))
    (student,) = marks_of(path, encoding="koi8-r")
    assert (student.right, remarks(student)) == (2, [])
    with pytest.raises(CannotRead, match="it is not text in ascii"):
        marks_of(path, encoding="ascii")
    for name in ("utf-9", "hex", ""):
        with pytest.raises(UnknownEncoding, match="accepted: utf-8, utf-16, cp1251, cp1252"):
            report(MarkRequest(str(path), encoding=name))


def test_unreadable_is_neither_wrong_nor_missing(tmp_path: Path) -> None:
    """Three columns of the scores, three states for programs."""
    path = tmp_path / "a.txt"
    path.write_text("one-pair-1: a bit\none-pair-2: 5\none-pair-3:\n")
    (student,) = mark_files(str(path), lambda seed: select_questions(["one-pair"], seed))
    assert [answer.state for answer in student.answers] == ["unreadable", "wrong", "missing"]
    text = render(report(MarkRequest(str(path), ["one-pair"])), "text", "en", width=120)
    assert "This is not a number. Accepted: 0.5" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    "part",
    [
        *("(", ")", "- ", "1", "1.", "1) ", "а ", "i think ", "_", "\\frac{", "[", "=", "(=", " x"),
        *(
            "one-pair-1:",
            "one-pair-1 ",
            "seed ",
            "*",
            "√",
            "^",
            "°",
            " ",
            "👍",
            "answer: ",
            "1,",
            "#",
        ),
    ],
)
def test_long_line_is_read_in_no_time(tmp_path: Path, part: str) -> None:
    """50,000 signs behind a name, behind a label, and alone: no pattern looks at them again."""
    path = tmp_path / "a.txt"
    text = part * (50_000 // len(part))
    path.write_text(f"one-pair-1: {text}x\none-pair-2: 0.841\n{text}\nAnswer: {text}x\n{text}x")
    begin = time.process_time()
    mark_files(str(path), lambda seed: select_questions(["one-pair"], seed))
    assert time.process_time() - begin < 2


def answers_with(seed: int | None, count: int = 12) -> str:
    """Right answers to some numeric questions with the numbers of a seed."""
    numeric = [question for question in questions_with(seed) if question.kind != "choice"]
    return "".join(f"{question.id}: {question.answer:.7g}\n" for question in numeric[:count])


def test_seed_in_the_file_counts(tmp_path: Path) -> None:
    """The seed that a sheet prints, copied with the answers, before that of the command."""
    path = tmp_path / "a.txt"
    path.write_text("seed 7\n" + answers_with(7))
    (student,) = marks_of(path)
    assert (student.right, student.seed, remarks(student)) == (12, 7, ["marked with seed 7"])
    (student,) = marks_of(path, seed=5)
    said = "marked with seed 7, which the file names, and not with seed 5"
    assert (student.right, student.seed, remarks(student)) == (12, 7, [said])
    (student,) = marks_of(path, seed=7)
    assert (student.right, remarks(student)) == (12, [])


@pytest.mark.parametrize(
    ("written_for", "marked_with", "said"),
    [
        (3, None, "12 of 12 answers fit the numbers of --seed 3"),
        (None, 3, "12 of 12 answers fit the numbers without a seed: leave --seed out"),
        (3, 3, None),
        (1000, None, None),
    ],
)
def test_forgotten_seed_is_noticed(
    tmp_path: Path, written_for: int | None, marked_with: int | None, said: str | None
) -> None:
    """Where most answers fit other numbers, mark says which."""
    path = tmp_path / "a.txt"
    path.write_text(answers_with(written_for))
    (student,) = marks_of(path, seed=marked_with)
    assert remarks(student) == ([said] if said else [])


def class_of_thirty(folder: Path) -> dict[tuple[str, str], Wrong]:
    """Files of 30 students; returns who made which typical mistake in which question.

    The first mistake of a question is the commonest, and the later a question is, the harder.
    """
    random_numbers = random.Random(1)
    numeric = [question for question in QUESTIONS if question.kind != "choice" and question.wrong]
    made = {}
    for index in range(30):
        student, lines = f"student{index:02}", []
        for place, question in enumerate(numeric[:12], 1):
            value = question.answer
            if random_numbers.random() < 0.06 * place:
                others = random_numbers.random() < 0.3
                wrong = random_numbers.choice(question.wrong) if others else question.wrong[0]
                made[student, question.id], value = wrong, wrong.value
            lines.append(f"{question.id}: {random_numbers.choice(spellings(value))}")
        (folder / f"{student}.txt").write_text("\n".join(lines))
    return made


def plain(line: Line, language: str) -> str:
    """A sentence with blanks of one kind."""
    return formatting.format_line(line, language).replace("\u00a0", " ")


def test_each_planted_mistake_is_named(tmp_path: Path) -> None:
    """30 students: each mistake by its reason beside its student, in CSV, JSON and the table."""
    made = class_of_thirty(tmp_path)
    table = csv.DictReader(io.StringIO(as_csv(marks_of(tmp_path), "ru")))
    named = {
        (row["student"], row["question"]): row["reason"] for row in table if row["state"] == "wrong"
    }
    assert named == {key: plain(wrong.reason, "ru") for key, wrong in made.items()}
    (section,) = report(MarkRequest(str(tmp_path))).sections
    named = {
        (student["student"], answer["question"]): answer["reason"]["en"]
        for student in section.values["students"]
        for answer in student["answers"]
        if answer["state"] != "right"
    }
    assert named == {key: plain(wrong.reason, "en") for key, wrong in made.items()}
    *_, mistakes = [block for block in section.blocks if isinstance(block, Table)]
    named = {
        (entry.partition(":")[0], plain(row[0], "en")): plain(row[-1], "en")
        for row in cast("Any", mistakes.rows)
        for entry in re.findall(r"student[0-9]+:", plain(row[1], "en"))
    }
    assert named == {key: plain(wrong.reason, "en") for key, wrong in made.items()}


@pytest.mark.parametrize("language", ["en", "ru"])
def test_class_at_a_glance(tmp_path: Path, language: str) -> None:
    """Counts by question, the hardest first with its commonest mistake, in every format."""
    made = class_of_thirty(tmp_path)
    document = report(MarkRequest(str(tmp_path)))
    rows = {row["question"]: row for row in document.sections[0].values["questions"]}
    wrong = Counter(name for _, name in made)
    assert {name: row["wrong"] for name, row in rows.items() if row["wrong"]} == wrong
    assert all(rows[name]["right"] == 30 - count for name, count in wrong.items())
    for name in wrong:
        [(reason, count)] = Counter(
            plain(mistake.reason, language) for (_, id), mistake in made.items() if id == name
        ).most_common(1)
        assert rows[name]["commonest_mistake"][language] == reason
        assert rows[name]["made_by"] == count
    hardest = next(iter(rows))
    assert wrong[hardest] == max(wrong.values())
    told = f"{rows[hardest]['commonest_mistake'][language]} ({rows[hardest]['made_by']})"
    for form in ("text", "markdown", "html"):
        shown = render(document, form, language, width=400)
        shown = " ".join(re.sub("<[^>]*>|[│|]", " ", shown).replace("\u2212", "-").split())
        shown = html.unescape(shown).replace("\u00a0", " ")
        _, _, hardest_first = shown.partition(
            {"en": "the hardest first", "ru": "начиная с самого трудного"}[language]
        )
        assert hardest_first.index(hardest) < min(
            hardest_first.index(name) for name in rows if name != hardest and name in hardest_first
        )
        assert " ".join(told.split()).replace("\u2212", "-") in hardest_first, form


def test_named_mistake_is_the_commonest(tmp_path: Path) -> None:
    """Two answers that nothing explains do not hide the mistake of a third."""
    for name, text in (("anna", "7"), ("boris", "8"), ("vera", "0.54")):
        (tmp_path / f"{name}.txt").write_text(f"exercise-2: {text}\norder-1: 2\n")
    (section,) = report(MarkRequest(str(tmp_path), ["exercises"])).sections
    (row,) = [row for row in section.values["questions"] if row["question"] == "exercise-2"]
    assert (row["wrong"], row["made_by"]) == (3, 1)
    assert row["commonest_mistake"]["en"].startswith("The cosine was used")
    (tmp_path / "vera.txt").unlink()
    (section,) = report(MarkRequest(str(tmp_path), ["exercises"])).sections
    (row,) = [row for row in section.values["questions"] if row["question"] == "exercise-2"]
    assert (row["commonest_mistake"]["en"], row["made_by"]) == (
        "not one of the typical mistakes",
        2,
    )


def test_students_with_one_mistake_share_a_line(tmp_path: Path) -> None:
    """A row names them all, each with the answer."""
    for name, text in (("anna", "0.54"), ("boris", "0,54"), ("vera", "0.841")):
        (tmp_path / f"{name}.txt").write_text(f"exercise-2: {text}\n")
    text = render(report(MarkRequest(str(tmp_path), ["exercises"])), "text", "en", width=160)
    assert "│ anna: 0.54; boris: 0,54 │" in text


@pytest.mark.slow
def test_any_file_is_read_or_refused(tmp_path: Path) -> None:
    """Random bytes and damaged files: marks or one sentence, and no formula or escape in CSV."""
    random_numbers = random.Random(0)
    pieces = [
        *(name.encode() for name in IDS[:8]), b": ", b"=", b";", b",", b"\n", b"\r\n", b"\t", b'"',
        b"0,5", b"sqrt(", b"2^", b"1/0", b"9" * 50, "√".encode(), "ответ".encode("cp1251"), b"\x00",
        b"\xff\xfe", b"\x1b[2J", b"=HYPERLINK(1)", b"{", b"}", b"sep=;", b"seed ", b"^", b"(", b"e",
    ]  # fmt: skip
    for index in range(400):
        data = b"".join(random_numbers.choices(pieces, k=random_numbers.randint(1, 40)))
        path = tmp_path / f"a{index % 3}.{('txt', 'csv', 'json')[index % 3]}"
        path.write_bytes(data)
        try:
            document = report(MarkRequest(str(path)))
        except (CannotRead, NoAnswers):
            continue
        assert "\x1b" not in render(document, "text", "en")
        table = as_csv(marks_of(path), "en")
        for row in csv.reader(io.StringIO(table)):
            assert not any(cell.startswith(("=", "@")) for cell in row), data
