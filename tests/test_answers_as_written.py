"""Answers as people write them, in the files that their programs make: fair marks."""

import csv
import io
import random
from pathlib import Path

import pytest

from rope_cli.classroom.answers import judge
from rope_cli.classroom.encodings import UnknownEncoding
from rope_cli.classroom.mark import MarkRequest, as_csv, report
from rope_cli.classroom.marks import NoAnswers, StudentMarks, mark_files
from rope_cli.classroom.question_names import IDS, split_line
from rope_cli.classroom.questions import questions_with
from rope_cli.classroom.selection import select_questions
from rope_cli.document import formatting
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


def spellings(value: float) -> list[str]:
    """A number as people write it, by point and by comma, with words around."""
    digits = f"{value:.6f}"
    mantissa, exponent = f"{value:.6e}".split("e")
    return [
        digits,
        digits.replace(".", ","),
        digits.replace("-", "\u2212") + ";",
        f"≈ {digits}",
        f"= {digits}.".replace(".", ",", 1),
        f"{mantissa}e{exponent}",
        f"{mantissa}·10^{int(exponent)}".replace(".", ","),
        f"{mantissa} x 10^({int(exponent)})",
        f"s = {digits}",
        f"{digits} (approx)",
    ]


def test_right_value_is_right_in_any_spelling() -> None:
    """Every numeric question of both tracks, ten spellings of its answer, with three seeds."""
    judged = 0
    for seed in (None, 1, 2):
        for question in questions_with(seed):
            for text in () if question.kind == "choice" else spellings(question.answer):
                judged += 1
                assert judge(question, text).right, (question.id, text)
    assert judged >= 3 * 10 * 40


def test_wrong_value_is_wrong_in_any_spelling() -> None:
    """Every typical mistake, and its reason is the one that the plain number has."""
    for question in QUESTIONS:
        for mistake in () if question.kind == "choice" else question.wrong:
            for text in spellings(mistake.value):
                judgement = judge(question, text)
                assert not judgement.right, (question.id, text)
                assert judgement.reason == mistake.reason, (question.id, text)


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
    assert split_line(line) == pair


TEXT = """Имя: Анна
one-pair-2: 0,841
order-1: 2)
# моя догадка
exercise-2: 0.54
"""
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
        ("a.txt", TEXT.replace("моя догадка", "déjà vu").replace("Имя: Анна", "").encode("cp1252"),
         "cp1252"),
        ("a.txt", TEXT.replace(": ", "\t").encode("utf-16"), None),
        ("a.csv", SHEET.encode("cp1251"), None),
        ("a.csv", ("sep=;\r\n" + SHEET).encode("utf-8-sig"), None),
        ("a.csv", SHEET.replace("question", "вопрос").encode("cp1251"), "cp1251"),
        ("a.csv", SHEET.replace(";2;;", ';="2"').encode(), None),
        ("a.csv", b'"one-pair-2","0,841"\n"order-1",2\n"exercise-2",0.54\n', None),
    ],
)  # fmt: skip
def test_files_of_every_program_are_read(
    tmp_path: Path, name: str, data: bytes, assumed: str | None
) -> None:
    """UTF-8, UTF-16 and code pages, CRLF, a spreadsheet's own CSV; a guess is said."""
    path = tmp_path / name
    path.write_bytes(data)
    (student,) = marks_of(path)
    states = {answer.question.id: answer.state for answer in student.answers if answer.text}
    assert states == {"one-pair-2": "right", "order-1": "right", "exercise-2": "wrong"}
    said = [f"the file is not UTF-8 and was read as {assumed}; --encoding decides"]
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


def answers_with(seed: int | None, count: int = 12) -> str:
    """Right answers to some numeric questions with the numbers of a seed."""
    numeric = [question for question in questions_with(seed) if question.kind != "choice"]
    return "".join(f"{question.id}: {question.answer:.7g}\n" for question in numeric[:count])


def test_seed_in_the_file_counts(tmp_path: Path) -> None:
    """The seed that a sheet prints, copied with the answers; the command's own goes first."""
    path = tmp_path / "a.txt"
    path.write_text("seed 7\n" + answers_with(7))
    (student,) = marks_of(path)
    assert (student.right, student.seed, remarks(student)) == (12, 7, ["marked with seed 7"])
    (student,) = marks_of(path, seed=5)
    assert student.seed == 5
    said = "the file names seed 7, but the answers were marked with seed 5"
    assert said in remarks(student)


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


def class_of_thirty(folder: Path) -> dict[str, int]:
    """Files of 30 students; returns how many made the first typical mistake of each question."""
    random_numbers = random.Random(1)
    numeric = [question for question in QUESTIONS if question.kind != "choice" and question.wrong]
    made = {question.id: 0 for question in numeric[:12]}
    for index in range(30):
        lines = []
        for place, question in enumerate(numeric[:12]):
            mistaken = random_numbers.random() < 0.06 * (place + 1)
            made[question.id] += mistaken
            value = question.wrong[0].value if mistaken else question.answer
            lines.append(f"{question.id}: {random_numbers.choice(spellings(value))}")
        (folder / f"student{index:02}.txt").write_text("\n".join(lines))
    return made


def test_class_at_a_glance(tmp_path: Path) -> None:
    """30 students: counts by question, hardest first, each planted mistake by its reason."""
    made = class_of_thirty(tmp_path)
    document = report(MarkRequest(str(tmp_path)))
    questions = {row["question"]: row for row in document.sections[0].values["questions"]}
    for name, count in made.items():
        assert (questions[name]["wrong"], questions[name]["right"]) == (count, 30 - count)
        assert questions[name]["made_by"] == count
        if count:
            reason = BY_ID[name].wrong[0].reason
            assert questions[name]["commonest_mistake"]["en"] == formatting.format_line(
                reason, "en"
            ).replace("\u00a0", " ")
    hardest = max(made, key=lambda name: made[name])
    assert next(iter(questions)) == hardest
    text = render(document, "text", "en", width=160)
    assert text.index("Questions, the hardest first:") < text.index(hardest)


def test_students_with_one_mistake_share_a_line(tmp_path: Path) -> None:
    """A row names them all, with what each of them wrote."""
    for name, text in (("anna", "0.54"), ("boris", "0,54"), ("vera", "0.841")):
        (tmp_path / f"{name}.txt").write_text(f"exercise-2: {text}\n")
    text = render(report(MarkRequest(str(tmp_path), ["exercises"])), "text", "en", width=160)
    (row,) = [line for line in text.splitlines() if "anna, boris" in line]
    assert "0.54; 0,54" in row


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
