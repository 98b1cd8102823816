"""Bootstrap estimators: classifiers made of samples drawn from the sample, or of clones of it.

The bootstrap samples of one number of replicates are the same for e0 (but for its
nested form), bs, bscv and bsx2, and so are the clones of one cloning for the latter
three.  All error rates are proportions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.estimation.estimators.estimator import Estimator, Outcomes, Weights, outcome_of, weighted
from errorest.estimation.losses import case_means, mean_of_known
from errorest.resampling.clones import CloneCases, CloneFolds, CloneLeftOut, CloneTwice, Cloning
from errorest.resampling.scheme import Folds, Scheme
from errorest.resampling.schemes import Bootstrap, BootstrapCases, BootstrapFolds, BootstrapTwice, LeaveOneOutBootstrap

__all__ = ["BootstrapE0", "BootstrappedCV", "DoubleBootstrap", "NaiveBootstrap", "Per"]

Per = Literal["replicate", "case", "pooled", "nested"]


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

    Raises
    ------
    UsageError
        If ``per`` is unknown, or forbids clones.

    Examples
    --------
    >>> BootstrapE0(200).id, BootstrapE0(100, "nested", cloned=True).id
    ('e0(replicates=200)', 'e0(replicates=100, per=nested, cloned=True)')
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

    Examples
    --------
    >>> NaiveBootstrap(100).id, NaiveBootstrap(100, cloned=Cloning(kernel="gaussian")).id
    ('bs(replicates=100)', 'bs(replicates=100, cloned=True, kernel=gaussian)')
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

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Average the replicates."""
        return outcomes[self.schemes[0]].rate


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

    Examples
    --------
    >>> BootstrappedCV(5, 100).id, BootstrappedCV("n", 100, cloned=True).id
    ('bscv(k=5, replicates=100)', 'bscv(k=n, replicates=100, cloned=True)')
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
        Bootstrap samples or clones, B; each is drawn from once, with replacement.
    cloned : Cloning or bool
        Draw from clones instead.

    Examples
    --------
    >>> DoubleBootstrap(100).id
    'bsx2(replicates=100)'
    """

    name = "bsx2"
    unseen = False

    replicates: int = 200
    cloned: Cloning | bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        """Bootstrap samples of bootstrap samples or of clones."""
        if self.cloning is not None:
            return (CloneTwice(self.replicates, self.cloning),)
        return (BootstrapTwice(self.replicates),)

    def reduce(self, sample: Sample, outcomes: Outcomes) -> float:
        """Average the replicates."""
        return outcomes[self.schemes[0]].rate
