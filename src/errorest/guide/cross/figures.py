"""Figures of the cross-examination and of the guide: who errs how much where, and what to use when."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from errorest.evidence.records import each
from errorest.evidence.regenerated import Made, at_base
from errorest.guide.advice.artifacts import LEARNER_TITLES, AdviceParameters
from errorest.guide.cross.cases import CONTENDERS, SYMBOLS, CrossParameters
from errorest.guide.cross.claims import PAIRS
from errorest.guide.cross.examination import INTERVAL_TITLES, KINDS
from errorest.plots import (
    BLACK,
    BLUE,
    COLOURS,
    FONT_SIZE,
    GREY,
    ORANGE,
    PURPLE,
    SKY,
    VERMILION,
    Drawn,
    EndLabel,
    in_style,
    label_ends,
    legend_below,
    new_figure,
    panel_title,
    signed,
)

__all__ = ["draw_advice", "draw_biases", "draw_contests", "draw_coverages", "draw_errors", "draw_price"]

_SHORT = {
    **SYMBOLS,
    "stratified-cv-10": "strat. 10-CV",
    "repeated-stratified-cv-10": "strat. 10-CV, rep.",
    "repeated-cv-2": "2-CV, rep.",
    "cloned-632-plus": ".632+*, printed",
    "cloned-632-plus-correct": ".632+*",
    "cloned-bscv-5": "5-CV*",
}
_GROUNDS = {"martin-hirschberg": "M & H", "shakhnarovich": "Shakhnarovich", "kohavi": "Kohavi"}
_STAR = "A star with a CV or .632+ stands for clones; LOO* is Weiss's."
_MOST = np.log(2.0)


def _shade(ratio: float) -> tuple[float, float, float]:
    """Blue below 1, orange above, white at 1; full colour at one half and two."""
    strength = float(np.clip(np.log(ratio) / _MOST, -1, 1))
    full = (0.0, 0.447, 0.698) if strength < 0 else (0.902, 0.624, 0.0)
    share = 0.75 * abs(strength)
    return tuple(1 - share * (1 - c) for c in full)  # type: ignore[return-value]


@in_style
def draw_errors(p: CrossParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the ratio of every estimator's error to that of stratified ten-fold CV, by kind of setting."""
    table = at_base(made).data["ratios"]
    kinds = [k for k in (*KINDS.values(), "all") if k in set(table["kind"])]
    figure, grid = new_figure(1, 1, 4.6)
    axes = grid[0, 0]
    for row, name in enumerate(CONTENDERS):
        for column, kind in enumerate(kinds):
            own = each(table[(table["kind"] == kind) & (table["estimator"] == name)])
            if not own:
                axes.text(column, row, "–", ha="center", va="center", color=GREY)
                continue
            ratio = own[0].ratio
            axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=_shade(ratio), edgecolor="white"))
            axes.text(column, row, f"{ratio:.2f}", ha="center", va="center", fontsize=FONT_SIZE - 1)
    axes.set_xlim(-0.5, len(kinds) - 0.5)
    axes.set_ylim(len(CONTENDERS) - 0.5, -0.5)
    axes.set_yticks(range(len(CONTENDERS)), [_SHORT[e] for e in CONTENDERS])
    axes.set_xticks(range(len(kinds)), [k.replace(" ", "\n") for k in kinds])
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    everywhere = table[table["kind"] == "all"]
    said = ", ".join(f"{_SHORT[r.estimator]} {r.ratio:.2f}" for r in each(everywhere.sort_values("ratio")))
    return Drawn(
        figure,
        f"A grid of {len(CONTENDERS)} estimators by {len(kinds)} kinds of settings; each cell is the root mean squared "
        f"error relative to stratified ten-fold cross-validation. Over all settings: {said}.",
        "Root mean squared error divided by that of stratified ten-fold cross-validation on the same samples, "
        "geometric "
        f"mean over the cases of a kind: blue errs less, orange more; the numbers' standard errors are at most "
        f"{table['se'].max():.2f}. *All*: settings in which every estimator was run. {_STAR}",
    )


@in_style
def draw_biases(p: CrossParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the bias of every estimator in every case, a panel for each kind of inducer."""
    table = at_base(made).data["biases"]
    learners = [k for k in LEARNER_TITLES if k in set(table["learner"])]
    rows = -(-len(learners) // 2)
    figure, grid = new_figure(rows, min(2, len(learners)), 0.8 + 2.75 * rows, sharex=True, sharey=True)
    said = []
    for place, axes in enumerate(grid.ravel()):
        if place >= len(learners):
            axes.set_visible(False)
            continue
        own = table[table["learner"] == learners[place]]
        axes.axvline(0, color=GREY, linewidth=0.8)
        for row, name in enumerate(CONTENDERS):
            values = own.loc[own["estimator"] == name, "bias"].to_numpy()
            if values.size:
                axes.plot(values, np.full(values.size, row), "o", color=SKY, markersize=4, alpha=0.8)
                axes.plot([values.mean()], [row], "|", color=BLACK, markersize=12, markeredgewidth=2)
        means = own[own["estimator"].isin(CONTENDERS)].groupby("estimator")["bias"].mean()
        said.append(
            f"{LEARNER_TITLES[learners[place]]}: lowest {_SHORT[str(means.idxmin())]} {means.min():+.1f}, highest "
            f"{_SHORT[str(means.idxmax())]} {means.max():+.1f}"
        )
        panel_title(axes, "", LEARNER_TITLES[learners[place]].partition(" (")[0])
        axes.set_yticks(range(len(CONTENDERS)), [_SHORT[e] for e in CONTENDERS])
        axes.xaxis.set_major_formatter(signed())
        axes.grid(axis="x")
        if place + grid.shape[1] >= len(learners):
            axes.set_xlabel("bias (points)")
            axes.tick_params(labelbottom=True)
    grid[0, 0].set_ylim(len(CONTENDERS) - 0.5, -0.5)
    return Drawn(
        figure,
        f"Bias of {len(CONTENDERS)} estimators, a panel for each of {len(learners)} kinds of inducers. Mean bias in "
        f"points, {'; '.join(said)}.",
        f"Bias (estimate minus true error) in points: a dot is a case, the bar the mean of the panel's cases. {_STAR}",
    )


@in_style
def draw_coverages(p: CrossParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw how often each interval contains the true error, against sample size."""
    table = at_base(made).data["coverages"]
    names = list(INTERVAL_TITLES)
    figure, grid = new_figure(2, 2, 5.6, sharex=True, sharey=True)
    said = []
    for axes, name in zip(grid.ravel(), names, strict=True):
        own = table[table["interval"] == name]
        axes.axhline(95, color=GREY, linewidth=1, linestyle="--")
        for memorizer, colour, marker in ((False, BLUE, "o"), (True, VERMILION, "s")):
            part = own[(own["learner"] == "memorizer") == memorizer]
            shift = 1.04 if memorizer else 0.96
            axes.errorbar(
                part["n"] * shift, part["coverage"], part["se"], fmt=marker, color=colour, markersize=4, elinewidth=0.7
            )
        panel_title(axes, "", INTERVAL_TITLES[name])
        axes.set_xscale("log")
        ticks = [n for n in (10, 20, 50, 100, 200, 500) if table["n"].min() <= n <= table["n"].max()]
        axes.set_xticks(ticks, [str(n) for n in ticks])
        axes.minorticks_off()
        said.append(
            f"{INTERVAL_TITLES[name]}: mean {own['coverage'].mean():.0f} %, lowest {own['coverage'].min():.0f} %"
        )
    for axes in grid[1]:
        axes.set_xlabel("cases, N")
    for axes in grid[:, 0]:
        axes.set_ylabel("coverage (%)")
    grid[0, 0].set_ylim(min(45.0, float(table["coverage"].min()) - 5), 102)
    handles = [
        Line2D([], [], color=BLUE, marker="o", linestyle="none"),
        Line2D([], [], color=VERMILION, marker="s", linestyle="none"),
        Line2D([], [], color=GREY, linestyle="--", linewidth=1),
    ]
    legend_below(figure, handles, ["other inducers", "memorizers", "95 %"], columns=3)
    return Drawn(
        figure,
        f"Coverage of four intervals against sample size, a dot a case. {'; '.join(said)}.",
        "Share of samples whose 95 % interval contains the true error of the classifier at hand, with one standard "
        "error, a mark for each case.",
    )


@in_style
def draw_contests(p: CrossParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw, for each claim, the shares of cases in which it clearly holds, clearly fails, or nothing is clear."""
    table = at_base(made).data["contests"]
    pairs = list(dict.fromkeys(table["pair"]))
    figure, grid = new_figure(1, 1, 1.4 + 0.82 * len(pairs))
    axes = grid[0, 0]
    said, ticks = [], []
    for place, (key, pair) in enumerate(zip(pairs, PAIRS, strict=True)):
        own = table[table["pair"] == key]
        for step, line in enumerate(each(own)):
            y = place * 4 + step
            better, worse = 100 * line.better / line.cases, 100 * line.worse / line.cases
            axes.barh(y, 100, color="#EDEDED", height=0.85)
            axes.barh(y, better, color=BLUE, height=0.85)
            axes.barh(y, worse, left=100 - worse, color=ORANGE, height=0.85)
            ticks.append((y, _GROUNDS[line.ground]))
        axes.text(0, place * 4 - 0.62, f"{SYMBOLS[pair.better]} against {SYMBOLS[pair.than]}", fontweight="bold",
                  fontsize=FONT_SIZE - 1, va="bottom")  # fmt: skip
        better, worse, total = (int(own[c].sum()) for c in ("better", "worse", "cases"))
        said.append(f"{_SHORT[pair.better]} against {_SHORT[pair.than]}: {better} better, {worse} worse of {total}")
    axes.set_yticks([y for y, _ in ticks], [text for _, text in ticks])
    axes.set_ylim(len(pairs) * 4 - 1, -1.9)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the ground's cases (%)")
    axes.tick_params(axis="y", length=0)
    handles: list[Any] = [Patch(color=BLUE), Patch(color="#EDEDED"), Patch(color=ORANGE)]
    legend_below(figure, handles, ["first clearly errs less", "no clear difference", "first clearly errs more"])
    return Drawn(
        figure,
        f"Bars for {len(pairs)} pairs of estimators, by the paper whose settings they are tried in. {'; '.join(said)}.",
        "Cases of each paper's settings in which the estimator named first clearly errs less (blue) or more (orange) "
        "than the second: squared errors on the same samples, more than three standard errors apart. M & H: Martin and "
        "Hirschberg.",
    )


_TINTS = {
    "cv-10": "#F2DFC0",
    "stratified-cv-10": "#FBE7B2",
    "repeated-stratified-cv-10": "#F4E3A1",
    "loo": "#E8E8E8",
    "repeated-cv-2": "#D9EAF7",
    "bootstrap-632": "#F0D9E6",
    "loo-star": "#F6D3C0",
    "bootstrap-632-plus": "#C9E8DD",
}


@in_style
def draw_advice(p: AdviceParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw the guide as a grid: kind of inducer down, sample size across, the estimator to use in each field."""
    table = at_base(made).data["advice"]
    learners = [k for k in LEARNER_TITLES if k in set(table["learner"])]
    bands = sorted(set(table["band"]), key=lambda b: (b.startswith("over"), b[0] != "u", len(b), b))
    figure, grid = new_figure(1, 1, 0.9 + 0.85 * len(learners))
    axes = grid[0, 0]
    said = []
    for row, learner in enumerate(learners):
        for column, band in enumerate(bands):
            own = each(table[(table["learner"] == learner) & (table["band"] == band)])
            if not own:
                axes.text(column, row, "not tried", ha="center", va="center", color=GREY, fontsize=FONT_SIZE - 1)
                continue
            one = own[0]
            axes.add_patch(
                Rectangle((column - 0.49, row - 0.47), 0.98, 0.94, facecolor=_TINTS[one.use], edgecolor="none")
            )
            axes.text(column, row - 0.22, _SHORT[one.use], ha="center", va="center", fontweight="bold")
            axes.text(
                column,
                row + 0.19,
                f"{one.fits} fits\n±{one.rmse:.1f} points",
                ha="center",
                va="center",
                fontsize=FONT_SIZE - 1,
                linespacing=1.1,
            )
            said.append(f"{LEARNER_TITLES[learner]}, {band}: {_SHORT[one.use]}, {one.fits} fits, {one.rmse:.1f} points")
    axes.set_xlim(-0.5, len(bands) - 0.5)
    axes.set_ylim(len(learners) - 0.5, -0.5)
    axes.set_xticks(range(len(bands)), [b.removesuffix(" cases") for b in bands])
    axes.set_yticks(
        range(len(learners)), [LEARNER_TITLES[k].replace(" (", "\n(").replace(", k", ",\nk") for k in learners]
    )
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.set_xlabel("cases in the sample")
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    return Drawn(
        figure,
        f"A grid of what to use, by kind of inducer and sample size. {'; '.join(said)}.",
        f"What to use without clones: the estimator with the fewest fits whose error is within {100 * p.tolerance:g} "
        f"% of "
        f"the least in the cross-examination and whose bias is at most {100 * p.most_bias:g} points; below it, fits "
        f"for "
        "one sample and the root mean squared error that remains, in points.",
    )


@in_style
def draw_price(p: AdviceParameters, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw what tuning alone seems to gain against the number of settings, a line a test size."""
    table = at_base(made).data["price"]
    figure, grid = new_figure(1, 1, 3.8)
    axes = grid[0, 0]
    ends, said = [], []
    palette = (*COLOURS[:3], PURPLE, GREY, BLACK)
    for number, m in enumerate(dict.fromkeys(table["m"])):
        own = table[table["m"] == m].sort_values("trials")
        colour = palette[number % len(palette)]
        axes.plot(own["trials"], own["bias"], marker="o", color=colour)
        last = each(own)[-1]
        ends.append(EndLabel(float(last.trials), float(last.bias), f"{m:,} cases", colour))
        said.append(f"{m} cases {own['bias'].iloc[0]:.1f} to {last.bias:.1f}")
    axes.set_xscale("log")
    ticks = sorted(set(table["trials"]))
    axes.set_xticks(ticks, [f"{t:,}" for t in ticks])
    axes.minorticks_off()
    axes.set_ylim(0, None)
    axes.grid(axis="y")
    axes.set_xlabel("settings tried")
    axes.set_ylabel("gain by luck alone (points)")
    label_ends(axes, ends)
    return Drawn(
        figure,
        f"Expected gain of the best of several equally good settings, from {ticks[0]} to {ticks[-1]} settings, in "
        f"points: "
        f"{'; '.join(said)}.",
        "How much better than it is the best of some equally good settings looks on the cases that chose it, on the "
        f"average, at an accuracy of {p.accuracy:g}; exact, settings taken as independent.",
    )
