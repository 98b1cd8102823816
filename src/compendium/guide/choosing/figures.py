"""Figures of choosing: what is left of the winner's good looks, coverage, tests against chance, calibration."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.results import ResultsByScale
from compendium.guide.choosing.experiment import METHODS, TESTED, TESTS, ChoosingParameters
from compendium.guide.choosing.words import FULL, METHOD_TITLES, POPULATION_TITLES, SURE, TEST_TITLES, TESTED_TITLES
from compendium.guide.marks import legend_by_place, look
from compendium.guide.names import TARGETS
from errorest.plots import GREY, DescribedFigure, in_style, log_axis, new_figure, panel_title, signed

__all__ = ["draw_biases", "draw_calibration", "draw_coverages", "draw_tests"]


def _line(axes: Any, x: Any, y: Any, se: Any, place: int) -> None:
    error = 2 * np.asarray(se, dtype=float)
    axes.errorbar(x, y, yerr=error, markersize=4.5, linewidth=1.3, capsize=2, **look(place))


def _legend(figure: Any, titles: Sequence[str]) -> None:
    legend_by_place(figure, titles, columns=min(3, len(titles)), linewidth=1.3)


def _letter(place: int) -> str:
    return chr(ord("a") + place) if place < 26 else ""


def _grid(p: ChoosingParameters, table: pd.DataFrame, column: str, level: float, up: str) -> Any:
    """Draw a panel for each population and size: a line for each method over the numbers of candidates."""
    rows, columns = len(p.sizes), len(p.populations)
    figure, grid = new_figure(rows, columns, 0.9 + 2.0 * rows, sharex=True, sharey=True)
    numbers = sorted(p.candidates)
    for (row, n), (place, population) in product(enumerate(p.sizes), enumerate(p.populations)):
        axes = grid[row, place]
        axes.axhline(level, color=GREY, linewidth=1, linestyle="--")
        for k, method in enumerate(METHODS):
            at = table[(table["population"] == population) & (table["n"] == n) & (table["method"] == method)]
            own = at.set_index("candidates").loc[numbers]
            _line(axes, numbers, own[column], own["se"], k)
        log_axis(axes, numbers)
        axes.grid(axis="y")
        panel_title(axes, _letter(row * columns + place), f"{POPULATION_TITLES[population]}, n = {n}")
        if place == 0:
            axes.set_ylabel(up)
        if row == rows - 1:
            axes.set_xlabel("candidates")
    _legend(figure, [METHOD_TITLES[m] for m in METHODS])
    return figure, grid


@in_style
def draw_biases(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> DescribedFigure:
    """Draw estimate less truth over the number of candidates, a panel for each population and size."""
    scale, result = made.largest
    table = result.data["biases"]
    figure, grid = _grid(p, table, "bias", 0.0, "points off")
    for axes in grid[:, 0]:
        axes.yaxis.set_major_formatter(signed())
    texts = []
    for method in METHODS:
        own = table[table["method"] == method]
        low, high = (own.iloc[int(place)] for place in (own["bias"].argmin(), own["bias"].argmax()))
        ends = " to ".join(f"{one['bias']:+.1f} ({_place(one)})" for one in (low, high))
        texts.append(f"{METHOD_TITLES[method]} {ends}")
    return DescribedFigure(
        figure,
        f"Estimate less truth in points over the number of candidates, a panel for each population and sample size. "
        f"Lowest and highest: {'; '.join(texts)}.",
        f"Mean of estimate less the true error of what is chosen ({scale} scale, {p.samples:,} samples a panel), with "
        "bars of two standard errors; on the dashed line it is right, below it a choice looks better than it is.",
    )


def _place(one: pd.Series) -> str:
    return f"{POPULATION_TITLES[one['population']]}, n = {one['n']}, {one['candidates']} candidates"


@in_style
def draw_coverages(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> DescribedFigure:
    """Draw coverage of the error of what is chosen, a panel for each population and size."""
    scale, result = made.largest
    table = result.data["coverages"]
    first = table[table["target"] == next(iter(TARGETS))]
    figure, _ = _grid(p, first, "coverage", 100 * p.confidence, "coverage (%)")
    texts = []
    for method in METHODS:
        own = first[first["method"] == method]
        low = own.iloc[int(own["coverage"].argmin())]
        texts.append(
            f"{METHOD_TITLES[method]} from {low['coverage']:.0f} % ({_place(low)}) to {own['coverage'].max():.0f} %"
        )
    return DescribedFigure(
        figure,
        f"Coverage over the number of candidates, a panel for each population and sample size. {'; '.join(texts)}.",
        f"How often an interval of nominal {100 * p.confidence:g} % (dashed) holds the true error of what is chosen "
        f"({scale} scale, {p.samples:,} samples a panel), with bars of two standard errors. The population of each "
        f"column: {'; '.join(FULL[k] for k in p.populations)}.",
    )


@in_style
def draw_tests(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> DescribedFigure:
    """Draw how often each test finds something over the distance of the classes."""
    scale, result = made.largest
    table = result.data["tests"]
    figure, grid = new_figure(len(p.sizes), len(TESTED), 0.9 + 2.0 * len(p.sizes), sharex=True, sharey=True)
    at = sorted({0.0, *p.distances})
    for (row, n), (place, inducer) in product(enumerate(p.sizes), enumerate(TESTED)):
        axes = grid[row, place]
        axes.axhline(100 * p.level, color=GREY, linewidth=1, linestyle="--")
        for k, test in enumerate(TESTS):
            of = table[(table["test"] == test) & (table["inducer"] == inducer) & (table["n"] == n)]
            own = of.set_index("distance").loc[at]
            _line(axes, at, own["found"], own["se"], k)
        axes.grid(axis="y")
        panel_title(axes, _letter(row * len(TESTED) + place), f"{TESTED_TITLES[inducer]}, n = {n}")
        if place == 0:
            axes.set_ylabel("found (%)")
        if row == len(p.sizes) - 1:
            axes.set_xlabel("distance of the classes")
    _legend(figure, [TEST_TITLES[t] for t in TESTS])
    texts = []
    for test in TESTS:
        own = table[table["test"] == test]
        noise = own.loc[own["distance"] == 0, "found"]
        message = f"{TEST_TITLES[test]} {noise.min():.0f} to {noise.max():.0f} % in noise"
        there = own.loc[own["distance"] > 0, "found"]
        texts.append(f"{message} and {there.mean():.0f} % on the average of the rest" if len(there) else message)
    return DescribedFigure(
        figure,
        f"Share of samples in which a test finds something over the distance of two classes, a panel for each "
        f"classifier and sample size. {'; '.join(texts)}.",
        f"How often each test says 'better than chance' at the level {100 * p.level:g} % (dashed; {scale} scale, "
        f"{p.tests:,} samples a mark), with bars of two standard errors. At distance 0 nothing is there to be found.",
    )


@in_style
def draw_calibration(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> DescribedFigure:
    """Draw the share of statements that are true over the probability with which they were made."""
    scale, result = made.largest
    table = result.data["calibration"]
    first = table[(table["target"] == next(iter(TARGETS))) & (table["outcome"] == "better")]
    whole = (first["low"] == SURE) & (first["high"] == 1)
    figure, grid = new_figure(1, len(p.gaps), 3.9, sharex=True, sharey=True)
    for place, gap in enumerate(p.gaps):
        axes = grid[0, place]
        axes.plot([50, 100], [50, 100], color=GREY, linewidth=1, linestyle="--")
        for k, n in enumerate(p.sizes):
            own = first[(first["gap"] == gap) & (first["n"] == n) & ~whole]
            if len(own):
                _line(axes, own["said"], own["true"], own["se"].fillna(0.0), k)
        axes.grid()
        panel_title(axes, _letter(place), f"{gap:g} apart")
        axes.set_xlabel("probability said (%)")
        if place == 0:
            axes.set_ylabel("true (%)")
    _legend(figure, [f"n = {n}" for n in p.sizes])
    texts = [
        f"said {one['said']:.0f} %, true {one['true']:.0f} % ({one['gap']:g} apart, n = {one['n']})"
        for _, one in first[whole].iterrows()
    ]
    message = f" With {100 * SURE:g} % or more: {'; '.join(texts)}." if texts else ""
    return DescribedFigure(
        figure,
        f"Share of statements that are true over the probability said, a panel for each distance of "
        f"attributes.{message}",
        "Of all statements that one of two classifiers errs less, by the probability that the posterior gives them, "
        f"the share that is true of these two classifiers ({scale} scale, {p.pairs:,} samples a line), with bars of "
        "two standard errors. On the dashed line as many are true as was said; below it fewer.",
    )
