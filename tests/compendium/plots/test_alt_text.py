"""Alternative texts: the rule that they follow, and numbers rounded to what an axis shows."""

import pandas as pd
import pytest

from compendium.plots.alt_text import alt_text_faults
from compendium.plots.picture import Picture


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Gained by luck alone (points) from −4.74e−14 to 57.5 against settings tried.", "scientific notation"),
        ("Lines for 5 series: bias (points) against sample size, lowest −2, highest 8.", "count of series"),
        ("Lines for 24 values, .632+ to BSx2: error rate (%), lowest 0, highest 50.7.", "count of series"),
        ("Accuracy (%) against folds 2, 5, 10, 20, −5, −2, −1; lowest 30, highest 99.", "bare list"),
        ("Error rate (%) by estimator; a line at 2.89855 is the error on other cases.", "three decimals"),
        ("Error rate (%) by estimator; lowest nan (.632+), highest 50.7 (holdout).", "number that is none"),
        ("A figure.", "9 characters"),
    ],
)
def test_a_text_that_says_nothing_when_read_out_is_refused(text: str, fault: str) -> None:
    (one,) = alt_text_faults(text)
    assert fault in one


def extremes(values: list[float], at: list[float] | None = None) -> str:
    picture = Picture(2.0, x="cases", y="error")
    picture.lines(pd.DataFrame({"x": at or list(range(len(values))), "y": values}), "x", "y")
    return picture.done().alt.removeprefix("Lines: error against cases. ")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([-4.74e-14, 57.53], "Lowest: 0 (at 0); highest: 57.5 (at 1)."),
        ([0.123456, 0.387], "Lowest: 0.12 (at 0); highest: 0.39 (at 1)."),
        ([1.0, 12_244_321.0], "Lowest: 1 (at 0); highest: 12,200,000 (at 1)."),
        ([-0.001, 250.4], "Lowest: 0 (at 0); highest: 250 (at 1)."),
        ([5.0, float("nan")], "All: 5."),
    ],
)
def test_extremes_are_rounded_to_what_the_axis_shows(values: list[float], expected: str) -> None:
    assert extremes(values) == expected


def test_marks_are_placed_by_series_panel_and_coordinate() -> None:
    table = pd.DataFrame({"x": [1, 2, 1, 2], "y": [1.0, 2.0, 3.0, 4.0], "s": ["a", "a", "b", "b"]})
    assert extremes([1.0, 2.0], at=[10.0, 2_000.0]).endswith("highest: 2 (at 2,000).")
    picture = Picture(2.0, {"p": "Panel"}, "p", x="x", y="y")
    picture.scatter(table.assign(p="p"), "x", "y", by="s")
    picture.lines(table[:1].assign(p="p"), "x", "y", printed=True, label="printed")
    assert picture.done().alt == ("Points for a, b: y against x. Lowest: 1 (a, at 1); highest: 4 (b, at 2).")
