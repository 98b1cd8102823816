"""Section 2.4: Land-sat and DNA, one-shot training and test."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor, log2

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import every, exact
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.scheffer_herbrich import chances, examples
from compendium.papers.scheffer_herbrich.chances import draw_chances, rows, steps
from compendium.papers.scheffer_herbrich.names import EXAMPLES
from compendium.papers.scheffer_herbrich.parameters import CalculationParameters
from errorest.counting import count_each
from errorest.data import sets as datasets


@artifact("scheffer-herbrich-one-shot", draw=draw_chances)
def one_shot(p: CalculationParameters, run: Run | None = None) -> ArtifactResult:
    """Calculate section 2.4's numbers: Land-sat and DNA."""
    land_sat, _, dna = chosen = examples.one_shot_examples()
    train, test, cases = datasets.load("land-sat-train"), datasets.load("land-sat-test"), examples.dna_test()
    accuracy = float(np.mean(test.y == count_each(train.y).argmax()))
    numbers = [
        *rows("land-sat", {"train": train.n, "test-size": test.n, "default-error": 1 - accuracy}),
        *rows("land-sat", {"default-error": accuracy}, "fitted:default-accuracy"),
        *rows("land-sat", {"hits": land_sat.hits, "extra-hits": land_sat.extra, "entropy": land_sat.entropy}),
        *rows("land-sat", {"classes": land_sat.classes}),
        *rows("dna", {"hits": dna.hits, "extra-hits": dna.extra}, chances.STATLOG_RATES),
        *rows("dna", {"test-size": cases.n, "classes": examples.classes_of(cases), "entropy": dna.entropy}),
        *(row for e in chosen for row in chances.example_rows(e)),
    ]
    for e in (land_sat, dna):
        for reading, bits in (("literal", e.bits), ("fitted:truncated-bits", floor(e.bits))):
            numbers += rows(e.row, {"parameters-of-10-values": bits / log2(10)}, reading)
    by_labels = {EXAMPLES[e.row]: chances.percent_by_labels(e, range(2 * e.labels + 1)) for e in (land_sat, dna)}
    larger = {m: replace(land_sat, m=m, hits=round(0.85 * m), extra=ceil(0.01 * m)) for m in (100, 1000, 10_000)}
    needed = {m: e.least_labels() for m, e in larger.items()}
    gains = [exact(v[max(v)] - v[0], name, "points", -3, "+") > 0 for name, v in by_labels.items()]
    more_revealed = [
        every("gain", gains),
        every("each label adds", [s > -1e-10 for v in by_labels.values() for s in steps(v)]),
    ]
    more_needed = every("a larger test set needs more", [s > 0 for s in steps(needed, "labels")])
    checks = [
        judge_claim("scheffer-herbrich-one-shot", "more-parameters", more_revealed),
        judge_claim("scheffer-herbrich-one-shot", "large-test-set", more_needed),
    ]
    return chances.section_result(p, chosen, numbers, checks)
