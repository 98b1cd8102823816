"""Support vector machines: against scikit-learn, batch against loop, and the solver step by step as the plain rule."""

import itertools
from dataclasses import replace
from typing import Any

import numba as nb
import numpy as np
import pytest
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from batteries import grid_sample, normal_sample
from compendium.methods.learners.svm import SVM, solver
from compendium.methods.learners.svm.kernel import GAP, make_problem, padded, stride
from compendium.methods.learners.svm.solver import LEAST_CURVATURE, begin_problem, give_up, solve, solve_one_of
from compendium.methods.stacks import fold_labels
from errorest.data.sample import Sample, SampleStack
from errorest.data.sets import load
from errorest.learners import KNN, LinearDiscriminant
from errorest.resampling.draw import bootstrap, k_fold, leave_one_out
from errorest.resampling.multisets import concatenate


def drawn(sample: Sample, seed: int) -> Sample:
    return sample.take(np.random.default_rng(seed).integers(0, sample.n, sample.n))


def scaled(sample: Sample, factors: Any, offset: float = 0.0) -> Sample:
    return replace(sample, X=sample.X * factors + offset)


def scikit_learn(rule: SVM) -> Pipeline:
    scale = rule.standardize == "training"
    machine = SVC(kernel=rule.kernel, gamma=rule.gamma, C=rule.C, tol=1e-6, decision_function_shape="ovo")
    return make_pipeline(StandardScaler(with_mean=scale, with_std=scale), machine)


UNITS = scaled(normal_sample(50, 4, seed=19), [1, 10, 100, 0], 5)
SCALED = SVM(gamma=0.12, C=1.5, standardize="training")
# name of a difficulty, training set, rule
SETTINGS = {
    "the paper's synthetic setting": (normal_sample(20, 5), SVM()),
    "a bootstrap sample of it": (drawn(normal_sample(60, 5, seed=1), 1), SVM()),
    "breast, RBF": (drawn(normal_sample(36, 9, seed=2), 2), SVM(gamma=0.03, C=10)),
    "breast, linear": (drawn(normal_sample(36, 9, seed=3), 3), SVM("linear", C=0.01)),
    "pima, raw": (scaled(normal_sample(60, 8, seed=4), 30), SVM(gamma=1e-4, C=10)),
    "copies of both classes": (grid_sample(5, 18, 2, 2), SVM(C=3)),
    "tiny C": (drawn(normal_sample(40, 3, seed=6), 6), SVM(C=1e-6)),
    "tiny C, classes of different sizes": (normal_sample(40, 3, seed=6).take(np.r_[0:40:2, 1:23:2]), SVM(C=1e-4)),
    "huge C": (normal_sample(24, 3, seed=7), SVM(gamma=1.0, C=1e6)),
    "huge gamma": (normal_sample(40, 3, seed=8), SVM(gamma=1e5)),
    "one attribute": (drawn(normal_sample(40, 1, seed=9), 9), SVM()),
    "one attribute, linear": (normal_sample(40, 1, seed=10), SVM("linear", C=2)),
    "a constant attribute": (scaled(normal_sample(40, 4, seed=11), [1, 1, 1, 0], 7.3), SVM("linear")),
    "unlike units": (UNITS, SCALED),
    "a bootstrap sample of unlike units": (drawn(UNITS, 19), SCALED),
    "two cases": (Sample.from_arrays([[0.0], [3.0]], ["a", "b"]), SVM()),
}


@pytest.mark.parametrize("name", SETTINGS)
def test_decision_values_and_labels_are_those_of_scikit_learn(name):
    training, rule = SETTINGS[name]
    at = np.random.default_rng(0).normal(size=(100, training.d)) * training.X.std() + training.X.mean(axis=0)
    machine = rule.fit(training)
    values = machine.decision_values(at)[:, 0]
    model = scikit_learn(rule).fit(training.X, training.y)
    # scikit-learn counts towards the second class
    np.testing.assert_allclose(values, -model.decision_function(at), rtol=0, atol=1e-3)
    clear = np.abs(values) > 1e-3
    np.testing.assert_array_equal(machine.predict(at)[clear], model.predict(at)[clear])


def test_decision_values_are_the_sums_of_exponentials_to_the_last_digits():
    training = normal_sample(30, 6, seed=13)
    for gamma in (1e-4, 0.2, 3.0, 500.0):
        machine = SVM(gamma=gamma).fit(training)
        at = np.random.default_rng(13).normal(size=(50, 6)) * 2
        squared = ((at[:, None] - machine.support[None]) ** 2).sum(axis=2)
        expected = np.exp(-gamma * squared) @ machine.coefficients[0] + machine.bias[0]
        np.testing.assert_allclose(machine.decision_values(at)[:, 0], expected, rtol=0, atol=1e-13)


RULES = [
    SVM(),
    SVM("linear", C=0.01),
    SVM(gamma=0.5, C=10, standardize="training"),
    SVM("linear", standardize="training", vote="count"),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_neither_the_order_of_a_training_set_nor_other_tested_cases_change_a_bit(rule):
    training = drawn(grid_sample(18, 25, 5, 3), 18)
    at = np.random.default_rng(18).normal(size=(11, 5))
    machine = rule.fit(training)
    shuffled = rule.fit(training.take(np.random.default_rng(1).permutation(training.n)))
    np.testing.assert_array_equal(machine.decision_values(at), shuffled.decision_values(at))
    alone = np.concatenate([machine.decision_values(at[i : i + 1]) for i in range(11)])
    np.testing.assert_array_equal(machine.decision_values(at), alone)


@pytest.mark.parametrize("standardize", ["none", "training"])
def test_votes_of_several_classes_are_counted_or_weighed(standardize):
    training = drawn(normal_sample(60, 2, 4, seed=20, apart=0.7), 20)
    at = np.random.default_rng(20).normal(size=(300, 2)) * 2
    labels = {}
    for vote in ("weighted", "count"):
        rule = SVM(gamma=0.12, standardize=standardize, vote=vote)
        machine = rule.fit(training)
        assert machine.pairs == tuple(itertools.combinations(range(4), 2))
        values = machine.decision_values(at)
        scores = np.zeros((300, 4))
        for (a, b), value in zip(machine.pairs, values.T, strict=True):
            size = np.abs(value) if vote == "weighted" else 1.0
            scores[:, a] += np.where(value >= 0, size, 0)
            scores[:, b] += np.where(value < 0, size, 0)
        labels[vote] = machine.predict(at)
        np.testing.assert_array_equal(labels[vote], scores.argmax(axis=1))
    assert (labels["weighted"] != labels["count"]).any()
    model = scikit_learn(rule).fit(training.X, training.y)
    np.testing.assert_allclose(values, model.decision_function(at), rtol=0, atol=1e-3)
    clear = (np.abs(values) > 1e-3).all(axis=1)
    np.testing.assert_array_equal(labels["count"][clear], model.predict(at)[clear])


def test_a_row_that_loses_a_class_predicts_among_the_others():
    sample = Sample.from_arrays([0.0, 1.0, 5.0, 6.0, 9.0], ["a", "a", "b", "b", "c"])
    labels = SVM().predict_resamples(sample, leave_one_out(5))
    assert labels[4] in (0, 1)
    machine = SVM().fit(sample.take(np.array([0, 1, 4])))
    assert (machine.pairs, machine.predict([[0.5], [9.0]]).tolist()) == (((0, 2),), [0, 2])


def test_equal_cases_of_different_classes_leave_a_tie_to_the_lower_class():
    sample = Sample.from_arrays([[1.0, 2.0]] * 4, ["a", "b", "a", "b"])
    for rule in RULES:
        assert rule.fit(sample).predict([[1.0, 2.0], [4.0, 4.0]]).tolist() == [0, 0]
        assert rule.fit(sample.take(np.array([0, 1, 1]))).predict([[1.0, 2.0]]).tolist() == [1]


def test_a_machine_that_reaches_its_limit_of_steps_says_so_and_labels_all_the_same():
    rng = np.random.default_rng(21)
    sample = Sample.from_arrays(rng.normal(size=(30, 2)) * 1e3, rng.integers(0, 2, 30))
    machine = SVM("linear", C=1e9).fit(sample)
    assert machine.violation[0] > machine.rule.tolerance
    assert set(machine.predict(sample.X)) <= {0, 1}


@pytest.mark.parametrize("classes", [2, 3])
def test_a_fold_that_holds_a_whole_class_is_labelled_with_the_others(classes):
    sample = normal_sample(12 * classes, 2, classes, seed=4)
    stack = SampleStack.of_cases(sample, np.argsort(sample.y, kind="stable").reshape(-1, 3).T)
    labels = SVM().cross_validate_stack(stack, np.where(stack.y == 1, 0, 1 + np.arange(stack.n) % 2))
    assert not (labels[stack.y == 1] == 1).any()
    if classes == 2:
        assert (SVM().cross_validate_stack(stack, stack.y) == 1 - stack.y).all()


def test_folds_may_bear_any_numbers():
    stack = SampleStack.of_cases(normal_sample(12, 2, seed=5), np.random.default_rng(5).integers(0, 12, (3, 12)))
    folds = fold_labels(3, 12, 4, np.random.default_rng(0))
    for rule in (SVM(), KNN(1), LinearDiscriminant()):
        labels = rule.cross_validate_stack(stack, folds)
        for renamed in (folds + 1, 7_000_000 * (folds + 1), -folds, folds.astype(np.int64)):
            np.testing.assert_array_equal(rule.cross_validate_stack(stack, renamed), labels)


def plain(Q, lower, upper, tolerance, limit):
    """Case by case, with every comparison in the order of the cases."""
    m = len(lower)
    beta, residual = np.zeros(m), np.where(upper > 0.0, 1.0, -1.0)
    gap = 0.0
    for _ in range(limit):
        i, top = -1, -np.inf
        for t in range(m):
            if residual[t] > top and beta[t] < upper[t]:
                i, top = t, residual[t]
        bottom, j, gain, curvature = np.inf, -1, -1.0, 1.0
        for t in range(m):
            if beta[t] > lower[t]:
                bottom = min(bottom, residual[t])
                fall = top - residual[t]
                bend = max(Q[i, i] + Q[t, t] - 2.0 * Q[i, t], LEAST_CURVATURE)
                if fall > 0.0 and fall * fall * curvature > gain * bend:
                    j, gain, curvature = t, fall * fall, bend
        gap = top - bottom
        if j < 0 or gap < tolerance:
            break
        step = min((top - residual[j]) / curvature, upper[i] - beta[i], beta[j] - lower[j])
        beta[i] = solver._snapped.py_func(beta[i] + step, lower[i], upper[i])
        beta[j] = solver._snapped.py_func(beta[j] - step, lower[j], upper[j])
        residual -= step * (Q[i] - Q[j])
    return max(gap, 0.0), beta, residual


@nb.njit(error_model="numpy", cache=True)
def begun(Q, lower, upper, spoilt, tolerance, limit):
    m = lower.shape[0]
    problem = make_problem(m)
    problem.Q[:] = spoilt
    problem.Q[:, :m] = Q
    problem.lower[:], problem.upper[:] = lower, upper
    problem.beta[:] = 0.0
    problem.residual[:m] = np.where(upper > 0.0, 1.0, -1.0)
    begin_problem(problem.Q, m, problem, tolerance, limit)
    return problem


@nb.njit(error_model="numpy", cache=True)
def solution(problem):
    m = problem.beta.shape[0]
    return max(problem.real[GAP], 0.0), problem.beta.copy(), problem.residual[:m].copy()


@nb.njit(error_model="numpy", cache=True)
def solved(Q, lower, upper, spoilt, tolerance, limit):
    problem = begun(Q, lower, upper, spoilt, tolerance, limit)
    solve(problem.Q, problem)
    return solution(problem)


@nb.njit(error_model="numpy", cache=True)
def solved_side_by_side(Q, lower, upper, first_limit, second_limit):
    one = begun(Q, lower, upper, 1e6, 1e-3, first_limit)
    two = begun(Q, -upper, -lower, 1e6, 1e-3, second_limit)
    ended = solve_one_of(one.Q, one, two.Q, two)
    if not ended[0]:
        solve(one.Q, one)
    if not ended[1]:
        solve(two.Q, two)
    return ended, solution(one), solution(two)


@pytest.mark.parametrize("grid", [False, True])
@pytest.mark.parametrize("m", [2, 3, 15, 16, 17, 33, 64])
def test_every_bit_is_that_of_the_plain_rule(m, grid):
    rng = np.random.default_rng(m)
    for _ in range(5):
        # kernel values and ranges; a grid makes cases of equal distances, which tie
        X = rng.integers(0, 3, (m, 2)).astype(float) if grid else rng.normal(size=(m, 2))
        Q = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
        reach = 2.0 * rng.integers(1, 3, m)
        first = rng.random(m) < 0.5
        first[0], first[-1] = True, False
        lower, upper = np.where(first, 0.0, -reach), np.where(first, reach, 0.0)
        for limit in (1, 7, 10_000):
            expected = plain(Q, lower, upper, 1e-3, limit)
            answer = solved(Q, lower, upper, 1e6, 1e-3, limit)
            for ours, theirs in zip(answer, expected, strict=True):
                assert np.asarray(ours).tobytes() == np.asarray(theirs).tobytes()
            mirrored = plain(Q, -upper, -lower, 1e-3, limit + 3)
            ended, one, two = solved_side_by_side(Q, lower, upper, limit, limit + 3)
            assert any(ended)
            for ours, theirs in zip((*one, *two), (*expected, *mirrored), strict=True):
                assert np.asarray(ours).tobytes() == np.asarray(theirs).tobytes()


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_kernel_values_beyond_all_floats_end_the_search(spoilt):
    Q = np.eye(5)
    Q[2] = Q[:, 2] = spoilt
    lower, upper = np.array([0.0, 0.0, -1.0, -1.0, -1.0]), np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    gap, beta, _ = solved(Q, lower, upper, 0.0, 1e-3, 1000)
    assert not gap < 0.0
    assert ((beta >= lower) & (beta <= upper) | np.isnan(beta)).all()


@nb.njit(cache=True)
def widths(m):
    return padded(m), stride(m)


def test_rows_are_padded_to_whole_passes_and_do_not_crowd_a_cache():
    assert [widths(m) for m in (1, 50, 64, 500)] == [(16, 16), (64, 80), (64, 80), (512, 528)]


@nb.njit(cache=True)
def lead_back(Q, lower, upper, beta, residual, t):
    give_up(Q, beta.shape[0], lower, upper, beta, residual, t)


@pytest.mark.parametrize("t", [0, 3])
def test_what_a_case_gives_up_is_taken_by_others_and_residuals_follow(t):
    rng = np.random.default_rng(7)
    A = rng.normal(size=(6, 6))
    Q = A @ A.T
    y = np.array([1.0, 1, 1, -1, -1, -1])
    upper, lower = np.where(y > 0, 2.0, 0), np.where(y > 0, 0, -2.0)
    beta = np.array([1.7, 0.9, 0.4, -1.5, -0.2, -1.3])
    lower[t] = upper[t] = 0.0
    residual = y - Q @ beta
    lead_back(Q, lower, upper, beta, residual, t)
    assert beta[t] == 0
    assert ((lower <= beta) & (beta <= upper)).all()
    np.testing.assert_allclose(beta.sum(), 0, atol=1e-12)
    np.testing.assert_allclose(residual, y - Q @ beta, rtol=0, atol=1e-11)


def test_a_coefficient_at_the_end_of_its_new_range_but_for_rounding_is_put_there():
    # three copies less one: otherwise the case would seem to lie inside its range, and fix the constant
    below = np.nextafter(0.02, 0)
    beta = np.array([below, -below])
    lead_back(np.eye(2), np.array([0, -0.03]), np.array([0.02, 0]), beta, np.array([1 - below, below - 1]), 0)
    assert beta[0] == 0.02


OF_SCIKIT_LEARN = SVM(gamma="scale", standardize="training", vote="count")


def complete(name: str, cases: int = 250) -> Sample:
    whole = load(name)
    known = np.nonzero(~np.isnan(whole.X).any(axis=1))[0]
    return whole.take(np.random.default_rng(0).permutation(known)[:cases])


@pytest.mark.parametrize("data", ["breast-cancer", "heart", "iris", "land-sat-train", "pima", "vehicle"])
def test_with_the_settings_of_scikit_learn_labels_are_its_pipeline_s_but_for_ties(data: str) -> None:
    sample = complete(data)
    folds = k_fold(sample.n, 3, np.random.default_rng(1))
    labels = OF_SCIKIT_LEARN.predict_resamples(sample, folds)
    compared = 0
    for r in range(folds.n_rows):
        tested = slice(folds.start[r], folds.start[r + 1])
        training = np.nonzero(folds.training_counts(r, r + 1)[0])[0]
        model = make_pipeline(StandardScaler(), SVC(tol=1e-6, decision_function_shape="ovo"))
        model.fit(sample.X[training], sample.y[training])
        X = sample.X[folds.cases[tested]]
        sure = np.abs(model.decision_function(X).reshape(len(X), -1)).min(axis=1) > 1e-4
        np.testing.assert_array_equal(labels[tested][sure], model.predict(X)[sure])
        compared += sure.sum()
    assert compared > 0.85 * sample.n


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_other_units_change_no_label_of_standardized_attributes(kernel: Any) -> None:
    sample = complete("heart", 80)
    rule, other = replace(OF_SCIKIT_LEARN, kernel=kernel), scaled(sample, np.where(np.arange(sample.d) == 3, 1000, 1))
    rows = concatenate([bootstrap(sample.n, 10, np.random.default_rng(0)), k_fold(80, 5, np.random.default_rng(1))])
    np.testing.assert_array_equal(rule.predict_resamples(sample, rows), rule.predict_resamples(other, rows))


def test_gamma_by_scale_is_that_of_the_training_set():
    sample = complete("iris", 60)
    machine = SVM(gamma="scale").fit(sample)
    model = SVC(tol=1e-6).fit(sample.X, sample.y)
    assert machine._trained[0].gamma[0] == pytest.approx(model._gamma, rel=1e-12)
    constant = Sample.from_arrays(np.ones((6, 2)), [0, 1] * 3)
    assert SVM(gamma="scale").fit(constant)._trained[0].gamma[0] == 1.0
