"""The picture of a learning curve: measured points with their intervals, and what is expected beyond them."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest import plots

__all__ = ["draw_curve"]


def draw_curve(result: Any) -> plots.Drawn:
    """Draw a learning curve.

    Parameters
    ----------
    result : LearningCurve

    Returns
    -------
    Drawn
    """
    figure, grid = plots.new_figure(1, 1, 3.8)
    axes, table = grid[0, 0], result.table
    most = max([one.cases for one in result.expected], default=2 * result.n)
    sizes = sorted({round(float(v)) for v in np.geomspace(table["cases"].iloc[0], max(most, 2), 30)})
    laws = [result.at(size) for size in sizes]
    axes.fill_between(
        sizes, [100 * one.low for one in laws], [100 * one.high for one in laws], color=plots.ORANGE, alpha=0.2, lw=0
    )
    axes.plot(sizes, [100 * one.error for one in laws], color=plots.ORANGE)
    error = 100 * table["error"]
    axes.errorbar(
        table["cases"],
        error,
        yerr=[error - 100 * table["low"], 100 * table["high"] - error],
        fmt="o",
        color=plots.BLUE,
        linewidth=1.2,
    )
    axes.axhline(100 * result.majority_error, color=plots.GREY, linestyle="--", linewidth=1.2)
    plots.log_axis(axes, sorted({int(table["cases"].iloc[0]), result.n, most}), "{:,}")
    axes.set_ylim(0, None)
    axes.set_xlabel("training cases")
    axes.set_ylabel("Error rate (%)")
    plots.label_ends(
        axes,
        [
            plots.EndLabel(float(sizes[-1]), 100 * laws[-1].error, "expected", plots.ORANGE),
            plots.EndLabel(float(sizes[-1]), 100 * result.majority_error, "one class always", plots.GREY),
        ],
    )
    said = "; ".join(
        f"{cases} cases {100 * value:.1f} %" for cases, value in zip(table["cases"], table["error"], strict=True)
    )
    return plots.Drawn(
        figure,
        f"Error rate by number of training cases: measured {said}; "
        f"{'; '.join(map(str, result.expected)) or 'no more'}.",
        f"Points: measured, with {100 * result.confidence:g} % intervals. Line and band: the mean error that inverse "
        "power laws through these points expect, and its limits.",
    )
