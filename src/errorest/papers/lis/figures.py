"""The LIS course page: its schemes as pictures of who trains and who tests, and the field guide's measurements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from errorest.evidence.regenerated import Made
from errorest.papers.lis.field_guide import INDUCER_NAMES
from errorest.papers.lis.tables import SCHEMES, Design
from errorest.plots import (
    BLACK,
    BLUE,
    COLOURS,
    FONT_SIZE,
    GREY,
    ORANGE,
    Drawn,
    in_style,
    legend_below,
    new_figure,
    panel_title,
    signed,
)
from errorest.streams import Streams

__all__ = ["draw_field_guide", "draw_iterations", "draw_schemes"]

_PICTURE = Design(20, 13, 6)
_TITLES = {
    "holdout": "Holdout",
    "random-subsampling": "Random subsampling",
    "leave-one-out": "Leave-one-out",
    "cv-10": "10-fold cross-validation",
    "bootstrap": "Bootstrap",
}
_IDLE, _ONCE, _MORE = "#ECECEC", "#A9CDE4", BLUE


@in_style
def draw_schemes(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw, for each scheme of a table, which of 20 cases train and which test in each iteration."""
    expressions = made[next(iter(made))].data["expressions"].set_index("scheme")
    names = [str(name) for name in expressions.index]
    drawn = [SCHEMES[n](_PICTURE, Streams(parameters.seed).generator("picture", n)) for n in names]
    rows = [min(r.n_rows, _PICTURE.n) for r in drawn]
    figure, grid = new_figure(len(names), 1, height=1.5 + 0.17 * sum(rows) + 0.55 * len(names), height_ratios=rows)
    alts = []
    for name, resamples, axes in zip(names, drawn, grid[:, 0], strict=True):
        training, testing = resamples.training_counts(), resamples.test_counts()
        picture = np.where(testing > 0, 3, np.minimum(training, 2))
        axes.pcolormesh(
            picture, cmap=ListedColormap([_IDLE, _ONCE, _MORE, ORANGE]), vmin=0, vmax=3, edgecolors="white", linewidth=1
        )
        axes.invert_yaxis()
        axes.set_xticks([])
        axes.set_yticks([0.5, resamples.n_rows - 0.5] if resamples.n_rows > 1 else [0.5])
        axes.set_yticklabels(["1", str(resamples.n_rows)] if resamples.n_rows > 1 else ["1"])
        axes.set_ylabel("Iteration" if resamples.n_rows > 2 else "")
        for side in axes.spines.values():
            side.set_visible(False)
        axes.tick_params(length=0)
        panel_title(axes, "", _TITLES[name])
        line = expressions.loc[name]
        alts.append(
            f"{_TITLES[name]}: {resamples.n_rows} {'iteration' if resamples.n_rows == 1 else 'iterations'}, each "
            f"drawing {_range(training.sum(axis=1))} for training and testing {_range(testing.sum(axis=1))}; counted "
            f"as {line['training-cases']} trained on, {line['testing-cases']} tested, {line['iterations']} times"
        )
    handles = [Patch(color=_ONCE), Patch(color=ORANGE)]
    texts = ["trains", "is tested"]
    if any((r.training_counts() > 1).any() for r in drawn):
        handles.insert(1, Patch(color=_MORE))
        texts.insert(1, "trains, repeated")
    legend_below(figure, handles, texts)
    grid[-1, 0].set_xlabel(f"The {_PICTURE.n} cases of a sample")
    return Drawn(
        figure,
        f"Grids of {_PICTURE.n} cases by iterations, coloured by their part. " + ". ".join(alts) + ".",
        f"Who trains and who is tested: {_PICTURE.n} cases from left to right, one iteration a line"
        + (
            f"; where it matters, j = {_PICTURE.j} and B = {_PICTURE.B}." if "B" in set(expressions.iterations) else "."
        ),
    )


def _range(counts: np.ndarray) -> str:
    low, high = int(counts.min()), int(counts.max())
    return f"{low} {'case' if high == 1 else 'cases'}" if low == high else f"{low} to {high} cases"


@in_style
def draw_field_guide(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw each estimator's bias and spread on the field guide's example, beside what it trains and tests on."""
    one = made[next(iter(made))]
    guide = one.data["guide"]
    inducers = list(dict.fromkeys(guide.inducer))
    names = list(dict.fromkeys(guide.estimator))
    figure, grid = new_figure(1, len(inducers), height=5.6, sharey=True, sharex=True)
    words = []
    for letter, inducer, axes in zip("ABC", inducers, grid[0], strict=False):
        lines = guide[guide.inducer == inducer].set_index("estimator")
        for place, name in enumerate(names):
            bias, sd, se = (float(lines.loc[name, c]) for c in ("bias", "sd", "bias se"))
            axes.plot([bias - sd, bias + sd], [place, place], color=BLUE, linewidth=1.2, alpha=0.6)
            axes.errorbar([bias], [place], xerr=[1.96 * se], color=BLUE, marker="o", markersize=5, linewidth=3.2)
            words.append(f"{INDUCER_NAMES[str(inducer)]}, {name}: bias {bias:+.1f}, standard deviation {sd:.1f}")
        axes.axvline(0, color=GREY, linewidth=0.9)
        axes.xaxis.set_major_formatter(signed())
        axes.grid(axis="x")
        panel_title(axes, letter, INDUCER_NAMES[str(inducer)].removeprefix("A ").removeprefix("The ").capitalize())
    axes = grid[0, 0]
    lines = guide[guide.inducer == inducers[0]].set_index("estimator")
    axes.set_yticks(range(len(names)))
    axes.set_yticklabels([_entry(name, lines.loc[name]) for name in names], linespacing=1.25)
    axes.set_ylim(len(names) - 0.4, -0.6)
    figure.supxlabel("Estimate − true error, percentage points", fontsize=FONT_SIZE)
    return Drawn(
        figure,
        "Bias of each estimator as a dot with its 95 % interval, and one standard deviation of the estimate to both "
        "sides, in percentage points. " + "; ".join(words) + ".",
        "Under each name: distinct cases that a fit trains on, cases that it is tested on, and fits. Dots: bias with "
        "its 95 % interval; thin lines: one standard deviation of the single estimate. Right of zero is pessimistic.",
    )


def _entry(name: str, line: Any) -> str:
    def plain(value: float) -> str:
        return f"{value:.1f}".removesuffix(".0")

    fits = "fit" if line["fits"] == 1 else "fits"
    return f"{name}\n{plain(line['trains on'])} | {plain(line['tests on'])} | {line['fits']} {fits}"


@in_style
def draw_iterations(parameters: Any, made: Made, published: pd.DataFrame) -> Drawn:
    """Draw by how much too few bootstrap iterations widen the spread of e0, in the best and the worst cell."""
    one = made[next(iter(made))]
    table = one.data["iterations"]
    replicates = np.unique(np.geomspace(10, 1000, 120).astype(int))
    figure, grid = new_figure(height=3.4)
    axes: Axes = grid[0, 0]
    records = table.to_dict("records")
    worst = max(records, key=lambda r: float(r["value"]))
    best = min(records, key=lambda r: float(r["value"]))
    handles, words = [], []
    for row in records:
        axes.plot(replicates, _widening(row["value"], replicates), color="#D0D0D0", linewidth=0.9)
    for row, colour in ((worst, COLOURS[1]), (best, COLOURS[0])):
        name = f"{row['inducer']}, n = {row['size']}, {100 * row['inherent error']:g} %"
        needed = float(row["value"])
        curve = _widening(needed, replicates)
        axes.plot(replicates, curve, color=colour)
        handles.append(Line2D([], [], color=colour, label=name))
        at = _widening(needed, np.array([50, 200]))
        words.append(f"{name}: {at[0]:.1f} % at 50 iterations, {at[1]:.1f} % at 200")
    axes.axhline(1, color=BLACK, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set(xscale="log", xlabel="Bootstrap iterations, B", ylabel="Spread of e0 widened by, %", ylim=(0, None))
    axes.set_xticks([10, 20, 50, 100, 200, 500, 1000], ["10", "20", "50", "100", "200", "500", "1000"])
    axes.minorticks_off()
    axes.grid(axis="y")
    handles.append(Line2D([], [], color="#BDBDBD", label="other cells"))
    legend_below(figure, handles, [str(h.get_label()) for h in handles])
    return Drawn(
        figure,
        "Curves of how much bootstrap noise widens the spread of e0 over samples, against the number of iterations. "
        + "; ".join(words)
        + ".",
        "How much the scatter of B bootstrap iterations widens the standard deviation of e0 over samples. Grey: every "
        "cell of the study; coloured: the most and the least demanding. Dashed: one per cent.",
    )


def _widening(needed: float, replicates: np.ndarray) -> np.ndarray:
    """Percent by which B iterations widen the spread, from the number that widens it by one per cent."""
    return 100.0 * (np.sqrt(1.0 + needed * (1.01**2 - 1.0) / replicates) - 1.0)
