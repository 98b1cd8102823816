"""The bootstrap's estimators: classifiers made of samples drawn from the sample, or of clones of it.

The bootstrap samples of one number of replicates are the same for e0 (but for its nested form), bs, bscv and
bsx2, and so are the clones of one cloning for bs and bscv.  .632, .632+ and LOO* share the resamples, or
clones, of what they combine.  All error rates are proportions.

Definitions follow Efron (1983), Efron & Tibshirani (1997), Shakhnarovich, El-Yaniv & Baram (2001) and, for LOO*,
Weiss & Kulikowski as printed in Martin & Hirschberg (1996), section 2.  Readers of Efron & Tibshirani disagree on
what is bounded by what in .632+; each reading has a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

from errorest.data.sample import Sample
from errorest.errors import UsageError, nearest
from errorest.estimation.estimators.estimator import Estimator, Outcomes, Weights, outcome_of, weighted
from errorest.estimation.estimators.splits import CrossValidation, LeaveOneOutCV
from errorest.estimation.outcomes import case_means, mean_of_known
from errorest.resampling.clones import CloneCases, CloneFolds, CloneLeftOut, Cloning
from errorest.resampling.scheme import Folds, Scheme
from errorest.resampling.schemes import (
    APPARENT,
    Bootstrap,
    BootstrapCases,
    BootstrapFolds,
    BootstrapTwice,
    LeaveOneOutBootstrap,
)

Per = Literal["replicate", "case", "pooled", "nested"]

Variant = Literal["efron-tibshirani", "unbounded-r", "truncated-632", "zero-outside"]


@dataclass(frozen=True, eq=False)
class BootstrapE0(Estimator):
    """e0 bootstrap: train on n draws with replacement, test on the cases not drawn.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B.  One that leaves no case out is skipped.
    per : {"replicate", "case", "pooled", "nested"}
        Average the replicates' own rates (Martin & Hirschberg), the cases' own rates
        (Efron & Tibshirani's Err(1), leave-one-out bootstrap with shared samples), or pool.
        ``nested`` draws B samples of size n for each case from all others: leave-one-out
        bootstrap as Shakhnarovich, El-Yaniv & Baram (2001) write it, equation (8).
    cloned : Cloning or bool
        Draw clones of the sample without the case instead; with ``nested`` only.
    """

    name = "e0"

    replicates: int = 200
    per: Per = "replicate"
    cloned: Cloning | bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cloned and self.per != "nested":
            raise UsageError(
                f"clones were asked for with per={self.per}; expected per=nested, since no case is absent from a clone "
                "of the whole sample; choose per=nested"
            )

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Bootstrap samples, or those or clones of all cases but one."""
        if self.cloning is not None:
            return (CloneLeftOut(self.replicates, self.cloning),)
        return (LeaveOneOutBootstrap(self.replicates) if self.per == "nested" else Bootstrap(self.replicates),)

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Average by replicate, by case or over all; NaN where no replicate leaves a case out."""
        outcome = outcomes[self.schemes[0]]
        if self.per == "nested":
            return outcome.rate
        if self.per == "replicate":
            return outcome.mean_row_rate
        if self.per == "pooled":
            return outcome.pooled_rate
        absent = outcome_of(outcomes, self.schemes[0])
        return mean_of_known(case_means(absent.resamples.cases, absent.losses, sample.n)[0])


@dataclass(frozen=True, eq=False)
class NaiveBootstrap(Estimator):
    """Naive bootstrap: train on n draws with replacement, test on the whole sample.

    Most of the tested cases have been trained on, so that it is optimistic.

    Parameters
    ----------
    replicates : int
        Bootstrap samples or clones, B.
    cloned : Cloning or bool
        Train on clones instead.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), equation (7); its clones, section 5.
    """

    name = "bs"
    unseen = False

    replicates: int = 200
    cloned: Cloning | bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Bootstrap samples or clones, tested on the cases."""
        if self.cloning is not None:
            return (CloneCases(self.replicates, self.cloning),)
        return (BootstrapCases(self.replicates),)


@dataclass(frozen=True, eq=False)
class BootstrappedCV(Estimator):
    """Cross-validate each of B bootstrap samples, and average.

    Copies of a case may fall into different folds of a bootstrap sample, which makes it
    optimistic; clones have no copies.

    Parameters
    ----------
    k : int or "n"
        Folds, random and not stratified; ``"n"``: one a case.
    replicates : int
        Bootstrap samples or clones, B.
    weights : {"test-size", "folds"}
        Pool all tested cases of a sample, or average the folds' rates with equal weight.
    cloned : Cloning or bool
        Cross-validate clones instead.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), section 5; it weighs folds equally.
    """

    name = "bscv"
    unseen = False

    k: Folds = 10
    replicates: int = 200
    weights: Weights = "test-size"
    cloned: Cloning | bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Folds of bootstrap samples or clones."""
        if self.cloning is not None:
            return (CloneFolds(self.replicates, self.cloning, self.k),)
        return (BootstrapFolds(self.replicates, self.k),)

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Pool or average the folds."""
        return weighted(outcomes[self.schemes[0]], self.weights)


@dataclass(frozen=True, eq=False)
class DoubleBootstrap(Estimator):
    """Double bootstrap: train on a bootstrap sample of each of B bootstrap samples, test on the whole sample.

    This definition is ours.  Shakhnarovich, El-Yaniv & Baram (2001) print how long their
    ``BS x 2`` takes, as long as the naive bootstrap, but not what it is; here it serves to count
    classifiers, of which there are B.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, B; each is drawn from once, with replacement.
    """

    name = "bsx2"
    unseen = False

    replicates: int = 200

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Bootstrap samples of bootstrap samples."""
        return (BootstrapTwice(self.replicates),)


def point_632_plus(apparent: float, err1: float, gamma: float, variant: Variant = "efron-tibshirani") -> float:
    """Combine the three parts of .632+ (all proportions).

    With ``e = min(err1, gamma)`` and the relative overfitting rate
    ``r = (e - apparent)/(gamma - apparent)`` if err1 and gamma both exceed the apparent
    error, else 0: ``.368 apparent + .632 err1 + (e - apparent) .368 .632 r/(1 - .368 r)``.

    References
    ----------
    Efron & Tibshirani (1997), section 3; ``zero-outside`` reproduces Shakhnarovich, El-Yaniv & Baram (2001).
    """
    if variant != "efron-tibshirani" and variant not in (known := get_args(Variant)):
        raise UsageError(f"unknown variant '{variant}'; expected one of {', '.join(known)}; {nearest(variant, known)}")
    if variant == "zero-outside":
        r = (err1 - apparent) / (gamma - apparent) if gamma != apparent else 0.0
        r = r if 0.0 <= r <= 1.0 else 0.0
        return 0.368 * apparent + 0.632 * err1 + (err1 - apparent) * 0.368 * 0.632 * r / (1.0 - 0.368 * r)
    bounded = min(err1, gamma)
    over = err1 > apparent and gamma > apparent
    r = ((err1 if variant == "unbounded-r" else bounded) - apparent) / (gamma - apparent) if over else 0.0
    plain = 0.368 * apparent + 0.632 * (bounded if variant == "truncated-632" else err1)
    return plain + (bounded - apparent) * 0.368 * 0.632 * r / (1.0 - 0.368 * r)


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
