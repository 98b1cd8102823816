"""A problem whose inducer answers with numbered probabilities, so that schemes run as for labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.inputs import Problem
from errorest.assessment.labelling import Failure
from errorest.assessment.runs import Ran
from errorest.assessment.scores.labelling import ProbabilityTrainer
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.scores.outcomes import Asked, Question, refuse_without_probabilities
from errorest.estimation.scores.score import Score
from errorest.resampling.multisets import Resamples

__all__ = ["AskedOwn", "asked_of", "scored", "table_of"]


@dataclass(frozen=True, eq=False)
class AskedOwn(OwnClassifier):
    """A scikit-learn classifier that answers with numbers of lines in a table of probabilities."""

    told: Asked = field(default_factory=lambda: Asked(None))

    @property
    def table(self) -> np.ndarray:
        """What was said, by number; float array, shape (lines, K)."""
        return self.told.table

    @cached_property
    def trainer(self) -> ProbabilityTrainer:
        """What workers are handed."""
        plain = OwnClassifier.trainer.func(self)  # type: ignore[attr-defined]
        return ProbabilityTrainer(**vars(plain))

    def label_rows(
        self,
        sample: Sample,
        resamples: Resamples,
        rng: np.random.Generator | None = None,
        told: Callable[[int], None] | None = None,
    ) -> tuple[np.ndarray, list[Failure], list[str]]:
        """Number the probabilities of the tested cases of every row; rows that fail are listed."""
        k = self.labels.shape[0]
        wide = replace(resamples, start=resamples.start * k, cases=np.repeat(resamples.cases, k), layout=None)
        bits, failures, warned = super().label_rows(sample, wide, rng, told)
        return self.told.numbered(bits.view(np.float64).reshape(-1, k)), failures, warned


def asked_of(problem: Problem, score: Score) -> Problem:
    """Return a problem whose inducer numbers its probabilities, where a score needs them."""
    if not score.needs_probabilities:
        return problem
    own: Any = problem.inducer
    if not isinstance(own, OwnClassifier):
        refuse_without_probabilities(own, score, own.id)
        return replace(problem, inducer=Asked(own))
    if not callable(getattr(own.estimator, "predict_proba", None)):
        raise UsageError(
            f"{own.id} has no predict_proba and score {score.id} needs probabilities; expected a classifier that tells "
            "them; take CalibratedClassifierCV round it, another classifier, or a score of labels: balanced-accuracy, "
            "mcc, f1, sensitivity, specificity"
        )
    asked = AskedOwn(own.estimator, own.X, own.y, own.labels, own.jobs, own.id, own.threads)
    return replace(problem, inducer=asked)


def table_of(problem: Problem) -> np.ndarray | None:
    """Return what was said on a problem of :func:`asked_of`, by number; None where labels were."""
    if not isinstance(problem.inducer, Asked | AskedOwn):
        return None
    return problem.inducer.table


def scored(ran: Ran, problem: Problem, question: Question) -> Ran:
    """Turn what was run on a problem of :func:`asked_of` into outcomes of the score."""
    return replace(ran, outcomes=question.outcomes(ran.resampled, table_of(problem)))
