"""Predictions of resampled classifiers, or of any program, and everything that is made of them without a fit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtri

from errorest.assessment.learner import Failure
from errorest.assessment.results import CLASS_COLUMNS, CONFUSION_COLUMNS, PairedDifference
from errorest.assessment.scoring import Scoring, resolve_metric
from errorest.counting import count_each, repeat_each
from errorest.data.labels import LabelledCases
from errorest.errors import UsageError
from errorest.estimation.estimators import Estimator
from errorest.estimation.metrics.calibration import reliability
from errorest.estimation.metrics.metric import BoundMetric, LabelMetric, Metric
from errorest.estimation.metrics.proper import ProbabilityMetric
from errorest.estimation.outcomes import Outcome, case_means, measured
from errorest.estimation.proportions import check_confidence, wilson_limits
from errorest.estimation.quantiles import t_quantile
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import Interval, Label, MetricLike, Metrics
    from errorest.assessment.problem import Problem
    from errorest.assessment.results import Estimate, Estimates


@dataclass(frozen=True, eq=False)
class Run:
    """The predictions of one resampling scheme.

    Parameters
    ----------
    resamples : Resamples
        R rows, each with its training multiset and its tests, T in all.
    labels : int array, shape (T,), or None
        Predicted class numbers, in as few bytes as they take.
    scores : float array, shape (T, K), or None
        Probabilities, or values of a decision function.
    units : Resamples, optional
        The same rows with groups in place of cases.
    failures : tuple of Failure
        Rows that were left out since the classifier failed.
    """

    resamples: Resamples
    labels: np.ndarray | None = None
    scores: np.ndarray | None = None
    units: Resamples | None = None
    failures: tuple[Failure, ...] = ()

    def of(self, metric: Metric) -> np.ndarray:
        """Return what a metric reads: class numbers, shape (T,), or scores, shape (T, K)."""
        if metric.needs_probabilities:
            if self.scores is None:
                raise UsageError(
                    f"{metric.id} needs probabilities, and labels alone were predicted",
                    f"fit again with scoring={metric.id!r}, or take a metric of labels",
                )
            return self.scores
        if self.labels is None:
            problem = f"{metric.id} needs labels, and probabilities alone were predicted"
            raise UsageError(problem, "fit again with errorest.resample")
        return self.labels.astype(np.int64)  # small integers would overflow in class * K + label

    @cached_property
    def sizes(self) -> np.ndarray:
        """Cases that each row trains on, repeats counted; int array, shape (R,)."""
        blocks = self.resamples.blocks()
        return np.concatenate([self.resamples.training_counts(*b).sum(axis=1) for b in blocks]).astype(np.int64)

    @cached_property
    def held_out(self) -> np.ndarray:
        """Whether each test is of a case that its row does not train on; bool array, shape (T,)."""
        r, parts = self.resamples, []
        for first, last in r.blocks():
            row = repeat_each(np.arange(last - first), np.diff(r.start[first : last + 1]))
            parts.append(r.training_counts(first, last)[row, r.cases[r.start[first] : r.start[last]]] == 0)
        return np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class Predictions(LabelledCases):
    """All predictions of a resampling, or of another program, by scheme.

    :func:`errorest.resample` and :meth:`from_arrays` make one; nothing that is asked of it fits a classifier.

    Parameters
    ----------
    y : int array, shape (n,)
        Class numbers of the cases.
    labels : array, shape (K,)
        The classes.
    runs : mapping of Scheme to Run
    case_names : sequence, length n
    groups : int array, shape (n,), optional
    method, interval
        What was named when the classifiers were fitted; ``"auto"`` where nothing was.
    model, settings : str
        Id of the classifier, and every setting where the id leaves some out.
    ranks_only : bool
        Scores are values of a decision function: they rank cases and are no probabilities.
    warned : mapping of str to int
        The classifier's own warnings and how often each was given.
    notes : tuple of str
        What :meth:`Estimate.details` adds: why a classifier was not fitted in a compiled batch that it has.
    seed : int or None
    seconds : float
        Wall-clock time of the fits.
    problem : Problem, optional
        What was fitted; None where predictions were given.
    self_tuning : tuple of str
        Parts of the model that split their training set to tune themselves.
    bootstrap_differs : bool
        Whether bootstrap samples make other kinds of classifiers than the sample.

    Examples
    --------
    >>> p = Predictions.from_arrays(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    >>> p.n, p.estimate("error").value, p.estimate("accuracy").value
    (4, 0.25, 0.75)
    >>> p.confusion()["cases"].tolist()
    [2, 2, 2, 2]
    """

    runs: Mapping[Scheme, Run] = field(repr=False)
    method: str | Estimator = "auto"
    interval: Any = "auto"
    model: str = ""
    settings: str = ""
    ranks_only: bool = False
    warned: Mapping[str, int] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    seed: int | None = None
    seconds: float = 0.0
    problem: Problem | None = field(default=None, repr=False)

    def __repr__(self) -> str:
        schemes = ", ".join(f"{s.id}: {r.resamples.n_rows} fits" for s, r in self.runs.items())
        return f"Predictions of {self.n} cases of {self.n_classes} classes by {self.model} ({schemes})"

    @property
    def n_fits(self) -> int:
        """Number of classifiers that were fitted; none where predictions were given."""
        return 0 if self.problem is None else sum(r.resamples.n_rows for r in self.runs.values())

    def of(self, schemes: Sequence[Scheme]) -> Predictions:
        """Return the predictions of some schemes alone."""
        return replace(self, runs={s: self.runs[s] for s in schemes if s in self.runs})

    def outcomes(self, bound: BoundMetric, schemes: Sequence[Scheme] | None = None) -> dict[Scheme, Outcome]:
        """Measure the predictions of schemes, by default of all, as the engine reads them.

        Raises
        ------
        UsageError
            If the metric needs labels or probabilities that were not predicted.
        """
        if self.ranks_only and bound.metric.needs_probabilities and not bound.metric.ranks:
            raise UsageError(
                f"{bound.metric.id} needs probabilities, and {self.model} has a decision function alone",
                "take CalibratedClassifierCV round it, or a metric of labels or rankings",
            )
        wanted = {s: self.runs[s] for s in (self.runs if schemes is None else schemes)}
        return {s: measured(r.resamples, r.of(bound.metric), self.y, bound) for s, r in wanted.items()}

    def estimate(
        self,
        scoring: Metrics = "error",
        *,
        pos_label: Label | None = None,
        interval: Interval = "auto",
        confidence_level: float = 0.95,
        ignore: Iterable[str] | str = (),
    ) -> Estimate | Estimates:
        """Estimate a metric, or each of a list, from these predictions; nothing is fitted.

        Parameters
        ----------
        scoring, pos_label, interval, confidence_level, ignore
            As :func:`errorest.estimate` takes them.

        Returns
        -------
        Estimate or Estimates
            What ``errorest.estimate(..., scoring=scoring)`` returns with the same seed.

        Raises
        ------
        UsageError
            If these predictions lack what the metric or the interval needs.

        Examples
        --------
        >>> p = Predictions.from_arrays([0, 0, 1, 1], [0, 1, 1, 1])
        >>> [round(e.value, 3) for e in p.estimate(["error", "f1"])]
        [0.25, 0.8]
        """
        from errorest.assessment.reduction import estimate_predictions

        return estimate_predictions(self, scoring, pos_label, interval, confidence_level, ignore)

    def to_frame(self) -> pd.DataFrame:
        """Return every prediction in a row.

        Returns
        -------
        DataFrame
            Columns scheme, repeat, fold, split, case, [group], y_true, [y_pred], [p(class) or score(class), ...].
        """
        import pandas as pd

        parts = []
        for scheme, run in self.runs.items():
            r, row = run.resamples, run.resamples.row_of_test()
            columns: dict[str, Any] = {"scheme": scheme.id, "repeat": r.replicate[row], "fold": r.fold[row]}
            columns |= {"split": row, "case": np.asarray(self.case_names)[r.cases]}
            if self.groups is not None:
                columns["group"] = self.groups[r.cases]
            columns["y_true"] = self.labels[self.y[r.cases]]
            if run.labels is not None:
                columns["y_pred"] = self.labels[run.labels]
            if run.scores is not None:
                what = "score" if self.ranks_only else "p"
                columns |= {f"{what}({name})": run.scores[:, c] for c, name in enumerate(self.names)}
            parts.append(pd.DataFrame(columns))
        return pd.concat(parts, ignore_index=True)

    def by_split(self, scoring: MetricLike = "error", pos_label: Label | None = None) -> pd.DataFrame:
        """Return the value of a metric on each split.

        Returns
        -------
        DataFrame
            Columns scheme, repeat, fold, split, trained (cases, repeats counted), tested, value.
        """
        import pandas as pd

        metric, parts = resolve_metric(self, scoring, pos_label), []
        for scheme, outcome in self.outcomes(metric).items():
            r = outcome.resamples
            columns = {"scheme": scheme.id, "repeat": r.replicate, "fold": r.fold, "split": np.arange(r.n_rows)}
            columns |= {"trained": self.runs[scheme].sizes, "tested": outcome.tested}
            parts.append(pd.DataFrame(columns | {"value": metric.value(outcome.row_rates)}))
        return pd.concat(parts, ignore_index=True)

    def cases(self, scoring: MetricLike = "error", pos_label: Label | None = None) -> pd.DataFrame:
        """Return each case with what was predicted of it when it was held out.

        Returns
        -------
        DataFrame
            Columns case, class, tested (how often), [loss, of a mean of losses], and the mean p(class), or score, of
            each class where the metric reads these; else ``mostly predicted``, the wrong label that it was given most
            often (empty if never), and the share of tests in which each class was predicted.  NaN where a case was
            never tested.
        """
        import pandas as pd

        return pd.DataFrame(self.case_columns(scoring, pos_label))

    def case_columns(self, scoring: MetricLike = "error", pos_label: Label | None = None) -> dict[str, np.ndarray]:
        """Return the columns of :meth:`cases`, without pandas."""
        metric = resolve_metric(self, scoring, pos_label)
        of_scores = metric.metric.needs_probabilities
        columns = {"case": np.asarray(self.case_names), "class": self.labels[self.y], "tested": self._tested}
        if metric.metric.decomposable:
            columns["loss"] = self._mean_losses(metric)
        what = "share" if not of_scores else "score" if self.ranks_only else "p"
        values = self._mean_predictions(of_scores)
        if not of_scores:
            wrong = np.nan_to_num(values)
            wrong[np.arange(self.n), self.y] = 0
            named = np.array(self.names, dtype=object)[wrong.argmax(axis=1)]
            columns["mostly predicted"] = np.where(wrong.max(axis=1) > 0, named, "")
        return columns | {f"{what}({name})": values[:, c] for c, name in enumerate(self.names)}

    def by_class(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """Return the error rate of each class on held-out cases, with limits.

        A case counts by the share of its tests that are wrong.  The limits are Wilson's, with cases (or groups) taken
        for independent tests of one classifier.

        Returns
        -------
        DataFrame
            Columns class, cases, error, low, high; proportions.
        """
        import pandas as pd

        return pd.DataFrame(self.class_rows(confidence_level), columns=CLASS_COLUMNS)

    def class_rows(self, confidence_level: float = 0.95) -> list[tuple[Any, int, float, float, float]]:
        """Return the rows of :meth:`by_class`, without pandas."""
        return [
            (name, cases, 1 - share, 1 - high, 1 - low)
            for name, label, cases, share, low, high in self.confusion_rows(confidence_level)
            if name == label
        ]

    def confusion(self, confidence_level: float = 0.95) -> pd.DataFrame:
        """Return how often the held-out cases of each class were given each label.

        Returns
        -------
        DataFrame
            Columns class, predicted, cases (of the class), share, low, high (Wilson's limits); proportions.
        """
        import pandas as pd

        return pd.DataFrame(self.confusion_rows(confidence_level), columns=CONFUSION_COLUMNS)

    def confusion_rows(self, confidence_level: float = 0.95) -> list[tuple[Any, Any, int, float, float, float]]:
        """Return the rows of :meth:`confusion`, without pandas, which takes longer to import than most fits."""
        check_confidence(confidence_level)
        rows, predicted = [], self._mean_predictions(scores=False)
        for c, name in enumerate(self.labels.tolist()):
            own = (self.y == c) & (self._tested > 0)
            if not own.any():
                continue
            units = int(own.sum() if self.groups is None else np.unique(self.groups[own]).size)
            # each case counts once, by the share of its tests: repetitions add no independent case
            shares = np.clip(predicted[own].mean(axis=0), 0.0, 1.0)
            # of few groups Student's quantile; one group alone has no variance
            level = (1 + confidence_level) / 2
            quantile = float(ndtri(level)) if self.groups is None else t_quantile(max(1, units - 1), level)
            low, high = wilson_limits(shares, units, quantile)
            limits = zip(self.labels.tolist(), shares.tolist(), low.tolist(), high.tolist(), strict=True)
            rows += [(name, label, int(own.sum()), *of) for label, *of in limits]
        return rows

    def reliability(self, pos_label: Label | None = None, confidence_level: float = 0.95) -> pd.DataFrame:
        """Return groups of held-out cases of like probability of a class, with the share that is of it.

        Parameters
        ----------
        pos_label : label, optional
            By default the last class.
        confidence_level : float

        Returns
        -------
        DataFrame
            Columns cases, prob_pred (mean probability), prob_true (share of the class) with Wilson's limits low and
            high, and noise_low, noise_high, between which the share falls if every probability is true.  Empty without
            probabilities.
        """
        import pandas as pd

        return pd.DataFrame(self.reliability_columns(pos_label, confidence_level))

    def reliability_columns(self, pos_label: Label | None, confidence_level: float) -> dict[str, np.ndarray]:
        """Return the columns of :meth:`reliability`, without pandas."""
        check_confidence(confidence_level)
        names = ["cases", "prob_pred", "prob_true", "low", "high", "noise_low", "noise_high"]
        known = self._tested > 0
        if self.ranks_only or any(r.scores is None for r in self.runs.values()) or not known.any():
            return {name: np.empty(0) for name in names}
        positive = resolve_metric(self, "brier", pos_label).positive
        groups = None if self.groups is None else self.groups[known]
        prob_pred = self._mean_predictions(scores=True)[known, positive]
        truth = (self.y[known] == positive).astype(np.int64)
        found = reliability(truth, prob_pred, confidence=confidence_level, units=groups)
        return dict(zip(names, found, strict=True))

    def against_baseline(self, metric: Scoring, confidence_level: float = 0.95) -> PairedDifference | None:
        """Compare the metric on held-out cases with that of the best constant label or the class prior, case by case.

        Returns
        -------
        PairedDifference or None
            None for metrics that are no means of losses, and of fewer than two cases or groups.
        """
        check_confidence(confidence_level)
        answer: np.ndarray
        if isinstance(metric.metric, LabelMetric):
            answer = np.full_like(self.y, self.names.index(metric.baseline(self).constant))
        elif isinstance(metric.metric, ProbabilityMetric):
            # the shares of all cases, which stratified training sets have too
            answer = np.tile(self.class_counts() / self.n, (self.n, 1))
        else:
            return None
        known = self._tested > 0
        of_baseline = metric.metric.losses(self.y, answer).astype(np.float64)
        # paired by case: loss of the classifier less that of the baseline
        losses = self._mean_losses(metric)[known] - of_baseline[known]
        unit = np.arange(losses.size) if self.groups is None else np.unique(self.groups[known], return_inverse=True)[1]
        return PairedDifference.of(losses, unit, metric, confidence_level)

    @cached_property
    def _tested_cases(self) -> np.ndarray:
        """The case of each held-out test."""
        return np.concatenate([run.resamples.cases[run.held_out] for run in self.runs.values()])

    @cached_property
    def _tested(self) -> np.ndarray:
        """How often each case was tested by a classifier that was not trained on it; int array, shape (n,)."""
        return count_each(self._tested_cases, minlength=self.n)

    def _mean_predictions(self, scores: bool) -> np.ndarray:
        """Average the scores of each case, or count the share of each label; float array, shape (n, K)."""
        n, k, cases, runs = self.n, self.n_classes, self._tested_cases, self.runs.values()
        total: np.ndarray
        if scores:
            total = np.zeros((n, k))
            np.add.at(total, cases, np.concatenate([run.scores[run.held_out] for run in runs]))  # type: ignore[index]
        else:
            if any(run.labels is None for run in runs):
                raise UsageError("there are probabilities and no labels", "fit again with errorest.resample")
            codes = np.concatenate([run.labels[run.held_out] for run in runs])  # type: ignore[index]
            total = count_each(cases * k + codes, minlength=n * k).reshape(n, k)
        tested = self._tested[:, None]
        return np.divide(total, tested, out=np.full((n, k), np.nan), where=tested > 0)

    def _mean_losses(self, metric: Scoring) -> np.ndarray:
        """Average the losses of each case; float array, shape (n,), NaN if untested."""
        losses = [o.losses[self.runs[s].held_out].astype(np.float64) for s, o in self.outcomes(metric).items()]
        return case_means(self._tested_cases, np.concatenate(losses), self.n)[0]

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | None = None,
        *,
        y_prob: ArrayLike | None = None,
        fold: ArrayLike | None = None,
        repeat: ArrayLike | None = None,
        case: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        labels: ArrayLike | None = None,
        pos_label: Label | None = None,
        name: str = "the classifier",
    ) -> Predictions:
        """Take predictions that were made elsewhere: labels, probabilities, or both.

        Each row is one prediction of a case that its classifier was not trained on.

        Parameters
        ----------
        y_true : array-like, shape (m,)
            Labels.
        y_pred : array-like, shape (m,), optional
            Predicted labels, compared by value (0, 0.0 and False are equal); by default the most probable class.
        y_prob : array-like, shape (m,) or (m, K), optional
            Probabilities: of the positive class, or one column for each class in sorted order (as ``predict_proba``),
            or a data frame whose columns are named after the classes.  A Series named after a class holds that of it.
        fold : array-like, shape (m,), optional
            The test set of a cross-validation that a row belongs to; without it all rows are one test set.
        repeat : array-like, shape (m,), optional
            The repetition of the cross-validation that a row belongs to.
        case : array-like, shape (m,), optional
            The case that a row is about; needed with ``repeat`` if the cases are not in the same order in each.
        groups : array-like, shape (m,), optional
            Cases of one group are dependent, such as several images of one patient.
        labels : array-like, shape (K,), optional
            The classes; by default those of ``y_true``, sorted.
        pos_label : label, optional
            The class of a single column of probabilities; by default the last.
        name : str
            Of the classifier.

        Returns
        -------
        Predictions

        Raises
        ------
        UsageError
            If lengths differ, values are missing, labels are unknown, columns are named after some of the classes
            alone, a case is tested twice in one repetition, or a group is in two folds.

        Examples
        --------
        >>> p = Predictions.from_arrays([0, 0, 1, 1], y_prob=[0.1, 0.6, 0.7, 0.9], fold=[1, 2, 1, 2])
        >>> round(p.estimate("brier").value, 4), p.to_frame()["y_pred"].tolist()
        (0.1175, [0, 1, 1, 1])
        """
        from errorest.assessment.given import arrange

        columns = {"fold": fold, "repeat": repeat, "case": case, "groups": groups}
        run, fields = arrange(y_true, y_pred, y_prob, columns, labels, pos_label)
        return cls(runs={fields["method"].splits: Run(*run)}, **fields, model=name)
