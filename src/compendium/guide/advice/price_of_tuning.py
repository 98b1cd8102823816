"""What the best of t equally good settings seems to gain on m tested cases by luck alone."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.advice.parameters import AdviceParameters
from compendium.guide.cross.cases import READING
from compendium.methods.tuning_bias import needed_test_size, tuning_bias
from compendium.methods.tuning_bias.sizing import OutOfReachError
from compendium.plots.picture import Drawing, Picture
from errorest import plots
from errorest.plots import BLACK, COLOURS, GREY, PURPLE


@plots.in_style
def draw_price(p: AdviceParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["price"]
    looks = dict(zip(dict.fromkeys(table["m"]), (*COLOURS[:3], PURPLE, GREY, BLACK) * 9, strict=False))
    picture = Picture(3.8, x="settings tried (logarithmic)", y="gain by luck alone (points)")
    picture.lines(table, "trials", "bias", by="m", looks=looks, names="{:,} cases".format, ends=True, marker="o")
    (axes,) = picture.axes.values()
    plots.log_axis(axes, sorted(set(table["trials"])), "{:,}")
    axes.set_ylim(0, None)
    axes.grid(axis="y")
    return picture.done()


@artifact("guide-price-of-tuning", draw=draw_price, matrix=True)
def price_of_tuning(p: AdviceParameters, run: Run | None = None) -> ArtifactResult:
    cells = [(m, t) for m in p.test_cases for t in p.settings_tried]
    answers = [tuning_bias(m, accuracy=p.accuracy, classes=2, trials=t)["independent"] for m, t in cells]
    lines = [(*cell, round(100 * answer.expected_bias, 9)) for cell, answer in zip(cells, answers, strict=True)]
    # a column with an equals sign would count as a label, and is left out of grids
    rows = [Row.exact(READING, f"m={m}", f"{t} settings", value) for m, t, value in lines]
    most, wanted = max(p.settings_tried), f"that {100 * p.gain:g} points are not gained"
    try:
        size = needed_test_size(most, p.gain, p.risk, accuracy=p.accuracy, scenario="independent", classes=2)
        rows.append(Row.exact(READING, f"cases needed so {wanted}", f"{most} settings", size))
    except OutOfReachError:
        pass
    return ArtifactResult(rows, {"price": pd.DataFrame(lines, columns=["m", "trials", "bias"])})
