"""On Table 12: how the true error varies over independent trials of setting 5, and leave-one-out with it."""

from __future__ import annotations

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.records import distinct
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run
from compendium.papers.shakhnarovich.cases import first_of_each
from compendium.papers.shakhnarovich.figures import mark
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters, cases_in
from compendium.plots.picture import Drawing, Picture
from compendium.studies.experiment import TRUE_ERROR
from errorest.plots import COLOURS


def draw_reused(p: SyntheticParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing | None:
    """Draw leave-one-out against the true error of each trial."""
    scale, result = made.shown
    if not result.rows:
        return None
    trials = result.data["trials"]
    looks = {c: mark(COLOURS[k % 6], "os^v"[k % 4]) for k, c in enumerate(distinct(trials["classifier"]))}
    picture = Picture(3.6, x="true error (proportion)", y="CV×n (proportion)")
    picture.scatter(trials, "truth", "loo", by="classifier", looks=looks, names=symbol_of)
    return picture.done(scale=scale)


_INDEPENDENT = {
    "true-error-std": lambda case, _: case.sd(TRUE_ERROR),
    "loo-minus-true-error": lambda case, _: case.bias("loo"),
    "loo-correlation": lambda case, _: case.corr(TRUE_ERROR, "loo"),
}


@artifact("shakhnarovich-reused-samples", draw=draw_reused, labels=LABELS, enlarge=False)
def reused_samples(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Setting 5: how the true error varies over independent trials, and how leave-one-out varies with it."""
    cases = cases_in(p, run, 5)
    rows = [row for case in cases for row in case.rows([case.classifier], _INDEPENDENT)]
    frames = [
        pd.DataFrame({"classifier": case.classifier, "truth": case[TRUE_ERROR], "loo": case["loo"]})
        for case in first_of_each(cases)
    ]
    return ArtifactResult(rows, {"trials": pd.concat(frames, ignore_index=True)})
