"""The picture of a permutation test: errors or scores under permuted labels, and the one at hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest import plots
from errorest.plots.beside import SHARE_OF_HEIGHT, beside

__all__ = ["draw_chance"]


def draw_chance(result: Any) -> plots.Drawn:
    figure, axes = plots.new_figure(1, 1, 3.2)
    axis = axes[0, 0]
    scale = 100.0 if result.percent else 1.0
    values, own = scale * result.chance, scale * result.estimate
    edges = np.linspace(min(values.min(), own), max(values.max(), own) + 1e-9, 31)
    axis.hist(values, bins=edges, color=plots.SKY, edgecolor="white", linewidth=0.5)
    axis.axvline(own, color=plots.VERMILION, linewidth=2)
    middle = (edges[0] + edges[-1]) / 2
    look: dict[str, Any] = {"va": "top", "fontsize": plots.FONT_SIZE - 1, **SHARE_OF_HEIGHT}
    beside(axis, "as they are", (own, 1), (4 if own < middle else -4, -2), plots.VERMILION, **look)
    name = f"{result.quantity[0].upper()}{result.quantity[1:]}"
    axis.set(xlabel=f"{name} (%)" if result.percent else name, ylabel="Arrangements of the labels")
    told = [result.told(float(v)) for v in (result.chance.min(), result.chance.max(), result.estimate)]
    many = "errors" if result.score is None else f"values of the {result.quantity}"
    one = "error" if result.score is None else result.quantity
    alt = (
        f"Histogram of the {many} under {result.permutations} arrangements of the labels, from {told[0]} to {told[1]}; "
        f"a line at {told[2]}, the {one} of the labels as they are; {result.told_p()}."
    )
    than = "smaller" if result.rising else "larger"
    caption = f"The p-value is the share of arrangements of the labels under which the {one} is no {than} than at hand."
    return plots.Drawn(figure, alt, caption)
