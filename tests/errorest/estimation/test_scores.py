"""Scores: by hand, against scikit-learn, against analytic values, and what is refused."""

from functools import partial
from itertools import permutations

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.neighbors import KNeighborsClassifier

import errorest
from batteries import assert_refused, normal_sample, rows_of
from errorest.data.sample import Sample
from errorest.estimation import estimate
from errorest.estimation.intervals import (
    STATISTIC_INTERVALS,
    Measured,
    parse_interval,
)
from errorest.estimation.metrics import (
    METRICS,
    BoundMetric,
    parse_metric,
    reliability,
)
from errorest.estimation.metrics.ranking import MacroAuc, auc_variance, delong_variance, score_limits
from errorest.estimation.outcomes import measured
from errorest.estimation.run import run_schemes
from errorest.learners import KNN, NaiveBayes
from errorest.learners.base import predict_proba_by_loop
from errorest.resampling.schemes import APPARENT, Bootstrap, KFold
from errorest.streams import Streams


def estimate_scores(sample, inducer, metric, estimators, streams):
    bound = BoundMetric(
        parse_metric(metric) if isinstance(metric, str) else metric, sample.n_classes - 1, sample.n_classes
    )
    return estimate(sample, inducer, estimators, streams, bound)


def interval_of(method, sample, outcomes, groups=None):
    return method.result(Measured(sample, outcomes, groups=groups))


# ------------------------------------------------------------ oracles


RECALL, F1 = metrics.recall_score, metrics.f1_score
RNG = np.random.default_rng(0)
P = np.round(RNG.random(50), 1)  # with ties
TWO = (RNG.integers(0, 2, 50), np.column_stack([1 - P, P]))
THREE = (RNG.integers(0, 3, 60), RNG.dirichlet(np.ones(3), 60))


@pytest.mark.parametrize(
    ("name", "y", "output", "theirs"),
    [
        ("brier", *TWO, lambda y, p: metrics.brier_score_loss(y, p[:, 1])),
        ("brier", *THREE, lambda y, p: metrics.brier_score_loss(y, p, scale_by_half=False)),
        # scikit-learn clips at the rounding error of its type
        *(("log-loss(clip=2.220446049250313e-16)", *of, metrics.log_loss) for of in (TWO, THREE)),
        *((name, *TWO, lambda y, p: metrics.roc_auc_score(y, p[:, 1])) for name in ("auc", "macro-auc")),
        ("macro-auc", *THREE, partial(metrics.roc_auc_score, multi_class="ovr")),
        ("average-precision", *TWO, lambda y, p: metrics.average_precision_score(y, p[:, 1])),
        ("balanced-accuracy(threshold=0.3)", *TWO, metrics.balanced_accuracy_score),
        ("mcc(threshold=0.3)", *TWO, metrics.matthews_corrcoef),
        ("f1(threshold=0.3)", *TWO, F1),
        ("sensitivity(threshold=0.3)", *TWO, RECALL),
        ("specificity(threshold=0.3)", *TWO, partial(RECALL, pos_label=0)),
        ("balanced-accuracy", *THREE, metrics.balanced_accuracy_score),
        ("mcc", *THREE, metrics.matthews_corrcoef),
        ("macro-f1", *THREE, partial(F1, average="macro")),
    ],
)
def test_scores_are_those_of_scikit_learn(name, y, output, theirs):
    score, classes = parse_metric(name), output.shape[1]
    if score.decomposable:
        assert score.costs(output)[np.arange(y.size), y].mean() == pytest.approx(theirs(y, output))
        return
    labels = (output[:, 1] >= 0.3).astype(int) if "threshold" in name else output.argmax(axis=1)
    said = output if score.needs_probabilities or "threshold" in name else labels
    wanted = theirs(y, output if score.needs_probabilities and "threshold" not in name else labels)
    assert score.of(*score.encode(y, said, classes - 1, classes)) == pytest.approx(wanted)


def test_a_cross_validated_auc_is_that_of_scikit_learn_on_the_same_folds():
    s = normal_sample(60)
    splits = [(row.trained, row.tested) for row in rows_of(KFold(5, stratified=True).draw(s, Streams(3)))]
    model = KNeighborsClassifier(5)
    wanted = ["cv(k=5, stratified=True, weights=folds)", "cv(k=5, stratified=True)"]
    per_fold, pooled = estimate_scores(s, KNN(5), "auc", wanted, Streams(3)).values()
    assert per_fold == pytest.approx(cross_val_score(model, s.X, s.y, cv=splits, scoring="roc_auc").mean())
    output = cross_val_predict(model, s.X, s.y, cv=splits, method="predict_proba")[:, 1]
    assert pooled == pytest.approx(metrics.roc_auc_score(s.y, output))


# ------------------------------------------------------------ by hand


def test_an_out_of_bag_auc_by_hand():
    # 1-NN on 0 1 | 2 3, and the third of the other class in between
    s = Sample.from_arrays([0.0, 1.0, 2.0, 3.0], [0, 0, 1, 1])
    scheme = Bootstrap(30)
    o = run_schemes(s, KNN(1), [scheme], Streams(0), BoundMetric(parse_metric("auc"), 1, 2))[scheme]
    resamples = scheme.draw(s, Streams(0))
    output = predict_proba_by_loop(KNN(1), s, resamples)[:, 1]
    values = []
    for row in rows_of(resamples):
        truth = s.y[row.tested]
        both = np.unique(truth).size == 2
        values.append(1 - metrics.roc_auc_score(truth, output[row.at]) if both else np.nan)
    assert np.isnan(values).any()  # resamples that test one class are left out
    assert o.row_rates == pytest.approx(values, nan_ok=True)
    assert o.mean_row_rate == pytest.approx(np.nanmean(values))


def test_gamma_is_the_mean_over_all_permutations_of_what_was_stated():
    rng = np.random.default_rng(0)
    y = np.array([0, 0, 1, 1, 1, 0])
    p = np.round(rng.random(6), 2)
    output = np.column_stack([1 - p, p])
    table = {}
    for name in (
        "auc",
        "macro-auc",
        "average-precision",
        "f1(threshold=0.4)",
        "mcc(threshold=0.4)",
        "balanced-accuracy(threshold=0.4)",
    ):
        score = parse_metric(name)
        truth, answers, k = score.encode(y, output, 1, 2)
        mean = np.mean([score.of(truth, answers[list(order)], k) for order in permutations(range(6))])
        table[name] = mean
        assert score.no_information(truth, answers, k) == pytest.approx(mean), name
    assert table["auc"] == pytest.approx(0.5)
    s = Sample.from_arrays(np.arange(6.0), y)
    for name in ("brier", "log-loss"):
        score = parse_metric(name)
        costs = score.costs(output)
        mean = np.mean([costs[list(order), y].mean() for order in permutations(range(6))])
        own = measured(APPARENT.draw(s, Streams(0)), output, y, BoundMetric(score, 1, 2))
        assert own.no_information(2) == pytest.approx(mean), name


def test_632_plus_of_a_brier_score_by_hand():
    s = normal_sample(24)
    brier, streams = parse_metric("brier"), Streams(2)
    result = estimate_scores(s, NaiveBayes(), brier, ["632+(replicates=50)"], streams).popitem()[1]
    scheme = Bootstrap(50)
    boot = scheme.draw(s, streams)
    p = NaiveBayes().fit(s).predict_proba(s.X)[:, 1]
    apparent = ((p - s.y) ** 2).mean()
    gamma = np.mean([(q - c) ** 2 for q in p for c in s.y])
    output = predict_proba_by_loop(NaiveBayes(), s, boot)[:, 1]
    losses = (output - s.y[boot.cases]) ** 2
    err1 = np.mean([losses[boot.cases == i].mean() for i in range(24) if (boot.cases == i).any()])
    over = (min(err1, gamma) - apparent) / (gamma - apparent)
    wanted = 0.368 * apparent + 0.632 * err1 + (err1 - apparent) * 0.368 * 0.632 * over / (1 - 0.368 * over)
    assert result == pytest.approx(wanted)


def test_ledells_standard_error_by_hand():
    # two folds of six; influence of a positive: (placement - area) / share of positives, in its fold
    s = normal_sample(12, seed=3)
    auc, streams = parse_metric("auc"), Streams(1)
    method = parse_interval("cv-influence(k=2, weights=folds)", auc)
    outcomes = run_schemes(s, NaiveBayes(), method.schemes, streams, BoundMetric(auc, 1, 2))
    result = interval_of(method, s, outcomes)
    folds = method.schemes[0].draw(s, streams)
    output = predict_proba_by_loop(NaiveBayes(), s, folds)[:, 1]
    areas, squares = [], []
    for row in rows_of(folds):
        truth, p = s.y[row.tested], output[row.at]
        place = lambda a, others, up: np.mean([((a > b) if up else (a < b)) + 0.5 * (a == b) for b in others])  # noqa: E731
        area = metrics.roc_auc_score(truth, p)
        curve = [(place(a, p[truth != t], t == 1) - area) / 0.5 for a, t in zip(p, truth, strict=True)]
        areas.append(area)
        squares.append(np.mean(np.square(curve)))
    assert result.estimate == pytest.approx(np.mean(areas))
    assert result.se == pytest.approx(np.sqrt(np.mean(squares) / 12))


def test_delongs_variance_by_hand():
    # placements of the positives: 1/2, 1; of the others: 1, 1/2
    assert delong_variance(np.array([0, 0, 1, 1]), np.array([0.1, 0.4, 0.35, 0.8])) == 0.125
    assert np.isnan(delong_variance(np.array([0, 0, 1]), np.array([0.1, 0.4, 0.35])))


@pytest.mark.parametrize("name", [n for n in METRICS if not parse_metric(n).decomposable])
def test_influences_are_derivatives_of_the_statistic(name):
    rng = np.random.default_rng(1)
    score, y = parse_metric(name), np.arange(30) % 2
    p = np.clip(0.3 + 0.4 * y + 0.25 * rng.normal(size=30), 0.02, 0.98)
    output = np.column_stack([1 - p, p])
    truth, answers, k = score.encode(y, output if score.needs_probabilities else (p > 0.5).astype(int), 1, 2)
    whole, influence = score.of(truth, answers, k), score.influence(truth, answers, k)
    assert influence.sum() == pytest.approx(0, abs=1e-6)
    # the jackknife of 40 copies of each case comes close to the derivative
    copies = 40
    many, said_many = np.repeat(truth, copies), np.repeat(answers, copies, axis=0)
    for i in (0, 1, 7, 12):
        less = np.delete(np.arange(many.size), i * copies)
        slope = (many.size - 1) * (whole - score.of(many[less], said_many[less], k))
        assert slope == pytest.approx(influence[i], abs=0.02 * np.abs(influence).max()), i


def test_the_slope_and_intercept_of_probabilities_are_those_of_a_logistic_regression():
    rng = np.random.default_rng(2)
    p = rng.uniform(0.05, 0.95, 200)
    y = (rng.random(200) < p).astype(int)
    output = np.column_stack([1 - p, p])
    slope = parse_metric("calibration-slope")
    theirs = LogisticRegression(C=np.inf, tol=1e-10).fit(np.log(p / (1 - p))[:, None], y).coef_[0, 0]
    assert slope.of(*slope.encode(y, output, 1, 2)) == pytest.approx(theirs, abs=1e-4)
    large = parse_metric("calibration-intercept")
    a = large.of(*large.encode(y, output, 1, 2))
    assert (1 / (1 + np.exp(-np.log(p / (1 - p)) - a))).mean() == pytest.approx(y.mean())
    parted = slope.encode(np.array([0, 0, 1, 1]), np.array([[0.9, 0.1], [0.8, 0.2], [0.2, 0.8], [0.1, 0.9]]), 1, 2)
    assert np.isnan(slope.of(*parted))
    # the line through equal probabilities has any slope
    equal = np.full(12, 0.8006226909926859)
    y = np.array([0, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 0])
    assert np.isnan(slope.of(*slope.encode(y, np.column_stack([1 - equal, equal]), 1, 2)))


def test_the_noise_of_a_reliability_picture_is_that_of_coins():
    rng = np.random.default_rng(0)
    p = np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.7])
    result = reliability(np.array([0, 0, 1, 1, 0, 1]), p, 1)
    draws = (rng.random((200_000, 6)) < p).mean(axis=1)
    below, above = (draws < result.noise_low[0] - 1e-9).mean(), (draws > result.noise_high[0] + 1e-9).mean()
    assert below <= 0.026
    assert above <= 0.026
    # and one step further in, too much lies outside
    assert (draws <= result.noise_low[0] + 1e-9).mean() > 0.024
    assert (draws >= result.noise_high[0] - 1e-9).mean() > 0.024
    ties = reliability(np.array([0, 1, 0, 1]), np.array([0.5, 0.5, 0.5, 0.5]))
    assert ties.cases.tolist() == [4]


# ------------------------------------------------------------ engine


def test_statistics_go_through_the_intervals_that_say_they_are_legal():
    s = normal_sample(40)
    for name in METRICS:
        score = parse_metric(name)
        for kind, make in STATISTIC_INTERVALS.items():
            small = {"outer": 20, "inner": 3} if kind == "two-stage" else {}
            method = make(**small)
            if score.decomposable or not method.legal_for(score):
                continue
            outcomes = run_schemes(s, NaiveBayes(), method.schemes, Streams(0), BoundMetric(score, 1, 2))
            result = interval_of(method, s, outcomes)
            assert np.isnan(result.low) or result.low <= result.high, (name, kind)
            alone = estimate_scores(s, NaiveBayes(), score, [method.point_estimator], Streams(0)).popitem()[1]
            # location-shifted draws bootstrap samples that are tested on all cases, and so its own
            close = 0.05 if kind == "location-shifted" else 1e-12
            assert result.estimate == pytest.approx(alone, nan_ok=True, abs=close), (name, kind)


@pytest.mark.parametrize("name", ["bootstrap-case-cv", "location-shifted"])
def test_percentiles_of_a_statistic_are_those_of_its_value_in_each_bootstrap_sample(name):
    s, method = normal_sample(16), STATISTIC_INTERVALS[name](20)
    outcomes = run_schemes(s, NaiveBayes(), method.schemes, Streams(0), BoundMetric(parse_metric("auc"), 1, 2))
    result = interval_of(method, s, outcomes)
    sampled = outcomes[method.schemes[0 if name == "bootstrap-case-cv" else 1]]
    cases, said = (v.reshape(20, 16) for v in (sampled.resamples.cases, sampled.predictions[:, 1]))
    counts = np.ones((20, 16), dtype=int) if name == "bootstrap-case-cv" else sampled.resamples.compact.counts
    values = [
        metrics.roc_auc_score(np.repeat(s.y[i], times), np.repeat(p, times))
        for i, p, times in zip(cases, said, counts, strict=True)
    ]
    centre = np.mean(values) if name == "bootstrap-case-cv" else 1 - outcomes[APPARENT].rate
    expected = np.quantile(values, [0.025, 0.975]) - centre + result.estimate
    assert (result.low, result.high) == pytest.approx(tuple(expected), abs=1e-12)


def test_groups_widen_the_interval_of_an_influence_function():
    s, auc = normal_sample(40), parse_metric("auc")
    method = STATISTIC_INTERVALS["cv-influence"](5)
    outcomes = run_schemes(s, NaiveBayes(), method.schemes, Streams(0), BoundMetric(auc, 1, 2))
    apart, plain = interval_of(method, s, outcomes, groups=np.arange(40)), interval_of(method, s, outcomes)
    assert apart.se == pytest.approx(plain.se * np.sqrt(40 / 39))
    assert apart.width == pytest.approx(2 * stats.t.ppf(0.975, 39) * apart.se)
    o = outcomes[method.schemes[0]]
    added = o.influence(False)
    squares = (np.bincount(o.resamples.cases % 20, added) ** 2).sum()
    grouped = interval_of(method, s, outcomes, groups=np.arange(40) % 20)
    assert grouped.se == pytest.approx(np.sqrt(squares * 20 / 19))


def test_an_inducer_that_tells_no_probabilities_and_an_unknown_score_are_refused():
    class Strange:
        id = "strange"

        def predict_proba_resamples(self, sample, resamples, rng=None):
            return np.tile([0.5, 0.6], (resamples.cases.size, 1))

    assert_refused("probabilities", estimate_scores, normal_sample(8), Strange(), "brier", ["loo"], Streams(0))
    assert_refused("unknown score 'acu'.*did you mean 'auc'", parse_metric, "acu")


def test_a_set_of_one_class_has_no_statistic():
    for name in ("auc", "macro-auc", "average-precision", "mcc", "sensitivity", "f1", "macro-f1", "balanced-accuracy"):
        score = parse_metric(name)
        output = np.array([[0.5, 0.5], [0.9, 0.1]]) if score.needs_probabilities else np.array([0, 1])
        assert np.isnan(score.of(*score.encode(np.array([0, 0]), output, 1, 2))), name
    assert parse_metric("mcc").of(np.array([0, 1]), np.array([1, 1]), 2) == 0


# ------------------------------------------------------------ rankings


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
def test_an_auc_has_no_more_folds_than_cases_of_the_smaller_class_and_score_limits(positives, folds):
    x, y = cases(positives, 50)
    result = errorest.estimate("naive-bayes", x, y, scoring="auc", rng=1)
    assert result.method == f"cv(k={folds}, repeats=10, stratified=True, weights=folds)"
    assert result.n_fits == 10 * folds
    assert ("E408" in result.to_dict()["warning_ids"]) == (positives <= 4)
    assert np.isfinite(result.interval.low) == (positives >= 4)
    if positives >= 4:
        z = stats.t.ppf(0.975, 2 * positives - 2)
        limits = score_limits(result.value, lambda a: 1.4 * auc_variance(a, positives, 50 - positives), z)
        assert (result.interval.low, result.interval.high) == pytest.approx(limits)


def test_average_precision_is_pooled_and_has_wilsons_limits_of_the_positive_cases():
    x, y = cases(20, 50)
    result = errorest.estimate("naive-bayes", x, y, scoring="average-precision", rng=1)
    assert (result.method, result.baseline.value) == ("cv(k=10, repeats=10, stratified=True)", 0.4)
    # (A - a)^2 = 1.4 t^2 a (1 - a) / 20, with the t quantile of 38 degrees of freedom
    t = 1.4 * 2.024394**2 / 20
    roots = np.sort(np.roots([1 + t, -2 * result.value - t, result.value**2]))
    assert (result.interval.low, result.interval.high) == pytest.approx(tuple(roots), abs=1e-6)


def test_the_macro_auc_of_two_classes_is_the_auc_with_its_limits_and_of_more_is_surer():
    x, y = cases(20, 50)
    auc, macro = (errorest.estimate("naive-bayes", x, y, scoring=s, rng=1) for s in ("auc", "macro-auc"))
    assert macro.value == pytest.approx(auc.value)
    assert macro.standard_error == pytest.approx(auc.standard_error, rel=0.1)
    assert MacroAuc().variance(0.5, np.array([20, 20])) == pytest.approx(auc_variance(0.5, 20, 20))
    # three areas with a correlation of one half have two thirds of the variance of one
    assert MacroAuc().variance(0.7, np.array([9, 9, 9])) == pytest.approx(auc_variance(0.7, 9, 18) * 2 / 3)
    three = np.concatenate([y, np.full(6, 2)])
    result = errorest.estimate("naive-bayes", np.concatenate([x, x[:6] + 3]), three, scoring="macro-auc", rng=1)
    assert (result.method, result.metric.pos_label) == ("cv(k=6, repeats=10, stratified=True, weights=folds)", "")
    assert result.interval.low < result.value < result.interval.high


def test_a_class_of_one_case_is_refused():
    x, y = cases(1, 20)
    assert_refused("fewer than 2 cases", errorest.estimate, "naive-bayes", x, y, scoring="auc", rng=1)
    # another estimator may be named
    errorest.estimate("naive-bayes", x, y, scoring="auc", method="632+(per=replicate, replicates=20)", rng=1)


def test_few_cases_of_a_class_bound_the_variance_of_a_difference_of_aucs():
    pair = ("naive-bayes", "linear-discriminant")
    x, y = cases(10, 60)
    few = errorest.compare(*pair, x, y, scoring="auc", rng=1)
    at = np.clip((few.value_a + few.value_b) / 2, 0.5, 0.97)
    assert few.standard_error == pytest.approx(np.sqrt(auc_variance(at, 10, 50) / 2))
    # t quantile of 2 m - 2 degrees of freedom for m cases of the smaller class, as of an AUC
    assert few.interval.width == pytest.approx(2 * stats.t.ppf(0.975, 18) * few.standard_error)
    assert "E603" in few.to_dict()["warning_ids"]
    x, y = cases(30, 60)
    enough = errorest.compare(*pair, x, y, scoring="auc", rng=1)
    assert enough.standard_error < few.standard_error / 2
    assert "E603" not in enough.to_dict()["warning_ids"]
