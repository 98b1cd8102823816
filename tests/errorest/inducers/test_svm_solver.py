"""The solver of support vector machines makes, step by step, what the plain rule makes."""

import numba as nb
import numpy as np
import pytest

from errorest.inducers.svm import machines
from errorest.inducers.svm.kernel import make_work, padded, stride
from errorest.inducers.svm.machines import LEAST_CURVATURE, give_up, solve


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
        beta[i] = machines._snapped.py_func(beta[i] + step, lower[i], upper[i])
        beta[j] = machines._snapped.py_func(beta[j] - step, lower[j], upper[j])
        residual -= step * (Q[i] - Q[j])
    return max(gap, 0.0), beta, residual


@nb.njit(error_model="numpy")
def solved(Q, lower, upper, spoilt, tolerance, limit):
    m = lower.shape[0]
    work = make_work(2, m)
    wide = np.full((m, stride(m)), spoilt)
    wide[:, :m] = Q
    for t in range(m):
        work.lower[t], work.upper[t] = lower[t], upper[t]
        work.beta[t] = 0.0
        work.residual[t] = 1.0 if upper[t] > 0.0 else -1.0
    gap = solve(wide, m, work, tolerance, limit)
    return gap, work.beta[:m].copy(), work.residual[:m].copy()


def problem(m, grid, rng):
    """Kernel values and ranges; a grid makes cases of equal distances, which tie."""
    X = rng.integers(0, 3, (m, 2)).astype(float) if grid else rng.normal(size=(m, 2))
    Q = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
    reach = 2.0 * rng.integers(1, 3, m)
    first = rng.random(m) < 0.5
    first[0], first[-1] = True, False
    return Q, np.where(first, 0.0, -reach), np.where(first, reach, 0.0)


@pytest.mark.parametrize("grid", [False, True])
@pytest.mark.parametrize("m", [2, 3, 15, 16, 17, 33, 64])
def test_every_bit_is_that_of_the_plain_rule(m, grid):
    rng = np.random.default_rng(m)
    for _ in range(5):
        Q, lower, upper = problem(m, grid, rng)
        for limit in (1, 7, 10_000):
            expected = plain(Q, lower, upper, 1e-3, limit)
            answer = solved(Q, lower, upper, 1e6, 1e-3, limit)
            for ours, theirs in zip(answer, expected, strict=True):
                assert np.asarray(ours).tobytes() == np.asarray(theirs).tobytes()


def test_a_tie_goes_to_the_first_case_and_a_near_tie_to_the_most():
    # cases 1 to 3 are mirror images of one another as seen from case 0
    Q = np.eye(4)
    lower, upper = np.array([0.0, -1.0, -1.0, -1.0]), np.array([1.0, 0.0, 0.0, 0.0])
    assert solved(Q, lower, upper, 0.0, 1e-3, 1)[1].tolist() == [1.0, -1.0, 0.0, 0.0]
    Q[3, 3] = 1.0 - 1e-15  # a little less curvature than the others have
    assert solved(Q, lower, upper, 0.0, 1e-3, 1)[1].tolist() == [1.0, 0.0, 0.0, -1.0]


@pytest.mark.parametrize("spoilt", [np.nan, np.inf])
def test_kernel_values_beyond_all_floats_end_the_search(spoilt):
    Q = np.eye(5)
    Q[2] = Q[:, 2] = spoilt
    lower, upper = np.array([0.0, 0.0, -1.0, -1.0, -1.0]), np.array([1.0, 1.0, 0.0, 0.0, 0.0])
    gap, beta, _ = solved(Q, lower, upper, 0.0, 1e-3, 1000)
    assert not gap < 0.0
    assert ((beta >= lower) & (beta <= upper) | np.isnan(beta)).all()


@nb.njit
def widths(m):
    return padded(m), stride(m)


def test_rows_are_padded_to_whole_passes_and_do_not_crowd_a_cache():
    assert [widths(m) for m in (1, 50, 64, 500)] == [(16, 16), (64, 80), (64, 80), (512, 528)]


@nb.njit
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
