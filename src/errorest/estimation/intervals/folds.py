"""Intervals of cross-validation: Wald's with both variances of Bayle et al., Kohavi's, resampled t's, and nested.

Bayle et al.'s (2020) central limit theorem is for the mean error of the k classifiers of this very
cross-validation, for stable inducers; it is no interval for the procedure's mean error.  Kohavi's (1995)
equation 3 leaves out that errors of a cross-validation are not binomial.  Score intervals for rankings
take the variance of independent tests.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import ClassVar, Literal

import numpy as np

from errorest.counting import count_each, repeat_each
from errorest.estimation.estimators import CrossValidation, Estimator, LeaveOneOutCV
from errorest.estimation.intervals.draws import MarkedResamples, NestedFolds, ReplaceOne
from errorest.estimation.intervals.holdouts import (
    NO_INFLUENCE,
    OfHoldout,
    corrected_resampled_t,
    influence_limits,
)
from errorest.estimation.intervals.method import OF_THE_WHOLE, IntervalMethod, Limits, Measured
from errorest.estimation.intervals.shares import SHARES, limits_of_shares
from errorest.estimation.metrics.metric import Weights
from errorest.estimation.metrics.ranking import Auc, AveragePrecision, MacroAuc, Ranking, score_limits
from errorest.estimation.outcomes import StatisticOutcome, case_means
from errorest.estimation.proportions import wilson_interval
from errorest.resampling.scheme import Scheme
from errorest.resampling.schemes import KFold, LeaveOneOut
from errorest.spec import at_least

# With 4 cases limits cover as they should and are about .6 wide; with fewer none was found that holds (notebook
# guide/04-scores)
LEAST_OF_A_CLASS = 4
"""With fewer cases of the smallest class there is no interval."""

# Fitted by simulation (notebook guide/04-scores).  With 1.3 (1.4 below ten cases of the rarer class) the worst cell of
# AUCs covered 87.3 %; 1.4 throughout is 2 % wider.  Of the average precision limits with 1 held it in .94 of samples,
# and in 21 of 140 cells in less than .9; with 1.4 in .97, and in 7 cells.  The variance of ten-fold errors of 1-NN was
# 1.6 to 2 times the binomial one at 300 and 1,000 cases, of stable learners once: with 1 limits held the error of the
# classifier in .85 to .94 of samples, by learner and number of cases, with 1.4 in .91 to .97
TRAINING_SETS = 1.4
"""What training sets add to the variance of cross-validation, as a factor."""


@dataclass(frozen=True, eq=False)
class OfFolds(IntervalMethod):
    """An interval of repeated cross-validation."""

    estimators = ("cv",)
    requirements = at_least(k=2, repeats=1)

    k: int = 10
    repeats: int = 10
    stratified: bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (KFold(self.k, self.repeats, self.stratified),)

    @property
    def point_estimator(self) -> Estimator:
        return CrossValidation(self.k, self.repeats, self.stratified, "folds")

    @property
    def least(self) -> int:
        return self.k


@dataclass(frozen=True, eq=False)
class _Wald(IntervalMethod):
    target = "classifier"
    symmetric = True
    aim = "the mean error of the classifiers of this cross-validation, each made of all folds but one"
    estimators = ("cv",)
    counts_groups = True

    def reduce(self, measured: Measured) -> Limits:
        losses, n = measured.losses(self.schemes[0]), measured.cases_tested(self.schemes[0])
        # Bayle et al. (2020), section 2: root n (mean - its target) / sigma is normal; of n groups, Student's t
        quantile = measured.z if measured.groups is None else measured.t(n - 1)
        return Limits.around(float(losses.mean()), sqrt(self._variance(measured, losses) / n), quantile, n)

    def _variance(self, measured: Measured, losses: np.ndarray) -> float:
        # sigma_out^2, about the mean of all; of few groups divided by their number less one
        return float(losses.var(ddof=measured.ddof))


@dataclass(frozen=True, eq=False)
class CvWald(_Wald):
    """Mean loss over all cases, plus and minus z sqrt(v / n).

    v is the mean of ``(l_i - mean)^2`` over all cases, or the mean over the folds of each fold's sample variance
    (divided by its size less one): Bayle, Bayle, Janson & Mackey (2020), sigma_out and sigma_in.
    """

    name = "cv-wald"
    requirements = at_least(k=2)

    k: int = 10
    variance: Literal["all-pairs", "within-fold"] = "all-pairs"
    stratified: bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (KFold(self.k, stratified=self.stratified),)

    @property
    def least(self) -> int:
        # where each fold has a variance, it has two cases
        return 2 * self.k if self.variance == "within-fold" else self.k

    def _variance(self, measured: Measured, losses: np.ndarray) -> float:
        if self.variance == "all-pairs":
            return super()._variance(measured, losses)
        (scheme,) = self.schemes
        start = measured.outcome(scheme).resamples.start
        sizes = np.diff(start)
        # sigma_in^2: the mean over the folds of sum (l_i - fold's mean)^2 / (size - 1)
        squares = np.add.reduceat(
            (losses - repeat_each(measured.row_means(scheme), sizes)) ** 2, start[:-1].astype(np.intp)
        )
        return float((squares / (sizes - 1)).mean())


@dataclass(frozen=True, eq=False)
class LooWald(_Wald):
    """Mean loss of leave-one-out, plus and minus z sqrt(v / n), v of all pairs: a fold of one has no variance."""

    name = "loo-wald"
    estimators = ("loo",)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (LeaveOneOut(),)

    def _variance(self, measured: Measured, losses: np.ndarray) -> float:
        # a case counts once, however many repetitions test it
        cases = measured.outcome(self.schemes[0]).resamples.cases
        return super()._variance(measured, case_means(cases, losses, measured.sample.n)[0])


@dataclass(frozen=True, eq=False)
class CvInfluence(_Wald):
    """Cross-validated statistic, plus and minus z standard errors of its influence function.

    For the AUC with ``weights="folds"`` this is the interval of LeDell, Petersen & van der Laan (2015), section 4.
    The influence of a tested case is taken as if the classifiers of the folds were given, as in ``cv-wald``.
    """

    name = "cv-influence"
    requirements = at_least(k=2)
    statistics = ()
    no_width_note = NO_INFLUENCE

    k: int = 10
    stratified: bool = False
    weights: Weights = "test-size"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (KFold(self.k, stratified=self.stratified),)

    @property
    def point_estimator(self) -> Estimator:
        return CrossValidation(self.k, 1, self.stratified, self.weights)

    @property
    def least(self) -> int:
        return self.k

    def reduce(self, measured: Measured) -> Limits:
        # pooled or by fold, as the estimate is: LeDell et al.'s variance is that of the mean of folds
        return influence_limits(measured, self.schemes[0], self.weights == "folds")


class _Kohavi(IntervalMethod):
    """The mean rate taken for that of n independent tests (Kohavi 1995, section 2.1, equation 3, and section 5)."""

    target = "classifier"
    aim = "the error of the classifier made of the whole sample, were the tested cases independent of it"
    losses = "0/1"
    statistics: ClassVar[tuple[str, ...] | None] = SHARES

    def reduce(self, measured: Measured) -> Limits:
        outcome = measured.outcome(self.schemes[0])
        if isinstance(outcome, StatisticOutcome):
            return Limits.of_shares(limits_of_shares(outcome, measured.confidence))
        n, rate = measured.cases_tested(self.schemes[0]), measured.mean(self.schemes[0])
        # n trials, not n times the repeats: a case tested again is no further one.  Rounding can carry past an end
        trials = n / self._variance(measured, share := min(max(rate, 0.0), 1.0))
        low, high = wilson_interval(share * trials, trials, measured.confidence)
        return Limits(rate, float(low), float(high), sqrt(share * (1 - share) / trials), n)

    def _variance(self, measured: Measured, share: float) -> float:
        """Return the variance of the rate as a multiple of that of n independent tests."""
        return 1.0


@dataclass(frozen=True, eq=False)
class CvKohavi(_Kohavi, OfFolds):
    """Kohavi's equation 3 on a cross-validation, as if its n tested cases were independent."""

    name = "kohavi"

    repeats: int = 1

    @property
    def point_estimator(self) -> Estimator:
        return CrossValidation(self.k, self.repeats, self.stratified)


@dataclass(frozen=True, eq=False)
class CvWilson(CvKohavi):
    """Wilson's limits about the error of a cross-validation, of n / c trials, c being :data:`TRAINING_SETS` or more.

    Ours: the classifiers of folds vary with their training sets too, trees about as much as tests do.  Where rates of
    folds differ by more than chance, by Pearson's X with f degrees of freedom, c is k (X - 1 - 2 root(2 / f)) larger.
    """

    name = "cv-wilson"
    aim = OF_THE_WHOLE
    statistics = None

    def _variance(self, measured: Measured, share: float) -> float:
        outcome = measured.outcome(self.schemes[0])
        known = outcome.tested > 0
        rates, tested, freedom = outcome.row_rates[known], outcome.tested[known], int(known.sum()) - self.repeats
        if not 0 < share < 1 or freedom < 1:
            return TRAINING_SETS
        # Pearson's chi-square over f, 1 on average if all classifiers err alike, with standard deviation root(2 / f)
        chi_square = float(np.sum(tested * (rates - share) ** 2)) / (share * (1 - share))
        excess = chi_square / freedom - 1 - 2 * sqrt(2 / freedom)
        # rates of folds vary by X k p (1 - p) / n; no classifiers do by more than one test
        return min(TRAINING_SETS + self.k * max(0.0, excess), float(measured.sample.n))


@dataclass(frozen=True, eq=False)
class LooKohavi(_Kohavi):
    """Kohavi's equation 3 on leave-one-out."""

    name = "loo-kohavi"
    estimators = ("loo",)

    @property
    def point_estimator(self) -> Estimator:
        return LeaveOneOutCV()

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (LeaveOneOut(),)


@dataclass(frozen=True, eq=False)
class CvCorrectedT(OfFolds):
    """Corrected t of the rates, or statistics, of the folds of repeated cross-validation, of those that have one.

    As :func:`corrected_resampled_t`, with k - 1 degrees of freedom: only the k folds of one repetition are disjoint,
    and repetitions test the same cases again.  Bouckaert & Frank (2004) for repeated cross-validation.  Of Brier scores
    of 20 to 300 cases, five folds ten times, 95 % limits held the mean of the procedure in .93 to .99 of simulated
    samples, those with one less than all folds in .90 to .95.
    """

    name = "cv-corrected-t"
    target = "procedure"
    aim = "the mean error of classifiers made of the training part of a fold"
    symmetric = True
    counts_groups = True
    statistics = ()

    def reduce(self, measured: Measured) -> Limits:
        return corrected_resampled_t(measured, self.schemes[0], self.k)


@dataclass(frozen=True, eq=False)
class FiveByTwo(IntervalMethod):
    """Estimate plus and minus t_5 s, with s^2 the mean over five repeats of the two folds' squared deviations.

    Dietterich (1998), section 3.5: two halves share no training case, so that each repeat's variance is an honest
    one of training on half the sample.
    """

    name = "5x2cv"
    target = "procedure"
    symmetric = True
    aim = "the mean error of classifiers made of n / 2 cases"
    estimators = ("cv",)
    needs_all_rows = True
    counts_groups = True

    estimate: Literal["first", "mean"] = "first"  # the very first of the ten rates, as in the original
    stratified: bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (KFold(2, 5, self.stratified),)

    def reduce(self, measured: Measured) -> Limits:
        rates = measured.row_means(self.schemes[0]).reshape(5, 2)
        # s_i^2 of repeat i has one degree of freedom, and t_5 that of their mean (Dietterich 1998, section 3.5)
        squares = ((rates - rates.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
        # the original has the first of the ten rates (Dietterich 1998, section 3.5); their mean varies less, so that
        # limits about it err on the wide side
        centre = rates[0, 0] if self.estimate == "first" else rates.mean()
        return Limits.around(float(centre), sqrt(squares.mean()), measured.t(5), measured.sample.n)


@dataclass(frozen=True, eq=False)
class ReplaceOneCV(IntervalMethod):
    """Cross-validated loss of the whole sample, plus and minus z sqrt(v / n).

    ``v = (n/4) sum (rate - replaced rate)^2`` over the n/2 cases of one half, each replaced by one of the other
    half, with the folds of that half kept; uncorrected it has n/2.  By the Efron-Stein inequality (Austern & Zhou
    2020, theorem on the variance estimator).  A sample of odd size leaves a case out of v, whose n is then n - 1.
    """

    name = "replace-one-cv"
    target = "procedure"
    symmetric = True
    aim = "the mean error of classifiers made of all folds but one"
    estimators = ("cv",)
    needs_all_rows = True

    k: int = 5
    form: Literal["corrected", "uncorrected"] = "corrected"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return KFold(self.k), ReplaceOne(self.k)

    @property
    def least(self) -> int:
        return 2 * self.k

    def reduce(self, measured: Measured) -> Limits:
        whole, half = self.schemes
        n = measured.sample.n
        resamples = measured.outcome(half).resamples
        rates = measured.losses(half).reshape(resamples.repeats, n // 2).mean(axis=1)
        squares = float(((rates[0] - rates[1:]) ** 2).sum())
        # Efron & Stein (1981): half the sum of squared changes, one for each replaced case, bounds the variance of the
        # rate of these n/2 cases; n/2 times that is v.  The uncorrected form lacks the half
        v = (n // 2) * squares * (0.5 if self.form == "corrected" else 1.0)
        return Limits.around(measured.mean(whole), sqrt(v / n), measured.z, n)


@dataclass(frozen=True, eq=False)
class NestedCV(IntervalMethod):
    """Bias-corrected nested cross-validation.

    For each outer fold, a = (mean inner loss - mean outer loss)^2 and b = variance of the outer
    losses (divided by their number less one) over their number; MSE = (K - 1)/K mean(a - b), and
    se = sqrt(max(MSE, 0)), held between sd(inner losses)/sqrt(n) and sqrt(K) times that.  The
    estimate is the mean inner loss less f (mean inner loss - mean outer loss).  f is
    ``1 + (K - 2)/K``, the article's, which the benchmark uses too; or ``1 + ((K - 2)/K)^1.5``, of
    the authors' own package (Bates, Hastie & Tibshirani 2024, section 4 and algorithm 1).
    """

    name = "nested-cv"
    sizes = ("k", "repeats")
    target = "classifier"
    symmetric = True
    aim = OF_THE_WHOLE
    estimators = ("cv",)
    needs_all_rows = True
    counts_groups = True
    has_own_estimate = True

    k: int = 5
    repeats: int = 10
    factor: Literal["article", "package"] = "article"

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (NestedFolds(self.k, self.repeats),)

    @property
    def least(self) -> int:
        return 2 * self.k

    def reduce(self, measured: Measured) -> Limits:
        (scheme,), k, rows = self.schemes, self.k, self.k * self.repeats
        n, losses = measured.sample.n, measured.losses(scheme)
        resamples = measured.outcome(scheme).resamples
        assert isinstance(resamples, MarkedResamples)
        # a mark is 2 (repeat k + outer fold) + inner: sums of outer (column 0) and inner losses (1) of each outer fold
        total = count_each(resamples.mark, losses, 2 * rows).reshape(-1, 2)
        cases = count_each(resamples.mark, minlength=2 * rows).reshape(-1, 2)
        means = total / cases
        outer = resamples.mark % 2 == 0
        # Bates, Hastie & Tibshirani (2024), algorithm 1: b estimates the variance of the mean of an outer fold's losses
        deviations = losses[outer] - means[resamples.mark[outer] // 2, 0]
        # a is the squared difference of the inner mean and the outer fold's mean: it holds the error of the inner
        # estimate and the noise of the outer fold, b, which is subtracted
        squares = count_each(resamples.mark[outer] // 2, deviations**2, rows)
        b = squares / (cases[:, 0] - 1) / cases[:, 0]
        # mean(a - b) is the MSE for (K - 1) n / K cases, and (K - 1) / K times that for n (section 4)
        mse = (k - 1) / k * float(((means[:, 1] - means[:, 0]) ** 2 - b).mean())
        inner_losses = losses[~outer]
        # it may be negative: the section holds it between the naive standard error and root K times that, which is what
        # one fold alone would give
        least = float(inner_losses.std(ddof=1)) / sqrt(n)
        se = max(least, min(sqrt(max(mse, 0.0)), least * sqrt(k)))
        inner, outside = float(inner_losses.mean()), float(losses[outer].mean())
        # inner classifiers are made of (K - 2) n / K cases: the bias that this adds is taken off by f
        f = 1 + ((k - 2) / k) ** (1.0 if self.factor == "article" else 1.5)
        return Limits.around(inner - f * (inner - outside), se, measured.z, n)


class _ScoreLimits(IntervalMethod):
    target = "classifier"
    counts_groups = True
    undefined_note = f"the smallest class has fewer than {LEAST_OF_A_CLASS} cases"

    def reduce(self, measured: Measured) -> Limits:
        outcome, n = measured.outcome(self.schemes[0]), measured.sample.n
        assert isinstance(outcome, StatisticOutcome)
        assert isinstance(outcome.statistic, Ranking)
        metric, loss = outcome.statistic, self.point_estimator.reduce(measured.sample, measured.outcomes)
        # each case, or group, counts once, however often it is tested
        units = outcome.resamples.cases if measured.groups is None else measured.groups[outcome.resamples.cases]
        sizes = [np.unique(units[outcome.y_true == kind]).size for kind in range(outcome.classes)]
        # a ranking compares classes: its variance depends on the smallest, not on the number of cases
        if min(sizes) < LEAST_OF_A_CLASS or np.isnan(loss):
            return Limits(loss, np.nan, np.nan, np.nan, n)
        # of a two-sample t with as many cases in each class as the smaller has, which decide how well V is known
        df = 2 * min(sizes) - 2
        if measured.groups is not None:
            df = min(df, np.unique(units).size - 1)
        quantile = measured.t(df)
        # the classifier of one test set is given
        factor = TRAINING_SETS if outcome.n_rows > 1 else 1.0
        # limits are of the score A = 1 - loss: the values a with (A - a)^2 = t^2 c V(a), the variance taken at the
        # limit
        low, high = score_limits(1 - loss, lambda a: factor * metric.variance(a, sizes), quantile)
        return Limits(loss, 1 - high, 1 - low, (high - low) / (2 * quantile), n)


@dataclass(frozen=True, eq=False)
class _FoldScoreLimits(_ScoreLimits, OfFolds):
    aim = OF_THE_WHOLE

    stratified: bool = True
    weights: Weights = "folds"

    @property
    def point_estimator(self) -> Estimator:
        return CrossValidation(self.k, self.repeats, self.stratified, self.weights)


@dataclass(frozen=True, eq=False)
class CvHanleyMcNeil(_FoldScoreLimits):
    """Score interval around the mean AUC of the folds of repeated cross-validation.

    The limits are the AUCs a with (A - a)^2 = t^2 c V(a), where A is the estimate, V Hanley and McNeil's (1982)
    variance for n1 positive and n0 other cases, and t the quantile of Student's distribution with 2 m - 2 degrees of
    freedom, m = min(n1, n0).  The factor c is :data:`TRAINING_SETS`; smaller ones cover too seldom where classes are
    noise.  With groups, n1 and n0 count those that have a case of the class, and there are
    no more degrees of freedom than groups less one.  For several classes V is that of the mean of their AUCs, as if any
    two had a correlation of 1 / (K - 1), and m is the size of the smallest.
    """

    name = "cv-hanley-mcneil"
    statistics = (Auc.name, MacroAuc.name)


@dataclass(frozen=True, eq=False)
class HoldoutHanleyMcNeil(_ScoreLimits, OfHoldout):
    """Score interval around the AUC of one holdout: that of ``cv-hanley-mcneil`` with a factor of 1."""

    name = "holdout-hanley-mcneil"
    statistics = (Auc.name, MacroAuc.name)


@dataclass(frozen=True, eq=False)
class CvBoyd(_FoldScoreLimits):
    """Score interval around the average precision of repeated cross-validation, each repetition pooled.

    The limits are the values a with (A - a)^2 = t^2 c a (1 - a) / n1, of n1 positive cases (Boyd, Eng & Page 2013,
    section 3): Wilson's, with a t quantile of 2 m - 2 degrees of freedom, m the size of the smaller class, and the
    factor c of ``cv-hanley-mcneil``.
    """

    name = "cv-boyd"
    statistics = (AveragePrecision.name,)

    weights: Weights = "test-size"


@dataclass(frozen=True, eq=False)
class HoldoutBoyd(_ScoreLimits, OfHoldout):
    """Score interval around the average precision of one holdout, as ``cv-boyd``."""

    name = "holdout-boyd"
    statistics = (AveragePrecision.name,)
