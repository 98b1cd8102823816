"""Which estimator when: the cross-examination's results turned into advice, and what tuning alone would buy.

For a kind of inducer and a range of sample sizes the advice is the estimator with the fewest fits
among those whose error is close to the least.  Every number comes from the study; nothing is a
rule of thumb.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from pydantic import field_validator

from errorest.estimation.estimators import fits_of
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.claims import signed
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.records import smallest
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.guide.cross.cases import (
    CONTENDERS,
    REFERENCE,
    SYMBOLS,
    Case,
    CrossParameters,
    cases_of,
    mean_ratio,
    unbroken,
)
from errorest.guide.cross.designs import CLONED, INTERVALS, estimator_ids
from errorest.papers.parameters import parameter
from errorest.tuning_bias import needed_test_size, tuning_bias
from errorest.tuning_bias.sizing import OutOfReachError

__all__ = ["LEARNER_TITLES", "AdviceParameters", "Band", "advice", "price_of_tuning"]

READING = "unstated:cross-examination"

LEARNER_TITLES = {
    "memorizer": "memorizers (1-NN, unpruned tree)",
    "neighbours": "nearest neighbours, k > 1",
    "linear": "linear rules",
    "kernel machine": "RBF machine",
    "pruned tree": "pruned tree (C4.5)",
    "Naive Bayes": "Naive Bayes",
}
"""Kinds of inducers, in the order of the guide."""

_INTERVAL_OF = {
    "cv-10": "cv-wald",
    "stratified-cv-10": "kohavi",
    "loo": "loo-kohavi",
    "bootstrap-632-plus": "632-plus",
}


class AdviceParameters(CrossParameters):
    """Parameters of the guide: the cross-examination's, and how close to the best is close enough."""

    bands: list[int] = parameter(
        [24, 60, 100], "upper ends of the ranges of sample sizes; the last range is open", min_length=1
    )
    tolerance: float = parameter(
        0.05, "share by which an error may exceed the least one if that saves fits", ge=0, lt=1
    )
    most_bias: float = parameter(
        0.05, "mean size of the bias up to which an estimator is advised, a proportion", gt=0, le=1
    )
    test_cases: list[int] = parameter([20, 50, 100, 500, 1000, 5000], "tested cases, m", min_length=2)
    settings_tried: list[int] = parameter([2, 5, 10, 30, 100, 1000], "settings tried, t", min_length=2)
    accuracy: float = parameter(0.8, "accuracy of every setting, a proportion", gt=0, lt=1)
    gain: float = parameter(0.02, "gain that tuning alone must not buy, a proportion", gt=0, lt=1)
    risk: float = parameter(0.05, "probability of such a gain that is accepted", gt=0, lt=1)

    @field_validator("bands")
    @classmethod
    def _ascending(cls, value: list[int]) -> list[int]:
        if sorted(set(value)) != value or value[0] < 2:
            raise ValueError(f"bands are {value}; expected ascending numbers of cases from 2 on; mend the list")
        return value


class Band(NamedTuple):
    """A range of sample sizes: more than ``low`` cases, at most ``high``; None where it is open."""

    low: int
    high: int | None

    @property
    def title(self) -> str:
        """In words.

        Examples
        --------
        >>> Band(0, 24).title, Band(24, 60).title, Band(100, None).title
        ('up to 24 cases', '25 to 60 cases', 'over 100 cases')
        """
        if self.high is None:
            return f"over {self.low} cases"
        return f"up to {self.high} cases" if self.low == 0 else f"{self.low + 1} to {self.high} cases"

    def holds(self, n: int) -> bool:
        """Whether a sample size lies in the range."""
        return n > self.low and (self.high is None or n <= self.high)


def _bands(p: AdviceParameters) -> list[Band]:
    return [Band(a, b) for a, b in zip([0, *p.bands], [*p.bands, None], strict=True)]


class _Choice(NamedTuple):
    """What a group of cases advises."""

    estimator: str
    fits: int
    ratio: Measured
    least: str
    least_ratio: Measured


def _fits(estimator: str, cases: Sequence[Case]) -> int:
    """Fits at the median of the group's sample sizes, an existing one."""
    case = sorted(cases, key=lambda c: c.setting.n)[len(cases) // 2]
    s = case.setting
    return fits_of([estimator_ids(s.n, s.effort)[estimator]], s.n)


def _choose(cases: Sequence[Case], candidates: Sequence[str], tolerance: float, most_bias: float) -> _Choice:
    """Take the estimator with the fewest fits among those whose mean error is close to the least.

    Bias that no interval shows counts against an estimator however little it varies; if all are
    biased by more than is allowed, the least biased one is taken.
    """
    held = [e for e in candidates if all(c.has(e) for c in cases)]
    bias = {e: float(np.mean([abs(c.bias(e).value) for c in cases])) for e in held}
    held = [e for e in held if bias[e] <= most_bias] or [min(held, key=lambda e: bias[e])]
    ratios = {e: mean_ratio(cases, e) for e in held}
    known = [e for e in held if np.isfinite(ratios[e].value)]
    least = min(known, key=lambda e: ratios[e].value)
    close = [e for e in known if ratios[e].value <= (1 + tolerance) * ratios[least].value]
    chosen = min(close, key=lambda e: (_fits(e, cases), ratios[e].value))
    return _Choice(chosen, _fits(chosen, cases), ratios[chosen], least, ratios[least])


_PLAIN = tuple(e for e in CONTENDERS if e not in CLONED)


def advice(p: AdviceParameters, run: Run) -> Regenerated:
    """What to use by kind of inducer and sample size, what it costs, and how far off it is.

    Returns
    -------
    Regenerated
        Rows: inducer and range of sizes with the advised estimator, by fits, error (root mean squared, points),
        its ratio to stratified ten-fold cross-validation, bias and coverage.  Data ``advice`` (one line a
        group, what the figure is drawn from) and ``groups`` (every estimator of every group).
    """
    cases = cases_of(p, run)
    rows: list[Row] = []
    lines: list[dict[str, Any]] = []
    everything = []
    for learner, title in LEARNER_TITLES.items():
        for band in _bands(p):
            own = [c for c in cases if c.learner == learner and band.holds(c.setting.n)]
            if not own:
                continue
            plain = _choose(own, _PLAIN, p.tolerance, p.most_bias)
            clone = _choose(own, CONTENDERS, 0.0, p.most_bias)
            rmse = _average(own, plain.estimator, "rmse")
            bias = _average(own, plain.estimator, "bias")
            interval = _INTERVAL_OF.get(plain.estimator)
            cover = [c.coverage(interval) for c in own] if interval else []
            covered = 100 * float(np.mean([m.value for m in cover])) if cover else float("nan")
            line = {
                "learner": learner,
                "title": title,
                "band": band.title,
                "cases": len(own),
                "use": plain.estimator,
                "fits": plain.fits,
                "rmse": rmse.value,
                "rmse_se": rmse.se,
                "bias": bias.value,
                "bias_se": bias.se,
                "ratio": plain.ratio.value,
                "ratio_se": plain.ratio.se,
                "coverage": covered,
                "interval": interval or "",
                "least": clone.least,
                "least_ratio": clone.least_ratio.value,
                "least_fits": _fits(clone.least, own),
            }
            lines.append(line)
            row = unbroken(f"{title}/{band.title}: use {SYMBOLS[plain.estimator]}")
            rows += [
                Row(READING, row, "cases", float(len(own)), 0.0, 1),
                Row(READING, row, "fits", float(plain.fits), 0.0, 1),
                Row(READING, row, "off-by-percent", rmse.value, rmse.se, rmse.n),
                Row(READING, row, "bias-percent", bias.value, bias.se, bias.n),
                Row(
                    READING,
                    row,
                    unbroken("ratio to stratified 10-CV"),
                    plain.ratio.value,
                    plain.ratio.se,
                    plain.ratio.n,
                ),
            ]
            if cover:
                se = float(np.sqrt(sum(m.se**2 for m in cover))) / len(cover)
                rows.append(Row(READING, row, "coverage-percent", covered, 100 * se, len(cover)))
            for name in CONTENDERS:
                held = [c for c in own if c.has(name)]
                if held:
                    m = mean_ratio(held, name)
                    everything.append(
                        {
                            "learner": learner,
                            "band": band.title,
                            "estimator": name,
                            "ratio": m.value,
                            "se": m.se,
                            "cases": m.n,
                            "fits": _fits(name, held),
                        }
                    )
    table = pd.DataFrame(lines)
    groups = pd.DataFrame(everything)
    return Regenerated(rows, {"advice": table, "groups": groups}, _robust(cases), _sentences(p, cases, table))


def _average(cases: Sequence[Case], estimator: str, what: str) -> Measured:
    found = [getattr(c, what)(estimator) for c in cases]
    se = float(np.sqrt(sum(m.se**2 for m in found))) / len(found)
    return Measured(100 * float(np.mean([m.value for m in found])), 100 * se, len(found))


def _robust(cases: Sequence[Case]) -> list[Check]:
    """Say which estimators never do much worse than the best of a case that draws no clones."""
    worst = {}
    for name in _PLAIN:
        over = []
        for c in cases:
            least = min(c.rmse(e).value for e in _PLAIN if c.has(e))
            if least > 0:
                over.append((c.rmse(name).value / least, c))
        worst[name] = max(over, key=lambda pair: pair[0])
    safe = min(worst, key=lambda e: worst[e][0])
    return [
        Check(
            "One estimator is good enough for everything.",
            "largest ratio of its error to the least of the same case: "
            + ", ".join(f"{SYMBOLS[e]} {worst[e][0]:.1f}" for e in sorted(worst, key=lambda e: worst[e][0]))
            + f"; that of {SYMBOLS[safe]} is for {worst[safe][1].title}",
            "holds" if worst[safe][0] <= _GOOD_ENOUGH else "fails",
        )
    ]


_GOOD_ENOUGH = 1.25


def _sentences(p: AdviceParameters, cases: Sequence[Case], table: pd.DataFrame) -> list[str]:
    whole = [c for c in cases if not c.setting.without]
    plus, clones = (mean_ratio(whole, e) for e in ("bootstrap-632-plus", "cloned-632-plus-correct"))
    uses = table["use"].value_counts()
    said = "; ".join(f"{SYMBOLS[str(name)]} in {int(count)}" for name, count in uses.items())
    found = [
        (
            f"**What to use.** Of {len(table)} groups without clones: {said}. Each is the estimator with the fewest "
            f"fits "
            f"within {100 * p.tolerance:g} % of the least error, of those whose bias is at most {100 * p.most_bias:g} "
            f"points "
            "on the average."
        ),
        (
            f"**When in doubt.** Over the {len(whole)} cases in which everything was run, the error of .632+ is "
            f"{plus.value:.2f} ± "
            f"{plus.se:.2f} times that of stratified ten-fold cross-validation, for "
            f"{p.bootstrap_samples + 1} fits instead of 10."
        ),
        (
            f"**Clones.** .632+ on clones brings this to {clones.value:.2f} ± {clones.se:.2f}, for at least as many "
            f"fits and the "
            "density of each sample that lacks a case."
        ),
    ]
    gain = table[(table["least"].isin(CLONED)) & (table["least_ratio"] < (1 - p.tolerance) * table["ratio"])]
    if len(gain):
        most = smallest(gain.assign(share=gain["least_ratio"] / gain["ratio"]), "share")
        found.append(
            f"Clones pay by more than {100 * p.tolerance:g} % in {len(gain)} groups, most for {most.title}, "
            f"{most.band}: {SYMBOLS[most.least]}, {most.least_ratio:.2f} against {most.ratio:.2f}, for "
            f"{most.least_fits} fits instead of {most.fits}."
        )
    dear = max((c for c in cases), key=lambda c: c.rmse(REFERENCE).value)
    found.append(
        f"**How far off.** Even the advised estimate is off by {table['rmse'].min():.1f} to {table['rmse'].max():.1f} "
        f"points (root mean square, average of a group); stratified ten-fold cross-validation by up to "
        f"{100 * dear.rmse(REFERENCE).value:.0f}, {dear.title}."
    )
    coverage = {name: 100 * float(np.mean([c.coverage(name).value for c in cases])) for name in INTERVALS}
    best = min(coverage, key=lambda k: abs(coverage[k] - 95))
    found.append(
        "**An interval.** Asked for 95 %, "
        + ", ".join(f"{_INTERVAL_WORDS[name]} {value:.0f} %" for name, value in coverage.items())
        + f" contain the true error on the average of all cases; nearest is {_INTERVAL_WORDS[best]}."
    )
    size, few = _middle(p.test_cases), _middle(p.settings_tried)
    price = _bias(p, size, few)
    found.append(
        f"**Tried several settings?** The best of {few} equally good settings looks {price:.1f} points better than it "
        f"is "
        f"on {size} tested cases, by luck alone, at an accuracy of {p.accuracy:g}. Subtract that, or test the chosen "
        "setting on cases that had no say in the choice."
    )
    correlations = [accuracy.correlation(c.columns[REFERENCE], c.truth).value for c in cases]
    found.append(
        "**Do not compare samples.** Between samples of one setting the correlation of stratified ten-fold "
        f"cross-validation with the true error is at the median {signed(float(np.nanmedian(correlations)), 2)}: an "
        "estimate says more of the problem than of the luck of this sample."
    )
    return found


_INTERVAL_WORDS = {
    "kohavi": "equation 3 on stratified 10-CV",
    "cv-wald": "CV Wald",
    "loo-kohavi": "equation 3 on LOO",
    "632-plus": "the .632+ interval",
}


def _middle(values: Sequence[int]) -> int:
    return sorted(values)[len(values) // 2]


def _bias(p: AdviceParameters, m: int, t: int) -> float:
    return 100 * tuning_bias(m, accuracy=p.accuracy, classes=2, trials=t)["independent"].expected_bias


def price_of_tuning(p: AdviceParameters, run: Run | None = None) -> Regenerated:
    """How much the best of t equally good settings seems to gain on m tested cases, by luck alone.

    Returns
    -------
    Regenerated
        Rows: tested cases by settings tried, in points.  Data ``price``; a finding names test sizes to ask for.

    Examples
    --------
    >>> made = price_of_tuning(AdviceParameters(test_cases=[100, 1000], settings_tried=[2, 100]))
    >>> [round(r.value, 1) for r in made.rows]
    [2.3, 9.4, 0.7, 3.1]
    """
    rows, lines = [], []
    for m in p.test_cases:
        for t in p.settings_tried:
            value = round(_bias(p, m, t), 9)
            # a column with an equals sign would count as a label, and is left out of grids
            rows.append(Row(READING, f"m={m}", f"{t} settings", value, 0.0, 1))
            lines.append({"m": m, "trials": t, "bias": value})
    most = max(p.settings_tried)
    try:
        size = needed_test_size(most, p.gain, p.risk, accuracy=p.accuracy, scenario="independent", classes=2)
        told = (
            f"So that {most} settings do not buy {100 * p.gain:g} points with a probability over {100 * p.risk:g} %, "
            f"{size:,} tested cases are needed."
        )
    except OutOfReachError:
        told = f"No test set is large enough for {most} settings not to buy {100 * p.gain:g} points."
    few, many = min(p.test_cases), max(p.test_cases)
    findings = [
        (
            f"At an accuracy of {p.accuracy:g}, trying {most} settings on {few} cases seems to gain "
            f"{_bias(p, few, most):.1f} "
            f"points though all are equally good, and {_bias(p, many, most):.1f} on {many}. {told}"
        )
    ]
    return Regenerated(rows, {"price": pd.DataFrame(lines)}, [], findings)
