"""The picture of a learning curve: measured points with their intervals, and what is expected beyond them."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest import plots
from errorest.assessment.costs import KINDS

__all__ = ["draw_curve"]


def draw_curve(result: Any) -> plots.Drawn:
    """Draw a learning curve."""
    figure, grid = plots.new_figure(1, 1, 3.8)
    axes, table, scale = grid[0, 0], result.table, 100.0 if result.percent else 1.0
    trained, name = table[result.unit], KINDS[result.loss]
    most = max([one.cases for one in result.expected], default=2 * result.points.n)
    sizes = sorted({round(float(v)) for v in np.geomspace(trained.iloc[0], max(most, 2), 30)})
    laws = [result.at(size) for size in sizes]
    axes.fill_between(
        sizes,
        [scale * one.low for one in laws],
        [scale * one.high for one in laws],
        color=plots.ORANGE,
        alpha=0.2,
        lw=0,
    )
    axes.plot(sizes, [scale * one.error for one in laws], color=plots.ORANGE)
    error = scale * table["error"]
    axes.errorbar(
        trained,
        error,
        yerr=[error - scale * table["low"], scale * table["high"] - error],
        fmt="o",
        color=plots.BLUE,
        linewidth=1.2,
    )
    axes.axhline(scale * result.majority_error, color=plots.GREY, linestyle="--", linewidth=1.2)
    plots.log_axis(axes, sorted({int(trained.iloc[0]), result.points.n, most}), "{:,}")
    axes.set_ylim(0, None)
    axes.set_xlabel(f"training {result.unit}")
    axes.set_ylabel(f"{name.capitalize()} (%)" if result.percent else name.capitalize())
    plots.label_ends(
        axes,
        [
            plots.EndLabel(float(sizes[-1]), scale * laws[-1].error, "expected", plots.ORANGE),
            plots.EndLabel(float(sizes[-1]), scale * result.majority_error, "one class always", plots.GREY),
        ],
    )
    said = "; ".join(
        f"{number} {result.unit} {result.told(value)}" for number, value in zip(trained, table["error"], strict=True)
    )
    return plots.Drawn(
        figure,
        f"{name.capitalize()} by number of training {result.unit}: measured {said}; "
        f"{'; '.join(map(str, result.expected)) or 'no more'}.",
        f"Points: measured, with {100 * result.confidence:g} % intervals. Line and band: the mean error that inverse "
        "power laws through these points expect, and its limits.",
    )
