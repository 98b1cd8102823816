"""How Figure 17 is drawn: what was simulated, our fits and the printed models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.records import matching, printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.reversal.models import MODELS, model_values
from compendium.papers.martin_hirschberg.reversal.statistics import Rule
from compendium.papers.martin_hirschberg.reversal.study import ReversalParameters
from compendium.plots.picture import Drawing, Line, Picture
from errorest.plots import BLACK

_SIZE_COLOURS = ("#081D58", "#1D6FB0", "#2BA8A0", "#8CC63F")
_PRINTED: Line = {"color": BLACK, "linestyle": (0, (3, 2)), "linewidth": 0.9}

# letter, what is drawn, its name and unit, the model fitted to it
_PANELS = (
    ("a", "reversed_error", "reversed_se", "true error of reversed", "%", "mean-true-error"),
    ("b", "difference", "difference_se", "difference", "points", "mean-difference"),
    ("c", "likelihood", "likelihood_se", "likelihood", "%", "likelihood"),
    ("d", "increase", "increase_se", "expected increase", "points", None),
)


def _shown_sizes(sizes: list[int]) -> list[int]:
    """Return at most four sizes: the smallest, the largest and two between, evenly in ratio."""
    every = sorted(sizes)
    if len(every) <= len(_SIZE_COLOURS):
        return every
    wanted = np.geomspace(every[0], every[-1], len(_SIZE_COLOURS))
    return sorted({every[int(np.abs(np.log(np.array(every) / w)).argmin())] for w in wanted})


def _curves(p: ReversalParameters, model: str, points: pd.DataFrame, k: np.ndarray) -> pd.DataFrame:
    """Values of a model by size and distance, as far as there are points, percent."""
    reach = points.groupby(["panel", "n"], sort=False)["distance"].max().rename("far").reset_index()
    grid = pd.DataFrame({"distance": np.linspace(min(p.distances), max(p.distances), 121)})
    lines = reach.merge(grid, how="cross").query("distance <= far")
    n, distance = (lines[name].to_numpy(dtype=float) for name in ("n", "distance"))
    # a second term that was left out has no exponent; any will do, its factor is zero
    usable = np.where(np.isnan(k) & (np.arange(k.size) == 4), 1.0, k)
    return lines.assign(value=100 * model_values(model, n, distance, usable)).dropna(subset="value")


def draw_figure_17(p: ReversalParameters, results: ResultsByScale, published: pd.DataFrame) -> dict[str, Drawing]:
    """Draw Figures 17a to d, a picture a reading, with our fits and the printed models."""
    fits = matching(results.published.data["fits"], weights="none")
    listed = []
    for rule in p.reversal_rules:
        values = [f"{v:.3g}" for v in matching(fits, rule=rule, model="likelihood")["value"] if np.isfinite(v)]
        listed.append(f"{rule} {', '.join(values).replace('-', '−') or 'no fit'}")
    facts: dict[str, Any] = {"least": f"{100 * p.least_likelihood:.3g} %", "coefficients": "; ".join(listed)}
    return {rule: _draw_rule(p, rule, results, fits, published, facts) for rule in p.reversal_rules}


def _draw_rule(
    p: ReversalParameters,
    rule: Rule,
    results: ResultsByScale,
    fits: pd.DataFrame,
    published: pd.DataFrame,
    facts: Mapping[str, Any],
) -> Drawing:
    """Draw the four panels of one reading, on axes that are the same for all."""
    every = results.published.data["cells"]
    cells = matching(every, rule=rule)
    colours = dict(zip(_shown_sizes(p.sizes), _SIZE_COLOURS, strict=False))
    picture = Picture(
        6.4,
        {panel[0]: panel[3] for panel in _PANELS},
        "panel",
        columns=2,
        x="distance",
        y={panel[0]: panel[4] for panel in _PANELS},
        letters=True,
        sharex=True,
    )
    likely = cells[cells["likelihood"] >= p.least_likelihood]
    print_ = printed_values(matching(published, artifact="martin-hirschberg-figure-17"))
    for letter, column, error, *_, model in _PANELS:
        shown = likely if letter in "ab" else cells
        points = shown.assign(panel=letter, value=100 * shown[column], se=100 * shown[error])
        looks = {n: {"color": colour, "markersize": 3} for n, colour in colours.items()}
        picture.scatter(points, "distance", "value", se="se", by="n", looks=looks, names="N = {}".format)
        if model is None:
            continue
        ours = matching(fits, model=model, rule=rule)["value"].to_numpy()
        thin = {n: {"color": colour, "linewidth": 1.2} for n, colour in colours.items()}
        picture.lines(_curves(p, model, points, ours), "distance", "value", by="n", looks=thin, names=lambda _: "")
        printed = np.array([print_.get((model, f"k{j}"), np.nan) for j in range(len(MODELS[model][1]))])
        if not np.isnan(printed).any():
            dashes, names = dict.fromkeys(colours, _PRINTED), dict.fromkeys(colours, "printed model")
            lines = (_curves(p, model, points, printed), "distance", "value")
            picture.lines(*lines, by="n", looks=dashes, names=names, printed=True)
    picture.limits(xlim=(0, 1.04 * max(p.distances)))
    # the simulated values stay in sight whatever a model does
    most = every[every["likelihood"] >= p.least_likelihood]["likelihood"].max()
    tops = (102, 102, 110 * most, 112 * every["increase"].max())
    for (letter, *_), low, top in zip(_PANELS, (48, -5, -1, -0.2), tops, strict=True):
        # no cell may be likely enough to be shown
        picture.axes[letter].set_ylim(low, top if top > low else None)
    return picture.done(drawn=p.samples * p.batches, **facts)
