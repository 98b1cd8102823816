"""Running schemes and estimators: resamples or clones drawn, all classifiers made in one pass, errors counted.

:func:`run_schemes` applies several schemes to one sample, each with a random stream of its own name, and
returns what every reduction needs; :func:`estimate` reduces it.  :func:`run_inducers` and :func:`estimate_many` do so
for several inducers at once, which share all that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from errorest.data.sample import Sample, SampleStack
from errorest.errors import UsageError
from errorest.estimation.clone_errors import count_errors
from errorest.estimation.estimators import Estimator, check_estimator_of, parse_estimator
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric, Metric
from errorest.estimation.outcomes import Outcome, RowErrors, measured
from errorest.learners.base import Inducer, knows_stacks
from errorest.probabilities import checked_probabilities
from errorest.resampling.clones import CloneScheme
from errorest.resampling.multisets import Resamples, concatenate
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

_BLOCK_BYTES = 1 << 26


def run_schemes(
    sample: Sample,
    inducer: Inducer,
    schemes: Iterable[Scheme],
    streams: Streams,
    metric: BoundMetric | None = None,
) -> dict[Scheme, RowErrors]:
    """Run schemes on a sample, each once, all classifiers in one pass.

    The random stream of a scheme depends on its id alone, so that asking for
    other schemes beside it changes nothing, and every inducer sees the same resamples.

    Parameters
    ----------
    sample : Sample
    inducer : Inducer
    schemes : iterable of Scheme
        Repeats are run once.
    streams : Streams
        The place of this sample in the tree of random streams.
    metric : BoundMetric, optional
        By default the error rate.

    Returns
    -------
    dict of Scheme to RowErrors
        An :class:`~errorest.estimation.outcomes.Outcome`; of clones the errors alone.

    Examples
    --------
    >>> from errorest.learners import Majority
    >>> from errorest.resampling.schemes import Resubstitution
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = Resubstitution()
    >>> round(run_schemes(s, Majority(), [scheme], Streams(1))[scheme].rate, 3)
    0.333
    """
    return run_inducers(sample, {"": inducer}, schemes, streams, metric)[""]


def run_inducers(
    sample: Sample,
    inducers: Mapping[str, Inducer],
    schemes: Iterable[Scheme],
    streams: Streams,
    metric: BoundMetric | None = None,
) -> dict[str, dict[Scheme, RowErrors]]:
    """Run schemes on a sample for several inducers, on the same resamples and clones.

    Every inducer yields what :func:`run_schemes` yields for it alone.
    """
    distinct = dict.fromkeys(schemes)
    clones = [s for s in distinct if isinstance(s, CloneScheme)]
    sampled = draw_schemes(sample, [s for s in distinct if not s.cloned], streams)
    counted = count_errors(sample, list(inducers.values()), clones, streams) if clones else [{} for _ in inducers]
    made = {}
    for (name, inducer), counts in zip(inducers.items(), counted, strict=True):
        outcomes: dict[Scheme, RowErrors] = dict(predict_schemes(sample, inducer, sampled, streams, metric))
        outcomes.update(counts.items())
        made[name] = {s: outcomes[s] for s in distinct} if clones else outcomes
    return made


def draw_schemes(sample: Sample, schemes: Iterable[Scheme], streams: Streams) -> dict[Scheme, Resamples]:
    """Draw the resamples of schemes for a sample, to be shared by several inducers."""
    return {s: s.draw(sample, streams) for s in dict.fromkeys(schemes)}


def predict_schemes(
    sample: Sample,
    inducer: Inducer,
    drawn: Mapping[Scheme, Resamples],
    streams: Streams,
    metric: BoundMetric | None = None,
) -> dict[Scheme, Outcome]:
    """Make all classifiers of drawn resamples and measure their predictions; the default is the error rate."""
    random = getattr(inducer, "random", False)
    # one stream a scheme, or the classifiers of one would depend on which others were asked for
    rngs = {s: streams.generator(s.key, "inducer") if random else None for s in drawn}
    if metric is not None and metric.needs_probabilities:
        require_probabilities(inducer, metric.metric, inducer.id)
        answers = {s: predict_probabilities(sample, inducer, r, rngs[s]) for s, r in drawn.items()}
    elif random:
        answers = {s: _predict(sample, inducer, r, rngs[s]) for s, r in drawn.items()}
    else:
        answers = {}
        # folds of positions, not of cases, do not go into one list with the others
        together = {s: r for s, r in drawn.items() if not r.compact.source.shape[1]}
        if together:
            # all classifiers in one pass, whose labels are cut by scheme
            labels = _predict(sample, inducer, concatenate(list(together.values())))
            for s, r in together.items():
                answers[s], labels = labels[: r.cases.shape[0]], labels[r.cases.shape[0] :]
        answers |= {s: _predict_positions(sample, inducer, r) for s, r in drawn.items() if s not in together}
    return {s: measured(r, answers[s], sample.y, metric) for s, r in drawn.items()}


def require_probabilities(inducer: Any, metric: Metric, who: str) -> None:
    """Refuse an inducer that predicts labels alone, where a metric needs probabilities."""
    if metric.needs_probabilities and not callable(getattr(inducer, "predict_proba_resamples", None)):
        raise UsageError(
            f"{who} predicts labels only and score {metric.id} needs probabilities; expected a classifier with "
            "predict_proba (an inducer of your own: with predict_proba_resamples); take another classifier, or a score "
            "of labels: balanced-accuracy, mcc, f1, macro-f1, sensitivity, specificity"
        )


def predict_probabilities(
    sample: Sample, inducer: Any, resamples: Resamples, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Predict probabilities of the classes for every tested case; float array, shape (T, K)."""
    result = inducer.predict_proba_resamples(sample, resamples, *(() if rng is None else (rng,)))
    return checked_probabilities(result, resamples.cases.size, sample.n_classes, f"inducer {inducer.id}")


def _predict(
    sample: Sample, inducer: Inducer, resamples: Resamples, rng: np.random.Generator | None = None
) -> np.ndarray:
    """Ask for the label of every tested case; an inducer of anybody's may lose some."""
    sampled = () if rng is None else (rng,)
    labels = inducer.predict_resamples(sample, resamples, *sampled)
    if labels.shape != resamples.cases.shape:
        raise UsageError(
            f"inducer {inducer.id} answered {labels.size} of {resamples.cases.size} tested cases (an array of shape "
            f"{labels.shape}); expected one class number for each"
        )
    return labels


def _predict_positions(sample: Sample, inducer: Inducer, resamples: Resamples) -> np.ndarray:
    """Label the tests of folds of bootstrap samples, by the stacked face of an inducer that has one.

    The labels are those of its ``predict_resamples``; but a machine that knows all folds of a
    sample at once need not be made anew for each.
    """
    if not knows_stacks(inducer):
        return _predict(sample, inducer, resamples)
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
        Estimators, or texts that :func:`~errorest.estimation.estimators.parse_estimator` reads.
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
    >>> from errorest.learners import KNN
    >>> s = Sample.from_arrays([0.0, 1.0, 4.0, 5.0], ["a", "a", "b", "b"])
    >>> estimate(s, KNN(1), ["loo", "resubstitution"], np.random.default_rng(0))
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
    value = ERROR_RATE.from_loss if metric is None else metric.metric.from_loss
    made = run_inducers(sample, inducers, [s for e in wanted for s in e.schemes], streams, metric)
    return {name: {e.id: value(e.reduce(sample, outcomes)) for e in wanted} for name, outcomes in made.items()}
