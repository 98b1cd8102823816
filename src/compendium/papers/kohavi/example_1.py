"""Example 1: leave-one-out accuracy of the majority inducer, percent."""

from __future__ import annotations

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import exact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.kohavi.iris import IrisParameters
from errorest.estimation.run import run_schemes
from errorest.learners.majority import Majority
from errorest.resampling.schemes import LeaveOneOut
from errorest.streams import Streams


@artifact("kohavi-example-1", enlarge=False)
def example_1(p: IrisParameters, run: Run) -> ArtifactResult:
    rows = []
    for sample in (p.sample(), p.without_information()):
        outcome = run_schemes(sample, Majority(), [LeaveOneOut()], Streams(p.seed))[LeaveOneOut()]
        accuracies = 100 * (1 - outcome.errors / outcome.tested)
        rows.append(Row.exact("literal", f"{sample.name}/majority", "loo-accuracy-percent", accuracies.mean()))
        rows.append(Row.exact("literal", f"{sample.name}/majority", "std-of-folds-percent", accuracies.std()))
    zeros = [exact(r.value, f"{r.row} {r.column}", digits=-4).equals(0) for r in rows]
    return ArtifactResult(rows, checks=[judge_claim("kohavi-example-1", "zero", zeros)])
