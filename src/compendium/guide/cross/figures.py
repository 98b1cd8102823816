"""Figures of the cross-examination: who errs how much where, on which side, and what intervals hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from compendium.evidence.records import each
from compendium.evidence.regenerated import Made, at_base
from compendium.guide.cross.cases import PAIRS
from compendium.guide.cross.experiment import CONTENDERS, CrossParameters
from compendium.guide.names import ESTIMATORS, FAMILIES, GROUNDS, LEARNERS, PAIRED_INTERVALS, symbol
from compendium.plots.dark import as_drawn
from errorest import plots
from errorest.plots import BLACK, BLUE, FONT_SIZE, GREY, ORANGE, SKY, VERMILION

__all__ = ["draw_biases", "draw_contests", "draw_coverages", "draw_errors"]

_STAR = "A star with a CV or .632+ stands for clones; LOO* is Weiss's."
_MOST = np.log(2.0)
_PALE = "#EDEDED"


def _short(estimators: Any) -> list[str]:
    return [ESTIMATORS[e].short for e in estimators]


def _shade(ratio: float) -> tuple[float, float, float]:
    """Blue below 1, orange above, white at 1; full colour at one half and two."""
    strength = float(np.clip(np.log(ratio) / _MOST, -1, 1))
    full = (0.0, 0.447, 0.698) if strength < 0 else (0.902, 0.624, 0.0)
    share = 0.75 * abs(strength)
    return tuple(1 - share * (1 - c) for c in full)  # type: ignore[return-value]


@plots.in_style
def draw_errors(p: CrossParameters, made: Made, published: pd.DataFrame) -> plots.Drawn:
    """Draw the ratio of every estimator's error to that of stratified ten-fold CV, by kind of setting."""
    table = at_base(made).data["ratios"]
    kinds = [k for k in (*(f.title for f in FAMILIES.values()), "all") if k in set(table["kind"])]
    figure, grid = plots.new_figure(1, 1, 4.6)
    axes = grid[0, 0]
    for row, name in enumerate(CONTENDERS):
        for column, kind in enumerate(kinds):
            own = each(table[(table["kind"] == kind) & (table["estimator"] == name)])
            if not own:
                axes.text(column, row, "–", ha="center", va="center", color=GREY)
                continue
            ratio = own[0].ratio
            cell = Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=_shade(ratio), edgecolor="white")
            as_drawn(axes.add_patch(cell))
            as_drawn(axes.text(column, row, f"{ratio:.2f}", ha="center", va="center", fontsize=FONT_SIZE - 1))
    plots.as_table(axes, _short(CONTENDERS), [k.replace(" ", "\n") for k in kinds])
    return plots.Drawn(
        figure,
        f"A grid of {len(CONTENDERS)} estimators by {len(kinds)} kinds of settings; each cell is the root mean squared "
        "error relative to stratified ten-fold cross-validation. Data in the table below.",
        "Root mean squared error divided by that of stratified ten-fold cross-validation on the same samples, "
        "geometric mean over the cases of a kind: blue errs less, orange more; the numbers' standard errors are at "
        f"most {table['se'].max():.2f}. *All*: settings in which every estimator was run. {_STAR}",
    )


@plots.in_style
def draw_biases(p: CrossParameters, made: Made, published: pd.DataFrame) -> plots.Drawn:
    """Draw the bias of every estimator in every case, a panel for each kind of inducer."""
    table, means = (at_base(made).data[name] for name in ("biases", "learners"))
    learners = [k for k in LEARNERS if k in set(table["learner"])]
    rows = -(-len(learners) // 2)
    figure, grid = plots.new_figure(rows, min(2, len(learners)), 0.8 + 2.75 * rows, sharex=True, sharey=True)
    for place, axes in enumerate(grid.ravel()):
        if place >= len(learners):
            axes.set_visible(False)
            continue
        own = table[table["learner"] == learners[place]]
        mean = means[(means["learner"] == learners[place]) & means["estimator"].isin(CONTENDERS)]
        axes.axvline(0, color=GREY, linewidth=0.8)
        for one in each(mean):
            row = CONTENDERS.index(one.estimator)
            values = own.loc[own["estimator"] == one.estimator, "bias"]
            axes.plot(values, np.full(values.size, row), "o", color=SKY, markersize=4, alpha=0.8)
            axes.plot([one.mean], [row], "|", color=BLACK, markersize=12, markeredgewidth=2)
        plots.panel_title(axes, "", LEARNERS[learners[place]].panel)
        axes.set_yticks(range(len(CONTENDERS)), _short(CONTENDERS))
        axes.xaxis.set_major_formatter(plots.signed())
        axes.grid(axis="x")
        if place + grid.shape[1] >= len(learners):
            axes.set_xlabel("bias (points)")
            axes.tick_params(labelbottom=True)
    grid[0, 0].set_ylim(len(CONTENDERS) - 0.5, -0.5)
    return plots.Drawn(
        figure,
        f"Dots of the bias of {len(CONTENDERS)} estimators about zero, a panel for each of {len(learners)} kinds of "
        "inducers. Data in the table below.",
        f"Bias (estimate minus true error) in points: a dot is a case, the bar the mean of the panel's cases. {_STAR}",
    )


_BANDS = ((0, 24), (25, 60), (61, 250), (251, None))
"""Cases of a sample, from and to, that share a place in the picture of coverages."""
_KINDS = {False: (BLUE, "o", "circles: other inducers"), True: (VERMILION, "s", "squares: memorizers")}


@plots.in_style
def draw_coverages(p: CrossParameters, made: Made, published: pd.DataFrame) -> plots.Drawn:
    """Draw how often each interval contains the true error: every case in the band of its size, and the band's mean."""
    table = at_base(made).data["coverages"]
    bands = [(a, b) for a, b in _BANDS if table["n"].between(a, b or np.inf).any()]
    figure, grid = plots.new_figure(2, 2, 5.6, sharex=True, sharey=True)
    said = []
    for axes, (name, interval) in zip(grid.ravel(), PAIRED_INTERVALS.items(), strict=True):
        own = table[table["interval"] == name]
        axes.axhline(95, color=GREY, linewidth=1, linestyle="--")
        for place, (least, most) in enumerate(bands):
            for memorizer, (colour, marker, _) in _KINDS.items():
                part = own[own["n"].between(least, most or np.inf) & ((own["learner"] == "memorizer") == memorizer)]
                if part.empty:
                    continue
                middle = place + (0.2 if memorizer else -0.2)
                spread = middle + np.linspace(-0.13, 0.13, len(part)) if len(part) > 1 else [middle]
                dots = part.sort_values("n")
                axes.errorbar(
                    spread,
                    dots["coverage"],
                    dots["se"],
                    fmt=marker,
                    color=colour,
                    markersize=3,
                    elinewidth=0.6,
                    alpha=0.6,
                )
                mean, limits = dots["coverage"].mean(), (middle - 0.17, middle + 0.17)
                axes.plot(limits, [mean, mean], color=BLACK, linewidth=2.4, zorder=4)
        plots.panel_title(axes, "", interval.title)
        said.append(f"{interval.title} {own['coverage'].mean():.0f} %")
    texts = [f"{a}–{b}" if a and b else f"up to {b}" if b else f"over {a - 1}" for a, b in bands]
    for axes in grid[1]:
        axes.set_xticks(range(len(bands)), texts)
        axes.set_xlabel("cases, N")
    for axes in grid[:, 0]:
        axes.set_ylabel("coverage (%)")
    grid[0, 0].set_ylim(min(45.0, float(table["coverage"].min()) - 5), 102)
    grid[0, 0].set_xlim(-0.5, len(bands) - 0.5)
    handles = [Line2D([], [], color=c, marker=m, linestyle="none") for c, m, _ in _KINDS.values()]
    handles += [Line2D([], [], color=BLACK, linewidth=2.4), Line2D([], [], color=GREY, linestyle="--", linewidth=1)]
    plots.legend_below(figure, handles, ["other inducers", "memorizers", "mean of a band", "95 %"], columns=4)
    return plots.Drawn(
        figure,
        f"Coverage of four intervals by bands of sample size, a mark a case, about the line at 95 %. Means: "
        f"{', '.join(said)}; data in the table below.",
        "Share of samples whose 95 % interval contains the true error of the classifier at hand, with one standard "
        f"error, a mark for each case in the band of its size ({'; '.join(text for _, _, text in _KINDS.values())}); "
        "thick strokes: their means.",
    )


@plots.in_style
def draw_contests(p: CrossParameters, made: Made, published: pd.DataFrame) -> plots.Drawn:
    """Draw, for each claim, the shares of cases in which it clearly holds, clearly fails, or nothing is clear."""
    table = at_base(made).data["contests"]
    pairs = list(dict.fromkeys(table["pair"]))
    figure, grid = plots.new_figure(1, 1, 1.4 + 0.82 * len(pairs))
    axes = grid[0, 0]
    ticks = []
    for place, (key, pair) in enumerate(zip(pairs, PAIRS, strict=True)):
        own = table[table["pair"] == key]
        for y, line in enumerate(each(own), start=place * 4):
            better, worse = 100 * line.better / line.cases, 100 * line.worse / line.cases
            axes.barh(y, 100, color=_PALE, height=0.85)
            axes.barh(y, better, color=BLUE, height=0.85)
            axes.barh(y, worse, left=100 - worse, color=ORANGE, height=0.85)
            ticks.append((y, GROUNDS[line.ground].short))
        title = f"{symbol(pair.better)} against {symbol(pair.than)}"
        axes.text(0, place * 4 - 0.62, title, fontweight="bold", fontsize=FONT_SIZE - 1, va="bottom")
    axes.set_yticks([y for y, _ in ticks], [text for _, text in ticks])
    axes.set_ylim(len(pairs) * 4 - 1, -1.9)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the ground's cases (%)")
    axes.tick_params(axis="y", length=0)
    handles: list[Any] = [Patch(color=BLUE), Patch(color=_PALE), Patch(color=ORANGE)]
    plots.legend_below(figure, handles, ["first clearly errs less", "no clear difference", "first clearly errs more"])
    return plots.Drawn(
        figure,
        f"Bars for {len(pairs)} pairs of estimators, by the paper whose settings they are tried in. Data in the table "
        "below.",
        "Cases of each paper's settings in which the estimator named first clearly errs less (from the left, blue) or "
        "more (from the right, orange) than the second: squared errors on the same samples, more than three standard "
        "errors apart. M & H: Martin and Hirschberg.",
    )
