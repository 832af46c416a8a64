"""The audit of both texts: every claim with its verdict, its number, and the section for it."""

from __future__ import annotations

import math
import pkgutil

from rope_cli import sections
from rope_cli.document.blocks import Block, Table
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.vocabulary import left, right, say, stack, t, table
from rope_cli.example.worked_example import Example
from rope_cli.experiments.claims import chapter, note
from rope_cli.experiments.claims.claim import Claim
from rope_cli.text import Text

TITLE = t("Claims of the sources", "Проверка утверждений")
QUESTION = t(
    "Early dimensions turn fast: is that the low-frequency part? Does the expected dot product "
    "fall with distance? Say true, false, or true on a condition.",
    "Ранние размерности поворачиваются быстро: это низкочастотная часть? Убывает ли с расстоянием "
    "математическое ожидание скалярного произведения? Верно, неверно или верно при условии?",
)

CLAIMS = {
    "claims-complete": t(
        "every claim is here, C1-C49 and N1-N22, none twice",
        "здесь все утверждения, C1-C49 и N1-N22, и ни одно дважды",
    ),
    "claims-numbered": t(
        "every claim has a number that was computed just now",
        "у каждого утверждения есть число, вычисленное только что",
    ),
    "claims-have-sections": t(
        "every claim has a section of this report that shows it",
        "для каждого утверждения есть раздел этого отчёта",
    ),
    "wrong-claims-refuted": t(
        "the number of every wrong claim is above what the claim allows",
        "число у каждого неверного утверждения больше, чем оно допускает",
    ),
}
AUDIT: tuple[Claim, ...] = (*chapter.CLAIMS, *note.CLAIMS)
MARKS = (
    *(f"C{number}" for number in range(1, 18)),
    *("C18a", "C18b"),
    *(f"C{number}" for number in range(19, 50)),
    *(f"N{number}" for number in range(1, 23)),
)
# In the order of the tables; right claims come without a remark, or with one.
GROUPS = {
    "wrong": t(
        "Wrong as written; in the second line what is true:",
        "Неверно в таком виде; второй строкой — что верно:",
    ),
    "conditional": t(
        "Right on a condition, which is in the second line:",
        "Верно при условии, оно во второй строке:",
    ),
    "term": t("Words that lead astray:", "Слова, которые сбивают с толку:"),
    "open": t("Nothing to judge:", "Судить не о чем:"),
    "remarked": t("Right, with a remark:", "Верно, с примечанием:"),
    "right": t(
        "Right; each line ends with what its number is:",
        "Верно; строка кончается тем, что показывает число:",
    ),
    "program": t(
        "What the chapter's program does, and this one:",
        "Так работает программа главы, и эта тоже:",
    ),
}


def gather(example: Example) -> Evidence:
    """The number of every claim."""
    files = pkgutil.walk_packages(sections.__path__, f"{sections.__name__}.")
    slugs = {file.name.rpartition(".")[2].replace("_", "-") for file in files}
    numbers = {claim.mark: claim.number(example) for claim in AUDIT}
    rivals = {claim.mark: claim.rival(example) for claim in AUDIT if claim.rival}
    marks = [claim.mark for claim in AUDIT]
    wrong = [claim.mark for claim in AUDIT if claim.verdict == "wrong"]
    return Evidence(
        values={
            "claims": {
                claim.mark: {
                    "verdict": claim.verdict,
                    "number": numbers[claim.mark],
                    "section": claim.slug,
                }
                for claim in AUDIT
            },
            "claim_rivals": rivals,
        },
        checks=(
            all_true("claims-complete", [marks.count(mark) == 1 for mark in MARKS]),
            all_true("claims-numbered", map(math.isfinite, numbers.values())),
            all_true("claims-have-sections", [claim.slug in slugs for claim in AUDIT]),
            all_true(
                "wrong-claims-refuted",
                [numbers[mark] > rivals.get(mark, math.inf) for mark in wrong],
            ),
        ),
    )


def present(evidence: Evidence) -> tuple[Block, ...]:
    """A table for each verdict, the wrong claims first."""
    verdicts = [claim["verdict"] for claim in evidence["claims"].values()]
    return (
        say(
            "C is a claim of the chapter, N of the note, both in our words. Of {total} claims "
            "{right} are right as written, {conditional} on a condition, {wrong} wrong. The number "
            "was computed for this page.",
            "C — утверждения главы, N — заметки, те и другие нашими словами. Из {total} "
            "утверждений верны как есть {right}, при условии — {conditional}, неверны {wrong}. "
            "Число вычислено для этой страницы.",
            total=len(verdicts),
            right=verdicts.count("right"),
            conditional=verdicts.count("conditional"),
            wrong=verdicts.count("wrong"),
        ),
        *(_claims_of(group, caption, evidence) for group, caption in GROUPS.items()),
    )


def _claims_of(group: str, caption: Text, evidence: Evidence) -> Table:
    return table(
        caption,
        (
            *left("", t("what is claimed", "что утверждается")),
            *right(t("number", "число")),
            *left(t("section", "раздел")),
        ),
        (
            (
                claim.mark,
                claim.words if claim.remark is None else stack(claim.words, claim.remark),
                evidence["claims"][claim.mark]["number"],
                claim.slug,
            )
            for claim in AUDIT
            if _group_of(claim) == group
        ),
    )


def _group_of(claim: Claim) -> str:
    return "remarked" if claim.verdict == "right" and claim.remark else claim.verdict
