"""Samples: what is checked at the door, and what a sample says of itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batteries import assert_refused
from errorest.data.sample import Attribute, Sample

COLOUR = Attribute("colour", "nominal", ("red", "green"))


@pytest.mark.parametrize(
    ("X", "y", "more", "words"),
    [
        ([["a"], ["b"]], [0, 1], {}, "no number"),
        ([[1.0], [2.0]], [0], {}, r"\(2, 1\) and y has shape \(1,\)"),
        (np.zeros((2, 2, 2)), [0, 1], {}, "expected \\(n, d\\)"),
        ([1.0, 2.0], [[0, 1], [1, 0]], {}, "one label for each case"),
        (np.zeros((0, 2)), [], {}, "no case"),
        ([[0.0, np.inf]], [0], {}, "attribute 2 holds an infinite"),
        ([[1.0, 2.0]], [0], {"attributes": [COLOUR]}, "1 attributes are described and X has 2"),
        ([[2.0]], [0], {"attributes": [COLOUR]}, "expected 0 to 1"),
        ([[0.5]], [0], {"attributes": [COLOUR]}, "no category"),
        ([[0.5]], [0], {"attributes": [Attribute("age", "integer")]}, "holds a fraction"),
        ([[0.5]], [2], {"classes": ["no", "yes"]}, "outside 0 to 1"),
        ([[0.5]], [-1], {"classes": ["no", "yes"]}, "outside 0 to 1"),
        ([[0.5]], [0.5], {"classes": ["no", "yes"]}, "outside 0 to 1"),
    ],
)
def test_a_wrong_array_is_refused_with_what_to_do(X, y, more, words):
    assert_refused(f"^mine: .*{words}", Sample.from_arrays, X, y, name="mine", **more)


@pytest.mark.parametrize(("kind", "categories"), [("real", ()), ("nominal", ()), ("integer", ("a",))])
def test_an_attribute_whose_kind_and_categories_disagree_is_refused(kind, categories):
    assert_refused(None, Attribute, "x", kind, categories)


def test_labels_of_any_kind_become_class_numbers_in_sorted_order():
    sample = Sample.from_arrays([1, 2, 3], ["no", "yes", "maybe"])
    assert sample.classes == ("maybe", "no", "yes")
    assert sample.y.tolist() == [1, 2, 0]


def test_a_declared_class_may_have_no_case():
    sample = Sample.from_arrays([1.0, 2.0], [1, 1], classes=["a", "b", "c"])
    assert sample.n_classes == 3
    assert sample.class_counts().tolist() == [0, 2, 0]


def test_missing_values_are_preserved_and_count_as_equal_in_duplicates():
    sample = Sample.from_arrays([[np.nan, 1], [np.nan, 1], [np.nan, 1], [0, 1]], ["a", "a", "b", "a"])
    assert np.isnan(sample.X[:, 0]).sum() == 3
    assert sample.duplicates() == 1


def test_a_sample_does_not_share_memory_with_the_callers_array():
    X = np.zeros((2, 1))
    sample = Sample.from_arrays(X, [0, 1])
    X[0, 0] = 5
    assert sample.X[0, 0] == 0


@settings(deadline=None, max_examples=30)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=8), st.data())
def test_taking_cases_keeps_their_order_and_repeats(y, data):
    cases = np.array(data.draw(st.lists(st.integers(0, len(y) - 1), max_size=10)), dtype=int)
    sample = Sample.from_arrays(np.arange(len(y)), y, classes=list("abcd"))
    part = sample.take(cases)
    assert part.X[:, 0].tolist() == cases.tolist()
    assert part.y.tolist() == [y[i] for i in cases]
    assert (part.classes, part.attributes) == (sample.classes, sample.attributes)


def test_a_digest_changes_with_values_kinds_and_classes_and_not_with_the_name():
    def make(x=1.0, y=0, kind="continuous", classes=("a", "b"), name="s"):
        return Sample.from_arrays([x], [y], attributes=[Attribute("v", kind)], classes=classes, name=name).digest()

    assert make() == make(name="t")
    assert len({make(), make(x=2.0), make(y=1), make(kind="integer"), make(classes=("a", "c"))}) == 5
