"""Section 2.1: the majority inducer's holdout accuracy, simulated and counted exactly.

The majority inducer sees no attribute, so that every expectation can be counted from the class sizes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb, nan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.records import printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.kohavi.iris import IrisParameters
from compendium.plots.palette import PUBLISHED
from compendium.plots.picture import Drawing, Line, Picture
from errorest.estimation.run import run_schemes
from errorest.learners.majority import Majority
from errorest.plots import BLUE, GREY, SKY, VERMILION
from errorest.resampling.schemes import Holdout
from errorest.streams import Streams

# Terms of the exact sum, at most
MAX_TERMS = 20_000_000


def majority_holdout(counts: list[int], test: int) -> dict[int, Fraction]:
    """Chances of how many test cases the majority inducer gets right in a random holdout; none if too many to count."""
    n = sum(counts)
    train = n - test
    if len(counts) * max(counts) ** 2 * (len(counts) - 2) * n > MAX_TERMS:
        return {}
    ways = [[comb(size, k) for k in range(size + 1)] for size in counts]
    chances: Counter[int] = Counter()
    for c, size in enumerate(counts):
        for covered in range(-(-train // len(counts)), min(size, train) + 1):
            # class c prevails: an earlier class, which wins a tie, has fewer training cases, a later one no more
            limits = [covered - 1] * c + [covered] * (len(counts) - c - 1)
            chances[size - covered] += ways[c][covered] * _choices(ways[:c] + ways[c + 1 :], limits, train - covered)
    return {right: Fraction(number, comb(n, train)) for right, number in sorted(chances.items()) if number}


def _choices(ways: list[list[int]], limits: list[int], total: int) -> int:
    """Count how ``total`` cases can be chosen with at most ``limits`` of each class, exactly."""
    # convolution of the classes' binomial coefficients: number of choices by cases chosen
    choices = Counter({0: 1})
    for coefficients, limit in zip(ways[:-1], limits[:-1], strict=True):
        more: Counter[int] = Counter()
        for chosen, number in choices.items():
            for k in range(min(len(coefficients) - 1, limit, total - chosen) + 1):
                more[chosen + k] += number * coefficients[k]
        choices = more
    most = min(len(ways[-1]) - 1, limits[-1])
    return sum(number * ways[-1][total - k] for k, number in choices.items() if 0 <= total - k <= most)


def moments(chances: Mapping[int, Fraction], test: int) -> tuple[Fraction, float]:
    """Return mean and standard deviation of the share of right predictions."""
    mean = sum((k * chance for k, chance in chances.items()), Fraction(0)) / test
    square = sum((k * k * chance for k, chance in chances.items()), Fraction(0)) / test**2
    return mean, sqrt(square - mean**2)


def draw_text_holdout(p: IrisParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    result = made.published
    rows, key = {r.column: r for r in result.rows}, result.rows[0].row
    mean, expected = rows["mean-accuracy-percent"], rows["expected-accuracy-percent"].value
    known = printed_values(published)
    means = {"ours": (mean.value, 2 * mean.se)}
    if (key, "mean-accuracy-percent") in known:
        means["printed"] = known[key, "mean-accuracy-percent"], 2 * known.get((key, "std-percent"), 0.0)
    against = {name: value for name, (value, _) in means.items() if name != "ours"}
    picture = Picture(
        5.8,
        {"one": "accuracy of one holdout", "mean": f"mean of {mean.n:,} holdouts"},
        "panel",
        columns=1,
        letters=True,
        x={"mean": "accuracy (%)"},
        y={"one": "holdouts (%)"},
        sharex=True,
        height_ratios=[2.3, 1],
    )
    truth: Line = {"color": VERMILION, "linewidth": 1.8, "linestyle": "--"}
    legend = {f"truth: {expected:.1f} %": truth}
    picture.guide(x=expected, **truth)
    table = result.data["accuracies"]
    shown = table[(table["share"] > 0) | (table["exact"].fillna(0) > 1e-4)]
    step = float(np.diff(shown["accuracy"]).min()) if len(shown) > 1 else 1.0
    singles = shown.assign(panel="one", kind="simulated", share=100 * shown["share"], exact=100 * shown["exact"])
    picture.bars(singles, "accuracy", "share", by="kind", looks={"simulated": SKY}, width=0.8 * step)
    picture.scatter(singles.dropna(), "accuracy", "exact", label="exact chance", color=BLUE)
    axes = picture.axes["mean"]
    for place, (name, (value, reach)) in enumerate(means.items()):
        look = PUBLISHED if name == "printed" else {"color": BLUE, "marker": "o"}
        axes.errorbar([value], [-place], xerr=[reach], capsize=3, **{**look, "markersize": 6})
    if "exact-mean-accuracy-percent" in rows:
        against["exact"] = rows["exact-mean-accuracy-percent"].value
        axes.axvline(against["exact"], color=GREY, linewidth=1.6)
        legend[f"exact mean: {against['exact']:.2f} %"] = {"color": GREY, "linewidth": 1.6}
    axes.set_yticks(-np.arange(len(means)), [f"{name}: {value:.2f}" for name, (value, _) in means.items()])
    axes.set_ylim(-len(means), 1)
    words = "".join(f", {name} {value:.2f}" for name, value in against.items())
    return picture.done(
        columns=4,
        legend=legend,
        set=key.split("/")[0],
        number=mean.n,
        mean=mean.value,
        reach=2 * mean.se,
        least=shown["accuracy"].min(),
        most=shown["accuracy"].max(),
        expected=expected,
        against=words,
    )


@artifact("kohavi-text-holdout", draw=draw_text_holdout)
def text_holdout(p: IrisParameters, run: Run) -> ArtifactResult:
    """The majority inducer under repeated holdout: mean, standard deviation of the mean, exact expectation, percent."""
    sample = p.sample()
    test = p.tested(sample)
    scheme = Holdout(test, p.holdouts * p.realizations)
    streams = Streams(p.seed).child("kohavi-iris", sample.digest())
    outcome = run_schemes(sample, Majority(), [scheme], streams)[scheme]
    accuracies = 100 * (1 - outcome.errors / outcome.tested)
    # the printed deviation is that of one experiment's mean; more experiments make ours more exact, not smaller
    of_mean = monte_carlo.standard_deviation(accuracies) * (1 / sqrt(p.holdouts))
    counts = [int(c) for c in sample.class_counts()]
    truth = 100 * max(counts) / sample.n
    key = f"{sample.name}/majority"
    rows = [
        Row.of("literal", key, "mean-accuracy-percent", monte_carlo.mean(accuracies)),
        Row.of("literal", key, "std-percent", of_mean),
        Row.exact("literal", key, "expected-accuracy-percent", truth),
    ]
    checks = []
    chances = majority_holdout(counts, test)
    if chances:
        mean, sd = moments(chances, test)
        rows += [
            Row.exact("literal", key, "exact-mean-accuracy-percent", 100 * float(mean)),
            Row.exact("literal", key, "exact-std-percent", 100 * sd / sqrt(p.holdouts)),
            Row.exact("literal", key, "exact-std-of-one-percent", 100 * sd),
        ]
        less = exact(100 * float(mean), "expectation", "%", 2) < truth
        checks = [judge_claim("kohavi-text-holdout", "underrates", less, most=100 * max(chances) / test)]
    right = pd.Series(outcome.tested - outcome.errors).astype(int)
    seen = [*chances, *right]
    frame = pd.DataFrame({"right": range(min(seen), max(seen) + 1)})
    frame["accuracy"] = 100 * frame["right"] / test
    frame["share"] = frame["right"].map(right.value_counts(normalize=True)).fillna(0.0)
    frame["exact"] = [float(chances.get(k, 0)) for k in frame["right"]] if chances else nan
    frame["holdouts"] = p.holdouts
    return ArtifactResult(rows, {"accuracies": frame}, checks)
