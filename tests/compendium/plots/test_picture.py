"""Figures declared by tables: what is drawn, what the alternative text says, what a caption is filled with."""

import pandas as pd
import pytest
from matplotlib.colors import ListedColormap

from batteries import assert_refused
from compendium.book.notebook import filled
from compendium.book.session import captioned
from compendium.evidence.artifact import Artifact
from compendium.evidence.results import ArtifactResult
from compendium.papers.martin_hirschberg.windows.study import WindowsParameters
from compendium.plots.dark import darkened
from compendium.plots.picture import Drawing, Picture
from errorest.plots import save

TABLE = pd.DataFrame(
    {"data": ["iris", "iris", "wine", "wine"] * 2, "method": ["loo"] * 4 + ["632"] * 4, "n": [10, 20] * 4}
    | {"bias": [1.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "se": [0.5] * 8}
)
SETS = {"iris": "Iris", "wine": "Wine"}


def picture(**settings):
    return Picture(3.0, SETS, "data", x="n", y="bias (points)", **settings)


def points(axes):
    return [list(zip(*line.get_data(), strict=True)) for line in axes.lines]


def test_each_panel_shows_its_rows_one_line_a_series_in_order_of_x():
    sampled = picture()
    sampled.lines(TABLE[::-1], "n", "bias", se="se", by="method", looks={"loo": "#000000", "632": {"linestyle": ":"}})
    assert points(sampled.axes["wine"]) == [[(10, 3), (20, 4)], [(10, 7), (20, 8)]]
    assert [line.get_linestyle() for line in sampled.axes["iris"].lines] == ["-", ":"]
    segments = sampled.axes["iris"].collections[0].get_segments()
    assert [tuple(one[:, 1]) for one in segments] == [(0.0, 2.0), (-3.0, -1.0)]
    done = sampled.done()
    assert done.alt == (
        "Lines with error bars for loo, 632: bias (points) against n, in 2 panels (Iris, Wine). Lowest: −2 (loo, Iris, "
        "at 20); highest: 8 (632, Wine, at 20)."
    )
    assert [text.get_text() for text in done.figure.legends[0].get_texts()] == ["loo", "632"]


def test_names_stand_at_the_ends_of_lines_in_place_of_a_legend():
    sampled = picture()
    sampled.lines(TABLE, "n", "bias", by="method", names={"loo": "LOO", "632": "632b"}, ends=True)
    assert not sampled.done().figure.legends
    assert {text.get_text() for text in sampled.axes["iris"].texts} == {"LOO", "632b"}


def test_bands_reach_two_standard_errors_to_both_sides():
    sampled = picture()
    sampled.lines(TABLE[TABLE["method"] == "loo"], "n", "bias", se="se", band=True)
    (band,) = sampled.axes["iris"].collections
    assert sorted({y for _, y in band.get_paths()[0].vertices}) == [-3.0, -1.0, 0.0, 2.0]
    assert sampled.done().alt.startswith("Lines with bands of error")


def test_dots_by_group_stand_at_their_level_series_side_by_side():
    sampled = Picture(3.0, x="bias (points)", y_levels={"wine": "Wine", "iris": "Iris"})
    sampled.scatter(TABLE[TABLE["n"] == 10], "bias", "data", x_se="se", by="method", dodge=0.2)
    axes = sampled.axes[()]
    assert points(axes) == [[(1, 0.9), (3, -0.1)], [(5, 1.1), (7, 0.1)]]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["Wine", "Iris"]
    assert sampled.done().alt.endswith("bias (points), a row each. Lowest: 1 (Iris, loo); highest: 7 (Wine, 632).")


def test_printed_values_are_open_and_bring_their_sentence():
    sampled = picture()
    sampled.scatter(TABLE, "n", "bias", label="ours")
    assert not sampled.done().printed
    sampled.scatter(TABLE, "n", "bias", printed=True, label="printed")
    assert sampled.axes["iris"].lines[-1].get_markerfacecolor() == "white"
    done = sampled.done()
    assert done.printed
    assert "Printed values" in done.alt


def test_fitted_lines_run_between_their_ends():
    sampled = picture()
    fits = pd.DataFrame({"data": ["iris", "wine"], "a": [1.0, 2.0], "b": [0.5, 0.0], "low": [0, 2], "high": [4, 6]})
    sampled.fits(fits, "low", "high", intercept="a", slope="b")
    assert [points(axes) for axes in sampled.axes.values()] == [[[(0, 1), (4, 3)]], [[(2, 2), (6, 2)]]]


def test_bins_adjoin():
    sampled = Picture(3.0, x="true error (%)", y="samples")
    bins = pd.DataFrame({"left": [0.0, 1.0], "right": [1.0, 2.0], "count": [3, 5], "group": "reversed"})
    sampled.histogram(bins, "left", "right", "count", by="group")
    assert list(sampled.axes[()].patches[0].get_data().edges) == [0, 1, 2]
    assert sampled.done().alt == (
        "Histograms for reversed: samples against true error (%). Lowest: 3 (at 0.5); highest: 5 (at 1.5)."
    )


@pytest.mark.parametrize("stacked", [False, True])
def test_bars_are_stacked_or_lie_side_by_side(stacked):
    sampled = Picture(3.0, x="bias", y_levels=["iris", "wine"])
    sampled.bars(TABLE[TABLE["n"] == 10], "data", "bias", by="method", stacked=stacked)
    places = [(round(bar.get_x(), 6), round(bar.get_y() + bar.get_height() / 2, 6)) for bar in sampled.axes[()].patches]
    assert places == ([(0, 0), (0, 1), (1, 0), (3, 1)] if stacked else [(0, -0.2), (0, 0.8), (0, 0.2), (0, 1.2)])


def test_a_heat_map_has_a_bar_and_contours():
    sampled = Picture(3.0, x="n", y_levels=["iris", "wine"])
    sampled.heat_map(TABLE[TABLE["method"] == "loo"], "n", "data", "bias", bar="bias (points)", levels=[2.0])
    mesh = sampled.axes[()].collections[0]
    assert mesh.get_array().tolist() == [[1.0, -2.0], [3.0, 4.0]]
    done = sampled.done()
    assert done.figure.axes[-1].get_ylabel() == "bias (points)"
    assert done.alt == "Heat map: bias (points). Lowest: −2 (iris, at 20); highest: 4 (wine, at 20)."


@pytest.mark.parametrize("written", [True, False])
def test_cells_with_words_keep_their_colours_in_the_dark(written, tmp_path):
    sampled = Picture(3.0, x="n", y_levels=["iris", "wine"])
    tints = ListedColormap(["#fff4ee", "#ddeeff"])
    sampled.heat_map(TABLE[TABLE["method"] == "loo"], "n", "data", "bias", written=written, cmap=tints)
    dark = darkened(save(sampled.done().figure, tmp_path / "map")[0].read_text())
    assert [tint in dark for tint in ("#fff4ee", "#ddeeff")] == [written, written]


def test_what_stands_in_no_panel_column_is_plotted_on_all_and_guides_are_named():
    sampled = picture()
    sampled.guide(y=0)
    sampled.guide(to=3)
    sampled.scatter(TABLE.drop(columns="data"), "n", "bias")
    assert [len(points(axes)[-1]) for axes in sampled.axes.values()] == [8, 8]
    assert sampled.done("It rises.").alt.endswith("Reference line: 0, the diagonal. It rises.")


def test_a_caption_is_filled_with_parameters_and_facts():
    p = WindowsParameters(window=2.0, samples=6)
    drawing = Drawing(picture().figure, "Panels.", {"scale": "preview"}, printed=True)
    spec = Artifact("a", compute=lambda p, run: ArtifactResult(), figure="{samples} of {window:g} %, {scale}.")
    assert captioned(spec, drawing, p).caption == "Six of 2 %, preview."
    assert_refused("'b' has no caption", captioned, Artifact("b", compute=spec.compute), drawing, p)
    assert filled("{share:.3g%} of {cases:,}", {"share": 0.125, "cases": 1000}) == "12.5 % of 1,000"
    assert filled("$x_{{i}}$ of {cases}", {"cases": 30}) == "$x_{i}$ of 30"
    assert_refused("write braces as {{ and }}", filled, "$x_{i$", {"i": 1})
    assert_refused(("{case}", "did you mean 'cases'"), filled, "All {case} are seen.", {"cases": 30})


def test_lines_run_in_the_order_of_the_levels_and_not_of_their_names():
    table = pd.DataFrame({"folds": ["10", "2", "5"], "sd": [1.0, 3.0, 2.0]})
    sampled = Picture(2.0, x_levels=["2", "5", "10"])
    sampled.lines(table, "folds", "sd")
    (line,) = sampled.axes[()].lines
    assert line.get_ydata().tolist() == [3.0, 2.0, 1.0]
