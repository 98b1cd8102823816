"""Comparisons: limits that hold a difference of nothing, signs of groups, scales, seeds, and what is refused."""

from typing import Any

import numpy as np
import pytest
from scipy import stats
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from batteries import RAW_1NN, Scripted, assert_refused
from errorest import Predictions, choose, compare, estimate, from_predictions, learning_curve, resample
from errorest.assessment.shared_splits import corrected_spread
from errorest.data.sample import Attribute, Sample
from errorest.estimation.learning_curves import PowerLaws
from errorest.estimation.proportions import wilson_limits
from errorest.estimation.run import draw_schemes, predict_schemes
from errorest.learners import C45, KNN, LinearDiscriminant
from errorest.resampling.schemes import KFold
from errorest.streams import Streams

RNG = np.random.default_rng(11)
Y = np.repeat([0, 1], 20)
X = RNG.normal(size=(40, 3)) + 1.1 * Y[:, None]
GROUPS = np.arange(40) // 4
from_arrays = Predictions.from_arrays


def halves(n: int, rng: np.random.Generator) -> list[Sample]:
    """Two samples of the same labels, with attributes that are drawn alike: classifiers of both err alike."""
    y = np.arange(n) % 2
    values = rng.standard_t(3, size=(n, 6)) + 0.6 * y[:, None]
    names = tuple(Attribute(f"x{k}") for k in range(3))
    return [Sample(np.ascontiguousarray(values[:, own]), y, names, ("0", "1")) for own in (slice(3), slice(3, 6))]


def test_limits_of_classifiers_that_err_alike_leave_zero_out_as_seldom_as_they_say() -> None:
    """Of 900 samples that are alike; above 6.7 % with a chance of 1 % where the true share is 5 %."""
    scheme, left_out = KFold(5, repeats=5, stratified=True), []
    rng = np.random.default_rng(5)
    for rule in (KNN(1), C45(), LinearDiscriminant()):
        for k in range(300):
            pair = halves(40, rng)
            drawn = draw_schemes(pair[0], [scheme], Streams(k))
            a, b = (predict_schemes(one, rule, drawn, Streams(k))[scheme].row_rates for one in pair)
            half = corrected_spread(a - b, 8, 40, 40).half_width(0.95)
            left_out.append(abs((a - b).mean()) > half + 1e-12)
    assert np.mean(left_out) < 0.067


def test_more_repeats_do_not_narrow_limits_below_those_of_all_disjoint_test_sets() -> None:
    values = np.tile([0.1, -0.2, 0.3, 0.0, 0.2], 40)
    few, many = corrected_spread(values[:50], 8, 40, 40), corrected_spread(values, 8, 40, 40)
    one = values.std(ddof=1) * np.sqrt(1 / 5 + 8 / 32)
    assert many.se == pytest.approx(one)
    assert few.se == pytest.approx(one, rel=0.02)
    # never more degrees of freedom than cases less one
    assert (few.df, many.df, corrected_spread(values[:5], 8, 40, 40).df) == (39, 39, 4)


@pytest.mark.parametrize(("scoring", "folds"), [("error", 5), ("brier", 5), ("mcc", 5), ("auc", 10)])
def test_the_default_of_a_comparison_is_repeated_stratified_folds(scoring: str, folds: int) -> None:
    found = compare("naive-bayes", RAW_1NN, X, Y, scoring=scoring, rng=1)
    method = f"cv(k={folds}, repeats={folds}, stratified=True{', weights=folds' if scoring == 'auc' else ''})"
    assert found.method == method
    # what was measured is told of errors and AUCs, by cases and by those of the smaller class
    told = {"error": (20, 57), "auc": (11, 50)}.get(scoring)
    assert (found.coverage and found.coverage.sizes) == told
    few = compare("naive-bayes", RAW_1NN, X[16:24], Y[16:24], rng=1)
    assert few.method == "cv(k=8, stratified=True)"
    of_groups = compare("naive-bayes", RAW_1NN, X, Y, groups=np.arange(40) % 7, rng=1)
    assert (of_groups.method, len(of_groups.splits)) == ("cv(k=7, stratified=True)", 7)


def test_degrees_of_freedom_of_groups_are_fewer_than_groups() -> None:
    found = compare("naive-bayes", RAW_1NN, X, Y, groups=GROUPS, rng=1)
    half = stats.t(9).ppf(0.975) * found.standard_error
    assert found.interval.width == pytest.approx(2 * half)
    chosen = choose(["naive-bayes", RAW_1NN], X, Y, groups=GROUPS, method="cv(k=5, repeats=5, stratified=True)", rng=1)
    rival = chosen.candidates[1]
    assert rival.high - rival.low == pytest.approx(2 * half)


def test_nested_limits_of_groups_have_students_quantile() -> None:
    options: dict[str, Any] = {"method": "cv(k=5)", "nested": "cv(k=2)", "groups": GROUPS, "n_resamples": 20, "rng": 1}
    found = choose(["naive-bayes", RAW_1NN], X, Y, **options)
    wanted = wilson_limits(found.nested_value, 10 / 1.3, stats.t(9).ppf(0.975))
    assert (found.nested_interval.low, found.nested_interval.high) == pytest.approx(wanted)


def test_limits_of_a_curve_of_groups_have_students_quantile() -> None:
    curve = learning_curve("naive-bayes", X, Y, groups=GROUPS, repeats=3, rng=1)
    one = curve.to_frame()[["low", "high"]].to_numpy()
    cases = type(curve.points)(*(getattr(curve.points, name) for name in ("n", "sizes", "errors", "covariance")))
    normal = np.array(cases.limits(2 * stats.norm.cdf(stats.t(9).ppf(0.975)) - 1))
    assert one == pytest.approx(normal)
    wide = curve.expected[0]
    narrow = PowerLaws(cases).quantiles(wide.size, [0.025, 0.975])
    assert wide.high - wide.low > narrow[1] - narrow[0]


def test_the_sign_test_counts_groups() -> None:
    """Near-copies: of cases a third of the tests would be below .05, of groups no more than that."""
    values = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        center, labels = rng.normal(size=(30, 2)), rng.integers(0, 2, size=30)
        x, groups = np.repeat(center, 10, axis=0) + 0.01 * rng.normal(size=(300, 2)), np.repeat(np.arange(30), 10)
        found = compare("knn(k=1)", "naive-bayes", x, labels[groups], groups=groups, method="cv(k=2, repeats=2)", rng=1)
        values.append(found.sign_test.p_value)
    # 9 or more of 60 with a chance below .01 where the level is .05
    assert np.sum(np.array(values) < 0.05) < 9


def test_a_group_has_the_sign_of_its_sum_and_ties_none() -> None:
    # of five groups: a alone errs, b alone, both as often, a more often than b, none
    signs, wrong = [], np.zeros((40, 2), dtype=bool)
    for group, (a, b) in enumerate([(4, 0), (0, 1), (2, 2), (3, 1), (0, 0)] * 2):
        wrong[4 * group : 4 * group + a, 0] = True
        wrong[4 * group + 4 - b : 4 * group + 4, 1] = True
        signs.append(np.sign(a - b))
    data = np.column_stack([Y, wrong, GROUPS])
    held_out: list[int] = []
    a, b = (scripted(lambda data, c=c: data[:, 1 + c] == 1) for c in range(2))
    b.answer = lambda _, data, of=b.answer: held_out.append(data[:, 3]) or of(_, data)
    test = compare(a, b, data, Y, groups=GROUPS, method="cv(k=2)", rng=3).sign_test
    tested = next(np.unique(one).astype(int) for one in held_out if np.unique(one).size == 4)
    own = np.array(signs)[tested]
    assert (test.tested, test.unit, test.only_a, test.only_b) == (4, "groups", (own > 0).sum(), (own < 0).sum())
    assert test.p_value == stats.binomtest(test.only_a, test.only_a + test.only_b).pvalue
    alone = compare(a, b, data, Y, method="cv(k=2)", rng=3).sign_test
    assert (alone.tested, alone.unit) == (14, "cases")


def test_class_tables_and_reliability_count_groups() -> None:
    found = estimate("naive-bayes", X, Y, groups=GROUPS, method="cv(k=5)", rng=1)
    for line in found.predictions.by_class().itertuples():
        units = np.unique(GROUPS[int(line[1]) == Y]).size
        low, high = wilson_limits(line.error, units, stats.t(units - 1).ppf(0.975))
        assert (line.low, line.high) == pytest.approx((low, high))
    one = estimate(
        "naive-bayes", X, Y, groups=GROUPS, method="cv(k=5)", scoring="brier", rng=1
    ).predictions.reliability()
    plain = estimate("naive-bayes", X, Y, method="cv(k=5)", scoring="brier", rng=1).predictions.reliability()
    assert (one["high"] - one["low"]).min() > (plain["high"] - plain["low"]).max()
    assert (one["noise_high"] - one["noise_low"]).max() > (plain["noise_high"] - plain["noise_low"]).max()


def scripted(wrong: Any) -> Scripted:
    """A classifier of data whose first column is the class, wrong where a function of the data says so."""

    def answer(data: np.ndarray) -> np.ndarray:
        return np.where(wrong(data), 1 - data[:, 0], data[:, 0]).astype(int)

    return Scripted(answer=lambda _, data: answer(data), shares=lambda data: np.eye(2)[answer(data)])


@pytest.mark.parametrize(
    ("scoring", "scale"),
    [("error", 1), ("auc", 1), ("mcc", 2), ("brier", 1), ("balanced", 1), ({"fn": 5, "fp": 1}, 5), ("f1", 1)],
)
def test_limits_of_a_difference_lie_within_the_scale(scoring: Any, scale: float) -> None:
    y = np.arange(16) % 2
    data = np.column_stack([y, np.arange(16)])
    often, never = scripted(lambda data: data[:, 1] < 11), scripted(lambda data: data[:, 1] < 0)
    options: dict[str, Any] = {"scoring": scoring, "rng": 1, "method": "cv(k=2, repeats=2, stratified=True)"}
    found = compare(often, never, data, y, confidence_level=0.999, **options)
    assert -scale <= found.interval.low <= found.value <= found.interval.high <= scale
    assert scale in (-found.interval.low, found.interval.high)
    chosen = choose([often, never], data, y, n_resamples=50, confidence_level=0.999, **options).candidates[1]
    assert scale in (-chosen.low, chosen.high)


@pytest.mark.parametrize(("said", "true"), [(["y", "n", "n", "n"], ["y", "n", "y", "n"]), (["b", "b"], ["b", "a"])])
def test_a_difference_from_the_baseline_is_no_more_than_all_cases(said: list[str], true: list[str]) -> None:
    test = from_predictions(true, said).against_baseline
    assert -1 <= test.low <= test.difference <= test.high <= 1
    assert 1 in (-test.low, test.high)
    costs = from_predictions(true[:2], said[:2], scoring=[[0, 3], [2, 0]]).against_baseline
    assert -3 <= costs.low <= costs.high <= 3
    assert 3 in (-costs.low, costs.high)


@pytest.mark.parametrize("scoring", ["auc", "average-precision"])
def test_differences_of_rankings_have_no_limits_below_four_cases_of_a_class(scoring: str) -> None:
    y = (np.arange(40) < 3).astype(int)
    found = compare("naive-bayes", "knn", X, y, scoring=scoring, rope=0.01, rng=1)
    assert np.isnan([found.interval.low, found.interval.high, found.standard_error]).all()
    assert "E402" in [w.id for w in found.warnings]
    assert "fewer than 4 cases" in found.interval.note
    assert (found.practical, found.coverage, found.to_dict()["interval"]["low"]) == (None, None, None)
    chosen = choose(["naive-bayes", "knn"], X, y, scoring=scoring, n_resamples=20, rng=1)
    assert np.isnan([c.low for c in chosen.candidates]).all()
    assert "E402" in [w.id for w in chosen.warnings]
    four = (np.arange(40) < 4).astype(int)
    enough = compare("naive-bayes", "knn", X, four, scoring=scoring, rng=1)
    # four cases of a class have six degrees of freedom, as in the intervals of these scores
    half = stats.t(6).ppf(0.975) * enough.standard_error
    assert (enough.interval.low, enough.interval.high) == pytest.approx(
        tuple(np.clip([enough.value - half, enough.value + half], -1, 1))
    )


def test_equal_random_classifiers_do_not_share_a_seed() -> None:
    one, other = (ExtraTreesClassifier(2, max_depth=1) for _ in range(2))
    found, again = (compare(one, other, X, Y, rng=1) for _ in range(2))
    assert found.splits["difference"].std() > 0
    assert found.splits.equals(again.splits)
    fixed = compare(*(ExtraTreesClassifier(2, max_depth=1, random_state=0) for _ in range(2)), X, Y, rng=1)
    assert fixed.interval.degenerate
    # the first is seeded as alone
    against = compare(one, "naive-bayes", X, Y, rng=1)
    assert against.value_a == found.value_a
    assert compare("knn", one, X, Y, rng=1).value_b == found.value_b
    names = {"one": one, "third": DecisionTreeClassifier(max_depth=1, random_state=0)}
    # the same trees by another setting, since equal candidates are refused
    names["other"] = ExtraTreesClassifier(2, max_depth=1, min_samples_split=3)
    chosen = choose(names, X, Y, method="cv(k=5)", nested="cv(k=2)", n_resamples=20, rng=1)
    errors = {c.name: c.value for c in chosen.candidates}
    assert errors["one"] == estimate(one, X, Y, method="cv(k=5)", interval=None, rng=1).value
    assert errors["one"] != errors["other"]


@pytest.mark.parametrize(
    ("scoring", "rope", "scale"),
    [("auc", 1, "1"), ("mcc", 2.5, "2"), ({"fn": 5, "fp": 1}, 5, "5"), ("brier", 1.5, "1")],
)
def test_a_rope_as_wide_as_the_scale_is_refused(scoring: Any, rope: float, scale: str) -> None:
    assert_refused(
        f"from 0 to below {scale}, a difference", compare, "knn", "naive-bayes", X, Y, scoring=scoring, rope=rope
    )


@pytest.mark.parametrize(("scoring", "method"), [("error", "auto"), ("auc", "auto"), ("mcc", "cv(k=4, repeats=2)")])
@pytest.mark.parametrize("groups", [None, GROUPS])
def test_predictions_compare_as_their_models(scoring: str, method: str, groups: Any) -> None:
    options: dict[str, Any] = {"groups": groups, "rng": 3}
    of_models = compare("naive-bayes", RAW_1NN, X, Y, scoring=scoring, method=method, rope=0.02, **options)
    splits = of_models.method if method == "auto" else method
    a, b = (resample(m, X, Y, method=splits, **options) for m in ("naive-bayes", RAW_1NN))
    of_predictions = compare(a, b, scoring=scoring, rope=0.02)
    for name in ("value", "standard_error", "method", "value_a", "value_b", "model_a", "model_b", "practical"):
        assert getattr(of_predictions, name) == getattr(of_models, name), name
    assert of_predictions.interval == of_models.interval
    assert (of_predictions.coverage is None) == (of_models.coverage is None)
    assert of_predictions.seed == of_models.seed
    # what was predicted answers other questions too
    again = compare(*of_models.predictions, scoring=scoring)
    assert again.value == of_models.value


def test_an_accuracy_is_compared_and_chosen_by_as_its_error() -> None:
    options: dict[str, Any] = {"method": "cv(k=4)", "rng": 1}
    error, accuracy = (compare("naive-bayes", RAW_1NN, X, Y, scoring=s, **options) for s in ("error", "accuracy"))
    assert (accuracy.value, accuracy.value_a) == pytest.approx((-error.value, 1 - error.value_a))
    assert accuracy.interval.low == pytest.approx(-error.interval.high)
    pair, more = ["naive-bayes", RAW_1NN], {**options, "nested": 2, "n_resamples": 50}
    wrong, right = (choose(pair, X, Y, scoring=s, **more) for s in ("error", "accuracy"))
    assert (right.best, right.value, right.corrected_value) == pytest.approx(
        (wrong.best, 1 - wrong.value, 1 - wrong.corrected_value)
    )
    assert right.nested_interval.low == pytest.approx(1 - wrong.nested_interval.high)


@pytest.mark.parametrize("function", [compare, lambda a, b, *more, **named: choose([a, b], *more, **named)])
def test_weights_of_cases_reach_fit(function: Any) -> None:
    options: dict[str, Any] = {"method": "cv(k=4)", "rng": 1}
    weights = np.where(Y, 50.0, 1.0)
    plain, weighted = (
        function(GaussianNB(), LogisticRegression(), X, Y, fit_params=w, **options)
        for w in (None, {"sample_weight": weights})
    )

    def share(found: Any) -> float:
        """Share of tests that the first classifier takes for the second class."""
        own = found.predictions[0] if isinstance(found.predictions, tuple) else next(iter(found.predictions.values()))
        return float(next(iter(own.runs.values())).labels.mean())

    assert share(weighted) > share(plain)


def test_of_the_default_resamplings_folds_are_compared() -> None:
    a, b = (resample(m, X, Y, rng=1) for m in ("naive-bayes", RAW_1NN))
    for scoring, weights in (("error", ""), ("auc", ", weights=folds")):
        assert compare(a, b, scoring=scoring).method == f"cv(k=10, repeats=10, stratified=True{weights})"
    pooled = [resample(m, X, Y, method="cv(k=4, weights=test-size)", rng=1) for m in ("naive-bayes", RAW_1NN)]
    assert choose(pooled, scoring="auc", rng=1).method == "cv(k=4)"
    named = compare("naive-bayes", RAW_1NN, X, Y, scoring="auc", cv=10, rng=1)
    assert named.method == "cv(k=10, stratified=True, weights=folds)"


def test_predictions_of_other_cases_or_splits_are_refused() -> None:
    a, b = (resample(m, X, Y, method="cv(k=4)", rng=1) for m in ("naive-bayes", RAW_1NN))
    other_seed = resample(RAW_1NN, X, Y, method="cv(k=4)", rng=2)
    other_folds = resample(RAW_1NN, X, Y, method="cv(k=5)", rng=1)
    other_cases = resample(RAW_1NN, X[1:], Y[1:], method="cv(k=4)", rng=1)
    of_groups = resample(RAW_1NN, X, Y, groups=GROUPS, method="cv(k=4)", rng=1)
    one_split = [resample(m, X, Y, method="holdout", rng=1) for m in ("naive-bayes", RAW_1NN)]
    assert_refused("of other splits", compare, a, other_seed)
    assert_refused("share no folds or repeated holdouts", compare, a, other_folds)
    assert_refused("share no folds or repeated holdouts", compare, *one_split)
    assert_refused("of other cases or classes", compare, a, other_cases)
    assert_refused("of other groups", compare, a, of_groups)
    assert_refused("beside models or X", compare, a, "knn", X, Y)
    assert_refused("beside models or X", compare, a, b, X, Y)
    assert_refused("X was not given", compare, "knn", "naive-bayes")
    assert_refused("nested fits classifiers", choose, [a, b], nested=True)
    assert_refused("share no folds", choose, [a, other_folds])


def test_given_predictions_of_the_same_folds_are_compared() -> None:
    folds = np.arange(40) % 5
    a, b = Y.copy(), Y.copy()
    a[:6], b[::2] = 1 - a[:6], 1 - b[::2]
    given = [from_arrays(Y, one, fold=folds) for one in (a, b)]
    found = compare(*given)
    assert found.value == pytest.approx(6 / 40 - 0.5)
    assert found.n_fits == 0
    assert choose(given, rng=1).value == 6 / 40
    other = from_arrays(Y, b, fold=folds[::-1])
    assert_refused("of other splits", compare, given[0], other)


@pytest.mark.parametrize("function", [compare, lambda a, b, *more, **named: choose([a, b], *more, **named)])
def test_a_search_that_was_tuned_by_another_metric_is_reported(function: Any) -> None:
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, scoring="roc_auc", cv=2)
    options: dict[str, Any] = {"method": "cv(k=2, stratified=True)", "rng": 1}
    found = function(search, "naive-bayes", X, Y, **options)
    (note,) = [w for w in found.warnings if w.id == "E605"]
    assert "tuned by roc_auc" in note
    for more in ({"scoring": "auc"}, {"ignore": "E605"}):
        assert "E605" not in [w.id for w in function(search, "naive-bayes", X, Y, **options, **more).warnings]
    tuned = search.set_params(scoring="accuracy")
    assert "E605" not in [w.id for w in function(tuned, "naive-bayes", X, Y, **options).warnings]


def test_differences_of_accuracies_have_the_measured_coverage_of_errors() -> None:
    X = np.random.default_rng(1).normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    error, accuracy = (compare("naive-bayes", "knn", X, y, rng=1, scoring=s).coverage for s in ("error", "accuracy"))
    assert error is not None
    assert accuracy == error
