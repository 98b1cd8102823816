"""Which of two classifiers errs less, or has the better score, on shared resamples.

The interval of the mean difference is the corrected resampled t of Nadeau & Bengio (2003), which widens the usual one
for the cases that splits share.  The exact sign test on one holdout is given too, and with a region of practical
equivalence (rope) the probability that the two are as good as equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from errorest.assessment.candidates import untuned_metrics
from errorest.assessment.checks import run_checks
from errorest.assessment.checks.warning import Checked, CheckWarning
from errorest.assessment.defaults import class_sizes, default_method, read_method
from errorest.assessment.options import Options, Progress
from errorest.assessment.predictions import Predictions
from errorest.assessment.problem import prepare
from errorest.assessment.results import ConfidenceInterval, Result
from errorest.assessment.shared_splits import (
    ENOUGH,
    SharedSplits,
    Spread,
    are_predictions,
    common_method,
    fit_one,
    problems_of,
    resolve_ranking_metric,
    splitting_method,
    spread_of_splits,
    too_few_to_rank,
    within_scale,
)
from errorest.counting import count_each
from errorest.errors import UsageError
from errorest.estimation.intervals.coverage_table import MeasuredCoverage, measured_coverage_of_score
from errorest.resampling.schemes import Holdout

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import ErrorScore, Label, Method, MetricLike, Model, Rng, Table

# What the sign test is done on
_HOLDOUT = Holdout(Fraction(1, 3))


@dataclass(frozen=True)
class SignTest:
    """The exact sign test of two classifiers on one holdout: of its cases, or of its groups where groups were given.

    Parameters
    ----------
    only_a : int
        Cases that a alone gets wrong, or groups of which it gets more cases wrong.
    only_b : int
        The same of b.
    tested : int
        Held-out cases or groups.
    p_value : float
        Two-sided.
    unit : {"cases", "groups"}
    """

    only_a: int
    only_b: int
    tested: int
    p_value: float
    unit: str = "cases"


@dataclass(frozen=True)
class PracticalEquality:
    """Posterior probabilities that two classifiers are practically equal, or either is better; they sum to 1.

    Parameters
    ----------
    rope : float
        Values that differ by no more than this are practically equal; a proportion, or in the unit of the metric.
    a_better, equal, b_better : float
        That a is better by more than the rope, that the difference is within it, that b is better by more.

    Examples
    --------
    >>> PracticalEquality(0.01, 0.25, 0.5, 0.25).equal
    0.5
    """

    rope: float
    a_better: float
    equal: float
    b_better: float


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Difference(Result):
    """The difference of two classifiers on the same splits, a minus b.

    Parameters
    ----------
    value : float
        Mean over the splits of the value of a minus that of b; a proportion, or in the unit of the metric.
    interval : ConfidenceInterval
        Within the range of the metric: two error rates differ by no more than 1.  NaN for scores that rank where a
        class has fewer than four cases.
    standard_error : float
        With Nadeau & Bengio's correction, counting disjoint test sets; NaN where the interval is.
    method : str
        Id of the splits.
    model_a, model_b : str
        Ids of the classifiers.
    value_a, value_b : float
        Mean values over the same splits.
    sign_test : SignTest or None
        Of wrong labels; None where the metric is one of probabilities, there is no holdout, or a fit fails on it.
    practical : PracticalEquality or None
        Where ``rope`` was given and there are limits.
    coverage : MeasuredCoverage or None
        How often the default interval held the difference of two error rates, or AUCs, in the project's simulations.
    predictions : tuple of Predictions
        Of a and of b.

    Examples
    --------
    >>> import errorest
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> d = errorest.compare("knn", "majority", X, y, rng=3)
    >>> d.value < 0, d.interval.high < 0, list(d.splits.columns)
    (True, True, ['split', 'a', 'b', 'difference'])
    """

    value: float
    interval: ConfidenceInterval
    standard_error: float
    method: str
    model_a: str
    model_b: str
    value_a: float
    value_b: float
    sign_test: SignTest | None = None
    practical: PracticalEquality | None = None
    coverage: MeasuredCoverage | None = None
    predictions: tuple[Predictions, ...]
    _values: np.ndarray

    @cached_property
    def splits(self) -> pd.DataFrame:
        """The value of a, that of b and their difference on each split that has both."""
        import pandas as pd

        a, b = self._values
        return pd.DataFrame({"split": np.arange(a.size), "a": a, "b": b, "difference": a - b})


def compare(
    a: Model | Predictions,
    b: Model | Predictions,
    X: Table | None = None,
    y: ArrayLike | None = None,
    *,
    method: Method = "auto",
    cv: Method | None = None,
    rope: float | None = None,
    rng: Rng = None,
    groups: ArrayLike | None = None,
    stratify: ArrayLike | None = None,
    scoring: MetricLike = "error",
    pos_label: Label | None = None,
    error_score: ErrorScore = "raise",
    confidence_level: float = 0.95,
    encode: bool = False,
    fit_params: Mapping[str, Any] | None = None,
    n_jobs: int | None = 1,
    threads: int | None = 1,
    compiled: bool = True,
    progress: bool | Progress = False,
    ignore: Iterable[str] | str = (),
) -> Difference:
    """Compare two classifiers on the same resamples, by their errors or by a score.

    Parameters
    ----------
    a, b : classifier or pipeline, str, or Predictions
        Two classifiers, or the predictions of two on the same resamples; then there is nothing to fit, and X, y and
        what belongs to them are left out.
    X : array-like or DataFrame (pandas, polars), shape (n, d), sparse matrix, or Sample (then without y)
        The cases; with two Predictions, left out.
    y : array-like, shape (n,)
        Class labels of any kind.
    rng, cv, groups, stratify, pos_label, confidence_level, encode, fit_params, n_jobs, threads, compiled
        As :func:`errorest.estimate` takes them.
    progress, ignore
        As :func:`errorest.estimate` takes them.
    method : "auto", str, int, Estimator, scikit-learn splitter, or list of (train, test) pairs
        Repeated holdout or (repeated) cross-validation, or a splitter whose every split trains on all cases that it
        does not test.  ``"auto"`` is five repeats of stratified 5-fold cross-validation (below ten cases or groups, as
        many folds once); for scores that rank ten repeats of stratified 10-fold cross-validation, with fewer folds
        where the rarer class has fewer cases.
    rope : float, optional
        Region of practical equivalence: values that differ by no more than this are as good as equal, a proportion
        (0.01 is one point) or in the unit of the metric.  Below the range of the metric, which is 1 for error rates.
    scoring : str, mapping, table, callable, Metric or scikit-learn scorer
        What to compare by, as there, but for the two of calibration.
    error_score : "raise" or numpy.nan
        With NaN a resample that fails for one is left out for both.

    Returns
    -------
    Difference

    Raises
    ------
    UsageError
        As :func:`errorest.estimate`; if the resamples are of another kind or in the order of time, predictions are of
        other cases or splits, or ``rope`` is negative or no less than the range of the metric.

    Notes
    -----
    The sign test counts the wrong labels on one holdout of a third of the cases, or with groups the groups of which
    either classifier gets more cases wrong; of a score of probabilities there is none.

    A score that is no mean of cases, such as the AUC, is taken of every split's tests.  Splits that test one class
    alone, or nothing that the score rests on, are left out for both, and counted in the warnings.

    The variance of the mean difference of J splits is s^2 (1/k + n2/n1), for n2 cases in a test set, n1 in a training
    set and k = n/n2 (J, where that is less): Nadeau and Bengio's with k in place of J, as further splits test the same
    cases again.  Student's t has J - 1 degrees of freedom, and no more than cases (or groups) less one.  On classifiers
    that err alike the default's 95 % limits left 0 out in 4 % of simulated samples.

    AUCs have no more than 2 m - 2 degrees of freedom, for m cases of the smaller class, and below 20 of these a
    variance of at least half of Hanley and McNeil's at the mean of both AUCs; warning E603 says where that decides.
    Below four cases a score that ranks has no limits.

    References
    ----------
    Nadeau & Bengio (2003), section 3; Bouckaert & Frank (2004) for repeated cross-validation; Corani & Benavoli (2015)
    for ``rope``; Hanley & McNeil (1982) for the least variance of AUCs.

    Examples
    --------
    >>> import errorest
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> compare("knn", "knn", X, y, rope=0.01, rng=3).practical.equal
    1.0
    >>> p, q = (errorest.resample(m, X, y, method="cv(k=4)", rng=3) for m in ("naive-bayes", "majority"))
    >>> compare(p, q).value < 0, compare(p, q, scoring="mcc").value > 0
    (True, True)

    A pipeline of scikit-learn, on 50 cases of two species:

    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> X, y = (values[50::2] for values in load_iris(return_X_y=True))
    >>> model = make_pipeline(StandardScaler(), KNeighborsClassifier(3))
    >>> print(compare(model, "majority", X, y, rng=1))  # doctest: +ELLIPSIS
    Difference of the error rate, a minus b: -44.4 points (95 % interval -55.0 to -33.8 points)
      verdict    a has the lower error rate
    ...
    """
    options = Options.of(rng, confidence_level, ignore, n_jobs, threads, progress, compiled, error_score)
    predictions: tuple[Predictions, ...]
    given = are_predictions((a, b), X)
    pair: tuple[Any, ...] = (a, b)
    if not given:
        pair = tuple(prepare(one, X, y, groups, stratify, encode, fit_params, options) for one in (a, b))
    metric = resolve_ranking_metric(pair, scoring, pos_label)
    scale = float(np.ptp(metric.bounds()))
    number = isinstance(rope, float | int | np.integer | np.floating) and not isinstance(rope, bool)
    if rope is not None and not (number and 0 <= rope < scale):
        raise UsageError(
            f"rope = {rope!r}; expected a number from 0 to below {scale:g}, a difference that does not matter",
            "write rope=0.01 for one percentage point" if metric.percent else "",
        )
    if given:
        predictions = pair
        wanted = common_method(predictions, metric)
    else:
        wanted = splitting_method(read_method(method, pair[0], options.streams, cv), pair[0], metric, "compare")
        # the sign test counts wrong labels, in independent tests of two given classifiers, for which McNemar's test is
        # exact; folds are not
        holdout = () if metric.metric.needs_probabilities else (_HOLDOUT,)
        predictions = tuple(
            fit_one(p, wanted, options, metric, f"{'ab'[i]} ({p.learner.id})", i, 2, holdout)
            for i, p in enumerate(pair)
        )
    # paired: both on the same splits, of which those where either failed or is undefined are left out
    shared = SharedSplits.of(predictions, wanted.schemes[0], metric)
    known = ~np.isnan(shared.rates).any(axis=0)
    left_out = f"{(~known).sum()} of {known.size} splits"
    if known.sum() < 2:
        raise UsageError(
            f"the {metric.noun} is undefined on {left_out} of {wanted.id}, which test one class alone, or nothing "
            "that it rests on; expected at least two splits; ask for larger test sets, or stratify='class'"
        )
    of_a, of_b = values = metric.value(shared.rates[:, known])
    # each split has the same weight, as in the variance of the mean of J splits
    difference, tested = float((of_a - of_b).mean()), float(np.mean(shared.tested[known]))
    first = predictions[0]
    # below four cases of a class no limits are given, and those of few cases have a least variance
    few, spread = too_few_to_rank(first, metric), Spread(np.nan, 0)
    if not few:
        spread = spread_of_splits(first, metric, of_a - of_b, tested, float(values.mean()))
    # difference -+ t se, with the corrected variance; two values cannot differ by more than the scale is long
    half = spread.half_width(confidence_level)
    low, high = within_scale(metric, (difference - half, difference + half)).tolist()
    interval = ConfidenceInterval(
        low,
        high,
        confidence_level,
        f"corrected-t on {wanted.id}",
        "procedure",
        f"the difference of the mean {metric.noun} of classifiers made of {first.n - tested:.0f} cases",
        degenerate=2 * half <= 1e-12,
        note=few,
    )
    coverage = None
    # measured on cases alone, for the default
    if first.groups is None and not few and wanted == default_method("compare", metric, first):
        of, sizes = "error" if metric.metric.zero_one else metric.metric.name, class_sizes(first, metric).tolist()
        coverage = measured_coverage_of_score(
            f"{of}-difference", interval.method, interval.target, sizes, confidence=confidence_level
        )
    signs = None if metric.metric.needs_probabilities else sign_test(predictions)
    # what is reported and checked is what was used: the splits, and the holdout if there is a sign test
    used = wanted.schemes if signs is None else (*wanted.schemes, _HOLDOUT)
    predictions, problems = tuple(p.of(used) for p in predictions), problems_of(predictions)
    notes = run_checks(
        Checked(
            predictions=predictions,
            problems=problems,
            names=("a", "b"),
            schemes=wanted.schemes,
            scoring=metric,
            interval=interval,
            value=difference,
        )
    )
    notes += [] if known.all() else [CheckWarning.of("E602", what=left_out, then="and are left out")]
    notes += [CheckWarning.of("E603", enough=ENOUGH)] if spread.bounded else []
    notes += untuned_metrics((a, b), metric, scoring)
    return Difference(
        metric=metric,
        value=difference,
        interval=interval,
        standard_error=spread.se,
        method=wanted.id,
        model_a=first.model,
        model_b=predictions[1].model,
        value_a=float(of_a.mean()),
        value_b=float(of_b.mean()),
        sign_test=signs,
        practical=None if rope is None or few else practical_equality(metric.gain(difference), spread, float(rope)),
        coverage=coverage,
        predictions=predictions,
        n=first.n,
        n_groups=first.n_groups,
        n_fits=sum(p.n_fits for p in predictions),
        confidence_level=confidence_level,
        _values=values,
        _source=next((p.source for p in problems), None),
        # nothing is drawn where predictions were given
        **(options.fields(notes) | ({"seed": first.seed} if given else {})),
    )


def sign_test(predictions: Sequence[Predictions]) -> SignTest | None:
    """Count on the holdout which of two classifiers errs alone, with one sign for each group; None without a holdout.

    Cases of a group are dependent, so that each group has the sign of its sum, and one with as many errors of either
    none (Dixon & Mood 1946 drop ties).
    """
    # the import takes a third of a second
    from scipy.stats import binomtest

    runs = [p.runs[_HOLDOUT] for p in predictions if _HOLDOUT in p.runs]
    if len(runs) < 2 or not np.array_equal(runs[0].resamples.cases, runs[1].resamples.cases):
        return None
    groups, cases, (a, b) = predictions[0].groups, runs[0].resamples.cases, (run.labels for run in runs)
    truth = predictions[0].y[cases]
    units, unit = np.unique(cases if groups is None else groups[cases], return_inverse=True)
    # of each case or group: errors of a less errors of b, so that cases that both get wrong cancel
    sums = count_each(unit, (a != truth).astype(int) - (b != truth))
    only_a, only_b = int((sums > 0).sum()), int((sums < 0).sum())
    # McNemar's exact test: given that just one errs, it is either with chance 1/2
    p_value = float(binomtest(only_a, only_a + only_b).pvalue) if only_a + only_b else 1.0
    return SignTest(only_a, only_b, units.size, p_value, "cases" if groups is None else "groups")


def practical_equality(difference: float, spread: Spread, rope: float) -> PracticalEquality:
    """Return how probable it is that one of two classifiers is better by more than the rope, or neither.

    The posterior of the mean difference is Student's t about the observed one (Corani & Benavoli 2015), with the scale
    and degrees of freedom of the interval: a flat prior, and splits that share cases.
    """
    # without variance the posterior is a point at the observed difference
    if spread.se == 0:
        below, above = float(difference < -rope), float(difference > rope)
    else:
        # P(difference < -rope) and P(difference > rope) of t with location difference and scale se; the difference is
        # negative where a has the smaller loss
        below = float(special.stdtr(spread.df, (-rope - difference) / spread.se))
        above = float(special.stdtr(spread.df, (difference - rope) / spread.se))
    return PracticalEquality(rope, below, max(0.0, 1.0 - below - above), above)
