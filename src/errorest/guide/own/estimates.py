"""The error rate of a reader's classifier on a reader's data, as asked for and in every other way.

Rates and their intervals are in percent; the standard error of a rate is the one that its own method gives.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from errorest.assessment.classifiers import resolve_classifier
from errorest.assessment.result import ErrorEstimate
from errorest.evidence.regenerated import Regenerated, Row, Run
from errorest.guide.own.data import OwnDataParameters, chosen, data_cell, sets
from errorest.guide.own.designs import Candidate, candidates, estimate_study
from errorest.guide.own.words import code, listed, points, some
from errorest.inducers.base import Inducer
from errorest.inducers.sklearn_adapter import SklearnInducer

__all__ = ["SEEN", "chosen_key", "estimates", "most_fits"]

SEEN = ("resubstitution", "bs", "bscv", "bsx2")
"""Estimates that test a classifier on cases it was trained on, or on copies of them."""

_OURS, _FOREIGN = 5000, 250
"""Classifiers that an estimate may make: compiled in one pass, or fitted one by one."""

_NO_WIDTH = 1e-9
_NOTHING = float("nan")


def chosen_key(p: OwnDataParameters, result: ErrorEstimate) -> str:
    """Name what was asked for as the list of candidates names it.

    Examples
    --------
    >>> p = OwnDataParameters(inducer="majority", interval="loo-wald")
    >>> chosen_key(p, chosen(p))
    'loo-wald'
    """
    text = result.estimator if result.interval is None else result.interval.method
    return text.partition("(")[0]


def most_fits(p: OwnDataParameters) -> int:
    """Say how many classifiers an estimate beside the chosen one may make.

    Examples
    --------
    >>> most_fits(OwnDataParameters()), most_fits(OwnDataParameters(inducer="sklearn.svm.SVC"))
    (5000, 250)
    """
    if p.most_fits is not None:
        return p.most_fits
    found = resolve_classifier(p.inducer)
    return _OURS if isinstance(found, Inducer) and not isinstance(found, SklearnInducer) else _FOREIGN


def estimates(p: OwnDataParameters, run: Run) -> Regenerated:
    """Estimate the error rate as asked, and beside it in every other way (percent).

    Returns
    -------
    Regenerated
        Own rows: ``chosen`` and each other way by error (its standard error is the method's own), low, high and
        fits.  Data ``estimates``: name, estimator, interval, error, low, high, se, fits, chosen.
    """
    whole, taken = sets(p)
    result = chosen(p)
    key = chosen_key(p, result)
    wanted = [c for c in candidates(p.replicates, taken.cases.size) if c.key != key]
    affordable = [c for c in wanted if c.fits <= most_fits(p)]
    lines = [_line_of(result, key)]
    if affordable:
        made = run(estimate_study(data_cell(p, whole, taken), p.confidence, affordable))
        lines += [
            _line(c, *(float(v) for v in row))
            for c, ok, *row in zip(
                affordable, made["made"], made["estimate"], made["low"], made["high"], made["se"], strict=True
            )
            if ok
        ]
    table = pd.DataFrame(lines)
    rows = []
    for one in table.to_dict("records"):
        row = "chosen" if one["chosen"] else str(one["name"])
        # without a standard error nothing else tells how many digits count
        error = round(one["error"], 1) if np.isnan(one["se"]) else one["error"]
        rows.append(Row("literal", row, "error-percent", error, one["se"], 1))
        rows += [
            Row("literal", row, f"{column}{unit}", round(float(one[column]), 1), _NOTHING, 1)
            for column, unit in (("low", "-percent"), ("high", "-percent"), ("fits", ""))
            if not np.isnan(one[column])
        ]
    missed = [c.key for c in affordable if c.key not in set(table["name"])]
    found = [*_answer(p, result), *_others(table), *_left_out(p, [c for c in wanted if c not in affordable], missed)]
    found += [f"Beware: {text}." for text in result.warnings]
    return Regenerated(rows, {"estimates": table}, [], found)


def _line(c: Candidate, estimate: float, low: float, high: float, se: float) -> dict[str, Any]:
    return {
        "name": c.key,
        "estimator": c.estimator if c.interval is None else "",
        "interval": c.interval or "",
        "error": 100 * estimate,
        "low": 100 * low,
        "high": 100 * high,
        "se": 100 * se,
        "fits": c.fits,
        "chosen": False,
    }


def _line_of(result: ErrorEstimate, key: str) -> dict[str, Any]:
    between = result.interval
    c = Candidate(key, result.estimator, None if between is None else between.method, result.n_fits)
    low, high = (_NOTHING, _NOTHING) if between is None else (between.low, between.high)
    se = _NOTHING if result.standard_error is None else result.standard_error
    return {**_line(c, result.estimate, low, high, se), "estimator": result.estimator, "chosen": True}


def _answer(p: OwnDataParameters, result: ErrorEstimate) -> list[str]:
    """Tell the answer first."""
    between = result.interval
    told = (
        f"**The error rate of {code(p.inducer)}, made of these {result.n:,} cases, is estimated at "
        f"{points(result.estimate)} %"
    )
    if between is None or np.isnan(between.low):
        told += "**, without an interval"
    else:
        told += f"; the {100 * between.confidence:g} % interval runs from {points(between.low)} to "
        told += f"{points(between.high)} %**"
        told += f" (interval {code(between.method)})"
    if result.standard_error is not None:
        told += f"; the standard error is {points(result.standard_error)} points"
    told += f". Estimator: {code(result.estimator)}, at the cost of {some(result.n_fits, 'classifier')}."
    out = [told]
    if between is not None:
        out.append(f"The interval aims at {between.aim}." + (f" Note: {between.note}." if between.note else ""))
    bar = result.majority_error
    out.append(
        f"Always answering with the most frequent class would err on {points(bar)} % of these cases"
        + (
            "; the whole interval lies below that."
            if between is not None and between.high < bar
            else "; the interval reaches that far, so that these cases do not prove the classifier better than that."
            if between is not None and not np.isnan(between.high)
            else "."
        )
    )
    return out


def _others(table: pd.DataFrame) -> list[str]:
    out = []
    unseen = table[~table["name"].isin(SEEN)]
    if len(unseen) > 1:
        low, high = _extremes(unseen, "error")
        out.append(
            f"On the same cases the estimates of {len(unseen)} ways that test, at least in part, on cases left out run "
            f"from {low['error']:.1f} % ({code(str(low['name']))}) to {high['error']:.1f} % "
            f"({code(str(high['name']))}). That much depends on the way, and on how it happened to split the cases."
        )
    wide = table.dropna(subset=["low", "high"]).assign(width=lambda t: t["high"] - t["low"])
    none = wide.loc[wide["width"] <= _NO_WIDTH, "name"].tolist()
    if none:
        out.append(f"Without any width, which is no certainty but a failure on these cases: {listed(none)}.")
    wide = wide[wide["width"] > _NO_WIDTH]
    if len(wide) > 1:
        low, high = _extremes(wide, "width")
        out.append(
            f"The narrowest interval is {low['width']:.1f} points wide ({code(str(low['name']))}), the widest "
            f"{high['width']:.1f} ({code(str(high['name']))}). Narrow is not good: what counts is how often such "
            "intervals contain the truth."
        )
    seen = table[table["name"].isin(SEEN)]
    if len(seen):
        told = ", ".join(f"{code(str(r['name']))} {r['error']:.1f} %" for r in seen.to_dict("records"))
        out.append(f"Tested on cases that the classifiers were trained on, and so as a rule too low: {told}.")
    return out


def _extremes(table: pd.DataFrame, column: str) -> tuple[dict[str, Any], dict[str, Any]]:
    lines = [{str(k): v for k, v in one.items()} for one in table.to_dict("records")]
    return min(lines, key=lambda one: one[column]), max(lines, key=lambda one: one[column])


def _left_out(p: OwnDataParameters, costly: list[Candidate], missed: list[str]) -> list[str]:
    out = []
    if costly:
        told = ", ".join(f"{code(c.key)} ({c.fits:,})" for c in costly)
        out.append(
            f"Left out, since they make more than {most_fits(p):,} classifiers: {told}. The parameter `most_fits` "
            "admits them."
        )
    if missed:
        out.append(
            "Not to be had of these cases (too few of them, or the classifier fails on a resample): "
            f"{listed(missed, 20)}."
        )
    return out
