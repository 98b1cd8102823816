"""Figures of Martin & Hirschberg (1996), section 6: a tree, errors under noise, and what six samples show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from compendium.evidence.estimate import Estimate, signed
from compendium.evidence.records import matching, printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale
from compendium.papers.martin_hirschberg.lenses.blocks import noise_key
from compendium.papers.martin_hirschberg.lenses.experiment import ESTIMATORS, PAIRS, READINGS, LensesParameters
from compendium.papers.martin_hirschberg.names import NAMES
from errorest import plots
from errorest.plots import BLACK, BLUE, COLOURS, FONT_SIZE, GREEN, GREY, PUBLISHED, SKY, VERMILION

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
_STROKE: dict[str, Any] = {"marker": "|", "color": SKY, "linestyle": "none", "markersize": 11}
_DOT: dict[str, Any] = {"marker": "o", "color": BLUE, "markersize": 5}
_SHAKEN = 0.12
"""Standard deviation of the sideways shift of points that would cover each other, percent."""


def _listed(values: Mapping[str, float], digits: int = 1) -> str:
    return ", ".join(f"{NAMES[e].symbol} {signed(v, digits)}" for e, v in values.items())


def _percent(noise: float) -> str:
    return f"{100 * noise:.10g} %"


@plots.in_style
def draw_figure_10(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 10: the headline's tree, tests at inner nodes, classes at leaves."""
    tree = made.published.data["tree"]
    # levels run to the right, so that the words of neighbouring leaves do not meet
    depth, leaves = tree["y"].to_numpy(), tree["x"].to_numpy()
    parents, is_leaf = tree["parent"].to_numpy(), tree["leaf"].to_numpy()
    texts, branches = tree["text"].astype(str).tolist(), tree["branch"].astype(str).tolist()
    figure, grid = plots.new_figure(1, 1, 0.64 * float(leaves.max()) + 1.0)
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
    said = ", ".join(f"{n} {c}" for c, n in counts.items())
    reading = READINGS[p.readings[0]]
    return plots.Drawn(
        figure,
        f"A decision tree with {int(tree['leaf'].sum())} leaves ({said}) and {len(tree)} nodes. Its root tests "
        f"{texts[0]}; the longest path has {int(depth.max())} tests.",
        f"The tree that ID3 (*{reading}*) grows from the contact lenses, root at the left. A leaf shows its class and "
        "how many of the cases come to it.",
    )


def _strokes(
    groups: pd.DataFrame,
    whole: Mapping[tuple[str, int], Estimate],
    printed: Mapping[tuple[str, int], float],
    words: str,
    height: float,
    across: str,
) -> Figure:
    """Draw values of groups (columns n, estimator, value), of all samples and of the print, a panel a size."""
    sizes = sorted(groups["n"].unique())
    titles = [f"N = {n}" for n in sizes]
    figure, shown = plots.panels(titles, lambda _: height, columns=len(sizes), across=across, sharex=True, sharey=True)
    for axes, n in zip(shown, sizes, strict=True):
        axes.axvline(0, color=GREY, linewidth=1.0)
        for i, e in enumerate(_RESAMPLING):
            values = matching(groups, n=n, estimator=e)["value"].dropna()
            axes.plot(values, np.full(len(values), float(i)), **_STROKE, zorder=1)
            if (e, n) in whole:
                axes.errorbar(whole[e, n].value, i, xerr=1.96 * whole[e, n].se, linestyle="none", **_DOT, zorder=3)
            if (e, n) in printed:
                axes.plot(printed[e, n], i, **{**PUBLISHED, "markersize": 6}, zorder=4)
    shown[0].set_yticks(range(len(_RESAMPLING)), [NAMES[e].symbol for e in _RESAMPLING])
    shown[0].set_ylim(len(_RESAMPLING) - 0.5, -0.5)
    entries = {words: _STROKE, "all samples": _DOT if whole else None, "published": PUBLISHED if printed else None}
    plots.legend_of(figure, {text: look for text, look in entries.items() if look})
    return figure


@plots.in_style
def draw_table_11(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw what groups of six samples say about bias, beside all samples and the print."""
    result = made.published
    groups, means = result.data["groups"], result.data["whole"]
    values = groups.melt(["n", "group"], var_name="estimator")
    whole = {(r.estimator, r.n): Estimate(r.bias, r.se, 1) for r in means.itertuples(index=False) if np.isfinite(r.se)}
    print_ = printed_values(published)
    keys = {(e, n): f"mean-percent/N={n}" for e in _RESAMPLING for n in groups["n"].unique()}
    printed = {k: print_[k[0], c] - print_["true-error", c] for k, c in keys.items() if (k[0], c) in print_}
    figure = _strokes(values, whole, printed, f"a group of {p.samples} samples", 3.4, "bias (points)")
    sizes = groups["n"].nunique()
    return plots.Drawn(
        figure,
        f"Biases of five estimates at {sizes} sample sizes; {len(groups) // sizes} groups of {p.samples} samples each "
        "scatter widely around their mean. Data in the table below.",
        f"Bias of each estimate, *{READINGS[p.readings[0]]}*, without noise: each upright stroke is a group of "
        f"{p.samples} samples{', as the paper had one' if len(published) else ''}; dots are means over all groups with "
        "95 % intervals. Left of the line an estimate is optimistic.",
    )


@plots.in_style
def draw_correlations(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the correlations of groups of six pairs, beside all samples and the print."""
    _, result = made.largest
    sizes = sorted(result.data["groups"]["n"].unique())[:2]
    groups = result.data["groups"].query("n in @sizes").rename(columns={"r": "value"})
    reading = READINGS[p.readings[0]]
    rows = {(r.row, r.column): Estimate(r.value, r.se, r.n) for r in result.rows if r.reading == reading}
    print_ = printed_values(published)
    keys = [(e, n) for n in sizes for e in _RESAMPLING]
    whole = {(e, n): rows[e, f"N={n}/all-samples"] for e, n in keys if (e, f"N={n}/all-samples") in rows}
    printed = {(e, n): print_[e, f"N={n}"] for e, n in keys if (e, f"N={n}") in print_}
    figure = _strokes(groups, whole, printed, f"{p.samples} samples", 3.2, "correlation with true error")
    figure.axes[0].set_xlim(-1.05, 1.05)
    return plots.Drawn(
        figure,
        f"Correlations of five estimates with the true error at {len(sizes)} sample sizes. Groups of {p.samples} "
        "samples scatter around that of all. Data in the table below.",
        f"Correlation with the true error, *{reading}*: each stroke is a group of {p.samples} samples, dots are all "
        "samples with 95 % intervals.",
    )


def _noises(p: LensesParameters, spare: str = "") -> dict[float, str]:
    """Return a colour for each noise level, black instead of the one that means something else."""
    levels = sorted(p.noise_levels)
    return {q: c if (c := COLOURS[i % len(COLOURS)]) != spare else BLACK for i, q in enumerate(levels)}


def _curves(axes: Axes, p: LensesParameters, made: ResultsByScale, column: str) -> list[plots.EndLabel]:
    """Draw means by size, one line a noise level: the most samples as lines, the fewest as points."""
    labels = []
    for noise, colour in _noises(p).items():
        axes.axhline(100 * noise, color=colour, linewidth=0.9, linestyle=":")
        lines, points = (_of(m, p, noise, column) for m in (made.largest[1], made.published))
        axes.plot(lines["n"], lines["value"], color=colour)
        error = np.nan_to_num(2 * points["se"].to_numpy())
        axes.errorbar(points["n"], points["value"], yerr=error, fmt="o", color=colour, markersize=4, elinewidth=1.1)
        labels.append(
            plots.EndLabel(float(lines["n"].iloc[-1]), float(lines["value"].iloc[-1]), _percent(noise), colour)
        )
    axes.set_xticks(sorted(p.noise_sizes))
    axes.set_xlabel("sample size N")
    return labels


def _of(result: ArtifactResult, p: LensesParameters, noise: float, column: str) -> pd.DataFrame:
    return matching(result.data["means"], reading=p.noise_readings[0], noise=noise, column=column).sort_values("n")


def _ends(made: ResultsByScale, p: LensesParameters, column: str) -> str:
    values = {q: _of(made.largest[1], p, q, column)["value"] for q in sorted(p.noise_levels)}
    return ", ".join(f"{v.iloc[0]:.1f} to {v.iloc[-1]:.1f} % at p = {_percent(q)}" for q, v in values.items())


_CURVES = "with two standard errors, lines the most samples that were run, dotted lines the inherent error p."


@plots.in_style
def draw_figure_12(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 12: mean true error by sample size, a line for each noise level."""
    figure, grid = plots.new_figure(1, 1, 3.8)
    axes = grid[0, 0]
    labels = _curves(axes, p, made, "true-error")
    axes.set_ylim(bottom=0)
    axes.set_ylabel("mean true error (%)")
    plots.label_ends(axes, labels)
    sizes = sorted(p.noise_sizes)
    return plots.Drawn(
        figure,
        f"Mean true error from N = {sizes[0]} to N = {sizes[-1]}: {_ends(made, p, 'true-error')}.",
        f"Mean true error by sample size and noise p (at the lines' ends). Points are {p.samples} samples {_CURVES}",
    )


@plots.in_style
def draw_figure_13(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 13: mean apparent error and leave-one-out by sample size."""
    columns = ("resubstitution", "loo")
    titles = [NAMES[c].symbol for c in columns]
    figure, shown = plots.panels(titles, lambda _: 3.8, letters=True, up="mean estimate (%)", sharey=True)
    for axes, column in zip(shown, columns, strict=True):
        _curves(axes, p, made, column)
        axes.set_xticks(sorted(p.noise_sizes)[::2])
    shown[0].set_ylim(bottom=-1)
    plots.legend_of(
        figure, {f"p = {_percent(q)}": {"color": c, "marker": "o"} for q, c in _noises(p).items()}, columns=4
    )
    sizes = sorted(p.noise_sizes)
    return plots.Drawn(
        figure,
        f"Mean apparent error (a) and leave-one-out (b) over sample sizes from N = {sizes[0]} to {sizes[-1]}, a line "
        "for each noise. Data in the table below.",
        "Mean apparent error (a) and leave-one-out (b) by sample size and noise p. Points are "
        f"{p.samples} samples {_CURVES}",
    )


@plots.in_style
def draw_figure_14(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 14: mean estimate minus mean true error against the latter, a panel for each estimator."""
    few, (_, most) = made.published.data["means"], made.largest
    few = matching(few, reading=p.noise_readings[0]).pivot_table("value", ["noise", "n"], "column")
    biases = most.data["biases"]
    shown = ("loo", "cv-10", *_RESAMPLING[2:], "resubstitution")
    across = "mean true error (%)"
    figure, grid = plots.panels(
        [NAMES[e].symbol for e in shown], lambda _: 7.6, letters=True, across=across, sharex=True
    )
    for axes, e in zip(grid, shown, strict=True):
        axes.axline((0, 0), slope=1, color=GREY, linewidth=1.0)
        axes.plot(few["true-error"], few[e], "o", markerfacecolor="none", color=SKY, markersize=5, zorder=2)
        for noise, colour in _noises(p, SKY).items():
            own = matching(biases, estimator=e, noise=noise)
            look: dict[str, Any] = {"fmt": "o", "color": colour, "markersize": 3.6, "elinewidth": 0.9}
            axes.errorbar(own["true_error"], own["true_error"] + own["bias"], yerr=2 * own["bias_se"], **look)
    figure.supylabel("mean estimate (%)", fontsize=FONT_SIZE)
    dot = {"marker": "o", "linestyle": "none"}
    entries = {f"p = {_percent(q)}": {**dot, "color": c} for q, c in _noises(p, SKY).items()}
    plots.legend_of(figure, {**entries, f"{p.samples} samples": {**dot, "color": SKY, "markerfacecolor": "none"}})
    overall = dict(zip(most.data["overall"]["estimator"], most.data["overall"]["bias"], strict=True))
    return plots.Drawn(
        figure,
        "Six panels of mean estimate against mean true error, with the diagonal. Mean distance from it, "
        f"in points: {_listed({e: overall[e] for e in shown})}.",
        f"Mean estimates against mean true errors, one point for each size and noise p. Hollow points are {p.samples} "
        "samples; filled points the most samples that were run, with two standard errors of the bias. Above the line "
        "an estimate is pessimistic.",
    )


_LOOKS = {"cv-10": (BLUE, "o", -0.16), "bootstrap-632": (VERMILION, "s", 0.0), "loo-star": (GREEN, "^", 0.16)}


@plots.in_style
def draw_table_15(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the correlations with the true error over all samples, beside the printed ones of six."""
    column = "correlation-with-ter"
    pooled = matching(made.largest[1].data["pooled"], reading=p.noise_readings[0], column=column)
    printed = printed_values(matching(published, column=column))
    noises, sizes = sorted(p.noise_levels), sorted(p.noise_sizes)
    titles = [f"p = {_percent(q)}" for q in noises]
    height = 1.7 * len(noises) + 0.9
    figure, shown = plots.panels(titles, lambda _: height, columns=1, across="sample size N", sharex=True, sharey=True)
    for axes, noise in zip(shown, noises, strict=True):
        axes.axhline(0, color=GREY, linewidth=1.0)
        for e, (colour, marker, shift) in _LOOKS.items():
            own = matching(pooled, estimator=e, noise=noise).sort_values("n")
            x = np.array([sizes.index(n) for n in own["n"]]) + shift
            look: dict[str, Any] = {"fmt": marker, "color": colour, "markersize": 4.5, "elinewidth": 1.1}
            axes.errorbar(x, own["value"], yerr=1.96 * own["se"], **look)
            theirs = [printed.get((f"{e}/{noise_key(noise)}/N={n}", column), np.nan) for n in sizes]
            hollow = {**PUBLISHED, "marker": marker, "markeredgecolor": colour, "markersize": 6.5}
            axes.plot(np.arange(len(sizes)) + shift, theirs, **hollow, zorder=1)
        axes.set_ylim(-1.05, 1.05)
    shown[-1].set_xticks(range(len(sizes)), [str(n) for n in sizes])
    figure.supylabel("correlation with true error", fontsize=FONT_SIZE)
    entries: dict[str, dict[str, Any]] = {
        NAMES[e].symbol: {"color": c, "marker": m, "linestyle": "none"} for e, (c, m, _) in _LOOKS.items()
    }
    plots.legend_of(
        figure, entries | ({"hollow: published": {**PUBLISHED, "marker": "o"}} if printed else {}), columns=4
    )
    means = pooled.groupby("noise")["value"].mean()
    said = ", ".join(f"p = {_percent(q)}: {signed(float(means[q]), 2)}" for q in noises)
    return plots.Drawn(
        figure,
        f"Correlations of three estimates with the true error at {len(sizes)} sizes and {len(noises)} noise levels. "
        f"Mean over sizes and estimates: {said}.",
        "Correlation of estimates and true error. Filled: all samples that were run, with 95 % intervals."
        f"{f' Hollow marks: the printed values, each of {p.samples} samples.' if printed else ''} Gaps are cells whose "
        "true error did not vary.",
    )


@plots.in_style
def draw_regressions(p: LensesParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the samples behind the regressions, with ours and the printed lines."""
    samples = made.published.data["samples"]
    reading = READINGS[p.readings[0]]
    ours = {(r.row, r.column): r.value for r in made.largest[1].rows if r.reading == reading}
    printed = printed_values(published)
    sizes = sorted(p.many_sizes)
    figure, grid = plots.new_figure(len(sizes), len(PAIRS), 2.5 * len(sizes) + 0.6)
    jitter = np.random.default_rng(0)
    looks: dict[str, dict[str, Any]] = {
        "fitted to all samples": {"color": BLUE},
        "published": {"color": BLACK, "linestyle": "--", "linewidth": 1.3},
    }
    for row, n in zip(grid, sizes, strict=True):
        own = matching(samples, n=n)
        for axes, (response, regressor) in zip(row, PAIRS, strict=True):
            # both sides take few values: points are shaken a little, so that their number shows
            x = own[regressor] + jitter.normal(0, _SHAKEN, len(own))
            axes.plot(x, own[response], ".", color=SKY, markersize=4, alpha=0.6, markeredgewidth=0)
            key = f"{response} on {regressor}/N={n}"
            ends = np.array([own[regressor].min(), own[regressor].max()])
            for line, look in zip((ours, printed), looks.values(), strict=True):
                if (key, "slope") in line:
                    axes.plot(ends, line[key, "intercept"] + line[key, "slope"] * ends, **look)
            names = [NAMES[e].symbol for e in (response, regressor)]
            axes.set_ylabel(f"{names[0]} (%)")
            axes.set_xlabel(f"{names[1]} (%)")
        plots.panel_title(row[0], "", f"N = {n}")
    plots.legend_of(figure, {text: look for text, look in looks.items() if printed or text != "published"})
    return plots.Drawn(
        figure,
        "Six scatter plots of estimates with regression lines, ours and the printed ones. Data in the table below.",
        f"{p.many_samples} samples of each size at p = {_percent(p.many_noise)} (points, shaken sideways a little), "
        f"the line fitted to the most samples that were run{', and the printed line' if printed else ''}; TER is the "
        "true error.",
    )
