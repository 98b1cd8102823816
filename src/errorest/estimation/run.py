"""Running schemes and estimators: resamples drawn, all classifiers made in one pass, predictions measured.

:func:`run_schemes` applies several schemes to one sample, each with a random stream of its own name, and
returns what every reduction needs; :func:`estimate` reduces it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator, check_estimator_of, parse_estimator
from errorest.estimation.metrics.metric import ERROR_RATE, BoundMetric, Metric
from errorest.estimation.outcomes import Outcome, measured
from errorest.learners.base import Inducer
from errorest.probabilities import checked_probabilities
from errorest.resampling.multisets import Resamples, concatenate
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams


def run_schemes(
    sample: Sample,
    inducer: Inducer,
    schemes: Iterable[Scheme],
    streams: Streams,
    metric: BoundMetric | None = None,
) -> dict[Scheme, Outcome]:
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
    dict of Scheme to Outcome

    Examples
    --------
    >>> from errorest.learners import Majority
    >>> from errorest.resampling.schemes import Resubstitution
    >>> s = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> scheme = Resubstitution()
    >>> round(run_schemes(s, Majority(), [scheme], Streams(1))[scheme].rate, 3)
    0.333
    """
    return predict_schemes(sample, inducer, draw_schemes(sample, schemes, streams), streams, metric)


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
        answers |= {s: _predict(sample, inducer, r) for s, r in drawn.items() if s not in together}
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
    # one stream a scheme: estimators that share a scheme share its resamples, which pairs their errors
    wanted = [parse_estimator(e) if isinstance(e, str) else e for e in estimators]
    streams = rng if isinstance(rng, Streams) else Streams.from_generator(rng)
    if metric is not None:
        for e in wanted:
            check_estimator_of(metric.metric, e)
    value = ERROR_RATE.from_loss if metric is None else metric.metric.from_loss
    outcomes = run_schemes(sample, inducer, [s for e in wanted for s in e.schemes], streams, metric)
    return {e.id: value(e.reduce(sample, outcomes)) for e in wanted}
