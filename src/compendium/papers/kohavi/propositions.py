"""Proposition 1 and Corollary 2: the spread of a stable inducer's estimates."""

from __future__ import annotations

from dataclasses import replace
from math import nan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, most
from compendium.evidence.records import distinct
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.kohavi.drawing import lines_by_set, panel_title_of, samples_text, tick_labels
from compendium.papers.kohavi.estimates import InducerEstimates, by_inducer, estimates_of, key_of
from compendium.papers.kohavi.inducers import title_of
from compendium.papers.kohavi.parameters import EstimateParameters
from compendium.plots.picture import Drawing, Picture

PROPOSITIONS = Claims("kohavi-propositions")


def unchanged(ratio: Estimate) -> Condition:
    # the paper names no number: a ratio of spreads from .8 to 1.2 counts as no change
    return ratio.within(0.8, 1.2)


@PROPOSITIONS.claim
def proposition_1(e: InducerEstimates, ratios: list[Estimate], points: list[str]) -> Conditions:
    return most("measured over predicted", [unchanged(ratio) for ratio in ratios])


@PROPOSITIONS.claim
def corollary_2(e: InducerEstimates, ratios: list[Estimate], points: list[str]) -> Conditions:
    first, *others = points
    spread = [unchanged(e.sd_ratio((point, first)).named(point)) for point in others]
    return every(f"spread over that of {first}, average over the data sets", spread)


def draw_propositions(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    scale, result = made.shown
    table = result.data["spread"]
    error = table["se"] / table["predicted"].where(table["predicted"] > 0)
    titles = {("plain", inducer): panel_title_of(inducer) for inducer in distinct(table["inducer"])}
    picture = Picture(
        4.4,
        titles,
        ("scheme", "inducer"),
        columns=len(titles),
        letters=True,
        x="folds",
        y="measured over predicted",
        x_levels=tick_labels(p, "plain"),
        sharey=True,
    )
    picture.guide(y=1, linestyle="--")
    lines_by_set(picture, p, table.assign(error=error), "ratio", "error", linewidth=1.1)
    picture.limits(ylim=(0, None))
    return picture.done(counts=samples_text(table), scale=scale)


@artifact("kohavi-propositions", draw=draw_propositions)
def propositions(p: EstimateParameters, run: Run) -> ArtifactResult:
    """Proposition 1: a stable inducer's estimate has the standard deviation sqrt(acc (1 - acc)/n)."""
    sizes = {one.name: one.size for one in p.sets()}
    points = [q.name for q in p.points if q.scheme == "plain"]
    estimates = estimates_of(p, run)
    ratios: dict[str, list[Estimate]] = {inducer: [] for inducer in p.inducers}
    rows, table, checks = [], [], []
    for (name, inducer), t in estimates.items():
        for point in points:
            accuracies = t.frame[point]
            predicted = 100 * sqrt(float(np.mean(accuracies * (1 - accuracies))) / sizes[name])
            measured = t.sd(point)
            ratio = measured * (1 / predicted if predicted > 0 else nan)
            key = key_of(name, inducer)
            rows.append(Row(t.reading, key, f"{point}/predicted-std-percent", predicted, 0.0, t.n))
            rows.append(Row.of(t.reading, key, f"{point}/measured-over-predicted", ratio))
            line = {"set": name, "inducer": inducer, "point": point, "predicted": predicted}
            table.append({**line, "measured": measured.value, "se": measured.se, "ratio": ratio.value, "n": t.n})
            ratios[inducer] += [replace(ratio, label=f"{name}, {point}", unit="", sign="")] if predicted > 0 else []
    for one in by_inducer(estimates):
        checks += judge_claims(PROPOSITIONS, one, ratios[one.inducer], points, reading=title_of(one.inducer))
    return ArtifactResult(rows, {"spread": pd.DataFrame(table)}, checks)
