"""Figure on Table 12: independent trials of ours."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.records import parts
from compendium.evidence.results import ResultsByScale
from compendium.papers.shakhnarovich.figures import dot, draw_nothing
from compendium.papers.shakhnarovich.methods import classifier_named
from compendium.papers.shakhnarovich.names import symbol_of
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from errorest.plots import COLOURS, Drawn, in_style, legend_of, new_figure

__all__ = ["draw_reused"]

_MARKERS = "os^v"


@in_style
def draw_reused(p: SyntheticParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawn:
    """Draw leave-one-out against the true error of our trials."""
    scale, result = made.largest
    if "trials" not in result.data:
        return draw_nothing(" ".join(result.findings))
    trials = result.data["trials"]
    figure, grid = new_figure(1, 1, 3.6)
    looks, said = {}, []
    for number, (key, own) in enumerate(parts(trials[trials["estimator"] == "loo"], "classifier").items()):
        classifier = classifier_named(str(key))
        if "total-covariance-41" in classifier.settings:
            continue
        name = symbol_of(classifier.row)
        looks[name] = dot(COLOURS[number % 6], _MARKERS[number % 4])
        grid[0, 0].plot(own["truth"], own["estimate"], **looks[name])
        said.append(f"{name} {own['truth'].mean():.3f} and {own['estimate'].mean():.3f}")
    grid[0, 0].set_xlabel("true error (proportion)")
    grid[0, 0].set_ylabel("CV×n (proportion)")
    legend_of(figure, looks)
    means = "; ".join(said)
    text = f"Leave-one-out against the true error of each trial ({scale} scale). Means, true error first: {means}."
    alt = f"Scatter of leave-one-out against the true error, a dot a trial, marks for {len(looks)} classifiers."
    return Drawn(figure, alt, text)
