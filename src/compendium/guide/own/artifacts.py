"""What a reader's own data tell: what is in the file, the error rate in every way, rivals, the truth, mere tuning.

Rates and their intervals are in percent; the standard error of a rate is the one that its own method gives.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan, sqrt
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import dicts
from compendium.evidence.results import ArtifactResult, Check, Row, Run, rows_of
from compendium.guide.own import sentences
from compendium.guide.own.experiment import (
    Candidate,
    OwnDataParameters,
    candidates,
    chosen,
    chosen_key,
    estimate_study,
    is_foreign,
    most_fits,
    on_the_rest,
    procedure_study,
    sets,
)
from compendium.guide.own.figures import draw_classes, draw_comparison, draw_estimates, draw_held_back, draw_tuning
from compendium.guide.own.luck import SCENARIOS, bought, curve_of
from compendium.guide.own.words import points
from errorest.assessment.caution import with_id
from errorest.assessment.comparing import compare
from errorest.assessment.estimates import ErrorEstimate
from errorest.data.sample import Sample
from errorest.inducers.named import last_name

__all__ = ["comparison", "estimates", "held_back", "tuning", "what_is_there"]

_BASELINE = "majority"
_NOTHING = float("nan")


def _told(row: str, values: Mapping[str, float], digits: int = 1) -> list[Row]:
    """Make rows of numbers without an error, of which as many digits as these count."""
    return [Row("literal", row, column, round(value, digits), _NOTHING, 1) for column, value in values.items()]


def _limits(result: ErrorEstimate) -> tuple[float, float]:
    between = result.interval
    return (_NOTHING, _NOTHING) if between is None else (between.low, between.high)


@artifact("guide-own-data", draw=draw_classes, matrix=True)
def what_is_there(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Count what is in the file and in the cases taken, and say what to beware of."""
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows = [
        Row("literal", row, column, float(value), _NOTHING, 1)
        for column, one in (("file", whole), ("taken", sample))
        for row, value in _counted(one).items()
    ]
    attributes = pd.DataFrame(
        [
            (a.name, a.kind, int(np.unique(known).size), int(whole.n - known.size))
            for a, known in ((a, v[~np.isnan(v)]) for a, v in zip(whole.attributes, whole.X.T, strict=True))
        ],
        columns=["attribute", "kind", "distinct values", "missing"],
    )
    classes = pd.DataFrame(
        {"class": whole.classes, "in the file": whole.class_counts(), "taken": sample.class_counts()}
    )
    found = [*sentences.contents(whole, taken, attributes), *sentences.traps(whole, sample, attributes)]
    return ArtifactResult(rows, {"classes": classes, "attributes": attributes}, [], found)


def _counted(sample: Sample) -> dict[str, int]:
    return {
        "cases": sample.n,
        "attributes": sample.d,
        "classes": int(np.count_nonzero(sample.class_counts())),
        "missing cells": int(np.isnan(sample.X).sum()),
        "cases that repeat another": sample.duplicates(),
        **{f"class {c}": int(k) for c, k in zip(sample.classes, sample.class_counts(), strict=True)},
    }


@artifact("guide-own-estimates", draw=draw_estimates, matrix=True)
def estimates(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Estimate the error rate as asked, and beside it in every other way (percent)."""
    result = chosen(p)
    wanted = [c for c in candidates(p.replicates, result.n) if c.key != chosen_key(result)]
    affordable = [c for c in wanted if c.fits <= most_fits(p)]
    lines = [_line_of(result)]
    if affordable:
        made = dicts(run(estimate_study(p, affordable)))
        lines += [_line(c, m) for c, m in zip(affordable, made, strict=True) if m["made"]]
    table = pd.DataFrame(lines)
    rows = []
    for one in lines:
        row = "chosen" if one["chosen"] else str(one["name"])
        # without a standard error nothing else tells how many digits count
        error = round(one["error"], 1) if isnan(one["se"]) else one["error"]
        rows.append(Row("literal", row, "error-percent", error, one["se"], 1))
        further = {"low-percent": one["low"], "high-percent": one["high"], "fits": float(one["fits"])}
        rows += _told(row, {column: value for column, value in further.items() if not isnan(value)})
    missed = [c.key for c in affordable if c.key not in set(table["name"])]
    costly = [c for c in wanted if c not in affordable]
    found = [*sentences.answer(p, result), *sentences.others(table), *sentences.left_out(p, costly, missed)]
    found += [f"Beware: {with_id(text)}." for text in result.warnings]
    held = on_the_rest(p, p.inducer) if sets(p)[1].rest.size else None
    truth = pd.DataFrame({"classifier": [] if held is None else [100 * held[0] / held[1]]}, dtype=float)
    return ArtifactResult(rows, {"estimates": table, "truth": truth}, [], found)


def _line(c: Candidate, made: Mapping[str, float]) -> dict[str, Any]:
    return {
        "name": c.key,
        "estimator": c.estimator if c.interval is None else "",
        "interval": c.interval or "",
        "error": 100 * made["estimate"],
        **{k: 100 * made[k] for k in ("low", "high", "se")},
        "fits": c.fits,
        "chosen": False,
    }


def _line_of(result: ErrorEstimate) -> dict[str, Any]:
    interval = None if result.interval is None else result.interval.method
    se = _NOTHING if result.standard_error is None else result.standard_error
    low, high = _limits(result)
    c = Candidate(chosen_key(result), result.estimator, interval, result.n_fits)
    made = {"estimate": result.estimate, "low": low, "high": high, "se": se}
    return {**_line(c, made), "estimator": result.estimator, "chosen": True}


@artifact("guide-own-comparison", draw=draw_comparison, matrix=True)
def comparison(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Compare the classifier with another, and with always answering one class, on shared splits."""
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows, lines, found = [], [], []
    for rival in (c for c in dict.fromkeys((p.against, _BASELINE)) if c != p.inducer):
        encode = is_foreign(p.inducer, rival)
        result = compare(p.inducer, rival, sample, rng=p.seed, confidence_level=p.confidence, encode=encode)
        rest = _NOTHING
        if taken.rest.size:
            (ours, tested), (theirs, _) = (on_the_rest(p, c) for c in (p.inducer, rival))
            rest = 100 * (ours - theirs) / tested
        line = {
            "error": 100 * result.error_a,
            "rival's error": 100 * result.error_b,
            "difference": 100 * result.difference,
            "low": 100 * result.interval.low,
            "high": 100 * result.interval.high,
        }
        lines.append({"rival": rival, **line, "rest": rest})
        row = f"against {last_name(rival)}"
        rows += _told(row, {"error-percent": line["error"], "error of the other-percent": line["rival's error"]})
        difference = Estimate(result.difference, result.standard_error, 1)
        rows += rows_of("literal", row, [("difference, points", difference)], factor=100)
        rows += _told(row, {"low": line["low"], "high": line["high"]})
        found += [
            sentences.compared(p, rival, result, rest),
            *(f"Beware: {with_id(text)}." for text in result.warnings),
        ]
    return ArtifactResult(rows, {"differences": pd.DataFrame(lines)}, [], list(dict.fromkeys(found)))


@artifact("guide-own-truth", draw=draw_held_back, matrix=True)
def held_back(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Measure what nobody knows as a rule: the error on the cases held back."""
    _, taken = sets(p)
    result = chosen(p)
    low, high = _limits(result)
    truth: dict[str, Any] = {"estimate": 100 * result.estimate, "low": 100 * low, "high": 100 * high}
    if not taken.rest.size:
        data = {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": []})}
        return ArtifactResult([], data, [], [sentences.NOTHING_HELD_BACK])
    wrong, tested = on_the_rest(p, p.inducer)
    made = run(procedure_study(p))
    errors = 100 * (made["errors"] / made["tested"]).to_numpy()
    mean, spread = accuracy.mean(errors), accuracy.standard_deviation(errors)
    rate = wrong / tested
    truth |= {"classifier": 100 * rate, "procedure": mean.value}
    measured = {
        "this classifier": Estimate(100 * rate, 100 * sqrt(rate * (1 - rate) / tested), tested),
        "mean of such classifiers": mean,
        "standard deviation of such classifiers": spread,
    }
    return ArtifactResult(
        [Row.of("literal", row, "error-percent", m) for row, m in measured.items()],
        {"truth": pd.DataFrame([truth]), "draws": pd.DataFrame({"error": errors})},
        _contained(low, high, rate, mean.value / 100),
        [
            *sentences.truth_told(p, result, (wrong, tested), mean, spread),
            *sentences.missed(estimates(p, run).data["estimates"], 100 * rate, mean.value),
            *([] if isnan(low) else [sentences.meant_to_miss(p)]),
        ],
    )


def _contained(low: float, high: float, classifier: float, procedure: float) -> list[Check]:
    """Hold the interval against both truths, if there is one."""
    truths = {
        "the error of this classifier on the cases held back": classifier,
        "the mean error of such classifiers": procedure,
    }
    return [
        Check(
            f"The interval contains {what}.",
            f"{points(low)} to {points(high)} %; {100 * value:.1f} %",
            "holds" if low <= value <= high else "fails",
        )
        for what, value in truths.items()
        if not isnan(low)
    ]


@artifact("guide-own-tuning", draw=draw_tuning, matrix=True)
def tuning(p: OwnDataParameters, run: Run) -> ArtifactResult:
    """Ask how much of the gain over always answering one class tuning alone could have bought.

    The estimate is taken for the rate of errors on as many tested cases as were taken.
    """
    result = chosen(p)
    gain = result.majority_error - min(1.0, max(0.0, result.estimate))
    answer = bought(result, p.settings_tried, gain)
    rows = []
    for name, row in SCENARIOS.items():
        one = answer[name]
        rows += _told(row, {"bought, points": 100 * one.expected_bias})
        if gain > 0:
            rows += _told(row, {"share of the gain-percent": 100 * min(1.0, one.expected_bias / gain)})
            rows += _told(row, {"chance of all of it-percent": 100 * one.probability}, digits=2)
    data = {
        "curve": curve_of(result, p.settings_tried, gain),
        "gain": pd.DataFrame([{"gain": 100 * gain, "settings": p.settings_tried, "cases": result.n}]),
    }
    return ArtifactResult(rows, data, [], list(sentences.tuning_told(p, result, gain, answer)))
