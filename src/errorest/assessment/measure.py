"""Metrics as a user names them; estimates inside are losses, and results are in the unit of the metric."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from errorest.assessment.costs import read_costs
from errorest.assessment.inputs import Problem
from errorest.assessment.scorers import read_scorer
from errorest.data.labels import positions
from errorest.data.sample import Sample
from errorest.errors import UsageError, nearest
from errorest.estimation.metrics import METRICS, parse_metric
from errorest.estimation.metrics.metric import BoundMetric, CaseMetric, ErrorRate, Metric
from errorest.estimation.metrics.proper import ProbabilityMetric
from errorest.spec import name_and_settings

# Estimates that differ by less are equal: a share of a loss, which may have any unit
_SAME = 1e-9


@dataclass(frozen=True)
class Baseline:
    """What is had without a classifier."""

    value: float | None
    name: str
    constant: str = ""


@dataclass(frozen=True, eq=False)
class Scoring:
    """A metric bound to a problem, with the names that a user gave."""

    bound: BoundMetric
    score: Metric | None = None  # the metric, where a score was named in place of a loss
    kind: str = "0/1"  # of a loss
    costs: str = ""
    pos_label: str = ""

    @property
    def metric(self) -> Metric:
        """The metric."""
        return self.bound.metric

    @property
    def percent(self) -> bool:
        """Whether values are proportions of errors, told in percent."""
        return self.kind == "balanced" or self.metric.zero_one

    @property
    def noun(self) -> str:
        """Its name in a sentence."""
        return "error" if self.score is None else self.score.title

    @property
    def fields(self) -> dict[str, Any]:
        """Return what a result says of its metric."""
        return {"loss": self.kind, "costs": self.costs, "score": self.score, "pos_label": self.pos_label}

    def rebound(self, sample: Sample, labels: np.ndarray) -> BoundMetric:
        """Return the metric for other labels: balanced costs depend on the sizes of classes."""
        if self.kind != "balanced":
            return self.bound
        return replace(self.bound, metric=read_costs(self.kind, labels, sample.class_counts()).loss)

    def value(self, loss: Any) -> Any:
        """Turn losses, a number or an array, into the unit of the metric."""
        return self.metric.from_loss(loss)

    def gain(self, difference: Any) -> Any:
        """Turn a difference of losses into one of the metric."""
        return 0.0 - difference if self.metric.greater_is_better else difference

    def limits(self, low: float, high: float) -> tuple[float, float]:
        """Turn limits of a loss into limits of the metric."""
        results = self.value(low), self.value(high)
        return results[::-1] if self.metric.greater_is_better else results

    def bounds(self) -> tuple[float, float]:
        """Return the least and the largest value."""
        if self.score is not None:
            return self.score.bounds(self.bound.n_classes)
        return (0.0, 1.0) if self.percent else (float(self.table.min()), float(self.table.max()))

    @property
    def table(self) -> np.ndarray:
        """The loss of each true class and answer; float array, shape (K, K)."""
        assert isinstance(self.metric, CaseMetric)
        return self.metric.losses(*np.indices((self.bound.n_classes,) * 2)).astype(np.float64)

    def worst_mean(self, counts: np.ndarray) -> float:
        """Return the mean loss if every answer were the one that costs most: laws of errors are laws of proportions."""
        table = self.table
        if table.min() < 0:
            raise UsageError(f"the loss gives {table.min():g} for an answer; expected no loss below 0; add a constant")
        worst = float((counts * table.max(axis=1)).sum() / counts.sum())
        if worst == 0:
            raise UsageError("the loss gives 0 for every answer; expected one that distinguishes answers")
        return worst

    def as_good(self, values: np.ndarray, estimate: float) -> int:
        """Count the values that are at least as good as an estimate, up to rounding."""
        slack = _SAME * (abs(estimate) if self.score is None else max(1.0, abs(estimate)))
        better = values >= estimate - slack if self.metric.greater_is_better else values <= estimate + slack
        return int(better.sum())

    def baseline(self, problem: Problem) -> Baseline:
        """Return the baseline: the value that is had without a classifier."""
        if self.score is not None:
            return baseline_of(self.bound, problem.class_counts)
        assert isinstance(self.metric, CaseMetric)
        y = problem.sample.y
        means = [float(self.metric.losses(y, np.full_like(y, c)).sum()) / y.size for c in range(self.bound.n_classes)]
        constant = int(np.argmin(means))
        name = problem.sample.classes[constant]
        return Baseline(means[constant], f"always '{name}'", name)


_NO_SKILL = {
    "auc": (0.5, "a random ranking"),
    "macro-auc": (0.5, "a random ranking"),
    "mcc": (0.0, "random labels"),
    "calibration-slope": (1.0, "what is right"),
    "calibration-intercept": (0.0, "what is right"),
}


def baseline_of(question: BoundMetric, counts: np.ndarray) -> Baseline:
    """Return the value of a score that is had without a classifier, or that is right."""
    score = question.metric
    if isinstance(score, ProbabilityMetric):
        shares = counts / counts.sum()
        return Baseline(float((shares * score.costs(shares[None])[0]).sum()), "the class shares always")
    if score.name == "average-precision":
        return Baseline(float(counts[question.positive] / counts.sum()), "a random ranking")
    if score.name == "balanced-accuracy":
        two = getattr(score, "threshold", None) is not None
        return Baseline(1 / (2 if two else question.n_classes), "one class always")
    return Baseline(*_NO_SKILL.get(score.name, (None, "")))


def measure_of(problem: Problem, scoring: Any = "error", pos_label: Any = None) -> Scoring:
    """Bind the metric that a user named, a loss or a score, to a problem."""
    n_classes = problem.sample.n_classes
    scoring, pos_label = read_scorer(scoring, pos_label, problem.labels)
    scoring = "error" if isinstance(scoring, ErrorRate) else scoring
    metric = score_of(scoring)
    if metric is None:
        if pos_label is not None:
            raise UsageError(f"pos_label = {pos_label!r} was given and scoring is no score of one class; leave it out")
        metric, kind, words = read_costs(scoring, problem.labels, problem.class_counts)
        return Scoring(BoundMetric(metric, n_classes - 1, n_classes), kind=kind, costs=words)
    names = problem.sample.classes
    if pos_label is None and len(names) > 2 and speaks_of_one(metric):
        raise UsageError(
            f"scoring {metric.id} speaks of one class and there are {len(names)}; name it with pos_label, one of "
            f"{', '.join(names[:6])}"
        )
    positive = len(names) - 1 if pos_label is None else positions([pos_label], problem.labels)[0]
    if positive < 0:
        raise UsageError(
            f"pos_label = '{pos_label}' was given; none of the classes {', '.join(names[:6])}",
            nearest(str(pos_label), names),
        )
    named = names[positive] if speaks_of_one(metric) else ""
    return Scoring(BoundMetric(metric, positive, n_classes), metric, pos_label=named)


def score_of(scoring: Any) -> Metric | None:
    """Return the score that was named or made; None where a loss was."""
    if isinstance(scoring, Metric):
        return scoring
    if isinstance(scoring, str):
        known, _ = name_and_settings(scoring) or (scoring, {})
        if known in ("error", "balanced") or "=" in known or scoring.endswith((".csv", ".csv.gz")):
            return None
        if known not in METRICS:
            names = ["error", "balanced", *METRICS]
            raise UsageError(f"scoring = {scoring!r}; expected one of {', '.join(names)}; {nearest(known, names)}")
        return parse_metric(scoring)
    of_classes = isinstance(scoring, Mapping | list | tuple | np.ndarray) or hasattr(scoring, "iloc")
    if of_classes or (callable(scoring) and not hasattr(scoring, "bounds")):
        return None
    raise UsageError(f"scoring = {scoring!r}; expected error, balanced, costs or one of {', '.join(METRICS)}")


def speaks_of_one(metric: Metric) -> bool:
    """Whether a metric, or its threshold, is of one class against all others."""
    return metric.of_one_class or getattr(metric, "threshold", None) is not None
