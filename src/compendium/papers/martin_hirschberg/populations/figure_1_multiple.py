"""Section 2's claim on Figure 1: covariances that differ by a constant factor give a straight boundary."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.results import ArtifactResult, Erratum, ResultsByScale, Run
from compendium.papers.martin_hirschberg.one_sample import CLASS_COLOURS
from compendium.papers.martin_hirschberg.populations.figure_1 import (
    RULE_LOOKS,
    exact_rows,
    grid_of,
    inherent_error_of,
    lattice_of,
    line_of,
    multiple_of,
    plot_contours,
    plot_line,
)
from compendium.papers.martin_hirschberg.populations.study import PopulationsParameters
from compendium.plots.picture import Drawing, Picture
from compendium.studies.populations import NormalClasses
from errorest import plots
from errorest.plots import BLACK

_FAR = 1000.0  # So far from the means the quadratic part of the log ratio decides


def _bend(population: NormalClasses) -> float:
    """Second derivative of the log ratio along x; exact, since the log ratio is quadratic."""
    left, middle, right = population.log_ratio(np.array([[-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]]))
    return float(left - 2 * middle + right)


@plots.in_style
def draw_figure_1_multiple(p: PopulationsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the boundary when covariances differ by a constant factor, and what the best line loses."""
    result = results.published
    lattice, excess = result.data["lattice"], result.data["excess"]
    titles = {"plane": f"covariances {p.multiple:g} times as large", "error": "what the best line loses"}
    picture = Picture(
        *(7.6, titles, "panel"),
        columns=1,
        letters=True,
        x={"plane": "x (standard deviations of class 0)", "error": "constant factor c between the covariances"},
        y={"plane": "y", "error": "error (%)"},
        height_ratios=[1.35, 1],
    )
    axes = picture.axes["plane"]
    axes.set_xlim(lattice["x"].min(), lattice["x"].max())
    axes.set_ylim(lattice["y"].min(), lattice["y"].max())
    plot_contours(axes, lattice)
    plot_line(axes, result.data["lines"].to_dict("records")[0], **RULE_LOOKS["best line"])
    axes.contour(*grid_of(lattice, "log_ratio"), levels=[0.0], colors=[BLACK], linewidths=2.6)
    handles = [Line2D([], [], **RULE_LOOKS[r]) for r in ("least error", "best line")]
    handles += [Line2D([], [], color=c, linewidth=0.8) for c in CLASS_COLOURS]
    axes.legend(handles, ["least error", "best line", "class 0", "class 1"], loc="upper left", borderaxespad=0.2)
    curves = excess.rename(columns={"linear": "best line", "inherent": "least error"}).assign(panel="error")
    for rule in ("best line", "least error"):
        picture.lines(curves, "multiple", rule, label=rule, ends=True, marker="o", **RULE_LOOKS[rule])
    picture.axes["error"].set_ylim(0, None)
    sampled = excess[excess["multiple"] == p.multiple].iloc[0]
    return picture.done(equal=excess.iloc[0]["inherent"], line=sampled["linear"], least=sampled["inherent"])


@artifact("martin-hirschberg-figure-1-multiple", draw=draw_figure_1_multiple)
def figure_1_multiple(p: PopulationsParameters, run: Run) -> ArtifactResult:
    """Section 2's claim: covariances that differ by a constant factor give a straight boundary.

    The log ratio of the densities has the quadratic part ``(1 - 1/c) x' S^-1 x / 2``, so
    that the claim holds for c = 1 alone; for c > 1 the boundary is an ellipse.
    """
    factors = sorted({1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, p.multiple})
    excess = pd.DataFrame(
        [
            {"multiple": c, "inherent": 100 * inherent_error_of(of, p.grid), "linear": 100 * of.best_linear()[2]}
            for c, of in ((c, multiple_of(c)) for c in factors)
        ]
    )
    rows = [
        row
        for c, inherent, linear in excess.itertuples(index=False)
        for row in exact_rows(
            f"multiple={c:g}",
            {"inherent-error-percent": inherent, "language-intrinsic-linear-error-percent": linear},
        )
    ]
    sampled = multiple_of(p.multiple)
    direction, offset, _ = sampled.best_linear()
    _, inherent, linear = excess[excess["multiple"] == p.multiple].iloc[0]
    bend, straight = _bend(sampled), _bend(multiple_of(1.0))
    around = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    far = sampled.log_ratio(_FAR * np.column_stack([np.cos(around), np.sin(around)])) > 0
    closed = ", so that class 0's region is closed: an ellipse" if far.all() else ""
    conditions = [
        abs(exact(bend, "second derivative of the log ratio along x", digits=3, sign="+")) <= 1e-6,
        abs(exact(linear - inherent, "best line minus least error", "points", 2, "+")) <= 0.02,
    ]
    check = judge_claim("martin-hirschberg-figure-1-multiple", "straight", conditions, multiple=p.multiple)
    erratum = Erratum(
        "Section 2, with Figure 1",
        "The boundary is said to be a straight line whenever the covariance matrices differ by a constant factor.",
        "It is a straight line only if they are equal (a factor of 1); for any other factor it is an ellipse.",
        f"With class 1's covariances {p.multiple:g} times class 0's, the best of all lines errs in {linear:.2f} % and "
        f"the least-error rule in {inherent:.2f} %. Far out in {100 * far.mean():.0f} % of "
        f"all directions the least-error class is 1{closed}. The log ratio of the densities has a second "
        f"derivative of {bend:.3f} along x; with equal covariances it is {straight:.3f}.",
    )
    lines = pd.DataFrame([line_of("best line", direction, offset)])
    data = {"lattice": lattice_of(sampled), "lines": lines, "excess": excess}
    return ArtifactResult(rows, data, [check], errata=[erratum] if check.outcome != "holds" else [])
