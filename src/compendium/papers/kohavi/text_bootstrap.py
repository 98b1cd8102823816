"""Section 5.1: bias of the .632 bootstrap with the most samples against the true accuracy of Table 1, points."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.records import printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.papers.kohavi.drawing import dots_by_set, samples_text
from compendium.papers.kohavi.estimates import APPARENT, estimates_of, key_of
from compendium.papers.kohavi.parameters import EstimateParameters
from compendium.papers.kohavi.table_1 import truths_of
from compendium.plots.picture import Drawing


def draw_text_bootstrap(p: EstimateParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    scale, result = made.shown
    table = result.data["bias"]
    printed = {("", row.split("/")[0]): value for (row, _), value in printed_values(published).items()}
    picture = dots_by_set(table, "bias", printed, "bias (points)")
    return picture.done(replicates=max(p.bootstrap_samples), counts=samples_text(table), scale=scale)


@artifact("kohavi-text-bootstrap", draw=draw_text_bootstrap)
def text_bootstrap(p: EstimateParameters, run: Run) -> ArtifactResult:
    truths = truths_of(p, run)
    rows, table = [], []
    for (name, inducer), t in estimates_of(p, run).items():
        mean, truth = t.mean(p.last), truths[name, inducer]
        bias = mean - truth
        rows.append(Row.of(t.reading, key_of(name, inducer), "bias-percent", bias))
        line = {"set": name, "inducer": inducer, "bias": bias.value, "se": bias.se, "estimate": mean.value}
        table.append({**line, "truth": truth.value, "resubstitution": t.mean(APPARENT).value, "n": mean.n})
    return ArtifactResult(rows, {"bias": pd.DataFrame(table)})
