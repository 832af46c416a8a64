"""The frequencies of the pairs as curves over their index, on a logarithmic scale."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rope_cli.document.blocks import Curve, Line, Series, Significant
from rope_cli.document.charts import STYLES, floats
from rope_cli.document.evidence import Evidence
from rope_cli.document.vocabulary import t

# A curve of more pairs than this is drawn through some of them.
MOST_POINTS = 256
AXES = "j", t("radians per position", "радианы на позицию")


def scaling_chart(evidence: Evidence) -> tuple[Series, ...]:
    """The frequencies before and after scaling, or nothing if nothing is scaled."""
    if evidence["method"] == "default":
        return ()
    before, after = evidence["unscaled_inverse_frequencies"], evidence["inverse_frequencies"]
    caption = t("The frequencies before and after scaling:", "Частоты до и после масштабирования:")
    alt = t(
        "The scale is logarithmic, so before scaling the frequencies lie on a straight line. "
        "Scaling multiplies the frequency of pair 0 by {first}, that of the last pair by {last}.",
        "Шкала логарифмическая, поэтому до масштабирования частоты лежат на одной прямой. "
        "Масштабирование умножает частоту пары 0 на {first}, а частоту последней — на {last}.",
        first=Significant(evidence["ratios"][0]),
        last=Significant(evidence["ratios"][-1]),
    )
    before_after = (t("before", "до"), before), (t("after", "после"), after)
    return (frequency_chart(caption, alt, *before_after),)


def frequency_chart(
    caption: Line, alt: Line, *names_and_frequencies: tuple[Line, NDArray[np.float64]]
) -> Series:
    """Curves of frequencies; pairs that do not rotate have no place on the scale."""
    most = max(len(values) for _, values in names_and_frequencies)
    pairs = np.unique(np.linspace(0, most - 1, min(most, MOST_POINTS)).round().astype(np.int64))
    curves = []
    for (name, values), style in zip(names_and_frequencies, STYLES, strict=False):
        drawn = pairs[pairs < len(values)]
        curves.append(Curve(name, floats(drawn), floats(values[drawn]), style))
    return Series(caption, AXES, tuple(curves), alt, "y")
