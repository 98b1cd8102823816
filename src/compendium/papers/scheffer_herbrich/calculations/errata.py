"""Errors in print of sections 1 to 5; each is listed only while the numbers beside it bear it out."""

from __future__ import annotations

from math import ceil, floor

from compendium.evidence.regenerated import Erratum
from compendium.papers.bootstrap import distinct_share
from compendium.papers.scheffer_herbrich.calculations.experiment import Example, parameters_of_ten_values
from errorest.tuning_bias import condition_before_7, equation_5, equation_19, footnote_1

__all__ = ["errata_fixed", "errata_one_shot", "errata_per_fold"]


def _borne_out(*found: tuple[bool, Erratum]) -> list[Erratum]:
    return [erratum for holds, erratum in found if holds]


def errata_one_shot(land_sat: Example, dna: Example, accuracy: float) -> list[Erratum]:
    """List those of the introduction and of section 2; ``accuracy`` is that of Land-sat's default class."""
    e = land_sat
    right = equation_5(e.m, e.hits, e.bits, e.entropy, e.extra)
    printed = equation_5(e.m, e.hits, e.bits, e.entropy, e.extra, as_printed=True)
    clever, turned = footnote_1(e.labels, e.classes), footnote_1(e.labels, e.classes, as_printed=True)
    ten = parameters_of_ten_values(floor(dna.bits))
    return (
        _borne_out(
            (
                abs(right - e.chance()) < abs(printed - e.chance()),
                Erratum(
                    "equation (5)",
                    "p_h/H in both coefficients",
                    "p_h",
                    f"on Land-sat {printed:.4f} as printed and {right:.4f} corrected, where (4) gives {e.chance():.4f}",
                    as_scanned=True,
                ),
            ),
            (
                0 < clever < e.trials and not 0 < turned < e.trials,
                Erratum(
                    "footnote 1",
                    "c(3/2 - c/2 + n) - n with the text's c, told labels",
                    "c classes and n objects",
                    f"{e.labels} objects of {e.classes} classes take {clever:.0f} trials, fewer than the greedy "
                    f"{e.trials}; the other way round the formula gives {turned:.0f}",
                ),
            ),
            (
                accuracy < 1 - accuracy,
                Erratum(
                    "section 2.4, Land-sat",
                    "default error rate .231",
                    "default accuracy",
                    f"the default class is right on {accuracy:.4f} of the test cases, wrong on {1 - accuracy:.4f}",
                ),
            ),
            (
                floor(ten) < ten,
                Erratum(
                    "section 2.4, DNA",
                    f"{floor(ten)} parameters of 10 values for {floor(dna.bits)} bits",
                    f"{ceil(ten)}",
                    f"{floor(dna.bits)} bits are {ten:.2f} ten-valued parameters",
                ),
            ),
        )
        + _introduction()
    )


def _introduction() -> list[Erratum]:
    share = distinct_share(100)
    return _borne_out(
        (
            share < 1,
            Erratum(
                "introduction",
                "the bootstrap's average on the cases left out is an optimistically biased estimate",
                "pessimistically biased",
                f"of 100 cases a classifier is made from {100 * share:.1f} distinct ones and tested on the others; the "
                "artifact lis-claims measures the bias of this average, called e0",
            ),
        ),
        (
            True,
            Erratum(
                "introduction",
                "a .632 bootstrap [Efr79]",
                "[Efr83]",
                "No run is needed: the article of 1979 introduces the bootstrap, and the weight .632 is first in that "
                "of 1983, which the paper cites two sentences on",
            ),
        ),
    )


def errata_per_fold(mesh: Example) -> list[Erratum]:
    """List that of section 3: the sentence before equation (7) is tried on a gain of one hit more than is needed."""
    accepts = condition_before_7(mesh.extra + 1, mesh.folds, mesh.extra / mesh.folds, as_printed=True)
    return _borne_out(
        (
            not accepts,
            Erratum(
                "section 3, before equation (7)",
                "n z has to equal at least n c - sum of X_i",
                "at most",
                f"by the sentence a gain of {mesh.extra + 1} hits is no success where {mesh.extra} are needed; (7) has "
                "it right",
            ),
        )
    )


def errata_fixed(diabetes: Example, tree: Example, knn: Example, tree_hits: int, cases: int) -> list[Erratum]:
    """List those of sections 4 and 5; ``tree_hits`` are those that C4.5 itself has on the cases of heart disease."""
    total = sum(equation_19(2, 9, knn.default_share, v, as_printed=True) for v in range(19))
    return (
        _borne_out(
            (
                abs(total - 1) > 0.001,
                Erratum(
                    "equation (19)",
                    "P(Y_c = l)",
                    "P(Y_c = r), r being the index of the sum",
                    f"as printed the values for c = 2, n = 9 add up to {total:.3f}",
                    as_scanned=True,
                ),
            ),
            (
                diabetes.bits != diabetes.labels,
                Erratum(
                    "section 4.1, diabetes",
                    f"c = {diabetes.labels} parameters",
                    f"c = {diabetes.labels} class labels",
                    f"{diabetes.labels} labels are {diabetes.bits:.1f} bits",
                ),
            ),
            (
                tree.extra != tree.labels,
                Erratum(
                    "section 4.1, heart disease",
                    f"c = {tree.labels} extra hits",
                    f"c = {tree.labels} class labels",
                    f"{tree.labels} labels are {tree.bits:.2f} bits and {tree.trials} trials, as the sentence goes on",
                ),
            ),
            (
                tree_hits / cases > tree.hits / tree.m,
                Erratum(
                    "section 4.1, heart disease",
                    "C4.5 performs poorly",
                    "an average cost was read as an error rate",
                    f"StatLog's table has costs alone; read as an error rate, that of C4.5 makes {tree.hits} hits in a "
                    f"fold of {tree.m}, and our C4.5 is right on {tree_hits} of {cases} cases, "
                    f"{tree_hits * tree.m / cases:.1f} a fold",
                ),
            ),
            (
                knn.default_share > knn.hits / knn.m,
                Erratum(
                    "section 4.1, heart disease",
                    "the default probability is not much worse than the hypothesis",
                    "it is better",
                    f"{knn.default_share:.3f} against {knn.hits}/{knn.m} = {knn.hits / knn.m:.3f}",
                ),
            ),
        )
        + _section_5()
    )


def _section_5() -> list[Erratum]:
    outer, inner, settings = 9, 10, 5
    fits = outer * (inner * settings + 1)
    return _borne_out(
        (
            fits > outer * inner,
            Erratum(
                "section 5",
                "n m learning trials",
                "n m times the number of settings",
                "each of the n outer folds runs m folds for every setting: "
                f"{fits} fits for n = {outer}, m = {inner} and {settings} settings, with a last fit a fold",
            ),
        ),
    )
