"""Running schemes and estimators for several inducers at once, which share all that is drawn; clones among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from compendium.methods.clones.cloning import CloneScheme
from compendium.methods.clones.errors import count_errors
from compendium.methods.estimators import parse_estimator
from compendium.methods.schemes import BootstrapFolds
from compendium.methods.stacks import knows_stacks
from errorest.data.sample import Sample, SampleStack
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, check_estimator_of
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric
from errorest.estimation.outcomes import RowErrors, measured
from errorest.estimation.run import draw_schemes, predict_schemes
from errorest.learners.base import Inducer, StackLearner
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = ["estimate_many", "run_inducers"]

_BLOCK_BYTES = 1 << 26


def run_inducers(
    sample: Sample,
    inducers: Mapping[str, Inducer],
    schemes: Iterable[Scheme],
    streams: Streams,
    metric: BoundMetric | None = None,
) -> dict[str, dict[Scheme, RowErrors]]:
    """Run schemes on a sample for several inducers, on the same resamples and clones.

    The random stream of a scheme depends on its id alone, so that every inducer yields what it yields alone, whatever
    other schemes are asked for.

    Parameters
    ----------
    sample : Sample
    inducers : mapping of str to Inducer
    schemes : iterable of Scheme
        Repeats are run once.
    streams : Streams
        The place of this sample in the tree of random streams.
    metric : BoundMetric, optional
        By default the error rate, which alone clones can be measured by.

    Returns
    -------
    dict of str to dict of Scheme to RowErrors
        By inducer, an :class:`~errorest.estimation.outcomes.Outcome` of each scheme; of clones the errors alone.

    Raises
    ------
    UsageError
        If a scheme does not fit the sample.

    Examples
    --------
    >>> from compendium.methods.clones.cloning import CloneCases
    >>> from errorest.learners import Majority
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = CloneCases(20)
    >>> run_inducers(s, {"majority": Majority()}, [scheme], Streams(1))["majority"][scheme].errors.shape
    (20,)
    """
    distinct = dict.fromkeys(schemes)
    clones = [s for s in distinct if isinstance(s, CloneScheme)]
    drawn = draw_schemes(sample, [s for s in distinct if s not in clones], streams)
    counted = count_errors(sample, list(inducers.values()), clones, streams) if clones else [{} for _ in inducers]
    made = {}
    for (name, inducer), counts in zip(inducers.items(), counted, strict=True):
        stacked: dict[Scheme, RowErrors] = {}
        if metric is None and knows_stacks(inducer) and not getattr(inducer, "random", False):
            stacked = {
                s: measured(r, _label_positions(sample, inducer, r), sample.y, None)
                for s, r in drawn.items()
                if isinstance(s, BootstrapFolds)
            }
        others = {s: r for s, r in drawn.items() if s not in stacked}
        outcomes: dict[Scheme, RowErrors] = dict(predict_schemes(sample, inducer, others, streams, metric))
        outcomes.update(stacked)
        outcomes.update(counts.items())
        made[name] = {s: outcomes[s] for s in distinct}
    return made


def _label_positions(sample: Sample, inducer: StackLearner, resamples: Resamples) -> np.ndarray:
    """Label the tests of folds of bootstrap samples as ``predict_resamples`` does, all folds of a sample at once.

    A machine that knows all folds of a sample need not be built again for each.
    """
    source, folds = resamples.compact.source, resamples.compact.labels
    # training sets are taken in the order of the cases, which decides ties, and not in that of the draws
    order = np.argsort(source, axis=1, kind="stable")
    labels = np.empty(source.shape, dtype=np.int64)
    step = max(1, _BLOCK_BYTES // (8 * source.shape[1] * (sample.d + 1)))
    for first in range(0, source.shape[0], step):
        lines = slice(first, first + step)
        stack = SampleStack.of_cases(sample, np.take_along_axis(source[lines], order[lines], axis=1))
        own = inducer.cross_validate_stack(stack, np.take_along_axis(folds[lines], order[lines], axis=1))
        np.put_along_axis(labels[lines], order[lines], own, axis=1)
    # rows go by sample, then by fold, and their tests by position
    return np.take_along_axis(labels, np.argsort(folds, axis=1, kind="stable"), axis=1).ravel()


def estimate_many(
    sample: Sample,
    inducers: Mapping[str, Inducer],
    estimators: Iterable[Estimator | str],
    rng: np.random.Generator | Streams,
    metric: BoundMetric | None = None,
) -> dict[str, dict[str, float]]:
    """Estimate the error rates of several inducers' classifiers on the same resamples and clones.

    Parameters
    ----------
    sample : Sample
    inducers : mapping of str to Inducer
    estimators : iterable of Estimator or str
        Estimators, or texts that :func:`~compendium.methods.estimators.parse_estimator` reads.
    rng : numpy.random.Generator or Streams
    metric : BoundMetric, optional
        By default the error rate.

    Returns
    -------
    dict of str to dict of str to float
        By inducer, then by estimator id: error rates as proportions, or values of the metric; NaN where undefined.

    Raises
    ------
    UsageError
        If an estimator is unknown or not legal with the metric, or a scheme does not fit the sample.

    Examples
    --------
    >>> from errorest.learners import KNN, Majority
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> estimate_many(s, {"1-nn": KNN(1), "majority": Majority()}, ["loo"], np.random.default_rng(0))
    {'1-nn': {'loo': 0.0}, 'majority': {'loo': 1.0}}
    """
    wanted = [parse_estimator(e) if isinstance(e, str) else e for e in estimators]
    streams = rng if isinstance(rng, Streams) else Streams.from_generator(rng)
    if metric is not None:
        for e in wanted:
            check_estimator_of(metric.metric, e)
            if any(isinstance(s, CloneScheme) for s in e.schemes):
                raise UsageError(
                    f"{e.id} draws clones, which count wrong labels, and score {metric.metric.id} was asked for; "
                    "expected an estimator without clones; leave out cloned"
                )
    value = ERROR_RATE.from_loss if metric is None else metric.metric.from_loss
    made = run_inducers(sample, inducers, [s for e in wanted for s in e.schemes], streams, metric)
    return {name: {e.id: value(e.reduce(sample, outcomes)) for e in wanted} for name, outcomes in made.items()}
