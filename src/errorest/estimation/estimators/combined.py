"""Estimators that combine others: .632, .632+ and LOO*.

They share the resamples, or clones, of what they combine.  Definitions follow
Efron (1983), Efron & Tibshirani (1997) and, for LOO*, Weiss & Kulikowski as
printed in Martin & Hirschberg (1996), section 2.  All error rates are proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from errorest.data.sample import Sample
from errorest.estimation.estimators.bootstraps import BootstrapE0, Per
from errorest.estimation.estimators.estimator import Estimator, Outcomes, outcome_of
from errorest.estimation.estimators.overfitting import Variant, point_632_plus
from errorest.estimation.estimators.splits import CrossValidation, LeaveOneOutCV
from errorest.resampling.clones import Cloning
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import APPARENT

__all__ = ["Bootstrap632", "Bootstrap632Plus", "LooStar"]


@dataclass(frozen=True, eq=False)
class _OfE0(Estimator):
    """An estimator that combines e0 with the apparent error."""

    replicates: int = 200
    per: Per = "replicate"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.e0  # it refuses what it cannot be made of

    @cached_property
    def e0(self) -> BootstrapE0:
        """The bootstrap part."""
        return BootstrapE0(self.replicates, self.per, self.cloning or False)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """The sample itself, and the bootstrap samples or clones."""
        return (APPARENT, *self.e0.schemes)


@dataclass(frozen=True, eq=False)
class Bootstrap632(_OfE0):
    """.632 bootstrap: .368 of the apparent error and .632 of e0 (Efron 1983).

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; with ``per="nested"`` so many a case.
    per : {"replicate", "case", "pooled", "nested"}
        As in :class:`BootstrapE0`.
    cloned : Cloning or bool
        Take e0 from clones; with ``nested`` only.

    Examples
    --------
    >>> Bootstrap632(50).id
    '632(replicates=50)'
    """

    name = "632"
    trusts_apparent = True

    cloned: Cloning | bool = False

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Weigh the two."""
        return 0.368 * outcomes[self.schemes[0]].rate + 0.632 * self.e0.reduce(sample, outcomes)


@dataclass(frozen=True, eq=False)
class Bootstrap632Plus(_OfE0):
    """.632+ bootstrap: the .632 with more weight on the bootstrap error the more the inducer overfits.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; with ``per="nested"`` so many a case.
    per : {"case", "replicate", "pooled", "nested"}
        As in :class:`BootstrapE0`; Efron & Tibshirani average case by case.
    variant : {"efron-tibshirani", "unbounded-r", "truncated-632", "zero-outside"}
        As in :func:`point_632_plus`.
    cloned : Cloning or bool
        Take e0 from clones; with ``nested`` only.

    Examples
    --------
    >>> Bootstrap632Plus().id, Bootstrap632Plus(100, "nested", "zero-outside", cloned=True).id
    ('632+(replicates=200)', '632+(replicates=100, per=nested, variant=zero-outside, cloned=True)')
    """

    name = "632+"

    per: Per = "case"
    variant: Variant = "efron-tibshirani"
    cloned: Cloning | bool = False

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Weigh the two by the relative overfitting rate, under the loss of the outcomes."""
        own = outcome_of(outcomes, self.schemes[0])
        gamma = own.no_information(sample.n_classes)
        return point_632_plus(own.rate, self.e0.reduce(sample, outcomes), gamma, self.variant)


@dataclass(frozen=True, eq=False)
class LooStar(Estimator):
    """Weiss's LOO*: leave-one-out, replaced by .632 or repeated 2-fold CV where they disagree.

    .632 where leave-one-out lies below it; the repeated 2-fold estimate where that lies
    below leave-one-out (and leave-one-out is not below .632); else leave-one-out.

    Parameters
    ----------
    replicates : int
        Bootstrap samples of the .632 part.
    repeats : int
        Repeats of the 2-fold part.

    References
    ----------
    Martin & Hirschberg (1996), section 2.

    Examples
    --------
    >>> len(LooStar().schemes)
    4
    """

    name = "loo*"
    trusts_apparent = True

    replicates: int = 200
    repeats: int = 100

    @cached_property
    def parts(self) -> tuple[Estimator, Estimator, Estimator]:
        """Leave-one-out, .632 and repeated 2-fold cross-validation."""
        return LeaveOneOutCV(), Bootstrap632(self.replicates), CrossValidation(2, self.repeats)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Those of the three parts."""
        return tuple(scheme for part in self.parts for scheme in part.schemes)

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Choose one of the three."""
        left, boot, half = (part.reduce(sample, outcomes) for part in self.parts)
        if left < boot:
            return boot
        return half if half < left else left
