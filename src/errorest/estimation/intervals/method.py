"""What an interval method is: schemes to run, and a reduction of their losses to limits.

Limits are not cut at 0 and 1, so that widths can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from scipy import special

from errorest.counting import count_each
from errorest.data.sample import Labelled
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS, Estimator, Outcomes, outcome_of
from errorest.estimation.groups import unit_sample
from errorest.estimation.intervals.shares import SHARES, OfShares
from errorest.estimation.metrics.metric import ERROR_RATE, LOSSES, Metric, Statistic
from errorest.estimation.outcomes import Outcome
from errorest.estimation.proportions import check_confidence
from errorest.estimation.quantiles import t_quantile
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Reduction, Scheme
from errorest.resampling.schemes import APPARENT, Holdout
from errorest.spec import settings_of

NO_WIDTH = 1e-12
"""An interval narrower than this, a proportion, is called degenerate."""

OF_THE_WHOLE = "the error of the classifier made of the whole sample"
"""The aim of most intervals for a classifier."""


@dataclass(frozen=True, eq=False)
class Measured:
    """What the reduction of an interval reads: outcomes by scheme, confidence, groups and their resamples.

    Where whole groups are the cases of a sample, each is a group of its own.
    """

    sample: Labelled
    outcomes: Outcomes
    confidence: float = 0.95
    monte_carlo: bool = True
    groups: np.ndarray | None = None
    units: Mapping[Scheme, Resamples] = field(default_factory=dict)

    def losses(self, scheme: Scheme) -> np.ndarray:
        """Loss of every tested case of a scheme; float array, shape (T,)."""
        return self.outcome(scheme).losses.astype(np.float64)

    def outcome(self, scheme: Scheme) -> Outcome:
        """Outcome of a scheme."""
        return outcome_of(self.outcomes, scheme)

    def cases_tested(self, scheme: Scheme) -> int:
        """Number of cases that a scheme tests: all, unless the classifier failed on some rows."""
        return int(np.count_nonzero(count_each(self.outcome(scheme).resamples.cases, minlength=self.sample.n)))

    def row_means(self, scheme: Scheme) -> np.ndarray:
        """Mean loss of every row of a scheme; float array, shape (R,), NaN where nothing is tested."""
        return self.outcomes[scheme].row_rates

    def mean(self, scheme: Scheme) -> float:
        """Mean loss: the rows of each repetition pooled, then the repetitions averaged."""
        return self.outcomes[scheme].rate

    @cached_property
    def metric(self) -> Metric:
        """What the outcomes are measured by."""
        return next((o.metric for o in self.outcomes.values() if isinstance(o, Outcome)), ERROR_RATE)

    @cached_property
    def shared(self) -> dict[Any, Any]:
        """What several reductions of the same outcomes have in common, by what it is."""
        return {}

    @cached_property
    def apparent(self) -> tuple[float, float]:
        """Mean loss of the sample's own classifier on it, and what it would be without information (gamma)."""
        own = self.outcome(APPARENT)
        return own.rate, own.no_information(self.sample.n_classes)

    @cached_property
    def ddof(self) -> int:
        """What a variance is divided by: the number of cases, or of groups less one, since there are few of them."""
        return 0 if self.groups is None else 1

    @cached_property
    def n_groups(self) -> int | None:
        """Number of groups; None without any."""
        return None if self.groups is None else int(self.groups.max()) + 1

    @cached_property
    def z(self) -> float:
        """Two-sided quantile of a mean: the normal one; with G groups Student's with G - 1 degrees of freedom.

        The variance is then estimated from the G sums of the groups alone (Cochran 1977, section 2.8).
        """
        if self.n_groups is not None:
            return self.t(self.n_groups - 1)
        return float(special.ndtri((1 + self.confidence) / 2))

    def t(self, df: int) -> float:
        """Two-sided quantile of Student's distribution, with fewer degrees of freedom than there are groups."""
        df = df if self.n_groups is None else min(df, self.n_groups - 1)
        return t_quantile(df, (1 + self.confidence) / 2)

    def percentiles(self, values: np.ndarray) -> tuple[float, float]:
        """Two-sided percentiles (linear between order statistics), NaN left out."""
        known = values[~np.isnan(values)]
        if not known.size:
            return float("nan"), float("nan")
        tail = (1 - self.confidence) / 2
        # Hyndman & Fan's type 7, numpy's default
        low, high = np.quantile(known, [tail, 1 - tail])
        return float(low), float(high)


# The jackknife that measures Monte Carlo errors overstates them.  It gives twice the variance of what is quadratic in
# the counts of the bootstrap samples, as the noise of a squared standard error is (Efron & Stein 1981); and of 20
# groups it has 19 degrees of freedom, so that for one seed in a thousand the larger of two limits is 1.56 times too
# large, sqrt(46.0 / 19) by chi-squared.  The warning is given where the error is large even so: 1.41 x 1.56.
_OVERSTATED = 2.2


class MonteCarloError(NamedTuple):
    """Standard errors of estimate, standard error and limit over new resamples; ``held``: se is at its lower bound."""

    estimate: float
    se: float
    limit: float
    held: bool = False

    def too_large(self, width: float) -> bool:
        """Whether the estimate, its standard error or a limit surely moves by more than a tenth of the width."""
        return bool(max(self.estimate, self.se, self.limit) > _OVERSTATED * width / 10)

    def scaled(self, factor: float) -> MonteCarloError:
        """Return the errors of quantities that are multiplied by a factor."""
        return MonteCarloError(factor * self.estimate, factor * self.se, factor * self.limit, self.held)


class Limits(NamedTuple):
    """Limits of a reduction with the number of cases and, where known, their Monte Carlo error."""

    estimate: float
    low: float
    high: float
    se: float
    cases: int
    monte_carlo: MonteCarloError | None = None

    @classmethod
    def around(cls, estimate: float, se: float, quantile: float, cases: int) -> Limits:
        """Set the limits a number of standard errors on either side of an estimate."""
        return cls(estimate, estimate - quantile * se, estimate + quantile * se, se, cases)

    def hull(self, other: Limits) -> Limits:
        """Return these limits, moved outwards where another interval reaches further."""
        return self._replace(low=min(self.low, other.low), high=max(self.high, other.high))

    def about(self, estimate: float, se: float) -> Limits:
        """Return limits about another estimate, as wide as its standard error demands."""
        # the half width is a quantile times the standard error, and both shrink or grow alike
        scale = se / self.se if self.se > 0 else 1.0
        half = (self.high - self.low) / 2 * scale
        error = None if self.monte_carlo is None else self.monte_carlo.scaled(scale)
        return Limits(estimate, estimate - half, estimate + half, se, self.cases, error)

    @classmethod
    def of_shares(cls, of: OfShares) -> Limits:
        """Turn a share of right answers, and its limits, into those of wrong ones."""
        return cls(1 - of.value, 1 - of.high, 1 - of.low, of.se, of.cases)

    @classmethod
    def undefined(cls, cases: int) -> Limits:
        """Return limits that are NaN."""
        return cls(float("nan"), float("nan"), float("nan"), float("nan"), cases)


@dataclass(frozen=True)
class IntervalResult:
    """An interval for an error rate, or in the unit of the loss; NaN where undefined on this sample."""

    method: str
    estimate: float
    low: float
    high: float
    se: float
    confidence: float
    degenerate: bool  # without width, for instance because no error was seen
    note: str = ""
    monte_carlo: MonteCarloError | None = None

    @property
    def width(self) -> float:
        """Distance of the limits as the formula gives them."""
        return self.high - self.low


@dataclass(frozen=True, eq=False)
class IntervalMethod(Reduction):
    """A method of making an interval for an error rate: a frozen dataclass whose fields are its settings.

    Attributes
    ----------
    target : {"classifier", "procedure"}
        The error of this classifier, or the mean error of the procedure over samples.
    aim : str
        The target in words, with its training size.
    estimators : tuple of str
        Names of :data:`~errorest.estimation.estimators.ESTIMATORS` it is legal with: those whose schemes it reduces.
    losses : {"0/1", "any"}
        Whether it is legal with other losses than the 0/1 loss.
    symmetric : bool
        Whether its limits lie evenly about its estimate.
    needs_all_rows : bool
        Whether its limits say nothing once a row is left out.
    counts_groups : bool
        Whether its arithmetic holds with whole groups in place of cases.
    has_own_estimate : bool
        Whether the estimate that it is put around is no estimator of the library.
    trusts_apparent : bool
        Whether it takes its width from apparent errors, of which an inducer that memorizes has none.
    statistics : tuple of str or None
        Names of the statistics (metrics that are no mean of losses) it is legal with; empty: all; None: none.
    undefined_note : str
        Why there are no limits where there are none.
    no_width_note : str
        Why the limits of a statistic have no width where they have none.

    Examples
    --------
    >>> from errorest.estimation.intervals import parse_interval
    >>> m = parse_interval("cv-wald(k=5)")
    >>> m.target, m.estimators, m.losses, m.fits(100)
    ('classifier', ('cv',), 'any', 5)
    """

    target: ClassVar[Literal["classifier", "procedure"]]
    aim: ClassVar[str]
    estimators: ClassVar[tuple[str, ...]]
    losses: ClassVar[Literal["0/1", "any"]] = "any"
    symmetric: ClassVar[bool] = False
    needs_all_rows: ClassVar[bool] = False
    counts_groups: ClassVar[bool] = False
    has_own_estimate: ClassVar[bool] = False
    trusts_apparent: ClassVar[bool] = False
    statistics: ClassVar[tuple[str, ...] | None] = None
    undefined_note: ClassVar[str] = "too few of its resamples test or vary anything"
    no_width_note: ClassVar[str] = "every resample gave the same value"

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.schemes  # they refuse what they cannot be made of

    def reduce(self, measured: Measured) -> Limits:
        """Reduce the outcomes of :attr:`schemes` to limits; NaN where undefined."""
        raise NotImplementedError

    def reduce_groups(self, measured: Measured) -> Limits:
        """Reduce outcomes whose cases are groups."""
        return self.reduce(measured)

    def recentred(self, limits: Limits, centre: float, quantile: float) -> Limits:
        """Put the limits of groups, made with a quantile, about an estimate from the cases."""
        return limits.about(centre, limits.se)

    @property
    def point_estimator(self) -> Estimator:
        """The estimator of a statistic whose estimate it is put around."""
        raise NotImplementedError

    @property
    def least(self) -> int:
        """Fewest cases of a sample."""
        return 2

    def legal_with(self, estimator: Estimator | str) -> bool:
        """Whether the interval surrounds an estimate of this kind."""
        wanted = ESTIMATORS.parse(estimator) if isinstance(estimator, str) else estimator
        return wanted.name in self.estimators

    def legal_for(self, metric: Metric) -> bool:
        """Whether a metric may have the interval: a mean of losses by :attr:`losses`, else :attr:`statistics`."""
        if metric.decomposable:
            return metric.zero_one or self.losses == "any"
        if not isinstance(metric, Statistic) or self.statistics is None:
            return False
        unknown = "632+" in self.estimators and "632+" not in metric.estimators
        if self.statistics == SHARES and not metric.recalled(2):
            return False  # a sensitivity at a specificity is no plain proportion
        return not unknown and (not self.statistics or metric.name in self.statistics)

    @cached_property
    def estimators_sharing(self) -> list[Estimator]:
        """List the estimators of the library that reduce schemes of the interval.

        Whether one of them is the interval's own estimate shows in its value.
        """
        # what a bootstrap tests is no setting of an estimator
        settings = {
            f.name: getattr(s, f.name)
            for s in self.schemes
            for f in settings_of(type(s))
            if f.name != "test" or isinstance(s, Holdout)
        }
        out = []
        for made in map(ESTIMATORS.__getitem__, self.estimators):
            known = [f.name for f in settings_of(made)]
            shared = {k: settings[k] for k in known if k in settings}
            # the same bootstrap samples are averaged by case or by replicate, the same tests by case or by fold
            ways: tuple[dict[str, Any], ...] = ({"per": "case"}, {}) if "per" in known else ({},)
            for more in (*ways, {"weights": "folds"}) if "weights" in known else ways:
                result = made(**{**shared, **more})
                if set(result.schemes) <= set(self.schemes):
                    out.append(result)
        return out

    def check(self, sample: Labelled, confidence: float = 0.95, zero_one: bool = True) -> None:
        """Refuse a sample that is too small, an impossible confidence, or a loss that is not legal.

        Raises
        ------
        UsageError
            Saying what is legal.
        """
        check_confidence(confidence)
        if sample.n < self.least:
            raise UsageError(
                f"interval {self.id} was asked of n = {sample.n} cases; expected at least {self.least}; "
                "give fewer folds or another setting, another interval or a larger sample"
            )
        if not zero_one and self.losses == "0/1":
            raise UsageError(
                f"interval {self.id} counts errors and was asked for another loss; expected the 0/1 loss; "
                "take an interval that is legal with any loss, such as cv-wald, corrected-t or nested-cv"
            )

    def result(self, measured: Measured, centre: float | None = None) -> IntervalResult:
        """Reduce to an interval, in the unit of the metric.

        One without width is marked.  Groups are counted in place of cases, about
        an estimate ``centre`` (as a loss) where one is given.
        """
        metric, grouped = measured.metric, measured.groups is not None and measured.metric.decomposable
        limits = limits_of_groups(self, measured, centre) if grouped else self.reduce(measured)
        undefined = bool(np.isnan(limits.low) or np.isnan(limits.high))
        degenerate = not undefined and bool(limits.high - limits.low <= NO_WIDTH)
        note = ""
        if grouped:
            note = "too few groups are tested" if undefined else "counts groups, not cases"
        elif undefined:
            note = f"undefined on this sample: {self.undefined_note}"
        elif degenerate:
            # an interval without width claims certainty
            note = f"no width: {'every resample gave the same rate' if metric.decomposable else self.no_width_note}"
        elif limits.monte_carlo is not None and limits.monte_carlo.held:
            note = "standard error held at the least that it can be: noise of the resamples covers what is more"
        estimate, low, high = (float(metric.from_loss(v)) for v in limits[:3])
        # limits were made of losses: of a score, 1 - loss, the upper limit of the loss is the lower one
        low, high = (high, low) if metric.greater_is_better else (low, high)
        values = (estimate, low, high, float(limits.se), measured.confidence)
        return IntervalResult(self.id, *values, degenerate, note, limits.monte_carlo)


def limits_of_groups(method: IntervalMethod, measured: Measured, centre: float | None = None) -> Limits:
    """Return the limits of a mean of losses with whole groups in place of cases.

    Cases of one group err together, so that the groups vary.  The interval of G units is made, for every tested group,
    of the rate plus the group's excess of losses over it (the linear form of a ratio of sums), scaled so that their
    mean is a mean over cases.
    """
    assert measured.groups is not None
    outcomes: dict[Scheme, Outcome] = {}
    sizes = count_each(measured.groups)
    sample = unit_sample(measured.sample, measured.groups)
    for scheme in method.schemes:
        losses, resamples = measured.losses(scheme), measured.units[scheme]
        rate = float(losses.mean())
        tested = sizes[resamples.cases]
        ends = np.cumsum(tested)
        sums = np.add.reduceat(losses, (ends - tested).astype(np.intp)) if tested.size else losses
        # over the mean size of a group; of one test set of those that it holds, as if there were no others
        groups, cases = (tested.size, losses.size) if resamples.n_rows == 1 else (sizes.size, measured.sample.n)
        # excess_g = sum_g - m_g rate; over the mean size of a group (Cochran 1977, section 2.11, of a ratio)
        values = rate + (sums - tested * rate) * groups / cases
        outcomes[scheme] = Outcome.of(resamples, values, sample.y, LOSSES)
    # each group is one case here, so that n and degrees of freedom count groups
    of_groups = Measured(sample, outcomes, measured.confidence, groups=np.arange(sample.n))
    plain = method.reduce_groups(of_groups)
    if method.has_own_estimate:
        centre = plain.estimate
    elif centre is None:
        own, first = method.estimators_sharing, measured.outcome(method.schemes[0])
        centre = own[0].reduce(measured.sample, measured.outcomes) if own else float(first.losses.mean())
    return method.recentred(plain, centre, of_groups.z)
