"""Figures of Martin & Hirschberg (1996), section 6: a tree, errors under noise, and what six samples show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.records import matching, printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.lenses.blocks import noise_key
from compendium.papers.martin_hirschberg.lenses.experiment import ESTIMATORS, PAIRS, READINGS, LensesParameters
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.plots.palette import PUBLISHED
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREEN, GREY, SKY, VERMILION

_CLASS_COLOURS = {"none": GREY, "soft": BLUE, "hard": VERMILION}
_RESAMPLING = ESTIMATORS[1:]
_PRINTED_LINE: dict[str, Any] = {"color": BLACK, "linestyle": "--", "linewidth": 1.3}
_SHAKEN = 0.12  # Standard deviation of the sideways shift of points that would cover each other, percent


@plots.in_style
def draw_figure_10(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 10: the headline's tree, tests at inner nodes, classes at leaves."""
    tree = made.published.data["tree"]
    # levels run to the right, so that the words of neighbouring leaves do not meet
    depth, leaves = tree["y"].to_numpy(), tree["x"].to_numpy()
    parents, is_leaf = tree["parent"].to_numpy(), tree["leaf"].to_numpy()
    texts, branches = tree["text"].astype(str).tolist(), tree["branch"].astype(str).tolist()
    picture = Picture(0.64 * float(leaves.max()) + 1.0)
    axes = picture.axes[()]
    for node, parent in enumerate(parents):
        if parent >= 0:
            axes.plot(depth[[parent, node]], leaves[[parent, node]], color=GREY, linewidth=1.0, zorder=1)
            above = 0.3 if is_leaf[node] else 0.44
            axes.text(
                depth[node],
                leaves[node] - above,
                branches[node],
                ha="center",
                va="bottom",
                fontsize=FONT_SIZE - 1,
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5},
            )
        colour = _CLASS_COLOURS.get(texts[node], BLACK) if is_leaf[node] else BLACK
        axes.text(
            depth[node],
            leaves[node],
            f"{texts[node]} ({tree['cases'].iloc[node]})" if is_leaf[node] else texts[node].replace("-", "\n", 1),
            ha="center",
            va="center",
            color=plots.ink(colour),
            weight="bold" if is_leaf[node] else "normal",
            fontsize=FONT_SIZE - 1,
            bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.0},
            zorder=2,
        )
    axes.set_xlim(-0.4, depth.max() + 0.4)
    axes.set_ylim(leaves.max() + 0.4, -0.75)
    axes.set_axis_off()
    counts = tree[tree["leaf"]].groupby("text").size()
    listed = ", ".join(f"{n} {c}" for c, n in counts.items())
    facts: dict[str, Any] = {"leaves": int(tree["leaf"].sum()), "listed": listed, "nodes": len(tree), "root": texts[0]}
    return picture.done(**facts, longest=int(depth.max()), reading=READINGS[p.readings[0]])


def _strokes(
    groups: pd.DataFrame, whole: pd.DataFrame, printed: pd.DataFrame, words: str, height: float, x: str
) -> Picture:
    """Draw values of groups, of all samples and of the print (columns n, estimator, value, se), a panel a size."""
    sizes = sorted(groups["n"].unique())
    picture = Picture(
        height,
        {n: f"N = {n}" for n in sizes},
        "n",
        columns=len(sizes),
        x=x,
        y_levels={e: NAMES[e].symbol for e in _RESAMPLING},
        sharex=True,
        sharey=True,
    )
    picture.guide(x=0)
    look: dict[str, Any] = {"marker": "|", "color": SKY, "markersize": 11, "zorder": 1}
    picture.scatter(groups.dropna(subset="value"), "value", "estimator", label=words, **look)
    picture.scatter(whole, "value", "estimator", x_se="se", z=1.96, label="all samples", color=BLUE, markersize=5)
    picture.scatter(printed, "value", "estimator", printed=True, label="published", markersize=6)
    return picture


def _values(table: Mapping[tuple[str, int], tuple[float, float]]) -> pd.DataFrame:
    return pd.DataFrame(
        [(e, n, value, se) for (e, n), (value, se) in table.items()], columns=["estimator", "n", "value", "se"]
    )


def draw_table_11(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw what groups of six samples say about bias, beside all samples and the print."""
    groups, means = (made.published.data[name] for name in ("groups", "whole"))
    values = groups.melt(["n", "group"], var_name="estimator").query("estimator in @_RESAMPLING")
    whole = means.rename(columns={"bias": "value"}).query("estimator in @_RESAMPLING and se == se")
    print_ = printed_values(published)
    keys = {(e, n): f"mean-percent/N={n}" for e in _RESAMPLING for n in groups["n"].unique()}
    printed = {k: (print_[k[0], c] - print_["true-error", c], 0.0) for k, c in keys.items() if (k[0], c) in print_}
    picture = _strokes(values, whole, _values(printed), f"a group of {p.samples} samples", 3.4, "bias (points)")
    return picture.done(reading=READINGS[p.readings[0]])


def draw_correlations(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the correlations of groups of six pairs, beside all samples and the print."""
    _, result = made.largest
    sizes = sorted(result.data["groups"]["n"].unique())[:2]
    groups = result.data["groups"].query("n in @sizes").rename(columns={"r": "value"})
    reading = READINGS[p.readings[0]]
    rows = {(r.row, r.column): (r.value, r.se) for r in result.rows if r.reading == reading}
    print_ = printed_values(published)
    keys = [(e, n) for n in sizes for e in _RESAMPLING]
    whole = {(e, n): rows[e, f"N={n}/all-samples"] for e, n in keys if (e, f"N={n}/all-samples") in rows}
    printed = {(e, n): (print_[e, f"N={n}"], 0.0) for e, n in keys if (e, f"N={n}") in print_}
    across = "correlation with true error"
    picture = _strokes(groups, _values(whole), _values(printed), f"{p.samples} samples", 3.2, across)
    picture.limits(xlim=(-1.05, 1.05))
    return picture.done(reading=reading)


def _noises(p: LensesParameters, spare: str = "") -> dict[float, str]:
    """Return a colour for each noise level, black instead of the one that means something else."""
    levels = sorted(p.noise_levels)
    return {q: c if (c := COLOURS[i % len(COLOURS)]) != spare else BLACK for i, q in enumerate(levels)}


def _noise(q: float) -> str:
    return f"p = {100 * q:.10g} %"


def _curves(picture: Picture, p: LensesParameters, made: ResultsByScale, **how: Any) -> None:
    """Draw means by size, one line a noise level: the most samples as lines, the fewest as points."""
    how = {"by": "noise", "looks": _noises(p), "names": _noise, **how}
    most, fewest = (matching(m.data["means"], reading=p.noise_readings[0]) for m in (made.largest[1], made.published))
    for noise, colour in _noises(p).items():
        picture.guide(y=100 * noise, color=colour, linewidth=0.9, linestyle=":")
    picture.lines(most, "n", "value", **how)
    picture.scatter(
        *(fewest, "n", "value"), se="se", **{**how, "ends": False, "names": lambda _: ""}, markersize=4, elinewidth=1.1
    )


def draw_figure_12(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 12: mean true error by sample size, a line for each noise level."""
    picture = Picture(3.8, {"true-error": ""}, "column", x="sample size N", y="mean true error (%)")
    _curves(picture, p, made, ends=True)
    picture.limits(ylim=(0, None), xticks=sorted(p.noise_sizes))
    return picture.done()


def draw_figure_13(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 13: mean apparent error and leave-one-out by sample size."""
    titles = {c: NAMES[c].symbol for c in ("resubstitution", "loo")}
    picture = Picture(3.8, titles, "column", letters=True, x="sample size N", y="mean estimate (%)", sharey=True)
    _curves(picture, p, made)
    picture.limits(ylim=(-1, None), xticks=sorted(p.noise_sizes)[::2])
    return picture.done(columns=4)


def draw_figure_14(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 14: mean estimate minus mean true error against the latter, a panel for each estimator."""
    few = matching(made.published.data["means"], reading=p.noise_readings[0])
    few = few.pivot_table("value", ["noise", "n"], "column").melt("true-error", var_name="estimator")
    biases = made.largest[1].data["biases"]
    shown = ("loo", "cv-10", *_RESAMPLING[2:], "resubstitution")
    picture = Picture(
        7.6,
        {e: NAMES[e].symbol for e in shown},
        "estimator",
        letters=True,
        x="mean true error (%)",
        y="mean estimate (%)",
        sharex=True,
    )
    picture.guide()
    means = biases.assign(mean=biases["true_error"] + biases["bias"])
    how: dict[str, Any] = {"by": "noise", "looks": _noises(p, SKY), "names": _noise}
    picture.scatter(means, "true_error", "mean", se="bias_se", **how, markersize=3.6)
    look: dict[str, Any] = {"color": SKY, "markerfacecolor": "none", "markersize": 5, "zorder": 2}
    picture.scatter(few, "true-error", "value", label=f"{p.samples} samples", **look)
    return picture.done()


def draw_table_15(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the correlations with the true error over all samples, beside the printed ones of six."""
    column = "correlation-with-ter"
    pooled = matching(made.largest[1].data["pooled"], reading=p.noise_readings[0], column=column)
    print_ = printed_values(matching(published, column=column))
    looks = {
        "cv-10": {"color": BLUE, "marker": "o"},
        "bootstrap-632": {"color": VERMILION, "marker": "s"},
        "loo-star": {"color": GREEN, "marker": "^"},
    }
    keys = [(q, n, e) for q in sorted(p.noise_levels) for n in sorted(p.noise_sizes) for e in looks]
    theirs = [(*key, print_.get((f"{key[2]}/{noise_key(key[0])}/N={key[1]}", column))) for key in keys]
    printed = pd.DataFrame(theirs, columns=["noise", "n", "estimator", "value"]).dropna()
    picture = Picture(
        1.7 * len(p.noise_levels) + 0.9,
        {q: _noise(q) for q in sorted(p.noise_levels)},
        "noise",
        columns=1,
        x="sample size N",
        y="correlation with true error",
        x_levels=sorted(p.noise_sizes),
        sharex=True,
        sharey=True,
    )
    picture.guide(y=0)
    how: dict[str, Any] = {"by": "estimator", "dodge": 0.16, "looks": looks}
    symbols = {e: NAMES[e].symbol for e in looks}
    picture.scatter(pooled, "n", "value", se="se", z=1.96, names=symbols, **how, elinewidth=1.1)
    picture.scatter(printed, "n", "value", printed=True, names=lambda _: "", **how, markersize=6.5, zorder=1)
    picture.limits(ylim=(-1.05, 1.05))
    return picture.done(columns=4, legend={"hollow: published": {**PUBLISHED, "marker": "o"}} if len(printed) else {})


def draw_regressions(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the samples behind the regressions, with ours and the printed lines."""
    samples = made.published.data["samples"]
    reading = READINGS[p.readings[0]]
    ours = {(r.row, r.column): r.value for r in made.largest[1].rows if r.reading == reading}
    printed = printed_values(published)
    jitter = np.random.default_rng(0)
    panels = {(n, pair): f"N = {n}" if pair == PAIRS[0] else "" for n in sorted(p.many_sizes) for pair in PAIRS}
    points, lines = [], []
    for (n, (response, regressor)), own in ((key, matching(samples, n=key[0])) for key in panels):
        of = {"n": n, "pair": [(response, regressor)] * len(own)}
        # both sides take few values: points are shaken a little, so that their number shows
        x = own[regressor] + jitter.normal(0, _SHAKEN, len(own))
        points.append(pd.DataFrame({**of, "x": x, "y": own[response]}))
        key = f"{response} on {regressor}/N={n}"
        for whose, line in (("fitted to all samples", ours), ("published", printed)):
            if (key, "slope") in line:
                values = (line[key, "intercept"], line[key, "slope"])
                lines.append((n, (response, regressor), whose, *values, own[regressor].min(), own[regressor].max()))
    picture = Picture(
        2.5 * len(p.many_sizes) + 0.6,
        panels,
        ("n", "pair"),
        columns=len(PAIRS),
        x={key: f"{NAMES[key[1][1]].symbol} (%)" for key in panels},
        y={key: f"{NAMES[key[1][0]].symbol} (%)" for key in panels},
    )
    look: dict[str, Any] = {"color": SKY, "markersize": 4, "alpha": 0.6, "markeredgewidth": 0}
    picture.scatter(pd.concat(points), "x", "y", marker=".", **look)
    fitted = pd.DataFrame(lines, columns=["n", "pair", "whose", "intercept", "slope", "x0", "x1"])
    for whose, looks in (("fitted to all samples", {"color": BLUE}), ("published", _PRINTED_LINE)):
        own, how = matching(fitted, whose=whose), {"label": whose, "printed": whose == "published", **looks}
        picture.fits(own, "x0", "x1", intercept="intercept", slope="slope", **how)
    return picture.done()
