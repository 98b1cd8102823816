"""The figure style: equal bytes, labels that do not collide, text that can be read."""

import re
from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure
from matplotlib.text import Text

from compendium.plots.dark import DARK_GROUND, DARK_INK, darkened, keep_colours
from compendium.plots.fitting import break_long_texts
from compendium.plots.panels import signed_ticks
from errorest.plots import (
    BLACK,
    COLOURS,
    GREY,
    DescribedFigure,
    EndLabel,
    in_style,
    ink,
    label_ends,
    new_figure,
    save,
    style,
)
from errorest.plots.annotations import _spread


@in_style
def _drawing() -> Figure:
    figure, grid = new_figure(1, 2, 3.0)
    grid[0, 0].plot([0, 1], [0, 1])
    grid[0, 0].set_xlabel("true error (%)")
    grid[0, 1].fill_between([0, 1], [1, 2], alpha=0.3)
    label_ends(grid[0, 0], [EndLabel(1, 1, "one", COLOURS[0]), EndLabel(1, 0.99, "two", COLOURS[1])])
    return figure


def test_saving_twice_gives_equal_bytes(tmp_path):
    first = [path.read_bytes() for path in save(_drawing(), tmp_path / "first")]
    second = [path.read_bytes() for path in save(_drawing(), tmp_path / "second")]
    assert first == second
    assert b"<dc:date>" not in first[0]
    assert b"Software" not in first[1]


@pytest.mark.parametrize("shared", [True, False])
def test_titles_and_names_of_axes_reach_into_no_other_panel_nor_beyond_the_figure(shared):
    with style():
        figure, grid = new_figure(2, 4, 6.0, sharey=shared)
        for place, axes in enumerate(grid.ravel()):
            axes.set_title(f"{'abcdefgh'[place]}  vehicle, support vector machine\nuniform samples, R set to 0")
            axes.set_xlabel("estimate minus true error")
        break_long_texts(figure)
        figure.draw_without_rendering()
    renderer = figure.canvas.get_renderer()
    for texts in ([a._left_title for a in grid[0]], [a._left_title for a in grid[1]], [a.xaxis.label for a in grid[1]]):
        boxes = [text.get_window_extent(renderer) for text in texts]
        assert all(one.x1 < other.x0 for one, other in pairwise(boxes))
        assert boxes[-1].x1 <= figure.bbox.x1


def test_a_formula_and_what_has_the_whole_width_are_not_broken():
    long = "the mean of the estimates minus that of the true error, which no panel of three has room for"
    figure, grid = new_figure(1, 3)
    grid[0, 0].set_title(f"$x + y$ {long}")
    alone, one = new_figure(2, 1)
    one[0, 0].set_title(f"{long}, and {long}")
    for made in (figure, alone):
        break_long_texts(made)
    assert "\n" not in grid[0, 0].get_title() + one[0, 0].get_title()


def test_on_a_dark_page_white_is_the_ground_marks_stand_out_and_nothing_white_is_left(tmp_path):
    light = save(_drawing(), tmp_path / "light")[0].read_text()
    dark = darkened(light)
    assert dark == darkened(light)
    assert "#ffffff" in light
    assert "#ffffff" not in dark
    assert DARK_GROUND in dark
    assert f'<svg fill="{DARK_INK}"' in dark, "black text, which is not written out"
    assert dark.count("url(#") == light.count("url(#")
    assert re.findall(r"#[mp][0-9a-f]{10}", dark) == re.findall(r"#[mp][0-9a-f]{10}", light), "names are no colours"


def contrast_on_white(colour: str) -> float:
    """The contrast ratio of WCAG 2 between white and a colour."""
    rgb = np.array(matplotlib.colors.to_rgb(colour))
    linear = np.where(rgb <= 0.03928, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return float(1.05 / (linear @ np.array([0.2126, 0.7152, 0.0722]) + 0.05))


@pytest.mark.parametrize("colour", [*COLOURS, *(ink(c) for c in COLOURS), GREY, "#333333", BLACK])
def test_marks_and_words_in_every_colour_can_be_read_in_the_dark(colour):
    result = re.search("#[0-9a-f]{6}", darkened(f'<svg><path style="stroke: {colour.lower()}"/></svg>'))
    over, under = (contrast_on_white(c) for c in (DARK_GROUND, result[0]))
    assert over / under >= 4.5


def test_what_is_marked_keeps_its_colours_in_the_dark(tmp_path):
    with style():
        figure, grid = new_figure(1, 1, 2.0)
        keep_colours(grid[0, 0].text(0.5, 0.5, "words", color="#123456"))
        grid[0, 0].text(0.1, 0.1, "others", color="#234567")
    dark = darkened(save(figure, tmp_path / "kept")[0].read_text())
    assert "#123456" in dark
    assert "#234567" not in dark


def test_the_readers_own_settings_change_nothing(tmp_path):
    plain = [path.read_bytes() for path in save(_drawing(), tmp_path / "plain")]
    with matplotlib.rc_context({"font.size": 30, "axes.grid": True, "lines.linestyle": "--"}):
        other = [path.read_bytes() for path in save(_drawing(), tmp_path / "other")]
        assert matplotlib.rcParams["font.size"] == 30
    assert plain == other


def test_a_dotted_name_keeps_its_dots(tmp_path):
    svg, png = save(_drawing(), tmp_path / "figure.1")
    assert (svg.name, png.name) == ("figure.1.svg", "figure.1.png")


@pytest.mark.parametrize("colour", [*COLOURS, GREY])
def test_text_in_every_colour_can_be_read_on_white(colour):
    assert contrast_on_white(ink(colour)) >= 4.5


def test_labels_at_one_place_do_not_cover_one_another():
    with style():
        figure, grid = new_figure(1, 1, 3.0)
        axes = grid[0, 0]
        axes.set_xlim(0, 1)
        axes.set_ylim(0, 1)
        label_ends(axes, [EndLabel(1.0, 0.5 + k / 1000, f"N = {k}", COLOURS[0]) for k in range(6)])
        figure.canvas.draw()
        boxes = sorted((Text.get_window_extent(text) for text in axes.texts), key=lambda box: box.y0)
    assert all(lower.y1 <= upper.y0 + 0.5 for lower, upper in pairwise(boxes))
    assert all(box.x0 >= axes.get_window_extent().x1 for box in boxes)
    assert all(box.x1 <= figure.bbox.x1 for box in boxes)


@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=8),
    st.floats(1, 12),
)
def test_spreading_keeps_order_room_and_what_needs_no_move(wanted, height):
    heights = np.full(len(wanted), height)
    places = _spread(np.array(wanted), heights, -200, 300)
    order = np.argsort(wanted, kind="stable")
    assert (np.diff(places[order]) >= height - 1e-9).all()
    if len(wanted) == 1 or np.diff(np.sort(wanted)).min() >= height:
        np.testing.assert_allclose(places, wanted, atol=1e-9)


@pytest.mark.parametrize(("alt", "caption"), [("", "c"), ("a", "  ")])
def test_a_figure_without_words_is_refused(alt, caption):
    with pytest.raises(ValueError, match="alternative text"):
        DescribedFigure(Figure(), alt, caption)


def test_ticks_of_bias_have_signs():
    assert [signed_ticks()(v) for v in (-2.5, 0.0, 2.0)] == ["−2.5", "0", "+2"]
