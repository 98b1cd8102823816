"""The learner protocol, and the adapter of the library's learners."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np

from errorest.assessment.workers import Report
from errorest.errors import UsageError
from errorest.probabilities import checked_probabilities

if TYPE_CHECKING:
    from errorest.data.sample import Sample
    from errorest.resampling.multisets import Resamples


@dataclass(frozen=True)
class Failure:
    """A resample on which a classifier could not be fitted or asked."""

    row: int
    reason: str


class Answers(NamedTuple):
    """Predictions for the tests of resamples.

    ``labels`` are class numbers, small integers of shape (T,); ``scores`` probabilities or values of a decision
    function, float array of shape (T, K); None where they were not asked for.  ``warned`` counts the classifier's own
    warnings by text.
    """

    labels: np.ndarray | None
    scores: np.ndarray | None
    failures: tuple[Failure, ...] = ()
    warned: Mapping[str, int] = MappingProxyType({})


class Learner(Protocol):
    """A classifier with the data that it is trained and tested on."""

    @property
    def model(self) -> Any:
        """The user's classifier, or the library's learner."""

    @property
    def id(self) -> str:
        """Name with settings."""

    @property
    def settings(self) -> str:
        """Every setting, where the id leaves some out."""

    @property
    def random(self) -> bool:
        """Whether every fit needs a seed."""

    @property
    def scores(self) -> Literal["predict_proba", "decision_function", ""]:
        """What it predicts in addition to labels."""

    @property
    def n_jobs(self) -> int:
        """Number of workers that fit it."""

    @property
    def note(self) -> str:
        """Why it is not fitted by a compiled batch that it has; else empty."""

    def with_labels(self, codes: np.ndarray) -> Learner:
        """Return the same classifier on the same data with other class numbers; it fits in this process alone."""

    @property
    def learns_nothing(self) -> bool:
        """Whether its labels do not depend on those that it is trained with."""

    def fit_predict(
        self,
        resamples: Resamples,
        rng: np.random.Generator | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> Answers:
        """Fit on every row of resamples and predict its tests."""


@dataclass(frozen=True, eq=False)
class BuiltIn:
    """A learner of the library, or any object with ``predict_resamples``, on a sample of values."""

    note: ClassVar[str] = ""
    learns_nothing: ClassVar[bool] = False

    model: Any
    sample: Sample
    n_jobs: int = 1

    @property
    def id(self) -> str:
        """Name with settings."""
        return str(self.model.id)

    @property
    def settings(self) -> str:
        """Every setting, defaults too; nothing for objects of another kind."""
        from errorest.spec import Spec, settings_of

        if not isinstance(self.model, Spec):
            return ""
        return ", ".join(f"{s.name}={self.model.written(s.name)}" for s in settings_of(type(self.model)))

    @property
    def random(self) -> bool:
        """Whether every fit needs a seed."""
        return bool(getattr(self.model, "random", False))

    @property
    def scores(self) -> Literal["predict_proba", "decision_function", ""]:
        """``predict_proba`` where the learner has ``predict_proba_resamples``."""
        return "predict_proba" if callable(getattr(self.model, "predict_proba_resamples", None)) else ""

    def with_labels(self, codes: np.ndarray) -> BuiltIn:
        """Return the same learner on the same data with other class numbers."""
        return replace(self, sample=replace(self.sample, y=codes))

    def fit_predict(
        self,
        resamples: Resamples,
        rng: np.random.Generator | None,
        *,
        labels: bool,
        scores: bool,
        report: Report | None = None,
    ) -> Answers:
        """Fit and predict in one compiled pass, or in parts where it is long and draws nothing at random."""
        who, of_labels, of_scores = f"inducer {self.id}", list[np.ndarray](), list[np.ndarray]()
        for part in resamples.parts() if rng is None else [resamples]:
            if labels:
                own = () if rng is None else (copy.deepcopy(rng),)  # labels do not depend on whether scores are wanted
                codes = self.model.predict_resamples(self.sample, part, *own)
                if codes.shape != part.cases.shape:
                    raise UsageError(
                        f"{who} answered {codes.size} of {part.cases.size} tested cases (an array of shape "
                        f"{codes.shape}); expected one class number for each"
                    )
                of_labels.append(codes.astype(np.min_scalar_type(-self.sample.n_classes)))
            if scores:
                values = self.model.predict_proba_resamples(self.sample, part, *(() if rng is None else (rng,)))
                of_scores.append(checked_probabilities(values, part.cases.size, self.sample.n_classes, who))
            if report is not None:
                report(part.n_rows)
        return Answers(np.concatenate(of_labels) if labels else None, np.concatenate(of_scores) if scores else None)
