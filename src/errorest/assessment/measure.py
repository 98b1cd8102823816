"""What classifiers are measured by, a loss or a score: what is run for it, and what answers become under it.

One :class:`Measure` serves all candidates.  Inside everything is a loss, of which less is better; what a person
is told is in the unit of the loss or the score.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from errorest.assessment.caution import Caution
from errorest.assessment.costs import Costs, read_costs
from errorest.assessment.estimate import best_constant
from errorest.assessment.inputs import Problem
from errorest.assessment.runs import Ran
from errorest.assessment.scores.asking import asked_of, table_of
from errorest.assessment.scores.estimate import asked_score, positive_of, speaks_of_one
from errorest.assessment.scores.words import bar_of, of_clipping
from errorest.errors import UsageError
from errorest.estimation.losses import Outcome
from errorest.estimation.scores.calibration import CalibrationIntercept, CalibrationSlope
from errorest.estimation.scores.outcomes import Question
from errorest.estimation.scores.score import Score, Statistic
from errorest.resampling.scheme import Scheme

__all__ = ["Bar", "Measure", "class_of", "measure_of", "question_of"]


@dataclass(frozen=True)
class Bar:
    """What is had without a classifier."""

    value: float | None
    name: str
    constant: str = ""


@dataclass(frozen=True, eq=False)
class Measure:
    """A loss of labels, or a score of labels or probabilities."""

    costs: Costs
    question: Question | None = None
    positive: str = ""

    @property
    def score(self) -> Score | None:
        """The score, where one was asked for."""
        return None if self.question is None else self.question.score

    @property
    def statistic(self) -> bool:
        """Whether it is one of many cases, and no mean of losses of cases."""
        return isinstance(self.score, Statistic)

    @property
    def rising(self) -> bool:
        """Whether more is better."""
        return self.score is not None and self.score.rising

    @property
    def percent(self) -> bool:
        """Whether values are proportions of errors, told in percent."""
        return self.score is None and self.costs.percent

    @property
    def of_labels(self) -> bool:
        """Whether what is run answers with labels, which may be right or wrong."""
        return self.score is None or not self.score.needs_probabilities

    @property
    def noun(self) -> str:
        """What it is called in a sentence."""
        return "error" if self.score is None else self.score.title

    def asked(self, problem: Problem) -> Problem:
        """Return a problem whose inducer answers what is measured."""
        return problem if self.score is None else asked_of(problem, self.score)

    def outcome(self, outcome: Outcome, asked: Problem) -> Outcome:
        """Turn what was said on a problem of :meth:`asked` into losses, or statistics."""
        if self.question is None:
            return outcome.under(self.costs.loss)
        return self.question.outcome(outcome, table_of(asked))

    def of(self, ran: Ran, asked: Problem, scheme: Scheme) -> Ran:
        """Turn what a scheme yielded on a problem of :meth:`asked` into losses, or statistics."""
        return replace(ran, outcomes={scheme: self.outcome(ran.resampled[scheme], asked)})

    def value(self, loss: Any) -> Any:
        """Turn losses, a number or an array, into the unit that is told."""
        return loss if self.score is None else self.score.from_loss(loss)

    def gain(self, difference: Any) -> Any:
        """Turn a difference of losses into one of the unit that is told."""
        return 0.0 - difference if self.rising else difference

    def limits(self, low: float, high: float) -> tuple[float, float]:
        """Turn limits of a loss into limits in the unit that is told."""
        found = self.value(low), self.value(high)
        return found[::-1] if self.rising else found

    def bar(self, problem: Problem) -> Bar:
        """Say what is had without a classifier."""
        if self.question is not None:
            return Bar(*bar_of(self.question, problem.class_counts))
        constant, error = best_constant(problem, self.costs.loss)
        name = problem.sample.classes[constant]
        return Bar(error, f"always '{name}'", name)

    def cautions(self, ran: Ran, asked: Problem, scheme: Scheme, who: str) -> list[Caution]:
        """Say what to beware of in the score of one classifier."""
        table = table_of(asked)
        if self.score is None or table is None:
            return []
        o = ran.resampled[scheme]
        own = table[o.labels, o.y[o.resamples.cases]]
        return of_clipping(self.score, int((own == 0).sum()), own.size, f"{who}: ")


def measure_of(problem: Problem, loss: Any = "0/1", score: Any = None, positive: Any = None) -> Measure:
    """Say what is measured, from what a person asked for."""
    question = question_of(problem, loss, score, positive)
    if question is None:
        return Measure(read_costs(loss, problem.labels, problem.class_counts))
    if isinstance(question.score, CalibrationSlope | CalibrationIntercept):
        raise UsageError(
            f"score {question.score.id} was named to compare by; expected one of which more, or less, is better, and "
            "calibration says what is wrong with one classifier's probabilities; take brier, log-loss or auc"
        )
    zero_one = read_costs("0/1", problem.labels, problem.class_counts)
    return Measure(zero_one, question, class_of(problem, question))


def question_of(problem: Problem, loss: Any, score: Any, positive: Any) -> Question | None:
    """Return the score that was asked for in place of a loss, with its class; None where it was left to the loss."""
    if score is None:
        if positive is not None:
            raise UsageError(
                f"positive = {positive!r} was given without a score; expected a score that speaks of one class; name "
                "one, such as score='auc', or leave out positive"
            )
        return None
    wanted = asked_score(score)
    if not (isinstance(loss, str) and loss == "0/1"):
        raise UsageError(
            f"a loss and score {wanted.id} were given; expected one of them, since a score counts in its own unit; "
            "leave out loss, or score"
        )
    return Question(wanted, positive_of(problem, wanted, positive), problem.sample.n_classes)


def class_of(problem: Problem, question: Question) -> str:
    """Name the class that a score speaks of; empty where it speaks of all."""
    return problem.sample.classes[question.positive] if speaks_of_one(question.score) else ""
