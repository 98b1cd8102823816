"""Notebooks and artifacts of the cross-examination and of the guide that follows from it."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.guide.advice import artifacts as advice
from errorest.guide.advice import figures as advice_figures
from errorest.guide.advice.experiment import AdviceParameters
from errorest.guide.cross import artifacts as cross
from errorest.guide.cross import claims, figures
from errorest.guide.cross.experiment import CrossParameters, inputs_of

__all__ = ["NOTEBOOKS"]

_CROSS = NotebookSpec(
    "guide/03-cross-examination",
    "guide",
    "Every paper's estimator in every paper's settings",
    CrossParameters,
    (
        ArtifactSpec(
            "guide-cross-rmse",
            "How far off",
            "Root mean squared error of every estimator in every case",
            cross.errors,
            figures.draw_errors,
            summary="Root mean square of estimate minus true error, in points; rows are settings with their inducers.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-cross-bias",
            "Bias",
            "Bias of every estimator in every case",
            cross.biases,
            figures.draw_biases,
            summary="Mean of estimate minus true error, in points; positive: too high.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-cross-spread",
            "Spread",
            "Standard deviation of every estimator in every case",
            cross.spreads,
            summary="Standard deviation over samples, in points, beside that of the true error of their classifiers.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-cross-contradictions",
            "Contradictions",
            "Where the papers contradict one another",
            claims.contradictions,
            figures.draw_contests,
            summary="Cases in which the estimator named first clearly errs less (better) or more (worse).",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-cross-coverage",
            "Coverage",
            "How often an interval contains the true error",
            cross.coverages,
            figures.draw_coverages,
            summary="Coverage of 95 % intervals and their mean width, in percent and points.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-cross-cost",
            "Cost",
            "Classifiers that each estimator makes, and what was left out",
            cross.costs,
            summary="Classifiers made of one sample of N cases; exact counts.",
            matrix=True,
        ),
    ),
    weight=300,
    inputs=inputs_of,
)

_ADVICE = NotebookSpec(
    "guide/04-which-estimator",
    "guide",
    "Which estimator when",
    AdviceParameters,
    (
        ArtifactSpec(
            "guide-which-estimator",
            "The guide",
            "Which estimator to use, and what it costs",
            advice.advice,
            advice_figures.draw_advice,
            summary="Cases behind the advice; for one sample: classifiers made, error and bias in points, the ratio to "
            "the error of stratified ten-fold cross-validation, and the coverage of the estimator's 95 % interval, if "
            "any.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-price-of-tuning",
            "The price of tuning",
            "What trying several settings buys by luck alone",
            advice.price_of_tuning,
            advice_figures.draw_price,
            summary="Points by which the best of some equally good settings looks better than it is on m tested cases.",
            matrix=True,
        ),
    ),
    weight=5,
    inputs=inputs_of,
)

NOTEBOOKS = (_CROSS, _ADVICE)
