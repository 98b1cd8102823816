"""What an estimator is: settings, schemes to be run, and a reduction of their losses to one number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from errorest.data.sample import Sample
from errorest.estimation.outcomes import Outcome, RowErrors
from errorest.resampling.clones import Cloning
from errorest.resampling.scheme import Scheme
from errorest.spec import Spec

Outcomes = Mapping[Scheme, RowErrors]

Weights = Literal["test-size", "folds"]


@dataclass(frozen=True, eq=False)
class Estimator(Spec):
    """An error-rate estimator: a frozen dataclass (``eq=False``) whose fields are its settings.

    Attributes
    ----------
    unseen : bool
        Whether it tests cases on classifiers that were not trained on them, or corrects for those that were.
    trusts_apparent : bool
        Whether it is too low for an inducer that memorizes its training set.

    Examples
    --------
    >>> from errorest.resampling.schemes import KFold, Resubstitution
    >>> @dataclass(frozen=True, eq=False)
    ... class Half(Estimator):
    ...     name = "half"
    ...     repeats: int = 50
    ...
    ...     @property
    ...     def schemes(self):
    ...         return Resubstitution(), KFold(2, self.repeats)
    ...
    ...     def reduce(self, sample, outcomes):
    ...         return sum(0.5 * outcomes[scheme].rate for scheme in self.schemes)
    >>> Half(9).id, [scheme.id for scheme in Half(9).schemes]
    ('half(repeats=9)', ['resubstitution()', 'k_fold(k=2, repeats=9)'])
    """

    unseen: ClassVar[bool] = True
    trusts_apparent: ClassVar[bool] = False

    @property
    def schemes(self) -> tuple[Scheme, ...]:
        """What must be run."""
        raise NotImplementedError

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Reduce the outcomes of :attr:`schemes` to the estimated error rate, a proportion; NaN where undefined.

        By default the mean of its one scheme.
        """
        return outcomes[self.schemes[0]].rate

    @property
    def cloning(self) -> Cloning | None:
        """How it draws clones, where it does."""
        cloned: Any = getattr(self, "cloned", False)
        return cloned if isinstance(cloned, Cloning) else None


def outcome_of(outcomes: Outcomes, scheme: Scheme) -> Outcome:
    """Return the outcome of a scheme that draws no clones."""
    outcome = outcomes[scheme]
    assert isinstance(outcome, Outcome)
    return outcome


def weighted(outcome: RowErrors, weights: Weights) -> float:
    """Reduce the folds of an outcome to one error rate, a proportion."""
    return outcome.rate if weights == "test-size" else outcome.mean_row_rate
