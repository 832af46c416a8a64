"""Which check catches which bug: broken rotations against eleven checks, computed anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rope_cli.document.blocks import TIGHT, Block, Column, Line, Paragraph, Phrase, Rows, Table
from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.vocabulary import t
from rope_cli.example.worked_example import Example
from rope_cli.experiments import bugs, detectors
from rope_cli.text import Text

TITLE = t("Which check catches which bug?", "Какая проверка ловит какую ошибку?")
QUESTION = t(
    "Norms are kept, position 0 changes nothing, an equal shift keeps the scores: all "
    "three hold. Is the rotation right?",
    "Нормы сохраняются, позиция 0 ничего не меняет, одинаковый сдвиг не меняет оценок — "
    "все три проверки пройдены. Верен ли поворот?",
)

CLAIMS = {
    "right-code-passes": Text(
        en="the report's own rotation passes all eleven",
        ru="поворот этого отчёта проходит все одиннадцать",
    ),
    "every-bug-caught": Text(
        en="every bug fails at least one of them",
        ru="каждую ошибку ловит хотя бы одна из них",
    ),
    "every-check-catches": Text(
        en="every check catches some bug",
        ru="каждая проверка ловит хоть одну ошибку",
    ),
    "no-check-always-fails": Text(
        en="every check lets some bug through",
        ru="каждая проверка хоть одну ошибку пропускает",
    ),
    "classic-trio-blind": Text(
        en="norms, position 0 and the equal shift pass although nothing is rotated",
        ru="нормы, позиция 0 и одинаковый сдвиг проходят, хотя поворота нет вовсе",
    ),
    "long-shift-alone": Text(
        en="a position in bfloat16 is caught by the long shift and by nothing else",
        ru="позицию в bfloat16 ловит только дальний сдвиг, и больше ничего",
    ),
}
TRIO = ("norms", "position-zero", "shift-3-row")


def gather(example: Example) -> Evidence:
    """Every check against the report's rotation and against each bug."""
    right = detectors.of_example(example)
    found = {bug.name: detectors.of_mistake(bug.query, bug.key) for bug in bugs.BUGS}
    caught = {name: _caught(measures) for name, measures in found.items()}
    columns = [[row[check] for row in caught.values()] for check in CHECKS]
    unrotated, low = caught["no rotation at all"], caught["bf16 position"]
    return Evidence(
        values={
            "right_measures": right,
            "bug_measures": found,
            "bug_words": {bug.name: {"en": bug.words.en, "ru": bug.words.ru} for bug in bugs.BUGS},
            "hidden_from_trio": [
                name for name, row in caught.items() if not any(row[check] for check in TRIO)
            ],
        },
        checks=(
            Check("right-code-passes", max(right.values()), detectors.BOUND, len(right)),
            all_true("every-bug-caught", [any(row.values()) for row in caught.values()]),
            all_true("every-check-catches", [any(column) for column in columns]),
            all_true("no-check-always-fails", [not all(column) for column in columns]),
            all_true("classic-trio-blind", [not unrotated[check] for check in TRIO]),
            all_true(
                "long-shift-alone", [low[check] == (check == "shift-300") for check in CHECKS]
            ),
        ),
    )


def _caught(measures: Mapping[str, float]) -> dict[str, bool]:
    return {check: not measure <= detectors.BOUND for check, measure in measures.items()}


def present(evidence: Evidence) -> tuple[Block, ...]:
    """The checks with their letters, then the table of marks, then what to learn from it."""
    words = evidence["bug_words"]
    caught = {name: _caught(measures) for name, measures in evidence["bug_measures"].items()}
    total = len(caught)
    letters = [chr(ord("A") + at) for at in range(len(CHECKS))]
    listed: Rows = tuple(
        (letter, CHECKS[check], sum(row[check] for row in caught.values()))
        for letter, check in zip(letters, CHECKS, strict=True)
    )
    own = Text(en="the report's own rotation", ru="поворот этого отчёта")
    marked: Rows = tuple(
        (name, _marks(row.values()), sum(row.values()))
        for name, row in (
            (own, _caught(evidence["right_measures"])),
            *((Text(**words[name]), row) for name, row in caught.items()),
        )
    )
    number = Column(Text(en="catches", ru="ловит"), "right")
    return (
        Table(
            (Column(""), Column(Text(en="what is compared", ru="что сравнивается")), number),
            listed,
            Phrase(
                Text(
                    en="Eleven checks (d = 4, b = 100), and how many of {total} bugs each catches:",
                    ru="Одиннадцать проверок (d = 4, b = 100) и сколько ошибок из {total} ловит "
                    "каждая:",
                ),
                {"total": total},
            ),
        ),
        Table(
            (
                Column(Text(en="bug", ru="ошибка")),
                Column(TIGHT.join(letters)),
                Column(Text(en="hits", ru="раз"), "right"),
            ),
            marked,
            Text(
                en="x: the check fails, the bug is caught; a point: the check passes, the bug "
                "stays hidden.",
                ru="x — проверка не проходит, ошибка поймана; точка — проверка проходит, ошибка "
                "не замечена.",
            ),
        ),
        Paragraph(
            Phrase(
                Text(
                    en="A, B and C, the three most usual checks, let {count} of {total} "
                    "bugs through: {names}.",
                    ru="A, B и C — три самые привычные проверки — пропускают "
                    "{count} из {total} ошибок: {names}.",
                ),
                {
                    "count": len(evidence["hidden_from_trio"]),
                    "total": total,
                    "names": _named([words[name] for name in evidence["hidden_from_trio"]]),
                },
            )
        ),
        Paragraph(
            Text(
                en="Compare with an independent formula (J), on rows without zeros, and far from 0 "
                "(E): these two alone catch the whole list. The chapter's matrix (G) misses turns "
                "the wrong way; a key that is not the query (H) sees them.",
                ru="Сравнивайте с независимой формулой (J) на строках без нулей и проверяйте вдали "
                "от 0 (E): эти две ловят весь список. Матрица из главы (G) не замечает поворота не "
                "в ту сторону; его видно, когда ключ не равен запросу (H).",
            )
        ),
    )


def _marks(row: Iterable[bool]) -> Line:
    return TIGHT.join("x" if hit else "." for hit in row)


def _named(words: Sequence[dict[str, str]]) -> Text:
    return Text(
        en="; ".join(each["en"] for each in words) or "-",
        ru="; ".join(each["ru"] for each in words) or "-",
    )


# Every check of :func:`rope_cli.experiments.detectors.measures`, in its order.
CHECKS = {
    "norms": Text(en="norms at 0-5 (row without zeros)", ru="нормы в 0-5 (строка без нулей)"),
    "position-zero": Text(en="position 0 changes nothing", ru="позиция 0 ничего не меняет"),
    "shift-3-row": Text(
        en="scores, shift +3, q = k = [1, 0, 1, 0]", ru="оценки, сдвиг +3, q = k = [1, 0, 1, 0]"
    ),
    "shift-3": Text(en="scores, shift +3, rows without zeros", ru="оценки, сдвиг +3, без нулей"),
    "shift-300": Text(
        en="scores, shift +300, rows without zeros", ru="оценки, сдвиг +300, без нулей"
    ),
    "one-pair": Text(en="one pair at (1,0): sin 1", ru="одна пара в (1,0): sin 1"),
    "chapter-grid": Text(en="the chapter's matrix", ru="матрица из главы"),
    "signed-grid": Text(
        en="matrix of q = [1, 0, 1, 0], k = [0, 1, 0, 1]",
        ru="матрица q = [1, 0, 1, 0], k = [0, 1, 0, 1]",
    ),
    "row-at-one": Text(en="row [1, 0, 1, 0] at m = 1", ru="строка [1, 0, 1, 0] при m = 1"),
    "dense-matrix": Text(
        en="plain formula at 1, 2, 5, q and k", ru="прямая формула в 1, 2, 5, q и k"
    ),
    "composition": Text(en="R(3)R(2)q is R(5)q", ru="R(3)R(2)q равно R(5)q"),
}
