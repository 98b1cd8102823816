"""Error-rate estimators: settings, schemes to be run, and a reduction of their losses to one number.

.632 and .632+ share the bootstrap samples of e0 of as many replicates, and each scheme's samples are the same for all
estimators that ask for it.  All error rates are proportions.

Definitions follow Efron (1983) and Efron & Tibshirani (1997), the nested form of e0 Shakhnarovich, El-Yaniv & Baram
(2001).  Readers of Efron & Tibshirani disagree on what is bounded by what in .632+; each reading has a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import ClassVar, Literal, get_args

from errorest.data.sample import Labelled
from errorest.errors import UsageError, unknown
from errorest.estimation.metrics.metric import Metric, Statistic, Weights
from errorest.estimation.outcomes import Outcome, RowErrors, case_means, mean_of_known
from errorest.resampling.scheme import Folds, Reduction, Scheme
from errorest.resampling.schemes import (
    APPARENT,
    Bootstrap,
    Holdout,
    KFold,
    LeaveOneOut,
    LeaveOneOutBootstrap,
)
from errorest.spec import Family, at_least

Outcomes = Mapping[Scheme, RowErrors]

Per = Literal["replicate", "case", "pooled", "nested"]

Variant = Literal["efron-tibshirani", "unbounded-r", "truncated-632", "zero-outside"]


@dataclass(frozen=True, eq=False)
class Estimator(Reduction):
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

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        """Reduce the outcomes of :attr:`schemes` to the estimated error rate, a proportion; NaN where undefined.

        By default the mean of its one scheme.
        """
        return outcomes[self.schemes[0]].rate


def outcome_of(outcomes: Outcomes, scheme: Scheme) -> Outcome:
    """Return the outcome of a scheme, with every prediction."""
    outcome = outcomes[scheme]
    assert isinstance(outcome, Outcome)
    return outcome


def weighted(outcome: RowErrors, weights: Weights) -> float:
    """Reduce the folds of an outcome to one error rate, a proportion."""
    # errors over tests, or the plain mean of the folds' rates; for a mean of losses they differ only where folds are of
    # unequal size, for a statistic such as F1 always
    return outcome.rate if weights == "test-size" else outcome.mean_row_rate


@dataclass(frozen=True, eq=False)
class Apparent(Estimator):
    """Resubstitution: the share of the sample that its own classifier gets wrong."""

    name = "resubstitution"
    trusts_apparent = True

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (APPARENT,)


@dataclass(frozen=True, eq=False)
class RandomSubsampling(Estimator):
    """Holdout: train on a random part, test on the rest; repeated, random subsampling."""

    name = "holdout"

    # two thirds to train on, one third to test, as is common (Kohavi 1995, section 2.1)
    test: Fraction | float | int = Fraction(1, 3)  # a share, rounded up, or a number of cases
    repeats: int = 1

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (Holdout(self.test, self.repeats),)


@dataclass(frozen=True, eq=False)
class CrossValidation(Estimator):
    """k-fold cross-validation, perhaps repeated and averaged.

    ``weights`` pool all tested cases of a split, or average the folds' rates with equal weight.  Repeats of n folds
    are all equal, unless the inducer draws at random.
    """

    name = "cv"
    requirements: ClassVar = {"k": (lambda k: k == "n" or k >= 2, "at least 2, or n")}

    # ten folds, as Kohavi (1995), section 6, recommends for choosing a classifier (there stratified)
    k: Folds = 10
    repeats: int = 1
    stratified: bool = False
    weights: Weights = "test-size"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (KFold(self.k, self.repeats, self.stratified),)

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        return weighted(outcomes[self.schemes[0]], self.weights)


@dataclass(frozen=True, eq=False)
class LeaveOneOutCV(Estimator):
    """Leave-one-out: every case tested on all the others."""

    name = "loo"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (LeaveOneOut(),)


@dataclass(frozen=True, eq=False)
class BootstrapE0(Estimator):
    """e0 bootstrap: train on n draws with replacement, test on the cases not drawn.

    ``per`` averages the replicates' own rates (Martin & Hirschberg), the cases' own rates (Efron & Tibshirani's Err(1),
    leave-one-out bootstrap with shared samples), or pools.  ``nested`` draws B samples of size n for each case from all
    others: leave-one-out bootstrap as Shakhnarovich, El-Yaniv & Baram (2001) write it, equation (8).
    """

    name = "e0"
    requirements = at_least(replicates=1)

    replicates: int = 200
    per: Per = "replicate"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (LeaveOneOutBootstrap(self.replicates) if self.per == "nested" else Bootstrap(self.replicates),)

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        outcome = outcomes[self.schemes[0]]
        # every case is tested by as many samples as any other, so that the pooled rate is the mean over cases
        if self.per == "nested":
            return outcome.rate
        # mean over samples b of (errors of b) / (cases that b lacks): every sample has the same weight
        if self.per == "replicate":
            return outcome.mean_row_rate
        # sum of errors over sum of cases that were lacked: samples that lack more cases weigh more
        if self.per == "pooled":
            return outcome.pooled_rate
        # Err(1) = mean over cases of E_i, the mean loss of case i over the samples that lack it (Efron & Tibshirani
        # 1997, section 2): every case has the same weight; one that no sample lacks has no E_i and is left out
        absent = outcome_of(outcomes, self.schemes[0])
        return mean_of_known(case_means(absent.resamples.cases, absent.losses, sample.n)[0])


def point_632_plus(apparent: float, err1: float, gamma: float, variant: Variant = "efron-tibshirani") -> float:
    """Combine the three parts of .632+ (all proportions).

    With ``e = min(err1, gamma)`` and the relative overfitting rate
    ``r = (e - apparent)/(gamma - apparent)`` if err1 and gamma both exceed the apparent
    error, else 0: ``.368 apparent + .632 err1 + (e - apparent) .368 .632 r/(1 - .368 r)``.
    Efron & Tibshirani (1997), section 3; ``zero-outside`` reproduces Shakhnarovich, El-Yaniv & Baram (2001).
    """
    if variant != "efron-tibshirani" and variant not in (known := get_args(Variant)):
        raise unknown("variant", variant, known)
    # .632 and .368 = 1 - .632: the share of distinct cases in a bootstrap sample, 1 - 1/e, and its rest.  The weight of
    # err1, w = .632 / (1 - .368 r), goes from .632 without overfitting (r = 0) to 1 (r = 1); what is returned is
    # (1 - w) apparent + w err1, written as .632 plus a correction (section 3)
    if variant == "zero-outside":
        # here R outside [0, 1] is 0, where Efron & Tibshirani bound it by 1, and Err1 is not bounded by gamma
        r = (err1 - apparent) / (gamma - apparent) if gamma != apparent else 0.0
        r = r if 0.0 <= r <= 1.0 else 0.0
        return 0.368 * apparent + 0.632 * err1 + (err1 - apparent) * 0.368 * 0.632 * r / (1.0 - 0.368 * r)
    bounded = min(err1, gamma)  # Err1', no larger than without information
    # R = (Err1' - apparent) / (gamma - apparent), the relative overfitting rate; where Err1 or gamma is no larger than
    # the apparent error there is no overfitting to measure, and it is 0
    over = err1 > apparent and gamma > apparent
    r = ((err1 if variant == "unbounded-r" else bounded) - apparent) / (gamma - apparent) if over else 0.0
    # .632 of Err1 as it is: an estimate above gamma is bounded in the correction alone, unless the variant truncates it
    # here too
    plain = 0.368 * apparent + 0.632 * (bounded if variant == "truncated-632" else err1)
    return plain + (bounded - apparent) * 0.368 * 0.632 * r / (1.0 - 0.368 * r)


@dataclass(frozen=True, eq=False)
class ApparentAndE0(Estimator):
    """Base of the estimators that combine e0 with the apparent error."""

    replicates: int = 200
    per: Per = "replicate"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.e0  # it refuses what it cannot be made of

    @cached_property
    def e0(self) -> BootstrapE0:
        return BootstrapE0(self.replicates, self.per)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (APPARENT, *self.e0.schemes)


@dataclass(frozen=True, eq=False)
class Bootstrap632(ApparentAndE0):
    """.632 bootstrap: .368 of the apparent error and .632 of e0 (Efron 1983)."""

    name = "632"
    trusts_apparent = True

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        # Efron (1983): a bootstrap sample holds a case with probability 1 - (1 - 1/n)^n, which tends to 1 - 1/e = .632.
        # Out of the bag the training sets are too small, and Err1 too high; the apparent error is too low, and .368 of
        # it balances that for rules that do not memorize
        return 0.368 * outcomes[self.schemes[0]].rate + 0.632 * self.e0.reduce(sample, outcomes)


@dataclass(frozen=True, eq=False)
class Bootstrap632Plus(ApparentAndE0):
    """.632+ bootstrap: the .632 with more weight on the bootstrap error the more the inducer overfits."""

    name = "632+"
    requirements = at_least(replicates=1)

    per: Per = "case"  # as Efron & Tibshirani average
    variant: Variant = "efron-tibshirani"

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        own = outcome_of(outcomes, self.schemes[0])
        # the error of the same labels, were they independent of the classes
        gamma = own.no_information(sample.n_classes)
        return point_632_plus(own.rate, self.e0.reduce(sample, outcomes), gamma, self.variant)


ESTIMATORS: Family[Estimator] = Family(
    "estimator",
    (
        Apparent,
        RandomSubsampling,
        CrossValidation,
        LeaveOneOutCV,
        BootstrapE0,
        Bootstrap632,
        Bootstrap632Plus,
    ),
    "cv(k=10)",
)
"""Estimators by the name that stands before the parenthesis of an id."""


def parse_estimator(text: str) -> Estimator:
    """Read an estimator from its id.

    Parameters
    ----------
    text : str
        A name of :data:`ESTIMATORS` with settings in parentheses, such as ``cv(k=5, repeats=20)``.

    Raises
    ------
    UsageError
        If the name or a setting is unknown, or a value is of the wrong type.

    Examples
    --------
    >>> parse_estimator("holdout(test=1/4)").id
    'holdout(test=1/4)'
    """
    return ESTIMATORS.parse(text)


def check_estimator_of(metric: Metric, estimator: Estimator) -> None:
    """Refuse an estimator that is not legal with a metric."""
    # a mean of losses may be averaged in any order, over cases, rows or repetitions; an AUC or F1 of one case is not
    # defined
    if not isinstance(metric, Statistic):
        return
    per = getattr(estimator, "per", "replicate")
    if per in ("case", "nested"):
        raise UsageError(
            f"{estimator.id} averages cases (per={per}) and score {metric.id} is one of a set of cases; expected "
            f"per=replicate or per=pooled; write {estimator.name}(per=replicate)"
        )
    if getattr(estimator, "weights", "") == "folds" and getattr(estimator, "k", 0) == "n":
        raise UsageError(
            f"{estimator.id} averages folds of one case and score {metric.id} is one of a set of cases; expected "
            "several cases a fold; choose a number of folds, or weights=test-size"
        )
    if estimator.name in Statistic.estimators and estimator.name not in metric.estimators:
        raise UsageError(
            f"{estimator.id} was named and score {metric.id} is not legal with it; expected one of "
            f"{', '.join(metric.estimators)}; choose one of these"
        )
