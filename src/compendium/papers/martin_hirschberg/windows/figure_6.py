"""Figure 6: iterated two-fold cross-validation against the true error, its windows, repeats and splines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate, exact
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run, rows_of
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.windows.study import (
    HALF,
    ITERATED,
    ROUNDING,
    TRUTH,
    WindowsParameters,
    below_half,
    curve,
    over_half,
    reading_titles,
    repeats_study,
    trials,
    windows_of_experiments,
)
from compendium.plots.panels import over_columns
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, GREY, ORANGE, SKY, VERMILION

DENSE = 20  # Samples on both sides from which a window's mean is judged by normal theory
ALIKE = 0.1  # A ratio this close to one is one
SAME = 2.0  # Points: curves closer than this are virtually identical

# two independent, equally precise means differ by more than two standard errors of one: P(|Z| > √2), percent
EXPECTED = 200 * float(special.ndtr(-np.sqrt(2.0)))


def judge_windows(first: pd.DataFrame, later: pd.DataFrame) -> pd.DataFrame:
    """Judge later window means by the first one's limits of two standard errors.

    A window that the first experiment left empty is judged by limits interpolated between its neighbours
    (footnote 15 leaves that to the eye).
    """
    at, centre = first["window"].to_numpy(), later["window"].to_numpy()
    estimate, se = first["estimate"].to_numpy(), first["se"].to_numpy()
    low, high = (np.interp(centre, at, estimate + k * se) for k in (-2, 2))
    nearest = np.minimum(np.searchsorted(at, centre), len(at) - 1)
    filled = at[nearest] == centre
    return later.assign(
        low=low,
        high=high,
        interval=filled,
        outside=(later["estimate"] < low) | (later["estimate"] > high),
        dense=(later["n"] >= DENSE) & filled & (first["n"].to_numpy()[nearest] >= DENSE),
    )


def all_turns(windows: list[pd.DataFrame], size: int) -> pd.DataFrame:
    """Count window means outside the limits; every experiment of a realization in turn plays the first."""
    results = []
    for j in range(0, len(windows), size):
        group = windows[j : j + size]
        for i, first in enumerate(group):
            judged = pd.concat([judge_windows(first, later) for later in group[:i] + group[i + 1 :]])
            dense = judged[judged["dense"]]
            results.append((len(judged), judged["outside"].sum(), len(dense), dense["outside"].sum()))
    return pd.DataFrame(results, columns=["windows", "outside", "dense", "dense_outside"], dtype=float)


def outside_variance(repeats: int) -> float:
    """Variance of how many of one window's repeated means leave its limits of two standard errors.

    For equally precise normal means; all repeats share the error of the first mean, which makes the counts vary
    more than a binomial.
    """
    z = np.linspace(-8, 8, 3201)
    density = np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    chance = special.ndtr(z - 2) + special.ndtr(-z - 2)
    mean = float(density @ chance)
    between = float(density @ (chance - mean) ** 2)
    return repeats * float(density @ (chance * (1 - chance))) + repeats**2 * between


def counts(windows: list[pd.DataFrame], turns: pd.DataFrame, p: WindowsParameters) -> dict[str, Estimate]:
    """Count windows and those outside: of the first experiment, or, in an enlarged run, on average over all turns."""
    table = turns.assign(share=100 * turns["outside"] / turns["windows"])[["windows", "outside", "share"]]
    in_one = np.array([len(w) for w in windows], dtype=float)
    errors = table.std()
    # windows of repeats are independent, so their number varies as the square root of the repeats
    errors["windows"] = in_one.std(ddof=1) * np.sqrt(p.figure_6_repeats)
    if p.realizations == 1:
        table = table[:1]
        errors["outside"] = np.sqrt(in_one[0] * outside_variance(p.figure_6_repeats))
        errors["share"] = 100 * errors["outside"] / table["windows"][0]
    word = "six" if p.figure_6_repeats == 6 else str(p.figure_6_repeats)
    names = {"windows": f"windows-in-{word}-repeats", "outside": "outside-interval"}
    names["share"] = "outside-interval-percent"
    n, root = p.figure_6_repeats * p.realizations, np.sqrt(p.realizations)
    return {name: Estimate(float(table[c].mean()), float(errors[c] / root), n) for c, name in names.items()}


FIGURE_6 = Claims("martin-hirschberg-figure-6")


@FIGURE_6.claim
def pessimistic(t: Trials) -> Condition:
    return below_half(t, ITERATED) > 0


@FIGURE_6.claim
def optimistic(t: Trials) -> Condition:
    return over_half(t, ITERATED, 10) < 0


def mean_ratio(table: pd.DataFrame, of: str, over: str) -> Estimate:
    """Mean of one column over another, from at least two lines."""
    if len(table) < 2:
        raise NotRun("too few dense windows")
    return monte_carlo.mean((table[of] / table[over]).to_numpy()).named("", sign="")


class Experiments(NamedTuple):
    """Window means of all experiments, those of the first realization, and how many leave the limits, turn by turn."""

    windows: list[pd.DataFrame]
    first: list[pd.DataFrame]
    turns: pd.DataFrame


WINDOWS = Claims("martin-hirschberg-figure-6")


@WINDOWS.claim
def pooled_errors(e: Experiments) -> Condition:
    dense = pd.concat([w[w["n"] >= DENSE] for w in e.windows])
    return mean_ratio(dense, "own_se", "se").within(1 - ALIKE, 1 + ALIKE)


@WINDOWS.claim
def splines(e: Experiments) -> Iterator[Condition]:
    # the highest and the lowest of the experiments' splines are alike, below and above one half
    smoothed = [curve(one) for one in e.first]
    if any(x.size == 0 for x, _ in smoothed):
        raise NotRun("too few windows for a spline")
    end = min(float(x[-1]) for x, _ in smoothed)
    for where, at in (("below 50 %", np.arange(1.0, HALF)), ("above 50 %", np.arange(HALF, end))):
        if at.size:
            spread = np.ptp([np.interp(at, x, y) for x, y in smoothed], axis=0)
            yield exact(float(spread.max()), where, "points", 1) < SAME


@WINDOWS.claim
def outside(e: Experiments) -> Condition:
    dense = e.turns[e.turns["dense"] > 0]
    return mean_ratio(dense, "dense_outside", "dense") * 100 < (5 + EXPECTED) / 2


def draw_figure_6(p: WindowsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figures 6a to 6d, one column for each reading of the reversal rule."""
    scatter, windows, splines = (results.published.data[name] for name in ("scatter", "windows", "splines"))
    first, later = windows[windows["set"] == 0], windows[windows["set"] > 0]
    readings = reading_titles(p)
    titles = {"a": "one repeat", "b": "window means", "c": f"{p.figure_6_repeats} repeats", "d": "all splines"}
    numbers = {rule: str(i + 1) if len(readings) > 1 else "" for i, rule in enumerate(readings)}
    panels = {(part, r): f"{part}{i}  {title}" for part, title in titles.items() for r, i in numbers.items()}
    picture = Picture(
        *(12.0, panels, ("part", "rule")),
        columns=len(readings),
        x="true error (%)",
        y="2-CV* (%)",
        sharex=True,
        sharey=True,
    )
    right = 5 * np.ceil((windows["true_error"].max() + 1) / 5)
    top = min(100.0, 5 * np.ceil((scatter["estimate"].max() + 2) / 5))
    picture.guide(to=min(right, top), linestyle="--")
    for rule, of_rule in parts(first, "rule").items():
        # an example of a window: the fullest one where the points do not cover it
        middle = of_rule[of_rule["window"].between(20, 45)].sort_values("n")
        strip = float(middle["window"].iloc[-1]) if len(middle) else 0.0
        ends = (strip - p.window / 2, strip + p.window / 2)
        picture.axes["a", rule].axvspan(*ends, color=ORANGE, alpha=0.35, linewidth=0)

    def on(part: str, table: pd.DataFrame) -> tuple[pd.DataFrame, str, str]:
        return table.assign(part=part), "true_error", "estimate"

    picture.scatter(*on("a", scatter), color=BLUE, marker=".", markersize=3.5, alpha=0.45, markeredgewidth=0)
    picture.scatter(*on("b", first), se="se", color=BLUE, markersize=3.5, elinewidth=1.1)
    picture.scatter(*on("c", first), se="se", marker="none", ecolor=SKY, elinewidth=3.2, alpha=0.8, zorder=1)
    picture.scatter(*on("c", later[~later["outside"]]), marker="+", color=GREY, markersize=5)
    picture.scatter(*on("c", later[later["outside"]]), markerfacecolor="none", color=VERMILION, markersize=5.5)
    grey = {number: {"color": GREY, "linewidth": 0.9} for number in splines["set"].unique() if number > 0}
    picture.lines(*on("d", splines), by="set", looks=grey, names=lambda _: "")
    for part in "bd":
        picture.lines(*on(part, splines[splines["set"] == 0]), color=VERMILION, zorder=3)
    picture.limits(xlim=(-2, right), ylim=(-2, top))
    over_columns(
        [picture.axes["a", rule] for rule in readings],
        [name.removeprefix("fitted: ") for name in readings.values()],
        26,
    )
    return picture.done(n=p.sizes[0], size=p.samples * len(p.inherent_errors), experiments=1 + p.figure_6_repeats)


@artifact("martin-hirschberg-figure-6", draw=draw_figure_6)
def figure_6(p: WindowsParameters, run: Run) -> ArtifactResult:
    """Figures 6a to 6d: 2-CV* against true error, window means, repeats and splines."""
    key, size = f"{ITERATED}/N={p.sizes[0]}", 1 + p.figure_6_repeats
    result = ArtifactResult()
    points, means, splines = [], [], []
    for rule, t in trials(p, run, repeats_study(p)).items():
        windows = windows_of_experiments(t, p.window)
        turns = all_turns(windows, size)
        first = t.at(set=0)
        used = t if p.realizations > 1 else first
        share = used.average((used[TRUTH] > HALF + ROUNDING).astype(float))
        columns = {"reversed": share * (p.samples * len(p.inherent_errors)), "reversed-percent": share * 100}
        rows = rows_of(t.reading, key, (columns | counts(windows, turns, p)).items())
        checks = judge_claims(FIGURE_6, t, reading=t.reading, n=p.sizes[0])
        checks += judge_claims(WINDOWS, Experiments(windows, windows[:size], turns), reading=t.reading, size=size)
        result += ArtifactResult(rows, checks=checks)
        points.append(pd.DataFrame({"rule": rule, "true_error": first[TRUTH], "estimate": first[ITERATED]}))
        for number, table in enumerate(windows[:size]):
            means.append(judge_windows(windows[0], table).assign(rule=rule, set=number))
            x, y = curve(table)
            splines.append(pd.DataFrame({"rule": rule, "set": number, "true_error": x, "estimate": y}))
    data = {"scatter": points, "windows": means, "splines": splines}
    return result + ArtifactResult(data={name: pd.concat(of, ignore_index=True) for name, of in data.items()})
