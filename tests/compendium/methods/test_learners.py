"""The compendium's inducers: batches label as one fit a row does, what is refused, and ids that name them."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batteries import assert_refused, random_sample
from compendium.methods.conformance import check_inducer
from compendium.methods.learners import ID3, INDUCERS, SVM, Threshold
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.learners import KNN, named
from errorest.resampling.draw import leave_one_out
from errorest.resampling.multisets import Resamples

RNG = np.random.default_rng(20)


def both(*shapes: tuple[int, int, int]) -> dict[str, Sample]:
    return {
        f"{s}, {'grid' if grid else 'normal'}": random_sample(*s, grid=grid) for s in shapes for grid in (True, False)
    }


def many_categories() -> Sample:
    arities = (2, 3) * 60
    kinds = [Attribute(f"a{j}", "nominal", ("u", "v", "w")[:k]) for j, k in enumerate(arities)]
    X = np.column_stack([RNG.integers(0, k, 25) for k in arities])
    return Sample.from_arrays(X, RNG.integers(0, 2, 25), attributes=kinds, classes=("a", "b"))


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
SMALL = both((14, 5, 2), (9, 10, 2), (20, 2, 3))

CASES: list[tuple[Any, Mapping[str, Sample]]] = [
    *((inducer, ONE_ATTRIBUTE) for inducer in (Threshold(), Threshold("class-0-mean"))),
    *((SVM("linear", C=0.01), both((30, 9, 2))), (SVM(C=0.01), both((24, 4, 2))), (SVM(C=100), both((20, 3, 2)))),
    *((SVM(gamma=0.12, C=1.5, standardize=scale), both((24, 6, 4))) for scale in ("none", "training")),
    *((SVM(), SMALL), (SVM("linear", vote="count"), both((21, 3, 3)))),
    (SVM("linear", standardize="training"), both((16, 2, 2))),
    (ID3(), {"hundreds of attributes": many_categories()}),
]


@pytest.mark.parametrize(("inducer", "samples"), CASES, ids=lambda v: getattr(v, "id", "samples"))
def test_every_batch_method_labels_as_one_fit_a_row(inducer: Any, samples: Mapping[str, Sample]) -> None:
    assert set(check_inducer(inducer, samples)) == set(samples)


@settings(max_examples=40)
@given(
    st.sampled_from([Threshold(), Threshold("class-0-mean"), SVM()]),
    *(st.integers(0, 10**6), st.integers(3, 12), st.integers(1, 4), st.integers(1, 3), st.booleans()),
)
def test_so_it_does_on_any_small_sample(inducer: Any, seed: int, n: int, d: int, classes: int, grid: bool) -> None:
    if isinstance(inducer, Threshold):
        d, classes = 1, min(classes, 2)
    check_inducer(inducer, {"any": random_sample(n, d, classes, seed, grid)})


@pytest.mark.parametrize(
    ("made", "settings", "message"),
    [
        (Threshold, {"reversal_rule": "class0mean"}, "did you mean 'class-0-mean'"),
        (SVM, {"standardize": True}, "expected one of none, training"),
        (SVM, {"gamma": 0}, "gamma = 0; expected a finite number over 0"),
        (SVM, {"C": -1.0}, "C = -1.0; expected a finite number over 0"),
        (SVM, {"C": np.inf}, "expected a finite number over 0"),
        (SVM, {"tolerance": "small"}, "tolerance = 'small'"),
    ],
)
def test_settings_out_of_bounds(made: Any, settings: dict[str, Any], message: str) -> None:
    assert_refused(message, made, **settings)


NUMBERS = Sample.from_arrays(np.random.default_rng(0).normal(size=(6, 2)), [0, 1, 0, 1, 0, 1])
COLOUR = (Attribute("colour", "nominal", ("red", "blue")),)
NAMES = Sample.from_arrays([[0.0], [1.0]], ["a", "b"], attributes=COLOUR)
GAP = Sample.from_arrays([[0.0], [np.nan]], ["a", "b"])
MISSING = r"1 missing value\(s\)"


@pytest.mark.parametrize(
    ("inducer", "sample", "message"),
    [
        *((inducer, GAP, MISSING) for inducer in (SVM(), Threshold())),
        (SVM(), NAMES, "nominal attribute 'colour'"),
        (ID3(), NUMBERS, "continuous attribute 'x1'"),
        (ID3(), Sample.from_arrays([[0.0], [np.nan]], ["a", "b"], attributes=COLOUR), "1 missing.* 'colour'"),
        (Threshold(), NUMBERS, "2 attributes and 2 classes"),
        (Threshold(), Sample.from_arrays(np.zeros(3), [0, 1, 2]), "1 attributes and 3 classes"),
    ],
)
def test_samples_that_a_learner_cannot_take(inducer: Any, sample: Sample, message: str) -> None:
    stack = SampleStack.of_cases(sample, np.arange(sample.n)[None])
    calls = [lambda: inducer.fit(sample), lambda: inducer.predict_resamples(sample, leave_one_out(sample.n))]
    if hasattr(inducer, "predict_stack"):
        calls.append(lambda: inducer.predict_stack(stack, np.zeros((1, sample.d))))
        calls.append(lambda: inducer.cross_validate_stack(stack, np.arange(sample.n)[None]))
    for call in calls:
        assert_refused(message, call)


def test_a_machine_refuses_cases_of_another_width_or_with_gaps_and_training_sets_without_cases() -> None:
    stack = SampleStack.of_cases(NUMBERS, np.arange(6)[None])
    for call in (SVM().fit(NUMBERS).predict, lambda X: SVM().predict_stack(stack, X)):
        assert_refused(r"to label; expected \(m, 2\)", call, np.zeros((2, 3)))
        assert_refused(r"1 missing value\(s\) to label", call, np.array([[np.nan, 1.0]]))
        assert_refused("infinite values of cases to label", call, np.array([[np.inf, 1.0]]))
    assert_refused("sample 0 of the stack", SVM().cross_validate_stack, stack, np.zeros((1, 6), int))
    assert_refused("training set without cases", SVM().fit, NUMBERS.take(np.empty(0, int)))
    compact = leave_one_out(2).compact._replace(n=1, labels=np.zeros((1, 1), dtype=np.int32))
    rows = Resamples(compact, np.array([0, 1, 1]), np.zeros(1, np.int32), np.zeros(2, np.int32), 1)
    assert_refused("training set without cases: row 0", SVM().predict_resamples, NUMBERS.take(np.arange(1)), rows)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"empty_branch": "parent"}, "did you mean 'parent-majority'"),
        ({"attribute_order": (0, 1)}, "each of colour once"),
        ({"attribute_order": ("tear",)}, "attribute order tear"),
        ({"class_order": ("a", "a")}, "each of a, b once"),
    ],
)
def test_settings_of_id3_that_do_not_fit_the_sample(settings: dict[str, Any], message: str) -> None:
    assert_refused(message, ID3(**settings).fit, NAMES)


def test_ids_name_the_inducers_of_both_packages() -> None:
    assert {*INDUCERS} == {*named.INDUCERS, "id3", "svm", "threshold"}
    for made in (ID3("gini"), SVM("linear", C=2), Threshold("class-0-mean"), KNN(3)):
        assert INDUCERS.parse(made.id) == made
