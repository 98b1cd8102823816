"""Batch and stack methods label as one fit a row: what ``check_inducer`` demands, on samples beyond its own."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from batteries import part_of, random_sample
from compendium.methods.conformance import check_inducer
from errorest.data.sample import Attribute, Sample
from errorest.learners import C45, KNN, LinearDiscriminant, Majority, NaiveBayes, predict_by_loop
from errorest.resampling.draw import k_fold
from errorest.resampling.multisets import concatenate

RNG = np.random.default_rng(20)


def both(*shapes: tuple[int, int, int]) -> dict[str, Sample]:
    return {
        f"{s}, {'grid' if grid else 'normal'}": random_sample(*s, grid=grid) for s in shapes for grid in (True, False)
    }


def ties_gaps_and_repeats() -> Sample:
    X = RNG.integers(0, 3, (14, 4)).astype(float)
    X = np.vstack([X, X[:6]])
    X[RNG.random(X.shape) < 0.2] = np.nan
    kinds = (Attribute("a", "integer"), Attribute("b", "nominal", ("p", "q", "r")), Attribute("c"), Attribute("d"))
    return Sample.from_arrays(X, RNG.integers(0, 2, 20), attributes=kinds, classes=("no", "yes", "never"))


ONE_ATTRIBUTE = {
    name: Sample.from_arrays(x, y, classes=["0", "1"])
    for name, (x, y) in {
        "the other class": (RNG.normal(size=9), np.zeros(9, int)),
        "equal means": (np.array([1.0, 3, 1, 3, 2, 2]), [0, 0, 1, 1, 0, 1]),
        "equal means with rounding": (np.array([0.1, 0.2, 0.3, 0.3, 0.2, 0.1, 0.6 / 3]), [0, 0, 0, 1, 1, 1, 1]),
        "no spread within classes": (np.repeat([0.0, 1.0], 5), np.repeat([0, 1], 5)),
        "reversed classes": (np.r_[RNG.normal(3, 1, 10), RNG.normal(0, 1, 10)], np.repeat([0, 1], 10)),
        "offset of a million": (1e6 + RNG.normal(size=20), RNG.integers(0, 2, 20)),
        "offset of a million, whole numbers": (1e6 + RNG.integers(0, 3, 20), RNG.integers(0, 2, 20)),
        "tiny values": (1e-9 * RNG.normal(size=20), RNG.integers(0, 2, 20)),
        "zeros of both signs": (np.array([0.0, -0.0, 1, -1, 0.0, -0.0]), [0, 0, 0, 1, 1, 1]),
        "two cases": (np.array([0.0, 1.0]), [0, 1]),
    }.items()
}
SMALL, WIDE = both((14, 5, 2), (9, 10, 2), (20, 2, 3)), both((12, 130, 3))
REAL = ("breast-cancer", "hypothyroid", "soybean-large", "vehicle", "mushroom", "chess", "contact-lenses")
PARTS = {name: part_of(name, 24 if name == "contact-lenses" else 40) for name in REAL}
GAPS = {"ties, gaps and repeats": ties_gaps_and_repeats()}

CASES: list[tuple[Any, Mapping[str, Sample]]] = [
    (Majority(), ONE_ATTRIBUTE),
    *((KNN(k, ties), both((25, 1, 3), (25, 10, 3))) for k in (1, 2, 5, 17) for ties in ("nearest", "lowest-class")),
    *((LinearDiscriminant(priors), SMALL | WIDE) for priors in ("equal", "sample")),
    *((LinearDiscriminant("equal", 0.1, matrix), SMALL | WIDE) for matrix in ("total", "within")),
    *((C45(release=release), PARTS) for release in (7, 8)),
    *((C45(release=release, min_cases=1, prune=release == 8), GAPS) for release in (7, 8)),
    (C45(subtree_raising=False), GAPS),
    (NaiveBayes(), {name: PARTS[name] for name in ("soybean-large", "hypothyroid", "vehicle")}),
]


@pytest.mark.parametrize(("inducer", "samples"), CASES, ids=lambda v: getattr(v, "id", "samples"))
def test_every_batch_method_labels_as_one_fit_a_row(inducer: Any, samples: Mapping[str, Sample]) -> None:
    assert set(check_inducer(inducer, samples)) == set(samples)


@settings(max_examples=60)
@given(
    st.sampled_from([KNN(1), KNN(2), KNN(3), LinearDiscriminant()]),
    *(st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 4), st.integers(1, 3), st.booleans()),
)
@example(LinearDiscriminant(), 0, 5, 1, 3, False)  # a training set without the lowest class after one that has it
def test_so_it_does_on_any_small_sample(inducer: Any, seed: int, n: int, d: int, classes: int, grid: bool) -> None:
    check_inducer(inducer, {"any": random_sample(n, d, classes, seed, grid)})


def test_training_sets_on_both_sides_of_the_number_of_attributes_agree_with_the_loop() -> None:
    sample, rule = random_sample(130, 110, 2), LinearDiscriminant()
    rows = concatenate([k_fold(130, 2, RNG), k_fold(130, 13, RNG)])
    np.testing.assert_array_equal(rule.predict_resamples(sample, rows), predict_by_loop(rule, sample, rows))
