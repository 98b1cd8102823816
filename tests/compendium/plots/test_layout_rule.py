"""The rule over figures: panels, titles, and texts that a reader could not read."""

import pandas as pd
import pytest

from compendium.plots.layout_rule import layout_faults
from compendium.plots.picture import Picture
from compendium.plots.subtitle import remove_subtitle, write_subtitle
from errorest.plots import new_figure

TABLE = pd.DataFrame({"panel": list("aabb"), "x": [1, 2, 1, 2], "y": [1.0, 2.0, 3.0, 4.0], "by": list("pqpq")})


def picture():
    result = Picture(3.0, {"a": "First", "b": "Second"}, "panel", x="cases", y="bias", letters=True)
    result.lines(TABLE, "x", "y", by="by", ends=True)
    return result


def test_a_figure_that_can_be_read_has_no_fault():
    assert layout_faults(picture().done().figure) == []


def test_more_than_nine_panels_are_a_fault():
    assert layout_faults(new_figure(4, 3, 9.0)[0]) == ["12 panels"]
    assert layout_faults(new_figure(3, 3, 9.0)[0]) == []


def test_a_scale_of_colours_is_no_panel():
    cells = pd.DataFrame({"x": [0, 1, 0, 1], "y": [0, 0, 1, 1], "value": [1.0, 2.0, 3.0, 4.0]})
    result = Picture(6.0, {key: key for key in "abcdefghi"}, columns=3)
    result.heat_map(cells, "x", "y", "value", bar="bias")
    assert layout_faults(result.done().figure) == []


@pytest.mark.parametrize("where", ["title", "column", "edge", "axis", "under", "ticks"])
def test_what_cannot_be_read_is_named(where):
    drawn = picture()
    first, second = drawn.axes.values()
    figure = drawn.done().figure
    if where == "title":
        first.set_title("two\nlines", loc="left")
    elif where == "column":
        first.annotate("two\nlines", (0.5, 0.5), xycoords="axes fraction", gid="column-title")
    elif where == "edge":
        first.text(0.99, 1, "cut here", transform=figure.transFigure, ha="center", in_layout=False)
    elif where == "axis":
        first.set_ylabel("the name of an axis that is far longer than a figure of three inches is high")
    elif where == "under":
        first.text(1.5, 1.4, "one")
        first.text(1.5, 1.4, "other")
    else:
        second.set_xticks([1.0, 1.01], ["first", "second"])
    expected = {
        "title": "title of 2 lines: 'two lines'",
        "column": "title of 2 lines: 'two lines'",
        "edge": "text beyond the edge: 'cut here'",
        "axis": "text beyond the edge: 'the name of an axis that is far longer than a figure of three inches is high'",
        "under": "text under another: 'one', 'other'",
        "ticks": "text under another: 'first', 'second'",
    }
    assert layout_faults(figure) == [expected[where]]


def test_a_subtitle_has_the_lines_that_its_width_asks_for():
    figure = picture().done().figure
    height = figure.get_figheight()
    write_subtitle(figure, "With two cases the bias is 3.0 points, with one it is 1.0: this is more than a line has")
    lines = figure.get_suptitle().splitlines()
    assert len(lines) == 2
    assert figure.get_figheight() > height
    assert layout_faults(figure) == []
    remove_subtitle(figure)
    assert figure.get_figheight() == pytest.approx(height)
