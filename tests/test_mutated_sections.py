"""Mistakes between the number and the page: a section that shows another number fails a check."""

from __future__ import annotations

import inspect
from functools import cache
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rope_cli.example.parameters import Parameters
from rope_cli.example.positions import shift_positions
from rope_cli.example.user_values import parameters_from
from rope_cli.report import build

# Each mistake computes whole sections anew.
pytestmark = pytest.mark.slow

OWN = {
    "feature_width": "8",
    "positions": "0,1,7",
    "shift": "1000",
    "layout": "half-split",
    "dtype": "float32",
}
PARAMETERS = {"chapter": Parameters(), "own": parameters_from(OWN)}

# Section, what stands in its file, what a mistake would put there, the check that must fail.
MUTATIONS = {
    "degrees with 3.14": (
        "frequencies",
        "np.degrees(theta)",
        "theta * 180 / 3.14",
        "degrees-and-periods",
    ),
    "half a period": (
        "frequencies",
        "periods = 2 * math.pi / theta",
        "periods = math.pi / theta",
        "degrees-and-periods",
    ),
    "table of angles one position late": (
        "frequencies",
        "angles = np.outer(positions, theta)",
        "angles = np.outer(positions + 1, theta)",
        "angles-by-formula",
    ),
    "table of angles in degrees": (
        "frequencies",
        "angles = np.outer(positions, theta)",
        "angles = np.degrees(np.outer(positions, theta))",
        "angles-by-formula",
    ),
    "angle column one position late": (
        "rotations",
        "positions[:, :, np.newaxis] * theta",
        "(positions + 1)[:, :, np.newaxis] * theta",
        "rotation-angles",
    ),
    "angle column in degrees": (
        "rotations",
        "positions[:, :, np.newaxis] * theta",
        "np.degrees(positions[:, :, np.newaxis] * theta)",
        "rotation-angles",
    ),
    "largest move halved": (
        "dot-products",
        "greatest_difference(example.rotated_query, example.shifted_query)",
        "greatest_difference(example.rotated_query, example.shifted_query) / 2",
        "shift-moves-rows",
    ),
    "m-n for n-m": (
        "dot-products",
        "difference = keys[column] - keys[row]",
        "difference = keys[row] - keys[column]",
        "shown-cells",
    ),
    "later for earlier": (
        "dot-products",
        "cue_of_difference(difference))\n        return",
        "cue_of_difference(-difference))\n        return",
        "shown-cells",
    ),
    "shown positions one too far": (
        "dot-products",
        'values["grid_shift"],',
        'values["grid_shift"] + 1,',
        "shown-cells",
    ),
    "shown generic matrix transposed": (
        "direction",
        'signed_matrix(values["generic_dot_products"],',
        'signed_matrix(values["generic_dot_products"].T,',
        "shown-directions",
    ),
    "kept generic matrix transposed": (
        "direction",
        '"generic_dot_products": generic,',
        '"generic_dot_products": generic.T,',
        "shown-directions",
    ),
}

# The same for what the check of places must see: a right number in the place of another one.
MISPLACED = {
    "one-pair, sentence scores[2]->scores[3]": ("one-pair", "score=scores[2],", "score=scores[3],"),
    "one-pair, q and k vectors swapped in columns": (
        "one-pair",
        "vector(query),\n                    vector(key),",
        "vector(key),\n                    vector(query),",
    ),
    "rotations, pairs count all wrong": (
        "rotations",
        '"all": width * (width - 1) // 2',
        '"all": width * width // 2',
    ),
    "frequencies, degrees and period columns swapped": (
        "frequencies",
        "digits_kept(degrees[pair]),\n            periods[pair],",
        "periods[pair],\n            digits_kept(degrees[pair]),",
    ),
    "frequencies, sentence period uses min": (
        "frequencies",
        "period=2 * math.pi / max(theta),",
        "period=2 * math.pi / min(theta),",
    ),
    "frequencies, caption shift value": (
        "frequencies",
        'shift=evidence["table_shift"],',
        'shift=evidence["table_length"],',
    ),
    "frequencies, pairs count off by one": (
        "frequencies",
        "pairs=len(theta),",
        "pairs=len(theta) + 1,",
    ),
    "frequencies, pair numbered from 1": (
        "frequencies",
        '(pair, " ", *name),',
        '(pair + 1, " ", *name),',
    ),
    "norms, shifted col shows before": (
        "norms",
        "before[token], after[token], shifted[token]",
        "before[token], after[token], before[token]",
    ),
    "norms, lost and changed swapped": (
        "norms",
        'lost, changed = evidence["lost_minus_norms"]',
        'changed, lost = evidence["lost_minus_norms"]',
    ),
    "norms, q norm in caption of k": ("norms", "key_norm=key_norm,", "key_norm=query_norm,"),
    "norms, row from 1": (
        "norms",
        "lambda token: (token, before",
        "lambda token: (token + 1, before",
    ),
    "direction, n-m=+1 and -1 swapped": (
        "direction",
        '("n-m = +1", later),\n        ("n-m = -1", earlier),',
        '("n-m = -1", later),\n        ("n-m = +1", earlier),',
    ),
    "content, rotated and constant swapped": (
        "content",
        '(t("constant part", "постоянная часть"), constant)',
        '(t("constant part", "постоянная часть"), rotated)',
    ),
    "heads, second coordinate shown": (
        "heads",
        "Number(rotated[head][1][2 * pair])",
        "Number(rotated[head][1][2 * pair + 1])",
    ),
    "heads, heads swapped in path table": (
        "heads",
        "for part, row in zip(parts, path[step], strict=True)",
        "for part, row in zip(parts, path[step][::-1], strict=True)",
    ),
    "heads, moves swapped": (
        "heads",
        '(t("head by head", "каждая голова отдельно"), moves[0]),',
        '(t("head by head", "каждая голова отдельно"), moves[1]),',
    ),
    "heads, apart for gains": (
        "heads",
        'gains=evidence["gains_apart"]',
        'gains=evidence["heads_apart"]',
    ),
    "visibility, two weight tables swapped": (
        "visibility",
        'раздела «order» без RoPE:",\n            ),\n            evidence["plain_weights"]',
        'раздела «order» без RoPE:",\n            ),\n            evidence["rotated_weights"]',
    ),
    "visibility, near/own swapped": (
        "visibility",
        'near, own, _ = evidence["chapter_scores"]',
        'own, near, _ = evidence["chapter_scores"]',
    ),
    "visibility, moves rows swapped": (
        "visibility",
        '("Q, K", moves["queries-and-keys"])',
        '("Q, K", moves["queries"])',
    ),
    "order, K and V letters swapped": (
        "order",
        '("K", "keys"), ("V", "values")',
        '("V", "keys"), ("K", "values")',
    ),
    "order, wrong permutation row": ("order", "after[permutation.index(token)]", "after[token]"),
    "additive, content/cross columns swapped": (
        "additive",
        '(f"({m},{n})", *terms, total, score)',
        '(f"({m},{n})", *terms[::-1], total, score)',
    ),
    "additive, slow/own_slow swapped": (
        "additive",
        'slow=Short(inverse_frequency(1, 4, evidence["sinusoid_base"])),\n            own_slow',
        'own_slow=Short(inverse_frequency(1, 4, evidence["sinusoid_base"])),\n            slow',
    ),
    "adjoints, input and output swapped": (
        "adjoints",
        'adjoint_table("Q", evidence["query_output_adjoint"], evidence["query_input_adjoint"])',
        'adjoint_table("Q", evidence["query_input_adjoint"], evidence["query_output_adjoint"])',
    ),
    "adjoints, errors of wrong rows": (
        "adjoints",
        'first=evidence["wrong_direction_errors"][1]',
        'first=evidence["wrong_direction_errors"][2]',
    ),
    "bands, pi/theta shown as period": (
        "bands",
        '"half_periods": math.pi / listed',
        '"half_periods": 2 * math.pi / listed',
    ),
    "bands, band total is mean": (
        "bands",
        '"band_totals": sums.sum(axis=1)',
        '"band_totals": sums.sum(axis=0)[:4].repeat(2)[:7]',
    ),
    "bands, ninety/thirty swapped": (
        "bands",
        'ninety=below["90"],\n        thirty=below["30"]',
        'ninety=below["30"],\n        thirty=below["90"]',
    ),
    "clocks, fast and slow hand swapped": (
        "clocks",
        '*evidence["clock_hands"].T, strict=True',
        '*evidence["clock_hands"].T[::-1], strict=True',
    ),
    "precision, near/far swapped": (
        "precision",
        'near, far = evidence["phase_errors"]',
        'far, near = evidence["phase_errors"]',
    ),
    "precision, COUNTED column doubled": (
        "precision",
        '(t("positions", "позиций"), COUNTED)',
        '(t("positions", "позиций"), [2 * c for c in COUNTED])',
    ),
    "base, first_negative names order": (
        "base",
        '("chapter", "note", "llama", "qwen")',
        '("chapter", "llama", "note", "qwen")',
    ),
    "common-shift, wrong diagonal cell": (
        "common-shift",
        'evidence["common_shift_scores"][:, 1, 0]',
        'evidence["common_shift_scores"][:, 0, 1]',
    ),
    "common-shift, decimals cols swapped": (
        "common-shift",
        'own_decimals, wide_decimals = evidence["ladder_decimals"]',
        'wide_decimals, own_decimals = evidence["ladder_decimals"]',
    ),
    "expectation, least for greatest": (
        "expectation",
        'evidence["independent_least"]',
        'evidence["independent_greatest"]',
    ),
    "expectation, five and ten swapped": (
        "expectation",
        '_, at_one, at_two, at_five, at_ten, _ = evidence["equal_content_means"]',
        '_, at_one, at_two, at_ten, at_five, _ = evidence["equal_content_means"]',
    ),
    "shift-one, places mislabelled": (
        "shift-one",
        '(Column("(m,n)"), ("(2,0)", "(2,1)", "(2,1)"))',
        '(Column("(m,n)"), ("(2,0)", "(1,2)", "(2,1)"))',
    ),
    "bugs, hits off by one": (
        "bugs",
        "hits = [sum(row[check] for row in caught) for check in CHECKS]",
        "hits = [sum(row[check] for row in caught) + 1 for check in CHECKS]",
    ),
    "bugs, marks inverted": ("bugs", '"x" if hit else "."', '"." if hit else "x"'),
    "layouts, before/after norms swapped": (
        "layouts",
        'before=evidence["mixed_norms"][0],\n        after=evidence["mixed_norms"][1]',
        'before=evidence["mixed_norms"][1],\n        after=evidence["mixed_norms"][0]',
    ),
    "layouts, errors m from 1": (
        "layouts",
        'f"m={position}" for position in range(len(errors))',
        'f"m={position + 1}" for position in range(len(errors))',
    ),
    "extension, trained/unscaled swapped": (
        "extension",
        'trained, unscaled, linear, _ = evidence["slowest_angles"]',
        'unscaled, trained, linear, _ = evidence["slowest_angles"]',
    ),
    "bound, sum and bound swapped": (
        "bound",
        "(SUM, sums),\n            (BOUND, bounds),",
        "(SUM, bounds),\n            (BOUND, sums),",
    ),
    "why-rotation, formulas exchanged": (
        "why-rotation",
        '("x", "x + [sin m, cos m]", "2^(-m) x", "R(m) x")',
        '("x", "2^(-m) x", "x + [sin m, cos m]", "R(m) x")',
    ),
    "complex, yes/no": ("complex", '("qᵀR((m-n)θ)k", no)', '("qᵀR((m-n)θ)k", yes)'),
}


@cache
def failed_when_right(slug: str, key: str) -> frozenset[str]:
    return frozenset(failed_checks(slug, PARAMETERS[key]))


def failed_checks(slug: str, parameters: Parameters) -> set[str]:
    return {check.name for check in build.build([slug], parameters).checks if not check.holds}


def mutated(slug: str, old: str, new: str) -> Any:
    """The module of a section with one place of its source replaced."""
    original: Any = build.section_module(slug)
    source = inspect.getsource(original)
    assert source.count(old) == 1, f"{old!r} is not in the file once"
    module = ModuleType(original.__name__)
    exec(compile(source.replace(old, new), original.__file__, "exec"), module.__dict__)
    return module


@pytest.mark.parametrize("key", PARAMETERS)
@pytest.mark.parametrize("name", [*MUTATIONS, *MISPLACED])
def test_a_mistake_on_the_way_to_the_page_fails(
    name: str, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mistake fails its check, with the chapter's values and with the reader's."""
    slug, old, new, check = MUTATIONS.get(name) or (*MISPLACED[name], "printed-places")
    assert failed_when_right(slug, key) == set()
    module = mutated(slug, old, new)
    monkeypatch.setattr(build, "section_module", lambda asked: module)
    failed = failed_checks(slug, PARAMETERS[key])
    assert check in failed
    assert not failed & build.CLAIMS.keys()


@pytest.mark.parametrize("parameters", PARAMETERS.values(), ids=PARAMETERS)
def test_a_root_mean_square_is_no_norm(
    parameters: Parameters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The norm shown is the root of the sum of squares, not of their mean."""

    def root_mean_square(rows: Any) -> Any:
        return np.sqrt(np.mean(np.square(np.asarray(rows, dtype=np.float64)), axis=-1))

    monkeypatch.setattr(build.section_module("norms"), "norms", root_mean_square)
    assert "norms-by-formula" in failed_checks("norms", parameters)


@pytest.mark.parametrize("parameters", PARAMETERS.values(), ids=PARAMETERS)
def test_a_shift_by_one_more_fails(parameters: Parameters, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shifted positions are the positions plus the shift, in the tables and in the matrices."""
    monkeypatch.setattr(
        "rope_cli.example.worked_example.shift_positions",
        lambda positions, shift: shift_positions(positions, shift + 1),
    )
    assert "shifted-positions" in failed_checks("rotations", parameters)
    assert "shift-moves-rows" in failed_checks("dot-products", parameters)
