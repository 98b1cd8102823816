"""Clones: their kernels, bandwidths and directions, what they are drawn from, the same bits, what they never do."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from batteries import assert_refused
from compendium.methods.clones.bandwidths import plug_in_bandwidth
from compendium.methods.clones.cloner import Cloner, leave_one_out_stacks
from compendium.methods.clones.cloning import Cloning, resolve_bounds
from compendium.methods.clones.smoothing import directions_of
from compendium.papers.shakhnarovich.kernel_functions import (
    corrected_kernel,
    discrete_bandwidth,
    discrete_weights,
    epanechnikov,
    kernel_distribution,
    kernel_values,
)
from errorest.data.sample import Attribute, Sample

KERNELS = ("epanechnikov", "gaussian")
# One false alarm in a million runs with other seeds, for each statistical test (two-sided z, or the p-value itself).
RARE = 1e-6
Z = stats.norm.isf(RARE / 2)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def same(a: np.ndarray, b: np.ndarray) -> bool:
    return bool(np.array_equal(a, b, equal_nan=True))


def mixed_sample(seed: int = 3, n: int = 30, missing: float = 0.0) -> Sample:
    """Two continuous, two integer and two nominal attributes, two classes."""
    g = rng(seed)
    y = np.arange(n) % 2
    X = np.column_stack(
        [
            g.normal(size=n) + y,
            g.gamma(2.0, size=n),
            g.integers(0, 5, size=n),
            g.integers(10, 13, size=n) + 4 * y,
            g.integers(0, 3, size=n),
            g.integers(0, 2, size=n),
        ]
    )
    X[:, 5] = np.where(X[:, 4] == 2, 1, X[:, 5])
    X[g.random(X.shape) < missing] = np.nan
    kinds = (
        Attribute("a"),
        Attribute("b"),
        Attribute("i", "integer"),
        Attribute("k", "integer"),
        Attribute("colour", "nominal", ("red", "green", "blue")),
        Attribute("flag", "nominal", ("no", "yes")),
    )
    return Sample.from_arrays(X, y, attributes=kinds, classes=("neg", "pos"))


def normal_cases(n: int, d: int) -> np.ndarray:
    g = rng(1)
    return g.normal(size=(n, d)) @ g.normal(size=(d, d))


# ---- kernels


def test_a_kernels_distribution_is_its_integral():
    for x in (-0.9, -0.3, 0.0, 0.6):
        area, _ = integrate.quad(lambda u: float(kernel_values(u)), -9, x, points=[-1.0])
        assert float(kernel_distribution(x)) == pytest.approx(area, abs=1e-9)


def test_a_corrected_kernel_integrates_to_one_and_vanishes_outside():
    area, _ = integrate.quad(lambda u: float(corrected_kernel(u, [-0.3, 1.0], h=0.8)), -0.3, 1.0)
    assert area == pytest.approx(1.0, abs=1e-6)
    assert corrected_kernel([-0.31, 1.01], [-0.3, 1.0]).tolist() == [0.0, 0.0]


def test_every_trial_of_the_epanechnikov_kernel_takes_one_random_number():
    sampled, same_stream = rng(1), rng(1)
    _, trials = epanechnikov(50, sampled)
    same_stream.random(trials)
    assert sampled.random() == same_stream.random()


def test_a_constant_integer_attribute_has_one_value():
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


# ---- clones: what they are drawn from


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("per_class", [True, False])
def test_a_clones_moments_are_the_samples_with_the_kernels_variance_added(kernel, per_class):
    sample = Sample.from_arrays(normal_cases(24, 3), np.arange(24) % 2)
    cloner = Cloner(sample, kernel=kernel, per_class=per_class)
    clone = cloner.sample(100_000, rng(4))
    for k, label in enumerate(sample.classes):
        mean, directions, variances = directions_of(sample.X[sample.y == k] if per_class else sample.X)
        own, z = (
            (x - mean) @ directions.T / np.sqrt(variances) for x in (sample.X[sample.y == k], clone.X[clone.y == k])
        )
        expected = np.var(own, axis=0) + cloner.bandwidths[label] ** 2 * (0.2 if kernel == "epanechnikov" else 1.0)
        for j in range(3):
            assert abs(z[:, j].mean() - own[:, j].mean()) < Z * z[:, j].std() / math.sqrt(z.shape[0])
            squares = (z[:, j] - own[:, j].mean()) ** 2
            assert abs(squares.mean() - expected[j]) < Z * squares.std() / math.sqrt(z.shape[0])


def test_classes_come_as_often_as_in_the_sample():
    sample = Sample.from_arrays(np.arange(10.0), np.array([0] * 7 + [1] * 3))
    y = Cloner(sample).sample(50_000, rng(1)).y
    assert abs((y == 0).mean() - 0.7) < Z * math.sqrt(0.21 / y.size)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bounds", [None, "sample", {"x1": (0.0, np.inf)}])
def test_clones_have_the_density_of_the_kernels_cut_off_at_the_bounds(kernel, bounds):
    sample = Sample.from_arrays(rng(7).gamma(1.1, 2.0, size=40), np.zeros(40, dtype=int), classes=("a",))
    cloner = Cloner(sample, kernel=kernel, bounds=bounds)
    x = cloner.sample(50_000, rng(8)).X[:, 0]
    box = low, high = resolve_bounds(sample, bounds)[0]
    h = cloner.bandwidths["a"][0] * sample.X.std(ddof=1)
    grid = np.linspace(max(low, -20.0), min(high, 50.0), 40_001)
    density = {
        "epanechnikov": lambda case: corrected_kernel(grid, box, centre=case, h=h),
        "gaussian": lambda case: stats.truncnorm.pdf(grid, (low - case) / h, (high - case) / h, case, h),
    }[kernel]
    values = np.mean([density(case) for case in sample.X[:, 0]], axis=0)
    cumulative = np.concatenate([[0.0], np.cumsum((values[1:] + values[:-1]) / 2 * np.diff(grid))])
    assert cumulative[-1] == pytest.approx(1.0, abs=2e-4)
    assert stats.kstest(x, lambda q: np.interp(q, grid, cumulative)).pvalue > RARE


def test_integer_values_move_by_the_discrete_kernels_of_their_class():
    X = np.array([[0.0], [2], [3], [4], [10], [0], [0], [1]])
    sample = Sample.from_arrays(X, [0] * 5 + [1] * 3, attributes=[Attribute("i", "integer")], classes=("a", "b"))
    clone = Cloner(sample).sample(80_000, rng(3))
    for k in (0, 1):
        own = X[sample.y == k, 0]
        support = np.unique(own)
        expected = np.mean([discrete_weights(support, v, discrete_bandwidth(own)) for v in own], axis=0)
        result = clone.X[clone.y == k, 0]
        counts = np.array([(result == v).sum() for v in support])
        assert counts.sum() == result.size
        assert stats.chisquare(counts, expected * result.size).pvalue > RARE


def test_nominal_values_are_sampled_as_algorithm_4_says():
    # one integer and two nominal attributes, so that every probability can be written out one value after another
    g = rng(11)
    X = np.column_stack([g.integers(0, 3, 12), g.integers(0, 2, 12), g.integers(0, 3, 12)]).astype(float)
    kinds = (
        Attribute("i", "integer"),
        Attribute("u", "nominal", ("0", "1")),
        Attribute("v", "nominal", ("0", "1", "2")),
    )
    sample = Sample.from_arrays(X, np.zeros(12, dtype=int), attributes=kinds, classes=("a",))
    h, support = discrete_bandwidth(X[:, 0]), np.unique(X[:, 0])
    kernel = {v: dict(zip(support, discrete_weights(support, v, h), strict=True)) for v in support}

    def joint(i: float, *nominal: float) -> float:
        return sum(kernel[row[0]][i] * all(row[1 + s] == w for s, w in enumerate(nominal)) for row in X) / 12

    expected = {}
    for i, u, v in itertools.product(support, (0.0, 1.0), (0.0, 1.0, 2.0)):
        p = joint(i)
        p *= joint(i, u) / sum(joint(i, a) for a in (0.0, 1.0))
        rest = sum(joint(i, u, a) for a in (0.0, 1.0, 2.0))
        expected[i, u, v] = p * joint(i, u, v) / rest if rest else 0.0
    clone = Cloner(sample).sample(60_000, rng(12)).X
    counts = {key: int((clone == key).all(axis=1).sum()) for key in expected}
    possible = [key for key, p in expected.items() if p > 0]
    assert sum(counts[key] for key in possible) == 60_000
    assert stats.chisquare([counts[k] for k in possible], [expected[k] * 60_000 for k in possible]).pvalue > RARE


def test_nominal_values_follow_the_numbers_they_go_with():
    X = np.array([[0.0, 0], [0.1, 0], [0.3, 0], [9.0, 1], [9.2, 1], [9.3, 1]])
    kinds = (Attribute("x"), Attribute("colour", "nominal", ("red", "blue")))
    sample = Sample.from_arrays(X, np.zeros(6, dtype=int), attributes=kinds, classes=("a",))
    cloner = Cloner(sample, bounds={"x": (-0.5, 10.0)})
    clone = cloner.sample(40_000, rng(1)).X
    h = cloner.bandwidths["a"][0] * X[:, 0].std(ddof=1)
    bounded, free = (-0.5, 10.0), (-np.inf, np.inf)
    for low, high in ((-0.5, 1.0), (3.0, 4.0), (8.0, 10.0)):
        chosen = clone[(clone[:, 0] >= low) & (clone[:, 0] < high)]
        at = np.linspace(low, high, 2001)
        # numbers come from the kernels cut off at the bounds, a colour given a number from the whole kernels
        numbers = sum(corrected_kernel(at, bounded, centre=x, h=h) for x in X[:, 0])
        red, blue = (sum(corrected_kernel(at, free, centre=x, h=h) for x in X[X[:, 1] == c, 0]) for c in (0, 1))
        reds = np.divide(red, red + blue, out=np.zeros(2001), where=red + blue > 0)
        share = (numbers * reds).sum() / numbers.sum()
        spread = math.sqrt(max(share * (1 - share), 1e-4) / max(len(chosen), 1))
        assert len(chosen) > 0
        assert abs((chosen[:, 1] == 0).mean() - share) < Z * spread + 2e-3


# ---- clones: the same bits


@pytest.mark.parametrize("per_class", [True, False])
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_a_stack_is_its_clones_one_by_one_however_it_is_cut(per_class, kernel, missing):
    cloner = Cloner(mixed_sample(missing=missing), per_class=per_class, kernel=kernel, bounds="sample")
    whole = cloner.stack(9, 17, rng(5))
    stream = rng(5)
    single = [cloner.sample(17, stream) for _ in range(9)]
    assert all(same(whole.X[s], one.X) and same(whole.y[s], one.y) for s, one in enumerate(single))
    stream = rng(5)
    blocks = [cloner.stack(size, 17, stream) for size in (4, 1, 3, 1)]
    assert same(whole.X, np.concatenate([b.X for b in blocks]))


@pytest.mark.parametrize("per_class", [True, False])
@pytest.mark.parametrize("bounds", [None, "sample", [[-9, 9], [0, 30], [0, 9], [0, 99], [0, 0], [0, 0]]])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_clones_without_a_case_are_those_of_the_sample_without_it(per_class, bounds, missing):
    sample = mixed_sample(n=9, missing=missing)
    stream = rng(6)
    result = leave_one_out_stacks(Cloner(sample, per_class=per_class, bounds=bounds), 3, 8, rng(6))
    for i, stack in result:
        rest = sample.take(np.delete(np.arange(9), i))
        expected = Cloner(rest, per_class=per_class, bounds=bounds).stack(3, 8, stream)
        assert same(stack.X, expected.X)
        assert same(stack.y, expected.y)
    assert i == 8


def test_a_class_whose_only_case_is_left_out_does_not_come_back():
    sample = Sample.from_arrays([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    stacks = dict(leave_one_out_stacks(Cloner(sample), 20, 5, rng(0)))
    assert (stacks[0].y == 1).all()
    assert (stacks[1].y == 0).any()


def test_large_and_tabled_integer_supports_are_sampled_alike(monkeypatch):
    from compendium.methods.clones import smoothing

    sample = mixed_sample(n=40)
    tabled = Cloner(sample).stack(5, 40, rng(1))

    # a table that is thrown away: weights are then computed as they are drawn
    def without_tables(U, plain=smoothing._fit_integers):
        *rest, table, table_start = plain(U)
        return *rest, table[:0], np.full_like(table_start, -1)

    monkeypatch.setattr(smoothing, "_fit_integers", without_tables)
    assert same(Cloner(sample).stack(5, 40, rng(1)).X, tabled.X)


# ---- clones: what they never do


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(1, 14),
    missing=st.sampled_from([0.0, 0.2, 0.6]),
    per_class=st.booleans(),
    kernel=st.sampled_from(KERNELS),
    coarse=st.booleans(),
)
def test_a_clone_keeps_to_bounds_supports_combinations_and_patterns(seed, n, missing, per_class, kernel, coarse):
    sample = mixed_sample(seed, n, missing)
    if coarse:  # duplicated points and ties
        sample = Sample.from_arrays(np.round(sample.X), sample.y, attributes=sample.attributes, classes=sample.classes)
    clone = Cloner(sample, per_class=per_class, kernel=kernel, bounds="sample").sample(60, rng(seed))
    box = resolve_bounds(sample, "sample")
    for j in range(2):
        known = clone.X[~np.isnan(clone.X[:, j]), j]
        assert ((known >= box[j, 0]) & (known <= box[j, 1])).all()
    for k in range(2):
        own, made = sample.X[sample.y == k], clone.X[clone.y == k]
        supports = own if per_class else sample.X
        for j in (2, 3):
            assert set(made[~np.isnan(made[:, j]), j]) <= set(supports[~np.isnan(supports[:, j]), j])
        patterns = {tuple(row) for row in np.isnan(own)}
        assert {tuple(row[:4]) for row in np.isnan(made)} <= {p[:4] for p in patterns}
        combinations = {tuple(row) for row in np.nan_to_num(own[:, 4:], nan=-1)}
        assert {tuple(row) for row in np.nan_to_num(made[:, 4:], nan=-1)} <= combinations


def test_what_cannot_be_smoothed_stays_as_it_is():
    X = np.array([[1.0, 5.0, 3.0], [2.0, 5.0, 6.0], [4.0, 5.0, 12.0], [7.0, 1.0, 1.0]])
    kinds = (Attribute("x"), Attribute("constant"), Attribute("thrice"))
    sample = Sample.from_arrays(X, [0, 0, 0, 1], attributes=kinds, classes=("a", "b"))
    cloner = Cloner(sample)
    clone = cloner.sample(300, rng(1))
    own = clone.X[clone.y == 0]
    assert (own[:, 1] == 5.0).all()
    assert np.unique(own[:, 0]).size > 50
    np.testing.assert_allclose(own[:, 2], 3 * own[:, 0], rtol=1e-12, atol=1e-12)
    assert (clone.X[clone.y == 1] == X[3]).all()
    assert {label: h.size for label, h in cloner.bandwidths.items()} == {"a": 1, "b": 0}


def test_missing_values_stay_and_known_ones_are_smoothed_by_all_who_know_them():
    g = rng(4)
    X = g.normal(size=(30, 2))
    X[10:, 1] = np.nan
    sample = Sample.from_arrays(X, np.zeros(30, dtype=int), classes=("a",))
    cloner = Cloner(sample)
    clone = cloner.sample(3000, rng(5))
    lacking = np.isnan(clone.X[:, 1])
    assert abs(lacking.mean() - 2 / 3) < Z * math.sqrt(2 / 9 / 3000)
    assert not np.isnan(clone.X[:, 0]).any()
    # the usual pattern, first attribute alone, is fitted to all thirty
    expected = plug_in_bandwidth(X[:, 0]) / X[:, 0].std(ddof=1)
    assert cloner.bandwidths["a"] == pytest.approx([expected], rel=1e-9)
    everything = Sample.from_arrays(np.full((3, 1), np.nan), [0, 0, 1], classes=("a", "b"))
    assert np.isnan(Cloner(everything, bounds="sample").sample(9, rng(1)).X).all()


# ---- mistakes


def test_mistakes_are_stated_in_one_line():
    sample = mixed_sample()
    line = Sample.from_arrays([[1.0], [2.0]], ["a", "b"])
    for mistake, words in (
        (lambda: Cloner(sample, kernel="epanechnikow"), "did you mean 'epanechnikov'"),
        (lambda: Cloner(sample, stages=7), "from 0 to 6"),
        (lambda: Cloner(sample, stages=True), "from 0 to 6"),
        (lambda: Cloner(sample, bounds="samples"), "'sample'"),
        (lambda: Cloner(sample, bounds=[0, 1]), "shape"),
        (lambda: Cloner(sample, bounds={"a": (-9, 9), "c": (0, 1)}), "no attribute"),
        (lambda: Cloner(sample, bounds={"flag": (0, 1)}), "nominal"),
        (lambda: Cloner(sample, bounds={"a": (9, -9)}), "lower one first"),
        (lambda: Cloner(sample, bounds={"a": (np.nan, 1)}), "lower one first"),
        (lambda: Cloner(sample, bounds={"a": (0, 0.1)}), "outside its bounds"),
        (lambda: Cloner(sample).stack(0, 5, rng()), "at least one"),
        (lambda: Cloner(Sample.from_arrays([1e200, -1e200], [0, 0])), "rescale"),
        (lambda: next(leave_one_out_stacks(Cloner(line.take(np.array([0]))), 1, 1, rng())), "two cases"),
        (lambda: plug_in_bandwidth([1.0, np.inf]), "finite numbers"),
    ):
        assert_refused(words, mistake)


def test_bounds_that_leave_a_case_no_room_are_an_error_and_no_endless_loop():
    g = rng(1)
    X = g.exponential(size=(60, 40))
    X[0] = 0.0  # at the bound in all forty attributes: one noise in 2**40 would do
    sample = Sample.from_arrays(X, np.zeros(60, dtype=int), classes=("a",))
    cloner = Cloner(sample, bounds={f"x{j + 1}": (0, np.inf) for j in range(40)})
    assert_refused("case 1 left the bounds", cloner.sample, 2000, rng(1))


def test_a_case_may_lie_on_its_bounds_and_they_are_written_without_loss():
    sample = Sample.from_arrays([[0.0], [0.5], [1.0], [0.25]], ["a", "b", "a", "b"])
    assert resolve_bounds(sample, [[0.0, 1.0]]).tolist() == [[0.0, 1.0]]
    written = Cloning(bounds=((0.25, 1 / 3), (None, 2.0))).written("bounds")
    assert written == "0.25:0.3333333333333333/:2"
