"""Figure 9: mean estimate against mean true error, and the claims of section 5."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.trials import Levels, Trials
from compendium.papers.martin_hirschberg.estimators import NAMES
from compendium.papers.martin_hirschberg.neighbors.study import (
    DEVIATION,
    ESTIMATORS,
    LITERAL,
    NeighborsParameters,
    neighbors_study,
    trials,
)
from compendium.plots.picture import Drawing, Line, Picture

CLAIMS = "martin-hirschberg-claims"
APPARENT, CV, LOO, BOOT, STAR = ESTIMATORS
ROUGHLY = 2.0  # A bias up to this many points, and not clearly more, is approximately none
SAME = 0.1  # A ratio of variances this close to one is essentially one
CLAIMED = 40.0  # By how much the variance is said to be lower, percent; no result is computed from it


def ratio_over_all(ts: Sequence[Trials], one: str, other: str) -> Estimate:
    """Ratio of two estimators' variances within combinations, pooled over every k; paired."""
    if not ts[0].n:
        raise NotRun("no such combinations")
    a, b = (np.column_stack([t[e] for t in ts]) for e in (one, other))
    return monte_carlo.variance_ratio(a, b, ts[0].cell).named("ratio of variances", sign="")


def lower_by(ratio: Estimate) -> Estimate:
    """By how many percent a ratio lies below one."""
    return Estimate(100 * (1 - ratio.value), 100 * ratio.se, ratio.n)


def corner(t: Trials, largest: int, least: float, most: float = 0.5) -> Trials:
    """Take the samples up to a size, of inherent errors in a range, ends included."""
    return t.where((t.frame["n"] <= largest) & t.frame["inherent_error"].between(least, most))


def last(ts: Levels) -> Trials:
    """Return the samples of the last k, of at least two."""
    result: Trials = ts[max(1, len(ts) - 1)]
    return result


def biased(ts: Levels, estimator: str, limit: float) -> list[Condition]:
    """Ask for a bias for every k, and for another one for the first k than for the last."""
    return [*(abs(t.bias(estimator)) > limit for t in ts), abs(ts[0].bias_beyond(last(ts), estimator)) > limit]


FIGURE_9 = Claims("martin-hirschberg-figure-9")


@FIGURE_9.claim
def same_means(ts: Levels, limit: float) -> list[Condition]:
    return [abs(t.gap(CV, LOO)) <= limit for t in ts]


@FIGURE_9.claim
def unbiased(ts: Levels, limit: float) -> list[Condition]:
    return [abs(t.bias(e)) <= limit for e in (CV, LOO) for t in ts]


@FIGURE_9.claim
def app_biased(ts: Levels, limit: float) -> list[Condition]:
    return biased(ts, APPARENT, limit)


@FIGURE_9.claim
def bootstrap_632_biased(ts: Levels, limit: float) -> list[Condition]:
    return biased(ts, BOOT, limit)


@FIGURE_9.claim
def vary_less(ts: Levels, limit: float) -> list[Condition]:
    return [t.variance_ratio(a, b) < 1 for t in ts for a in (APPARENT, BOOT) for b in (CV, LOO)]


@FIGURE_9.claim
def bootstrap_632_below_loo(ts: Levels, limit: float) -> Condition:
    return (
        lower_by(ratio_over_all(ts, BOOT, LOO))
        .named("over every k the variance is lower by", "%", 0, "")
        .within(0.8 * CLAIMED, 1.2 * CLAIMED)
    )


@FIGURE_9.claim
def bootstrap_632_same(ts: Levels, limit: float) -> Condition:
    return (
        monte_carlo.variance_ratio(ts[0][BOOT], last(ts)[BOOT], ts[0].cell)
        .named("ratio", sign="")
        .within(1 - SAME, 1 + SAME)
    )


@FIGURE_9.claim
def loo_star_unbiased(ts: Levels, limit: float) -> list[Condition]:
    # over all samples, and in the two corners that the text names
    biases = []
    for t in ts:
        corners = {"N up to 20, 40 % or more": corner(t, 20, 0.4), "N = 10, up to 10 %": corner(t, 10, 0, 0.1)}
        parts = [part.bias(STAR).named(f"{where}, {t.label}") for where, part in corners.items() if part.n]
        biases += [t.bias(STAR), *parts]
    return [abs(e) <= ROUGHLY for e in biases]


@FIGURE_9.claim
def loo_star_precision(ts: Levels, limit: float) -> Condition:
    return ratio_over_all(ts, STAR, LOO).within(1 - 2 * SAME, 1 + 2 * SAME)


@FIGURE_9.claim
def loo_star_above_632(ts: Levels, limit: float) -> Condition:
    return ratio_over_all(ts, STAR, BOOT) > 1


@FIGURE_9.claim
def loo_star_below_loo(ts: Levels, limit: float) -> Condition:
    return ratio_over_all([corner(t, 20, 0.25) for t in ts], STAR, LOO) < 1


# From the smallest samples to the largest: the dark ones are the small ones, which stray
_SIZE_COLOURS = ("#081D58", "#225EA8", "#1D91C0", "#41B6C4", "#7FCDBB")
# The mark of the first k, of the second, ...
_MARKS: tuple[Line, ...] = ({"marker": "o"}, {"marker": "D", "markerfacecolor": "white"}, {"marker": "^"})


def draw_figure_9(p: NeighborsParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 9: mean estimate against mean true error, a panel for each estimator; k by mark, sizes by colour."""
    result = results.published
    points = result.data["points"]
    colours = {n: _SIZE_COLOURS[min(i, len(_SIZE_COLOURS) - 1)] for i, n in enumerate(sorted(p.sizes))}
    marks = {k: _MARKS[min(i, len(_MARKS) - 1)] for i, k in enumerate(p.neighbors)}
    picture = Picture(
        5.0,
        {e: NAMES[e].symbol for e in ESTIMATORS},
        "estimator",
        columns=3,
        x="mean true error (%)",
        y="mean estimate (%)",
        sharex=True,
        sharey=True,
    )
    far = 1.08 * float(points["true_error"].max())
    top = 1.04 * max(far, float((points["estimate"] + 2 * points["estimate_se"]).max()))
    picture.guide(to=far)
    for k, mark in marks.items():
        picture.scatter(
            *(points[points["k"] == k], "true_error", "estimate"),
            se="estimate_se",
            x_se="true_error_se",
            by="n",
            looks={n: {"color": colour, **mark} for n, colour in colours.items()},
            names=dict.fromkeys(colours, f"{k}-NN"),
            markersize=3.6,
        )
    ticks = {"xticks": range(0, int(far) + 1, 10), "yticks": range(0, int(top) + 1, 20)}
    picture.limits(xlim=(-1, far), ylim=(-2, top), **ticks)
    samples = int(result.rows[0].n / max(1, len(p.sizes) * len(p.inherent_errors)))
    dots = {f"N = {n}": {"color": colour, "marker": "s", "linestyle": "none"} for n, colour in colours.items()}
    return picture.done(columns=4, legend=dots, samples=samples)


@artifact("martin-hirschberg-figure-9", draw=draw_figure_9)
def figure_9(p: NeighborsParameters, run: Run) -> ArtifactResult:
    """Figure 9: mean estimate against mean true error, and the claims of section 5."""
    by_k = trials(p, run, neighbors_study(p))
    ts = Levels(by_k.values())
    rows = []
    for k, t in by_k.items():
        rows += t.rows(["true-error"], {f"mean-percent/k={k}": Trials.mean})
        columns = {"bias": Trials.bias, "rms": Trials.rms, "std": Trials.spread}
        rows += t.rows(ESTIMATORS, {f"{name}-percent/k={k}": statistic for name, statistic in columns.items()})
    ratios = {"-nearest-neighbors": ratio_over_all(ts, BOOT, LOO)}
    ratios |= {f"/k={k}": t.variance_ratio(BOOT, LOO) for k, t in by_k.items()}
    for where, ratio in ratios.items():
        column, of = f"632-below-loo-variance-percent{where}", CLAIMS if where.startswith("-") else ""
        rows += [Row.of(LITERAL, "text", column, lower_by(ratio), of)]
        rows += [Row.of(DEVIATION, "text", column, lower_by(monte_carlo.root_of(ratio)), of)]
    points = []
    for cells in zip(*(t.cells("cell") for t in ts), strict=True):
        for (k, e), t in (((k, e), t) for k, t in zip(by_k, cells, strict=True) for e in ESTIMATORS):
            of_point = {"k": k, "n": t.level("n"), "inherent_error": t.level("inherent_error"), "estimator": e}
            for name, m in (("true_error", t.mean("true-error")), ("estimate", t.mean(e)), ("bias", t.bias(e))):
                of_point |= {name: m.value, f"{name}_se": m.se}
            points.append(of_point)
    checks = judge_claims(FIGURE_9, ts, p.negligible, first=p.neighbors[0], last=p.neighbors[-1])
    return ArtifactResult(rows, {"points": pd.DataFrame(points)}, checks)
