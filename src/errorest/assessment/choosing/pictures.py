"""The picture of a choice: differences from the best with their intervals, and the ranks in new resamples."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest import plots

__all__ = ["draw_choice"]

_SHOWN = 20
"""Candidates that have a line of their own."""

_LONGEST = 34


def draw_choice(result: Any) -> plots.Drawn:
    shown = result.rivals[:_SHOWN]
    figure, axes = plots.new_figure(1, 2, 1.6 + 0.34 * len(shown))
    left, right = axes[0]
    level = np.arange(len(shown))[::-1]
    scale = 100.0 if result.percent else 1.0
    for y, r in zip(level, shown, strict=True):
        colour = plots.VERMILION if r.worse else plots.BLUE
        if not np.isnan(r.low):
            left.plot([scale * r.low, scale * r.high], [y, y], color=colour, linewidth=2)
        left.plot([scale * r.difference], [y], "o", color=colour, markersize=6)
    left.axvline(0, color=plots.GREY, linestyle="--", linewidth=1.2)
    left.set(yticks=level, ylim=(-0.7, len(shown) - 0.3))
    left.set_yticklabels([_short(r.name) for r in shown])
    title = f"{result.quantity[0].upper()}{result.quantity[1:]}"
    unit = "Points above the best" if result.percent else "Loss above the best"
    left.set_xlabel(unit if result.score is None else f"{title} less that of the best")
    plots.panel_title(left, "A", "Behind the best")
    ranks = 100 * result.ranks.to_numpy()[: len(shown)]
    size = ranks.shape[1]
    right.imshow(ranks, cmap="Blues", vmin=0, vmax=100, aspect="auto", extent=(0.5, size + 0.5, -0.5, len(shown) - 0.5))
    for y, line in zip(level, ranks, strict=True):
        for j in range(min(size, _SHOWN)) if size <= 10 else (0,):
            if line[j] >= 0.5:
                right.annotate(
                    f"{line[j]:.0f}",
                    (j + 1, y),
                    ha="center",
                    va="center",
                    fontsize=plots.FONT_SIZE - 2,
                    color="white" if line[j] > 55 else plots.ink(plots.BLACK),
                )
    right.set(yticks=[], ylim=(-0.7, len(shown) - 0.3), xlabel="Rank in new resamples")
    right.set_xticks(np.unique(np.linspace(1, size, min(size, 10)).round().astype(int)))
    plots.panel_title(right, "B", "% of each rank")
    best, second = shown[0], shown[1]
    more = (
        f" {len(result.rivals) - len(shown)} more candidates are not drawn." if len(result.rivals) > len(shown) else ""
    )
    alt = (
        f"Candidates by {'error' if result.score is None else result.quantity}, {best.name} on top with "
        f"{result.told(best.error)}, then {second.name} {result.told_gain(second.difference)} from it; intervals of "
        f"{sum(r.worse for r in result.rivals)} of {len(result.rivals) - 1} rivals lie "
        f"{'below' if result.rising else 'above'} zero. {best.name} {result.best_words} in {100 * best.wins:.0f} % of "
        f"new resamples, {second.name} in {100 * second.wins:.0f} %.{more}"
    )
    caption = (
        "A: paired differences with intervals that are corrected for all pairs of candidates; orange ones leave zero "
        "out. B: shares of bootstrap samples of the cases in which a candidate has a rank, in per cent; column 1 is "
        "how often it would win."
    )
    return plots.Drawn(figure, alt, caption + more)


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 3]}..."
