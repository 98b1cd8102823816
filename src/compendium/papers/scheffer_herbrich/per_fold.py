"""Section 3.1: FEM mesh and diabetes, parameters tuned in each fold."""

from __future__ import annotations

from dataclasses import replace

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import every, exact
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.scheffer_herbrich import chances, examples
from compendium.papers.scheffer_herbrich.chances import draw_chances, rows
from compendium.papers.scheffer_herbrich.examples import MESH_CASES, MESH_HITS
from compendium.papers.scheffer_herbrich.parameters import CalculationParameters
from errorest.data import sets as datasets


@artifact("scheffer-herbrich-per-fold", draw=draw_chances)
def per_fold(p: CalculationParameters, run: Run | None = None) -> ArtifactResult:
    """Calculate section 3.1's numbers: the finite-element mesh and diabetes."""
    *_, diabetes = chosen = examples.per_fold_examples()
    pima = datasets.load("pima")
    hits = examples.hits_in_statlog("diabetes", pima.n)[0]
    numbers = [
        *rows("fem-mesh-26", {"hits": examples.fewest_hits(MESH_CASES, 0.21)}, "unstated:fewest-hits"),
        *rows("diabetes", {"samples": pima.n, "classes": examples.classes_of(pima), "entropy": diabetes.entropy}),
        *rows(
            "diabetes", {"hits": hits, "extra-hits-per-fold": diabetes.extra / diabetes.folds}, chances.STATLOG_RATES
        ),
    ]
    for e in chosen:
        cases = (pima.n, hits) if e is diabetes else (MESH_CASES, MESH_HITS)
        uneven = examples.uneven_gain("per-fold", *cases, e.labels, e.folds).at_least(e.extra)
        numbers += chances.example_rows(e) + rows(e.row, {"probability-percent": 100 * uneven}, chances.UNEVEN)
    # the number of folds is not printed: those that give the printed chance
    for folds, percent in examples.folds_that_fit(diabetes, pima.n, hits, range(2, 21)).items():
        numbers += rows("diabetes", {"probability-percent": percent}, f"fitted:{folds}-folds")
    by_fold, fixed = (
        chances.percent_by_labels(e, range(1, e.m)) for e in (diabetes, replace(diabetes, setting="fixed"))
    )
    easier = every(
        "chance with a setting for each fold less that with one",
        [exact(by_fold[c] - fixed[c], f"c = {c}", "points", -3, "+") > 0 for c in by_fold],
    )
    return chances.section_result(p, chosen, numbers, [judge_claim("scheffer-herbrich-per-fold", "easier", easier)])
