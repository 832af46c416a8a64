"""The report's own checks notice broken mathematics: each bug is caught, each check is broken."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np
import pytest

from rope_cli.document import charts, formatting, terms
from rope_cli.document.blocks import Signed, cue_of_difference, cue_of_speed, vector
from rope_cli.document.evidence import Evidence, agree, all_true, differ, same_bits
from rope_cli.document.vocabulary import table_by_columns
from rope_cli.errors import RopeError, RowWidth
from rope_cli.example import reference
from rope_cli.example.parameters import Parameters
from rope_cli.example.positions import name_positions, shift_positions
from rope_cli.example.worked_example import Example
from rope_cli.experiments import bugs, toy_decoder
from rope_cli.experiments.bugs import BUGS, Bug, correct_rotation
from rope_cli.renderers import FORMATS, render
from rope_cli.report import build, header_footer
from rope_cli.rope import arguments, attention, ramps, reduced_precision, scaling, tables, tape
from rope_cli.rope.layouts import half_split_order, to_adjacent
from rope_cli.rope.tables import RotaryEmbedding
from rope_cli.sections.chapter import (
    additive,
    content,
    direction,
    dot_products,
    frequencies,
    heads,
    norms,
    rotations,
    why_rotation,
)
from rope_cli.sections.note import (
    bound,
    claims,
    dense_vs_pairs,
    glossary,
    layouts,
    same_content,
)
from rope_cli.text import Text

# Each mistake computes whole sections anew.
pytestmark = pytest.mark.slow

Patch = pytest.MonkeyPatch


def broken_rotate(patch: Patch, rotate: Callable[..., Any]) -> None:
    real = RotaryEmbedding.rotate
    patch.setattr(
        RotaryEmbedding, "rotate", lambda table, x, *rest, **more: rotate(real, table, x, *rest)
    )


def no_fast_pair(patch: Patch) -> None:
    patch.setattr(tables, "inverse_frequency", lambda width, base, pair: 1.0)


def frequencies_from_one(patch: Patch) -> None:
    patch.setattr(
        tables, "inverse_frequency", lambda width, base, pair: base ** (-2 * (pair + 1) / width)
    )


def tables_one_position_late(patch: Patch) -> None:
    real = RotaryEmbedding._fill_factors

    def late(table: RotaryEmbedding) -> None:
        real(table)
        table.factors[:] = np.roll(table.factors, -1, axis=0)

    patch.setattr(RotaryEmbedding, "_fill_factors", late)


def leading_axes_flattened(patch: Patch) -> None:
    broken_rotate(
        patch,
        lambda real, table, x, offset=0: real(table, x, offset).reshape(-1, table.feature_width),
    )


def lanes_counted_on(patch: Patch) -> None:
    def rotate(real: Any, table: RotaryEmbedding, x: Any, offset: int = 0) -> Any:
        right = real(table, x, offset)
        if x.ndim == 2 or x.size == 0:
            return right
        lanes = right.reshape(-1, *right.shape[-2:])
        turned = [lane if at == 0 else -lane for at, lane in enumerate(lanes)]
        return np.reshape(turned, x.shape)

    broken_rotate(patch, rotate)


def written_in_place(patch: Patch) -> None:
    def rotate(real: Any, table: RotaryEmbedding, x: Any, offset: int = 0) -> Any:
        return real(table, x, offset, out=x if x.flags.writeable else None)

    broken_rotate(patch, rotate)


def always_double_precision(patch: Patch) -> None:
    broken_rotate(patch, lambda real, table, x, offset=0: real(table, x, offset).astype(np.float64))


def counted_from_the_end(patch: Patch) -> None:
    def rotate(real: Any, table: RotaryEmbedding, x: Any, offset: int = 0) -> Any:
        return real(table, x[..., ::-1, :], offset)[..., ::-1, :]

    broken_rotate(patch, rotate)


def never_twice_alike(patch: Patch) -> None:
    calls = count()

    def rotate(real: Any, table: RotaryEmbedding, x: Any, offset: int = 0) -> Any:
        return real(table, x, offset) * (1 + next(calls) * 2.0**-52)

    broken_rotate(patch, rotate)


def nothing_validated(patch: Patch) -> None:
    patch.setattr(
        RotaryEmbedding,
        "validate",
        staticmethod(lambda width, positions, base: (int(width) or 2, 6, 100.0)),
    )


def base_asked_first(patch: Patch) -> None:
    real = RotaryEmbedding.validate

    def validate(width: Any, positions: Any, base: float) -> Any:
        arguments.positive_number(base)
        return real(width, positions, base)

    patch.setattr(RotaryEmbedding, "validate", staticmethod(validate))


def last_position_refused(patch: Patch) -> None:
    real = RotaryEmbedding.rows

    def rows(table: RotaryEmbedding, shape: Any, offset: Any = 0) -> slice:
        one_more = shape if len(shape) < 2 else (shape[-2] + 1, shape[-1])
        real(table, one_more, offset)
        return real(table, shape, offset)

    patch.setattr(RotaryEmbedding, "rows", rows)


def transpose_turns_forward(patch: Patch) -> None:
    patch.setattr(RotaryEmbedding, "rotate_transpose", RotaryEmbedding.rotate)


def release_forgotten(patch: Patch) -> None:
    patch.setattr(tape.Value, "release", lambda value: None)


def tape_keeps_a_reciprocal(patch: Patch) -> None:
    real = tape.total

    def total(value: tape.Value) -> tape.Value:
        summed = real(value)
        summed.saved = (np.array([np.inf]),)
        return summed

    patch.setattr(tape, "total", total)


def sinusoid_without_position(patch: Patch) -> None:
    real = additive.sinusoid
    patch.setattr(additive, "sinusoid", lambda position, width: real(1, width))


def position_itself_added(patch: Patch) -> None:
    patch.setattr(additive, "sinusoid", lambda position, width: np.full(width, float(position)))


def position_not_written(patch: Patch) -> None:
    patch.setattr(why_rotation, "with_factor", why_rotation.unchanged)


def second_step_like_the_first(patch: Patch) -> None:
    patch.setattr(why_rotation, "OTHER_SECOND_ANGLE", 2.0)


def whole_head_rotated(patch: Patch) -> None:
    patch.setattr(
        content,
        "rotate_first_pair",
        lambda example, row, position: example.rotate_query(row, position),
    )


def root_mean_square_for_norm(patch: Patch) -> None:
    patch.setattr(norms, "norms", lambda rows: np.sqrt(np.mean(np.square(rows), axis=-1)))


def minus_kept_after_all(patch: Patch) -> None:
    patch.setattr(bugs, "lost_minus", correct_rotation)


def minus_lost_with_the_norm(patch: Patch) -> None:
    patch.setattr(bugs, "lost_minus", bugs.sinusoid_added)


def coordinate_in_two_pairs(patch: Patch) -> None:
    patch.setattr(reference, "partners", lambda width, layout: ([0, 1], [1, 2]))


def shifted_one_too_far(patch: Patch) -> None:
    patch.setattr(
        "rope_cli.example.worked_example.shift_positions",
        lambda positions, shift: shift_positions(positions, shift + 1),
    )


def future_always_hidden(patch: Patch) -> None:
    real = attention.softmax
    patch.setattr(
        attention,
        "softmax",
        lambda scores, visible=None: real(scores, attention.causal_mask(len(scores))),
    )


def mask_added_as_minus_five(patch: Patch) -> None:
    real = attention.softmax
    patch.setattr(
        attention,
        "softmax",
        lambda scores, visible=None: real(
            scores if visible is None else scores - 5.0 * ~np.asarray(visible)
        ),
    )


def softmax_over_queries(patch: Patch) -> None:
    real = attention.softmax
    patch.setattr(
        attention, "softmax", lambda scores, visible=None: real(np.swapaxes(scores, -1, -2)).T
    )


def mask_one_key_too_wide(patch: Patch) -> None:
    patch.setattr(attention, "causal_mask", lambda tokens: np.tri(tokens, k=1, dtype=bool))


def scores_divided_by_the_width(patch: Patch) -> None:
    patch.setattr(attention, "scores", lambda q, k: attention.dot_products(q, k) / np.shape(q)[-1])


def softmax_with_powers_of_two(patch: Patch) -> None:
    real = attention.softmax
    patch.setattr(
        attention, "softmax", lambda scores, visible=None: real(np.log(2.0) * scores, visible)
    )


def rows_beside_sums_at_another_base(patch: Patch) -> None:
    real = Example.rotate_query

    def rotate(example: Example, x: Any, offset: int = 0, embedding: Any = None) -> Any:
        if x.shape == (2, 4):
            embedding = example.embedding_for(4, 6, additive.SINUSOID_BASE)
        return real(example, x, offset, embedding)

    patch.setattr(Example, "rotate_query", rotate)


def model_width_at_another_base(patch: Patch) -> None:
    patch.setattr(
        heads,
        "across_table",
        lambda example, offset=0: example.embedding_for(8, offset + 3, 1e4, offset),
    )


def heads_joined_in_reverse(patch: Patch) -> None:
    real = heads.join
    patch.setattr(heads, "join", lambda rows: real(rows[::-1]))


def scores_ignored(patch: Patch) -> None:
    patch.setattr(
        attention, "attend", lambda q, k, v, visible=None: np.tile(v.mean(axis=0), (len(q), 1))
    )


def bound_of_the_mean(patch: Patch) -> None:
    real = bound.abel_bound
    patch.setattr(
        bound, "abel_bound", lambda products, sums: real(products, sums) / products.shape[-1]
    )


def mean_step_for_the_largest(patch: Patch) -> None:
    patch.setattr(
        bound, "largest_step", lambda products: float(np.abs(np.diff(products, append=0)).mean())
    )


def logarithm_of_a_larger_base(patch: Patch) -> None:
    patch.setattr(same_content, "MODEL_BASE", 500000.0)


def three_multiplications_forgotten(patch: Patch) -> None:
    patch.setattr(
        dense_vs_pairs,
        "rotate_from_table",
        lambda row, cosines, sums, _: dense_vs_pairs.rotate_by_four(row, cosines, sums - cosines),
    )


def permutation_for_its_inverse(patch: Patch) -> None:
    patch.setattr(layouts, "adjacent_order", half_split_order)


def ntk_base_not_raised(patch: Patch) -> None:
    patch.setattr(scaling, "stretched_base", lambda b, s, d: b * s)


def yarn_ramp_by_turns(patch: Patch) -> None:
    patch.setattr(ramps.Yarn, "ramp", ramps.Yarn.turn_ramp)


def yarn_ramp_reversed(patch: Patch) -> None:
    real = ramps.Yarn.ramp
    patch.setattr(ramps.Yarn, "ramp", lambda yarn, d, b: 1.0 - real(yarn, d, b))


def yarn_without_factor(patch: Patch) -> None:
    patch.setattr(ramps, "magnitude", lambda s, m=1.0: 1.0)


def score_from_distance_alone(patch: Patch) -> None:
    patch.setattr(Example, "score", lambda self, query, key, m, n: np.cos(m - n))


def first_row_everywhere(patch: Patch) -> None:
    broken_rotate(
        patch,
        lambda real, table, x, offset=0: real(table, 0.0 * x + x[..., :1, :], offset),
    )


def permuted_the_wrong_way_round(patch: Patch) -> None:
    patch.setattr(layouts, "to_half_split", to_adjacent)


def attention_to_itself_only(patch: Patch) -> None:
    def alone(scores: Any, visible: Any = None) -> Any:
        queries, keys = np.shape(scores)
        return np.eye(queries, keys, keys - queries)

    patch.setattr(attention, "softmax", alone)


def narrow_numbers_kept_whole(patch: Patch) -> None:
    for name in ("to_float32", "to_float16", "to_bfloat16"):
        patch.setattr(reduced_precision, name, lambda x: np.asarray(x, dtype=np.float64))


def bfloat16_cut_off(patch: Patch) -> None:
    def cut(x: Any) -> Any:
        bits = np.asarray(x, dtype=np.float32).view(np.uint32) & np.uint32(0xFFFF0000)
        return bits.view(np.float32).astype(np.float64)

    patch.setattr(reduced_precision, "to_bfloat16", cut)


def every_bug_harmless(patch: Patch) -> None:
    patch.setattr(
        bugs, "BUGS", [replace(bug, query=correct_rotation, key=correct_rotation) for bug in BUGS]
    )


def every_bug_glaring(patch: Patch) -> None:
    glaring = bugs.sinusoid_added
    patch.setattr(bugs, "BUGS", [replace(bug, query=glaring, key=glaring) for bug in BUGS])


def claim_orphaned(patch: Patch) -> None:
    first, *others = claims.AUDIT
    orphan = replace(first, mark="C0", slug="nowhere", number=lambda example: np.nan)
    patch.setattr(claims, "AUDIT", (orphan, *others))


def word_untranslated(patch: Patch) -> None:
    norm = terms.Term("norm", "norm", "norms", "The norm of a row.", "Длина строки.")
    patch.setattr(glossary, "TERMS", (*terms.TERMS, norm))


def claim_with_a_number_of_its_own(patch: Patch) -> None:
    first, *others = claims.AUDIT
    patch.setattr(claims, "AUDIT", (replace(first, number=lambda example: 0.123456), *others))


def weights_of_another_seed(patch: Patch) -> None:
    patch.setattr(toy_decoder, "EMBEDDINGS", toy_decoder.weights(20, 8, 13))


def numbers_cut_off(patch: Patch) -> None:
    patch.setattr(formatting, "six_decimals", lambda value: f"{math.trunc(value * 1e6) / 1e6:z.6f}")


def difference_the_other_way_round(patch: Patch) -> None:
    patch.setattr(dot_products, "Signed", lambda difference: Signed(-difference))


def arrow_the_other_way_round(patch: Patch) -> None:
    patch.setattr(dot_products, "cue_of_difference", lambda n_m: cue_of_difference(-n_m))


def shown_matrix_transposed(patch: Patch) -> None:
    real = dot_products.signed_matrix
    patch.setattr(direction, "signed_matrix", lambda grid, *rest: real(np.transpose(grid), *rest))


def shown_column_upside_down(patch: Patch) -> None:
    def upside_down(caption: Any, *columns: Any) -> Any:
        *others, (heading, cells) = columns
        return table_by_columns(caption, *others, (heading, list(cells)[::-1]))

    patch.setattr(same_content, "table_by_columns", upside_down)


def shown_in_other_units(patch: Patch) -> None:
    patch.setattr(rotations, "vector", lambda row: vector(180 / 3.14 * np.asarray(row)))


def angles_a_position_late(patch: Patch) -> None:
    real = rotations.table_of_rows

    def late(evidence: Evidence, *rest: Any) -> Any:
        angles = np.roll(evidence["rotation_angles"], 1, axis=1)
        values = {**evidence.values, "rotation_angles": angles}
        return real(replace(evidence, values=values), *rest)

    patch.setattr(rotations, "table_of_rows", late)


def caption_a_position_late(patch: Patch) -> None:
    patch.setattr(
        rotations, "name_positions", lambda positions: name_positions([m + 1 for m in positions])
    )


def cue_of_the_other_pair(patch: Patch) -> None:
    patch.setattr(
        rotations,
        "cue_of_speed",
        lambda pair, theta: cue_of_speed(len(theta) - 1 - pair, theta),
    )


def picture_transposed(patch: Patch) -> None:
    real = charts.heat_by_position
    patch.setattr(
        direction,
        "heat_by_position",
        lambda caption, rows, alt: real(caption, np.transpose(rows), alt),
    )


def header_of_other_values(patch: Patch) -> None:
    real = header_footer.short_value
    patch.setattr(
        header_footer,
        "short_value",
        lambda value: real(value + 1 if isinstance(value, int) else value),
    )


def shown_as_percentage(patch: Patch) -> None:
    patch.setattr(frequencies, "digits_kept", lambda value: Signed(round(100 * value)))


# Mistakes by the sections that notice them.
PATCHES: dict[Callable[[Patch], None], str] = {
    no_fast_pair: "bands layouts base cache",
    frequencies_from_one: "frequencies refusals base",
    tables_one_position_late: "same-content",
    leading_axes_flattened: "shapes",
    lanes_counted_on: "heads",
    written_in_place: "shapes",
    always_double_precision: "shapes",
    counted_from_the_end: "same-content",
    never_twice_alike: "exercises",
    nothing_validated: "refusals exercises",
    base_asked_first: "refusals",
    last_position_refused: "refusals",
    transpose_turns_forward: "adjoints",
    release_forgotten: "adjoints",
    tape_keeps_a_reciprocal: "adjoints",
    sinusoid_without_position: "additive whole-model",
    position_itself_added: "additive",
    position_not_written: "why-rotation",
    second_step_like_the_first: "why-rotation",
    whole_head_rotated: "content",
    root_mean_square_for_norm: "norms",
    minus_kept_after_all: "norms",
    minus_lost_with_the_norm: "norms",
    coordinate_in_two_pairs: "rotations adjoints",
    shifted_one_too_far: "rotations",
    future_always_hidden: "order",
    mask_added_as_minus_five: "cache",
    softmax_over_queries: "visibility",
    mask_one_key_too_wide: "cache",
    scores_divided_by_the_width: "visibility",
    softmax_with_powers_of_two: "visibility",
    rows_beside_sums_at_another_base: "order",
    model_width_at_another_base: "heads",
    heads_joined_in_reverse: "heads",
    scores_ignored: "cache order",
    score_from_distance_alone: "content",
    first_row_everywhere: "content",
    permuted_the_wrong_way_round: "layouts",
    bound_of_the_mean: "bound",
    mean_step_for_the_largest: "bound",
    logarithm_of_a_larger_base: "same-content",
    three_multiplications_forgotten: "dense-vs-pairs",
    permutation_for_its_inverse: "layouts",
    ntk_base_not_raised: "extension",
    yarn_ramp_by_turns: "extension",
    yarn_ramp_reversed: "extension",
    yarn_without_factor: "extension",
    attention_to_itself_only: "whole-model visibility exercises",
    narrow_numbers_kept_whole: "precision",
    bfloat16_cut_off: "precision",
    every_bug_harmless: "bugs",
    every_bug_glaring: "bugs",
    claim_orphaned: "claims",
    word_untranslated: "glossary",
    claim_with_a_number_of_its_own: "claims",
    weights_of_another_seed: "whole-model",
}
# What is wrong with the page alone: in which section, and the check that sees it.
BETWEEN_ARRAY_AND_PAGE: dict[Callable[[Patch], None], tuple[str, str]] = {
    numbers_cut_off: ("rotations", "printed-numbers"),
    difference_the_other_way_round: ("dot-products", "printed-differences"),
    arrow_the_other_way_round: ("dot-products", "printed-differences"),
    shown_matrix_transposed: ("direction", "printed-order"),
    shown_column_upside_down: ("same-content", "printed-order"),
    shown_in_other_units: ("rotations", "printed-values"),
    angles_a_position_late: ("rotations", "printed-angles"),
    caption_a_position_late: ("rotations", "printed-rotations"),
    cue_of_the_other_pair: ("rotations", "printed-speeds"),
    picture_transposed: ("direction", "printed-pictures"),
    header_of_other_values: ("frequencies", "printed-header"),
    shown_as_percentage: ("frequencies", "printed-places"),
}
# Of the wrong rotations these five go through the whole report, and break every check that one of
# them breaks; for the others two sections will do.
WHOLE_REPORT = {
    "clockwise",
    "half-split pairs",
    "degrees for radians",
    "sinusoid added instead",
    "no rotation at all",
}
TWO_SECTIONS = ("clocks", "common-shift")


def failed_checks(names: Iterable[str], example_type: type[Example] = Example) -> set[str]:
    """The checks that fail; that a section cannot even be computed or shown does not count."""
    document = build.build(names, example_type=example_type)
    return {check.name for check in document.checks if not check.holds} - build.CLAIMS.keys()


def caught_by_patch(broken: Callable[[Patch], None], names: str) -> set[str]:
    with pytest.MonkeyPatch.context() as patch:
        broken(patch)
        return failed_checks(names.split())


@pytest.fixture(scope="module")
def caught() -> dict[str, set[str]]:
    """For each bug the checks that fail."""
    by_rotation = {
        bug.name: failed_checks(
            ["all"] if bug.name in WHOLE_REPORT else TWO_SECTIONS, bug.example_type
        )
        for bug in BUGS
    }
    on_the_page = {broken: slug for broken, (slug, _) in BETWEEN_ARRAY_AND_PAGE.items()}
    by_patch = {
        broken.__name__: caught_by_patch(broken, slugs)
        for broken, slugs in {**PATCHES, **on_the_page}.items()
    }
    return {**by_rotation, **by_patch}


def test_right_mathematics_passes_every_check() -> None:
    """Nothing fails without a bug, nor when the right rotation comes in through the bugs' door."""
    right = Bug("none", Text(en="none", ru="нет"), correct_rotation, correct_rotation)
    for example_type in (Example, right.example_type):
        assert build.build(["all"], example_type=example_type).holds


def test_every_bug_is_caught(caught: dict[str, set[str]]) -> None:
    """Some check of the report fails for each bug."""
    assert [name for name, checks in caught.items() if not checks] == []


def test_every_check_is_broken_by_some_bug(caught: dict[str, set[str]]) -> None:
    """No check of the report holds whatever happens."""
    names = {check.name for check in build.build(["all"]).checks}
    assert names - set().union(*caught.values()) == set()


@pytest.mark.parametrize(
    ("broken", "slug", "checks"),
    [
        (mask_one_key_too_wide, "visibility", {"same-zeros", "weights-by-definition"}),
        (scores_divided_by_the_width, "visibility", {"weights-by-definition"}),
        (scores_divided_by_the_width, "order", {"outputs-by-definition"}),
        (softmax_with_powers_of_two, "visibility", {"weights-by-definition"}),
        (softmax_with_powers_of_two, "order", {"outputs-by-definition"}),
        (rows_beside_sums_at_another_base, "additive", {"rotated-beside-sums"}),
        (model_width_at_another_base, "heads", {"across-by-formula"}),
        (heads_joined_in_reverse, "heads", {"heads-by-definition"}),
    ],
)
def test_a_section_with_a_mistake_still_reaches_its_verdict(
    broken: Callable[[Patch], None], slug: str, checks: set[str]
) -> None:
    """The section is printed with all its numbers, and the check that is there for it fails."""
    with pytest.MonkeyPatch.context() as patch:
        broken(patch)
        document = build.build([slug])
    failed = {check.name for check in document.checks if not check.holds}
    assert failed >= checks
    assert render(document, "text", "en")


def test_the_classic_checks_are_blind() -> None:
    """Norms, position 0 and the equal shift all pass although nothing was rotated at all."""
    bug = next(bug for bug in BUGS if bug.name == "no rotation at all")
    classic = {"norms-kept", "generic-norms-kept", "position-zero-identity", "equal-shift"}
    assert failed_checks(["chapter"], bug.example_type).isdisjoint(classic)


@pytest.mark.parametrize("broken", BETWEEN_ARRAY_AND_PAGE, ids=lambda broken: broken.__name__)
def test_what_is_wrong_with_the_page_alone_is_caught(
    broken: Callable[[Patch], None], caught: dict[str, set[str]]
) -> None:
    """Right numbers that are printed wrongly fail the check of the page that is there for it."""
    assert BETWEEN_ARRAY_AND_PAGE[broken][1] in caught[broken.__name__]


def row_of_no_number(patch: Patch) -> None:
    broken_rotate(patch, lambda real, table, x, offset=0: np.full_like(x, np.nan, np.float64))


def table_a_token_too_long(patch: Patch) -> None:
    def rotate(real: Any, table: RotaryEmbedding, x: Any, offset: int = 0) -> Any:
        rows = np.atleast_2d(real(table, x, offset))
        return np.concatenate([rows, rows[..., -1:, :]], axis=-2)

    broken_rotate(patch, rotate)


@pytest.mark.parametrize(
    "broken",
    [row_of_no_number, table_a_token_too_long, leading_axes_flattened, last_position_refused],
)
def test_broken_mathematics_reaches_the_verdict(
    broken: Callable[[Patch], None], monkeypatch: Patch
) -> None:
    """A section whose numbers cannot be computed or shown still has failing checks and a verdict.

    Each check that failed stands on the page, and so does the sentence about the rest.
    """
    broken(monkeypatch)
    document = build.build(["chapter"])
    assert not document.holds
    failed = [check.name for check in document.checks if not check.holds]
    assert len(failed) > 5
    broken_down = {"section-computed", "section-shown"} & set(failed)
    for format_name in FORMATS:
        text = render(document, format_name, "en")
        assert all(name in text for name in failed)
        if format_name == "json":
            assert json.loads(text)["checks"]["failed"] == len(failed)
        else:
            assert f"{len(failed)} FAILED" in text
            stops = re.search(r"could not be (computed|shown) \\?\(", text)
            assert bool(stops) == bool(broken_down)


def test_a_section_that_cannot_be_shown_keeps_its_checks(monkeypatch: Patch) -> None:
    """An error of ``present`` is named in one sentence beside the section's own checks."""
    expected = [verdict.check for verdict in build.build(["norms"]).sections[0].verdicts]

    def stumble(evidence: Evidence) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(norms, "present", stumble)
    document = build.build(["norms"])
    (section,) = document.sections
    *own, shown = section.verdicts
    assert [verdict.check for verdict in own] == expected
    assert (shown.check.name, shown.check.holds) == ("section-shown", False)
    text = render(document, "text", "en")
    assert "The rest of this section could not be shown (KeyError: 'lost')." in text
    assert "1 FAILED: section-shown." in text


def test_a_refusal_of_the_readers_values_stays_a_refusal(monkeypatch: Patch) -> None:
    """What the reader can mend is no failed check."""

    def refuse(example: Example) -> Evidence:
        raise RowWidth(option="--query", actual=3, expected=4)

    monkeypatch.setattr(norms, "gather", refuse)
    assert not build.build(["norms"]).holds
    with pytest.raises(RopeError):
        build.build(["norms"], Parameters(base=3.0, given=frozenset({"base"})))


@pytest.mark.parametrize(
    "check",
    [
        agree("nothing", [], [], 1.0),
        agree("not a number", [np.nan], [1.0], 1.0),
        agree("other shapes", [1.0, 2.0], [1.0], 1.0),
        agree("beyond", [1.5], [1.0], 0.25),
        differ("nothing", [], [], 0.0),
        differ("not a number", [np.nan], [1.0], 0.1),
        differ("other shapes", [1.0, 2.0], [9.0], 0.1),
        differ("alike", [1.0], [1.05], 0.1),
        same_bits("nothing", [], []),
        same_bits("sign of zero", [0.0], [-0.0]),
        same_bits("other shapes", [0.0, 0.0], [0.0]),
        same_bits("other types", np.ones(1, np.float32), np.ones(1)),
        all_true("nothing", []),
        all_true("one false", [True, False]),
    ],
    ids=lambda check: check.name,
)
def test_a_check_of_nothing_or_of_no_number_fails(check: Any) -> None:
    """Comparing nothing, comparing NaN, and comparing unlike shapes are failures."""
    assert not check.holds


def test_evidence_of_two_experiments_adds_up() -> None:
    """Values and checks of both in their order, and the parameters of the one that has some."""
    first = Evidence({"a": 1}, (all_true("one", [True]),))
    second = Evidence({"b": 2}, (all_true("two", [False]),), Parameters(base=3.0))
    total = first + second
    assert list(total.values.items()) == [("a", 1), ("b", 2)]
    assert [check.holds for check in total.checks] == [True, False]
    assert total.parameters == second.parameters == (second + first).parameters


def test_the_edge_of_a_bound_is_inside() -> None:
    """A measure equal to its bound holds."""
    assert agree("edge", [1.25], [1.0], 0.25).holds
    assert differ("edge", [1.25], [1.0], 0.25).holds
