"""Figures of the cross-examination: errors by kind of setting, biases, coverage, and pairs of estimators."""

from __future__ import annotations

import pandas as pd
from matplotlib.colors import LinearSegmentedColormap, LogNorm

from compendium.evidence.records import each
from compendium.evidence.results import ResultsByScale
from compendium.guide.cross.experiment import CONTENDERS, CrossParameters
from compendium.guide.names import ESTIMATORS, FAMILIES, GROUNDS, LEARNERS, PAIRED_INTERVALS
from compendium.plots.dark import keep_colours
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, FONT_SIZE, ORANGE, SKY, VERMILION

_SHORT = {e: ESTIMATORS[e].short for e in CONTENDERS}
# pale at both ends, so that black numbers stay readable
_COLOURS = LinearSegmentedColormap.from_list("ratio", ["#4095C6", "#FFFFFF", "#ECB740"])


@plots.in_style
def draw_errors(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the ratio of every estimator's error to that of stratified ten-fold CV, by kind of setting."""
    table = made.published.data["ratios"]
    kinds = [k for k in (*(f.title for f in FAMILIES.values()), "all") if k in set(table["kind"])]
    levels = {k: k.replace(" ", "\n") for k in kinds}
    picture = Picture(4.6, x="kind of setting", x_levels=levels, y_levels=_SHORT)
    picture.heat_map(table, "kind", "estimator", "ratio", cmap=_COLOURS, norm=LogNorm(0.5, 2.0), written=True)
    (axes,) = picture.axes.values()
    for r in each(table):
        place = (kinds.index(r.kind), CONTENDERS.index(r.estimator))
        keep_colours(axes.text(*place, f"{r.ratio:.2f}", ha="center", va="center", fontsize=FONT_SIZE - 1, color=BLACK))
    axes.tick_params(length=0)
    axes.set_xlim(-0.5, len(kinds) - 0.5)
    return picture.done("The ratio stands in every cell.", most=f"{table['se'].max():.2f}")


@plots.in_style
def draw_biases(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias of every estimator in every case, a panel for each kind of learner."""
    table = made.published.data["biases"]
    table = table[table["estimator"].isin(CONTENDERS)]
    panels = {k: v.panel for k, v in LEARNERS.items() if k in set(table["learner"])}
    height = 0.8 + 2.75 * -(-len(panels) // 2)
    picture = Picture(height, panels, "learner", x="bias (points)", y_levels=_SHORT, sharex=True, sharey=True)
    picture.guide(x=0)
    picture.scatter(table, "bias", "estimator", color=SKY, markersize=4, alpha=0.8)
    means = table.groupby(["learner", "estimator"])["bias"].mean().reset_index()
    picture.scatter(means, "bias", "estimator", color=BLACK, marker="|", markersize=12, markeredgewidth=2)
    for axes in picture.axes.values():
        axes.xaxis.set_major_formatter(signed_ticks())
        axes.grid(axis="x")
    return picture.done()


@plots.in_style
def draw_coverages(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw how often each interval contains the true error against the sample size, a mark a case."""
    table = made.published.data["coverages"]
    titles = {name: interval.title for name, interval in PAIRED_INTERVALS.items()}
    x, y = "cases, N (logarithmic)", "coverage (%)"
    picture = Picture(5.6, titles, "interval", x=x, y=y, sharex=True, sharey=True)
    picture.guide(y=95, linestyle="--")
    looks = {
        "other learners": {"color": BLUE, "marker": "o", "alpha": 0.6, "markersize": 3.5},
        "memorizers": {"color": VERMILION, "marker": "s", "alpha": 0.6, "markersize": 3.5},
    }
    picture.scatter(table, "n", "coverage", se="se", z=1, by="kind", looks=looks)
    sizes = sorted(set(table["n"]))
    for axes in picture.axes.values():
        plots.log_axis(axes, [n for n in (10, 20, 50, 100, 200, 500, 1000) if sizes[0] <= n <= sizes[-1]] or sizes)
    return picture.done()


@plots.in_style
def draw_pairs(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw, for each claim, the shares of cases in which it clearly holds, clearly fails, or nothing is clear."""
    table = made.published.data["pairs"].assign(neither=lambda t: t["cases"] - t["better"] - t["worse"])
    shares = table.melt(["pair", "paper", "cases"], ["better", "neither", "worse"], "outcome", "count")
    shares["share"] = 100 * shares["count"] / shares["cases"]
    pairs = {r.pair: f"{ESTIMATORS[r.better_one].short}\nagainst {ESTIMATORS[r.than].short}" for r in each(table)}
    papers = {paper: one.short for paper, one in GROUNDS.items() if paper in set(table["paper"])}
    picture = Picture(
        1.2 + 0.42 * len(pairs), papers, "paper", columns=3, x="cases (%)", y_levels=pairs, sharex=True, sharey=True
    )
    looks = {"better": BLUE, "neither": "#EDEDED", "worse": ORANGE}
    words = {
        "better": "first clearly errs less",
        "neither": "no clear difference",
        "worse": "first clearly errs more",
    }
    picture.bars(shares, "pair", "share", by="outcome", looks=looks, names=words, stacked=True)
    picture.limits(xlim=(0, 100))
    return picture.done()
