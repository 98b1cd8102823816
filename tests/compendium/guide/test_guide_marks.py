"""What studies of the guide share: the rule for what an interval holds, and how its figures mark it."""

import numpy as np
import pytest
from matplotlib.colors import same_color

from compendium.guide.held import held, within
from compendium.guide.marks import legend_by_place, look, name_lines
from compendium.guide.names import TARGETS
from errorest.estimation.intervals.method import NO_WIDTH
from errorest.plots import new_figure
from errorest.plots.annotations import over_columns

LOW, HIGH = np.array([0.1, 0.3, np.nan]), np.array([0.2, 0.5, np.nan])
TRUTH = np.array([0.15, 0.2, 0.25])  # 0.2 in the mean


def test_an_interval_holds_its_own_classifier_s_error_or_the_mean_of_all():
    own, mean = TARGETS
    assert held(LOW, HIGH, TRUTH, own).tolist() == [True, False, False]
    assert held(LOW, HIGH, TRUTH, mean).tolist() == [True, False, False]
    assert held(LOW, HIGH, TRUTH[::-1], own).tolist() == [False, False, False]
    assert held(LOW, HIGH, TRUTH[::-1], mean).tolist() == [True, False, False]


def test_a_limit_that_is_met_is_contained_whatever_the_last_digit():
    limit = np.array([0.3])
    assert within(limit, limit, 0.1 + 0.2).tolist() == [True]
    assert within(limit, limit, 0.3 + 10 * NO_WIDTH).tolist() == [False]


@pytest.fixture
def panel():
    figure, grid = new_figure()
    return figure, grid[0, 0]


def test_a_legend_by_place_has_the_looks_of_what_is_plotted(panel):
    figure, _ = panel
    legend_by_place(figure, ["first", "second"], columns=2, linestyle="none")
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["first", "second"]
    for place, handle in enumerate(legend.legend_handles):
        assert handle.get_marker() == look(place)["marker"]
        assert same_color(handle.get_color(), look(place)["color"])
        assert handle.get_linestyle() == "None"


def test_lines_are_named_from_the_top_down(panel):
    _, axes = panel
    name_lines(axes, ["above", "below"])
    upper, lower = (axes.transData.transform((0, line))[1] for line in (0, 1))
    assert upper > lower
    assert [label.get_text() for label in axes.get_yticklabels()] == ["above", "below"]


def test_titles_over_columns_stand_above_their_panel(panel):
    _, axes = panel
    over_columns([axes], ["one", "without a panel"], 7)
    (title,) = axes.texts
    assert title.get_text() == "one"
    assert title.xy == (0.5, 1.0)
    assert title.get_position() == (0, 7)
