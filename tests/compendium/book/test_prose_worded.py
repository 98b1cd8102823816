"""Sentences are written as people write them, whatever was counted."""

from __future__ import annotations

import pytest

from compendium.book.prose import worded
from compendium.book.render import _with_error


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1 bandwidths are", "1 bandwidth is"),
        ("with 1 further experiments, the means of 1 repeats", "with 1 further experiment, the mean of 1 repeat"),
        ("a grid for 1 combinations; (1 splits)", "a grid for 1 combination; (1 split)"),
        ("from 50 % to 50 % (asked: each 50)", "at 50 % (asked: each 50)"),
        ("moves from 0.5 to 0.5 and goes from 4.17 to 4.17 points", "moves at 0.5 and goes at 4.17 points"),
        ("n = 20 to 20; N = 24 to N = 24", "n = 20; N = 24"),
        ("1 classes", "1 class"),
        ("27.00 ± 0.00, exact 27.71; 100.0 ± 0.0 %", "27.00, exact 27.71; 100.0 %"),
    ],
)
def test_one_of_a_thing_and_a_range_of_one_value_are_told_so(text: str, wanted: str) -> None:
    assert worded(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "11 cases, 0.1 points, −1.1 points, 1.0 points",
        "Table 1 settings, Figure 1 cases, k = 1 neighbours, n = 1 cases",
        "from 1 to 10 folds, 1 to 1.5, 20 to 200 cases, 0.5 to 0.51",
        "3.0 ± 1 points, −3 to 1 points, 1-nn, 1 of 3 cases, leave-1-out",
        "from 1.5 to 1.5-fold",
        "0.5 ± 0.05, 0.5 ± 0.001 points",
    ],
)
def test_other_numbers_stay_as_they_are(text: str) -> None:
    assert worded(text) == text


def test_an_error_of_rounding_size_is_none() -> None:
    shown = _with_error({"value": 22.4, "se": 3.9e-15, "n": 2}, None, all_exact=False)
    assert "±" not in shown
    assert "n = 2" in shown
    assert "± 0.004" in _with_error({"value": 22.4, "se": 0.0039, "n": 400}, 2.0, all_exact=False)
