"""Figures declared by tables: what is drawn, what the alternative text says, what a caption is filled with."""

import pandas as pd
import pytest

from compendium.book.notebook import filled
from compendium.book.session import captioned
from compendium.evidence.artifact import Artifact
from compendium.evidence.results import ArtifactResult
from compendium.papers.martin_hirschberg.windows.experiment import WindowsParameters
from compendium.plots.picture import Drawing, Picture
from errorest.errors import UsageError

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
        "Lines with error bars in 2 panels (Iris, Wine) for loo, 632: bias (points) from −2 to 8 against n from 10 to "
        "20."
    )
    assert [text.get_text() for text in done.figure.legends[0].get_texts()] == ["loo", "632"]


def test_a_caption_is_filled_with_parameters_and_facts():
    p = WindowsParameters(window=2.0, samples=6)
    drawing = Drawing(picture().figure, "Panels.", {"scale": "preview"}, printed=True)
    spec = Artifact("a", compute=lambda p, run: ArtifactResult(), figure="{samples} of {window:g} %, {scale}.")
    assert captioned(spec, drawing, p).caption == "Six of 2 %, preview."
    with pytest.raises(UsageError, match="'b' has no caption"):
        captioned(Artifact("b", compute=spec.compute), drawing, p)
    assert filled("{share:.3g%} of {cases:,}", {"share": 0.125, "cases": 1000}) == "12.5 % of 1,000"


def test_lines_run_in_the_order_of_the_levels_and_not_of_their_names():
    table = pd.DataFrame({"folds": ["10", "2", "5"], "sd": [1.0, 3.0, 2.0]})
    sampled = Picture(2.0, x_levels=["2", "5", "10"])
    sampled.lines(table, "folds", "sd")
    (line,) = sampled.axes[()].lines
    assert line.get_ydata().tolist() == [3.0, 2.0, 1.0]
