"""A reader's classifier against another, against the cases held back, and against mere tuning.

Rates, differences and gains are in percent and percentage points.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pandas as pd

from errorest.assessment.compare import ErrorDifference, compare_errors
from errorest.estimation.intervals import score_interval
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.guide.own.data import OwnDataParameters, chosen, data_cell, sets
from errorest.guide.own.designs import error_on, procedure_study
from errorest.guide.own.estimates import estimates
from errorest.guide.own.words import code, last_name, listed, points, some
from errorest.tuning_bias import TuningBias, tuning_bias

__all__ = ["comparison", "held_back", "tuning"]

_NOTHING = float("nan")
_BASELINE = "majority"
_SCENARIOS = {
    "independent": "best of independent settings",
    "greedy": "greedy optimizer",
    "listed": "bound, settings listed",
    "adaptive": "bound, settings chosen as one goes",
}
_CURVE = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)


def _on_the_rest(p: OwnDataParameters, inducer: str) -> tuple[int, int]:
    """Count the errors of the classifier made of the cases taken on those held back."""
    whole, taken = sets(p)
    return error_on(inducer, whole.take(np.concatenate(taken)), taken.cases.size, p.seed)


def comparison(p: OwnDataParameters, run: Run) -> Regenerated:
    """Compare the classifier with another, and with always answering one class, on shared splits.

    Returns
    -------
    Regenerated
        Own rows: each rival by error of both, difference (its standard error corrected for shared training cases),
        low and high.  Data ``differences``, with ``rest`` the difference on the cases held back (NaN if none are).
    """
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows, lines, found = [], [], []
    for rival in dict.fromkeys((p.against, _BASELINE)):
        if rival == p.inducer:
            continue
        result = compare_errors(p.inducer, rival, sample, rng=p.seed, confidence=p.confidence, encode=True)
        rest = _NOTHING
        if taken.rest.size:
            (ours, tested), (theirs, _) = (_on_the_rest(p, c) for c in (p.inducer, rival))
            rest = 100 * (ours - theirs) / tested
        between, row = result.interval, f"against {last_name(rival)}"
        lines.append(
            {
                "rival": rival,
                "error": 100 * result.error_a,
                "rival's error": 100 * result.error_b,
                "difference": 100 * result.difference,
                "low": 100 * between.low,
                "high": 100 * between.high,
                "rest": rest,
            }
        )
        rows += [
            Row("literal", row, "error-percent", round(100 * result.error_a, 1), _NOTHING, 1),
            Row("literal", row, "error of the other-percent", round(100 * result.error_b, 1), _NOTHING, 1),
            Row("literal", row, "difference, points", 100 * result.difference, 100 * result.standard_error, 1),
            Row("literal", row, "low", round(100 * between.low, 1), _NOTHING, 1),
            Row("literal", row, "high", round(100 * between.high, 1), _NOTHING, 1),
        ]
        found += [_told(p, rival, result, rest), *(f"Beware: {text}." for text in result.warnings)]
    return Regenerated(rows, {"differences": pd.DataFrame(lines)}, [], list(dict.fromkeys(found)))


def _told(p: OwnDataParameters, rival: str, result: ErrorDifference, rest: float) -> str:
    between, test = result.interval, result.sign_test
    less, more = (p.inducer, rival) if result.difference <= 0 else (rival, p.inducer)
    if between.low <= 0 <= between.high:
        verdict = "the interval contains zero, so that these cases do not tell which of the two errs less"
    else:
        verdict = f"{code(last_name(less))} errs less than {code(last_name(more))}"
    told = (
        f"{code(last_name(p.inducer))} less {code(last_name(rival))}: {points(result.difference)} points, "
        f"{100 * between.confidence:g} % interval {points(between.low)} to {points(between.high)}: {verdict}. On one "
        f"holdout of {some(test.tested, 'case')} the first alone gets {test.only_a} wrong and the other alone "
        f"{test.only_b} (sign test: p = {test.p_value:.2g})."
    )
    if not np.isnan(rest):
        told += f" On the cases held back the difference is {points(rest / 100)} points."
    return told


def held_back(p: OwnDataParameters, run: Run) -> Regenerated:
    """Measure what nobody knows as a rule: the error on the cases held back.

    Returns
    -------
    Regenerated
        Without rows where no case is held back; else own rows ``this classifier`` (its standard error is the
        binomial one) and ``mean of such classifiers``, and how they vary.  Data ``draws`` (error of each classifier
        of as many cases) and ``truth`` (estimate, low, high, classifier, procedure).
    """
    whole, taken = sets(p)
    result = chosen(p)
    between = result.interval
    low, high = (_NOTHING, _NOTHING) if between is None else (between.low, between.high)
    truth: dict[str, Any] = {"estimate": 100 * result.estimate, "low": 100 * low, "high": 100 * high}
    if not taken.rest.size:
        return Regenerated(
            [],
            {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": []})},
            [],
            [
                (
                    "No case was held back, so that nothing can be said of the truth beyond the interval. With fewer "
                    "`cases` than the file holds, this section shows how good the estimate was."
                )
            ],
        )
    wrong, tested = _on_the_rest(p, p.inducer)
    made = run(procedure_study(data_cell(p, whole, taken), p.draws))
    errors = 100 * (made["errors"] / made["tested"]).to_numpy()
    mean, spread = accuracy.mean(errors), accuracy.standard_deviation(errors)
    rate = wrong / tested
    truth |= {"classifier": 100 * rate, "procedure": mean.value}
    rows = [
        Row("literal", "this classifier", "error-percent", 100 * rate, 100 * sqrt(rate * (1 - rate) / tested), tested),
        Row("literal", "mean of such classifiers", "error-percent", mean.value, mean.se, mean.n),
        Row("literal", "standard deviation of such classifiers", "error-percent", spread.value, spread.se, spread.n),
    ]
    around_low, around_high = (float(v) for v in score_interval(wrong, tested, p.confidence))
    found = [
        (
            f"**The classifier made of these {taken.cases.size:,} cases gets {wrong:,} of the {tested:,} cases held "
            f"back wrong: {points(rate)} %** ({100 * p.confidence:g} % interval {points(around_low)} to "
            f"{points(around_high)} %, since these are not all cases in the world). The estimate was "
            f"{points(result.estimate)} %, off by {points(result.estimate - rate)} points."
        ),
        (
            f"{mean.n} classifiers, each made of {taken.cases.size:,} other cases drawn at random and tested on the "
            f"rest, err on {mean.value:.1f} % on average, and one differs from another by a standard deviation of "
            f"{spread.value:.1f} points: the luck of which cases one has."
        ),
    ]
    found += _missed(estimates(p, run).data["estimates"], 100 * rate, mean.value)
    checks = []
    if not np.isnan(low):
        told = f"{points(low)} to {points(high)} %"
        checks = [
            Check(
                f"The interval contains {what}.",
                f"{told}; {100 * value:.1f} %",
                "holds" if low <= value <= high else "fails",
            )
            for what, value in (
                ("the error of this classifier on the cases held back", rate),
                ("the mean error of such classifiers", mean.value / 100),
            )
        ]
        found.append(
            f"One data set proves nothing of a method: of all {100 * p.confidence:g} % intervals, "
            f"{100 - 100 * p.confidence:.3g} % are meant to miss."
        )
    return Regenerated(rows, {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": errors})}, checks, found)


def _missed(table: pd.DataFrame, classifier: float, procedure: float) -> list[str]:
    """Say which of all intervals do not contain what they might be about."""
    between = table.dropna(subset=["low", "high"])
    if not len(between):
        return []
    told = []
    for value in (classifier, procedure):
        out = between.loc[(between["low"] > value) | (between["high"] < value), "name"].tolist()
        told.append(f"{value:.1f} % is missed by {listed(out, 20) if out else 'none'}")
    return [f"Of the {len(between)} intervals above: {'; '.join(told)}."]


def tuning(p: OwnDataParameters, run: Run) -> Regenerated:
    """Ask how much of the gain over always answering one class tuning alone could have bought.

    The estimate is taken for the rate of errors on as many tested cases as were taken.

    Returns
    -------
    Regenerated
        Own rows: each way of seeing the tuning by points bought, their share of the gain, and the chance to buy
        all of it.  Data ``curve`` (settings, way, bought points) and ``gain``.
    """
    result = chosen(p)
    n, error, bar = result.n, min(1.0, max(0.0, result.estimate)), result.majority_error
    gain = bar - error
    answer = _bought(p, n, bar, p.settings_tried, gain)
    rows = []
    for name, row in _SCENARIOS.items():
        one = answer[name]
        rows.append(Row("literal", row, "bought, points", round(100 * one.expected_bias, 1), _NOTHING, 1))
        if gain > 0:
            share = round(100 * min(1.0, one.expected_bias / gain), 1)
            rows += [
                Row("literal", row, "share of the gain-percent", share, _NOTHING, 1),
                Row("literal", row, "chance of all of it-percent", round(100 * one.probability, 2), _NOTHING, 1),
            ]
    numbers = sorted({*_CURVE, p.settings_tried})
    curve = [
        {"settings": t, "way": _SCENARIOS[s.name], "bought": 100 * s.expected_bias}
        for t in numbers
        for s in _bought(p, n, bar, t, gain).scenarios
    ]
    data = {
        "curve": pd.DataFrame(curve),
        "gain": pd.DataFrame([{"gain": 100 * gain, "settings": p.settings_tried, "cases": n}]),
    }
    return Regenerated(rows, data, [], _tuning_told(p, n, error, gain, answer))


def _bought(p: OwnDataParameters, n: int, bar: float, settings: int, gain: float) -> TuningBias:
    classes = sum(k > 0 for k in chosen(p).class_counts.values())
    hits = round((1 - bar) * n)
    extra = max(1, min(n - hits, round(gain * n)))
    return tuning_bias(n, hits=hits, classes=max(2, classes), trials=settings, extra=extra)


def _tuning_told(p: OwnDataParameters, n: int, error: float, gain: float, answer: TuningBias) -> list[str]:
    if gain <= 0:
        return [
            (
                f"The estimate of {points(error)} % is no better than always answering with one class, so that there "
                "is no gain to ask about."
            )
        ]
    t, luck = p.settings_tried, answer["independent"]
    out = [
        (
            f"The gain over always answering with one class is {points(gain)} points. Had {some(t, 'setting')} been "
            f"tried on these {n:,} cases, none of them better than that answer, the best would look "
            f"{points(luck.expected_bias)} points better by luck: {100 * luck.expected_bias / gain:.0f} % of the gain. "
            f"All of it comes by luck with a probability of {_chance(luck.probability)}."
        )
    ]
    if t > 1:
        own = _honest(n, error, t)
        out.append(
            f"If the estimate of {points(error)} % is the best of {t:,} equally good settings, chosen by this very "
            f"estimate, each of them errs on about {points(own)} % in truth. If the settings were chosen on other "
            "cases, nothing is to be taken off."
        )
        out.append(
            f"The greedy optimizer of Scheffer & Herbrich, which spells out the labels of the tested cases, would buy "
            f"{points(answer['greedy'].expected_bias)} points with {t:,} trials. No list of {t:,} settings made "
            f"beforehand can buy more than {points(min(1.0, answer['listed'].expected_bias))} on average."
        )
    return out


def _chance(share: float) -> str:
    return f"{100 * share:.2g} %" if share >= 1e-4 else "less than 0.01 %"


def _honest(n: int, observed: float, settings: int) -> float:
    """Find the error rate of equally good settings of which the best looks as good as what was observed."""

    def best(errors: int) -> float:
        luck = tuning_bias(n, hits=n - errors, classes=2, trials=settings)["independent"].expected_bias
        return errors / n - luck

    low, high = round(observed * n), n
    if best(high) <= observed:
        return high / n
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if best(middle) <= observed else (low, middle)
    below, above = best(low), best(high)
    share = 0.0 if above <= below else min(1.0, max(0.0, (observed - below) / (above - below)))
    return (low + share * (high - low)) / n
