"""Checks of learners that give class probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest.conformance.requirements import call_or_none, loop_and_batch, require
from errorest.data.sample import Sample
from errorest.inducers.base import ConstantClassifier, Inducer, predict_proba_by_loop
from errorest.resampling.draw import Resamples

# A product of matrices rounds a case alone differently than among others
_TOLERANCE = 1e-9

# Probabilities made of scores lose as much as exponentials of large numbers do
_SUM_TOLERANCE = 1e-6


def gives_probabilities(inducer: Inducer) -> bool:
    """Whether an inducer gives probabilities; an adapter does where what it wraps has predict_proba."""
    inner = getattr(inducer, "estimator", None)
    able = inner is None or callable(getattr(inner, "predict_proba", None))
    return able and callable(getattr(inducer, "predict_proba_resamples", None))


def check_probabilities(where: str, inducer: Any, sample: Sample, argmax: bool) -> None:
    """Check the probabilities of the classifier trained on a whole sample."""
    fitted = inducer.fit(sample, np.random.default_rng(0))
    if isinstance(fitted, ConstantClassifier):
        # it is certain of its class
        return
    require(
        callable(getattr(fitted, "predict_proba", None)),
        f"{where}: the inducer has predict_proba_resamples, but its classifier has no predict_proba",
        "give the classifier predict_proba(X), of shape (m, K)",
    )
    X = sample.X.copy()
    proba = _checked(f"{where}: predict_proba", fitted.predict_proba(X), sample.n, sample.n_classes)
    require(np.array_equal(X, sample.X, equal_nan=True), f"{where}: predict_proba changes X", "copy it first")
    again = inducer.fit(sample, np.random.default_rng(0)).predict_proba(sample.X)
    _equal(f"{where}: two fits on the same sample give different probabilities", proba, again, "draw from rng alone", 0)
    order = np.random.default_rng(4).permutation(sample.n)
    shuffled = fitted.predict_proba(sample.X[order])
    alone = np.concatenate([fitted.predict_proba(sample.X[i : i + 1]) for i in range(sample.n)])
    hint = "use nothing but the case itself"
    _equal(f"{where}: probabilities depend on the order of the cases", proba[order], shuffled, hint)
    _equal(f"{where}: the probabilities of a case depend on the other cases", proba, alone, hint)
    if argmax:
        _check_labels(where, np.asarray(fitted.predict(sample.X)), proba)


def check_batch_probabilities(where: str, inducer: Any, sample: Sample, resamples: Resamples, argmax: bool) -> None:
    """Check that probabilities of all rows in one pass equal those of one fit a row, bit for bit."""
    result = loop_and_batch(
        where,
        resamples,
        lambda: predict_proba_by_loop(inducer, sample, resamples, np.random.default_rng(2)),
        lambda: inducer.predict_proba_resamples(sample, resamples, np.random.default_rng(2)),
    )
    if result is None:
        return
    loop, batch = result
    proba = _checked(f"{where}: predict_proba_resamples", batch, resamples.cases.size, sample.n_classes)
    problem = f"{where}: predict_proba_resamples differs from one fit a row"
    _equal(problem, loop, proba, "compute as the classifier does, with sums in the same order", 0)
    if argmax:
        labels = call_or_none(lambda: inducer.predict_resamples(sample, resamples, np.random.default_rng(2)))
        if labels is not None:
            _check_labels(where, labels, proba)


def _checked(where: str, proba: Any, cases: int, classes: int) -> np.ndarray:
    values = np.asarray(proba)
    require(
        values.shape == (cases, classes) and values.dtype == np.float64,
        f"{where} must return float64 values of shape {(cases, classes)}; got {values.dtype} of shape {values.shape}",
        "keep a column for classes that the training set lacks",
    )
    for wrong, what, hint in (
        (np.isnan(values).any(axis=1), "NaN", "decide what a case gets that no class can have"),
        (((values < 0) | (values > 1)).any(axis=1), "values below 0 or above 1", "clip, or divide by the sum"),
        (np.abs(values.sum(axis=1) - 1) > _SUM_TOLERANCE, "values that do not sum to 1", "divide by the sum"),
    ):
        first = values[int(np.argmax(wrong))][:4].tolist()
        require(not wrong.any(), f"{where} gives {what} for {wrong.sum()} of {cases} cases, such as {first}", hint)
    return values


def _equal(problem: str, wanted: np.ndarray, proba: np.ndarray, hint: str, tolerance: float = _TOLERANCE) -> None:
    same = np.shape(wanted) == np.shape(proba)
    off = np.abs(np.asarray(wanted) - proba).max(axis=1, initial=0.0) if same else np.array([np.inf])
    differ = int((~(off <= tolerance)).sum())
    require(not differ, f"{problem} ({differ} of {off.size} cases, by up to {off.max():.2g})", hint)


def _check_labels(where: str, labels: np.ndarray, proba: np.ndarray) -> None:
    """Check that each label is a class of the largest probability, or ties with it."""
    short = proba.max(axis=1, initial=0.0) - proba[np.arange(labels.size), labels]
    wrong = np.flatnonzero(short > _TOLERANCE)
    example = f", such as {labels[wrong[0]]} of {proba[wrong[0]][:4].tolist()}" if wrong.size else ""
    require(
        not wrong.size,
        f"{where}: {wrong.size} of {labels.size} labels are no class of the largest probability{example}",
        "label by the probabilities, or set argmax = False",
    )
