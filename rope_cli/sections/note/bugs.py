"""Which check catches which bug: broken rotations against eleven checks, computed anew."""

from __future__ import annotations

from collections.abc import Mapping

from rope_cli.document.blocks import TIGHT, Block, Column, Table
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.vocabulary import left, right, say, t, table, table_by_columns
from rope_cli.example.worked_example import Example
from rope_cli.experiments import bugs, detectors
from rope_cli.text import Text

TITLE = t("Which check catches which bug?", "Какая проверка ловит какую ошибку?")
QUESTION = t(
    "Norms are kept, position 0 changes nothing, an equal shift keeps the scores: all three hold. "
    "Is the rotation right?",
    "Нормы сохраняются, позиция 0 ничего не меняет, одинаковый сдвиг не меняет оценок — все три "
    "проверки пройдены. Верен ли поворот?",
)

CLAIMS = {
    "right-code-passes": t(
        "the report's own rotation passes all eleven",
        "поворот этого отчёта проходит все одиннадцать",
    ),
    "every-bug-caught": t(
        "every bug fails at least one of them", "каждую ошибку ловит хотя бы одна из них"
    ),
    "every-check-catches": t(
        "every check catches some bug", "каждая проверка ловит хоть одну ошибку"
    ),
    "no-check-always-fails": t(
        "every check lets some bug through", "каждая проверка хоть одну ошибку пропускает"
    ),
    "classic-trio-blind": t(
        "norms, position 0 and the equal shift pass although nothing is rotated",
        "нормы, позиция 0 и одинаковый сдвиг проходят, хотя поворота нет вовсе",
    ),
    "long-shift-alone": t(
        "a position in bfloat16 is caught by the long shift and by nothing else",
        "позицию в bfloat16 ловит только дальний сдвиг, и больше ничего",
    ),
}
# Every check of :func:`rope_cli.experiments.detectors.measures`, in its order.
CHECKS = {
    "norms": t("norms at 0-5 (row without zeros)", "нормы в 0-5 (строка без нулей)"),
    "position-zero": t("position 0 changes nothing", "позиция 0 ничего не меняет"),
    "shift-3-row": t(
        "scores, shift +3, q = k = [1, 0, 1, 0]", "оценки, сдвиг +3, q = k = [1, 0, 1, 0]"
    ),
    "shift-3": t("scores, shift +3, rows without zeros", "оценки, сдвиг +3, без нулей"),
    "shift-300": t("scores, shift +300, rows without zeros", "оценки, сдвиг +300, без нулей"),
    "one-pair": t("one pair at (1,0): sin 1", "одна пара в (1,0): sin 1"),
    "chapter-grid": t("the chapter's matrix", "матрица из главы"),
    "signed-grid": t(
        "matrix of q = [1, 0, 1, 0], k = [0, 1, 0, 1]", "матрица q = [1, 0, 1, 0], k = [0, 1, 0, 1]"
    ),
    "row-at-one": t("row [1, 0, 1, 0] at m = 1", "строка [1, 0, 1, 0] при m = 1"),
    "dense-matrix": t("plain formula at 1, 2, 5, q and k", "прямая формула в 1, 2, 5, q и k"),
    "composition": t("R(3)R(2)q is R(5)q", "R(3)R(2)q равно R(5)q"),
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
            Check("right-code-passes", greatest, detectors.BOUND, len(right_measures)),
            all_true("every-bug-caught", [any(row.values()) for row in caught.values()]),
            all_true("every-check-catches", map(any, by_check)),
            all_true("no-check-always-fails", [not all(column) for column in by_check]),
            all_true("classic-trio-blind", [not unrotated[check] for check in TRIO]),
            all_true(
                "long-shift-alone",
                [hit == (check == "shift-300") for check, hit in in_bfloat16.items()],
            ),
        ),
    )


def _caught_by(measures: Mapping[str, float]) -> dict[str, bool]:
    return {check: not measure <= detectors.BOUND for check, measure in measures.items()}


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The checks with their letters, then the table of marks, then what to learn from it."""
    hidden = [evidence["bug_words"][name] for name in evidence["hidden_from_trio"]]
    return (
        _eleven_checks(evidence),
        _marks(evidence),
        say(
            "A, B and C, the three most usual checks, let {count} of {total} bugs "
            "through: {names}.",
            "A, B и C — три самые привычные проверки — пропускают {count} из {total} "
            "ошибок: {names}.",
            count=len(hidden),
            total=len(evidence["bug_measures"]),
            names=t(
                "; ".join(words["en"] for words in hidden) or "-",
                "; ".join(words["ru"] for words in hidden) or "-",
            ),
        ),
        say(
            "Compare with an independent formula (J), on rows without zeros, and far from 0 (E): "
            "these two alone catch the whole list. The chapter's matrix (G) misses turns the wrong "
            "way; a key that is not the query (H) sees them.",
            "Сравнивайте с независимой формулой (J) на строках без нулей и проверяйте вдали от 0 "
            "(E): эти две ловят весь список. Матрица из главы (G) не замечает поворота не в ту "
            "сторону; его видно, когда ключ не равен запросу (H).",
        ),
    )


def _eleven_checks(evidence: Evidence) -> Table:
    caught = [_caught_by(measures) for measures in evidence["bug_measures"].values()]
    hits = [sum(row[check] for row in caught) for check in CHECKS]
    return table_by_columns(
        t(
            "Eleven checks (d = 4, b = 100), and how many of {total} bugs each catches:",
            "Одиннадцать проверок (d = 4, b = 100) и сколько ошибок из {total} ловит каждая:",
            total=len(caught),
        ),
        (Column(""), LETTERS),
        (Column(t("what is compared", "что сравнивается")), CHECKS.values()),
        (t("catches", "ловит"), hits),
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
            "x: the check fails, the bug is caught; a point: the check passes, the bug "
            "stays hidden.",
            "x — проверка не проходит, ошибка поймана; точка — проверка проходит, ошибка "
            "не замечена.",
        ),
        (*left(t("bug", "ошибка"), TIGHT.join(LETTERS)), *right(t("hits", "раз"))),
        ((name, TIGHT.join("x" if hit else "." for hit in row), sum(row)) for name, row in hits),
    )
