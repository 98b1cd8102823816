"""Metrics as users name them: names, costs, losses, scikit-learn's scorers and functions of labels.

Inside, estimates are losses, of which less is better; a :class:`Scoring` turns them into the unit of the metric.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from errorest.assessment.cost_tables import cost_table, costs_in_words
from errorest.data.labels import LabelledCases, positions
from errorest.data.sample import Labelled
from errorest.errors import UsageError, nearest
from errorest.estimation.metrics import METRICS, parse_metric
from errorest.estimation.metrics.metric import (
    ERROR_RATE,
    BalancedError,
    BoundMetric,
    ErrorRate,
    LabelCosts,
    LabelMetric,
    Metric,
    metric_of_loss,
)
from errorest.estimation.metrics.statistics import UserStatistic
from errorest.spec import name_and_settings

# Estimates that differ by less are equal: a share of the range of the metric
_SAME = 1e-9

_EXPECTED = f"expected balanced, costs or one of {', '.join(METRICS)}"
_ALIKE = "every class counts alike"
# Functions of scikit-learn whose values are proportions, or means of proportions
_SHARES = ("f1_score", "fbeta_score", "hamming_loss", "jaccard_score", "precision_score", "recall_score")


class Baseline(NamedTuple):
    """The value of a metric without a classifier, or None; its name; and the class where it is always one class."""

    value: float | None
    name: str
    constant: str = ""


@dataclass(frozen=True, eq=False)
class Scoring(BoundMetric):
    """A metric bound to data, with the names that a user gave.

    Parameters
    ----------
    metric : Metric
    positive : int
        Number of the class that the metric, or its threshold, is about.
    n_classes : int
    pos_label : str
        The class that the metric is about; empty if it is about all.
    costs : str
        Costs in words, where some were given.

    Examples
    --------
    >>> from errorest import Predictions
    >>> p = Predictions.from_arrays(["a", "b", "b", "b"], ["a", "a", "b", "b"])
    >>> scoring = resolve_metric(p, "accuracy")
    >>> str(scoring), scoring.value(0.25), scoring.limits(0.25, 0.5), scoring.baseline(p).name
    ('accuracy', 0.75, (0.5, 0.75), "always 'b'")
    """

    pos_label: str = ""
    costs: str = ""

    def __str__(self) -> str:
        return self.metric.id

    @property
    def id(self) -> str:
        """The metric's name with its settings."""
        return self.metric.id

    @property
    def title(self) -> str:
        """Its name in a heading, such as "error rate"."""
        return self.metric.title

    @property
    def noun(self) -> str:
        """Its name in a sentence, such as "error"."""
        return self.metric.title.removesuffix(" rate")

    @property
    def percent(self) -> bool:
        """Whether values are proportions that are written in percent."""
        return self.metric.percent

    @property
    def greater_is_better(self) -> bool:
        """Whether a larger value is better."""
        return self.metric.greater_is_better

    def value(self, loss: Any) -> Any:
        """Turn losses, a number or an array, into values of the metric."""
        return self.metric.from_loss(loss)

    def gain(self, difference: Any) -> Any:
        """Turn a difference of losses into one of the metric."""
        return 0.0 - difference if self.greater_is_better else difference

    def limits(self, low: float, high: float) -> tuple[float, float]:
        """Turn limits of a loss into limits of the metric."""
        results = self.value(low), self.value(high)
        return results[::-1] if self.greater_is_better else results

    def bounds(self) -> tuple[float, float]:
        """Return the least and the largest value."""
        return self.metric.bounds(self.n_classes)

    def as_good(self, values: np.ndarray, estimate: float) -> int:
        """Count the values that are at least as good as an estimate, up to rounding."""
        # ties count as good: values of permutations are often equal, and their sums differ in the last bits
        width = float(np.ptp(self.bounds()))
        slack = _SAME * max(abs(estimate), width if np.isfinite(width) else 1.0)
        better = values >= estimate - slack if self.greater_is_better else values <= estimate + slack
        return int(better.sum())

    def baseline(self, of: LabelledCases) -> Baseline:
        """Return the value that is had without a classifier: of labels always one class, else the metric's own."""
        if not isinstance(self.metric, LabelMetric):
            counts = of.class_counts()
            # of probabilities: the class shares as a forecast; of statistics: the value of a random answer
            return Baseline(*self.metric.baseline(counts / counts.sum(), self.positive))
        # the best constant label: the class whose mean loss, were it always predicted, is least
        means = [float(self.metric.losses(of.y, np.full_like(of.y, c)).sum()) / of.y.size for c in range(of.n_classes)]
        constant = int(np.argmin(means))
        name = of.names[constant]
        return Baseline(self.value(means[constant]), f"always '{name}'", name)

    def rebound(self, of: Labelled) -> Scoring:
        """Return the metric for other cases: balanced costs depend on the sizes of classes."""
        if not isinstance(self.metric, BalancedError):
            return self
        return replace(self, metric=BalancedError.of_counts(of.class_counts()))


def several_metrics(scoring: Any) -> list[Any] | None:
    """Return the metrics of a list, tuple, set or mapping of them; None for one metric, such as a table of costs."""
    if isinstance(scoring, Mapping):
        parts = list(scoring.values())
        # costs are numbers, beside which pos_label may be a text
        return parts if parts and all(callable(one) or isinstance(one, str) for one in parts) else None
    row = (isinstance(scoring, np.ndarray) or hasattr(scoring, "iloc")) and scoring.ndim == 1
    if row or isinstance(scoring, list | tuple | set | frozenset):
        parts = list(scoring)
        # a row of a table of costs is a list of numbers, and none of these
        if parts and all(isinstance(one, str | Metric | Scoring | Mapping) or callable(one) for one in parts):
            return parts
        if not parts:
            raise UsageError("scoring is empty; expected a metric, or a list of them")
    return None


def resolve_metric(of: LabelledCases, scoring: Any = "error", pos_label: Any = None) -> Scoring:
    """Bind the metric that a user named to data.

    Parameters
    ----------
    of : LabelledCases
        A problem, or predictions.
    scoring : str, Metric, Scoring, scorer, callable, mapping, DataFrame or array-like
        A name with settings, such as ``"auc"`` or ``"sensitivity(threshold=0.3)"``; ``"balanced"``; a scorer of
        scikit-learn or its name; costs, as :func:`~errorest.assessment.cost_tables.cost_table` reads them;
        ``loss(y_true, y_pred)``, which returns a number a case; ``f(y_true, y_pred)``, which returns one number, of
        which more is better.
    pos_label : label, optional
        The class that the metric, its threshold, or fn and fp are about; by default the last of two.

    Raises
    ------
    UsageError
        If it is no metric, the class is unknown, or a class must be named.

    Examples
    --------
    >>> from errorest import Predictions
    >>> p = Predictions.from_arrays(["a", "b", "b", "b"], ["a", "a", "b", "b"])
    >>> resolve_metric(p, {"fn": 5, "fp": 1}).costs
    "5 for 'b' taken for 'a', 1 for 'a' taken for 'b'"
    >>> resolve_metric(p, "roc_auc").id, resolve_metric(p, "precision").pos_label
    ('auc', 'b')
    """
    if isinstance(scoring, Scoring):
        return scoring
    if (parts := several_metrics(scoring)) is not None:
        shown = " ".join(str(scoring).split())
        raise UsageError(f"scoring = {shown}; expected one metric at a time, such as scoring={parts[0]!r}")
    metric, assumed = _of_scorer(of, scoring, pos_label)
    if metric is None:
        metric = _metric_of_loss(of, scoring) if callable(scoring) else _named(of, scoring)
    costs = _ALIKE if isinstance(metric, BalancedError) else ""
    if metric is None:
        table = cost_table(scoring, of.labels, of.names, pos_label)
        costs = costs_in_words(table, of.names)
        metric = ERROR_RATE if (table == 1.0 - np.eye(of.n_classes)).all() else LabelCosts(table)
    if pos_label is None:
        pos_label = assumed
    if pos_label is None and of.n_classes > 2 and metric.needs_pos_label:
        raise UsageError(
            f"scoring {metric.id} is about one class and there are {of.n_classes}; name it with pos_label, one of "
            f"{', '.join(of.names[:6])}"
        )
    positive = of.n_classes - 1 if pos_label is None else positions([pos_label], of.labels)[0]
    if positive < 0:
        raise UsageError(
            f"pos_label = '{pos_label}' was given; none of the classes {', '.join(of.names[:6])}",
            nearest(str(pos_label), of.names),
        )
    named = of.names[positive] if metric.needs_pos_label else ""
    return Scoring(metric, positive, of.n_classes, named, costs)


def _named(of: LabelledCases, scoring: Any) -> Metric | None:
    """Return the metric of a name or a Metric; None where costs were given."""
    if isinstance(scoring, Metric):
        return ERROR_RATE if type(scoring) is ErrorRate else scoring
    if isinstance(scoring, str):
        known, _ = name_and_settings(scoring) or (scoring, {})
        if scoring == "balanced":
            return BalancedError.of_counts(of.class_counts())
        if "=" in known or scoring.endswith((".csv", ".csv.gz")):
            return None
        if known not in METRICS:
            names = ["balanced", *METRICS]
            raise UsageError(f"scoring = {scoring!r}; expected one of {', '.join(names)}; {nearest(known, names)}")
        return ERROR_RATE if scoring == "error" else parse_metric(scoring)
    if isinstance(scoring, Mapping | list | tuple | np.ndarray) or hasattr(scoring, "iloc"):
        return None
    raise UsageError(f"scoring = {scoring!r}; {_EXPECTED}")


def _metric_of_loss(of: LabelledCases, function: Callable[..., Any]) -> Metric:
    """Return the metric of a user's function: of a loss a case, or of a set of cases where it returns one number."""
    true, predicted = (of.labels[codes.ravel()] for codes in np.indices((of.n_classes, of.n_classes)))
    try:
        inspect.signature(function).bind(true, predicted)
    except TypeError:
        raise UsageError(
            "scoring is a function of other arguments than (y_true, y_pred), as scorer(model, X, y) is; pass "
            "make_scorer(f) or f(y_true, y_pred)"
        ) from None
    except ValueError:  # of some compiled functions the arguments are not known
        pass
    try:
        one_number = np.ndim(function(true, predicted)) == 0
    except (Exception, SystemExit):  # a user's function may raise anything; metric_of_loss says what
        one_number = False
    if one_number:
        return _user_statistic(of, function, getattr(function, "__name__", "score"))
    return metric_of_loss(lambda true, said: function(of.labels[true], of.labels[said]), of.n_classes)


def _user_statistic(of: LabelledCases, function: Callable[..., Any], name: str, **more: Any) -> UserStatistic:
    metric = UserStatistic(function=function, labels=of.labels, called=name, **more)
    true, predicted = (codes.ravel() for codes in np.indices((of.n_classes, of.n_classes)))
    metric.of(true, predicted, of.n_classes)  # says in one line if it fails
    return metric


@cache
def _functions() -> dict[Callable[..., Any], dict[tuple[tuple[str, str], ...], str]]:
    """Our metrics by scikit-learn's function and the settings that are not its defaults."""
    from sklearn import metrics as of

    return {
        of.accuracy_score: {(): "accuracy"},
        of.average_precision_score: {(): "average-precision"},
        of.balanced_accuracy_score: {(): "balanced-accuracy"},
        of.brier_score_loss: {(): "brier"},
        of.cohen_kappa_score: {(): "cohen-kappa"},
        of.f1_score: {(): "f1", (("average", "macro"),): "macro-f1"},
        of.log_loss: {(): "log-loss"},
        of.matthews_corrcoef: {(): "mcc"},
        of.precision_score: {(): "precision"},
        of.recall_score: {(): "sensitivity"},
        of.roc_auc_score: {(): "auc", (("multi_class", "ovr"),): "macro-auc"},
        of.zero_one_loss: {(): "error"},
    }


def _of_scorer(of: LabelledCases, scoring: Any, pos_label: Any) -> tuple[Metric | None, Any]:
    """Return the metric of a scorer or function of scikit-learn, and the positive class that it assumes.

    Functions are known by identity: one of a user's may bear the name of scikit-learn's and compute something else.
    """
    if isinstance(scoring, str) and scoring.isidentifier() and scoring not in ("balanced", *METRICS):
        from sklearn.metrics import get_scorer, get_scorer_names

        scoring = get_scorer(scoring) if scoring in get_scorer_names() else scoring
    scorer = scoring if type(scoring).__module__ == "sklearn.metrics._scorer" else None
    function = scoring if scorer is None else getattr(scorer, "_score_func", None)
    if not callable(function) or (scorer is None and not inspect.isfunction(function)):
        return None, None
    given = dict(scorer._kwargs) if scorer is not None else {}
    try:
        usual = {name: p.default for name, p in inspect.signature(function).parameters.items()}
    except ValueError:
        usual = {}
    settings = {name: value for name, value in given.items() if repr(value) != repr(usual.get(name))}
    requested = settings.pop("pos_label", None)
    # of two classes scikit-learn's positive one is 1 where nobody names it, whatever comes last
    default = usual.get("pos_label") if of.n_classes == 2 else None
    assumed = default if default is not None and positions([default], of.labels)[0] >= 0 else None
    if requested is not None:
        if pos_label is not None and len(set(positions([requested, pos_label], of.labels))) > 1:
            raise UsageError(
                f"pos_label = {pos_label!r} was given beside a scorer of {requested!r}; leave out pos_label"
            )
        assumed = requested
    key = tuple((name, str(value)) for name, value in settings.items())
    known = _functions().get(function, {}).get(key) if scorer is not None or _of_sklearn(function) else None
    if known is not None:
        metric = _named(of, known)
        assert metric is not None
        # a scorer has the metric's sign, and asks for what the metric is computed from
        needed = "predict_proba" if metric.needs_probabilities else "predict"
        if scorer is None or (
            (scorer._sign > 0) == metric.greater_is_better and needed in np.atleast_1d(scorer._response_method)
        ):
            return metric, assumed
    elif scorer is None:
        if _of_sklearn(function):
            raise UsageError(f"scoring is the function {function.__name__}; write make_scorer({function.__name__})")
        return None, None
    elif scorer._response_method == "predict":
        label = assumed if pos_label is None else pos_label
        if "pos_label" in usual and "average" not in settings:
            settings["pos_label"] = of.labels[-1 if label is None else positions([label], of.labels)[0]]
        more: dict[str, Any] = {"larger": scorer._sign > 0}
        if _of_sklearn(function) and function.__name__ in _SHARES:
            more["between"] = (0.0, 1.0)
        return _user_statistic(of, partial(function, **settings), function.__name__, **more), None
    raise UsageError(
        f"scoring = {' '.join(str(scoring).split())} takes probabilities or scores in a way that is not known; "
        f"{_EXPECTED}; a scorer of labels may be any"
    )


def _of_sklearn(function: Any) -> bool:
    return str(getattr(function, "__module__", "")).partition(".")[0] == "sklearn"
