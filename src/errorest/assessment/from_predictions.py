"""Estimate metrics of predictions that were made elsewhere, by any program in any language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.given import column
from errorest.assessment.predictions import Predictions
from errorest.assessment.results import Estimate, Estimates
from errorest.assessment.scoring import resolve_metric, several_metrics
from errorest.data.labels import LabelledCases, as_array
from errorest.errors import UsageError, refuse_sparse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import Label, Metrics


def from_predictions(
    y_true: ArrayLike,
    y_pred: ArrayLike | None = None,
    *,
    y_prob: ArrayLike | None = None,
    fold: ArrayLike | None = None,
    repeat: ArrayLike | None = None,
    case: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    scoring: Metrics = "error",
    pos_label: Label | None = None,
    interval: str | None = "auto",
    confidence_level: float = 0.95,
    ignore: Iterable[str] | str = (),
    name: str = "the classifier",
) -> Estimate | Estimates:
    """Estimate a metric, or several, from predictions that were made elsewhere, with an interval.

    It is ``Predictions.from_arrays(...).estimate(...)``.

    Parameters
    ----------
    y_true, y_prob, fold, repeat, case, groups, name
        As :meth:`Predictions.from_arrays` takes them.
    y_pred : array-like, shape (m,) or (m, K)
        Predicted labels; or, where the metric needs probabilities and in two columns or more, probabilities as
        ``y_prob``.
    scoring, pos_label, confidence_level, ignore
        As :func:`errorest.estimate` takes them.
    interval : str or None
        ``"auto"`` takes the first of these that the predictions yield: of one test set ``holdout-wilson`` for the error
        rate and recalls, ``holdout-hanley-mcneil`` and ``holdout-boyd`` for AUCs and average precision,
        ``holdout-wald`` for means, ``holdout-influence`` for other metrics; of folds ``cv-wilson`` for the error rate,
        ``kohavi`` for recalls, ``cv-hanley-mcneil``, ``cv-boyd``, ``cv-wald`` (Bayle et al. 2020), ``cv-influence``;
        else ``cv-corrected-t`` (Nadeau & Bengio 2003).

    Returns
    -------
    Estimate or Estimates
        Of a list of metrics an :class:`Estimates`.

    Raises
    ------
    UsageError
        As :meth:`Predictions.from_arrays`, and if the interval cannot be computed from such predictions.

    Notes
    -----
    A loss of cases is averaged over all predictions; an AUC over the test sets, since pooling probabilities of
    different classifiers biases it (Parker, Guenter & Bedo, 2007); other scores are those of each repetition, averaged,
    since few cases bias them, as :func:`errorest.estimate` does on the same folds.  With groups Wald's variance is that
    of the sums of the groups' losses, with Student's quantile.  Limits of a balanced accuracy add the squared distances
    of Wilson's limits of the classes (Newcombe, 1998).

    Limits of F1 and of Matthews correlation have no width where the score is 1, or where all answers are alike, and a
    warning says so.  Elsewhere 95 % limits of one test set of 40 or 100 cases held the score in .89 to .94 of
    simulated samples.

    References
    ----------
    Wilson (1927); Newcombe (1998); Bayle, Bayle, Janson & Mackey (2020); Nadeau & Bengio (2003).

    Examples
    --------
    >>> y_true, y_pred = ["a", "a", "b", "b", "a", "b"], ["a", "b", "b", "b", "a", "b"]
    >>> found = from_predictions(y_true, y_pred)
    >>> round(found.value, 3), found.interval.method
    (0.167, 'holdout-wilson(test=6)')
    >>> from_predictions(y_true, y_pred, fold=[1, 1, 1, 2, 2, 2], interval="cv-wald").interval.method
    'cv-wald(k=2)'

    A pipeline of scikit-learn, trained on every other one of 50 cases of two species and tested on the others:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> print(from_predictions(y[1::2], model.fit(X[::2], y[::2]).predict(X[1::2])))  # doctest: +ELLIPSIS
    Error rate 4.0 % (95 % interval 0.7 to 19.5 %)
      verdict   better than always '2' (48.0 %): difference on held-out cases -44.0 points...
    """
    labels, y = column("y_true", y_true)
    of = LabelledCases(y, labels)
    if of.n_classes < 2:
        raise UsageError(f"y_true has {labels.size} class; expected at least two")
    metrics = [resolve_metric(of, one, pos_label) for one in several_metrics(scoring) or [scoring]]
    of_scores = [one for one in metrics if one.metric.needs_probabilities]
    refuse_sparse(y_pred, "y_pred")
    several = y_pred is not None and as_array(y_pred, "y_pred").ndim == 2 and np.shape(y_pred)[1] > 1
    positive = labels[(of_scores or metrics)[0].positive]
    if y_prob is None and (of_scores or several):
        own = as_array(y_pred, "y_pred")
        numbers = not several and own.dtype.kind in "biuf" and labels.dtype.kind in "biuf"
        # 0 and 1 may be labels or certain probabilities: they say the same where 1 is the positive class
        if numbers and positive != 1 and np.isin(own, labels).all():
            raise UsageError(
                f"y_pred holds labels alone, and {of_scores[0]} needs probabilities of {positive}",
                "give these as y_prob, and labels as y_pred",
            )
        y_prob, y_pred = y_pred, None
    given = {"fold": fold, "repeat": repeat, "case": case, "groups": groups}
    p = Predictions.from_arrays(y_true, y_pred, y_prob=y_prob, **given, pos_label=positive, name=name)
    named: dict[str, Any] = {"pos_label": pos_label, "interval": interval, "ignore": ignore}
    return p.estimate(scoring, confidence_level=confidence_level, **named)
