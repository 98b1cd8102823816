"""Kohavi's examples: exact expectations by enumeration, leave-one-out, the memorizer, equation 3."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compendium.book.places import root
from compendium.evidence.results import ResultsByScale
from compendium.papers.kohavi.equation_3 import equation_3
from compendium.papers.kohavi.example_1 import example_1
from compendium.papers.kohavi.iris import IrisParameters
from compendium.papers.kohavi.text_632 import text_632
from compendium.papers.kohavi.text_holdout import draw_text_holdout, majority_holdout, text_holdout
from compendium.studies.study import run_study
from errorest.data.sample import Sample
from errorest.learners.majority import Majority

SMALL = IrisParameters(
    holdouts=60,
    memorizer_sizes=[12, 20],
    memorizer_samples=6,
    bootstrap_replicates=8,
    trials=400,
    splits=20,
    test_sizes=[15, 40],
    accuracies=[0.6, 0.95],
)
EMPTY = pd.DataFrame()


def rows_of(result):
    return {(r.row, r.column): r for r in result.rows}


def by_trying_all_splits(counts, test):
    y = np.repeat(np.arange(len(counts)), counts)
    sample = Sample(np.zeros((y.size, 1)), y, (), tuple("abcd"[: len(counts)]))
    results = {}
    splits = list(combinations(range(y.size), test))
    for tested in splits:
        rest = np.setdiff1d(np.arange(y.size), tested)
        label = Majority().fit(sample.take(rest)).label
        right = int((y[list(tested)] == label).sum())
        results[right] = results.get(right, 0) + 1
    return {k: Fraction(v, len(splits)) for k, v in sorted(results.items())}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 4), min_size=2, max_size=4).filter(lambda c: 2 <= sum(c) <= 10), st.data())
def test_the_exact_chances_are_those_of_all_splits(counts, data):
    test = data.draw(st.integers(1, sum(counts) - 1))
    assert majority_holdout(counts, test) == by_trying_all_splits(counts, test)


def test_simulated_holdouts_agree_with_the_exact_ones():
    p = IrisParameters(holdouts=4000)
    result = text_holdout(p, run_study)
    rows = rows_of(result)
    mean, exact = rows["iris/majority", "mean-accuracy-percent"], rows["iris/majority", "exact-mean-accuracy-percent"]
    # 4.4 standard errors: a false alarm in a hundred thousand seeds
    assert abs(mean.value - exact.value) < 4.4 * mean.se
    table = result.data["accuracies"]
    assert table["share"].sum() == pytest.approx(1)
    assert table["exact"].sum() == pytest.approx(1)


def test_the_memorizers_632_is_its_formula_and_too_high():
    rows = rows_of(text_632(SMALL, run_study))
    key = "memorizer/random-labels"
    e0 = rows[key, "bootstrap-e0-accuracy-percent"].value
    assert rows[key, "accuracy-percent"].value == pytest.approx(36.8 + 0.632 * e0)
    assert rows[key, "632-plus-accuracy-percent"].value < rows[key, "accuracy-percent"].value


def test_simulated_coverage_agrees_with_the_exact_sum():
    table = equation_3(SMALL.model_copy(update={"trials": 4000}), run_study).data["coverage"]
    se = np.sqrt(table["score"] * (100 - table["score"]) / 4000)
    # four cells at 4.8 standard errors: a false alarm in about a hundred thousand seeds
    assert ((table["simulated"] - table["score"]).abs() < 4.8 * se).all()


def test_one_random_split_is_not_exact_and_leave_one_out_is():
    made = equation_3(SMALL.model_copy(update={"splits": 1}), run_study)
    errors = {r.row.split("/")[2]: r.se for r in made.rows if r.column == "accuracy-percent"}
    assert errors.pop("leave-one-out") == 0
    assert all(np.isnan(se) for se in errors.values())


def test_any_csv_with_a_class_column_can_stand_for_iris():
    p = SMALL.model_copy(update={"data": str(root() / "data" / "examples" / "wine.csv"), "class_column": "class"})
    made = {compute.__name__: compute(p, run_study) for compute in (text_holdout, example_1, equation_3)}
    expected = next(r for r in made["text_holdout"].rows if r.column == "expected-accuracy-percent")
    # 71 of 178 cases are of one class, and leave-one-out is right about that class
    assert expected.value == pytest.approx(100 * 71 / 178)
    assert made["example_1"].rows[0].value == pytest.approx(100 * 71 / 178)
    draw_text_holdout(p, ResultsByScale(published=made["text_holdout"]), EMPTY).figure.canvas.draw()


def test_too_many_classes_are_not_counted():
    assert majority_holdout([30] * 30, 300) == {}
