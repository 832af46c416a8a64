"""The pairs of two models beside each other: what differs, and at which distance it matters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from rope_cli.document.check import Check
from rope_cli.document.evidence import Evidence, agree, all_true
from rope_cli.scaling import reference
from rope_cli.scaling.compute import RELATIVE, Array, ScaledLayer
from rope_cli.scaling.config import ModelConfig
from rope_cli.scaling.layers import Layer

# Differences of angles, in radians, whose distances are looked for.
ANGLES = {"tenth_radian": Fraction(1, 10), "one_radian": Fraction(1)}
FARTHEST = 2**53
LayerPair = tuple[str | None, Layer, Layer]


@dataclass(frozen=True)
class TwoLayers:
    """Layers of two models, both for a sequence of the same length."""

    first: ScaledLayer
    second: ScaledLayer

    def computed_again(self) -> TwoLayers:
        """The same layers without anything that was computed before."""
        return TwoLayers(
            *(ScaledLayer(layer.config, layer.length) for layer in (self.first, self.second))
        )

    @property
    def frequencies(self) -> tuple[Array, Array]:
        """The scaled frequencies of both, ``[pairs]``, for the pairs that both have."""
        first, second = (layer.scaled.inverse_frequencies for layer in (self.first, self.second))
        common = min(len(first), len(second))
        return first[:common], second[:common]

    @property
    def differences(self) -> Array:
        """How fast the angles of a pair part, radians per position; 0 where only rounding does."""
        first, second = self.frequencies
        parting: Array = np.abs(first - second)
        return np.where(parting <= RELATIVE * np.maximum(first, second), 0.0, parting)


def pairs_of_layers(first: ModelConfig, second: ModelConfig) -> tuple[list[LayerPair], list[str]]:
    """The types of layers to compare with each other, and the names of those in one model only.

    A model whose layers are all alike is compared with each type of the other.
    """
    layers_a, layers_b = first.layers, second.layers
    if len(layers_a) == len(layers_b) == 1:
        return [(None, layers_a[0], layers_b[0])], []
    if len(layers_a) == 1:
        return [(b.name, layers_a[0], b) for b in layers_b], []
    if len(layers_b) == 1:
        return [(a.name, a, layers_b[0]) for a in layers_a], []
    by_name = {layer.name: layer for layer in layers_b}
    pairs = [
        (layer.name, layer, by_name[layer.name]) for layer in layers_a if layer.name in by_name
    ]
    both = {name for name, _, _ in pairs}
    alone = [str(layer.name) for layer in (*layers_a, *layers_b) if layer.name not in both]
    return pairs, alone


def compare_layers(layers: TwoLayers) -> Evidence:
    """The numbers of two types of layers and the checks whether they rotate alike."""
    first, second = layers.frequencies
    differences = layers.differences
    values: dict[str, Any] = {
        "layer_types": [layers.first.config.name, layers.second.config.name],
        "rotary_widths": [layers.first.d, layers.second.d],
        "length": layers.first.length,
        "first_inverse_frequencies": first,
        "second_inverse_frequencies": second,
        "ratios": [
            b / a if a else None for a, b in zip(first.tolist(), second.tolist(), strict=True)
        ],
        "angle_differences": differences,
        "different_pairs": int(np.count_nonzero(differences)),
        "attention_factors": [
            float(layer.scaled.attention_factor) for layer in (layers.first, layers.second)
        ],
    }
    for name, angle in ANGLES.items():
        distances = [distance_to(angle, difference) for difference in differences.tolist()]
        values[f"distances_to_{name}"] = distances
        values[f"pairs_within_length_{name}"] = sum(
            distance is not None and distance < layers.first.length for distance in distances
        )
    return Evidence(values, tuple(checks(layers, values)))


def distance_to(angle: Fraction, difference: float) -> int | None:
    """The smallest whole distance at which the angles differ by ``angle``, if there is one."""
    if not difference:
        return None
    distance = math.ceil(angle / Fraction(difference))
    return distance if distance <= FARTHEST else None


def checks(layers: TwoLayers, values: dict[str, Any]) -> Iterator[Check]:
    """Whether both rotate alike, and whether the numbers hold whichever way they are computed."""
    first, second = layers.frequencies
    relative = layers.differences / np.maximum(np.maximum(first, second), np.finfo(float).tiny)
    yield agree("same-frequencies", relative, np.zeros(len(relative)), RELATIVE)
    widths, factors = values["rotary_widths"], values["attention_factors"]
    yield agree("same-rotary-width", widths[:1], widths[1:], 0)
    yield agree("same-attention-factor", [factors[0] / factors[1]], [1.0], RELATIVE)
    for name, layer in (("first", layers.first), ("second", layers.second)):
        method = layer.config.method
        expected = reference.frequencies(method, layer.values, layer.d, layer.b, layer.length)
        scaled, still = layer.scaled.inverse_frequencies, expected == 0
        ratios = (scaled + still) / (expected + still)
        yield agree(f"{name}-recomputed", ratios, np.ones(len(ratios)), RELATIVE)
    facts = list(distances_hold(values))
    if facts:
        yield all_true("distances-are-smallest", facts)


def distances_hold(values: dict[str, Any]) -> Iterator[bool]:
    """Whether the angles differ by as much at each distance, and by less one position before."""
    first, second = values["first_inverse_frequencies"], values["second_inverse_frequencies"]
    for name, angle in ANGLES.items():
        for pair, distance in enumerate(values[f"distances_to_{name}"]):
            if distance is not None:
                at, before = (
                    abs(place * float(first[pair]) - place * float(second[pair]))
                    for place in (distance, distance - 1)
                )
                slack = 1e-9 + RELATIVE * distance * float(max(first[pair], second[pair]))
                yield before - slack < float(angle) < at + slack
