"""The part of the battery for inducers that tell class probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest.conformance.requirements import Rejected, both_ways, call_or_rejected, require
from errorest.data.sample import Sample
from errorest.inducers.base import ConstantClassifier, Inducer, predict_proba_by_loop
from errorest.resampling.draw import Resamples

__all__ = ["check_batch_probabilities", "check_probabilities", "follows_probabilities", "tells_probabilities"]

_OFF = 1e-9
"""Probabilities may be off by this: a product of matrices rounds a case alone otherwise than among others."""

_OFF_IN_SUM = 1e-6
"""Sums may be off by this, as where scores are made of probabilities: what exponentials of large numbers lose."""


def tells_probabilities(inducer: Inducer) -> bool:
    """Whether an inducer says that it gives probabilities; an adapter does where what it wraps has predict_proba."""
    inner = getattr(inducer, "estimator", None)
    able = inner is None or callable(getattr(inner, "predict_proba", None))
    return able and callable(getattr(inducer, "predict_proba_resamples", None))


def follows_probabilities(inducer: Inducer, argmax: bool | None) -> bool:
    """Whether labels must be classes of the largest probability: as asked for, or else as the inducer claims."""
    return bool(getattr(inducer, "argmax", False)) if argmax is None else argmax


def check_probabilities(who: str, inducer: Any, sample: Sample, argmax: bool) -> None:
    """Check what the classifier of a whole sample tells of its cases."""
    fitted = inducer.fit(sample, np.random.default_rng(0))
    if isinstance(fitted, ConstantClassifier):
        # it is certain of its class
        return
    require(
        callable(getattr(fitted, "predict_proba", None)),
        who,
        "it has predict_proba_resamples, and its classifier has no predict_proba",
        "both or neither",
        "give the classifier predict_proba(X), of shape (m, K)",
    )
    values = sample.X.copy()
    said = _checked(who, "predict_proba", fitted.predict_proba(values), sample.n, sample.n_classes)
    kept = np.array_equal(values, sample.X, equal_nan=True)
    require(kept, who, "predict_proba changed X", "that inputs stay", "copy first")
    again = inducer.fit(sample, np.random.default_rng(0)).predict_proba(sample.X)
    _alike(who, said, again, "two fits on the same sample tell other probabilities", "draw from rng alone", exact=True)
    order = np.random.default_rng(4).permutation(sample.n)
    turned = fitted.predict_proba(sample.X[order])
    _alike(who, said[order], turned, "the same cases in another order have other probabilities", "see each case alone")
    alone = np.concatenate([fitted.predict_proba(sample.X[i : i + 1]) for i in range(sample.n)])
    _alike(who, said, alone, "a case alone has other probabilities than among others", "see each case alone")
    if argmax:
        _check_labels(who, np.asarray(fitted.predict(sample.X)), said)


def check_batch_probabilities(who: str, inducer: Any, sample: Sample, resamples: Resamples, argmax: bool) -> None:
    """Check that probabilities of all rows in one pass are those of one fit a row, to the byte."""
    found = both_ways(
        who,
        resamples,
        "tells its probabilities",
        lambda: predict_proba_by_loop(inducer, sample, resamples, np.random.default_rng(2)),
        lambda: inducer.predict_proba_resamples(sample, resamples, np.random.default_rng(2)),
    )
    if found is None:
        return
    loop, batch = found
    said = _checked(who, "predict_proba_resamples", batch, resamples.cases.size, sample.n_classes)
    remedy = "compute as the classifier does, sums in one order"
    _alike(who, loop, said, "predict_proba_resamples tells otherwise than one fit a row", remedy, exact=True)
    if argmax:
        labels = call_or_rejected(lambda: inducer.predict_resamples(sample, resamples, np.random.default_rng(2)))
        if not isinstance(labels, Rejected):
            _check_labels(who, labels, said)


def _checked(who: str, face: str, said: Any, cases: int, classes: int) -> np.ndarray:
    """Check shape and values, each fault by its name."""
    values = np.asarray(said)
    require(
        values.shape == (cases, classes) and values.dtype == np.float64,
        who,
        f"{face} returned {values.dtype} values of shape {values.shape}",
        f"float64 probabilities of shape {(cases, classes)}, one for each class of the sample",
        "keep a column for classes that the training set lacks",
    )
    outside = ((values < 0) | (values > 1)).any(axis=1)
    for wrong, seen, remedy in (
        (np.isnan(values).any(axis=1), "NaN", "say what is told of a case that no class can have"),
        (outside, "numbers below 0 or above 1", "clip rounding, or divide by the sum"),
        (np.abs(values.sum(axis=1) - 1) > _OFF_IN_SUM, "numbers that do not sum to 1", "divide by their sum"),
    ):
        row = int(np.argmax(wrong))
        require(
            not wrong.any(),
            who,
            f"{face} tells {seen} of {int(wrong.sum())} of {cases} cases, such as {values[row][:4].tolist()}",
            "numbers from 0 to 1 that sum to 1",
            remedy,
        )
    return values


def _alike(who: str, wanted: np.ndarray, said: np.ndarray, seen: str, remedy: str, *, exact: bool = False) -> None:
    same = np.shape(wanted) == np.shape(said)
    off = np.abs(np.asarray(wanted) - said).max(axis=1, initial=0.0) if same else np.array([np.inf])
    differ = np.flatnonzero(~(off <= (0.0 if exact else _OFF)))
    first = differ[0] if differ.size else 0
    at = f" ({differ.size} of {off.size} cases, the first at {first}, by up to {off.max():.2g})"
    require(
        not differ.size,
        who,
        seen + (at if differ.size else ""),
        "equal bits" if exact else "equal probabilities",
        remedy,
    )


def _check_labels(who: str, labels: np.ndarray, said: np.ndarray) -> None:
    """Check that each label is a class of the largest probability, or ties with it."""
    short = said.max(axis=1, initial=0.0) - said[np.arange(labels.size), labels]
    wrong = np.flatnonzero(short > _OFF)
    first = int(wrong[0]) if wrong.size else 0
    require(
        not wrong.size,
        who,
        f"it claims argmax, and {wrong.size} of {labels.size} labels are of a class with a smaller probability"
        + (f", such as {labels[first]} of {said[first][:4].tolist()}" if wrong.size else ""),
        "a class of the largest probability",
        "label by the probabilities, or claim nothing",
    )
