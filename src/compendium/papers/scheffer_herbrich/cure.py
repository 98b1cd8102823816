"""Section 5's cure measured: bias of the best of a grid, of tuning in each fold and of nested folds."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate, plus_minus
from compendium.evidence.records import each, matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.scheffer_herbrich.names import DATA, INDUCERS, WAYS
from compendium.papers.scheffer_herbrich.parameters import MeasuredParameters
from compendium.papers.scheffer_herbrich.tuning import (
    ALL,
    READING,
    difference_of_biases,
    differences,
    mean_biases,
    tuning_study,
)
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture, Series
from errorest.plots import BLACK, BLUE, GREEN, GREY, VERMILION

CURE = Claims("scheffer-herbrich-cure")
ALMOST = 1.0  # Points within which an estimate counts as unbiased

_LOOKS = {
    "untuned": {"color": GREY, "marker": "s"},
    "best-of-grid": {"color": BLUE, "marker": "o"},
    "per-fold": {"color": VERMILION, "marker": "^"},
    "nested": {"color": GREEN, "marker": "D"},
}


@dataclass(frozen=True)
class Biases:
    """Biases over all data sets and inducers, by way of reporting a cross-validated error."""

    results: pd.DataFrame

    def bias(self, way: str, label: str) -> Estimate:
        """Return the bias of one way, points."""
        return mean_biases(differences(self.results, way))[ALL].named(label)

    def gap(self, one: str, other: str, label: str) -> Estimate:
        """Return the bias of one way minus another's, sample by sample, points."""
        return difference_of_biases(differences(self.results, one), differences(self.results, other)).named(label)


@CURE.claim
def unbiased(t: Biases) -> Condition:
    return abs(t.bias("untuned", "bias")) <= ALMOST


@CURE.claim
def optimistic(t: Biases) -> Condition:
    return t.bias("best-of-grid", "bias of the best of the grid, one choice for all folds") < 0


@CURE.claim
def over_ranked(t: Biases) -> list[Condition]:
    more = t.gap("per-fold", "best-of-grid", "bias minus that with one choice for all folds") < 0
    return [t.bias("per-fold", "bias") < 0, more]


@CURE.claim
def nested(t: Biases) -> Condition:
    return abs(t.bias("nested", "bias of nested folds")) <= ALMOST


@CURE.claim
def not_of_tuning(t: Biases) -> Condition:
    return abs(t.gap("nested", "untuned", "nested minus untuned, sample by sample")) <= ALMOST


def draw_cure(p: MeasuredParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw the bias of four ways to report a cross-validated error, by data set and inducer and over all."""
    table = made.published.data["biases"]
    of = pd.Series([(r.data, r.inducer) for r in each(table)], table.index)
    cells = {(d, i): "All" if d == "all" else f"{DATA[d]}, {INDUCERS[i]}" for d, i in of}
    picture = Picture(1.3 + 0.52 * len(cells), x="Estimate − error on held-out cases, points", y_levels=cells)
    picture.guide(x=0, color=BLACK, linewidth=0.9)
    names = {way: WAYS[way].heading for way in _LOOKS}
    how: Series = {"by": "way", "looks": _LOOKS, "names": names, "dodge": 0.19, "elinewidth": 1.3}
    how |= {"x_se": "se", "z": 1.96}
    picture.scatter(table.assign(cell=of), "bias", "cell", **how)
    (axes,) = picture.axes.values()
    axes.axhline(len(cells) - 1.5, color=GREY, linewidth=0.9)
    axes.xaxis.set_major_formatter(signed_ticks())
    over_all = {r.way: r for r in each(matching(table, data="all"))}
    words = [f"{WAYS[way].heading} {over_all[way].bias:+.1f} ± {over_all[way].se:.1f}" for way in _LOOKS]
    return picture.done(columns=4, biases="; ".join(words))


@artifact("scheffer-herbrich-cure", draw=draw_cure)
def cure(p: MeasuredParameters, run: Run) -> ArtifactResult:
    """Measure the bias of each way of reporting, by data set and inducer and over all."""
    results = run(tuning_study(p))
    rows, lines, texts = [], [], []
    for way in WAYS:
        biases = mean_biases(differences(results, way))
        over_all = biases.pop(ALL)
        texts.append(f"{WAYS[way].sentence} {plus_minus(over_all)}")
        for (data, inducer), bias in (*biases.items(), (ALL, over_all)):
            name = "all" if (data, inducer) == ALL else f"{data}/{inducer}"
            rows.append(Row.of(READING, name, f"{way}/bias-percent", bias))
            lines.append({"data": data, "inducer": inducer, "way": way, "bias": bias.value, "se": bias.se})
    reported = [f"{way}{end}" for way in WAYS for end in ("", "/held-out")]
    errors = 100 * results.groupby(["data", "inducer"], sort=False)[reported].mean()
    return ArtifactResult(
        rows,
        {"biases": pd.DataFrame(lines), "errors": errors.reset_index()},
        judge_claims(CURE, Biases(results), almost=ALMOST),
        [f"Over all data sets and inducers, in points: {', '.join(texts)}."],
    )
