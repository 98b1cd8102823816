"""The parts that cloning is made of: kernels, plug-in bandwidths and whitening."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from compendium.papers.shakhnarovich.kernel_functions import (
    corrected_kernel,
    discrete_bandwidth,
    discrete_weights,
    epanechnikov,
    kernel_distribution,
    kernel_values,
)
from errorest.resampling.clones.bandwidths import plug_in_bandwidth
from errorest.resampling.clones.whitening import directions_of

KERNELS = ("epanechnikov", "gaussian")
# One false alarm in a million runs with other seeds, for each statistical test (two-sided z, or the p-value itself).
RARE = 1e-6
Z = stats.norm.isf(RARE / 2)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def normal_cases(n: int, d: int) -> np.ndarray:
    g = rng(1)
    return g.normal(size=(n, d)) @ g.normal(size=(d, d))


# ---- kernels


def test_two_trials_of_three_are_accepted():
    size = 200_000
    _, trials = epanechnikov(size, rng(1))
    # trials until `size` successes: mean size/p, variance size (1-p)/p²
    assert abs(trials - 1.5 * size) < Z * math.sqrt(size * (1 / 3) / (2 / 3) ** 2)


def test_the_rejection_method_draws_from_the_kernel():
    values, _ = epanechnikov(100_000, rng(2))
    assert stats.kstest(values, kernel_distribution).pvalue > RARE
    assert abs(values.mean()) < Z * math.sqrt(0.2 / values.size)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_kernels_distribution_is_its_integral(kernel):
    for x in (-0.9, -0.3, 0.0, 0.6):
        area, _ = integrate.quad(lambda u: float(kernel_values(u, kernel)), -9, x, points=[-1.0])
        assert float(kernel_distribution(x, kernel)) == pytest.approx(area, abs=1e-9)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_corrected_kernel_integrates_to_one_and_vanishes_outside(kernel):
    area, _ = integrate.quad(lambda u: float(corrected_kernel(u, [-0.3, 1.0], kernel=kernel, h=0.8)), -0.3, 1.0)
    assert area == pytest.approx(1.0, abs=1e-6)
    assert corrected_kernel([-0.31, 1.01], [-0.3, 1.0], kernel=kernel).tolist() == [0.0, 0.0]


def test_a_corrected_product_kernel_is_the_product():
    x, y = np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 7), indexing="ij")
    both = corrected_kernel(np.stack([x, y], axis=-1), [[-0.3, 1.0], [-0.5, 1.0]])
    one, other = corrected_kernel(x, [-0.3, 1.0]), corrected_kernel(y, [-0.5, 1.0])
    assert both.shape == (9, 7)
    np.testing.assert_allclose(both, one * other, rtol=1e-14)


def test_discrete_weights_fall_with_the_squared_distance():
    values = np.array([0.0, 2.0, 3.0, 4.0, 10.0])
    h = discrete_bandwidth(values)
    assert h == pytest.approx(0.05 ** (1 / np.var(values, ddof=1)))
    for centre in values:
        weights = discrete_weights(values, centre, h)
        expected = np.array([h ** ((v - centre) ** 2) for v in values])
        np.testing.assert_allclose(weights, expected / expected.sum(), rtol=1e-13)
    assert discrete_bandwidth([4, 4, 4]) == 0.0
    assert discrete_weights([1, 4], 4, 0.0).tolist() == [0.0, 1.0]


# ---- bandwidths


def reference_bandwidth(x: np.ndarray, stages: int, ratio: float) -> float:
    """The textbook's formulas, one after another, in units of x: no standardising, no shared code."""
    n, sd = x.size, x.std(ddof=1)
    r = 4 + 2 * stages
    psi = (-1) ** (r // 2) * math.factorial(r) / ((2 * sd) ** (r + 1) * math.factorial(r // 2) * math.sqrt(math.pi))
    for _ in range(stages):
        r -= 2
        hermite = np.polynomial.hermite_e.HermiteE.basis(r)

        def derivative(u, hermite=hermite):
            return hermite(u) * stats.norm.pdf(u)

        g = (-2 * derivative(0.0) / (psi * n)) ** (1 / (r + 3))
        psi = derivative((x[:, None] - x[None, :]) / g).sum() / n**2 / g ** (r + 1)
    return float((ratio / (psi * n)) ** 0.2)


@pytest.mark.parametrize("stages", [0, 1, 2, 3, 6])
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_bandwidth_is_the_double_sum_of_the_textbook(stages, kernel):
    ratio = 15.0 if kernel == "epanechnikov" else 1 / (2 * math.sqrt(math.pi))
    for x in (rng(1).normal(3, 7, size=40), rng(2).gamma(1.1, 2.0, size=25), np.repeat([1.0, 2.0, 9.0], 4)):
        result = plug_in_bandwidth(x, stages=stages, kernel=kernel)
        assert result == pytest.approx(reference_bandwidth(x, stages, ratio), rel=1e-10)


def test_the_constants_are_the_kernels_own():
    roughness, _ = integrate.quad(lambda u: float(kernel_values(u)) ** 2, -1, 1)
    spread, _ = integrate.quad(lambda u: u * u * float(kernel_values(u)), -1, 1)
    assert roughness / spread**2 == pytest.approx(15.0)
    x = rng(1).normal(size=30)
    # Silverman's 1.06 s n^(-1/5) is the normal scale bandwidth of the Gaussian kernel
    normal_scale = (4 / 3) ** 0.2 * x.std(ddof=1) * 30**-0.2
    assert plug_in_bandwidth(x, stages=0, kernel="gaussian") == pytest.approx(normal_scale, rel=1e-12)


def test_normal_data_get_nearly_the_normal_scale_bandwidth():
    # evenly spaced quantiles: no chance is involved; pilots smooth, so that psi_4 comes out too small
    x = stats.norm.ppf((np.arange(2000) + 0.5) / 2000)
    ratio = plug_in_bandwidth(x) / plug_in_bandwidth(x, stages=0)
    assert 1.0 < ratio < 1.05


def test_the_bandwidth_follows_scale_and_place():
    x = rng(5).normal(size=30)
    h = plug_in_bandwidth(x)
    assert plug_in_bandwidth(1e90 * x) == pytest.approx(1e90 * h, rel=1e-12)
    assert plug_in_bandwidth(1e-90 * x) == pytest.approx(1e-90 * h, rel=1e-12)
    assert plug_in_bandwidth(x + 1e3) == pytest.approx(h, rel=1e-9)
    assert plug_in_bandwidth(np.append(x, np.nan)) == h


def test_many_values_are_counted_on_a_grid_with_little_loss():
    x = rng(6).gamma(4.0, size=1600)
    assert plug_in_bandwidth(x) == pytest.approx(reference_bandwidth(x, 2, 15.0), rel=1e-3)


# ---- whitening


def test_whitened_cases_are_uncorrelated_with_unit_variance():
    X = normal_cases(40, 6)
    mean, directions, variances = directions_of(X)
    np.testing.assert_allclose(
        np.cov((X - mean) @ directions.T / np.sqrt(variances), rowvar=False), np.eye(6), atol=1e-12
    )
    np.testing.assert_allclose(variances, np.linalg.eigvalsh(np.cov(X, rowvar=False))[::-1], rtol=1e-10)
    np.testing.assert_allclose(directions @ directions.T, np.eye(6), atol=1e-13)
    assert (directions[np.arange(6), np.abs(directions).argmax(axis=1)] > 0).all()


def test_directions_without_variance_are_left_out():
    X = normal_cases(30, 3)
    _, directions, _ = directions_of(np.column_stack([X, X[:, 0] - 2 * X[:, 1], np.full(30, 0.1)]))
    assert directions.shape[0] == 3
    assert (directions[:, 4] == 0).all()
    assert directions_of(X[:1])[2].size == 0
    assert directions_of(normal_cases(4, 9))[2].size == 3


def test_attributes_of_very_different_scales_all_count():
    assert directions_of(rng(1).normal(size=(30, 3)) * [1e9, 1.0, 1e-9])[2].size == 3
