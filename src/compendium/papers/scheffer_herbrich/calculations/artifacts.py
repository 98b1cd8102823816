"""Sections 2.4, 3.1 and 4.1: every number of the examples, recalculated.

Entropies, default rates and sizes come from the data sets, chances and least numbers of labels from
the equations, and the greedy optimizer of section 2.2 is run beside them.  All rows are exact:
their standard error is 0 and n is 1.  What the paper concludes is checked in ``claims``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, floor

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from compendium.evidence.artifact import artifact
from compendium.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from compendium.papers.scheffer_herbrich.calculations.claims import (
    by_default_and_hits,
    greedy_succeeds,
    harder_when_larger,
    more_told,
    poor_tree,
    safe,
    worse_apart,
)
from compendium.papers.scheffer_herbrich.calculations.errata import errata_fixed, errata_one_shot, errata_per_fold
from compendium.papers.scheffer_herbrich.calculations.experiment import (
    MESH_CASES,
    MESH_HITS,
    CalculationParameters,
    Example,
    classes_of,
    default_accuracy,
    dna_parts,
    examples,
    fewest_hits,
    folds_that_fit,
    hits_in_statlog,
    measured_tree_hits,
    parameters_of_ten_values,
    uneven_gain,
)
from compendium.papers.scheffer_herbrich.calculations.figures import draw_chances
from compendium.papers.scheffer_herbrich.names import EXAMPLES
from errorest.data import sets as datasets
from errorest.streams import Streams
from errorest.tuning_bias import Setting, simulate_greedy

__all__ = ["fixed", "one_shot", "per_fold"]

# a simulated share may miss its interval this rarely though the equation holds
FALSE_ALARM = 0.001

_STATLOG = "unstated:statlog-rates"

_FOLDS = range(2, 21)
"""Numbers of folds that could lie behind a printed chance."""


def _rows(row: str, values: Mapping[str, float], reading: str = "literal") -> list[Row]:
    return [Row.exact(reading, row, column, value) for column, value in values.items()]


def _common_rows(e: Example) -> list[Row]:
    """Rows that every example has: least labels, chance, trials and bits."""
    found = {"c": e.least_labels(), "probability-percent": 100 * e.chance()}
    return _rows(e.row, found, e.reading) + _rows(e.row, {"trials": e.trials, "bits": e.bits})


def _of(setting: Setting) -> list[Example]:
    return [e for e in examples() if e.setting == setting]


def _calculated(
    p: CalculationParameters,
    chosen: list[Example],
    rows: list[Row],
    checks: list[Check],
    findings: list[str],
    errata: list[Erratum],
) -> Regenerated:
    """Put the chances of some examples over c, and the greedy optimizer's own successes, beside their rows."""
    greedy = pd.DataFrame([_simulated(p, e) for e in chosen])
    chances = pd.DataFrame(
        [
            {"example": e.row, "reading": e.reading, "c": c, "probability": e.chance(c)}
            for e in chosen
            for c in range(min(e.m, 2 * e.labels) + 1)
        ]
    )
    found = [greedy_succeeds(greedy, p.experiments, FALSE_ALARM), *checks]
    return Regenerated(rows, {"greedy": greedy, "chances": chances}, found, findings, errata)


def _simulated(p: CalculationParameters, e: Example) -> dict[str, object]:
    """Run the greedy optimizer on an example, for its success beside the equation's."""
    runs = simulate_greedy(
        e.m,
        e.hits,
        e.labels,
        Streams(p.seed).generator("greedy", e.setting, e.row, e.reading),
        setting=e.setting,
        folds=e.folds,
        classes=e.classes,
        shares=[e.default_share, 1 - e.default_share] if e.classes == 2 else None,
        repeats=p.experiments,
    )
    succeeded = int(np.count_nonzero(runs.gained >= e.extra))
    interval = binomtest(succeeded, p.experiments).proportion_ci(1 - FALSE_ALARM, method="exact")
    return {
        "example": e.row,
        "reading": e.reading,
        "told": e.labels,
        "equation": e.chance(),
        "simulated": succeeded / p.experiments,
        "low": interval.low,
        "high": interval.high,
        "false alarm": FALSE_ALARM,
        "trials": runs.trials,
        "mean gain, equation": e.gain().mean(),
        "mean gain, simulated": float(runs.gained.mean()),
    }


@artifact(
    "scheffer-herbrich-one-shot",
    "Section 2.4",
    "One-shot training and test",
    "Numbers in the text of section 2.4: Land-sat and DNA.",
    draw=draw_chances,
)
def one_shot(p: CalculationParameters, run: Run | None = None) -> Regenerated:
    """Section 2.4: Land-sat and DNA, one-shot training and test."""
    chosen = _of("one-shot")
    train, test, dna_test = datasets.load("land-sat-train"), datasets.load("land-sat-test"), dna_parts()[1]
    accuracy = default_accuracy(train.y, test.y)
    land_sat, land_sat_16, dna = chosen
    shown = {"hits": land_sat.hits, "extra-hits": land_sat.extra, "entropy": land_sat.entropy}
    rows = [
        *_rows("land-sat", {"train": train.n, "test-size": test.n, "default-error": 1 - accuracy}),
        *_rows("land-sat", {"default-error": accuracy}, "fitted:default-accuracy"),
        *_rows("land-sat", {**shown, "classes": land_sat.classes}),
        *_rows("dna", {"hits": dna.hits, "extra-hits": dna.extra}, _STATLOG),
        *_rows("dna", {"test-size": dna_test.n, "classes": classes_of(dna_test), "entropy": dna.entropy}),
    ]
    for e in chosen:
        rows += _common_rows(e)
    for e in (land_sat, dna):
        for reading, bits in (("literal", e.bits), ("fitted:truncated-bits", floor(e.bits))):
            rows += _rows(e.row, {"parameters-of-10-values": parameters_of_ten_values(bits)}, reading)
    findings = [
        (
            f"With c = {land_sat_16.labels} told labels C4.5 gains a rank on Land-sat with probability "
            f"{land_sat_16.chance():.4f}, with c = {land_sat.labels} with {land_sat.chance():.4f}; on DNA with "
            f"c = {dna.labels} with {dna.chance():.4f}. {_least(chosen)}"
        ),
        (
            f"Always answering the training cases' commonest class is right on {100 * accuracy:.2f} % of "
            f"Land-sat's test cases and wrong on {100 - 100 * accuracy:.2f} %."
        ),
    ]
    checks = [
        more_told({EXAMPLES[e.row]: [e.chance(c) for c in range(2 * e.labels + 1)] for e in (land_sat, dna)}),
        harder_when_larger(_labels_for_a_point(land_sat), _POINT, land_sat.wanted),
    ]
    return _calculated(p, chosen, rows, checks, findings, errata_one_shot(land_sat, dna, accuracy))


_POINT, _SIZES = 0.01, (100, 1000, 10_000)


def _labels_for_a_point(e: Example) -> dict[int, int]:
    """Count the labels that gain a point of accuracy with the example's chance, by test size."""
    return {
        m: int(replace(e, m=m, hits=round(e.hits / e.m * m), extra=ceil(_POINT * m)).least_labels()) for m in _SIZES
    }


def _least(chosen: Sequence[Example]) -> str:
    """Say in how many examples the told labels are the least that give the chance asked for."""
    least = sum(e.least_labels() == e.labels for e in chosen)
    return f"In {least} of the {len(chosen)} examples it is the least c that reaches the chance asked for."


@artifact(
    "scheffer-herbrich-per-fold",
    "Section 3.1",
    "Cross-validation, tuned in each fold",
    "Numbers in the text of section 3.1: finite-element mesh and diabetes.",
    draw=draw_chances,
)
def per_fold(p: CalculationParameters, run: Run | None = None) -> Regenerated:
    """Section 3.1: FEM mesh and diabetes, parameters tuned in each fold.

    Parameters and result are those of :func:`one_shot`.

    Notes
    -----
    FEM mesh's own data are not to be had, so its sizes have no rows; folds of 55 cases with 12 hits
    stand for 277 cases and 59 hits, and beside them folds whose sizes and hits differ by one.  The 59
    hits are the fewest that make 21 %.  Diabetes' hits and extra hits follow from StatLog's error rates, in 12
    folds.
    """
    chosen = _of("per-fold")
    pima = datasets.load("pima")
    mesh, _, diabetes = chosen
    hits = hits_in_statlog("diabetes", pima.n)[0]
    rows = [
        *_rows("fem-mesh-26", {"hits": fewest_hits(MESH_CASES, 0.21)}, "unstated:fewest-hits"),
        *_rows("diabetes", {"samples": pima.n, "classes": classes_of(pima), "entropy": diabetes.entropy}),
        *_rows("diabetes", {"hits": hits, "extra-hits-per-fold": diabetes.extra / diabetes.folds}, _STATLOG),
    ]
    for e in chosen:
        cases = (pima.n, hits) if e is diabetes else (MESH_CASES, MESH_HITS)
        uneven = uneven_gain("per-fold", *cases, e.labels, e.folds).at_least(e.extra)
        rows += _common_rows(e) + _rows(e.row, {"probability-percent": 100 * uneven}, "unstated:uneven-folds")
    fitting = folds_that_fit(diabetes, pima.n, hits, _FOLDS)
    for folds, percent in fitting.items():
        rows += _rows("diabetes", {"probability-percent": percent}, f"fitted:{folds}-folds")
    findings = [_other_numbers_of_folds(diabetes, fitting)]
    fixed_chances = [replace(diabetes, setting="fixed").chance(c) for c in range(1, diabetes.m)]
    check = worse_apart([diabetes.chance(c) for c in range(1, diabetes.m)], fixed_chances)
    return _calculated(p, chosen, rows, [check], findings, errata_per_fold(mesh))


def _other_numbers_of_folds(e: Example, fitting: Mapping[int, float]) -> str:
    """Say what the example's own number of folds gives, and which others would give the printed chance."""
    found = (
        " and ".join(f"{folds} folds ({percent:.1f} %)" for folds, percent in fitting.items()) or "no number of them"
    )
    return (
        f"On diabetes {e.labels} told labels a fold succeed with {100 * e.chance():.2f} % in {e.folds} folds, and "
        f"{e.least_labels():.0f} reach the {100 * e.wanted:.0f} % that the paper asks for. The number of folds is not "
        f"printed: of {_FOLDS[0]} to {_FOLDS[-1]}, sizes and hits rounded either way, {found} would give "
        f"{100 * e.wanted:.0f} % for c = {e.labels}, rounded or cut."
    )


@artifact(
    "scheffer-herbrich-fixed",
    "Section 4.1",
    "Cross-validation with fixed parameters",
    "Numbers in the text of section 4.1: diabetes and heart disease.",
    draw=draw_chances,
)
def fixed(p: CalculationParameters, run: Run | None = None) -> Regenerated:
    """Section 4.1: diabetes and heart disease, parameters fixed over the folds.

    Parameters and result are those of :func:`one_shot`.

    Notes
    -----
    On diabetes the chance has a peak, which the paper takes as the c that is needed.  On heart disease
    StatLog's table has average costs and no error rates; read as error rates they give C4.5's hits and
    the hits to gain, and the hits of k-NN, whose 6 extra hits do not follow.  How often C4.5 itself is
    right is measured in as many folds.
    """
    chosen = _of("fixed")
    diabetes, tree, knn, fewer = chosen
    pima, heart = datasets.load("pima"), datasets.load("heart")
    over = [diabetes.chance(c) for c in range(diabetes.m + 1)]
    pima_hits = hits_in_statlog("diabetes", pima.n)[0]
    uneven = [
        uneven_gain("fixed", pima.n, pima_hits, c, diabetes.folds, diabetes.default_share).at_least(diabetes.extra)
        for c in range(2 * diabetes.labels + 1)
    ]
    knn_hits, knn_extra = hits_in_statlog("heart-knn", heart.n)
    rows = [
        *_rows("diabetes", {"extra-hits-per-fold": diabetes.extra / diabetes.folds}, _STATLOG),
        *_rows("diabetes", {"c": int(np.argmax(over))}, diabetes.reading),
        *_rows("diabetes", {"c": int(np.argmax(uneven))}, "unstated:uneven-folds"),
        *_rows("diabetes", {"probability-percent": 100 * diabetes.chance()}, diabetes.reading),
        *_rows("diabetes", {"probability-percent": 100 * uneven[diabetes.labels]}, "unstated:uneven-folds"),
        *_rows("heart-c4.5", {"samples": heart.n, "classes": classes_of(heart), "entropy": knn.entropy}),
        *_rows("heart-knn", {"hits-per-fold": knn_hits / knn.folds, "extra-hits": knn_extra}, tree.reading),
    ]
    for e in chosen[1:]:
        rows += _common_rows(e)
    # trials and bits of k-NN do not depend on the reading, and its first has them
    once = list({(r.reading, r.row, r.column): r for r in reversed(rows)}.values())[::-1]
    hits = measured_tree_hits(Streams(p.seed).generator("heart", "c4.5"))
    checks = [*safe(over, diabetes.labels), *_of_the_tree(tree, hits, heart.n), _of_the_default(knn)]
    findings = [
        (
            f"On diabetes the chance is highest at c = {int(np.argmax(over))}, {100 * max(over):.2f} %; at "
            f"c = {diabetes.labels} it is {100 * diabetes.chance():.2f} %."
        ),
        (
            f"For k-NN on heart disease c = {knn.labels} gives {100 * knn.chance():.1f} % with {knn.hits} hits a fold "
            f"and {100 * fewer.chance():.1f} % with {fewer.hits}; {knn.least_labels():.0f} and "
            f"{fewer.least_labels():.0f} labels reach {100 * knn.wanted:.0f} %. StatLog's cost, read as an error rate, "
            f"makes {knn_hits / knn.folds:.2f} hits a fold, and {knn_extra} more would gain a rank."
        ),
        (
            f"Read as an error rate, C4.5's cost makes {tree.hits} hits in a fold of {tree.m} and {tree.extra} to "
            f"gain: {tree.labels} labels succeed with {100 * tree.chance():.1f} %, {tree.least_labels():.0f} are "
            f"needed. C4.5 itself is right on {hits} of {heart.n} cases."
        ),
    ]
    return _calculated(p, chosen, once, checks, findings, errata_fixed(diabetes, tree, knn, hits, heart.n))


def _of_the_tree(tree: Example, hits: int, cases: int) -> list[Check]:
    own = replace(tree, hits=round(hits / tree.folds))
    said = (
        f"in {tree.folds} folds our C4.5 is right on {hits} of {cases} cases "
        f"(s.e. {np.sqrt(hits * (1 - hits / cases)):.1f})"
    )
    return poor_tree(tree.chance(), tree.wanted, tree.labels, own.chance(), said)


def _of_the_default(knn: Example) -> Check:
    shares = {round(0.05 * step, 2): replace(knn, default_share=0.05 * step).chance() for step in range(10, 20)}
    hits = {h: replace(knn, hits=h).chance() for h in range(knn.m // 3, knn.m)}
    return by_default_and_hits(shares, hits)
