"""Equation 3, the score interval: exact and simulated coverage, and its use after cross-validation; percent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import ceil

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, exact, some
from compendium.evidence.names import read_names
from compendium.evidence.records import distinct
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.kohavi.iris import IrisParameters
from compendium.plots.picture import Drawing, Picture, Series
from errorest.counting import count_each
from errorest.estimation.proportions import BINOMIAL_INTERVALS, coverage, wilson_interval
from errorest.estimation.run import run_schemes
from errorest.learners.majority import Majority
from errorest.plots import BLACK, BLUE, GREEN, ORANGE
from errorest.resampling.schemes import KFold, LeaveOneOut
from errorest.streams import Streams

# Points from the nominal coverage that are still about it, and below it that are too few; the paper names no numbers
ABOUT, TOO_FEW = 1.5, 5.0

INTERVALS: Mapping[str, str] = read_names("kohavi")["intervals"]
COLOURS = {"wald": ORANGE, "clopper-pearson": GREEN, "score": BLUE}


def draw_equation_3(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    curves, points = (made.published.data[name] for name in ("curves", "coverage"))
    sizes, nominal = distinct(p.test_sizes), 100 * p.confidence
    floor = max(0.0, nominal - 20)
    picture = Picture(
        1.1 + 2.7 * ceil(len(sizes) / 2),
        {h: f"h = {h}" for h in sizes},
        "h",
        x="true accuracy (%)",
        y="coverage (%)",
        sharex=True,
        sharey=True,
    )
    picture.guide(y=nominal, color=BLACK, linestyle="--")
    picture.lines(curves, "accuracy", "coverage", by="interval", looks=COLOURS, names=INTERVALS, linewidth=1.1)
    series: Series = {"se": "se", "label": "eq. 3 simulated", "color": BLACK, "markersize": 4, "zorder": 4}
    series |= {"capsize": 2, "elinewidth": 1.2}
    picture.scatter(points, "accuracy", "simulated", **series)
    picture.limits(xlim=(50, 100), ylim=(floor, 100.5))
    least = curves.groupby(["h", "interval"])["coverage"].min()
    texts = [f"h = {h}: " + ", ".join(f"{INTERVALS[n]} {least[h, n]:.1f} %" for n in reversed(COLOURS)) for h in sizes]
    return picture.done(columns=2, sizes=len(sizes), nominal=nominal, floor=floor, least="; ".join(texts))


EQUATION_3 = Claims("kohavi-equation-3")


@EQUATION_3.claim
def large_test_sets(p: IrisParameters, table: pd.DataFrame, contains: list[Estimate]) -> Condition:
    h = max(p.test_sizes)
    distance = (table[table["h"] == h]["score"] - 100 * p.confidence).abs().max()
    return exact(distance, f"at h = {h}", "points", 2) < ABOUT


@EQUATION_3.claim
def narrow_limits(p: IrisParameters, table: pd.DataFrame, contains: list[Estimate]) -> Conditions:
    few = [share < 100 * p.confidence - TOO_FEW for share in contains]
    return some("the limits hold it in too few splits", few)


@artifact("kohavi-equation-3", draw=draw_equation_3)
def equation_3(p: IrisParameters, run: Run) -> ArtifactResult:
    streams = Streams(p.seed).child("kohavi-equation-3")
    rows, table, curves = [], [], []
    for h in p.test_sizes:
        for a in p.accuracies:
            low, high = wilson_interval(streams.generator(h, a).binomial(h, a, size=p.trials), h, p.confidence)
            simulated = monte_carlo.mean(100.0 * ((low <= a) & (a <= high)))
            exactly = {name: 100 * float(coverage(f, h, a, p.confidence)) for name, f in BINOMIAL_INTERVALS.items()}
            key = f"h={h}/accuracy={100 * a:.10g}"
            rows.append(Row.of("literal", key, "simulated-coverage-percent", simulated))
            rows += [
                Row.exact("literal", key, f"exact-coverage-percent/{name}", value) for name, value in exactly.items()
            ]
            table.append({"h": h, "accuracy": 100 * a, "simulated": simulated.value, "se": simulated.se, **exactly})
        fine = np.linspace(0.5, 0.999, 500)
        for name, f in BINOMIAL_INTERVALS.items():
            curve = {"accuracy": 100 * fine, "coverage": 100 * coverage(f, h, fine, p.confidence)}
            curves.append(pd.DataFrame({"h": h, "interval": name, **curve}))
    frame = pd.DataFrame(table)
    more, after, contains = _after_cross_validation(p)
    checks = judge_claims(EQUATION_3, p, frame, contains, data=p.sample().name)
    data = {"coverage": frame, "curves": pd.concat(curves, ignore_index=True), "cross_validation": after}
    return ArtifactResult(rows + more, data, checks)


def _after_cross_validation(p: IrisParameters) -> tuple[list[Row], pd.DataFrame, list[Estimate]]:
    """Apply equation 3 with h = n to the cross-validated majority inducer: rows, means, how often it is right."""
    sample = p.sample()
    truth = float(sample.class_counts().max() / sample.n)
    k = min(10, sample.n)
    schemes = {
        "2-fold": KFold(2, p.splits),
        f"{k}-fold": KFold(k, p.splits),
        f"stratified {k}-fold": KFold(k, p.splits, stratified=True),
        "leave-one-out": LeaveOneOut(),
    }
    streams = Streams(p.seed).child("kohavi-equation-3-cv", sample.digest())
    outcomes = run_schemes(sample, Majority(), schemes.values(), streams)
    rows, table, contains = [], [], []
    for name, scheme in schemes.items():
        outcome = outcomes[scheme]
        right = count_each(outcome.replicate, weights=outcome.tested - outcome.errors).astype(int)
        low, high = wilson_interval(right, sample.n, p.confidence)
        values = {
            "accuracy-percent": right / sample.n,
            "interval-low-percent": low,
            "interval-high-percent": high,
            "contains-percent": (low <= truth) & (truth <= high),
        }
        means = {column: monte_carlo.mean(100.0 * shares) for column, shares in values.items()}
        # where all splits agree, as the one of leave-one-out does with itself, nothing is random
        if np.ptp(right) == 0 and (right.size > 1 or name == "leave-one-out"):
            means = {column: replace(e, se=0.0) for column, e in means.items()}
        key = f"{sample.name}/majority/{name.replace(' ', '-')}"
        rows += [Row.of("literal", key, column, e) for column, e in means.items()]
        accuracy, lower, upper, share = means.values()
        line = {"scheme": name, "accuracy": accuracy.value, "low": lower.value, "high": upper.value}
        table.append({**line, "contains": share.value})
        contains.append(share.named(name, "%", sign=""))
    return rows, pd.DataFrame(table), contains
