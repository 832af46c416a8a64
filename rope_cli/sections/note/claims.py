"""The audit of both texts: every claim with its verdict, its number, and the section for it."""

from __future__ import annotations

import math
import pkgutil
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from rope_cli import sections
from rope_cli.document.blocks import Block, Phrase, Piece, Table
from rope_cli.document.evidence import Evidence, all_true
from rope_cli.document.formatting import format_line
from rope_cli.document.lines import printed_lines
from rope_cli.document.vocabulary import brief, left, piece, say, stack, t, table
from rope_cli.example.worked_example import Example
from rope_cli.experiments.claims import chapter, note
from rope_cli.experiments.claims.claim import Claim
from rope_cli.text import Text

TITLE = t("Claims of the sources", "Проверка утверждений")
QUESTION = t(
    "Are early dimensions the low-frequency part? Does the expected dot product fall with "
    "distance? Say for each: true, false, or true on a condition.",
    "Ранние размерности — это низкочастотная часть? Убывает ли с расстоянием математическое "
    "ожидание скалярного произведения? Решите о каждом: верно, неверно или верно при условии.",
)

CLAIMS = {
    "claims-complete": t(
        "every claim is here, C1-C49 and N1-N22, and none is here twice",
        "здесь все утверждения, C1-C49 и N1-N22, и ни одно не повторяется",
    ),
    "claims-numbered": t(
        "every number stated here was computed in this run and is finite",
        "каждое число, названное здесь, вычислено при этом запуске и конечно",
    ),
    "claims-have-sections": t(
        "the section named beside a claim exists and prints its numbers",
        "раздел, названный рядом с утверждением, существует, и в нём напечатаны те же числа",
    ),
    "wrong-claims-refuted": t(
        "the number of every wrong claim is above what the claim allows",
        "каждое неверное утверждение опровергнуто числом, которого оно не допускает",
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
        "Wrong as written, and under each what is true:",
        "Неверно в таком виде; под утверждением сказано, что верно:",
    ),
    "conditional": t(
        "Right on a condition, which is given under each:",
        "Верно при условии, которое названо под утверждением:",
    ),
    "term": t("Misleading terms:", "Слова, которые сбивают с толку:"),
    "open": t("Not to be judged:", "Нельзя ни подтвердить, ни опровергнуть:"),
    "remarked": t("Right as written, with a remark:", "Верно в таком виде, с примечанием:"),
    "right": t("Right as written:", "Верно в таком виде:"),
    "program": t(
        "What the chapter's program does, and this one too:",
        "Так работает программа главы, и эта тоже:",
    ),
}


def gather(example: Example) -> Evidence:
    """The numbers of every claim, and whether the section named beside it prints them."""
    numbers = {claim.mark: claim.number and claim.number(example) for claim in AUDIT}
    rivals = {claim.mark: claim.rival(example) for claim in AUDIT if claim.rival}
    computed = [number for number in numbers.values() if number is not None]
    marks = [claim.mark for claim in AUDIT]
    wrong = [claim.mark for claim in AUDIT if claim.verdict == "wrong"]
    texts = printed_texts({claim.slug for claim in AUDIT}, example)
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
            all_true("claims-numbered", map(math.isfinite, (*computed, *rivals.values()))),
            all_true(
                "claims-have-sections",
                [
                    prints(texts[claim.slug], numbers[claim.mark], rivals.get(claim.mark))
                    for claim in AUDIT
                ],
            ),
            all_true(
                "wrong-claims-refuted",
                [(numbers[mark] or 0.0) > rivals.get(mark, math.inf) for mark in wrong],
            ),
        ),
    )


def printed_texts(slugs: Iterable[str], example: Example) -> dict[str, str]:
    """The question and the text of each section; empty where there is no such section."""
    files = pkgutil.walk_packages(sections.__path__, f"{sections.__name__}.")
    modules = {file.name.rpartition(".")[2].replace("_", "-"): file.name for file in files}
    texts = dict.fromkeys(slugs, "")
    for slug in texts.keys() & modules:
        section: Any = import_module(modules[slug])
        lines = printed_lines(section.present(example.result_of(section.gather)))
        texts[slug] = "\n".join(format_line(line, "en") for line in (section.QUESTION, *lines))
    return texts


def prints(text: str, *numbers: float | None) -> bool:
    """Whether a section has a text, and each number stands in it by itself, brief or not."""
    return bool(text) and all(
        any(
            re.search(rf"(?<![\d.-]){re.escape(format_line(form, 'en'))}(?!\.?\d)", text)
            for form in (piece(number), written(number))
        )
        for number in numbers
        if number is not None
    )


def written(number: float) -> Piece:
    """The number of a claim as it stands in its sentence."""
    return number if isinstance(number, int) else brief(number)


def present(evidence: Evidence) -> tuple[Block, ...]:
    """A table for each verdict, the wrong claims first."""
    verdicts = [claim["verdict"] for claim in evidence["claims"].values()]
    counts = {verdict: verdicts.count(verdict) for verdict in ("right", "conditional", "wrong")}
    others = {verdict: verdicts.count(verdict) for verdict in ("program", "term", "open")}
    return (
        say(
            "C marks a claim of the chapter and N one of the note; the words are ours. Of {total} "
            "claims, {right} are right as written, {conditional} are right on a condition and "
            "{wrong} are wrong. The other {rest} are not statements about RoPE: what the "
            "chapter's program does ({program}), words that mislead ({term}) and what cannot be "
            "judged ({open}). Every number was computed in this run, and the section named beside "
            "it shows where it comes from.",
            "C — утверждение главы, N — утверждение заметки, те и другие нашими словами. Из "
            "{total} утверждений {right} верны в таком виде, {conditional} верны при условии, "
            "{wrong} неверны. Остальные {rest} — не о самом RoPE: как работает программа главы "
            "({program}), слова, которые сбивают с толку ({term}), и то, о чём нельзя судить "
            "({open}). Числа вычислены при этом запуске; откуда они берутся, видно в разделе, "
            "названном рядом.",
            total=len(verdicts),
            rest=sum(others.values()),
            **counts,
            **others,
        ),
        *(_claims_of(group, caption, evidence) for group, caption in GROUPS.items()),
    )


def _claims_of(group: str, caption: Text, evidence: Evidence) -> Table:
    return table(
        caption,
        left("", t("what is claimed", "что утверждается"), t("section", "раздел")),
        (
            (claim.mark, stack(*_sentences(claim, evidence)), claim.slug)
            for claim in AUDIT
            if _group_of(claim) == group
        ),
    )


def _sentences(claim: Claim, evidence: Evidence) -> Iterator[Text | Phrase]:
    """The claim and its remark, with the numbers filled in."""
    computed = {
        "number": evidence["claims"][claim.mark]["number"],
        "rival": evidence["claim_rivals"].get(claim.mark),
    }
    for sentence in (claim.words, claim.remark):
        if sentence is not None:
            names = sentence.placeholders
            values = {name: written(computed[name]) for name in names}
            yield Phrase(sentence, values) if names else sentence


def _group_of(claim: Claim) -> str:
    return "remarked" if claim.verdict == "right" and claim.remark else claim.verdict
