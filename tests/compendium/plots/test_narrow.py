"""A figure for a phone: panels below each other with all labels, a legend that fits, diagrams left as they are."""

import pandas as pd
import pytest

from compendium.plots.layout_rule import layout_faults
from compendium.plots.narrow import NARROW, narrow
from compendium.plots.panels import over_columns
from compendium.plots.picture import Picture

TABLE = pd.DataFrame({"panel": list("aabb"), "x": [1, 2, 1, 2], "y": [1.0, 2.0, 3.0, 4.0], "by": list("pqpq")})


def picture(**settings):
    sampled = Picture(3.0, {"a": "First", "b": "Second"}, "panel", x="cases", y="bias", **settings)
    sampled.lines(TABLE, "x", "y", by="by", names={"p": "a name that is long", "q": "another long name"})
    return sampled


@pytest.mark.parametrize("settings", [{}, {"sharey": True}, {"sharex": True, "sharey": True}])
def test_panels_stand_below_each_other_with_their_labels(settings):
    sampled = picture(**settings)
    figure = sampled.done().figure
    assert narrow(figure)
    first, second = sampled.axes.values()
    assert figure.get_figwidth() == NARROW
    assert first.get_position().y0 > second.get_position().y1
    assert [axes.get_ylabel() for axes in (first, second)] == ["bias", "bias"]
    assert [axes.get_xlabel() for axes in (first, second)] == ["", "cases"]
    figure.draw_without_rendering()
    assert all(axes.yaxis.get_tick_params()["labelleft"] for axes in (first, second))


def test_nothing_reaches_beyond_the_edges():
    sampled = picture()
    figure = sampled.done().figure
    sampled.axes["a"].set_title("A title that is longer than a phone is wide by far", loc="left")
    sampled.axes["b"].set_xlabel("the name of an axis that is longer than a phone is wide")
    narrow(figure)
    figure.draw_without_rendering()
    box = figure.get_tightbbox()
    assert box.x0 >= 0
    assert box.x1 <= NARROW
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a name that is long", "another long name"]
    assert figure.legends[0]._ncols == 1


def test_the_title_of_a_column_goes_to_each_of_its_panels():
    sampled = picture()
    over_columns(list(sampled.axes.values()), ["left", "right"], 20)
    narrow(sampled.done().figure)
    assert [axes.get_title(loc="left") for axes in sampled.axes.values()] == ["First, left", "Second, right"]


def test_a_panel_without_a_title_has_that_of_its_column():
    sampled = Picture(4.0, {"a": "left", "b": "right", "c": "", "d": "b"}, "panel", letters=False)
    assert narrow(sampled.done().figure)
    assert [axes.get_title(loc="left") for axes in sampled.axes.values()] == ["left", "right", "left", "b  right"]


def test_long_names_of_rows_take_two_lines():
    sampled = Picture(3.0, x="bias", y_levels=["a name of a row that is long", "short"])
    figure = sampled.done().figure
    narrow(figure)
    assert [tick.get_text() for tick in sampled.axes[()].get_yticklabels()] == [
        "a name of a row\nthat is long",
        "short",
    ]


def test_a_diagram_is_left_as_it_is():
    sampled = picture()
    figure = sampled.done().figure
    sampled.axes["a"].set_axis_off()
    width = figure.get_figwidth()
    assert not narrow(figure)
    assert figure.get_figwidth() == width


def test_powers_of_ten_stay_on_their_axis():
    sampled = Picture(4.0, {"a": "left", "b": "right"}, "panel", sharey=True)
    sampled.lines(TABLE, "x", "y")
    sampled.limits(yscale="log", ylim=(0.7, 2000))
    assert narrow(sampled.done().figure)
    assert {axes.get_ylim() for axes in sampled.axes.values()} == {(0.7, 2000)}


def test_panels_whose_vertical_axes_differ_are_not_side_by_side():
    names = {"a": "first", "d": "second"}
    sampled = Picture(4.0, {panel: panel for panel in "abcdef"}, "panel", columns=3, y=names, sharey="row")
    assert narrow(sampled.done().figure)
    assert [axes.get_ylabel() for axes in sampled.axes.values()] == 3 * ["first"] + 3 * ["second"]


@pytest.mark.parametrize(("title", "across"), [("n = 20", 2), ("all alike, n = 100", 1)])
def test_panels_are_side_by_side_where_their_titles_have_a_line(title, across):
    sampled = Picture(4.0, dict.fromkeys("abc", title), "panel", columns=3, letters=True)
    assert narrow(sampled.done().figure)
    assert next(iter(sampled.axes.values())).get_gridspec().ncols == across
    assert all("\n" not in axes.get_title(loc="left") for axes in sampled.axes.values())


def test_names_on_a_horizontal_axis_are_turned_where_they_would_lie_under_each_other():
    names = ["two Gaussians", "five synthetic", "UCI samples", "sets of Kohavi", "all"]
    sampled = Picture(4.0, x_levels=names)
    sampled.limits(xlim=(-0.5, 4.5))
    figure = sampled.done().figure
    assert narrow(figure)
    assert layout_faults(figure) == []
    assert {tick.get_rotation() for tick in sampled.axes[()].get_xticklabels()} == {90}
