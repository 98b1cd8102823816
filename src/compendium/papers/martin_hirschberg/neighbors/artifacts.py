"""Section 5 on nearest neighbours: Figure 8's classifiers and Figure 9's estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Estimate, exact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.evidence.trials import Levels, Trials
from compendium.papers.martin_hirschberg.names import FACTORS, NAMES
from compendium.papers.martin_hirschberg.neighbors.experiment import (
    ESTIMATORS,
    NeighborsParameters,
    apparent_error,
    inducer_name,
    neighbors_study,
    shapes_study,
    splits_alike,
)
from compendium.papers.martin_hirschberg.neighbors.figures import draw_figure_8, draw_figure_9
from compendium.papers.martin_hirschberg.one_sample import densities, first_sample
from compendium.studies.populations import TwoNormals
from compendium.studies.study import Study
from errorest.data.sample import Sample
from errorest.inducers.neighbors import interval_classifier
from errorest.streams import Streams

LITERAL, DEVIATION, OURS = "literal", "fitted:standard-deviation", "unstated:our-populations"
CLAIMS = "martin-hirschberg-claims"
APPARENT, CV, LOO, BOOT, STAR = ESTIMATORS

ROUGHLY = 2.0
"""A bias up to this many points, and not clearly more, is approximately none."""

SAME = 0.1
"""A ratio of variances this close to one is essentially one."""

CLAIMED = 40.0
"""By how much the variance is said to be lower, percent; no result is computed from it."""


def trials(p: NeighborsParameters, run: Run, study: Study) -> Mapping[int, Trials]:
    """Run a study; its samples by number of neighbours, the same ones for each."""
    results = run(study)
    return {
        k: Trials.of(results, inducer_name(k), reading=LITERAL, names=NAMES, factors=FACTORS, label=f"k = {k}")
        for k in p.neighbors
    }


# Figure 8

ONE_NEAREST = Claims(
    "martin-hirschberg-figure-8",
    {
        "one-constant": lambda one: [
            exact(one["splits-alike"].mean(), "samples on which it does", "%").equals(0),
            exact(one["apparent-error"].mean(), "mean apparent error", "%", 2).equals(0),
        ],
        "one-full-tree": lambda one: exact(one["as-tree"].mean(), "samples with equal cut-points", "%").equals(100),
    },
)

SMOOTHER = Claims(
    "martin-hirschberg-figure-8",
    {
        "more-vary": lambda one, smooth: [
            smooth.mean("splits-alike").named("samples on which it does", sign="") > 0,
            smooth.mean("as-tree").named("samples with the cut-points of the full tree", sign="") < 50,
        ],
        "outliers": lambda one, smooth: [
            one.average(one["true-error"] - smooth["true-error"]).named("true error more", "points") > 0,
            one.average((one.frame["cut-points"] - smooth.frame["cut-points"]).to_numpy()).named("cut-points more") > 0,
        ],
    },
)


@artifact("martin-hirschberg-figure-8", draw=draw_figure_8, enlarge=False)
def figure_8(p: NeighborsParameters, run: Run) -> ArtifactResult:
    """Figure 8: one sample, its nearest-neighbour classifiers and their trees; the remarks on it, counted."""
    population = TwoNormals.of_inherent_error(p.figure_8_inherent_error)
    sample = telling_sample(p, population)
    rows: list[Row] = []
    intervals = []
    for k in p.neighbors:
        classifier = interval_classifier(sample, k)
        for name, value in (
            ("cut-points", len(classifier.cuts)),
            ("tree-leaves", len(classifier.labels)),
            ("true-error-percent", 100 * population.true_error(classifier)),
            ("apparent-error-percent", 100 * apparent_error(classifier, sample)),
        ):
            rows.append(Row.exact(OURS, name, f"this-sample/k={k}", value))
        cuts = [-inf, *classifier.cuts, inf]
        intervals.append(pd.DataFrame({"k": k, "left": cuts[:-1], "right": cuts[1:], "class": classifier.labels}))
    study = shapes_study(p.figure_8_cases, p.figure_8_inherent_error, p.shapes, p.neighbors, p.seed)
    shapes = trials(p, run, study)
    for k, t in shapes.items():
        many = {
            "cut-points": t.count("cut-points"),
            "true-error-percent": t.mean("true-error"),
            "apparent-error-percent": t.mean("apparent-error"),
            "splits-adjacent-cases-of-one-class-percent": t.mean("splits-alike"),
            "same-cut-points-as-a-full-tree-percent": t.mean("as-tree"),
        }
        rows += [Row.of(OURS, name, f"many-samples/k={k}", m) for name, m in many.items()]
    checks = judge_claims(ONE_NEAREST, shapes[1]) if 1 in shapes else []
    for k in (k for k in shapes if k > 1 and 1 in shapes):
        checks += judge_claims(SMOOTHER, shapes[1], shapes[k], k=k)
    data = {
        "densities": densities(population),
        "points": pd.DataFrame({"x": sample.X[:, 0], "class": sample.y}),
        "classifiers": pd.concat(intervals, ignore_index=True),
    }
    return ArtifactResult(rows, data, checks)


def telling_sample(p: NeighborsParameters, population: TwoNormals) -> Sample:
    """Draw until 1-NN bends to an outlier and the largest k divides two neighbours of one class; else the first."""
    streams = Streams(p.seed).child("martin-hirschberg-figure-8")
    low, high = min(p.neighbors), max(p.neighbors)

    def telling(sample: Sample) -> bool:
        rough, smooth = interval_classifier(sample, low), interval_classifier(sample, high)
        return low == high or (0 < len(smooth.cuts) < len(rough.cuts) and splits_alike(smooth, sample))

    sample, _ = first_sample(population, p.figure_8_cases, telling, streams, p.draws)
    return sample or population.sample(p.figure_8_cases, streams.child(0).generator("sample"))


# Figure 9


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


def star_biases(ts: Levels) -> list[Estimate]:
    """Bias of LOO*: on the whole, and in the two corners that the text names."""
    results = []
    for t in ts:
        corners = {"N up to 20, 40 % or more": corner(t, 20, 0.4), "N = 10, up to 10 %": corner(t, 10, 0, 0.1)}
        parts = [part.bias(STAR).named(f"{where}, {t.label}") for where, part in corners.items() if part.n]
        results += [t.bias(STAR), *parts]
    return results


FIGURE_9 = Claims(
    "martin-hirschberg-figure-9",
    {
        "same-means": lambda ts, limit: [abs(t.gap(CV, LOO)) <= limit for t in ts],
        "unbiased": lambda ts, limit: [abs(t.bias(e)) <= limit for e in (CV, LOO) for t in ts],
        "app-biased": lambda ts, limit: biased(ts, APPARENT, limit),
        "632-biased": lambda ts, limit: biased(ts, BOOT, limit),
        "vary-less": lambda ts, limit: [
            t.variance_ratio(a, b) < 1 for t in ts for a in (APPARENT, BOOT) for b in (CV, LOO)
        ],
        "632-below-loo": lambda ts, limit: (
            lower_by(ratio_over_all(ts, BOOT, LOO))
            .named("over every k the variance is lower by", "%", 0, "")
            .within(0.8 * CLAIMED, 1.2 * CLAIMED)
        ),
        "632-same": lambda ts, limit: (
            monte_carlo.variance_ratio(ts[0][BOOT], last(ts)[BOOT], ts[0].cell)
            .named("ratio", sign="")
            .within(1 - SAME, 1 + SAME)
        ),
        "loo-star-unbiased": lambda ts, limit: [abs(e) <= ROUGHLY for e in star_biases(ts)],
        "loo-star-precision": lambda ts, limit: ratio_over_all(ts, STAR, LOO).within(1 - 2 * SAME, 1 + 2 * SAME),
        "loo-star-above-632": lambda ts, limit: ratio_over_all(ts, STAR, BOOT) > 1,
        "loo-star-below-loo": lambda ts, limit: ratio_over_all([corner(t, 20, 0.25) for t in ts], STAR, LOO) < 1,
    },
)


@artifact("martin-hirschberg-figure-9", draw=draw_figure_9)
def figure_9(p: NeighborsParameters, run: Run) -> ArtifactResult:
    """Figure 9: mean estimate against mean true error, and the claims of section 5."""
    settings = (p.neighbors, p.cv_repeats, p.bootstrap_replicates, p.seed)
    by_k = trials(p, run, neighbors_study(p.sizes, p.inherent_errors, p.samples, *settings))
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
