"""Figures 1 to 4: mean and spread of cross-validation and bootstrap estimates over many samples; the gains beside them.

Each estimate is of a random sample of a data set; the true accuracy beside it is that of
Table 1.  Bias is the mean estimate minus the true accuracy, so that optimism is positive.
All in percent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.artifact import artifact
from errorest.evidence.claims import clear, graded
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.records import each, largest, parts
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from errorest.experiment.experiment import TRUE_ERROR
from errorest.experiment.results import wide
from errorest.papers.kohavi.estimates.experiment import (
    APPARENT,
    RUNS,
    EstimateParameters,
    Point,
    check_points,
    estimate_study,
)
from errorest.papers.kohavi.estimates.figures import (
    draw_bootstrap_means,
    draw_bootstrap_spread,
    draw_fold_means,
    draw_fold_spread,
    draw_text_bootstrap,
    draw_text_stratified,
)
from errorest.papers.kohavi.names import column_and_reading, title_of
from errorest.papers.kohavi.truth.artifacts import truths_of

__all__ = [
    "HOLDOUT",
    "estimates_of",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "key_of",
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


def estimates_of(p: EstimateParameters, run: Run) -> dict[tuple[str, str], pd.DataFrame]:
    """Draw the samples and make all estimates.

    Returns
    -------
    dict of (data set, inducer) to DataFrame
        A sample a row; columns ``holdout``, ``resubstitution`` and one for each point
        (estimated accuracies, percent), ``runs``.
    """
    sets = p.sets()
    for one in sets:
        check_points(p.points, one, strict=p.strict_strata)
    results = wide(run(estimate_study([(one, p.samples_of(one)) for one in sets], p.inducers, p.points, p.seed)))
    named = {one.sample.digest(): one.name for one in sets}
    rates = [TRUE_ERROR, APPARENT, *(q.name for q in p.points)]
    found = {}
    for (digest, inducer), own in parts(results, "digest", "inducer").items():
        accuracies = (100 * (1.0 - own[rates])).rename(columns={TRUE_ERROR: HOLDOUT})
        found[named[digest], inducer] = accuracies.assign(runs=own[RUNS])
    return found


def _summary(p: EstimateParameters, run: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Summarise the estimates.

    Returns
    -------
    points : DataFrame
        Columns set, inducer, scheme (``plain``, ``stratified``, ``bootstrap``), point, mean, se, sd,
        sd_se, n (samples), bias, bias_se, percent.
    truths : DataFrame
        Columns set, inducer, accuracy, se: the true accuracies.
    """
    truths = truths_of(p, run)
    table = []
    for (name, inducer), own in estimates_of(p, run).items():
        for point in p.points:
            values = own[point.name].to_numpy()
            mean, spread = accuracy.mean(values), accuracy.standard_deviation(values)
            bias = mean.minus(truths[name, inducer])
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
    checks: Callable[[str, pd.DataFrame], list[Check]],
) -> Regenerated:
    """Make the rows of a figure and judge its claims for each inducer, on the estimates of all schemes."""
    table, truths = _summary(p, run)
    shown = table[table["scheme"].isin(schemes)]
    rows = [
        Row(column_and_reading(r.inducer)[1], key_of(r.set, r.inducer), f"{r.point}/{end}", value, se, int(r.n))
        for r in each(shown)
        for end, (value, se) in _shown(r, judged).items()
    ]
    made = [check for inducer, own in parts(table, "inducer").items() for check in checks(inducer, own)]
    data = {"points": shown, "truths": truths} if judged == "bias" else {"points": shown}
    return Regenerated(rows, data, made, [_extreme(own, judged) for own in parts(shown, "inducer").values()])


def _extreme(own: pd.DataFrame, judged: str) -> str:
    most = largest(own.assign(size=own[judged].abs(), error=own[f"{judged}_se"]), "size")
    told = f"bias is {most.bias:+.1f}" if judged == "bias" else f"standard deviation is {most.sd:.1f}"
    return (
        f"{title_of(most.inducer)}: the largest {told} points (standard error {most.error:.1f}), {most.point} on "
        f"{most.set}."
    )


def _by_sets(
    claim: str, inducer: str, here: Sequence[Any], said: Callable[[Any], str], right: Callable[[Any], bool]
) -> Check:
    """Judge a claim by the data sets."""
    found = [bool(right(r)) for r in here]
    evidence = f"{sum(found)} of {len(found)} data sets: {'; '.join(said(r) for r in here)}"
    return Check(f"{claim} [{title_of(inducer)}]", evidence, graded(found))


def _pairs(own: pd.DataFrame, one: str, other: str) -> list[tuple[str, float, float]]:
    """Return the spreads of two estimates on each data set."""
    spread = {(r.set, r.point): r.sd for r in each(own)}
    return [(name, spread[name, one], spread[name, other]) for name in dict.fromkeys(own["set"])]


def _against(pair: tuple[str, float, float]) -> str:
    return f"{pair[0]} {pair[1]:.2f} against {pair[2]:.2f}"


def _bias_said(r: Any) -> str:
    return f"{r.set} {r.bias:+.1f} ± {2 * r.bias_se:.1f}"


@artifact(
    "kohavi-figure-1",
    "Figure 1",
    "Bias of cross-validation",
    f"Cross-validation's estimates of the accuracy, in percent; {_MEANS}.",
    draw=draw_fold_means,
)
@artifact(
    "kohavi-another-folds",
    "As Figure 1",
    "Bias of cross-validation on another data set",
    f"Cross-validation's estimates of the accuracy, in percent; {_MEANS}.",
    draw=draw_fold_means,
)
def figure_1(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 1: mean of cross-validation, plain and stratified, against the number of folds.

    Returns
    -------
    Regenerated
        Own rows; data ``points`` and ``truths``.
    """

    def checks(inducer: str, own: pd.DataFrame) -> list[Check]:
        at = {k: each(own[own["point"] == Point("plain", k).name]) for k in p.folds}
        low = [
            _by_sets(
                f"Cross-validation with {k} folds is pessimistic, by more than two standard errors.",
                inducer,
                here,
                lambda r: f"{r.set} {r.bias:+.1f}",
                lambda r: r.bias < -2 * r.bias_se,
            )
            for k, here in at.items()
            if k in (2, 5)
        ]
        return low + [
            _by_sets(
                f"With {k} folds the bias is less than {_CLOSE:g} point or two standard errors.",
                inducer,
                here,
                _bias_said,
                lambda r: abs(r.bias) <= max(_CLOSE, 2 * r.bias_se),
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
    draw=draw_bootstrap_means,
)
@artifact(
    "kohavi-another-bootstrap",
    "As Figure 2",
    "Bias of the .632 bootstrap on another data set",
    f"The .632 bootstrap's estimates of the accuracy, in percent; {_MEANS}.",
    draw=draw_bootstrap_means,
)
def figure_2(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 2: mean of the .632 bootstrap against the number of bootstrap samples.

    Returns
    -------
    Regenerated
        Own rows; data ``points`` and ``truths``.
    """
    none = f"The .632 bootstrap is almost unbiased (less than {_CLOSE:g} point) on"
    high = f"The .632 bootstrap is highly biased ({_LARGE:g} points or more) on"

    def checks(inducer: str, own: pd.DataFrame) -> list[Check]:
        biased = _BIASED.get(column_and_reading(inducer)[0], ())
        found = []
        for sets, claim, right in (
            (_UNBIASED, none, lambda r: abs(r.bias) < _CLOSE),
            (biased, high, lambda r: abs(r.bias) >= _LARGE),
        ):
            named = each(own[(own["point"] == p.last) & own["set"].isin(sets)])
            if named:
                told = f"{claim} {', '.join(r.set for r in named)}."
                found.append(_by_sets(told, inducer, named, _bias_said, right))
        return found

    return _figure(p, run, ("bootstrap",), "bias", checks)


@artifact(
    "kohavi-figure-3",
    "Figure 3",
    "Spread of cross-validation",
    f"Standard deviation of a single estimate; {_SPREADS}.",
    draw=draw_fold_spread,
)
def figure_3(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 3: standard deviation of one cross-validation estimate against the number of folds.

    Returns
    -------
    Regenerated
        Own rows; data ``points``.
    """
    both = [k for k in p.folds if k in p.stratified_folds]

    def checks(inducer: str, own: pd.DataFrame) -> list[Check]:
        found = []
        if {2, 10} <= set(p.folds):
            pairs = _pairs(own, "k=2", "k=10")
            found.append(_by_sets("Two folds vary more than ten.", inducer, pairs, _against, lambda r: r[1] > r[2]))
        if both:
            pairs = [pair for k in both for pair in _pairs(own, Point("stratified", k).name, Point("plain", k).name)]
            ratios = [a / b for _, a, b in pairs if b > 0]
            found.append(
                Check(
                    f"Stratification reduces the spread slightly. [{title_of(inducer)}]",
                    f"less spread in {sum(r < 1 for r in ratios)} of {len(ratios)} pairs of data set and folds; ratio "
                    f"of the standard deviations on average {np.mean(ratios):.2f}",
                    graded(bool(np.mean(ratios) < 1)),
                )
            )
        return found

    return _figure(p, run, ("plain", "stratified"), "sd", checks)


@artifact(
    "kohavi-figure-4",
    "Figure 4",
    "Spread of the .632 bootstrap",
    f"Standard deviation of a single estimate; {_SPREADS}.",
    draw=draw_bootstrap_spread,
)
def figure_4(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 4: standard deviation of one .632 estimate against the number of bootstrap samples.

    Returns
    -------
    Regenerated
        Own rows; data ``points``.
    """
    compared = Point("plain", 10 if 10 in p.folds else p.folds[0]).name
    claim = f"The .632 bootstrap ({p.last}) varies less than cross-validation ({compared})."

    def checks(inducer: str, own: pd.DataFrame) -> list[Check]:
        return [_by_sets(claim, inducer, _pairs(own, p.last, compared), _against, lambda r: r[1] < r[2])]

    return _figure(p, run, ("bootstrap",), "sd", checks)


@artifact(
    "kohavi-text-stratified",
    "Section 5.1",
    "What stratification gains",
    "Mean of stratified minus plain cross-validation, in points of accuracy.",
    draw=draw_text_stratified,
)
def text_stratified(p: EstimateParameters, run: Run) -> Regenerated:
    """Gain of stratified over plain folds: mean difference on the same samples, points of accuracy.

    The printed numbers belong to Figure 1, hence to C4.5; other inducers have rows of their own.

    Returns
    -------
    Regenerated
        Data ``gains``: set, inducer, k, gain, se, sd.
    """
    rows, table, checks, findings = [], [], [], []
    for (name, inducer), own in estimates_of(p, run).items():
        column, reading = column_and_reading(inducer)
        for k in [k for k in p.folds if k in p.stratified_folds]:
            d = (own[Point("stratified", k).name] - own[Point("plain", k).name]).to_numpy()
            m = accuracy.mean(d)
            row = name if column == "c4.5" else f"{name}/{column}"
            rows.append(Row.of(reading, row, f"gain-percent-at-{k}-folds", m))
            spread = float(d.std(ddof=1))
            table.append({"set": name, "inducer": inducer, "k": k, "gain": m.value, "se": m.se, "sd": spread, "n": m.n})
    gains = pd.DataFrame(table, columns=["set", "inducer", "k", "gain", "se", "sd", "n"])
    of_inducers = parts(gains, "inducer")
    for inducer in [i for i in p.inducers if i in of_inducers]:
        own = of_inducers[inducer]
        found = [Measured(r.gain, r.se, r.n) for r in each(own)]
        up, down = (sum(clear(m, sign, errors=2) for m in found) for sign in (1, -1))
        most = largest(own, "gain")
        checks.append(
            Check(
                f"Stratified folds are less pessimistic. [{title_of(inducer)}]",
                f"of {len(own)} pairs of data set and folds, {up} gain and {down} lose more than two standard errors",
                "holds" if not down and up > len(own) / 2 else "holds in part" if up else "fails",
            )
        )
        findings.append(
            f"{title_of(inducer)} gains most on {most.set} with {most.k} folds: {most.gain:+.1f} points (standard "
            f"error {most.se:.1f}). Between single samples this gain varies by {most.sd:.1f} points, so that a mean of "
            f"{p.samples} samples has a standard error of {most.sd / sqrt(p.samples):.1f}."
        )
    return Regenerated(rows, {"gains": gains}, checks, findings)


@artifact(
    "kohavi-text-bootstrap",
    "Section 5.1",
    "Where the bootstrap is too optimistic",
    "Mean .632 estimate minus the true accuracy, in points.",
    draw=draw_text_bootstrap,
)
def text_bootstrap(p: EstimateParameters, run: Run) -> Regenerated:
    """Bias of the .632 bootstrap with the most samples, against the true accuracy of Table 1, points.

    Returns
    -------
    Regenerated
        The printed key, and own rows for the other data sets and inducers.  Data ``bias``.
    """
    truths = truths_of(p, run)
    last = max(p.bootstrap_samples)
    rows, table = [], []
    for (name, inducer), own in estimates_of(p, run).items():
        mean, truth = accuracy.mean(own[p.last].to_numpy()), truths[name, inducer]
        bias = mean.minus(truth)
        rows.append(Row.of(column_and_reading(inducer)[1], key_of(name, inducer), "bias-percent", bias))
        found = {"bias": bias.value, "se": bias.se, "estimate": mean.value, "truth": truth.value}
        apparent = float(own[APPARENT].mean())
        table.append({"set": name, "inducer": inducer, **found, "resubstitution": apparent, "n": mean.n})
    frame = pd.DataFrame(table)
    most = largest(frame, "bias")
    erratum = Erratum(
        "Section 5.1",
        "Bias is defined as the expected value minus the estimated value.",
        "The estimated value minus the expected one: only so does an optimistic estimate have the positive bias that "
        "the same section gives it.",
        f"The .632 bootstrap with {last} samples gives {title_of(most.inducer)} on {most.set} {most.estimate:.1f} % "
        f"where {most.truth:.1f} % is true: {most.truth - most.estimate:+.1f} points "
        "by the printed definition.",
    )
    worst = "; ".join(
        f"{title_of(r.inducer)} on {r.set} {r.bias:+.1f} (its training accuracy is {r.resubstitution:.1f} %)"
        for r in each(frame.nlargest(3, "bias"))
    )
    finding = f"Where the .632 bootstrap ({last} samples) is most optimistic, in points: {worst}."
    return Regenerated(rows, {"bias": frame}, findings=[finding], errata=[erratum] if most.bias > 0 else [])
