"""Hanley and McNeil's variance, its score limits, and the default interval of an AUC."""

import numpy as np
import pytest

from batteries import assert_refused
from errorest import compare, estimate
from errorest.estimation.metrics.ranking import MacroAuc, auc_variance, score_limits


def test_the_variance_is_that_of_exponential_scores():
    # for these Hanley and McNeil's Q1 and Q2 are exact: the chance that one positive exceeds two others, or two one
    rng, n_pos, n_neg, ratio = np.random.default_rng(0), 6, 15, 4.0
    up = ratio * rng.exponential(size=(20_000, n_pos, 1))
    areas = (up > rng.exponential(size=(20_000, 1, n_neg))).mean(axis=(1, 2))
    auc = ratio / (1 + ratio)
    assert areas.mean() == pytest.approx(auc, abs=0.003)
    assert auc_variance(auc, n_pos, n_neg) == pytest.approx(areas.var(), rel=0.03)
    assert auc_variance(auc, n_pos, n_neg) == pytest.approx(auc_variance(1 - auc, n_neg, n_pos))
    assert auc_variance(1.0, 5, 5) == auc_variance(0.0, 5, 5) == 0


def test_the_limits_are_roots_and_never_without_width():
    for auc in (0.0, 0.3, 0.5, 0.9, 1.0):
        low, high = score_limits(auc, lambda a: 1.3 * auc_variance(a, 12, 40), 2.0)
        assert 0 <= low <= auc <= high <= 1
        assert high - low > 0.09
        for limit in (low, high):
            if 0 < limit < 1:
                assert (auc - limit) ** 2 == pytest.approx(4 * 1.3 * auc_variance(limit, 12, 40))
    low, high = score_limits(0.2, lambda a: auc_variance(a, 10, 10), 2.0)
    assert score_limits(0.8, lambda a: auc_variance(a, 10, 10), 2.0) == pytest.approx((1 - high, 1 - low))


def cases(positives, n, apart=1.0, seed=0):
    y = np.repeat([1, 0], [positives, n - positives])
    return np.random.default_rng(seed).normal(size=(n, 2)) + apart * y[:, None], y


@pytest.mark.parametrize(("positives", "folds"), [(20, 10), (7, 7), (5, 5), (4, 4), (3, 3)])
def test_no_more_folds_than_cases_of_the_smaller_class(positives, folds):
    x, y = cases(positives, 50)
    result = estimate("naive-bayes", x, y, scoring="auc", rng=1)
    assert result.estimator == f"cv(k={folds}, repeats=10, stratified=True, weights=folds)"
    assert result.n_fits == 10 * folds
    assert np.isfinite(result.interval.low) == (positives >= 4)
    assert ("E408" in result.to_dict()["caution_ids"]) == (positives <= 4)


def test_the_limits_are_the_score_limits_of_the_estimate():
    x, y = cases(20, 50)
    result = estimate("naive-bayes", x, y, scoring="auc", rng=1)
    # t quantile of 38 degrees of freedom
    low, high = score_limits(result.estimate, lambda a: 1.4 * auc_variance(a, 20, 30), 2.024394)
    assert (result.interval.low, result.interval.high) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_average_precision_is_pooled_and_has_wilsons_limits_of_the_positive_cases():
    x, y = cases(20, 50)
    result = estimate("naive-bayes", x, y, scoring="average-precision", rng=1)
    assert (result.estimator, result.baseline) == ("cv(k=10, repeats=10, stratified=True)", 0.4)
    # (A - a)^2 = t^2 a (1 - a) / 20, with the t quantile of 38 degrees of freedom
    t = 2.024394**2 / 20
    roots = np.sort(np.roots([1 + t, -2 * result.estimate - t, result.estimate**2]))
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(roots), abs=1e-6)


def test_the_macro_auc_of_two_classes_is_the_auc_with_its_limits_and_of_more_is_surer():
    x, y = cases(20, 50)
    auc, macro = (estimate("naive-bayes", x, y, scoring=s, rng=1) for s in ("auc", "macro-auc"))
    assert macro.estimate == pytest.approx(auc.estimate)
    assert macro.standard_error == pytest.approx(auc.standard_error, rel=0.1)
    assert MacroAuc().variance(0.5, np.array([20, 20])) == pytest.approx(auc_variance(0.5, 20, 20))
    # three areas with a correlation of one half have two thirds of the variance of one
    assert MacroAuc().variance(0.7, np.array([9, 9, 9])) == pytest.approx(auc_variance(0.7, 9, 18) * 2 / 3)
    three = np.concatenate([y, np.full(6, 2)])
    result = estimate("naive-bayes", np.concatenate([x, x[:6] + 3]), three, scoring="macro-auc", rng=1)
    assert (result.estimator, result.pos_label) == ("cv(k=6, repeats=10, stratified=True, weights=folds)", "")
    assert result.interval.low < result.estimate < result.interval.high


def test_a_class_of_one_case_is_refused():
    x, y = cases(1, 20)
    assert_refused("fewer than 2 cases", estimate, "naive-bayes", x, y, scoring="auc", rng=1)
    # another estimator may be named
    estimate("naive-bayes", x, y, scoring="auc", method="632+(per=replicate, replicates=20)", rng=1)


def test_few_cases_of_a_class_bound_the_variance_of_a_difference_of_aucs():
    pair = ("naive-bayes", "linear-discriminant")
    x, y = cases(10, 60)
    few = compare(*pair, x, y, scoring="auc", rng=1)
    at = np.clip((few.error_a + few.error_b) / 2, 0.5, 0.97)
    assert few.standard_error == pytest.approx(np.sqrt(auc_variance(at, 10, 50) / 2))
    # t quantile of 9 degrees of freedom, of ten folds
    assert few.interval.width == pytest.approx(2 * 2.262157 * few.standard_error)
    assert "E603" in few.to_dict()["caution_ids"]
    x, y = cases(30, 60)
    enough = compare(*pair, x, y, scoring="auc", rng=1)
    assert enough.standard_error < few.standard_error / 3
    assert "E603" not in enough.to_dict()["caution_ids"]
