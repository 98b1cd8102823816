"""The appendix's mathematics executed, and reversals by a sample's class proportions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claim, judge_claims
from compendium.evidence.estimate import Condition, Estimate, exact, plus_minus
from compendium.evidence.monte_carlo import average
from compendium.evidence.records import matching
from compendium.evidence.results import ArtifactResult, Erratum, ResultsByScale, Row, Run
from compendium.papers.martin_hirschberg.reversal.mathematics import (
    _DISTANCE,
    _REACH,
    _SHARES,
    _SIZE,
    MATHEMATICS,
    true_errors,
)
from compendium.papers.martin_hirschberg.reversal.statistics import Rule
from compendium.papers.martin_hirschberg.reversal.study import (
    READINGS,
    ReversalParameters,
    proportions,
    reversals_study,
    share_at,
)
from compendium.plots.picture import Drawing, Line, Picture
from compendium.studies.populations import TwoNormals
from errorest.plots import BLUE, GREEN, VERMILION
from errorest.streams import Streams

_ABOUT = 2.0  # A likelihood this close to 50 %, in points, is 50 %
_NEAR_ZERO = 5.0  # A likelihood below this, percent, is near zero


class Shares(NamedTuple):
    """Reversals of even (1:1) and uneven (``most``:1) class counts, at equal class means, and at a distance."""

    most: int
    even: Estimate
    uneven: Estimate
    middle: Estimate
    outer: Estimate


PROPORTIONS = Claims("martin-hirschberg-appendix")


@PROPORTIONS.claim
def equal_means(s: Shares) -> list[Condition]:
    even, uneven = s.even.named("at 1:1", "%", 1, ""), s.uneven.named(f"at {s.most}:1", "%", 1, "")
    return [even.within(50 - _ABOUT, 50 + _ABOUT), uneven < _NEAR_ZERO]


@PROPORTIONS.claim
def unbalanced(s: Shares) -> Condition:
    more = s.outer - s.middle * 2
    return more.named(f"at {s.most}:1 and 1:{s.most} minus twice that at 1:1", "%", 1) > 0


def formula_of(population: TwoNormals) -> pd.DataFrame:
    """Return the formula's true errors over a grid of thresholds."""
    t = np.linspace(-_REACH, population.distance + _REACH, 121)
    return pd.concat(
        pd.DataFrame({"reversed": r, "threshold": t, "formula": population.error_of_thresholds(t, np.full(t.size, r))})
        for r in (False, True)
    )


def errata(most: int, at_equal_means: Mapping[Rule, Sequence[Estimate]]) -> list[Erratum]:
    """Compare the shares of reversals at equal class means with what is said of even and uneven proportions."""
    if any(uneven.value < _NEAR_ZERO for _, uneven in at_equal_means.values()):
        return []
    text = ", ".join(
        f"{even.value:.1f} % and {uneven.value:.1f} % under *{READINGS[rule]}*"
        for rule, (even, uneven) in at_equal_means.items()
    )
    return [
        Erratum(
            "Appendix, on k0 of the likelihood's model",
            f"at equal class means the likelihood is 50 % at proportions of 1:1, and near zero at {most}:1",
            "no reading of the rule makes uneven proportions the safe ones, and the appendix's own remark that "
            "reversals are far more likely where proportions are unbalanced says the contrary",
            f"Simulated at 1:1 and {most}:1: {text}.",
        )
    ]


_RULE_LOOKS: dict[str, Line] = {
    "literal": {"color": BLUE, "linestyle": "-"},
    "class-0-mean": {"color": GREEN, "linestyle": (0, (5, 2))},
    "below-minus-one": {"color": VERMILION, "linestyle": (0, (1.5, 1.2))},
}


def draw_appendix(p: ReversalParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the true error against the threshold, and reversals against the class counts of a sample."""
    data = results.published.data
    shares = data["proportions"]
    distances = sorted(shares["distance"].unique())
    titles = {d: f"reversals at distance {d:g}" for d in distances}
    picture = Picture(
        3.0 * (1 + len(distances)),
        {"error": "true error by threshold", **titles},
        "panel",
        columns=1,
        letters=True,
        x={"error": "threshold t (standard deviations)"}
        | dict.fromkeys(distances, f"cases of class 0 among N = {p.proportions_size}"),
        y={"error": "true error (%)"} | dict.fromkeys(distances, "reversed (%)"),
    )
    formula, counted = data["formula"].assign(panel="error"), data["errors"].assign(panel="error")
    looks = {False: BLUE, True: VERMILION}
    texts = {False: "C(t,0,1)", True: "C(t,1,0),\nreversed"}
    curve = formula.assign(value=100 * formula["formula"])
    picture.lines(curve, "threshold", "value", by="reversed", looks=looks, names=texts, ends=True)
    points = counted.assign(value=100 * counted["simulated"], se=100 * counted["se"])
    unnamed = dict.fromkeys(looks, "")
    picture.scatter(points, "threshold", "value", se="se", by="reversed", looks=looks, names=unnamed, markersize=4)
    by_counts = shares.assign(panel=shares["distance"])
    picture.lines(by_counts, "n0", "percent", se="se", band=True, by="rule", looks=_RULE_LOOKS)
    picture.limits(ylim=(0, 102))
    picture.axes["error"].set(ylim=(0, 100))
    for d in distances:
        picture.axes[d].set(xlim=(0, p.proportions_size))
    even = matching(shares, n0=p.proportions_size // 2, distance=distances[0])
    listed = ", ".join(f"{r['rule']} {r['percent']:.1f} %" for r in even.to_dict("records"))
    return picture.done(even=listed, drawn=p.samples * p.batches)


@artifact("martin-hirschberg-appendix", draw=draw_appendix)
def appendix(p: ReversalParameters, run: Run) -> ArtifactResult:
    """Execute the appendix's mathematics, and count reversals by a sample's class proportions."""
    streams = Streams(p.seed).child("martin-hirschberg-appendix")
    population, distances = TwoNormals(_DISTANCE), (0.0, p.proportions_distance)
    errors = true_errors(population, p.direct_samples, streams.generator("cases"))
    shares, results = proportions(p, run), run(reversals_study(p))
    # what the printed test misses is counted with every rule
    batches = results[results["rule"] == p.reversal_rules[0]]
    sampled, count = int(batches["samples"].sum()), float(batches["underflow"].sum())
    fails = Estimate(count / sampled, float(np.sqrt(count)) / sampled, sampled) * 100
    missed = exact(count, f"samples of {sampled:,} on which it does not, since densities are too small there:")
    shares_of_0 = ", ".join(f"{share:g}" for share in _SHARES)
    checks = judge_claims(MATHEMATICS, p, streams, shares=shares_of_0, samples=p.direct_samples, n=_SIZE)
    checks.append(judge_claim("martin-hirschberg-appendix", "printed-test", missed.equals(0)))
    rows = [Row.of("literal", "printed-test-in-double-precision", "fails-percent", fails)]
    even, most = p.proportions_size // 2, p.proportions_size - 1
    at_equal_means: dict[Rule, list[Estimate]] = {}
    for rule in p.reversal_rules:
        reading = READINGS[rule]
        of = {(n0, d): share_at(shares, rule, n0, d) for n0 in (1, even, most) for d in distances}
        rows += [
            Row.of(reading, f"{n0}:{p.proportions_size - n0}", f"reversed-percent/distance={d:g}", of[n0, d])
            for n0 in (even, most)
            for d in distances
        ]
        at_equal_means[rule] = [of[even, 0.0], of[most, 0.0]]
        middle, *ends = (of[n0, p.proportions_distance] for n0 in (even, 1, most))
        about = Shares(most, of[even, 0.0], of[most, 0.0], middle, average(ends))
        checks += judge_claims(
            PROPORTIONS,
            about,
            reading=reading,
            middle=plus_minus(middle, ""),
            outer=plus_minus(about.outer, ""),
            distance=p.proportions_distance,
            most=most,
        )
    data = {"errors": errors, "formula": formula_of(population), "proportions": shares}
    return ArtifactResult(rows, data, checks, errata=errata(most, at_equal_means))
