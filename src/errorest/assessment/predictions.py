"""Error rates and scores of predictions that were made elsewhere, by any program in any language."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

import numpy as np
from scipy import special

from errorest.assessment.case_tables import Tables
from errorest.assessment.caution import Caution, not_ignored
from errorest.assessment.costs import Costs, read_costs
from errorest.assessment.equality import corrected_se
from errorest.assessment.estimates import ErrorEstimate, ScoreEstimate
from errorest.assessment.features import names_of
from errorest.assessment.measure import baseline_of, best_constant, costs_of, score_of, speaks_of_one
from errorest.assessment.result import ConfidenceInterval
from errorest.assessment.scorers import read_scorer
from errorest.errors import UsageError
from errorest.estimation.intervals.coverage_table import MeasuredCoverage, measured_coverage
from errorest.estimation.intervals.folds import LEAST_OF_A_CLASS, TRAINING_SETS
from errorest.estimation.metrics.metric import BoundMetric, Metric
from errorest.estimation.metrics.ranking import score_limits
from errorest.estimation.outcomes import Outcome, StatisticOutcome, measured
from errorest.estimation.proportions import check_confidence, clopper_pearson_interval, wilson_interval
from errorest.resampling.multisets import Resamples, from_positions
from errorest.resampling.scheme import Classes, Rng, Scheme

__all__ = ["INTERVALS_OF_PREDICTIONS", "from_predictions"]

INTERVALS_OF_PREDICTIONS = ("wilson", "clopper-pearson", "score", "wald", "corrected-t")
"""Intervals that can be computed from predictions alone."""

_NO_WIDTH = 1e-12

_AIMS = {
    "wilson": ("classifier", "the {} of the classifier that made these predictions"),
    "clopper-pearson": ("classifier", "the {} of the classifier that made these predictions"),
    "score": ("classifier", "the {} of the classifier that made these predictions"),
    "wald": ("classifier", "the mean {} of the classifiers that made these predictions"),
    "corrected-t": ("procedure", "the mean {} of classifiers trained on as many cases"),
}


# Intervals that the library makes of folds of its own
_FITTED = {"wilson": "kohavi(k={})", "wald": "cv-wald(k={})"}


@dataclass(frozen=True, eq=False)
class _Given(Scheme):
    """Test sets of predictions that were made elsewhere."""

    name = "predictions"

    made: Resamples = field(kw_only=True, repr=False, compare=False)

    def _rows(self, n: int, y: Classes, rng: Rng, own: Rng | None) -> Resamples:
        return self.made

    def fits(self, n: int) -> int:
        """Count the test sets."""
        return self.made.n_rows


def from_predictions(
    y_true: Any,
    y_pred: Any,
    *,
    fold: Any = None,
    repeat: Any = None,
    case: Any = None,
    groups: Any = None,
    scoring: Any = "error",
    pos_label: Any = None,
    interval: str | None = "auto",
    confidence_level: float = 0.95,
    name: str = "the classifier",
) -> ErrorEstimate | ScoreEstimate:
    """Estimate the error rate or a score from predictions that were made elsewhere, with an interval.

    Each row is one prediction of a case that its classifier was not trained on.

    Parameters
    ----------
    y_true : array-like, shape (n,)
        Labels.
    y_pred : array-like, shape (n,) or (n, K)
        Predicted labels; or probabilities: of the positive class, or one column for each class in sorted order (as
        ``predict_proba``), or a data frame whose columns are named after the classes.
    fold : array-like, shape (n,), optional
        Which test set of a cross-validation a row belongs to; without it all rows are one test set.
    repeat : array-like, shape (n,), optional
        Which repetition of the cross-validation a row belongs to.
    case : array-like, shape (n,), optional
        Which case a row is about.  Needed with ``repeat`` only if the cases are not in the same order in each.
    groups : array-like, shape (n,), optional
        Cases of one group are dependent, such as several images of one patient.
    scoring : str, mapping, table, callable or Metric
        ``"error"``, ``"balanced"``, costs as ``loss`` of :func:`~errorest.assessment.estimate`, or a score such
        as ``"auc"`` or ``"brier"``.
    pos_label : label, optional
        The class that a score is about; by default the last of two in sorted order.
    interval : {"auto", "wilson", "clopper-pearson", "score", "wald", "corrected-t"} or None
        ``"auto"`` is what :func:`~errorest.assessment.estimate` takes: Wilson's for the error rate, as if each case
        were an independent test; the score limits of ``cv-hanley-mcneil`` or ``cv-boyd`` for AUCs and average
        precision; else Wald's (Bayle et al., 2020) for means of cases tested once, and the corrected t (Nadeau &
        Bengio, 2003) for repeated cross-validation and for other scores.
    confidence_level : float
    name : str
        Of the classifier, for texts.

    Returns
    -------
    ErrorEstimate or ScoreEstimate

    Raises
    ------
    UsageError
        If lengths differ, labels are unknown, a case is tested twice in one repetition, a group is in two folds, or
        the interval cannot be computed from such predictions.

    Notes
    -----
    A loss of cases is averaged over all predictions; a score such as the AUC over the test sets, since pooling
    probabilities of different classifiers biases it (Parker, Guenter & Bedo, 2007); average precision over the
    repetitions, since that of a few cases is too high.  With groups Wald's variance is
    that of the sums of the groups' losses.

    References
    ----------
    Wilson (1927); Bayle, Bayle, Janson & Mackey (2020); Nadeau & Bengio (2003).

    Examples
    --------
    >>> y_true, y_pred = ["a", "a", "b", "b", "a", "b"], ["a", "b", "b", "b", "a", "b"]
    >>> found = from_predictions(y_true, y_pred)
    >>> round(found.estimate, 3), found.interval.method
    (0.167, 'wilson')
    >>> from_predictions(y_true, y_pred, fold=[1, 1, 1, 2, 2, 2], interval="wald").interval.method
    'wald'
    """
    check_confidence(confidence_level)
    truth = _column("y_true", y_true)
    labels, y = np.unique(truth, return_inverse=True)
    if labels.size < 2:
        raise UsageError(f"y_true has {labels.size} class; expected at least two")
    scoring, pos_label = read_scorer(scoring, pos_label, names_of(labels))
    score = score_of(scoring)
    needs = score is not None and score.needs_probabilities
    positive = _positive(labels, pos_label, score is not None and speaks_of_one(score))
    predicted = _probabilities(y_pred, labels, positive) if needs else _labels(y_pred, labels)
    if len(predicted) != y.size:
        raise UsageError(f"y_true has {y.size} rows and y_pred {len(predicted)}; expected as many in both")
    tests = _Tests.of(y, fold, repeat, case, groups)
    names = np.unique(_column("case", case)) if case is not None else np.arange(tests.n)
    sizes = np.bincount(tests.y, minlength=labels.size)
    fields = {"classifier": name, "confidence": confidence_level, **tests.fields(labels, sizes)}
    if score is None:
        costs = read_costs(costs_of(scoring), labels, sizes)
        outcome = Outcome.of(tests.made, predicted[tests.order], tests.y, costs.loss)
        chosen = _interval_of(interval, tests, outcome)
        constant, least = best_constant(tests.y, labels.size, costs.loss)
        always = costs.loss.losses(tests.y, np.full_like(tests.y, constant)).astype(np.float64)
        return ErrorEstimate(
            **fields,
            **_reduced(tests, chosen, outcome, confidence_level, costs.bounds(labels.size), percent=costs.percent),
            zero_one=costs.loss.zero_one,
            loss=costs.kind,
            costs=costs.words,
            majority_error=least,
            constant=str(labels[constant]),
            coverage=_coverage(chosen, tests, costs, confidence_level),
            _tables=Tables({_Given(made=tests.made): outcome}, tests.y, labels, names, tests.groups, always),
        )
    bound = BoundMetric(score, positive, labels.size)
    scored = measured(tests.made, predicted[tests.order], tests.y, bound)
    chosen = _interval_of(interval, tests, scored)
    no_skill = baseline_of(bound, sizes)
    return ScoreEstimate(
        **fields,
        **_reduced(tests, chosen, scored, confidence_level, score.bounds(labels.size), score=score),
        score=score,
        pos_label=str(labels[positive]) if speaks_of_one(score) else "",
        baseline=no_skill.value,
        baseline_name=no_skill.name,
        _tables=Tables({_Given(made=tests.made): scored}, tests.y, labels, names, positive=positive),
    )


def _reduced(
    tests: _Tests,
    chosen: str | None,
    outcome: Outcome,
    level: float,
    bounds: tuple[float, float],
    *,
    score: Metric | None = None,
    percent: bool = False,
) -> dict[str, Any]:
    """Return the estimate of an error or a score, its interval, standard error and warnings, by field."""
    rates = outcome.row_rates[~np.isnan(outcome.row_rates)]
    if outcome.decomposable:
        loss = float(outcome.losses.astype(np.float64).mean())
    else:
        loss = outcome.rate if outcome.metric.weights == "test-size" else outcome.mean_row_rate
    between: ConfidenceInterval | None = None
    se: float | None = None
    if chosen is not None:
        low, high, se = _limits(chosen, tests, outcome, loss, level)
        if score is not None:
            low, high = sorted((score.from_loss(low), score.from_loss(high)))
        low, high = (float(np.clip(v, *bounds)) for v in (low, high))
        target, aim = _AIMS[chosen]
        about = (chosen, target, aim.format("error" if score is None else score.title), level, high - low <= _NO_WIDTH)
        between = ConfidenceInterval(low, high, *about, percent=percent)
    undefined = outcome.row_rates.size - rates.size
    return {
        "estimate": loss if score is None else score.from_loss(loss),
        "interval": between,
        "standard_error": se,
        "warnings": not_ignored(_warnings(between, undefined, outcome.row_rates.size), frozenset()),
    }


@dataclass(frozen=True, eq=False)
class _Tests:
    """The test sets: classes of the cases, resamples, and the row of the input behind each test."""

    y: np.ndarray
    made: Resamples
    order: np.ndarray
    groups: np.ndarray | None
    folds: int
    repeats: int

    @property
    def n(self) -> int:
        """Cases."""
        return int(self.y.size)

    @property
    def name(self) -> str:
        """What was done, for texts."""
        if self.made.n_rows == 1:
            return "one test set"
        more = f", repeats={self.repeats}" if self.repeats > 1 else ""
        return f"cv(k={self.folds}{more}), computed elsewhere"

    def sizes(self, outcome: StatisticOutcome) -> np.ndarray:
        """Count the cases, or groups, of each class that a ranking compares."""
        units = np.arange(self.n) if self.groups is None else self.groups
        kinds = (outcome.coded == kind for kind in range(outcome.classes))
        return np.array([np.unique(units[self.made.cases[own]]).size for own in kinds])

    def fields(self, labels: np.ndarray, sizes: np.ndarray) -> dict[str, Any]:
        """Return what an estimate says of its tests."""
        counts = dict(zip(map(str, labels.tolist()), sizes.tolist(), strict=True))
        return {"estimator": self.name, "n": self.n, "class_counts": counts, "fits": ()}

    @classmethod
    def of(cls, y: np.ndarray, fold: Any, repeat: Any, case: Any, groups: Any) -> _Tests:
        """Check the columns and arrange the rows by repetition, case and fold."""
        total = y.size
        given = {"fold": fold, "repeat": repeat, "case": case, "groups": groups}
        codes = {key: _codes(key, value, total) for key, value in given.items()}
        if repeat is not None and fold is None:
            raise UsageError("repeat was given without fold; expected both; give fold")
        repeats = int(codes["repeat"].max()) + 1
        if case is None:
            order = np.argsort(codes["repeat"], kind="stable")
            if total % repeats or (np.bincount(codes["repeat"]) != total // repeats).any():
                raise UsageError("repetitions have different numbers of rows; expected every case once in each")
            cases = np.tile(np.arange(total // repeats), repeats)
        else:
            order = np.lexsort((codes["case"], codes["repeat"]))
            cases = codes["case"][order]
        n = total // repeats
        if total % repeats or (cases.reshape(repeats, -1) != np.arange(n)).any():
            raise UsageError("a case is missing from a repetition or tested twice in it; expected every case once")
        aligned = y[order].reshape(repeats, n)
        if (aligned != aligned[0]).any():
            raise UsageError(
                "the classes of the cases differ between repetitions; expected the same order of cases in each; give "
                "case, which says what case a row is about"
            )
        folds = codes["fold"][order].reshape(repeats, n)
        made = from_positions(n, np.tile(np.arange(n), (repeats, 1)), folds)
        row = order.reshape(repeats, n)[made.replicate[made.row_of_test()], made.cases]
        groups_of_cases = None
        if groups is not None:
            groups_of_cases = codes["groups"][order].reshape(repeats, n)[0]
            _check_groups(groups_of_cases, folds)
        return cls(aligned[0], made, row, groups_of_cases, int(folds.max()) + 1, repeats)


def _check_groups(groups: np.ndarray, folds: np.ndarray) -> None:
    for line in folds:
        pairs = np.unique(np.stack([groups, line]), axis=1)
        if pairs.shape[1] > np.unique(groups).size:
            raise UsageError("a group is in two folds of one repetition; expected whole groups in each fold")


def _column(name: str, values: Any) -> np.ndarray:
    column = np.asarray(values)
    if column.ndim != 1 or not column.size:
        raise UsageError(f"{name} has shape {column.shape}; expected one value for each prediction")
    missing = column != column if column.dtype.kind == "f" else np.array([v is None or v != v for v in column.tolist()])
    if missing.any():
        raise UsageError(f"{name} lacks {int(missing.sum())} value(s); expected one for each prediction")
    return column.astype(str) if column.dtype.kind == "O" else column


def _codes(name: str, values: Any, total: int) -> np.ndarray:
    if values is None:
        return np.arange(total) if name == "case" else np.zeros(total, dtype=np.int64)
    column = _column(name, values)
    if column.size != total:
        raise UsageError(f"{name} has {column.size} rows and y_true {total}; expected as many in both")
    return np.unique(column, return_inverse=True)[1]


def _positive(labels: np.ndarray, pos_label: Any, wanted: bool) -> int:
    if pos_label is None:
        if wanted and labels.size > 2:
            raise UsageError(f"the score is about one class and there are {labels.size}; expected pos_label")
        return int(labels.size - 1)
    named = [str(v) for v in labels.tolist()]
    if str(pos_label) not in named:
        raise UsageError(f"pos_label = {pos_label!r} was given; expected one of {', '.join(named[:6])}")
    return named.index(str(pos_label))


def _labels(y_pred: Any, labels: np.ndarray) -> np.ndarray:
    """Return predicted class numbers; the most probable class of probabilities."""
    if getattr(y_pred, "ndim", 1) == 2 or np.ndim(y_pred) == 2:
        return np.asarray(_probabilities(y_pred, labels, labels.size - 1).argmax(axis=1))
    predicted = _column("y_pred", y_pred)
    number = {str(v): i for i, v in enumerate(labels.tolist())}
    unknown = sorted({str(v) for v in predicted.tolist()} - set(number))
    if unknown:
        raise UsageError(
            f"y_pred has {unknown[0]!r}, which y_true has not; expected predicted labels, one of "
            f"{', '.join(list(number)[:6])}; for probabilities name a score that needs them, such as scoring='brier'"
        )
    return np.array([number[str(v)] for v in predicted.tolist()])


def _probabilities(y_pred: Any, labels: np.ndarray, positive: int) -> np.ndarray:
    """Return probabilities of the classes; float array, shape (n, K)."""
    if hasattr(y_pred, "columns"):
        named = {str(c): c for c in y_pred.columns}
        if set(named) == {str(v) for v in labels.tolist()}:
            y_pred = y_pred[[named[str(v)] for v in labels.tolist()]]
    try:
        p = np.asarray(y_pred, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("y_pred holds no numbers; expected probabilities, which this score needs") from None
    if p.ndim == 1 and labels.size == 2:
        p = np.stack([1 - p, p] if positive == 1 else [p, 1 - p], axis=1)
    if p.ndim != 2 or p.shape[1] != labels.size:
        raise UsageError(
            f"y_pred has shape {p.shape}; expected one column of probabilities for each of {labels.size} classes"
        )
    if not (p >= 0).all() or not np.allclose(p.sum(axis=1), 1, atol=1e-3):
        raise UsageError("the probabilities of y_pred are negative or do not sum to 1; expected probabilities")
    return p


def _interval_of(interval: str | None, tests: _Tests, outcome: Outcome) -> str | None:
    """Return the name of the interval, and check that it can be computed."""
    if interval is None:
        return None
    single, legal = tests.made.n_rows == 1, []
    if outcome.metric.zero_one and tests.groups is None:
        legal += ["wilson", "clopper-pearson"] if single else ["wilson"]
    if isinstance(outcome, StatisticOutcome) and outcome.metric.ranks:
        legal += ["score"] if tests.sizes(outcome).min() >= LEAST_OF_A_CLASS else []
    if outcome.decomposable and tests.repeats == 1:
        legal.append("wald")
    if not single:
        legal.append("corrected-t")
    if interval == "auto":
        return legal[0] if legal else None
    if interval not in legal:
        raise UsageError(
            f"interval = {interval!r} was given; expected one of {', '.join(legal) or 'none'} for {tests.name}; see "
            "from_predictions"
        )
    return interval


def _limits(
    chosen: str, tests: _Tests, outcome: Outcome, loss: float, level: float
) -> tuple[float, float, float | None]:
    """Return limits, as losses, and the standard error."""
    if chosen in ("wilson", "clopper-pearson"):
        limits = wilson_interval if chosen == "wilson" else clopper_pearson_interval
        # each case counts once, however often it is tested
        between = limits(outcome.losses.sum() / tests.repeats, tests.n, level)
        return float(between.low), float(between.high), None
    if chosen == "score":
        assert isinstance(outcome, StatisticOutcome)
        sizes = tests.sizes(outcome)
        factor = 1.0 if tests.made.n_rows == 1 else TRAINING_SETS[outcome.metric.name]
        quantile = float(special.stdtrit(2 * sizes.min() - 2, (1 + level) / 2))
        low, high = score_limits(1 - loss, lambda a: factor * outcome.metric.variance(a, sizes), quantile)
        return 1 - high, 1 - low, (high - low) / (2 * quantile)
    if chosen == "corrected-t":
        rates = outcome.row_rates[~np.isnan(outcome.row_rates)]
        se = corrected_se(rates, tests.n / tests.folds, tests.n)
        quantile = float(special.stdtrit(rates.size - 1, (1 + level) / 2))
    else:
        losses, quantile = outcome.losses.astype(np.float64), float(special.ndtri((1 + level) / 2))
        if tests.groups is None:
            # Bayle et al. (2020): the mean of (l_i - mean)^2 over all cases, divided by n
            se = sqrt(losses.var() / losses.size)
        else:
            # linearised variance of the ratio of the groups' sums of losses and their sizes
            group = tests.groups[tests.made.cases]
            off = np.bincount(group, losses) - loss * np.bincount(group)
            se = sqrt(off.size / max(1, off.size - 1) * float((off**2).sum())) / losses.size
    return loss - quantile * se, loss + quantile * se, float(se)


def _warnings(between: ConfidenceInterval | None, undefined: int, of: int) -> list[str]:
    out = []
    if between is not None and between.degenerate:
        out.append(Caution.of("E401", reason="every prediction has the same loss", wilson=""))
    if undefined:
        out.append(Caution.of("E308.predictions", without=undefined, of=of))
    return [*out]


def _coverage(chosen: str | None, tests: _Tests, costs: Costs, level: float) -> MeasuredCoverage | None:
    """Return the measured coverage of the same interval where the library fits the classifiers."""
    if chosen not in _FITTED or tests.folds < 2 or tests.groups is not None or not costs.loss.zero_one:
        return None
    return measured_coverage(_FITTED[chosen].format(tests.folds), tests.n, None, level)
