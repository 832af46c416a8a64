"""What can be wrong with a table of cosines and sines, and not with how it is used."""

from __future__ import annotations

from dataclasses import replace

from rope_cli.verify.explain.verdict import Finding

# Mistakes of code that applies a table; on the pairs (1, 0) some look like mistakes of the table.
NOT_IN_TABLES = {
    *("results-exchanged", "order-out", "other-layout", "mixed-layout", "permuted"),
    *("in-place", "lost-minus", "no-sine"),
}


def of_table(finding: Finding) -> Finding:
    """The same finding, explained by mistakes that a table can have where there are such."""
    possible = tuple(
        explanation
        for explanation in finding.explanations
        if not {mistake.kind for mistake in explanation.mistakes} & NOT_IN_TABLES
    )
    undetectable = tuple(
        mistake for mistake in finding.undetectable if mistake.kind not in NOT_IN_TABLES
    )
    return replace(
        finding, explanations=possible or finding.explanations, undetectable=undetectable
    )
