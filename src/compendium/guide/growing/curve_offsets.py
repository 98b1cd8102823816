"""Bias of the extrapolated error, and the sides on which intervals miss the truth."""

from __future__ import annotations

from math import hypot

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.monte_carlo import mean
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.growing.parameters import GrowingParameters
from compendium.guide.growing.results import TWICE, average, groups_of, predictions
from compendium.guide.marks import look
from compendium.guide.names import INDUCERS
from compendium.plots.picture import Drawing, Picture
from errorest import plots


@plots.in_style
def draw_growing_offsets(p: GrowingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.largest[1].data["offsets"]
    table = table[table["place"] == TWICE]
    titles = {key: inducer.title for key, inducer in INDUCERS.items()}
    table = table.assign(line=table["set"].str.replace("-n", " n") + ", " + table["inducer"].map(titles))
    lines = list(dict.fromkeys(table["line"]))
    x = "expected less true error at twice the cases (points)"
    picture = Picture(1.4 + 0.26 * len(lines), x=x, y_levels=lines)
    picture.guide(x=0, linestyle="--")
    looks = {n: look(place) for place, n in enumerate(p.cases)}
    picture.scatter(table, "offset", "line", x_se="se", by="n", looks=looks, names="from {} cases".format, dodge=0.2)
    for axes in picture.axes.values():
        axes.grid(axis="x")
    return picture.done(columns=max(1, min(4, len(p.cases))))


@artifact("guide-growing-offsets", draw=draw_growing_offsets, matrix=True)
def curve_offsets(p: GrowingParameters, run: Run) -> ArtifactResult:
    """Mean of expected less true error (points), and shares of intervals above and below the truth (percent)."""
    result = predictions(p, run)
    result = result[result["kind"] == "expected"]
    rows, table = [], []
    for (data, inducer, n, place), cell in parts(result, "data", "inducer", "n", "place").items():
        off = mean((cell["value"] - cell["truth"]).to_numpy())
        off = Estimate(off.value, hypot(off.se, cell["truth_se"].iloc[0]), off.n) * 100
        rows.append(Row.of("literal", f"offset/{data}/{inducer}/{n}-cases", place, off))
        table.append({"set": data, "inducer": inducer, "n": n, "place": place, "offset": off.value, "se": off.se})
    result = result.assign(too_high=result["low"] > result["truth"], too_low=result["high"] < result["truth"])
    for _, n, place, own in groups_of(result, p):
        for side in ("too-high", "too-low"):
            rows.append(Row.of("literal", f"{side}/{n}-cases", place, average(own, side.replace("-", "_"), 0.0)))
    return ArtifactResult(rows, {"offsets": pd.DataFrame(table)})
