"""Classes: folders of answers as nobody would write them, and what their marks must not be."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from random import Random

from fuzz.case import Case
from rope_cli.classroom.answer_tables import from_form
from rope_cli.classroom.encodings import NotText, decode
from rope_cli.classroom.question_names import IDS
from rope_cli.text import LANGUAGES

FOLDER = "class"
ENDINGS = ("txt", "csv", "json", "md", "")
ENCODINGS = ("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1251", "cp1252", "koi8-r")
# What stands between a name and its answer, what answers are made of, and what else is in a line.
SEPARATORS = (": ", "=", ";", ",", "\t", " ", ". ", " — ", " -> ", "\n", ":\n", '":"', "|")
PIECES = (
    *(
        "0,5",
        "0.841",
        "-5",
        "1/0",
        "9" * 50,
        "1e999",
        "2)",
        "2)",
        "cos 1",
        "sqrt(",
        "√31",
        "2^",
        "^",
    ),
    *("(" * 70, "pi", "°", "½", "²", "٣", "%", "\\frac{1}{2}", "{", "}", "[", "]", "e", "−", "+1"),
    *(
        "=HYPERLINK(1)",
        "@x",
        "＝1+1",
        "'",
        '"',
        "\t=1",
        "\x1b[2J",
        "\x00",
        "\x85",
        "\u202e",
        "\u2028",
    ),
    *(
        "👍",
        "ответ: ",
        "Answer: ",
        "не знаю",
        "?",
        "...",
        "≈",
        "рад",
        "null",
        "true",
        "NaN",
        "[[]]",
    ),
)
LINES = (
    *(
        "seed 7",
        "seed 99999999999999999999",
        "seed x",
        "вариант 3",
        "sep=;",
        "question;answer",
        "#",
    ),
    *(
        "Имя: Анна",
        "Answer: ",
        "Ответ: ____",
        "{",
        "}",
        "x: 1",
        "one-par-1: 2",
        "=1+1: 5",
        "",
        "\x1b",
    ),
)


def random_class(random: Random) -> Case:
    """A folder of a few files, now and then one file, and one command that marks it."""
    count = random.randint(1, 5)
    files = {
        f"{FOLDER}/s{at}.{random.choice(ENDINGS)}".rstrip("."): answers(random)
        for at in range(count)
    }
    path = FOLDER if random.random() < 0.8 else next(iter(files))
    words = [
        "mark",
        path,
        *random.sample(("norms", "chapter", "one-pair"), random.choice((0, 0, 1))),
    ]
    words += ["--format", random.choice(("text", "csv", "json", "markdown", "html"))]
    if random.random() < 0.3:
        words += ["--seed", random.choice(("3", "7"))]
    return Case((*words, "--lang", random.choice(LANGUAGES)), files)


def answers(random: Random) -> bytes:
    """A file of answers, some of its bytes changed now and then."""
    lines = [
        random.choice(LINES)
        if random.random() < 0.2
        else random.choice(IDS)
        + random.choice(SEPARATORS)
        + "".join(random.choices(PIECES, k=random.randint(0, 3)))
        for _ in range(random.randint(0, 8))
    ]
    text = random.choice(("\n", "\n", "\r\n", "\r", "; ")).join(lines)
    data = bytearray(text.encode(random.choice(ENCODINGS), "replace"))
    if random.random() < 0.2:
        for at in range(len(data)):
            if random.random() < 0.02:
                data[at] = random.randrange(256)
    return bytes(data)


def problem_of_marks(case: Case, out: str) -> str | None:
    """A control character, a formula or a lost student in the marks of a class."""
    hidden = next((sign for sign in out if is_hidden(sign)), None)
    if hidden is not None:
        return f"a control character in the marks: {hidden!r}"
    form = case.words[case.words.index("--format") + 1] if "--format" in case.words else "text"
    if form == "csv":
        rows = list(csv.reader(io.StringIO(out)))[1:]
        formula = next((cell for row in rows for cell in row if is_formula(cell)), None)
        if formula is not None:
            return f"a formula in the marks: {formula!r}"
        students = {row[0] for row in rows}
    elif form == "json":
        students = {row["student"] for row in json.loads(out)["sections"][0]["values"]["students"]}
    else:
        students = {name for name in stems(case) if name in out}
    lost = stems(case) - {student.partition(".")[0] for student in students}
    return f"a student is lost: {min(lost)}" if lost else None


def stems(case: Case) -> set[str]:
    """The students of a case."""
    paths = case.files if case.words[1] == FOLDER else (case.words[1],)
    return {
        path.removeprefix(f"{FOLDER}/").partition(".")[0]
        for path in paths
        if not names_students(case.files[path])
    }


def names_students(data: bytes) -> bool:
    """Whether a file is the export of a form, which names its students itself."""
    try:
        return bool(from_form(decode(data)[0]))
    except (NotText, csv.Error):
        return False


def is_hidden(sign: str) -> bool:
    """Whether a sign controls a terminal or the direction of writing."""
    kind = unicodedata.category(sign)
    return (kind == "Cc" and sign != "\n") or kind in ("Cf", "Zl", "Zp", "Cs")


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet takes a cell for more than a text or a number."""
    seen = "".join(sign for sign in unicodedata.normalize("NFKC", cell) if sign.isprintable())
    if seen.strip()[:1] not in ("=", "+", "-", "@"):
        return False
    number = seen.strip()[1:].replace(" ", "").replace(",", ".").replace("/", "", 1)
    try:
        float(number)
    except ValueError:
        return True
    return seen.strip()[0] in "=@"
