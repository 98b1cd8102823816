"""Figures 1 to 3: populations, boundaries, and samples in which things go wrong."""

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from compendium.evidence.results import ResultsByScale
from compendium.papers.martin_hirschberg.populations import figure_1, figure_1_multiple, figure_2, figure_3
from compendium.papers.martin_hirschberg.populations.study import PopulationsParameters
from compendium.studies.populations import NormalClasses
from compendium.studies.study import run_study
from study_measures import values

SMALL = PopulationsParameters(grid=101, samples=40, sizes=[10], inherent_errors=[0.4, 0.01], cases=40, tree_leaves=5)
NOTHING = pd.DataFrame()


def test_the_best_line_is_the_least_error_rule_with_equal_covariances_only():
    result = figure_1.figure_1(SMALL, run_study)
    of = values(result)
    for panel, gap in (("a", 0.0), ("b", 1.99)):
        line, least = of[panel, "language-intrinsic-linear-error-percent"], of[panel, "inherent-error-percent"]
        assert line - least == pytest.approx(gap, abs=0.02)
    assert result.checks[0].outcome == "holds"


def test_a_trees_boundary_has_other_classes_on_its_two_sides_and_is_complete():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 2))
    tree = DecisionTreeClassifier(max_leaf_nodes=9, random_state=0).fit(X, (X[:, 0] * X[:, 1] > 0).astype(int))
    box = np.array([[-3.0, -3.0], [3.0, 3.0]])
    pieces = figure_1._steps(tree, box)
    assert pieces
    for x1, y1, x2, y2 in pieces:
        middle = np.array([(x1 + x2) / 2, (y1 + y2) / 2])
        aside = np.array([1e-6, 0.0]) if x1 == x2 else np.array([0.0, 1e-6])
        assert tree.predict([middle - aside])[0] != tree.predict([middle + aside])[0]
    # walking along a row or a column of cases, the class changes exactly where a piece is crossed
    walk = np.linspace(-3, 3, 4001)
    for still in (-1.2345, -0.4321, 0.1234, 0.9876):
        for j in range(2):
            path = np.full((walk.size, 2), still)
            path[:, j] = walk
            lines = [piece if j == 0 else (piece[1], piece[0], piece[3], piece[2]) for piece in pieces]
            crossed = {a for a, low, b, high in lines if a == b and min(low, high) < still < max(low, high)}
            assert np.count_nonzero(np.diff(tree.predict(path))) == len(crossed)


def test_the_bend_of_the_log_ratio_is_the_quadratic_term():
    shape = np.array([[1.0, 0.5], [0.5, 1.0]])
    population = NormalClasses(np.array([[0.0, 0.0], [1.0, 1.0]]), np.array([shape, 3 * shape]))
    expected = (1 - 1 / 3) * np.linalg.inv(shape)[0, 0]
    assert figure_1_multiple._bend(population) == pytest.approx(expected)


def test_the_shaded_area_is_the_inherent_error():
    of = values(figure_2.figure_2(SMALL, run_study))
    assert of["population", "shaded-area-percent"] == pytest.approx(
        of["population", "inherent-error-percent"], abs=1e-4
    )


def test_a_situation_that_never_occurs_is_stated_and_plotted_as_missing():
    p = PopulationsParameters(inherent_error=0.001, threshold_cases=40, draws=3, shift=2.9)
    result = figure_3.figure_3(p, run_study)
    assert result.data["classifiers"].empty
    assert (
        "not found in 3 samples"
        in figure_3.draw_figure_3(p, ResultsByScale({"published": result}), NOTHING).facts["sample_a"]
    )
    rules = figure_3.figure_3_rules(p.model_copy(update={"samples": 2, "sizes": [10]}), run_study)
    assert (
        "no such sample"
        in figure_3.draw_figure_3_rules(p, ResultsByScale({"published": rules}), NOTHING).facts["sample"]
    )
