"""Figures 6 and 7 and the text around them: bias of an estimate as a function of the true error it estimates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import isnan, nan
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate, every, exact
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run, rows_of
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS
from compendium.papers.martin_hirschberg.names import NAMES
from compendium.papers.martin_hirschberg.windows import curves
from compendium.papers.martin_hirschberg.windows.experiment import (
    ITERATED,
    WindowsParameters,
    curves_study,
    repeats_study,
)
from compendium.plots.panels import over_columns, signed_ticks
from compendium.plots.picture import Drawing, Picture
from errorest.plots import BLUE, GREY, ORANGE, SKY, VERMILION

_FEWEST = 5  # Samples in a window whose error bar is drawn in Figure 7

_CURVES = ("cv-10", "bootstrap-632")


def _readings(p: WindowsParameters) -> dict[str, str]:
    return {rule: READINGS[rule].replace(":", ": ") for rule in p.reversal_rules}


def draw_figure_6(p: WindowsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figures 6a to 6d, one column for each reading of the reversal rule."""
    scatter, windows, splines = (made.published.data[name] for name in ("scatter", "windows", "splines"))
    first, later = windows[windows["set"] == 0], windows[windows["set"] > 0]
    readings = _readings(p)
    titles = {"a": "one experiment", "b": "window means", "c": f"{p.figure_6_repeats} repeats", "d": "all splines"}
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
    for rule, own in parts(first, "rule").items():
        # an example of a window: the fullest one where the points do not cover it
        middle = own[own["window"].between(20, 45)].sort_values("n")
        strip = float(middle["window"].iloc[-1]) if len(middle) else 0.0
        look: dict[str, Any] = {"color": ORANGE, "alpha": 0.35, "linewidth": 0}
        picture.axes["a", rule].axvspan(strip - p.window / 2, strip + p.window / 2, **look)

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
    over_columns([picture.axes["a", rule] for rule in readings], readings.values(), 26)
    return picture.done(n=p.sizes[0], size=p.samples * len(p.inherent_errors), experiments=1 + p.figure_6_repeats)


def draw_figure_7(p: WindowsParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 7: bias of 10-CV and 632b over the true error, a row a sample size and a column an estimator.

    Window means with their errors are drawn and no spline through them: its swings look like findings.
    """
    scale, result = made.largest
    windows = result.data["windows"]
    dense = windows[windows["n"] >= _FEWEST]
    shown = dense if len(dense) else windows
    readings, sizes = _readings(p), sorted(p.sizes)
    picture = Picture(
        1.0 + 1.9 * len(sizes),
        {(n, e): f"{NAMES[e].symbol}, N = {n}" for n in sizes for e in _CURVES},
        ("N", "estimator"),
        letters=True,
        x="true error (%)",
        y="bias (points)",
        sharex=True,
        sharey="row",
    )
    picture.guide(y=0, linestyle="--")
    picture.guide(x=curves.HALF, color="#C8C8C8")
    looks = dict(zip(readings, ({"color": BLUE, "marker": "o"}, {"color": VERMILION, "marker": "s"}) * 2, strict=False))
    # readings lie a little apart, so that neither covers the other
    apart = shown.assign(true_error=shown["true_error"] + 0.5 * shown["rule"].map(list(readings).index))
    picture.scatter(apart, "true_error", "bias", se="se", by="rule", looks=looks, names=readings, markersize=3.5)
    picture.limits(xlim=(-1, 5 * np.ceil((shown["true_error"].max() + 2) / 5)))
    for axes in picture.axes.values():
        axes.yaxis.set_major_formatter(signed_ticks())
        axes.grid(axis="y")
    return picture.done(scale=scale, fewest=_FEWEST)


CV, BOOT = "cv-10", "bootstrap-632"

DENSE = 20  # Samples on both sides from which a window's mean is judged by normal theory
ALIKE = 0.1  # A ratio this close to one is one
SAME = 2.0  # Points: curves closer than this are virtually identical, a bias that changes by no more is little affected

# two independent, equally precise means differ by more than two standard errors of one: P(|Z| > √2), percent
EXPECTED = 200 * float(special.ndtr(-np.sqrt(2.0)))

# Figure 6


def furthest(splines: list[tuple[np.ndarray, np.ndarray]]) -> Iterator[Condition]:
    """Ask that the highest and the lowest of some splines are alike, below and above one half."""
    if any(x.size == 0 for x, _ in splines):
        raise NotRun("too few windows for a spline")
    end = min(float(x[-1]) for x, _ in splines)
    for where, at in (("below 50 %", np.arange(1.0, curves.HALF)), ("above 50 %", np.arange(curves.HALF, end))):
        if at.size:
            spread = np.ptp([np.interp(at, x, y) for x, y in splines], axis=0)
            yield exact(float(spread.max()), where, "points", 1) < SAME


def mean_ratio(table: pd.DataFrame, of: str, over: str) -> Estimate:
    """Mean of one column over another, from at least two lines."""
    if len(table) < 2:
        raise NotRun("too few dense windows")
    return monte_carlo.mean((table[of] / table[over]).to_numpy()).named("", sign="")


FIGURE_6 = Claims(
    "martin-hirschberg-figure-6",
    {
        "pessimistic": lambda t: curves.below_half(t, ITERATED) > 0,
        "optimistic": lambda t: curves.over_half(t, ITERATED, 10) < 0,
    },
)

WINDOWS = Claims(
    "martin-hirschberg-figure-6",
    {
        "pooled-errors": lambda windows, first, turns: mean_ratio(
            pd.concat([w[w["n"] >= DENSE] for w in windows]), "own_se", "se"
        ).within(1 - ALIKE, 1 + ALIKE),
        "splines": lambda windows, first, turns: furthest([curves.curve(one) for one in first]),
        "outside": lambda windows, first, turns: (
            mean_ratio(turns[turns["dense"] > 0], "dense_outside", "dense") * 100 < (5 + EXPECTED) / 2
        ),
    },
)


def judge_windows(first: pd.DataFrame, later: pd.DataFrame) -> pd.DataFrame:
    """Judge later window means by the first one's limits of two standard errors.

    A window that the first experiment left empty is judged by limits interpolated between its neighbours
    (footnote 15 leaves that to the eye).
    """
    at, centre = first["window"].to_numpy(), later["window"].to_numpy()
    estimate, se = first["estimate"].to_numpy(), first["se"].to_numpy()
    low, high = (np.interp(centre, at, estimate + k * se) for k in (-2, 2))
    places = np.minimum(np.searchsorted(at, centre), len(at) - 1)
    filled = at[places] == centre
    return later.assign(
        low=low,
        high=high,
        interval=filled,
        outside=(later["estimate"] < low) | (later["estimate"] > high),
        dense=(later["n"] >= DENSE) & filled & (first["n"].to_numpy()[places] >= DENSE),
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


@artifact("martin-hirschberg-figure-6", draw=draw_figure_6)
def figure_6(p: WindowsParameters, run: Run) -> ArtifactResult:
    """Figures 6a to 6d: 2-CV* against true error, window means, repeats and splines."""
    key, size = f"{ITERATED}/N={p.sizes[0]}", 1 + p.figure_6_repeats
    made = ArtifactResult()
    points, means, splines = [], [], []
    for rule, t in curves.trials(p, run, repeats_study(p)).items():
        windows = curves.windows_of_experiments(t, p.window)
        turns = all_turns(windows, size)
        first = t.at(set=0)
        used = t if p.realizations > 1 else first
        share = used.average((used[curves.TRUTH] > curves.HALF + curves.ROUNDING).astype(float))
        columns = {"reversed": share * (p.samples * len(p.inherent_errors)), "reversed-percent": share * 100}
        rows = rows_of(t.reading, key, (columns | counts(windows, turns, p)).items())
        checks = judge_claims(FIGURE_6, t, reading=t.reading, n=p.sizes[0])
        checks += judge_claims(WINDOWS, windows, windows[:size], turns, reading=t.reading, size=size)
        made = made + ArtifactResult(rows, checks=checks)
        points.append(pd.DataFrame({"rule": rule, "true_error": first[curves.TRUTH], "estimate": first[ITERATED]}))
        for number, table in enumerate(windows[:size]):
            means.append(judge_windows(windows[0], table).assign(rule=rule, set=number))
            x, y = curves.curve(table)
            splines.append(pd.DataFrame({"rule": rule, "set": number, "true_error": x, "estimate": y}))
    data = {"scatter": points, "windows": means, "splines": splines}
    return made + ArtifactResult(data={name: pd.concat(of, ignore_index=True) for name, of in data.items()})


# Figure 7


def smallest(t: Trials) -> Trials:
    """Return the samples of the smallest size."""
    return t.at(n=t.levels("n")[0])


def largest(t: Trials) -> Trials:
    """Return the samples of the largest size, of at least two."""
    sizes = t.levels("n")
    return t.at(n=sizes[max(1, len(sizes) - 1)])


FIGURE_7 = Claims(
    "martin-hirschberg-figure-7",
    {
        "cv-10-pessimistic": lambda t: [
            curves.below_half(smallest(t), CV) > 0,
            curves.below_half(smallest(t), CV) > curves.below_half(largest(t), CV),
        ],
        "632-smaller": lambda t: (
            smallest(t).where(smallest(t)[curves.TRUTH] < curves.HALF - curves.ROUNDING).bias_gap(CV, BOOT) > 0
        ),
        "both-pessimistic": lambda t: [
            curves.over_half(smallest(t), e, *ends) > 0 for ends in ((0, 55), (5, 100)) for e in (CV, BOOT)
        ],
    },
)


def negligible_from(biases: Mapping[int, Estimate], limit: float) -> tuple[float, float]:
    """Return the least size from which all biases are within the limit, and its standard error.

    The error is that of the same statistic when each size's bias varies normally by its own standard error; no size
    is NaN, and counts in the error as twice the largest size.
    """
    sizes = sorted(biases)
    value = nan
    for n in reversed(sizes):
        if not abs(biases[n].value) < limit:
            break
        value = float(n)
    bias = np.array([biases[n].value for n in sizes])
    # populations whose classes never meet leave a bias that does not vary
    se = np.array([max(biases[n].se, 1e-12) for n in sizes])
    inside = special.ndtr((limit - bias) / se) - special.ndtr((-limit - bias) / se)
    tail = np.append(np.cumprod(inside[::-1])[::-1], 1.0)
    chance = np.diff(np.concatenate([[0.0], tail]))
    places = np.append(np.array(sizes, dtype=float), 2.0 * sizes[-1])
    mean = float(chance @ places)
    return value, float(np.sqrt(chance @ (places - mean) ** 2))


@artifact("martin-hirschberg-figure-7", draw=draw_figure_7)
def figure_7(p: WindowsParameters, run: Run) -> ArtifactResult:
    """Figure 7: the bias of 10-CV and 632b over the true error, at each size.

    The paper does not say when a bias is negligible.  Here it is where the mean bias over the samples with a true
    error below 50 % is smaller than ``p.negligible`` points, at that size and at all larger ones.
    """
    made = ArtifactResult()
    windows, splines, means = [], [], []
    for rule, t in curves.trials(p, run, curves_study(p)).items():
        # the size from which a bias is negligible needs a criterion that the paper does not state
        reading = t.reading if rule != "literal" else f"unstated:below-{p.negligible:g}-points"
        for e in (CV, BOOT):
            biases = {cell.level("n"): curves.below_half(cell, e) for cell in t.cells("n")}
            made.rows.extend(Row.of(reading, e, f"mean-bias-below-50/N={n}", b) for n, b in biases.items())
            value, se = negligible_from(biases, p.negligible)
            # that it is so at no size is not for want of samples
            samples = 0 if isnan(value) else p.samples * p.realizations
            made.rows.append(Row(reading, e, "bias-negligible-from-N", value, se, samples))
            for cell in t.cells("n"):
                n = cell.level("n")
                of = {"rule": rule, "estimator": e, "N": n}
                table = curves.windows_of(cell, e, p.window)
                table["bias"] = table["estimate"] - table["true_error"]
                x, y = curves.curve(table, "bias")
                windows.append(table.assign(**of))
                splines.append(pd.DataFrame({"true_error": x, "bias": y, **of}))
                means.append(of | {"bias": biases[n].value, "se": biases[n].se})
        made.checks.extend(judge_claims(FIGURE_7, t, reading=t.reading, n=t.levels("n")[0]))
    data = {"windows": pd.concat(windows, ignore_index=True), "curves": pd.concat(splines, ignore_index=True)}
    return made + ArtifactResult(data={**data, "means": pd.DataFrame(means)})


# the text


def alike(t: Trials, one: str, other: str, limit: float) -> list[Condition]:
    """Ask that two estimates of the same samples agree on average, below one half and from there on."""
    low = t[curves.TRUTH] <= curves.HALF - 2 * curves.ROUNDING
    parts = {"below 50 % true error": t.where(low), "from 50 %": t.where(~low)}
    return [abs(part.gap(one, other).named(where)) <= limit for where, part in parts.items() if part.n > 1]


def steps(t: Trials) -> list[tuple[Trials, Trials]]:
    """Return each size with the next larger one."""
    results = [*pairwise(t.cells("n"))]
    if not results:
        raise NotRun("one size alone")
    return results


def share_over_half(t: Trials) -> Estimate:
    """Share of samples with a true error above one half."""
    return t.named(t.average(100.0 * (t[curves.TRUTH] > curves.HALF + curves.ROUNDING)), unit="%")


def change_of_optimism(t: Trials) -> Estimate:
    """Bias of 2-CV* far above one half at the smallest size minus that at the largest, if there is one at each."""
    biases = [curves.over_half(cell, ITERATED, 5) for pair in steps(t) for cell in pair]
    return biases[0] - biases[-1]


def where_estimates_are_high(t: Trials) -> list[Condition]:
    """Ask that estimates of one half or more are too low."""
    known = [e for e in (ITERATED, CV, "loo", BOOT) if (t[e] >= curves.HALF - curves.ROUNDING).sum() > 1]
    if not known:
        raise NotRun("no estimates of one half")
    return [curves.bias_where(t, e, e, curves.HALF - curves.ROUNDING) < 0 for e in known]


SECTION_3 = Claims(
    "martin-hirschberg-claims-section-3",
    {
        "two-fold": lambda t, limit: alike(t, "cv-2", ITERATED, limit),
        "loo": lambda t, limit: alike(t, "loo", CV, limit),
        "less-pessimism": lambda t, limit: [
            curves.below_half(a, ITERATED) > curves.below_half(b, ITERATED) for a, b in steps(t)
        ],
        "rarer": lambda t, limit: [
            # what has become as good as impossible can grow no rarer
            every(
                "share of samples, smaller N minus larger",
                [share_over_half(a) > share_over_half(b) for a, b in steps(t) if share_over_half(a).value > 0],
            ),
            exact(
                smallest(t)[curves.TRUTH].max() - largest(t)[curves.TRUTH].max(),
                "highest true error, smallest N minus largest",
            )
            > 0,
        ],
        "little-affected": lambda t, limit: abs(change_of_optimism(t)) <= SAME,
        "optimistic": lambda t, limit: where_estimates_are_high(smallest(t)),
    },
)


def last_window_above(windows: pd.DataFrame, width: float) -> float:
    """Return the upper edge of the last window whose mean estimate is not below its true error; NaN if all are not."""
    above = np.nonzero((windows["estimate"] >= windows["true_error"]).to_numpy())[0]
    if above.size == 0 or above[-1] == len(windows) - 1:
        return nan
    return float(windows["window"].iloc[above[-1]]) + width / 2


def optimistic_above(t: Trials, p: WindowsParameters) -> Estimate:
    """Where 2-CV* turns optimistic: in the first experiment, or on average over all of an enlarged run."""
    result = np.array([last_window_above(w, p.window) for w in curves.windows_of_experiments(t, p.window)])
    usable = result[np.isfinite(result)]
    if usable.size < 2:
        return Estimate(nan, nan, 0)
    if p.realizations == 1:
        return Estimate(float(result[0]), float(usable.std(ddof=1)), 1)
    return monte_carlo.mean(usable)


def exponent_of(t: Trials) -> Estimate:
    """Power of N with which the bias of 2-CV* below one half goes; NaN with fewer than two sizes biased upwards."""
    biases = [curves.below_half(cell, ITERATED) for cell in t.cells("n")]
    count = sum(b.n for b in biases)
    usable = [(n, b.value, b.se) for n, b in zip(t.levels("n"), biases, strict=True) if b.value > 0 and b.se > 0]
    if len(usable) < 2:
        return Estimate(nan, nan, count)
    n, bias, se = np.array(usable, dtype=float).T
    # weighted least squares of log bias over log N; by the delta method, log b has the standard error se / b
    x, y, weight = np.log(n), np.log(bias), (bias / se) ** 2
    centre = (weight @ x) / weight.sum()
    square = float(weight @ (x - centre) ** 2)
    return Estimate(float(weight @ ((x - centre) * y)) / square, float(1 / np.sqrt(square)), count)


@artifact("martin-hirschberg-claims-section-3")
def claims_section_3(p: WindowsParameters, run: Run) -> ArtifactResult:
    """Regenerate the numbers of section 3's text and check its comparisons."""
    repeats = curves.trials(p, run, repeats_study(p))
    made, exponents = ArtifactResult(), []
    for rule, t in curves.trials(p, run, curves_study(p)).items():
        # the paper says the first of a scatter of points and leaves open how it was read
        by_windows = t.reading if rule != "literal" else "unstated:window-means"
        numbers = {
            "repeated-cv-2-optimistic-above-percent": optimistic_above(repeats[rule], p),
            "repeated-cv-2-bias-exponent-of-N": exponent_of(t),
            "632-to-cv10-std-ratio-percent": t.sd_ratio(BOOT, CV) * 100,
        }
        rows = [
            Row.of(by_windows if "above" in column else t.reading, "text", column, m, "martin-hirschberg-claims")
            for column, m in numbers.items()
        ]
        checks = judge_claims(SECTION_3, t, p.negligible, reading=t.reading)
        made = made + ArtifactResult(rows, checks=checks)
        for error in p.inherent_errors:
            e = exponent_of(t.at(inherent_error=error))
            exponents.append({"inherent_error": error, "exponent": e.value, "se": e.se, "rule": rule})
    return made + ArtifactResult(data={"exponents": pd.DataFrame(exponents)})
