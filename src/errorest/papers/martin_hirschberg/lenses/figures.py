"""Figures of Martin & Hirschberg (1996), section 6: a tree, errors under noise, and what six samples show."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from errorest.evidence.claims import signed
from errorest.evidence.regenerated import Made, Regenerated, at_base, at_largest
from errorest.papers.martin_hirschberg.lenses.artifacts import READINGS, LensesParameters
from errorest.papers.martin_hirschberg.lenses.designs import ESTIMATORS
from errorest.papers.martin_hirschberg.lenses.statistics import NAMES, noise_key
from errorest.plots import (
    BLACK,
    BLUE,
    COLOURS,
    FONT_SIZE,
    GREEN,
    GREY,
    PUBLISHED,
    SKY,
    VERMILION,
    Drawn,
    EndLabel,
    in_style,
    ink,
    label_ends,
    legend_below,
    new_figure,
    panel_title,
)

__all__ = [
    "draw_correlations",
    "draw_figure_10",
    "draw_figure_12",
    "draw_figure_13",
    "draw_figure_14",
    "draw_regressions",
    "draw_table_11",
    "draw_table_15",
]

_CLASS_COLOURS = {"none": GREY, "soft": BLUE, "hard": VERMILION}
_RESAMPLING = ESTIMATORS[1:]


def _plain(name: str) -> str:
    """The paper's word without Markdown."""
    return NAMES[name].replace("\\", "")


def _percent(noise: float) -> str:
    return f"{100 * noise:.10g} %"


@in_style
def draw_figure_10(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 10: the headline's tree, tests at inner nodes, classes at leaves."""
    tree = at_base(made).data["tree"]
    # levels run to the right, so that the words of neighbouring leaves do not meet
    depth, leaves = tree["y"].to_numpy(), tree["x"].to_numpy()
    parents, is_leaf = tree["parent"].to_numpy(), tree["leaf"].to_numpy()
    texts, branches = tree["text"].astype(str).tolist(), tree["branch"].astype(str).tolist()
    figure, grid = new_figure(1, 1, 0.64 * float(leaves.max()) + 1.0)
    axes = grid[0, 0]
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
            color=ink(colour),
            weight="bold" if is_leaf[node] else "normal",
            fontsize=FONT_SIZE - 1,
            bbox={"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": colour, "linewidth": 1.0},
            zorder=2,
        )
    axes.set_xlim(-0.4, depth.max() + 0.4)
    axes.set_ylim(leaves.max() + 0.4, -0.75)
    axes.set_axis_off()
    counts = tree[tree["leaf"]].groupby("text").size()
    said = ", ".join(f"{n} {c}" for c, n in counts.items())
    reading = READINGS[p.readings[0]]
    return Drawn(
        figure,
        f"A decision tree with {int(tree['leaf'].sum())} leaves ({said}) and {len(tree)} nodes. Its root tests "
        f"{texts[0]}; the longest path has {int(depth.max())} tests.",
        f"The tree that ID3 (*{reading}*) grows from the contact lenses, root at the left. A leaf shows its class and "
        "how many of the cases come to it.",
    )


@in_style
def draw_table_11(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw what groups of six samples say about bias, beside all samples and the print."""
    groups = at_base(made).data["groups"]
    sizes = sorted(groups["n"].unique())
    printed = _printed_biases(published)
    figure, grid = new_figure(1, len(sizes), 3.4, sharex=True, sharey=True)
    said = []
    for axes, n in zip(grid[0], sizes, strict=True):
        own = groups[groups["n"] == n]
        axes.axvline(0, color=GREY, linewidth=1.0)
        for i, e in enumerate(_RESAMPLING):
            values = own[e].to_numpy()
            axes.plot(values, np.full(values.size, float(i)), "|", color=SKY, markersize=11, zorder=1)
            if values.size > 1:
                half = 1.96 * values.std(ddof=1) / np.sqrt(values.size)
                axes.errorbar(values.mean(), i, xerr=half, fmt="o", color=BLUE, markersize=5, zorder=3)
            if (e, n) in printed:
                axes.plot(printed[e, n], i, **{**PUBLISHED, "markersize": 6}, zorder=4)
        panel_title(axes, "", f"N = {n}")
        axes.set_xlabel("bias (points)")
        mean = {e: own[e].mean() for e in _RESAMPLING}
        said.append(f"N = {n}: " + ", ".join(f"{_plain(e)} {signed(m)}" for e, m in mean.items()))
    grid[0, 0].set_yticks(range(len(_RESAMPLING)), [_plain(e) for e in _RESAMPLING])
    grid[0, 0].set_ylim(len(_RESAMPLING) - 0.5, -0.5)
    handles = [Line2D([], [], marker="|", color=SKY, linestyle="none", markersize=11)]
    words = [f"a group of {p.samples} samples"]
    if len(groups) > len(sizes):
        handles.append(Line2D([], [], marker="o", color=BLUE, markersize=5))
        words.append("all samples")
    if printed:
        handles.append(Line2D([], [], **{**PUBLISHED, "markersize": 6}))
        words.append("published")
    legend_below(figure, handles, words)
    count = len(groups) // len(sizes)
    return Drawn(
        figure,
        f"Biases of five estimates at {len(sizes)} sample sizes; {count} groups of {p.samples} samples each scatter "
        f"widely around their mean. Means over all samples, in points: {'; '.join(said)}.",
        f"Bias of each estimate, *{READINGS[p.readings[0]]}*, without noise: each stroke is a group of {p.samples} "
        "samples, as the paper had one; dots are means over all groups with 95 % intervals. Left of the line an "
        "estimate is optimistic.",
    )


def _printed_biases(published: pd.DataFrame) -> dict[tuple[str, int], float]:
    means = {
        (r["row"], int(str(r["column"]).rpartition("=")[2])): float(str(r["value"]))
        for r in published.to_dict("records")
        if str(r["column"]).startswith("mean-percent/N=")
    }
    return {(e, n): v - means["true-error", n] for (e, n), v in means.items() if ("true-error", n) in means}


@in_style
def draw_correlations(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the correlations of groups of six pairs, beside all samples and the print."""
    result = at_largest(made)[1]
    groups = result.data["groups"]
    sizes = sorted(groups["n"].unique())[:2]
    reading = READINGS[p.readings[0]]
    whole = {(r.row, r.column): r for r in result.rows if r.reading == reading}
    printed = {(r["row"], r["column"]): float(str(r["value"])) for r in published.to_dict("records")}
    figure, grid = new_figure(1, len(sizes), 3.2, sharex=True, sharey=True)
    said = []
    for axes, n in zip(grid[0], sizes, strict=True):
        axes.axvline(0, color=GREY, linewidth=1.0)
        words = []
        for i, e in enumerate(_RESAMPLING):
            r = groups.loc[(groups["n"] == n) & (groups["estimator"] == e), "r"].dropna()
            axes.plot(r, np.full(len(r), float(i)), "|", color=SKY, markersize=11, zorder=1)
            own = whole.get((e, f"N={n}/all-samples"))
            if own is not None:
                axes.errorbar(own.value, i, xerr=1.96 * own.se, fmt="o", color=BLUE, markersize=5, zorder=3)
                words.append(f"{_plain(e)} {signed(own.value, 2)}")
            if (e, f"N={n}") in printed:
                axes.plot(printed[e, f"N={n}"], i, **{**PUBLISHED, "markersize": 6}, zorder=4)
        panel_title(axes, "", f"N = {n}")
        axes.set_xlabel("correlation with true error")
        said.append(f"N = {n}: " + (", ".join(words) or "one group only"))
    grid[0, 0].set_yticks(range(len(_RESAMPLING)), [_plain(e) for e in _RESAMPLING])
    grid[0, 0].set_ylim(len(_RESAMPLING) - 0.5, -0.5)
    grid[0, 0].set_xlim(-1.05, 1.05)
    handles = [Line2D([], [], marker="|", color=SKY, linestyle="none", markersize=11)]
    texts = [f"{p.samples} samples"]
    if any(column.endswith("all-samples") for _, column in whole):
        handles.append(Line2D([], [], marker="o", color=BLUE, markersize=5))
        texts.append("all samples")
    if printed:
        handles.append(Line2D([], [], **{**PUBLISHED, "markersize": 6}))
        texts.append("published")
    legend_below(figure, handles, texts)
    return Drawn(
        figure,
        f"Correlations of five estimates with the true error at {len(sizes)} sample sizes. Groups of {p.samples} "
        f"samples fill most of the range from −1 to 1. Over all samples: {'; '.join(said)}.",
        f"Correlation with the true error, *{reading}*: each stroke is a group of {p.samples} samples, dots are all "
        "samples with 95 % intervals.",
    )


def _curves(axes: Axes, p: LensesParameters, made: Made, column: str) -> list[EndLabel]:
    """Draw means by size, one line a noise level: the most samples as lines, the fewest as points."""
    labels = []
    for i, noise in enumerate(sorted(p.noise_levels)):
        colour = COLOURS[i % len(COLOURS)]
        axes.axhline(100 * noise, color=colour, linewidth=0.9, linestyle=":")
        lines, points = (_of(m, p, noise, column) for m in (at_largest(made)[1], at_base(made)))
        axes.plot(lines["n"], lines["value"], color=colour)
        error = np.nan_to_num(2 * points["se"].to_numpy())
        axes.errorbar(points["n"], points["value"], yerr=error, fmt="o", color=colour, markersize=4, elinewidth=1.1)
        labels.append(EndLabel(float(lines["n"].iloc[-1]), float(lines["value"].iloc[-1]), _percent(noise), colour))
    axes.set_xticks(sorted(p.noise_sizes))
    return labels


def _of(result: Regenerated, p: LensesParameters, noise: float, column: str) -> pd.DataFrame:
    means = result.data["means"]
    wanted = (means["reading"] == p.noise_readings[0]) & (means["noise"] == noise) & (means["column"] == column)
    return means[wanted].sort_values("n")


def _ends(made: Made, p: LensesParameters, column: str) -> str:
    texts = []
    for noise in sorted(p.noise_levels):
        own = _of(at_largest(made)[1], p, noise, column)
        texts.append(f"{own['value'].iloc[0]:.1f} to {own['value'].iloc[-1]:.1f} % at p = {_percent(noise)}")
    return ", ".join(texts)


@in_style
def draw_figure_12(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 12: mean true error by sample size, a line for each noise level."""
    figure, grid = new_figure(1, 1, 3.8)
    axes = grid[0, 0]
    labels = _curves(axes, p, made, "true-error")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("sample size N")
    axes.set_ylabel("mean true error (%)")
    label_ends(axes, labels)
    sizes = sorted(p.noise_sizes)
    return Drawn(
        figure,
        f"Mean true error falls from N = {sizes[0]} to N = {sizes[-1]}: {_ends(made, p, 'true-error')}.",
        f"Mean true error by sample size and noise p (at the lines' ends). Points are {p.samples} samples with two "
        "standard errors, lines the most samples that were run, dotted lines the inherent error p.",
    )


@in_style
def draw_figure_13(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 13: mean apparent error and leave-one-out by sample size."""
    figure, grid = new_figure(1, 2, 3.8, sharey=True)
    for axes, column, letter in zip(grid[0], ("resubstitution", "loo"), "ab", strict=True):
        _curves(axes, p, made, column)
        panel_title(axes, letter, _plain(column))
        axes.set_xlabel("sample size N")
        axes.set_xticks(sorted(p.noise_sizes)[::2])
    grid[0, 0].set_ylim(bottom=-1)
    grid[0, 0].set_ylabel("mean estimate (%)")
    handles = [Line2D([], [], color=COLOURS[i % len(COLOURS)], marker="o") for i in range(len(p.noise_levels))]
    legend_below(figure, handles, [f"p = {_percent(q)}" for q in sorted(p.noise_levels)], columns=4)
    sizes = sorted(p.noise_sizes)
    return Drawn(
        figure,
        f"From N = {sizes[0]} to N = {sizes[-1]} the mean apparent error rises, {_ends(made, p, 'resubstitution')}, "
        f"and leave-one-out falls, {_ends(made, p, 'loo')}.",
        f"Mean apparent error (a) and leave-one-out (b) by sample size and noise p. Points are {p.samples} samples "
        "with two standard errors, lines the most samples that were run, dotted lines the inherent error p.",
    )


@in_style
def draw_figure_14(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw Figure 14: mean estimate minus mean true error against the latter, a panel for each estimator."""
    figure, grid = new_figure(3, 2, 7.6, sharex=True)
    first, most = at_base(made), at_largest(made)[1]
    biases = most.data["biases"]
    said = []
    for i, (axes, e) in enumerate(zip(grid.flat, ("loo", "cv-10", *_RESAMPLING[2:], "resubstitution"), strict=True)):
        few = _pairs(first, p, e)
        axes.axline((0, 0), slope=1, color=GREY, linewidth=1.0)
        axes.plot(few["true-error"], few[e], "o", markerfacecolor="none", color=SKY, markersize=5, zorder=2)
        for j, noise in enumerate(sorted(p.noise_levels)):
            own = biases[(biases["estimator"] == e) & (biases["noise"] == noise)]
            mean = own["true_error"] + own["bias"]
            colour = COLOURS[j % len(COLOURS)] if COLOURS[j % len(COLOURS)] != SKY else BLACK
            axes.errorbar(
                own["true_error"], mean, yerr=2 * own["bias_se"], fmt="o", color=colour, markersize=3.6, elinewidth=0.9
            )
        panel_title(axes, "abcdef"[i], _plain(e))
        mean_bias = biases.loc[biases["estimator"] == e, "bias"].mean()
        said.append(f"{_plain(e)} {signed(float(mean_bias))}")
    for axes in grid[-1]:
        axes.set_xlabel("mean true error (%)")
    figure.supylabel("mean estimate (%)", fontsize=FONT_SIZE)
    marks = [
        Line2D([], [], marker="o", color=COLOURS[j % len(COLOURS)], linestyle="none")
        for j in range(len(p.noise_levels))
    ]
    marks.append(Line2D([], [], marker="o", color=SKY, markerfacecolor="none", linestyle="none"))
    words = [f"p = {_percent(q)}" for q in sorted(p.noise_levels)]
    legend_below(figure, marks, [*words, f"{p.samples} samples"], columns=3)
    return Drawn(
        figure,
        "Six panels of mean estimate against mean true error, most points near the diagonal. Mean distance from it, "
        f"in points: {', '.join(said)}.",
        f"Mean estimates against mean true errors, one point for each size and noise p. Hollow points are {p.samples} "
        "samples; filled points the most samples that were run, with two standard errors of the bias. Above the line "
        "an estimate is pessimistic.",
    )


def _pairs(result: Regenerated, p: LensesParameters, estimator: str) -> pd.DataFrame:
    means = result.data["means"]
    own = means[(means["reading"] == p.noise_readings[0]) & means["column"].isin(["true-error", estimator])]
    return own.pivot_table(index=["noise", "n"], columns="column", values="value")


@in_style
def draw_table_15(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the correlations with the true error over all samples, beside the printed ones of six."""
    pooled = at_largest(made)[1].data["pooled"]
    pooled = pooled[(pooled["reading"] == p.noise_readings[0]) & (pooled["column"] == "correlation-with-ter")]
    printed = {
        str(r["row"]): float(str(r["value"]))
        for r in published.to_dict("records")
        if r["column"] == "correlation-with-ter"
    }
    noises, sizes = sorted(p.noise_levels), sorted(p.noise_sizes)
    figure, grid = new_figure(len(noises), 1, 1.7 * len(noises) + 0.9, sharex=True, sharey=True)
    looks = {"cv-10": (BLUE, "o", -0.16), "bootstrap-632": (VERMILION, "s", 0.0), "loo-star": (GREEN, "^", 0.16)}
    said = []
    for axes, noise in zip(grid[:, 0], noises, strict=True):
        axes.axhline(0, color=GREY, linewidth=1.0)
        for e, (colour, marker, shift) in looks.items():
            own = pooled[(pooled["estimator"] == e) & (pooled["noise"] == noise)].sort_values("n")
            x = np.array([sizes.index(n) for n in own["n"]]) + shift
            axes.errorbar(
                x, own["value"], yerr=1.96 * own["se"], fmt=marker, color=colour, markersize=4.5, elinewidth=1.1
            )
            theirs = [(i, printed.get(f"{e}/{noise_key(noise)}/N={n}")) for i, n in enumerate(sizes)]
            kept = [(i + shift, v) for i, v in theirs if v is not None]
            axes.plot(
                [i for i, _ in kept],
                [v for _, v in kept],
                **{**PUBLISHED, "marker": marker, "markeredgecolor": colour, "markersize": 6.5},
                zorder=1,
            )
        mean = float(pooled.loc[pooled["noise"] == noise, "value"].mean())
        said.append(f"p = {_percent(noise)}: {signed(mean, 2)}")
        panel_title(axes, "", f"p = {_percent(noise)}")
        axes.set_ylim(-1.05, 1.05)
    grid[-1, 0].set_xticks(range(len(sizes)), [str(n) for n in sizes])
    grid[-1, 0].set_xlabel("sample size N")
    figure.supylabel("correlation with true error", fontsize=FONT_SIZE)
    handles = [Line2D([], [], color=c, marker=m, linestyle="none") for c, m, _ in looks.values()]
    words = [_plain(e) for e in looks]
    if printed:
        handles.append(Line2D([], [], **{**PUBLISHED, "marker": "o"}))
        words.append("hollow: published")
    legend_below(figure, handles, words, columns=4)
    return Drawn(
        figure,
        f"Correlations of three estimates with the true error at {len(sizes)} sizes and {len(noises)} noise levels. "
        f"Mean over sizes and estimates: {', '.join(said)}.",
        f"Correlation of estimates and true error. Filled: all samples that were run, with 95 % intervals. Hollow: "
        f"the printed values, each of {p.samples} samples; gaps are cells whose true error did not vary.",
    )


@in_style
def draw_regressions(p: LensesParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the samples behind the regressions, with ours and the printed lines."""
    samples = at_base(made).data["samples"]
    rows = {(r.row, r.column): r.value for r in at_largest(made)[1].rows if r.reading == READINGS[p.readings[0]]}
    printed = {(r["row"], r["column"]): float(str(r["value"])) for r in published.to_dict("records")}
    pairs = (("cv-10", "true-error"), ("bootstrap-632", "true-error"), ("bootstrap-632", "cv-10"))
    sizes = sorted(p.many_sizes)
    figure, grid = new_figure(len(sizes), len(pairs), 2.5 * len(sizes) + 0.6)
    jitter = np.random.default_rng(0)
    said = []
    for row, n in zip(grid, sizes, strict=True):
        own = samples[samples["n"] == n]
        for axes, (response, regressor) in zip(row, pairs, strict=True):
            # both sides take few values: points are shaken a little, so that their number shows
            x = own[regressor] + jitter.normal(0, 0.12, len(own))
            axes.plot(x, own[response], ".", color=SKY, markersize=4, alpha=0.6, markeredgewidth=0)
            key = f"{response} on {regressor}/N={n}"
            ends = np.array([own[regressor].min(), own[regressor].max()])
            if (key, "slope") in rows:
                axes.plot(ends, rows[key, "intercept"] + rows[key, "slope"] * ends, color=BLUE)
                said.append(
                    f"{_plain(response)} on {_plain(regressor)}, N = {n}: slope {signed(rows[key, 'slope'], 2)}"
                )
            if (key, "slope") in printed:
                line = printed[key, "intercept"] + printed[key, "slope"] * ends
                axes.plot(ends, line, color=BLACK, linewidth=1.3, linestyle="--")
            axes.set_xlabel(f"{_plain(regressor)} (%)")
            axes.set_ylabel(f"{_plain(response)} (%)")
        panel_title(row[0], "", f"N = {n}")
    handles = [Line2D([], [], color=BLUE)]
    words = ["fitted to all samples"]
    if printed:
        handles.append(Line2D([], [], color=BLACK, linestyle="--", linewidth=1.3))
        words.append("published")
    legend_below(figure, handles, words)
    return Drawn(
        figure,
        f"Six scatter plots with regression lines. {'; '.join(said)}.",
        f"{p.many_samples} samples of each size at p = {_percent(p.many_noise)} (points, shaken sideways a little), "
        "the line fitted to the most samples that were run, and the printed line; TER is the true error.",
    )
