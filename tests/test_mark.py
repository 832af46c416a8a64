"""Marking files of answers: every spelling, every mistake named, nothing lost."""

import csv
import errno
import io
import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest

from rope_cli.classroom import marks
from rope_cli.classroom.answer_files import LARGEST
from rope_cli.classroom.answer_files import NESTED as NESTED_TEXT
from rope_cli.classroom.answer_remarks import MOST_SUGGESTED
from rope_cli.classroom.answers import NO_CHOICE
from rope_cli.classroom.mark import as_csv, is_number, marks_document, score_row, values
from rope_cli.classroom.marks import UNKNOWN_MISTAKE, NoAnswers, StudentMarks
from rope_cli.classroom.mistakes import COSINE, OTHER_DIRECTION
from rope_cli.classroom.question import Question
from rope_cli.classroom.questions import questions_with
from rope_cli.classroom.written_numbers import NOT_FINITE
from rope_cli.document import formatting, spreadsheet
from rope_cli.renderers import FORMATS, render
from rope_cli.text import LANGUAGES
from rope_cli.user_input.command_errors import CannotRead

QUESTIONS = questions_with()
BY_ID = {question.id: question for question in QUESTIONS}
LINES = """
# Anna, group 2
one-pair-2: 0.841   # a comment
one-pair-3 = 0,841471
exercise-2: 0.54
order-1: 2)
dense-vs-pairs-1 : 256
"""


def mark_files(path: str, questions: Sequence[Question]) -> tuple[StudentMarks, ...]:
    """The marks of a file or a folder with the same questions whatever the seed."""
    return marks.mark_files(path, lambda seed: questions)


def marks_of(path: Path) -> StudentMarks:
    """The marks of a single file."""
    (marked,) = mark_files(str(path), QUESTIONS)
    return marked


def written(folder: Path, name: str, text: str | bytes) -> Path:
    """A file with this text."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def outcome(marked: StudentMarks) -> dict[str, object]:
    """What was answered, and True or the reason."""
    return {
        answer.question.id: answer.right or answer.reason
        for answer in marked.answers
        if answer.text is not None
    }


NESTED = "x: an answer must be a number or a string, not a list or an object"
EXPECTED = {
    "one-pair-2": True,
    "one-pair-3": OTHER_DIRECTION,
    "order-1": True,
    "exercise-2": COSINE,
    "dense-vs-pairs-1": True,
}
CSV = 'one-pair-2,0.841\norder-1,2\none-pair-3,"0,841471"\nexercise-2,0.54\ndense-vs-pairs-1,256\n'
JSON = (
    '{"one-pair-2": 0.841, "one-pair-3": "0,841471", "order-1": 2.0, '
    '"exercise-2": 0.54, "dense-vs-pairs-1": 256}'
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("anna.txt", LINES),
        ("anna", LINES),
        ("anna.txt", LINES.replace("\n", "\r\n")),
        ("anna.txt", "\ufeff" + LINES.lstrip()),
        ("anna.csv", CSV),
        ("anna.csv", "Question,Value\n" + CSV),
        ("anna.csv", "question;value\n" + CSV.replace(",", ";").replace("0;84", "0,84")),
        ("anna.csv", "\n# mine\n" + CSV.replace("\n", "\r\n")),
        ("anna.json", JSON),
        ("anna.JSON", "\n " + JSON),
    ],
)
def test_every_kind_of_file_is_read(tmp_path: Path, name: str, text: str) -> None:
    """Lines with : or =, CSV with or without a header, JSON: the same marks."""
    marked = marks_of(written(tmp_path, name, text))
    assert marked.student == "anna"
    assert outcome(marked) == EXPECTED
    assert marked.problems == ()
    assert (marked.right, len(marked.wrong)) == (3, 2)
    assert len(marked.unanswered) == len(QUESTIONS) - 5


def test_all_right_and_all_typical_mistakes(tmp_path: Path) -> None:
    """A file of all answers has full marks; a file of mistakes none, each with its reason."""
    good = "".join(
        f"{question.id}: {question.answer!r}\n"
        for question in QUESTIONS
        if question.kind != "choice"
    )
    good += "".join(
        f"{question.id}: {question.answer:.0f}\n"
        for question in QUESTIONS
        if question.kind == "choice"
    )
    marked = marks_of(written(tmp_path, "good.txt", good))
    assert (marked.right, marked.wrong, marked.unanswered) == (len(QUESTIONS), (), ())
    bad = "".join(f"{question.id}: {question.wrong[0].value:g}\n" for question in QUESTIONS)
    marked = marks_of(written(tmp_path, "bad.txt", bad))
    assert marked.right == 0
    reasons = {answer.question.id: answer.reason for answer in marked.answers}
    assert reasons == {question.id: question.wrong[0].reason for question in QUESTIONS}


def test_marks_of_a_seed(tmp_path: Path) -> None:
    """The numbers of a seed are marked by the answers of that seed."""
    questions = questions_with(5)
    right = "".join(
        f"{question.id}: {question.answer!r}\n"
        for question in questions
        if question.kind != "choice"
    )
    path = str(written(tmp_path, "a.txt", right))
    numbers = sum(question.kind != "choice" for question in questions)
    assert mark_files(path, questions)[0].right == numbers
    assert mark_files(path, QUESTIONS)[0].right < numbers


def test_file_without_a_seed_keeps_the_numbers_of_the_chapter(tmp_path: Path) -> None:
    """So the page saves answers: the seed of the command is for others, and a remark says so."""
    path = written(tmp_path, "a.txt", "seed: none\none-pair-1: 0.540302\n")
    (marked,) = marks.mark_files(str(path), questions_with, 7)
    assert (marked.right, marked.seed) == (1, None)
    assert "and not with seed 7" in formatting.format_line(marked.problems[0], "en")
    path.write_text("one-pair-1: 0.540302\n", "utf-8")
    (marked,) = marks.mark_files(str(path), questions_with, 7)
    assert (marked.right, marked.seed) == (0, 7)


@pytest.mark.parametrize("nonsense", ["NaN", "nan", "inf", "1e999", "0/0", "none", "= five"])
def test_no_nonsense_is_rewarded(tmp_path: Path, nonsense: str) -> None:
    """NaN, infinity and words are no right answers to any question, each with a reason."""
    text = "".join(f"{question.id}: {nonsense}\n" for question in QUESTIONS)
    marked = marks_of(written(tmp_path, "a.txt", text))
    assert marked.right == 0
    assert all(answer.reason not in (None, UNKNOWN_MISTAKE) for answer in marked.answers)


def test_nothing_typed_is_not_right(tmp_path: Path) -> None:
    """A question with nothing behind it, an empty cell."""
    for name, text in (
        ("a.txt", "one-pair-2:\norder-1 =  # later\n"),
        ("a.txt", 'one-pair-2: ""\norder-1: —\n'),
        ("a.txt", "one-pair-2: ?\norder-1: Не знаю.\n"),
        ("a.csv", "one-pair-2,\norder-1,  \n"),
        ("a.json", '{"one-pair-2": "", "order-1": " "}'),
    ):
        marked = marks_of(written(tmp_path, name, text))
        assert marked.right == 0
        assert (marked.wrong, len(marked.unanswered)) == ((), len(QUESTIONS))
    marked = marks_of(written(tmp_path, "n.json", '{"one-pair-2": NaN, "order-1": -Infinity}'))
    assert outcome(marked) == {"one-pair-2": NOT_FINITE, "order-1": NO_CHOICE}


def remarks(marked: StudentMarks, language: str = "en") -> list[str]:
    """The remarks on a student, spelled."""
    return [formatting.format_line(problem, language) for problem in marked.problems]


def test_unknown_question_is_a_remark(tmp_path: Path) -> None:
    """A name that is no question's is named once, with the nearest name, and counts for nothing."""
    text = "one-par-2: 1\nzzz: 2\nzzz: 3\none-pair-2: 0.841\none-pair-3: 5\n"
    marked = marks_of(written(tmp_path, "a.txt", text))
    assert remarks(marked) == [
        "one-par-2: no such question (did you mean one-pair-2?)",
        "zzz: no such question",
    ]
    assert remarks(marked, "ru")[1] == "zzz: нет такого вопроса"
    counts = marked.right, len(marked.wrong), len(marked.unanswered)
    assert counts == (1, 1, len(QUESTIONS) - 2)


def test_score_adds_up(tmp_path: Path) -> None:
    """Right, wrong, unreadable and blank are together what was asked, also for programs."""
    for marked in mark_files(folder(tmp_path), QUESTIONS):
        _, right, wrong, unreadable, blank, _ = score_row(marked)
        assert right == f"{marked.right}/{len(QUESTIONS)}"
        others = int(str(wrong)) + int(str(unreadable)) + int(str(blank))
        assert marked.right + others == len(QUESTIONS)


def test_answers_of_other_sections_are_not_wrong(tmp_path: Path) -> None:
    """When some sections are marked, answers to the rest get one remark and no suggestion."""
    path = str(written(tmp_path, "a.txt", LINES))
    (marked,) = mark_files(path, questions_with(slugs=["one-pair"]))
    assert (marked.right, [answer.question.id for answer in marked.wrong]) == (1, ["one-pair-3"])
    assert remarks(marked) == [
        "answers to questions of sections that are not marked: "
        "exercise-2, order-1, dense-vs-pairs-1"
    ]
    everything = "".join(f"{question.id}: 1\n" for question in QUESTIONS)
    (marked,) = mark_files(
        str(written(tmp_path, "b.txt", everything)), questions_with(slugs=["order"])
    )
    assert remarks(marked, "ru") == [
        f"ответов на вопросы из непроверяемых разделов: {len(QUESTIONS) - 1}"
    ]


UNKNOWN = "".join(f"zzz{at}: 1\n" for at in range(1000))


def test_suggestions_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is a search; a file of unknown names makes twenty, and names all of them."""
    searched: list[str] = []

    def nearest(name: str, names: object) -> None:
        searched.append(name)

    monkeypatch.setattr("rope_cli.classroom.answer_remarks.closest_match", nearest)
    marked = marks_of(written(tmp_path, "a.txt", "order-1: 2\n" + UNKNOWN))
    assert len(searched) == MOST_SUGGESTED == 20
    assert len(marked.problems) == 1000


def test_unquoted_decimal_comma_is_joined(tmp_path: Path) -> None:
    """Three cells, of which the last two are a number; not where three columns are announced."""
    lines = "one-pair-2,0,84147\none-pair-3, -0,84147\n"
    for head in ("", "question,answer\n"):
        marked = marks_of(written(tmp_path, "a.csv", head + lines))
        assert (outcome(marked), marked.problems) == ({"one-pair-2": True, "one-pair-3": True}, ())
    for text in ("question,answer,points\n" + lines, "one-pair-2,,5\n"):
        with pytest.raises(NoAnswers):
            marks_of(written(tmp_path, "a.csv", text))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "one-pair-2: 0.84\none-pair-2: 0.841\norder-1: 2"),
        ("a.csv", "one-pair-2,0.84\norder-1,2\none-pair-2,0.841\n"),
        ("a.json", '{"one-pair-2": 0.5, "one-pair-2": 0.841, "order-1": 2}'),
    ],
)
def test_last_answer_counts(tmp_path: Path, name: str, text: str) -> None:
    """Whoever corrects an answer below it is marked by the correction, and a remark says so."""
    marked = marks_of(written(tmp_path, name, text))
    first = "0.5" if name == "a.json" else "0.84"
    assert outcome(marked) == {"one-pair-2": True, "order-1": True}
    assert remarks(marked) == [
        f'one-pair-2: answered 2\u00a0times: "{first}", "0.841"; the last answer counts'
    ]


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("a.txt", "order-1: 2\nI do not know\n", 'line 2 cannot be read: "I do not know"'),
        ("a.txt", "order-1: 2\n: 5\n", 'line 2 cannot be read: ": 5"'),
        ("a.txt", "order-1: 2\n\x1b[2J\n", 'line 2 cannot be read: "\\x1b[2J"'),
        ("a.csv", "order-1,2\none-pair-2,1,2,3\n", 'line 2 cannot be read: "one-pair-2,1,2,3"'),
        ("a.csv", "order-1,2\n,0.5\n", 'line 2 cannot be read: ",0.5"'),
        ("a.json", '{"order-1": 2, "x": [1]}', NESTED),
        ("a.json", '{"order-1": 2, "x": {"y": 1}}', NESTED),
        (
            "a.json",
            '{"order-1": 2, "x": null}',
            "x: an answer must be a number or a string, not null",
        ),
        (
            "a.json",
            '{"order-1": 2, "x": true}',
            "x: an answer must be a number or a string, not true",
        ),
    ],
)
def test_unreadable_line_is_reported(tmp_path: Path, name: str, text: str, shown: str) -> None:
    """The line and its number, escaped; the rest of the file is marked."""
    marked = marks_of(written(tmp_path, name, text))
    assert [formatting.format_line(problem, "en") for problem in marked.problems] == [shown]
    assert marked.right == 1
    assert f"a: {shown}." in render(marks_document([marked]), "text", "en", width=200)


@pytest.mark.parametrize(
    ("name", "text", "meant"),
    [
        ("a.txt", "", None),
        ("a.txt", "# nothing yet\n", None),
        ("a.txt", "I do not know\n", None),
        ("a.md", "one-par-2: 0.84\n", "one-pair-2"),
        ("a.csv", "question,answer\n", None),
        ("a.json", "{}", None),
        ("a.json", '{"model_type": "llama"}', None),
    ],
)
def test_file_without_answers_is_refused(
    tmp_path: Path, name: str, text: str, meant: str | None
) -> None:
    """The sentence shows a line of a right file; in a folder the student gets a remark."""
    path = written(tmp_path, name, text)
    with pytest.raises(NoAnswers) as caught:
        marks_of(path)
    sentence = caught.value.sentence("en")
    form = f'"{path}" answers no question; accepted: lines such as `one-pair-2: 0.84`, CSV or a'
    assert sentence.startswith(form)
    assert sentence.partition("did you mean ")[2] == (f"{meant}?" if meant else "")
    assert "«one-pair-2: 0.84»" in caught.value.sentence("ru")
    written(tmp_path, "z.txt", "one-pair-2: 0.841\n")
    empty, full = mark_files(str(tmp_path), QUESTIONS)
    assert (empty.right, len(empty.problems), full.right) == (0, 1, 1)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.txt", b"one-pair-2: \x81\x98", "it is not text in UTF-8, UTF-16, cp1251 or cp1252"),
        ("a.csv", b"PK\x03\x04...", "it is a spreadsheet or an archive; save the sheet as CSV"),
        ("a.json", "{", "it is not JSON at line 1, column 2"),
        ("a.json", "[]", "it is not a JSON object"),
        ("a.json", "5", "it is not a JSON object"),
        ("a.json", "", "it is empty"),
        ("a.json", '[["order-1", 2]]', "it is not a JSON object"),
        ("a.json", "[" * 100000, "its objects are nested too deeply"),
        ("a.csv", 'order-1,"2', "it is not CSV"),
        ("a.txt", b"#" * (LARGEST + 1), "it is larger than 1 MiB: 1048577 bytes"),
    ],
)
def test_damaged_file_is_refused(tmp_path: Path, name: str, text: str | bytes, why: str) -> None:
    """One line that names the file, the reason and what is accepted, in both languages."""
    path = written(tmp_path, name, text)
    with pytest.raises(CannotRead) as caught:
        marks_of(path)
    sentence = caught.value.sentence("en")
    assert sentence.startswith(f'"{path}" cannot be read: {why}; accepted: lines')
    assert "\n" not in sentence
    assert "допустимо: строки «вопрос: значение»" in caught.value.sentence("ru")


def test_missing_file_and_empty_folder_are_refused(tmp_path: Path) -> None:
    """Neither is a class with no students."""
    (tmp_path / ".hidden").write_text("order-1: 2")
    (tmp_path / "sub").mkdir()
    for path, why in (
        (tmp_path / "none.txt", "no such file or directory"),
        (tmp_path, "there is no file in it"),
        (Path("a\0b"), "no file can have this name"),
        ("a" * 300, "the name is too long"),
        ("", "the name is empty"),
    ):
        with pytest.raises(CannotRead, match=why):
            mark_files(str(path), QUESTIONS)


@pytest.mark.parametrize("asks", ["is_dir", "is_file"])
def test_path_without_permission_is_refused(
    asks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that may not be entered, or whose files may not be looked at."""

    def forbidden(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied")

    written(tmp_path, "a.txt", "order-1: 2")
    monkeypatch.setattr(Path, asks, forbidden)
    with pytest.raises(CannotRead, match="permission denied"):
        mark_files(str(tmp_path), QUESTIONS)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """A pipe without a writer is refused within a second, and in a folder passed over."""
    os.mkfifo(tmp_path / "pipe.txt")
    with pytest.raises(CannotRead, match="no program writes to it"):
        mark_files(str(tmp_path / "pipe.txt"), QUESTIONS)
    written(tmp_path, "a.txt", "order-1: 2")
    assert [question.student for question in mark_files(str(tmp_path), QUESTIONS)] == ["a"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_answers_come_through_a_pipe(tmp_path: Path) -> None:
    """A pipe can be read once only, and that is enough."""
    path = tmp_path / "anna.txt"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_text, args=("order-1: 2\n",))
    writer.start()
    try:
        (anna,) = mark_files(str(path), QUESTIONS)
    finally:
        writer.join()
    assert (anna.student, [answer.text for answer in anna.in_state("right", "wrong")]) == (
        "anna",
        ["2"],
    )


def folder(tmp_path: Path) -> str:
    """Three students, one of whose files is damaged."""
    written(tmp_path, "boris.csv", CSV)
    written(tmp_path, "anna.txt", LINES + "exercise-99: 4\nwhat?\n")
    written(tmp_path, "vera.json", "{")
    return str(tmp_path)


def test_folder_is_marked_by_name(tmp_path: Path) -> None:
    """Every file is a student; a damaged one has no marks and does not stop the others."""
    anna, boris, vera = mark_files(folder(tmp_path), QUESTIONS)
    assert (anna.student, boris.student, vera.student) == ("anna", "boris", "vera")
    assert (anna.right, boris.right, vera.right) == (3, 3, 0)
    assert (len(anna.problems), len(boris.problems), len(vera.problems)) == (2, 0, 1)
    assert "it is not JSON at line 1" in formatting.format_line(vera.problems[0], "en")
    assert "это не JSON: строка 1" in formatting.format_line(vera.problems[0], "ru")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("form", FORMATS)
def test_marks_are_a_document_in_every_format(tmp_path: Path, form: str, language: str) -> None:
    """Scores, wrong answers with given, right and reason, remarks."""
    marked = mark_files(folder(tmp_path), QUESTIONS)
    made = marks_document(marked, 3)
    text = " ".join(render(made, form, language, width=100).split())
    assert made.holds
    for part in ("anna", "boris", "vera", "exercise-2", "0.54", "exercise-99"):
        assert part in text, part
    if form != "json":
        assert f"3/{len(QUESTIONS)}" in text
        assert "0.841471" in text
    if form == "markdown":
        assert COSINE.in_language(language) in text
    if form == "json":
        assert json.loads(text)["parameters"] == {"seed": 3}


def test_few_unanswered_questions_are_named(tmp_path: Path) -> None:
    """Up to ten by name; more are only counted, in the table of scores."""
    path = str(written(tmp_path, "a.txt", "one-pair-2: 0.841\n"))
    few = mark_files(path, questions_with(slugs=["one-pair", "order"]))
    text = render(marks_document(few), "text", "ru")
    assert "a, вопросы без ответа: one-pair-1, one-pair-3, order-1." in text
    assert "1/4" in text
    assert "вопросы без ответа" not in render(
        marks_document(mark_files(path, QUESTIONS)), "text", "ru"
    )


def test_namesakes_are_told_apart(tmp_path: Path) -> None:
    """Two files of one stem keep their endings."""
    for name in ("anna.txt", "anna.json", "boris.txt"):
        written(tmp_path, name, "{}")
    students = [question.student for question in mark_files(str(tmp_path), QUESTIONS)]
    assert students == ["anna.json", "anna.txt", "boris"]


def test_json_values_hold_every_answer(tmp_path: Path) -> None:
    """Student, score, and for each answer what was given, what is right, and why not."""
    students = values(mark_files(folder(tmp_path), QUESTIONS))["students"]
    assert json.loads(json.dumps(students)) == students
    assert [(student["student"], student["right"], student["asked"]) for student in students] == [
        ("anna", 3, len(QUESTIONS)),
        ("boris", 3, len(QUESTIONS)),
        ("vera", 0, len(QUESTIONS)),
    ]
    answers = {answer["question"]: answer for answer in students[0]["answers"]}
    assert answers["exercise-2"] == {
        "question": "exercise-2",
        "given": "0.54",
        "answer": BY_ID["exercise-2"].answer,
        "tolerance": 0.0005,
        "right": False,
        "state": "wrong",
        "read_as": 0.54,
        "reason": {"en": COSINE.en, "ru": COSINE.ru},
    }
    assert "exercise-99" not in answers
    assert students[0]["problems"][1]["ru"].startswith("exercise-99: нет такого вопроса")
    assert students[1]["unanswered"][0] == "one-pair-1"
    assert len(students[2]["problems"]) == 1


def test_csv_has_a_line_for_every_question(tmp_path: Path) -> None:
    """A spreadsheet gets unanswered questions as well, and sums of its column are scores."""
    marked = mark_files(folder(tmp_path), QUESTIONS)
    table = list(csv.DictReader(io.StringIO(as_csv(marked, "ru"))))
    assert len(table) == 3 * len(QUESTIONS) + 1 + 2
    assert sum(int(row["right"]) for row in table if row["student"] == "boris") == 3
    row = next(row for row in table if (row["student"], row["question"]) == ("anna", "one-pair-3"))
    assert (row["given"], row["reason"]) == ("0,841471", OTHER_DIRECTION.ru)
    assert float(row["answer"]) == BY_ID["one-pair-3"].answer
    assert "\u00a0" not in as_csv(marked, "ru")


def test_csv_hands_no_formula_to_a_spreadsheet(tmp_path: Path) -> None:
    """What a student wrote stays text; a number with a sign stays a number."""
    text = "one-pair-1: =HYPERLINK(1)\none-pair-2: @x\none-pair-3: -5e-1\norder-1: +1/2\n"
    table = as_csv(mark_files(str(written(tmp_path, "=a.txt", text)), QUESTIONS), "en")
    answers = [row["given"] for row in csv.DictReader(io.StringIO(table)) if row["given"]]
    assert answers == ["'=HYPERLINK(1)", "'@x", "-5e-1", "+1/2"]
    assert ",=" not in table
    assert "\n'=a," in table


@pytest.mark.parametrize(
    ("cell", "guarded"),
    [
        (" =1+1", True),
        ("\t=1+1", True),
        ("\u00a0\u200b=1+1", True),
        ("\ufeff@x", True),
        ("＝1+1", True),
        ("＋1+1", True),
        (" －1-a", True),
        ("＠x", True),
        ("a=1", False),
        (" -0,5", False),
        ("+1/2", False),
        ("", False),
    ],
)
def test_formula_is_known_behind_blanks_and_in_wide_signs(cell: str, guarded: bool) -> None:
    """Spreadsheets pass over what does not show, and take a wide sign for the narrow one."""
    line = spreadsheet.as_csv([[cell, "x"]], is_number)
    assert next(csv.reader(io.StringIO(line)))[0] == ("'" + cell if guarded else cell)


def test_csv_remarks_are_no_formulas(tmp_path: Path) -> None:
    """A remark begins with a name that a student wrote, and is guarded as the name is."""
    names = ('=HYPERLINK(\\"http://x\\")', "+1+2", "@x", "-x")
    text = "{" + ", ".join(f'"{name}": []' for name in names) + ', "=1": 5, "order-1": 2}'
    path = str(written(tmp_path, "a.json", text))
    for language in LANGUAGES:
        table = list(csv.DictReader(io.StringIO(as_csv(mark_files(path, QUESTIONS), language))))
        reasons = [row["reason"] for row in table if not row["question"]]
        assert [reason[:2] for reason in reasons] == ["'=", "'+", "'@", "'-", "'="]
        assert all(not cell.startswith("=") for row in table for cell in row.values())
        # The guard cuts no sentence short.
        assert reasons[0].endswith(NESTED_TEXT.in_language(language))


def test_strange_names_are_harmless(tmp_path: Path) -> None:
    """Braces, escapes and long names in files break neither a sentence nor a terminal."""
    text = (
        "{answer}: {0}\none-pair-2: {x}\none-pair-3: \x1b[2J\n\x1b[31mred: 1\n"
        + "q" * 500
        + ": 1\n{broken\n"
    )
    path = written(tmp_path, "{student} \x1b.txt", text)
    marked = mark_files(str(path), QUESTIONS)
    for language in LANGUAGES:
        for form in FORMATS:
            assert "\x1b" not in render(marks_document(marked), form, language)
        assert "\x1b" not in as_csv(marked, language)
    assert any(remark.startswith("{answer}: ") for remark in remarks(marked[0]))
