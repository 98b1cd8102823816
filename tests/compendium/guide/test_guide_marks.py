"""What studies of the guide share: the rule for what an interval holds, and means over cells that share samples."""

import numpy as np
import pandas as pd
import pytest

from compendium.evidence.estimate import Estimate
from compendium.guide.intervals import average_of_groups, contains, covers, remembered
from compendium.guide.names import TARGETS
from compendium.plots.panels import over_columns
from errorest.estimation.intervals.method import NO_WIDTH
from errorest.plots import new_figure

LOW, HIGH = np.array([0.1, 0.3, np.nan]), np.array([0.2, 0.5, np.nan])
TRUTH = np.array([0.15, 0.2, 0.25])  # 0.2 in the mean


def test_an_interval_holds_its_own_classifier_s_error_or_the_mean_of_all():
    own, mean = TARGETS
    assert covers(LOW, HIGH, TRUTH, own).tolist() == [True, False, False]
    assert covers(LOW, HIGH, TRUTH, mean).tolist() == [True, False, False]
    assert covers(LOW, HIGH, TRUTH[::-1], own).tolist() == [False, False, False]
    assert covers(LOW, HIGH, TRUTH[::-1], mean).tolist() == [True, False, False]


def test_a_limit_that_is_met_is_contained_whatever_the_last_digit():
    limit = np.array([0.3])
    assert contains(limit, limit, 0.1 + 0.2).tolist() == [True]
    assert contains(limit, limit, 0.3 + 10 * NO_WIDTH).tolist() == [False]


def test_cells_that_share_samples_are_averaged_with_their_errors_added_up():
    groups = [[Estimate(1.0, 0.3, 9), Estimate(3.0, 0.5, 9)], [Estimate(4.0, 0.3, 9), Estimate(4.0, 0.3, 9)]]
    m = average_of_groups(groups)
    assert (m.value, m.n) == (3.0, 18)
    assert m.se == pytest.approx((0.4**2 + 0.3**2) ** 0.5 / 2)


def test_titles_over_columns_stand_above_their_panel():
    axes = new_figure()[1][0, 0]
    over_columns([axes], ["one", "without a panel"], 7)
    (title,) = axes.texts
    assert title.get_text() == "one"
    assert title.xy == (0.5, 1.0)
    assert title.get_position() == (0, 7)


def test_artifacts_share_what_is_made_of_the_same_results_and_of_no_others():
    one, other = pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [1]})
    first = remembered("test", [one], list)
    assert remembered("test", [one], list) is first
    assert remembered("test", [other], list) is not first
    assert remembered("test", [other, one], list) is not first
