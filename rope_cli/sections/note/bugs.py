"""Which check catches which bug: broken rotations against eleven checks, computed anew."""

from __future__ import annotations

from collections.abc import Mapping

from rope_cli.document.blocks import Block, Column, Heat, Table
from rope_cli.document.charts import floats
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.vocabulary import left, right, say, t, table, table_by_columns
from rope_cli.example.worked_example import Example
from rope_cli.experiments import bugs, detectors
from rope_cli.text import Text

TITLE = t("Which check catches which bug?", "Какая проверка ловит какую ошибку?")
QUESTION = t(
    "A program keeps norms, changes nothing at position 0, and keeps scores under an equal shift: "
    "three checks hold. Is its rotation right?",
    "Программа сохраняет нормы, ничего не меняет в позиции 0 и не меняет оценок при одинаковом "
    "сдвиге: три проверки пройдены. Верен ли её поворот?",
)

CLAIMS = {
    "right-code-passes": t(
        "the report's own rotation passes all eleven checks",
        "поворот этого отчёта проходит все одиннадцать проверок",
    ),
    "every-bug-caught": t(
        "every bug is caught by at least one of the eleven checks",
        "каждую ошибку ловит хотя бы одна из одиннадцати проверок",
    ),
    "every-check-catches": t(
        "every check catches at least one bug", "каждая проверка ловит хотя бы одну ошибку"
    ),
    "no-check-always-fails": t(
        "every check misses at least one bug", "каждая проверка пропускает хотя бы одну ошибку"
    ),
    "classic-trio-blind": t(
        "the checks of norms, of position 0 and of the equal shift pass although nothing is "
        "rotated",
        "проверки норм, позиции 0 и одинакового сдвига пройдены, хотя ничего не повёрнуто",
    ),
    "long-shift-alone": t(
        "a position in bfloat16 is caught by the long shift and by no other check",
        "ошибку с позициями в bfloat16 ловит только проверка с дальним сдвигом",
    ),
    "two-checks-suffice": t(
        "the plain formula and the long shift together catch every bug",
        "прямая формула и дальний сдвиг вместе ловят каждую ошибку",
    ),
}
# Every check of :func:`rope_cli.experiments.detectors.measures`, in its order.
CHECKS = {
    "norms": t("norms at positions 0–5", "нормы в позициях 0–5"),
    "position-zero": t("position 0 changes nothing", "позиция 0 ничего не меняет"),
    "shift-3-row": t(
        "scores of q = k = [1, 0, 1, 0], shifted by 3",
        "оценки q = k = [1, 0, 1, 0] при сдвиге на 3",
    ),
    "shift-3": t("scores, shifted by 3", "оценки при сдвиге на 3"),
    "shift-300": t("scores, shifted by 300", "оценки при сдвиге на 300"),
    "one-pair": t(
        "score of [1, 0] at 1 and [0, 1] at 0: sin 1",
        "оценка [1, 0] в 1 и [0, 1] в 0: sin 1",
    ),
    "chapter-grid": t("the chapter's matrix of scores", "матрица оценок из главы"),
    "signed-grid": t(
        "scores of q = [1, 0, 1, 0], k = [0, 1, 0, 1]",
        "оценки q = [1, 0, 1, 0], k = [0, 1, 0, 1]",
    ),
    "row-at-one": t("row [1, 0, 1, 0] at position 1", "строка [1, 0, 1, 0] в позиции 1"),
    "dense-matrix": t(
        "q and k at 1, 2, 5 by the plain formula", "q и k в 1, 2, 5 по прямой формуле"
    ),
    "composition": t("R(3)R(2)q equals R(5)q", "R(3)R(2)q равно R(5)q"),
}
LETTERS = "ABCDEFGHIJK"
TRIO = ("norms", "position-zero", "shift-3-row")


def gather(example: Example) -> Evidence:
    """Every check against the report's rotation and against each bug."""
    right_measures = detectors.of_example(example)
    greatest = max(right_measures.values())
    measures = {bug.name: detectors.of_mistake(bug.query, bug.key) for bug in bugs.BUGS}
    caught = {name: _caught_by(measured) for name, measured in measures.items()}
    by_check = [[row[check] for row in caught.values()] for check in CHECKS]
    unrotated, in_bfloat16 = caught["no rotation at all"], caught["bf16 position"]
    return Evidence(
        values={
            "right_measures": right_measures,
            "bug_measures": measures,
            "bug_words": {bug.name: {"en": bug.words.en, "ru": bug.words.ru} for bug in bugs.BUGS},
            "hidden_from_trio": [
                name for name, row in caught.items() if not any(row[check] for check in TRIO)
            ],
        },
        checks=(
            Check("right-code-passes", greatest, detectors.TOLERANCE, len(right_measures)),
            all_true("every-bug-caught", [any(row.values()) for row in caught.values()]),
            all_true("every-check-catches", map(any, by_check)),
            all_true("no-check-always-fails", [not all(column) for column in by_check]),
            all_true("classic-trio-blind", [not unrotated[check] for check in TRIO]),
            all_true(
                "two-checks-suffice",
                [row["dense-matrix"] or row["shift-300"] for row in caught.values()],
            ),
            all_true(
                "long-shift-alone",
                [hit == (check == "shift-300") for check, hit in in_bfloat16.items()],
            ),
        ),
    )


def _caught_by(measures: Mapping[str, float]) -> dict[str, bool]:
    return {check: not measure <= detectors.TOLERANCE for check, measure in measures.items()}


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The checks with their letters, then the table of marks, then what to learn from it."""
    hidden = [evidence["bug_words"][name] for name in evidence["hidden_from_trio"]]
    return (
        _eleven_checks(evidence),
        _marks(evidence),
        _marks_as_heat(evidence),
        say(
            "A, B and C are the {trio} checks that come to mind first. Together they let {count} "
            "of {total} bugs through: {names}.",
            "Первыми приходят в голову {trio} проверки: A, B и C. Вместе они пропускают "
            "{count} ошибок из {total}: {names}.",
            trio=len(TRIO),
            count=len(hidden),
            total=len(evidence["bug_measures"]),
            names=t(
                "; ".join(words["en"] for words in hidden) or "-",
                "; ".join(words["ru"] for words in hidden) or "-",
            ),
        ),
        say(
            "So compare with an independent formula, on rows without zeros (J), and look far from "
            "position 0 (E): together these two catch every bug in the list. The chapter's matrix "
            "(G) does not reveal a rotation in the wrong direction, because its rows are equal "
            "and the cosine is even; a key that differs from the query (H) does.",
            "Поэтому сравнивайте с независимой формулой на строках без нулей (J) и проверяйте "
            "вдали от позиции 0 (E): вместе эти две проверки ловят все ошибки списка. Матрица из "
            "главы (G) не выдаёт поворота не в ту сторону, потому что строки в ней одинаковы, а "
            "косинус чётный; его выдаёт ключ, отличный от запроса (H).",
        ),
    )


def _eleven_checks(evidence: Evidence) -> Table:
    caught = [_caught_by(measures) for measures in evidence["bug_measures"].values()]
    hits = [sum(row[check] for row in caught) for check in CHECKS]
    return table_by_columns(
        t(
            "Eleven checks, and how many of {total} bugs each of them catches; d = 4, b = 100, "
            "rows without zeros where no row is named:",
            "Одиннадцать проверок и сколько ошибок из {total} ловит каждая; d = 4, b = 100, строки "
            "без нулей, если не названы другие:",
            total=len(caught),
        ),
        (Column(""), LETTERS),
        (Column(t("what is compared", "что сравнивается")), CHECKS.values()),
        (t("bugs caught", "поймано"), hits),
    )


def _marks(evidence: Evidence) -> Table:
    measures, words = evidence["bug_measures"], evidence["bug_words"]
    rows = (
        (t("the report's own rotation", "поворот этого отчёта"), evidence["right_measures"]),
        *((Text(**words[name]), measured) for name, measured in measures.items()),
    )
    hits = [(name, _caught_by(measured).values()) for name, measured in rows]
    return table(
        t(
            "Where there is an x, the check fails and catches the bug; where there is a dot, it "
            "passes and the bug stays hidden:",
            "x — проверка не пройдена, ошибка поймана; точка — проверка пройдена, ошибка осталась "
            "скрытой:",
        ),
        (
            *left(t("bug", "ошибка")),
            *(Column(letter, "mark") for letter in LETTERS),
            *right(t("caught by", "проверок")),
        ),
        ((name, *("x" if hit else "." for hit in row), sum(row)) for name, row in hits),
    )


def _marks_as_heat(evidence: Evidence) -> Heat:
    measures, words = evidence["bug_measures"], evidence["bug_words"]
    return Heat(
        t(
            "The same table as a picture: a shaded cell with a plus is a bug that is caught",
            "Та же таблица на рисунке: закрашенная ячейка с плюсом — ошибка поймана",
        ),
        tuple(Text(**words[name]) for name in measures),
        tuple(LETTERS),
        tuple(floats(_caught_by(measured).values()) for measured in measures.values()),
        t(
            "In columns A to D less than a third of the cells are shaded, in H and J nearly all. "
            "In the row of the positions in bfloat16 only E is shaded.",
            "В столбцах A–D закрашено меньше трети ячеек, в H и J — почти все. В строке позиций в "
            "bfloat16 закрашена только ячейка E.",
        ),
        graphical=True,
    )
