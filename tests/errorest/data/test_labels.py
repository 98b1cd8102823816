"""Labels are compared and sorted by value, whatever holds them; gaps are refused in every container."""

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

from batteries import assert_refused
from errorest.data.labels import as_array, distinct, numbers_of_texts, positions, sorted_texts
from errorest.data.sample import Sample

HOLDERS: dict[str, Any] = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda values: np.array(values, dtype=object),
    "series": pd.Series,
    "series of objects": lambda values: pd.Series(values, dtype=object),
    "index": pd.Index,
    "categorical": pd.Categorical,
    "series of categories": lambda values: pd.Series(pd.Categorical(values)),
    "masked": lambda values: np.ma.array(values, mask=[False] * len(values)),
    "inferred": lambda values: pd.Series(values, dtype=object).convert_dtypes(),
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([10, 2, 2, 10], [2, 10]),
        ([10.0, 2.0, 2.0, 10.0], [2.0, 10.0]),
        ([True, False, False, True], [False, True]),
        (["b", "a", "a", "b"], ["a", "b"]),
        (["2", "10", "10", "2"], ["10", "2"]),
        (["01", "1", "1", "01"], ["01", "1"]),
    ],
)
def test_values_are_sorted_as_what_they_are(holder: str, values: list[Any], labels: list[Any]) -> None:
    found, codes = distinct(as_array(HOLDERS[holder](values), "y"), "y lacks a label")
    assert (found.tolist(), codes.tolist()) == (labels, [labels.index(value) for value in values])


def test_numbers_and_bools_of_one_value_are_one_label() -> None:
    found, codes = distinct(as_array([1, 1.0, True, np.int64(1), np.float32(1), 0, False], "y"), "y lacks a label")
    assert (found.tolist(), codes.tolist()) == ([0, 1], [1, 1, 1, 1, 1, 0, 0])
    days = [datetime.date(2024, 1, 2), datetime.date(2024, 1, 1)]
    assert distinct(as_array(days, "y"), "y lacks a label")[0].tolist() == days[::-1]
    assert distinct(as_array(pd.Series([("b", 1), ("a", 2)]), "y"), "y lacks a label")[0].tolist() == [
        ("a", 2),
        ("b", 1),
    ]


GAPS: dict[str, Any] = {
    **{f"list with {gap!r}": ["a", gap, "b"] for gap in (None, float("nan"), pd.NA, pd.NaT, np.float64("nan"))},
    "tuple": ("a", None, "b"),
    "numbers": [1, None, 2],
    "floats": [1.0, float("nan"), 2.0],
    "bools": [True, None, False],
    "array": np.array([1.0, np.nan, 2.0]),
    "objects": np.array(["a", np.nan, "b"], dtype=object),
    "dates": np.array(["2024-01-01", "NaT", "2024-01-02"], dtype="datetime64[D]"),
    "series": pd.Series(["a", None, "b"]),
    "nullable numbers": pd.array([1, None, 2], dtype="Int64"),
    "nullable floats": pd.array([1.5, None, 2.5], dtype="Float64"),
    "nullable bools": pd.array([True, None, False], dtype="boolean"),
    "nullable text": pd.array(["a", None, "b"], dtype="string"),
    "categorical": pd.Categorical(["a", None, "b"]),
    "categorical numbers": pd.Categorical([1, None, 2]),
    "masked text": np.ma.array(["a", "x", "b"], mask=[False, True, False]),
    "masked numbers": np.ma.array([1, 9, 2], mask=[False, True, False]),
}


@pytest.mark.parametrize("gap", GAPS)
def test_gaps_are_refused_in_every_container(gap: str) -> None:
    message = r"y lacks a label for 1 case\(s\); the first is at position 1"
    assert_refused(message, lambda: distinct(as_array(GAPS[gap], "y"), "y lacks a label"))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, "a"], "numbers and text cannot be sorted"),
        ([[1], [1, 2]], "lists are no labels"),
        ([1j, 2], "cannot be sorted"),
        (np.array([1j, 2]), "complex numbers cannot be sorted"),
        ("pid", r"y = 'pid' is a text; pass the values: y=df\['pid'\]"),
    ],
)
def test_what_has_no_order_is_refused(values: Any, message: str) -> None:
    assert_refused(message, lambda: distinct(as_array(values, "y"), "y lacks a label"))


@pytest.mark.parametrize(
    ("wanted", "labels", "position"),
    [
        (1, [0.0, 1.0], 1),
        (1.0, [0, 1], 1),
        (True, [0, 1], 1),
        (0, [False, True], 0),
        (np.int64(1), [False, True], 1),
        ("1", [0, 1], 1),
        ("1", [0.0, 1.0], 1),
        ("1.0", [0, 1], 1),
        (1, ["0", "1"], 1),
        (1, ["0.0", "1.0"], 1),
        ("True", [False, True], 1),
        ("TRUE", ["FALSE", "TRUE"], 1),
        (1, ["01", "02"], -1),
        ("1", ["01", "02"], -1),
        ("1", ["1", "1.0"], 0),
        (1.0, ["1", "1.0"], 1),
        ("1.00", ["1", "1.0"], -1),
        ("b", ["a", "b"], 1),
        ("B", ["a", "b"], -1),
        ([1], [0, 1], -1),
    ],
)
def test_a_label_is_found_by_its_value(wanted: Any, labels: list[Any], position: int) -> None:
    assert positions([wanted], np.array(labels)) == [position]


def test_labels_of_files_are_sorted_as_numbers_where_all_are() -> None:
    assert sorted_texts(["10", "2", "2", "-3", "1e1"]) == ["-3", "2", "10", "1e1"]
    assert sorted_texts(["2,5", "10,5"], ",") == ["2,5", "10,5"]
    assert sorted_texts(["10", "2", "x"]) == ["10", "2", "x"]
    assert numbers_of_texts(["2", "10", "9" * 20]) == [2, 10, int("9" * 20)]
    assert numbers_of_texts(["0,25", "1"], ",") == [0.25, 1]
    assert numbers_of_texts(["01", "2"]) == ["01", "2"]
    assert numbers_of_texts(["1", "x"]) == ["1", "x"]


@pytest.mark.parametrize("y", [[2, 10, 10], np.array([2, 10, 10], dtype=object), ["2", "10", "10"], [2.0, 10.0, 10.0]])
def test_a_sample_has_its_classes_in_the_order_of_numbers(y: Any) -> None:
    sample = Sample.from_arrays([1.0, 2.0, 3.0], y)
    assert [float(name) for name in sample.classes] == [2, 10]
    assert sample.y.tolist() == [0, 1, 1]
    assert_refused("lacks a label", Sample.from_arrays, [1.0, 2.0], ["a", None])
    assert_refused("complex", Sample.from_arrays, np.array([1j, 2.0]), ["a", "b"])
