"""Running estimators: everything drawn once, for one inducer or several.

Estimators that need the same resamples or clones share them, and asking for
fewer estimators or inducers changes no number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from errorest.data.sample import Sample
from errorest.estimation.estimators.estimator import Estimator
from errorest.estimation.estimators.registry import check_estimator_of, parse_estimator
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric
from errorest.estimation.run import run_inducers
from errorest.inducers.base import Inducer
from errorest.streams import Streams


def estimate(
    sample: Sample,
    inducer: Inducer,
    estimators: Iterable[Estimator | str],
    rng: np.random.Generator | Streams,
    metric: BoundMetric | None = None,
) -> dict[str, float]:
    """Estimate the error rate, or another metric, of the classifier that the inducer makes of the sample.

    Parameters
    ----------
    sample : Sample
    inducer : Inducer
    estimators : iterable of Estimator or str
        Estimators, or texts that :func:`parse_estimator` reads.
    rng : numpy.random.Generator or Streams
    metric : BoundMetric, optional
        By default the error rate.

    Returns
    -------
    dict of str to float
        Error rates as proportions, or values of the metric, keyed by estimator id; NaN where an estimator is
        undefined (no bootstrap sample left a case out, say).

    Raises
    ------
    UsageError
        If an estimator is unknown or not legal with the metric, or a scheme does not fit the sample.

    Examples
    --------
    >>> from errorest.inducers import Threshold
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> estimate(s, Threshold(), ["loo", "resubstitution"], np.random.default_rng(0))
    {'loo': 0.0, 'resubstitution': 0.0}
    """
    return estimate_many(sample, {"": inducer}, estimators, rng, metric)[""]


def estimate_many(
    sample: Sample,
    inducers: Mapping[str, Inducer],
    estimators: Iterable[Estimator | str],
    rng: np.random.Generator | Streams,
    metric: BoundMetric | None = None,
) -> dict[str, dict[str, float]]:
    """Estimate the error rates of several inducers' classifiers on the same resamples and clones.

    Each inducer gets the numbers that :func:`estimate` gives it alone with the same streams.

    Parameters
    ----------
    sample, estimators, rng, metric
        As :func:`estimate`.
    inducers : mapping of str to Inducer

    Returns
    -------
    dict of str to dict of str to float
        By inducer, then by estimator id: error rates as proportions, NaN where undefined.

    Raises
    ------
    UsageError
        If an estimator is unknown or a scheme does not fit the sample.

    Examples
    --------
    >>> from errorest.inducers import KNN, Majority
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> estimate_many(s, {"1-nn": KNN(1), "majority": Majority()}, ["loo"], np.random.default_rng(0))
    {'1-nn': {'loo': 0.0}, 'majority': {'loo': 1.0}}
    """
    wanted = _parsed(estimators)
    streams = rng if isinstance(rng, Streams) else Streams.from_generator(rng)
    if metric is not None:
        for e in wanted:
            check_estimator_of(metric.metric, e)
    value = ERROR_RATE.from_loss if metric is None else metric.metric.from_loss
    made = run_inducers(sample, inducers, [s for e in wanted for s in e.schemes], streams, metric)
    return {name: {e.id: value(e.reduce(sample, outcomes)) for e in wanted} for name, outcomes in made.items()}


def fits(estimator: Estimator | str, n: int) -> int:
    """Count the classifiers that an estimator makes of a sample of n cases."""
    return fits_of([estimator], n)


def fits_of(estimators: Iterable[Estimator | str], n: int) -> int:
    """Count the classifiers that several estimators make together, shared ones once."""
    schemes = dict.fromkeys(s for e in _parsed(estimators) for s in e.schemes)
    return sum(s.fits(n) for s in schemes)


def _parsed(estimators: Iterable[Estimator | str]) -> list[Estimator]:
    return [parse_estimator(e) if isinstance(e, str) else e for e in estimators]
