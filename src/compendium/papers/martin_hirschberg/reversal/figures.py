"""Figures of Martin & Hirschberg (1996), appendix: class reversals, their models, the mathematics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from compendium.evidence.records import matching, printed_values
from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.reversal.experiment import READINGS, ReversalParameters
from compendium.papers.martin_hirschberg.reversal.models import MODELS, model_values
from compendium.papers.martin_hirschberg.reversal.statistics import Rule
from errorest import plots
from errorest.plots import BLACK, BLUE, GREEN, GREY, VERMILION

__all__ = ["draw_appendix", "draw_figure_16", "draw_figure_17"]

_RULE_LOOKS: dict[str, dict[str, Any]] = {
    "literal": {"color": BLUE, "linestyle": "-"},
    "class-0-mean": {"color": GREEN, "linestyle": (0, (5, 2))},
    "below-minus-one": {"color": VERMILION, "linestyle": (0, (1.5, 1.2))},
}
_GROUPS = {"unreversed": GREY, "reversed": VERMILION}
_SIZE_COLOURS = ("#081D58", "#1D6FB0", "#2BA8A0", "#8CC63F")
_PRINTED: dict[str, Any] = {"color": BLACK, "linestyle": (0, (3, 2))}
# letter, what is drawn and its name, the model fitted to it
_PANELS = (
    ("a", "reversed_error", "reversed_se", "mean true error\nof reversed (%)", "mean-true-error"),
    ("b", "difference", "difference_se", "difference\n(points)", "mean-difference"),
    ("c", "likelihood", "likelihood_se", "likelihood\n(%)", "likelihood"),
    ("d", "increase", "increase_se", "expected\nincrease (points)", None),
)


def _grid_of_rules(axes: np.ndarray, rules: list[Rule], across: str) -> None:
    """Title the columns by the rules and name the horizontal axis below them."""
    for column, rule in zip(axes.T, rules, strict=True):
        plots.panel_title(column[0], "", rule)
        column[-1].set_xlabel(across)


@plots.in_style
def draw_figure_16(p: ReversalParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figure 16: counts of true errors, reversed and unreversed, on a logarithmic axis."""
    result = made.published
    cells = [(n, d) for d in p.figure_16_distances for n in p.figure_16_sizes]
    rules = p.reversal_rules
    figure, grid = plots.new_figure(len(cells), len(rules), 2.0 * len(cells) + 0.9, sharex=True, sharey=True)
    for row, (n, d) in zip(grid, cells, strict=True):
        row[0].set_ylabel(f"N = {n}\ndistance {d:g}\nsamples")
        for axes, rule in zip(row, rules, strict=True):
            own = matching(result.data["counts"], rule=rule, n=n, distance=d)
            for group, colour in _GROUPS.items():
                part = matching(own, group=group)
                edges = 100 * np.append(part["left"], part["right"].iloc[-1])
                axes.stairs(part["count"], edges, fill=True, color=colour, alpha=0.75, linewidth=0)
            axes.axvline(50, color=BLACK, linewidth=0.7, linestyle=":")
            axes.set(yscale="log", xlim=(0, 100), xticks=[0, 50, 100])
            axes.set_ylim(0.7, None)
    _grid_of_rules(grid, rules, "true error (%)")
    plots.legend_of(figure, {group: Patch(color=c, alpha=0.75) for group, c in _GROUPS.items()}, columns=2)
    shares = {(r.reading, r.row): r.value for r in result.rows if r.column == "reversed-percent"}
    said = "; ".join(
        f"{rule} "
        + ", ".join(
            f"{shares[READINGS[rule], f'N={n}/distance={d:g}']:.1f} % at N = {n} and distance {d:g}" for n, d in cells
        )
        for rule in rules
    )
    return plots.Drawn(
        figure,
        "A grid of histograms with logarithmic counts, a row for each sample size and distance, a column for each "
        "reading of the reversal rule: unreversed classifiers pile up above the inherent error, reversed ones lie "
        "above 50 %. Data in the table below.",
        f"True errors of the classifiers of {p.samples * p.batches:,} samples in each panel, in bins of "
        f"{100 / p.bins:g} %; the dotted line is 50 %. The axis of counts is logarithmic, so that the tails can be "
        f"seen; a bin of ten samples is uncertain by about a third. Share reversed: {said}.",
    )


def _shown_sizes(sizes: list[int]) -> list[int]:
    """Return at most four sizes: the smallest, the largest and two between, evenly in ratio."""
    every = sorted(sizes)
    if len(every) <= len(_SIZE_COLOURS):
        return every
    wanted = np.geomspace(every[0], every[-1], len(_SIZE_COLOURS))
    return sorted({every[int(np.abs(np.log(np.array(every) / w)).argmin())] for w in wanted})


@plots.in_style
def draw_figure_17(p: ReversalParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw Figures 17a to d in every reading, with our fits and the printed models."""
    data = made.published.data
    fits = matching(data["fits"], weights="none")
    printed = {name: _printed(published, name) for name in MODELS}
    colours = dict(zip(_shown_sizes(p.sizes), _SIZE_COLOURS, strict=False))
    rules = p.reversal_rules
    figure, grid = plots.new_figure(len(_PANELS), len(rules), 9.6, sharex=True, sharey="row")
    for row, (letter, column, error, words, model) in zip(grid, _PANELS, strict=True):
        row[0].set_ylabel(words)
        row[0].text(0.97, 0.97, letter, transform=row[0].transAxes, ha="right", va="top", weight="bold")
        for axes, rule in zip(row, rules, strict=True):
            for n, colour in colours.items():
                own = matching(data["cells"], rule=rule, n=n)
                if letter in "ab":
                    own = own[own["likelihood"] >= p.least_likelihood]
                look: dict[str, Any] = {"fmt": "o", "color": colour, "markersize": 3, "elinewidth": 0.9}
                axes.errorbar(own["distance"], 100 * own[column], yerr=200 * own[error], **look)
                if model and len(own):
                    far = max(p.distances) if letter == "c" else own["distance"].max()
                    ours = matching(fits, rule=rule, model=model).sort_values("coefficient")["value"].tolist()
                    _models(axes, p, model, n, far, {colour: ours, BLACK: printed[model]})
            axes.set_xlim(0, 1.04 * max(p.distances))
    _grid_of_rules(grid, rules, "distance")
    _limits(grid, data["cells"], p)
    with_print = any(printed.values())
    looks = {f"N = {n}": {"color": c, "marker": "o", "markersize": 4} for n, c in colours.items()}
    plots.legend_of(figure, looks | ({"printed model": {**_PRINTED, "linewidth": 1.0}} if with_print else {}))
    said = "; ".join(f"{rule} {_coefficients(matching(fits, rule=rule, model='likelihood'))}" for rule in rules)
    return plots.Drawn(
        figure,
        "Four rows of panels against the distance of the class means, a column for each reading of the reversal rule: "
        "true errors, their difference, the likelihood of a reversal, and the product of the last two. Data in the "
        "table below.",
        f"Points are simulated, {p.samples * p.batches:,} samples each, with two standard errors either way; coloured "
        "lines are the paper's models fitted to all sizes"
        + (", black dashes the models with the printed coefficients. " if with_print else ". ")
        + f"(a) and (b) show cells where at least {100 * p.least_likelihood:.3g} % of samples are reversed. "
        f"Coefficients k0, k1, ... of (c): {said}.",
    )


def _printed(published: pd.DataFrame, name: str) -> list[float]:
    """Return the printed coefficients of a model; none where nothing is to be compared."""
    if published.empty:
        return []
    own = printed_values(matching(published, artifact="martin-hirschberg-figure-17", row=name))
    found = [own.get((name, f"k{j}")) for j in range(len(MODELS[name][1]))]
    return [v for v in found if v is not None] if None not in found else []


def _models(
    axes: Axes, p: ReversalParameters, model: str, n: int, far: float, coefficients: Mapping[str, list[float]]
) -> None:
    """Draw a model at one size in each colour, as far as there are cells; black is the print."""
    every = np.linspace(min(p.distances), max(p.distances), 121)
    x = every[every <= far]
    for colour, k in coefficients.items():
        # a second term that was left out has no exponent; any will do, its factor is zero
        known = tuple(1.0 if j == 4 and np.isnan(v) else v for j, v in enumerate(k))
        if known and np.isfinite(known[0]):
            look = {**_PRINTED, "linewidth": 0.9} if colour == BLACK else {"color": colour, "linewidth": 1.2}
            axes.plot(x, 100 * model_values(model, np.full(x.size, float(n)), x, known), **look)


def _limits(grid: np.ndarray, cells: pd.DataFrame, p: ReversalParameters) -> None:
    """Keep the simulated values in sight whatever a model does."""
    used = cells[cells["likelihood"] >= p.least_likelihood]
    tops = (102, 102, 110 * used["likelihood"].max(), 112 * cells["increase"].max())
    for axes, low, top in zip(grid[:, 0], (48, -5, -1, -0.2), tops, strict=True):
        # no cell may be likely enough to be shown
        axes.set_ylim(low, top if top > low else None)


def _coefficients(fit: pd.DataFrame) -> str:
    return ", ".join(f"{v:.3g}" for v in fit["value"] if np.isfinite(v)).replace("-", "−") or "no fit"


@plots.in_style
def draw_appendix(p: ReversalParameters, made: ResultsByScale, published: pd.DataFrame) -> plots.Drawn:
    """Draw the true error against the threshold, and reversals against the class counts of a sample."""
    data = made.published.data
    shares = data["proportions"]
    distances = sorted(shares["distance"].unique())
    figure, grid = plots.new_figure(1 + len(distances), 1, 3.0 * (1 + len(distances)))
    _thresholds(grid[0, 0], data["errors"], data["formula"])
    for letter, axes, d in zip("bc", grid[1:, 0], distances, strict=False):
        for rule in p.reversal_rules:
            own = matching(shares, distance=d, rule=rule)
            axes.plot(own["n0"], own["percent"], **_RULE_LOOKS[rule])
            low, high = (own["percent"] + side * own["se"] for side in (-2, 2))
            axes.fill_between(own["n0"], low, high, color=_RULE_LOOKS[rule]["color"], alpha=0.2, linewidth=0)
        axes.set(ylim=(0, 102), xlim=(0, p.proportions_size))
        axes.set(xlabel=f"cases of class 0 among N = {p.proportions_size}", ylabel="reversed (%)")
        plots.panel_title(axes, letter, f"reversals by class counts, distance {d:g}")
    plots.legend_of(figure, {rule: _RULE_LOOKS[rule] for rule in p.reversal_rules})
    even = matching(shares, n0=p.proportions_size // 2, distance=distances[0])
    said = ", ".join(f"{r['rule']} {r['percent']:.1f} %" for r in even.to_dict("records"))
    return plots.Drawn(
        figure,
        "Panel a: the true error of a threshold falls and rises again, that of the reversed classifier mirrors it "
        "about 50 %. Panels b and c: the share of reversed classifiers by the cases of class 0. Data in the table "
        "below.",
        f"(a) Curves are the appendix's formulas, points {p.direct_samples:,} cases each at class means one standard "
        "deviation apart, with two standard errors either way (mostly smaller than the points). (b) and (c) Shares of "
        f"samples with given class counts, {p.samples * p.batches:,} each, bands of two standard errors. At equal "
        f"means and even counts: {said}.",
    )


def _thresholds(axes: Axes, errors: pd.DataFrame, formula: pd.DataFrame) -> None:
    """Draw the true errors of both classifiers by threshold: the formula as lines, counts as points."""
    labels = []
    for reverse, colour, text in ((False, BLUE, "C(t,0,1)"), (True, VERMILION, "C(t,1,0),\nreversed")):
        own, curve = matching(errors, reversed=reverse), matching(formula, reversed=reverse)
        axes.plot(curve["threshold"], 100 * curve["formula"], color=colour)
        look: dict[str, Any] = {"fmt": "o", "color": colour, "markersize": 4}
        axes.errorbar(own["threshold"], 100 * own["simulated"], yerr=200 * own["se"], **look)
        last = own.iloc[-1]
        labels.append(plots.EndLabel(last["threshold"], 100 * last["formula"], text, colour))
    axes.set(ylim=(0, 100), xlabel="threshold t (standard deviations)", ylabel="true error (%)")
    plots.panel_title(axes, "a", "true error by threshold")
    plots.label_ends(axes, labels)
