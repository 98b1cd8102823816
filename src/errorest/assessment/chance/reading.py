"""What a permutation test reads of every arrangement: a mean loss, or a score, and which of two is better."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from errorest.assessment.arrangement import unit_sample
from errorest.assessment.costs import Costs, read_costs
from errorest.assessment.estimate import best_constant, planned
from errorest.assessment.inputs import Problem
from errorest.assessment.measure import class_of, question_of
from errorest.assessment.plan import Plan, few_folds
from errorest.assessment.scores.asking import asked_of
from errorest.assessment.scores.plan import plan_score, ranking_folds, ranks
from errorest.assessment.scores.words import bar_of
from errorest.errors import UsageError
from errorest.estimation.losses import Outcome, RowErrors
from errorest.estimation.scores.calibration import CalibrationIntercept, CalibrationSlope
from errorest.estimation.scores.outcomes import Question
from errorest.estimation.scores.score import Statistic
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

__all__ = ["OfLoss", "OfScore", "Reading", "reading_of"]

_SAME = 1e-9
"""Estimates that differ by less are equal: of losses a share, since costs have any unit."""


class Reading(ABC):
    """How outcomes under an arrangement of the labels become one number, and which of two numbers is better."""

    needs_probabilities = False

    def asked(self, problem: Problem) -> Problem:
        """Return a problem whose inducer answers what is read."""
        return problem

    @abstractmethod
    def planned(self, problem: Problem, estimator: Any, streams: Streams) -> Plan:
        """Match the estimator that was asked for."""

    @abstractmethod
    def outcomes(
        self, problem: Problem, made: Mapping[Scheme, RowErrors], table: np.ndarray | None
    ) -> Mapping[Scheme, RowErrors]:
        """Turn what schemes yielded into what the estimator reduces."""

    @abstractmethod
    def value(self, loss: float) -> float:
        """Turn what the estimator returned into what is told."""

    @abstractmethod
    def as_good(self, chance: np.ndarray, own: float) -> int:
        """Count the estimates that are at least as good as the one at hand."""

    @abstractmethod
    def told(self, problem: Problem) -> dict[str, Any]:
        """Return what a :class:`~errorest.assessment.ChanceTest` says of it."""


@dataclass(frozen=True, eq=False)
class OfLoss(Reading):
    """The mean of a loss: less is better."""

    loss: Any
    costs: Costs
    counts: np.ndarray

    def planned(self, problem: Problem, estimator: Any, streams: Streams) -> Plan:
        """Match the estimator of an error rate; clones count errors alone."""
        plan = planned(problem, _few_of(problem, estimator), None, streams, self.costs.loss.zero_one)
        if not self.costs.loss.zero_one and any(s.cloned for s in plan.schemes):
            raise UsageError(
                "a loss of your own and clones were asked for; expected the 0/1 loss, since clones count errors; name "
                "an estimator without clones, or loss='0/1'"
            )
        return plan

    def outcomes(
        self, problem: Problem, made: Mapping[Scheme, RowErrors], table: np.ndarray | None
    ) -> Mapping[Scheme, RowErrors]:
        """Count losses; where whole groups change places the classes may change their sizes, and balanced costs."""
        cost = self.costs.loss
        if self.costs.kind == "balanced" and (problem.class_counts != self.counts).any():
            cost = read_costs(self.loss, problem.labels, problem.class_counts).loss
        return {s: o.under(cost) if isinstance(o, Outcome) else o for s, o in made.items()}

    def value(self, loss: float) -> float:
        """Return it as it is."""
        return loss

    def as_good(self, chance: np.ndarray, own: float) -> int:
        """Count those that are no larger."""
        return int((chance <= own + _SAME * abs(own)).sum())

    def told(self, problem: Problem) -> dict[str, Any]:
        """Return the loss, and the best constant with its mean loss."""
        constant, bar = best_constant(problem, self.costs.loss)
        named = {"bar": bar, "bar_name": f"always '{problem.sample.classes[constant]}'"}
        return {
            "loss": self.costs.kind,
            "costs": self.costs.told,
            "constant": problem.sample.classes[constant],
            **named,
        }


@dataclass(frozen=True, eq=False)
class OfScore(Reading):
    """A score; of those that rise, such as the AUC, more is better."""

    question: Question

    @property
    def needs_probabilities(self) -> bool:  # type: ignore[override]
        """Whether labels alone do not tell it."""
        return self.question.score.needs_probabilities

    def asked(self, problem: Problem) -> Problem:
        """Return a problem whose inducer numbers its probabilities, where the score needs them; each time anew."""
        return asked_of(problem, self.question.score)

    def planned(self, problem: Problem, estimator: Any, streams: Streams) -> Plan:
        """Match the estimator of a score."""
        wanted = _few_of(problem, estimator)
        if wanted is not estimator and isinstance(self.question.score, Statistic):
            wanted = replace(wanted, stratified=True)
            if ranks(self.question.score):
                wanted = ranking_folds(problem, self.question.positive, wanted.k, 1)
        return plan_score(problem, self.question, wanted, None, streams)

    def outcomes(
        self, problem: Problem, made: Mapping[Scheme, RowErrors], table: np.ndarray | None
    ) -> Mapping[Scheme, RowErrors]:
        """Turn labels, or lines of the table, into losses or statistics."""
        return self.question.outcomes({s: o for s, o in made.items() if isinstance(o, Outcome)}, table)

    def value(self, loss: float) -> float:
        """Turn it into the unit of the score."""
        return self.question.score.from_loss(loss)

    def as_good(self, chance: np.ndarray, own: float) -> int:
        """Count those that are no smaller where more is better, else those that are no larger."""
        slack = _SAME * max(1.0, abs(own))
        better = chance >= own - slack if self.question.score.rising else chance <= own + slack
        return int(better.sum())

    def told(self, problem: Problem) -> dict[str, Any]:
        """Return the score, its class, and what it is held against."""
        score = self.question.score
        bar, name = bar_of(self.question, problem.class_counts)
        return {"score": score, "positive": class_of(problem, self.question), "bar": bar, "bar_name": name}


def reading_of(problem: Problem, loss: Any, score: Any, positive: Any) -> Reading:
    """Say what is read, from what a person asked for."""
    question = question_of(problem, loss, score, positive)
    if question is None:
        return OfLoss(loss, read_costs(loss, problem.labels, problem.class_counts), problem.class_counts)
    if isinstance(question.score, CalibrationSlope | CalibrationIntercept):
        raise UsageError(
            f"score {question.score.id} was to be tested against chance; expected one that falls behind where labels "
            "have nothing to do with attributes, and whoever always tells the class shares is calibrated; take brier, "
            "log-loss or auc"
        )
    reading = OfScore(question)
    reading.asked(problem)
    return reading


def _few_of(problem: Problem, estimator: Any) -> Any:
    """Return few folds for "auto", since the estimate is repeated under every arrangement."""
    if not (isinstance(estimator, str) and estimator == "auto"):
        return estimator
    return few_folds(unit_sample(problem.sample, problem.groups).n)
