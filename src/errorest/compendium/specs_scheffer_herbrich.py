"""Notebooks and artifacts of Scheffer & Herbrich (1997)."""

from __future__ import annotations

from typing import Any

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.data import sets as datasets
from errorest.papers.scheffer_herbrich import calculations, calculator, figures, measured, schemes
from errorest.papers.scheffer_herbrich import tuning_figures as tuning

__all__ = ["NOTEBOOKS"]

_PAPER = "scheffer-herbrich"


def _examples(_: Any) -> dict[str, str]:
    return {name: datasets.digest(name) for name in ("land-sat-train", "land-sat-test", "dna", "pima", "heart")}


def _tuned(p: Any) -> dict[str, str]:
    return {name: datasets.digest(name) for name in sorted({*p.data, "pima", "heart"})}


_CALCULATIONS = NotebookSpec(
    "scheffer-herbrich/01-calculations",
    _PAPER,
    "What tuning on the test set buys",
    calculations.CalculationParameters,
    (
        ArtifactSpec(
            "scheffer-herbrich-figure-1",
            "Figure 1",
            "Parameters as a communication channel",
            schemes.channel,
            figures.draw_channel,
        ),
        ArtifactSpec(
            "scheffer-herbrich-one-shot",
            "Section 2.4",
            "One-shot training and test",
            calculations.one_shot,
            figures.draw_chances,
            summary="Numbers in the text of section 2.4: Land-sat and DNA.",
        ),
        ArtifactSpec(
            "scheffer-herbrich-per-fold",
            "Section 3.1",
            "Cross-validation, tuned in each fold",
            calculations.per_fold,
            figures.draw_chances,
            summary="Numbers in the text of section 3.1: finite-element mesh and diabetes.",
        ),
        ArtifactSpec(
            "scheffer-herbrich-fixed",
            "Section 4.1",
            "Cross-validation with fixed parameters",
            calculations.fixed,
            figures.draw_chances,
            summary="Numbers in the text of section 4.1: diabetes and heart disease.",
        ),
        ArtifactSpec(
            "scheffer-herbrich-figure-2",
            "Figure 2",
            "Model selection apart from accuracy estimation",
            schemes.separation,
            figures.draw_separation,
        ),
    ),
    weight=10,
    inputs=_examples,
)

_MEASURED = NotebookSpec(
    "scheffer-herbrich/02-measured",
    _PAPER,
    "Tuning, measured on real data",
    measured.MeasuredParameters,
    (
        ArtifactSpec(
            "scheffer-herbrich-independence",
            "Section 4, measured",
            "Are hits independent of the class?",
            measured.independence,
            tuning.draw_independence,
            summary=(
                "For each data set and inducer, in percent: the chance of section 4.1's gain at the paper's c, "
                "measured and calculated two ways, and the share of hits among the default class and among the other."
            ),
        ),
        ArtifactSpec(
            "scheffer-herbrich-cure",
            "Section 5, measured",
            "The bias of tuning, and its cure",
            measured.cure,
            tuning.draw_cure,
            summary="Mean of reported error minus error on held-out cases, in points, by data set and inducer.",
        ),
        ArtifactSpec(
            "scheffer-herbrich-settings",
            "Beyond the paper",
            "Bias and the number of settings tried",
            measured.settings_tried,
            tuning.draw_settings,
            summary="Mean of reported error minus error on held-out cases, in points, over all data sets and inducers.",
        ),
    ),
    weight=190,
    inputs=_tuned,
)

_CALCULATOR = NotebookSpec(
    "scheffer-herbrich/03-calculator",
    _PAPER,
    "A calculator for readers and reviewers",
    calculator.CalculatorParameters,
    (
        ArtifactSpec(
            "scheffer-herbrich-calculator",
            "Beyond the paper",
            "What t trials buy",
            calculator.biases,
            tuning.draw_biases,
            summary="Expected bias in points of accuracy, by test size m and trials t; exact.",
        ),
        ArtifactSpec(
            "scheffer-herbrich-map",
            "Equation (4)",
            "A map of the greedy optimizer's chances",
            calculator.heat_map,
            tuning.draw_map,
        ),
        ArtifactSpec(
            "scheffer-herbrich-test-sizes",
            "Beyond the paper",
            "How large must the test set be?",
            calculator.sizes_needed,
            tuning.draw_sizes,
            summary="Test cases needed, by gain and trials t; no entry where over 20 million are needed.",
        ),
    ),
    weight=8,
)

NOTEBOOKS = (_CALCULATIONS, _MEASURED, _CALCULATOR)
