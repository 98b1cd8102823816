"""What is measured of a reader's own data: which cases are taken, and every estimate that can be made of them.

Kept apart from the tables that are made of it, so that a word changed there leaves
finished studies valid.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import PredefinedSplit

from errorest import bits
from errorest.assessment.estimate import estimate_error
from errorest.assessment.plan import legal_intervals
from errorest.data.sample import Sample
from errorest.data.sets import load_or_read, names
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS, fits
from errorest.estimation.intervals import INTERVALS, parse_interval
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = [
    "USUAL_REPLICATES",
    "Candidate",
    "Taken",
    "candidates",
    "error_on",
    "estimate_study",
    "load_data",
    "measure_estimate",
    "measure_procedure",
    "procedure_study",
    "take_cases",
    "with_replicates",
]

USUAL_REPLICATES = 200
"""Bootstrap samples behind most estimates, where nobody says another number."""

_MOST_TESTED = 2000
"""Cases on which one more classifier is tested, at most."""

_BOOTSTRAPS = ("replicates", "outer")


def load_data(source: str, class_column: str | None) -> Sample:
    """Read the data that a notebook is about.

    Parameters
    ----------
    source : str
        The path of a CSV file, from the current folder or else from the project's; or a data set of the project.
    class_column : str, optional
        By default what the YAML file beside it states, else ``class``.

    Raises
    ------
    UsageError
        If it cannot be read, or does not suit.

    Examples
    --------
    >>> load_data("data/examples/wine.csv", "class").n
    178
    """
    root = bits.project_root()
    if source not in names() and not Path(source).exists() and root is not None and (root / source).is_file():
        return load_or_read(root / source, class_column)
    return load_or_read(source, class_column)


class Taken(NamedTuple):
    """Numbers of the cases taken, and of those held back.

    Examples
    --------
    >>> taken = take_cases(6, 4, seed=0)
    >>> len(taken.cases), len(taken.rest)
    (4, 2)
    """

    cases: np.ndarray
    rest: np.ndarray


def take_cases(n: int, cases: int | None, seed: int) -> Taken:
    """Draw the cases at hand; without a number all of them, in the file's order.

    Examples
    --------
    >>> take_cases(3, None, seed=0).cases.tolist()
    [0, 1, 2]
    """
    if cases is None or cases >= n:
        return Taken(np.arange(n), np.arange(0))
    order = Streams(seed).generator("own-data-cases").permutation(n)
    return Taken(order[:cases], order[cases:])


class Candidate(NamedTuple):
    """An interval with the estimate that belongs to it, or an estimate that has none.

    ``key`` is the name without settings, and ``fits`` how many classifiers it makes.

    Examples
    --------
    >>> next(c for c in candidates(200, 40) if c.key == "632+")
    Candidate(key='632+', estimator='auto', interval='632+(replicates=200)', fits=201)
    """

    key: str
    estimator: str
    interval: str | None
    fits: int


def candidates(replicates: int, n: int) -> list[Candidate]:
    """List every interval and every estimator that has none, with what each costs at n cases.

    Examples
    --------
    >>> [c.key for c in candidates(200, 40) if c.interval is None]
    ['resubstitution', '632', 'loo*', 'bs', 'bscv', 'bsx2']
    """
    found = []
    for name, make in INTERVALS.items():
        text = with_replicates(name, make, replicates)
        found.append(Candidate(name, "auto", text, parse_interval(text).fits(n)))
    for name, estimator in ESTIMATORS.items():
        if not legal_intervals(name):
            text = with_replicates(name, estimator, replicates)
            found.append(Candidate(name, text, None, fits(text, n)))
    return found


def with_replicates(name: str, make: Callable[..., Any], replicates: int) -> str:
    """Write an id with its bootstrap samples in proportion to a number that is 200 as a rule.

    Examples
    --------
    >>> with_replicates("two-stage", INTERVALS["two-stage"], 50)
    'two-stage(outer=50, replicates=50)'
    """
    known = inspect.signature(make).parameters
    told = [f"{k}={max(2, known[k].default * replicates // USUAL_REPLICATES)}" for k in _BOOTSTRAPS if k in known]
    told.sort()
    return f"{name}({', '.join(told)})" if told else name


@lru_cache(maxsize=8)
def _data(source: str, class_column: str | None, digest: str) -> Sample:
    """Read once what the digest says that it holds."""
    sample = load_data(source, class_column)
    if sample.digest() != digest:
        raise UsageError(f"{source} was changed while it was worked on; expected it to stay; run the notebook again")
    return sample


def measure_estimate(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Make one estimate with its interval; NaN where it cannot be made of these cases.

    The random numbers are those of :func:`~errorest.assessment.estimate_error` with ``rng=seed``, so that
    the same call repeats each of them, and all estimates share the resamples that they have in common.

    Returns columns ``estimate``, ``low``, ``high``, ``se`` (proportions; NaN where there is none) and ``made``.
    """
    whole = _data(cell["source"], cell["class_column"], cell["digest"])
    sample = whole.take(take_cases(whole.n, cell["cases"], cell["data_seed"]).cases)
    found = {name: np.full(len(replicates), np.nan) for name in ("estimate", "low", "high", "se")}
    made = np.zeros(len(replicates), dtype=np.int64)
    for i, _ in enumerate(replicates):
        try:
            result = estimate_error(
                cell["inducer"],
                sample,
                estimator=cell["estimator"],
                interval=cell["interval"],
                rng=cell["data_seed"],
                confidence=cell["confidence"],
                encode=True,
            )
        except UsageError:
            # too few cases for this one, or a classifier that fails on one of its resamples
            continue
        made[i] = 1
        found["estimate"][i] = result.estimate
        if result.interval is not None:
            found["low"][i], found["high"][i] = result.interval.low, result.interval.high
        if result.standard_error is not None:
            found["se"][i] = result.standard_error
    return {**found, "made": made}


def estimate_study(data: Mapping[str, Any], confidence: float, wanted: list[Candidate]) -> Study:
    """Make the study of estimates on the cases at hand.

    Parameters
    ----------
    data : mapping
        ``source``, ``class_column``, ``digest``, ``cases``, ``data_seed`` and ``inducer``.
    confidence : float
        A proportion.
    wanted : list of Candidate
    """
    cells = [{**data, "confidence": confidence, "estimator": c.estimator, "interval": c.interval} for c in wanted]
    return Study(
        "guide-own-estimates",
        cells,
        1,
        measure_estimate,
        seed=data["data_seed"],
        data={"data": data["digest"]},
    )


def error_on(inducer: str, sample: Sample, training: int, rng: np.random.Generator | int) -> tuple[int, int]:
    """Train on the first cases of a sample and test on the others.

    Parameters
    ----------
    inducer : str
        By name or import path.
    sample : Sample
    training : int
        Cases to train on.
    rng : numpy.random.Generator or int

    Returns
    -------
    tuple of int
        Errors, and cases tested.

    Examples
    --------
    >>> error_on("majority", load_data("data/examples/wine.csv", "class"), 100, 0)
    (78, 78)
    """
    tested = sample.n - training
    split = PredefinedSplit(np.repeat([-1, 0], [training, tested]))
    result = estimate_error(inducer, sample, estimator=split, interval=None, rng=rng, encode=True)
    return round(result.estimate * tested), tested


def measure_procedure(cell: Mapping[str, Any], replicates: range, streams: Streams) -> dict[str, np.ndarray]:
    """Take as many cases at random again and again, train on them and test on the others.

    Returns columns ``errors`` and ``tested``, counts.
    """
    whole = _data(cell["source"], cell["class_column"], cell["digest"])
    errors, tested = (np.empty(len(replicates), dtype=np.int64) for _ in range(2))
    for i, replicate in enumerate(replicates):
        place = streams.child(replicate)
        drawn = place.generator("cases").permutation(whole.n)[: cell["cases"] + _MOST_TESTED]
        errors[i], tested[i] = error_on(cell["inducer"], whole.take(drawn), cell["cases"], place.generator("inducer"))
    return {"errors": errors, "tested": tested}


def procedure_study(data: Mapping[str, Any], draws: int) -> Study:
    """Make the study of what classifiers of as many cases are worth on average.

    Parameters
    ----------
    data : mapping
        As in :func:`estimate_study`.
    draws : int
    """
    return Study(
        "guide-own-procedure",
        [dict(data)],
        draws,
        measure_procedure,
        seed=data["data_seed"],
        seed_keys=("digest", "cases"),
        data={"data": data["digest"]},
        chunk=25,
    )
