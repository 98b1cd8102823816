"""Figures 1 to 4: mean and spread of cross-validation and bootstrap estimates over many samples; the gains beside them.

Each estimate is of a random sample of a data set; the true accuracy beside it is that of
Table 1.  Bias is the mean estimate minus the true accuracy, so that optimism is positive.
All in percent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, apart, below, clear, near, portion
from compendium.evidence.estimate import Condition, Estimate, most, signed
from compendium.evidence.records import each, largest, parts
from compendium.evidence.regenerated import Erratum, Regenerated, Row, Run
from compendium.papers.apart import studied_apart
from compendium.papers.kohavi.estimates import figures as drawings
from compendium.papers.kohavi.estimates.experiment import (
    APPARENT,
    RUNS,
    EstimateParameters,
    Point,
    check_points,
    estimate_study,
)
from compendium.papers.kohavi.named_inducers import own_files
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.artifacts import digest_of, truths_of
from compendium.studies.experiment import TRUE_ERROR, wide

__all__ = [
    "HOLDOUT",
    "Groups",
    "estimates_of",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "key_of",
    "spread_claim",
    "spread_ratios",
    "text_bootstrap",
    "text_stratified",
]

HOLDOUT = "holdout"
"""Accuracy of the sample's classifier on all cases outside the sample."""

_MEANS = (
    "rows are data sets and inducers; a column is an estimate, by its mean or by its bias against the true accuracy"
)
_SPREADS = "rows are data sets and inducers; a column is an estimate, in points"

_CLOSE = 1.0
"""A bias below this many points counts as almost none."""

_LARGE = 2.0
"""A bias from this many points on counts as high."""


def key_of(set_name: str, inducer: str) -> str:
    """Return the row under which a data set and an inducer stand."""
    return f"{set_name}/{column_and_reading(inducer)[0]}"


_study = lru_cache(maxsize=4)(estimate_study)


def estimates_of(p: EstimateParameters, run: Run) -> dict[tuple[str, str], pd.DataFrame]:
    """Draw the samples and make all estimates."""
    sets = p.sets()
    for one in sets:
        check_points(p.points, one, strict=p.strict_strata)
    data = tuple((one, p.samples_of(one)) for one in sets)
    parted = studied_apart(p.inducers, lambda name: own_files([name]))
    studies = [_study(data, tuple(some), tuple(p.points), p.seed) for some in parted]
    results = pd.concat([wide(run(study)) for study in studies], ignore_index=True)
    by = parts(results, "digest", "inducer")
    rates = [TRUE_ERROR, APPARENT, *(q.name for q in p.points)]
    found = {}
    for one in sets:
        for inducer in p.inducers:
            own = by[digest_of(one.sample), inducer]
            accuracies = (100 * (1.0 - own[rates])).rename(columns={TRUE_ERROR: HOLDOUT})
            found[one.name, inducer] = accuracies.assign(runs=own[RUNS])
    return found


def _summary(p: EstimateParameters, run: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Summarise the estimates."""
    truths = truths_of(p, run)
    table = []
    for (name, inducer), own in estimates_of(p, run).items():
        for point in p.points:
            values = own[point.name].to_numpy()
            mean, spread = accuracy.mean(values), accuracy.standard_deviation(values)
            bias = mean - truths[name, inducer]
            found: dict[str, Any] = {"set": name, "inducer": inducer, "scheme": point.scheme, "point": point.name}
            found |= {"mean": mean.value, "se": mean.se, "sd": spread.value, "sd_se": spread.se, "n": mean.n}
            table.append({**found, "bias": bias.value, "bias_se": bias.se})
    known = [{"set": s, "inducer": i, "accuracy": m.value, "se": m.se} for (s, i), m in truths.items()]
    return pd.DataFrame(table), pd.DataFrame(known)


def _shown(r: Any, judged: str) -> dict[str, tuple[float, float]]:
    """Return what a figure shows of an estimate, by the end of the column: value and error."""
    if judged == "sd":
        return {"std-percent": (r.sd, r.sd_se)}
    return {"accuracy-percent": (r.mean, r.se), "bias-percent": (r.bias, r.bias_se)}


def _figure(
    p: EstimateParameters,
    run: Run,
    schemes: Sequence[str],
    judged: str,
    checks: Callable[[str, pd.DataFrame], list[Claim]],
) -> Regenerated:
    """Make the rows of a figure and judge its claims for each inducer, on the estimates of all schemes."""
    table, truths = _summary(p, run)
    shown = table[table["scheme"].isin(schemes)]
    rows = [
        Row(column_and_reading(r.inducer)[1], key_of(r.set, r.inducer), f"{r.point}/{end}", value, se, int(r.n))
        for r in each(shown)
        for end, (value, se) in _shown(r, judged).items()
    ]
    made = [claim.check() for inducer, own in parts(table, "inducer").items() for claim in checks(inducer, own)]
    data = {"points": shown, "truths": truths} if judged == "bias" else {"points": shown}
    return Regenerated(rows, data, made, [_extreme(own, judged) for own in parts(shown, "inducer").values()])


def _extreme(own: pd.DataFrame, judged: str) -> str:
    most = largest(own.assign(size=own[judged].abs(), error=own[f"{judged}_se"]), "size")
    told = f"bias is {most.bias:+.1f}" if judged == "bias" else f"standard deviation is {most.sd:.1f}"
    return (
        f"{title_of(most.inducer)}: the largest {told} points (standard error {most.error:.1f}), {most.point} on "
        f"{most.set}."
    )


def _biases(here: Sequence[Any], ask: Callable[..., Condition], *limit: float) -> list[Condition]:
    """Ask something of the bias on each data set."""
    return [ask(r.set, Estimate(r.bias, r.bias_se, int(r.n)), *limit, unit="points", digits=1) for r in here]


Groups = dict[tuple[str, str], pd.DataFrame]
"""The estimates by data set and inducer."""


def spread_ratios(groups: Groups, inducer: str, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, Estimate]]:
    """Return how much one estimate varies against another on the same samples, by data set."""
    found = []
    for (name, own_inducer), own in groups.items():
        known = [pair for pair in pairs if np.ptp(own[pair[1]]) > 0]
        if own_inducer == inducer and known:
            influences = np.array([accuracy.sd_ratio(*(own[point].to_numpy() for point in pair)) for pair in known])
            found.append((name, accuracy.mean(influences.mean(axis=0))))
    return found


def spread_claim(text: str, groups: Groups, inducer: str, pairs: Sequence[tuple[str, str]]) -> Claim:
    """Claim that the first estimate of each pair varies less than the second, on the average of the data sets."""
    found = spread_ratios(groups, inducer, pairs)
    told = f"less on {portion(sum(m.value < 1 for _, m in found), len(found))} data sets"
    mean = below("ratio of the standard deviations on average", accuracy.average(m for _, m in found), 1.0, sign="")
    return Claim(text, [mean], title_of(inducer), told)


@artifact(
    "kohavi-figure-1",
    "Figure 1",
    "Bias of cross-validation",
    f"Cross-validation's estimates of the accuracy, in percent; {_MEANS}.",
    draw=drawings.draw_fold_means,
)
@artifact(
    "kohavi-another-folds",
    "As Figure 1",
    "Bias of cross-validation on another data set",
    f"Cross-validation's estimates of the accuracy, in percent; {_MEANS}.",
    draw=drawings.draw_fold_means,
)
def figure_1(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 1: mean of cross-validation, plain and stratified, against the number of folds."""

    def checks(inducer: str, own: pd.DataFrame) -> list[Claim]:
        at = {k: each(own[own["point"] == Point("plain", k).name]) for k in p.folds}
        low = [
            Claim(
                f"Cross-validation with {k} folds is pessimistic on most data sets.",
                [most("biases", _biases(here, below))],
                title_of(inducer),
            )
            for k, here in at.items()
            if k in (2, 5)
        ]
        return low + [
            Claim(
                f"With {k} folds the bias is small on most data sets.",
                [most("biases", _biases(here, near, _CLOSE))],
                title_of(inducer),
            )
            for k, here in at.items()
            if k in (10, 20)
        ]

    return _figure(p, run, ("plain", "stratified"), "bias", checks)


_UNBIASED = ("chess", "hypothyroid", "mushroom")
_BIASED = {"c4.5": ("soybean-large", "vehicle", "rand"), "naive-bayes": ("vehicle", "rand")}


@artifact(
    "kohavi-figure-2",
    "Figure 2",
    "Bias of the .632 bootstrap",
    f"The .632 bootstrap's estimates of the accuracy, in percent; {_MEANS}.",
    draw=drawings.draw_bootstrap_means,
)
@artifact(
    "kohavi-another-bootstrap",
    "As Figure 2",
    "Bias of the .632 bootstrap on another data set",
    f"The .632 bootstrap's estimates of the accuracy, in percent; {_MEANS}.",
    draw=drawings.draw_bootstrap_means,
)
def figure_2(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 2: mean of the .632 bootstrap against the number of bootstrap samples."""

    def checks(inducer: str, own: pd.DataFrame) -> list[Claim]:
        biased = _BIASED.get(column_and_reading(inducer)[0], ())
        found = []
        for sets, word, ask, limit in (
            (_UNBIASED, "almost unbiased", near, _CLOSE),
            (biased, "highly biased", apart, _LARGE),
        ):
            named = each(own[(own["point"] == p.last) & own["set"].isin(sets)])
            if named:
                told = f"The .632 bootstrap is {word} on {', '.join(r.set for r in named)}."
                found.append(Claim(told, _biases(named, ask, limit), title_of(inducer)))
        return found

    return _figure(p, run, ("bootstrap",), "bias", checks)


@artifact(
    "kohavi-figure-3",
    "Figure 3",
    "Spread of cross-validation",
    f"Standard deviation of a single estimate; {_SPREADS}.",
    draw=drawings.draw_fold_spread,
)
def figure_3(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 3: standard deviation of one cross-validation estimate against the number of folds."""
    groups = estimates_of(p, run)
    pairs = [(Point("stratified", k).name, Point("plain", k).name) for k in p.folds if k in p.stratified_folds]

    def checks(inducer: str, own: pd.DataFrame) -> list[Claim]:
        found = []
        if {2, 10} <= set(p.folds):
            text = "Ten folds vary less than two."
            found.append(spread_claim(text, groups, inducer, [("k=10", "k=2")]))
        if 1 in p.leave_out:
            last = Point("leave-out", 1).name
            found += [
                spread_claim(f"{k} folds vary less than leave-one-out.", groups, inducer, [(f"k={k}", last)])
                for k in (10, 20)
                if k in p.folds
            ]
            found += [
                _more_biased(f"{k} folds are more pessimistic than leave-one-out.", groups, inducer, f"k={k}", last)
                for k in (10, 20)
                if k in p.folds
            ]
        if pairs:
            found.append(spread_claim("Stratification reduces the spread.", groups, inducer, pairs))
        return found

    return _figure(p, run, ("plain", "stratified"), "sd", checks)


def _more_biased(text: str, groups: Groups, inducer: str, one: str, other: str) -> Claim:
    """Claim that an estimate lies below another on the same samples, on the average of the data sets."""
    gaps = [accuracy.mean((own[one] - own[other]).to_numpy()) for (_, i), own in groups.items() if i == inducer]
    gap = below(f"{one} minus {other} on average", accuracy.average(gaps), unit="points")
    return Claim(text, [gap], title_of(inducer))


@artifact(
    "kohavi-figure-4",
    "Figure 4",
    "Spread of the .632 bootstrap",
    f"Standard deviation of a single estimate; {_SPREADS}.",
    draw=drawings.draw_bootstrap_spread,
)
def figure_4(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 4: standard deviation of one .632 estimate against the number of bootstrap samples."""
    compared = Point("plain", 10 if 10 in p.folds else p.folds[0]).name
    claim = f"The .632 bootstrap ({p.last}) varies less than cross-validation ({compared})."
    groups = estimates_of(p, run)

    def checks(inducer: str, own: pd.DataFrame) -> list[Claim]:
        return [spread_claim(claim, groups, inducer, [(p.last, compared)])]

    return _figure(p, run, ("bootstrap",), "sd", checks)


@artifact(
    "kohavi-text-stratified",
    "Section 5.1",
    "What stratification gains",
    "Mean of stratified minus plain cross-validation, in points of accuracy.",
    draw=drawings.draw_text_stratified,
)
def text_stratified(p: EstimateParameters, run: Run) -> Regenerated:
    """Gain of stratified over plain folds: mean difference on the same samples, points of accuracy.

    The printed numbers belong to Figure 1, hence to C4.5; other inducers have rows of their own.
    """
    rows, table, checks, findings = [], [], [], []
    by_set: dict[str, list[Estimate]] = {}
    for (name, inducer), own in estimates_of(p, run).items():
        column, reading = column_and_reading(inducer)
        both = [k for k in p.folds if k in p.stratified_folds]
        if both:
            gain = np.mean([own[Point("stratified", k).name] - own[Point("plain", k).name] for k in both], axis=0)
            by_set.setdefault(inducer, []).append(accuracy.mean(gain))
        for k in both:
            d = (own[Point("stratified", k).name] - own[Point("plain", k).name]).to_numpy()
            m = accuracy.mean(d)
            row = name if column == "c4.5" else f"{name}/{column}"
            rows.append(Row.of(reading, row, f"gain-percent-at-{k}-folds", m))
            spread = float(d.std(ddof=1))
            table.append({"set": name, "inducer": inducer, "k": k, "gain": m.value, "se": m.se, "sd": spread, "n": m.n})
    gains = pd.DataFrame(table, columns=["set", "inducer", "k", "gain", "se", "sd", "n"])
    if gains.empty:
        findings.append("Nothing to compare: no number of folds is among both the plain and the stratified ones.")
    of_inducers = parts(gains, "inducer")
    for inducer in [i for i in p.inducers if i in of_inducers]:
        own = of_inducers[inducer]
        found = {f"{r.set}, {r.k} folds": Estimate(r.gain, r.se, r.n) for r in each(own)}
        mean = above("gain on average", accuracy.average(by_set[inducer]), unit="points")
        told = f"a clear gain in {portion(sum(clear(m, 1) for m in found.values()), len(found))} pairs of data set and "
        told += f"folds, a clear loss in {sum(clear(m, -1) for m in found.values())}"
        checks.append(Claim("Stratified folds are less pessimistic.", [mean], title_of(inducer), told).check())
        top = largest(own, "gain")
        findings.append(
            f"{title_of(inducer)}: the largest gain is that on {top.set} with {top.k} folds, {signed(top.gain)} points "
            f"(standard error {top.se:.1f}). Between single samples this gain varies by {top.sd:.1f} points, so that a "
            f"mean of {p.samples} samples has a standard error of {top.sd / sqrt(p.samples):.1f}."
        )
    return Regenerated(rows, {"gains": gains}, checks, findings)


@artifact(
    "kohavi-text-bootstrap",
    "Section 5.1",
    "Where the bootstrap is too optimistic",
    "Mean .632 estimate minus the true accuracy, in points.",
    draw=drawings.draw_text_bootstrap,
)
def text_bootstrap(p: EstimateParameters, run: Run) -> Regenerated:
    """Bias of the .632 bootstrap with the most samples, against the true accuracy of Table 1, points."""
    truths = truths_of(p, run)
    last = max(p.bootstrap_samples)
    rows, table = [], []
    for (name, inducer), own in estimates_of(p, run).items():
        mean, truth = accuracy.mean(own[p.last].to_numpy()), truths[name, inducer]
        bias = mean - truth
        rows.append(Row.of(column_and_reading(inducer)[1], key_of(name, inducer), "bias-percent", bias))
        found = {"bias": bias.value, "se": bias.se, "estimate": mean.value, "truth": truth.value}
        apparent = float(own[APPARENT].mean())
        table.append({"set": name, "inducer": inducer, **found, "resubstitution": apparent, "n": mean.n})
    frame = pd.DataFrame(table)
    top = largest(frame, "bias")
    erratum = Erratum(
        "Section 5.1",
        "Bias is defined as the expected value minus the estimated value.",
        "The estimated value minus the expected one: only so does an optimistic estimate have the positive bias that "
        "the same section gives it.",
        f"The .632 bootstrap with {last} samples gives {title_of(top.inducer)} on {top.set} {top.estimate:.1f} % where "
        f"{top.truth:.1f} % is true: {signed(-top.bias)} ± {top.se:.1f} points by the printed definition.",
    )
    worst = "; ".join(
        f"{title_of(r.inducer)} on {r.set} {signed(r.bias)} ± {r.se:.1f} (its training accuracy is "
        f"{r.resubstitution:.1f} %)"
        for r in each(frame.nlargest(3, "bias"))
    )
    finding = f"The largest biases of the .632 bootstrap ({last} samples), in points, optimism positive: {worst}."
    return Regenerated(rows, {"bias": frame}, findings=[finding], errata=[erratum] if top.bias > 2 * top.se else [])
