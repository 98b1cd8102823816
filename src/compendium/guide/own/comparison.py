"""The classifier against another, and against the most frequent class, on shared splits."""

from __future__ import annotations

from math import nan

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run, rows_of
from compendium.guide.own.parameters import OwnDataParameters, is_foreign, sets
from compendium.guide.own.results import draw_intervals, rounded_rows, short_name
from compendium.guide.own.study import on_the_rest
from compendium.papers.import_paths import last_name
from compendium.plots.picture import Drawing, Picture, Series
from errorest import plots
from errorest.assessment.compare import compare
from errorest.assessment.report.formatting import gain_text
from errorest.assessment.report.text import verdict, with_id
from errorest.plots import BLUE, VERMILION

_BASELINE = "majority"


@plots.in_style
def draw_comparison(p: OwnDataParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["differences"]
    levels = {rival: f"against\n{short_name(last_name(str(rival)))}" for rival in table["rival"]}
    picture = Picture(1.5 + 0.55 * len(table), x="error rate less that of the other (points)", y_levels=levels)
    picture.guide(x=0, linestyle="--")
    draw_intervals(picture, table, "rival", dict.fromkeys(levels, BLUE))
    picture.scatter(table, "difference", "rival", color=BLUE, markersize=8, label="estimate and interval")
    covered = table.dropna(subset=["held back"])
    if len(covered):
        series: Series = {"color": VERMILION, "marker": "D", "markersize": 8, "markerfacecolor": "white"}
        series["label"] = "on the cases held back"
        picture.scatter(covered, "held back", "rival", **series)
    return picture.done(confidence_percent=f"{100 * p.confidence:g}")


@artifact("guide-own-comparison", draw=draw_comparison, matrix=True)
def comparison(p: OwnDataParameters, run: Run) -> ArtifactResult:
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    rows, lines, match = [], [], []
    for rival in (c for c in dict.fromkeys((p.against, _BASELINE)) if c != p.inducer):
        encode = is_foreign(p.inducer, rival)
        result = compare(p.inducer, rival, sample, rng=p.seed, confidence_level=p.confidence, encode=encode)
        rest = nan
        if taken.rest.size:
            (ours, tested), (theirs, _) = (on_the_rest(p, c) for c in (p.inducer, rival))
            rest = 100 * (ours - theirs) / tested
        low, high = 100 * result.interval.low, 100 * result.interval.high
        lines.append({"rival": rival, "difference": 100 * result.value, "low": low, "high": high, "held back": rest})
        row = f"against {last_name(rival)}"
        rates = {"error-percent": 100 * result.value_a, "error of the other-percent": 100 * result.value_b}
        difference = Estimate(result.value, result.standard_error, 1)
        rows += rounded_rows(row, rates)
        rows += rows_of("literal", row, [("difference, points", difference)], factor=100)
        rows += rounded_rows(row, {"low": low, "high": high})
        match += [
            f"Against {last_name(rival)}: {gain_text(result.metric, result.value)}: {verdict(result)}.",
            *(f"Beware: {with_id(text)}." for text in result.warnings),
        ]
    return ArtifactResult(rows, {"differences": pd.DataFrame(lines)}, [], list(dict.fromkeys(match)))
