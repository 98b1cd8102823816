"""Figure 3: the family of discrete kernels of a small sample of integers."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.shakhnarovich.kernel_functions import discrete_bandwidth, discrete_weights
from compendium.papers.shakhnarovich.kernels.parameters import ClonesParameters
from compendium.plots.picture import Drawing
from errorest import plots
from errorest.plots import COLOURS


@plots.in_style
def draw_figure_3(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the weights that each case of a small sample of integers spreads over the values."""
    weights = made.published.data["weights"]
    figure, grid = plots.new_figure(len(p.values), 1, 0.9 + 0.85 * len(p.values), sharex=True, sharey=True)
    for place, (centre, lines) in enumerate(parts(weights, "centre").items()):
        axes = grid[place, 0]
        axes.bar(lines["value"], lines["weight"], width=0.35, color=COLOURS[place % len(COLOURS)])
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 1])
        axes.set_ylabel(f"$x_{{{place + 1}}}$ = {centre}", rotation=0, ha="right", va="center")
    grid[-1, 0].set_xticks(p.values)
    grid[-1, 0].set_xlabel("value")
    own = weights[weights["centre"] == weights["value"]]["weight"]
    facts = {"low": min(p.values), "high": max(p.values), "least": own.min(), "most": own.max()}
    return Drawing(figure, facts=facts)


@artifact("shakhnarovich-figure-3", draw=draw_figure_3, enlarge=False)
def figure_3(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 3: the family of discrete kernels of a small sample of integers."""
    sample = np.array(p.values, dtype=float)
    h = discrete_bandwidth(sample)
    weights = [
        {"centre": centre, "value": value, "weight": float(weight)}
        for centre in p.values
        for value, weight in zip(p.values, discrete_weights(sample, centre, h), strict=True)
    ]
    rows = [Row.exact("literal", f"centre={w['centre']}", f"value={w['value']}", w["weight"]) for w in weights]
    return ArtifactResult([Row.exact("literal", "sample", "bandwidth", h), *rows], {"weights": pd.DataFrame(weights)})
