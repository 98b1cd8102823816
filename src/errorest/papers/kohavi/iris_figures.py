"""Figures of Kohavi (1995), section 2: the majority inducer's holdout, the memorizer, equation 3."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D

from errorest.evidence.regenerated import Made, at_base, at_largest
from errorest.papers.kohavi.iris import IrisParameters
from errorest.plots import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
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

__all__ = ["draw_equation_3", "draw_text_632", "draw_text_holdout"]


def _printed(published: pd.DataFrame, row: str, column: str) -> float | None:
    """Return a printed value, or None where the paper has none (a reader's own data)."""
    if published.empty:
        return None
    found = published.loc[(published["row"] == row) & (published["column"] == column), "value"]
    return float(found.iloc[0]) if len(found) else None


@in_style
def draw_text_holdout(p: IrisParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the majority inducer's holdout accuracies: simulated shares, exact chances, printed mean."""
    result = at_base(made)
    table = result.data["accuracies"]
    rows = {r.column: r for r in result.rows}
    key = result.rows[0].row
    mean, expected = rows["mean-accuracy-percent"], rows["expected-accuracy-percent"].value
    printed = _printed(published, key, "mean-accuracy-percent")
    spread = _printed(published, key, "std-percent")
    exact = rows.get("exact-mean-accuracy-percent")
    figure, grid = new_figure(2, 1, 5.8, height_ratios=[2.3, 1], sharex=True)
    axes, below = grid[:, 0]
    shown = table[(table["share"] > 0) | (table["exact"].fillna(0) > 1e-4)]
    step = float(np.diff(table["accuracy"]).min()) if len(table) > 1 else 1.0
    axes.bar(shown["accuracy"], 100 * shown["share"], width=0.8 * step, color=SKY)
    if shown["exact"].notna().any():
        axes.plot(shown["accuracy"], 100 * shown["exact"], "o", color=BLUE, markersize=5)
    axes.set_ylabel("holdouts (%)")
    axes.set_ylim(0, 1.2 * axes.get_ylim()[1])
    panel_title(axes, "a", "accuracy of one holdout")
    axes.axvline(expected, color=VERMILION, linewidth=1.8, linestyle="--")
    axes.annotate(
        f"truth: {expected:.1f} %",
        (expected, 0.97),
        xycoords=("data", "axes fraction"),
        xytext=(-5, 0),
        textcoords="offset points",
        ha="right",
        va="top",
        color=ink(VERMILION),
    )
    marks = [("ours", mean.value, 2 * mean.se, {"fmt": "o", "color": BLUE})]
    if printed is not None:
        marks.append(
            ("printed", printed, 2 * (spread or 0.0), {"fmt": "D", "color": BLACK, "markerfacecolor": "white"})
        )
    names = []
    for place, (name, value, reach, look) in enumerate(marks):
        below.errorbar([value], [-place], xerr=[reach], capsize=3, markersize=6, **look)
        names.append(f"{name}: {value:.2f}")
    if exact is not None:
        below.axvline(exact.value, color=GREY, linewidth=1.6)
        below.annotate(
            f"exact: {exact.value:.2f}",
            (exact.value, -len(marks) + 0.1),
            xytext=(5, 0),
            textcoords="offset points",
            color=ink(GREY),
            va="center",
        )
    below.axvline(expected, color=VERMILION, linewidth=1.8, linestyle="--")
    below.set_yticks([-k for k in range(len(marks))], names)
    below.set_ylim(-len(marks) - 0.3, 0.6)
    below.tick_params(axis="y", length=0)
    below.spines["left"].set_visible(False)
    below.set_xlabel("accuracy (%)")
    panel_title(below, "b", f"mean of {mean.n:,} holdouts")
    legend = [
        (Line2D([], [], color=SKY, linewidth=7), "simulated"),
        (Line2D([], [], color=BLUE, marker="o", linestyle="none"), "exact chance"),
    ]
    axes.legend(*zip(*legend, strict=True), loc="upper left", borderaxespad=0.2)
    against = "" if printed is None else f", printed {printed:.2f}"
    truth = "" if exact is None else f", exact {exact.value:.2f}"
    return Drawn(
        figure,
        f"Panel a: shares of {mean.n:,} holdouts by their accuracy, from {shown['accuracy'].min():.0f} to "
        f"{shown['accuracy'].max():.0f} %, with a line at {expected:.1f} %, the truth. Panel b: mean "
        f"{mean.value:.2f} %{against}{truth}.",
        f"The majority inducer on {key.split('/')[0]}. (a) Accuracy of single holdouts: bars simulated, dots the exact "
        f"chance. (b) Their mean with two standard errors: ours {mean.value:.2f} ± {2 * mean.se:.2f}{against}{truth}. "
        f"Dashed: {expected:.1f} %, the truth for a classifier that names one of the largest classes. Accuracies "
        "in percent.",
    )


_ESTIMATES = {
    "resubstitution-accuracy-percent": ("resubstitution", GREY),
    "accuracy-percent": (".632", VERMILION),
    "632-plus-accuracy-percent": (".632+", BLUE),
    "bootstrap-e0-accuracy-percent": ("e0", ORANGE),
    "loo-accuracy-percent": ("leave-one-out", GREEN),
}


@in_style
def draw_text_632(p: IrisParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw what five estimators say of a memorizer on random labels, by the number of cases."""
    scale, result = at_largest(made)
    table = result.data["memorizer"].sort_values("n")
    sizes = sorted(set(table["n"]))
    figure, grid = new_figure(1, 1, 4.2)
    axes = grid[0, 0]
    axes.axhline(50, color=BLACK, linewidth=1.2, linestyle="--")
    labels, said = [], []
    for place, (name, (text, colour)) in enumerate(_ESTIMATES.items()):
        own = table[table["estimator"] == name]
        # side by side, since three of the five estimates nearly agree
        x = np.arange(len(sizes)) + 0.06 * (place - 2)
        axes.errorbar(x, own["accuracy"], own["sd"], color=colour, marker="o", linewidth=1.4, capsize=2)
        labels.append(EndLabel(float(x[-1]), float(own["accuracy"].iloc[-1]), text, colour))
        said.append(f"{text} {own['accuracy'].iloc[0]:.1f} to {own['accuracy'].iloc[-1]:.1f} %")
    printed = _printed(published, "memorizer/random-labels", "accuracy-percent")
    if printed is not None and p.memorizer_sizes[0] in sizes:
        axes.plot([sizes.index(p.memorizer_sizes[0]) - 0.2], [printed], zorder=5, **PUBLISHED)
    axes.set_xticks(range(len(sizes)), [str(n) for n in sizes])
    axes.set_xlim(-0.4, len(sizes) - 0.85)
    axes.set_xlabel("cases n")
    axes.set_ylabel("estimated accuracy (%)")
    label_ends(axes, labels)
    where = "" if printed is None else f" Open diamond: the printed value, {printed:g} %."
    return Drawn(
        figure,
        f"Estimated accuracy of a memorizer on random labels against the number of cases, n = {sizes[0]} to "
        f"{sizes[-1]}; 50 % is true. {'; '.join(said)}.",
        f"One nearest neighbour on labels that are coins; dashed: the true accuracy, 50 %. Means over data sets at the "
        f"{scale} scale, with bars of one standard deviation between data sets. From n = {sizes[0]} to {sizes[-1]}: "
        f"{'; '.join(said)}.{where}",
    )


_INTERVALS = {"score": ("equation 3", BLUE), "clopper-pearson": ("Clopper-Pearson", GREEN), "wald": ("Wald", ORANGE)}


@in_style
def draw_equation_3(p: IrisParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the coverage of equation 3, exact and simulated, beside two other intervals, for each test size."""
    result = at_base(made)
    curves, points = result.data["curves"], result.data["coverage"]
    sizes = list(dict.fromkeys(p.test_sizes))
    rows = -(-len(sizes) // 2)
    figure, grid = new_figure(rows, min(2, len(sizes)), 1.1 + 2.7 * rows, sharex=True, sharey=True)
    nominal = 100 * p.confidence
    floor = max(0.0, nominal - 20)
    said = []
    for place, axes in enumerate(grid.ravel()):
        if place >= len(sizes):
            axes.set_visible(False)
            continue
        h = sizes[place]
        axes.axhline(nominal, color=BLACK, linewidth=1, linestyle="--")
        for name in reversed(_INTERVALS):
            own = curves[(curves["h"] == h) & (curves["interval"] == name)]
            axes.plot(own["accuracy"], own["coverage"], color=_INTERVALS[name][1], linewidth=1.1)
        own = points[points["h"] == h]
        look = {"fmt": "o", "color": BLACK, "markersize": 4, "capsize": 2, "elinewidth": 1.2}
        axes.errorbar(own["accuracy"], own["simulated"], 2 * own["se"], zorder=4, **look)
        panel_title(axes, "", f"h = {h}")
        axes.set_xlim(50, 100)
        axes.set_ylim(floor, 100.5)
        if place % 2 == 0:
            axes.set_ylabel("coverage (%)")
        if place + 2 >= len(sizes):
            axes.set_xlabel("true accuracy (%)")
            axes.tick_params(labelbottom=True)
        least = {n: curves.loc[(curves["h"] == h) & (curves["interval"] == n), "coverage"].min() for n in _INTERVALS}
        said.append(f"h = {h}: " + ", ".join(f"{_INTERVALS[n][0]} {v:.1f} %" for n, v in least.items()))
    handles = [Line2D([], [], color=c) for _, c in _INTERVALS.values()]
    handles.append(Line2D([], [], color=BLACK, marker="o", markersize=4, linestyle="none"))
    legend_below(figure, handles, [*(t for t, _ in _INTERVALS.values()), "eq. 3 simulated"], columns=2)
    return Drawn(
        figure,
        f"Coverage of three intervals against the true accuracy, a panel for each of {len(sizes)} test sizes; all are "
        f"saws. Least coverage from 50 to 99.9 % accuracy: {'; '.join(said)}.",
        f"How often an interval asked for {nominal:g} % contains the true accuracy, for h tested cases. Lines are "
        f"exact sums over the binomial; points are {p.trials:,} simulated test sets each for equation 3, with two "
        f"standard errors. Lines that fall below {floor:g} % are cut. Least coverage: {'; '.join(said)}.",
    )
