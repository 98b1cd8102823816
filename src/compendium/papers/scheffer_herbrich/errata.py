"""Evidence of the errata of Scheffer & Herbrich (1997): the equations as printed and as corrected."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import binom

from compendium.evidence.errata import Statement, evidence, regenerated_row
from compendium.methods.tuning_bias.distributions import most_frequent_in_folds
from compendium.papers.bootstrap import distinct_share
from compendium.papers.scheffer_herbrich.examples import (
    HEART_FOLDS,
    fixed_examples,
    one_shot_examples,
    per_fold_examples,
)
from compendium.papers.scheffer_herbrich.figures import INNER, OUTER, SETTINGS
from compendium.papers.scheffer_herbrich.fixed import tree_hits
from compendium.papers.scheffer_herbrich.parameters import CalculationParameters
from errorest.data import sets as datasets


@evidence("scheffer-herbrich-one-shot")
def equation_5(artifact: str) -> Iterator[Statement]:
    """Sum equation (5) with p_h/H where the hits belong, and with the hits."""
    land_sat, *_ = one_shot_examples()
    m, c, k = land_sat.m, land_sat.labels, np.arange(land_sat.extra, land_sat.labels + 1)
    printed, corrected = (
        float((binom(hits, c - k) * binom(m - hits, k) / binom(m, c)).sum())
        for hits in (land_sat.hits / land_sat.entropy, land_sat.hits)
    )
    yield (
        "equation (5)",
        f"{printed:.4f} as printed and {corrected:.4f} corrected, where (4) gives {land_sat.chance():.4f}",
    )


@evidence("scheffer-herbrich-one-shot")
def footnote_1(artifact: str) -> Iterator[Statement]:
    """Compute c (3/2 - c/2 + n) - n for 6 classes and 60 objects, and the other way round."""
    trials, exchanged = (c * (1.5 - c / 2 + n) - n for c, n in ((6, 60), (60, 6)))
    yield "footnote 1", f"60 objects of 6 classes take {trials:.0f} trials, fewer than the greedy {6 * 60}"
    yield "footnote 1", f"the other way round the formula gives {exchanged:.0f}"


@evidence("scheffer-herbrich-one-shot")
def numbers_of_section_2(artifact: str) -> Iterator[Statement]:
    """Read Land-sat's default error and DNA's parameters, and count the distinct cases of a bootstrap sample."""
    error = regenerated_row(artifact, "land-sat", "default-error", "literal").value
    yield "section 2.4, Land-sat", f"right on {1 - error:.4f} of the test cases, wrong on {error:.4f}"
    *_, dna = one_shot_examples()
    tens = regenerated_row(artifact, "dna", "parameters-of-10-values", "fitted:truncated-bits").value
    yield "section 2.4, DNA", f"{int(dna.bits)} bits are {tens:.2f}"
    yield "introduction", f"of 100 cases a classifier is made from {100 * distinct_share(100):.1f} distinct ones"


@evidence("scheffer-herbrich-per-fold")
def gain_before_equation_7(artifact: str) -> Iterator[Statement]:
    """Add a hit to the gain that the mesh needs, which the sentence before equation (7) excludes."""
    mesh, *_ = per_fold_examples()
    yield (
        "section 3, before equation (7)",
        f"a gain of {mesh.extra + 1} hits is no success where {mesh.extra} are needed",
    )


@evidence("scheffer-herbrich-fixed")
def equation_19(artifact: str) -> Iterator[Statement]:
    """Sum the printed recursion, whose last factor is P(Y_c = l) in place of P(Y_c = r)."""
    *_, knn, _ = fixed_examples()
    one = np.array([most_frequent_in_folds(9, knn.default_share).at(v) for v in range(10)])
    yield "equation (19)", f"the values for c = 2, n = 9 add up to {float(one @ np.cumsum(one)):.3f}"


@evidence("scheffer-herbrich-fixed")
def numbers_of_section_4(artifact: str) -> Iterator[Statement]:
    """Compute bits, trials and hits of diabetes and heart disease; run our C4.5 on heart disease."""
    diabetes, tree, knn, _ = fixed_examples()
    yield "section 4.1, diabetes", f"{diabetes.labels} labels are {diabetes.bits:.1f} bits"
    yield "section 4.1, heart disease", f"{tree.labels} labels are {tree.bits:.2f} bits and {tree.trials} trials"
    yield "section 4.1, heart disease", f"{tree.hits} hits in a fold of {tree.m}"
    hits, cases = tree_hits(CalculationParameters().seed), datasets.load("heart").n
    yield "section 4.1, heart disease", f"right on {hits} of {cases} cases, {hits / HEART_FOLDS:.1f} a fold"
    share = f"{knn.default_share:.3f} against {knn.hits}/{knn.m} = {knn.hits / knn.m:.3f}"
    yield "section 4.1, heart disease", share


@evidence("scheffer-herbrich-fixed")
def fits_of_section_5(artifact: str) -> Iterator[Statement]:
    """Count the fits of nested folds: inner folds for every setting, and a last fit in each outer fold."""
    fits = OUTER * (INNER * SETTINGS + 1)
    yield "section 5", f"{fits} fits for n = {OUTER}, m = {INNER} and {SETTINGS} settings"
