"""Bias and standard deviation of every estimator in every case."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.guide.cross.cases import SHORT_NAMES, Case, cases_of, long_table, matrix_rows
from compendium.guide.cross.settings import CONTENDERS, ESTIMATORS, CrossParameters
from compendium.guide.names import LEARNERS
from compendium.plots.panels import signed_ticks
from compendium.plots.picture import Drawing, Picture
from compendium.studies.experiment import TRUE_ERROR
from errorest import plots
from errorest.plots import BLACK, SKY


@plots.in_style
def draw_biases(p: CrossParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    table = made.published.data["biases"]
    table = table[table["estimator"].isin(CONTENDERS)]
    panels = {k: v.panel for k, v in LEARNERS.items() if k in set(table["learner"])}
    height = 0.8 + 2.75 * -(-len(panels) // 2)
    picture = Picture(height, panels, "learner", x="bias (points)", y_levels=SHORT_NAMES, sharex=True, sharey=True)
    picture.guide(x=0)
    picture.scatter(table, "bias", "estimator", color=SKY, markersize=4, alpha=0.8)
    means = table.groupby(["learner", "estimator"])["bias"].mean().reset_index()
    picture.scatter(means, "bias", "estimator", color=BLACK, marker="|", markersize=12, markeredgewidth=2)
    for axes in picture.axes.values():
        axes.xaxis.set_major_formatter(signed_ticks())
        axes.grid(axis="x")
    return picture.done()


@artifact("guide-cross-bias", draw=draw_biases, matrix=True)
def biases(p: CrossParameters, run: Run) -> ArtifactResult:
    """Bias of every estimator in every case."""
    cases = cases_of(p, run)
    table = long_table(cases, _bias, ESTIMATORS)
    return ArtifactResult(matrix_rows(cases, Case.bias, ESTIMATORS), {"biases": table})


def _bias(case: Case, estimator: str) -> dict[str, float]:
    bias = case.bias(estimator)
    return {"bias": bias.value, "se": bias.se}


@artifact("guide-cross-spread", matrix=True)
def spreads(p: CrossParameters, run: Run) -> ArtifactResult:
    """Standard deviation of every estimator in every case, and that of the true error."""
    return ArtifactResult(matrix_rows(cases_of(p, run), Case.sd, (TRUE_ERROR, *ESTIMATORS)))
