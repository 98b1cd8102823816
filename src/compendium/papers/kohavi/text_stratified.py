"""Section 5.1: stratified minus plain cross-validation on the same samples, points of accuracy."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition
from compendium.evidence.records import distinct, printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.kohavi.drawing import dots_by_set, samples_text
from compendium.papers.kohavi.estimates import InducerEstimates, by_inducer, estimates_of, stratified_and_plain
from compendium.papers.kohavi.inducers import column_and_reading, title_of
from compendium.papers.kohavi.parameters import EstimateParameters
from compendium.plots.picture import Drawing

GAINS = Claims("kohavi-text-stratified")


@GAINS.claim
def less_pessimistic(e: InducerEstimates, p: EstimateParameters) -> Condition:
    return e.gap(*stratified_and_plain(p)) > 0


def draw_text_stratified(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    scale, result = made.shown
    table = result.data["gains"]
    if table.empty:
        return None
    known = printed_values(published)
    printed = {(k, row): v for k in p.folds for (row, c), v in known.items() if c == f"gain-percent-at-{k}-folds"}
    panels = {k: f"{k} folds" for k in distinct(table["k"])}
    picture = dots_by_set(table, "gain", printed, "gain (points)", panels=panels, panel="k")
    return picture.done(counts=samples_text(table), scale=scale)


@artifact("kohavi-text-stratified", draw=draw_text_stratified)
def text_stratified(p: EstimateParameters, run: Run) -> ArtifactResult:
    estimates = estimates_of(p, run)
    rows, table = [], []
    for (name, inducer), t in estimates.items():
        # the printed numbers belong to Figure 1, hence to C4.5
        column = column_and_reading(inducer)[0]
        row = name if column == "c4.5" else f"{name}/{column}"
        for k in (k for k in p.folds if k in p.stratified_folds):
            differences = t.difference(f"stratified-k={k}", f"k={k}")
            gain = t.average(differences)
            rows.append(Row.of(t.reading, row, f"gain-percent-at-{k}-folds", gain))
            line = {"set": name, "inducer": inducer, "k": k, "gain": gain.value, "se": gain.se}
            table.append({**line, "sd": differences.std(ddof=1), "n": gain.n})
    gains = pd.DataFrame(table, columns=["set", "inducer", "k", "gain", "se", "sd", "n"])
    checks = [c for one in by_inducer(estimates) for c in judge_claims(GAINS, one, p, reading=title_of(one.inducer))]
    return ArtifactResult(rows, {"gains": gains}, checks)
