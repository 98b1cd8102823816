"""Error-rate estimators: schemes of resampling and a reduction of their 0/1 losses.

Each estimator names the schemes it needs; :func:`estimate` runs every scheme
once, makes all classifiers in one pass, and reduces.  Estimators that combine
others (.632, .632+, LOO*) share their resamples.  All error rates are
proportions.

Definitions follow Efron (1983), Efron & Tibshirani (1997) and, for LOO*,
Weiss & Kulikowski as printed in Martin & Hirschberg (1996), section 2.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, get_args

import numpy as np

from errorest.errors import UsageError, nearest
from errorest.inducers.base import Inducer
from errorest.rng import Streams
from errorest.sample import Sample
from errorest.schemes import Outcome, Scheme, run_schemes

__all__ = [
    "ESTIMATORS",
    "Estimator",
    "bootstrap_632",
    "bootstrap_632_plus",
    "bootstrap_e0",
    "cross_validation",
    "estimate",
    "holdout",
    "leave_one_out",
    "loo_star",
    "no_information_rate",
    "parse_estimator",
    "point_632_plus",
    "resubstitution",
]

Per = Literal["replicate", "case", "pooled"]
Variant = Literal["efron-tibshirani", "unbounded-r", "truncated-632"]


Outcomes = Mapping[Scheme, Outcome]


@dataclass(frozen=True)
class Estimator:
    """An error-rate estimator.

    Parameters
    ----------
    id : str
        Unambiguous name with settings, such as ``cv(k=10, repeats=100)``.
    schemes : tuple of Scheme
        What must be run.
    reduce : callable
        ``reduce(sample, outcomes) -> float``, the estimated error rate (a proportion).
    """

    id: str
    schemes: tuple[Scheme, ...]
    reduce: Callable[[Sample, Outcomes], float] = field(compare=False, repr=False)


def estimate(
    sample: Sample,
    inducer: Inducer,
    estimators: Iterable[Estimator | str],
    rng: np.random.Generator | Streams,
) -> dict[str, float]:
    """Estimate the error rate of the classifier that the inducer makes of the sample.

    Parameters
    ----------
    sample : Sample
    inducer : Inducer
    estimators : iterable of Estimator or str
        Estimators, or texts that :func:`parse_estimator` reads.
    rng : numpy.random.Generator or Streams

    Returns
    -------
    dict of str to float
        Error rates as proportions, keyed by estimator id; NaN where an estimator is
        undefined (no bootstrap sample left a case out, say).

    Raises
    ------
    UsageError
        If an estimator is unknown or a scheme does not fit the sample.

    Examples
    --------
    >>> from errorest.inducers import Threshold
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> estimate(s, Threshold(), ["loo", "resubstitution"], np.random.default_rng(0))
    {'loo': 0.0, 'resubstitution': 0.0}
    """
    wanted = [parse_estimator(e) if isinstance(e, str) else e for e in estimators]
    streams = rng if isinstance(rng, Streams) else Streams.from_generator(rng)
    outcomes = run_schemes(sample, inducer, [s for e in wanted for s in e.schemes], streams)
    return {e.id: e.reduce(sample, outcomes) for e in wanted}


def resubstitution() -> Estimator:
    """Apparent error: the share of the sample that its own classifier gets wrong.

    Examples
    --------
    >>> resubstitution().id
    'resubstitution'
    """
    scheme = Scheme("resubstitution")
    return Estimator("resubstitution", (scheme,), lambda _, o: o[scheme].rate)


def holdout(test: Fraction | float | int = Fraction(1, 3), repeats: int = 1) -> Estimator:
    """Independent subsamples: train on a part, test on the rest; repeated, random subsampling.

    Parameters
    ----------
    test : share or number of cases tested (a share is rounded up)
    repeats : int
        Independent splits, averaged.

    Examples
    --------
    >>> holdout(Fraction(1, 4)).id
    'holdout(test=1/4)'
    """
    if isinstance(test, float):
        # one name for one share: .25 is 1/4, and draws the same splits
        test = Fraction(test).limit_denominator(1_000_000)
    scheme = Scheme("holdout", (("repeats", repeats), ("test", test)) if repeats > 1 else (("test", test),))
    return Estimator(_id("holdout", test=test, repeats=repeats), (scheme,), lambda _, o: o[scheme].rate)


def cross_validation(
    k: int = 10, repeats: int = 1, stratified: bool = False, weights: Literal["test-size", "folds"] = "test-size"
) -> Estimator:
    """k-fold cross-validation, perhaps repeated and averaged.

    Parameters
    ----------
    k : int
        Folds.
    repeats : int
        Independent splits.
    stratified : bool
        Keep the classes in proportion in every fold.
    weights : {"test-size", "folds"}
        Pool all tested cases of a split, or average the folds' rates with equal weight.

    Examples
    --------
    >>> cross_validation(10, repeats=100).id
    'cv(k=10, repeats=100)'
    """
    settings: list[tuple[str, Any]] = [("k", k)]
    if repeats > 1:
        settings.append(("repeats", repeats))
    if stratified:
        settings.append(("stratified", True))
    scheme = Scheme("k_fold", tuple(settings))
    _one_of(weights, ("test-size", "folds"), "weights")

    def reduce(_: Sample, outcomes: Outcomes) -> float:
        outcome = outcomes[scheme]
        return outcome.rate if weights == "test-size" else outcome.mean_row_rate

    return Estimator(_id("cv", k=k, repeats=repeats, stratified=stratified, weights=weights), (scheme,), reduce)


def leave_one_out() -> Estimator:
    """Leave-one-out: every case tested on all the others.

    Examples
    --------
    >>> leave_one_out().id
    'loo'
    """
    scheme = Scheme("leave_one_out")
    return Estimator("loo", (scheme,), lambda _, o: o[scheme].rate)


def _bootstrap_scheme(replicates: int) -> Scheme:
    return Scheme("bootstrap", (("replicates", replicates),))


def _e0(sample: Sample, outcome: Outcome, per: Per) -> float:
    if per == "replicate":
        return outcome.mean_row_rate
    if per == "pooled":
        return float(outcome.errors.sum() / outcome.tested.sum()) if outcome.tested.any() else float("nan")
    cases = outcome.resamples.cases
    wrong = np.bincount(cases, weights=outcome.losses(sample), minlength=sample.n)
    tested = np.bincount(cases, minlength=sample.n)
    some = tested > 0
    return float((wrong[some] / tested[some]).mean()) if some.any() else float("nan")


def bootstrap_e0(replicates: int = 200, per: Per = "replicate") -> Estimator:
    """e0 bootstrap: train on n draws with replacement, test on the cases not drawn.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.  One that leaves no case out is skipped.
    per : {"replicate", "case", "pooled"}
        Average the replicates' own rates (Martin & Hirschberg), the cases' own rates
        (Efron & Tibshirani's Err(1), leave-one-out bootstrap with shared samples), or pool.

    Examples
    --------
    >>> bootstrap_e0(200).id
    'e0(replicates=200)'
    """
    scheme = _bootstrap_scheme(replicates)
    _one_of(per, get_args(Per), "per")
    return Estimator(_id("e0", replicates=replicates, per=per), (scheme,), lambda s, o: _e0(s, o[scheme], per))


def bootstrap_632(replicates: int = 200, per: Per = "replicate") -> Estimator:
    """.632 bootstrap: .368 of the apparent error and .632 of e0 (Efron 1983).

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.
    per : {"replicate", "case", "pooled"}
        As in :func:`bootstrap_e0`.

    Examples
    --------
    >>> bootstrap_632(50).id
    '632(replicates=50)'
    """
    scheme, apparent = _bootstrap_scheme(replicates), Scheme("resubstitution")
    _one_of(per, get_args(Per), "per")

    def reduce(sample: Sample, outcomes: Outcomes) -> float:
        return 0.368 * outcomes[apparent].rate + 0.632 * _e0(sample, outcomes[scheme], per)

    return Estimator(_id("632", replicates=replicates, per=per), (apparent, scheme), reduce)


def no_information_rate(y: np.ndarray, labels: np.ndarray, n_classes: int) -> float:
    """Error rate if classes and predictions were independent (gamma).

    Parameters
    ----------
    y, labels : int arrays, shape (n,)
        Classes, and the predictions of the whole sample's classifier.
    n_classes : int

    Returns
    -------
    float
        ``sum_l p_l (1 - q_l)``, a proportion; Efron & Tibshirani (1997), equation (28).

    Examples
    --------
    >>> no_information_rate(np.array([0, 1]), np.array([0, 1]), 2)
    0.5
    """
    p = np.bincount(y, minlength=n_classes) / y.shape[0]
    q = np.bincount(labels, minlength=n_classes) / labels.shape[0]
    return float(np.sum(p * (1.0 - q)))


def point_632_plus(apparent: float, err1: float, gamma: float, variant: Variant = "efron-tibshirani") -> float:
    """Combine the three parts of .632+ (all proportions).

    With ``e = min(err1, gamma)`` and the relative overfitting rate
    ``r = (e - apparent)/(gamma - apparent)`` if err1 and gamma both exceed the apparent
    error, else 0: ``.368 apparent + .632 err1 + (e - apparent) .368 .632 r/(1 - .368 r)``.

    Parameters
    ----------
    apparent, err1, gamma : float
        Apparent error, leave-one-out bootstrap error, no-information rate.
    variant : {"efron-tibshirani", "unbounded-r", "truncated-632"}
        ``unbounded-r`` takes r from err1 itself, as several packages do (r may exceed 1);
        ``truncated-632`` uses e in the .632 part too.

    References
    ----------
    Efron & Tibshirani (1997), section 3.

    Examples
    --------
    >>> round(point_632_plus(0.0, 0.5, 0.5), 3)
    0.5
    """
    _one_of(variant, get_args(Variant), "variant")
    bounded = min(err1, gamma)
    over = err1 > apparent and gamma > apparent
    r = ((err1 if variant == "unbounded-r" else bounded) - apparent) / (gamma - apparent) if over else 0.0
    plain = 0.368 * apparent + 0.632 * (bounded if variant == "truncated-632" else err1)
    return plain + (bounded - apparent) * 0.368 * 0.632 * r / (1.0 - 0.368 * r)


def bootstrap_632_plus(replicates: int = 200, per: Per = "case", variant: Variant = "efron-tibshirani") -> Estimator:
    """.632+ bootstrap: the .632 with more weight on the bootstrap error the more the inducer overfits.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.
    per : {"case", "replicate", "pooled"}
        As in :func:`bootstrap_e0`; Efron & Tibshirani average case by case.
    variant : {"efron-tibshirani", "unbounded-r", "truncated-632"}
        As in :func:`point_632_plus`.

    Examples
    --------
    >>> bootstrap_632_plus().id
    '632+(replicates=200)'
    """
    scheme, apparent = _bootstrap_scheme(replicates), Scheme("resubstitution")
    _one_of(per, get_args(Per), "per")
    _one_of(variant, get_args(Variant), "variant")

    def reduce(sample: Sample, outcomes: Outcomes) -> float:
        own = outcomes[apparent]
        gamma = no_information_rate(sample.y, own.labels, sample.n_classes)
        return point_632_plus(own.rate, _e0(sample, outcomes[scheme], per), gamma, variant)

    return Estimator(_id("632+", replicates=replicates, per=per, variant=variant), (apparent, scheme), reduce)


def loo_star(replicates: int = 200, repeats: int = 100) -> Estimator:
    """Weiss's LOO*: leave-one-out, replaced by .632 or repeated 2-fold CV where they disagree.

    .632 where leave-one-out lies below it; the repeated 2-fold estimate where that lies
    below leave-one-out (and leave-one-out is not below .632); else leave-one-out.

    Parameters
    ----------
    replicates : int
        Bootstrap samples of the .632 part.
    repeats : int
        Repeats of the 2-fold part.

    References
    ----------
    Martin & Hirschberg (1996), section 2.

    Examples
    --------
    >>> len(loo_star().schemes)
    4
    """
    loo, b632, cv2 = leave_one_out(), bootstrap_632(replicates), cross_validation(2, repeats)

    def reduce(sample: Sample, outcomes: Outcomes) -> float:
        left, boot, half = (e.reduce(sample, outcomes) for e in (loo, b632, cv2))
        if left < boot:
            return boot
        return half if half < left else left

    return Estimator(
        _id("loo*", replicates=replicates, repeats=repeats), loo.schemes + b632.schemes + cv2.schemes, reduce
    )


ESTIMATORS: Mapping[str, Callable[..., Estimator]] = {
    "resubstitution": resubstitution,
    "holdout": holdout,
    "cv": cross_validation,
    "loo": leave_one_out,
    "e0": bootstrap_e0,
    "632": bootstrap_632,
    "632+": bootstrap_632_plus,
    "loo*": loo_star,
}
"""Constructors by the name that stands before the parenthesis of an id."""


def _id(name: str, **settings: Any) -> str:
    """Write an id: settings at their default are left out, unless they say the size of the estimate."""
    defaults = {k: p.default for k, p in inspect.signature(ESTIMATORS[name]).parameters.items()}
    size = ("test", "k", "replicates")
    shown = [f"{k}={v}" for k, v in settings.items() if k in size or v != defaults[k]]
    return f"{name}({', '.join(shown)})" if shown else name


def _one_of(value: str, known: tuple[str, ...], what: str) -> None:
    if value not in known:
        raise UsageError(f"unknown {what} '{value}'; expected one of {', '.join(known)}; {nearest(value, known)}")


@lru_cache(maxsize=256)
def parse_estimator(text: str) -> Estimator:
    """Read an estimator from its id.

    Parameters
    ----------
    text : str
        A name of :data:`ESTIMATORS` with settings in parentheses, such as ``cv(k=5, repeats=20)``.

    Raises
    ------
    UsageError
        If the name or a setting is unknown, or a value is of the wrong type.

    Examples
    --------
    >>> parse_estimator("holdout(test=1/4)").id
    'holdout(test=1/4)'
    """
    match = re.fullmatch(r"\s*([^()\s]+)\s*(?:\((.*)\))?\s*", text)
    if match is None or match[1] not in ESTIMATORS:
        name = match[1] if match else text
        raise UsageError(
            f"unknown estimator '{text}'; expected a name with settings, such as cv(k=10); {nearest(name, ESTIMATORS)}"
        )
    make = ESTIMATORS[match[1]]
    known = inspect.signature(make).parameters
    settings: dict[str, Any] = {}
    for part in filter(None, (p.strip() for p in (match[2] or "").split(","))):
        key, _, value = (p.strip() for p in part.partition("="))
        if key not in known:
            raise UsageError(
                f"estimator {match[1]} has no setting '{key}'; expected one of {', '.join(known) or 'none'}; "
                + nearest(key, known)
            )
        settings[key] = _value(match[1], key, value, known[key].default)
    return make(**settings)


def _value(name: str, key: str, text: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"True": True, "true": True, "False": False, "false": False}[text]
        if isinstance(default, int):
            return int(text)
        if isinstance(default, Fraction):
            return int(text) if text.isdigit() else Fraction(text)
    except (KeyError, ValueError, ZeroDivisionError):
        raise UsageError(
            f"estimator {name} was given {key}={text}; expected a value like {default}; mend the value"
        ) from None
    return text
