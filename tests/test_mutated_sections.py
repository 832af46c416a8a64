"""Mistakes between the number and the page: a section that shows another number fails a check."""

from __future__ import annotations

import inspect
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


@pytest.mark.parametrize("parameters", PARAMETERS.values(), ids=PARAMETERS)
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mistake_on_the_way_to_the_page_fails(
    name: str, parameters: Parameters, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mistake fails its check, with the chapter's values and with the reader's."""
    slug, old, new, check = MUTATIONS[name]
    assert failed_checks(slug, parameters) == set()
    module = mutated(slug, old, new)
    monkeypatch.setattr(build, "section_module", lambda asked: module)
    assert check in failed_checks(slug, parameters)


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
