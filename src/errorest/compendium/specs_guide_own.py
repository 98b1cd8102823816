"""The notebook that a reader runs on data of their own, and its artifacts."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.guide.own import data as own_data
from errorest.guide.own import estimates as own_estimates
from errorest.guide.own import figures
from errorest.guide.own import gains as own_gains

__all__ = ["NOTEBOOKS"]

_OWN = NotebookSpec(
    "guide/01-your-own-data",
    "guide",
    "Your own data",
    own_data.OwnDataParameters,
    (
        ArtifactSpec(
            "guide-own-data",
            "The data",
            "What is in the data",
            own_data.what_is_there,
            figures.draw_classes,
            summary="Counts, in the whole file and in the cases taken.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-own-estimates",
            "The estimate",
            "The error rate, with its interval, in every way",
            own_estimates.estimates,
            figures.draw_estimates,
            summary="Error rates with their intervals, in percent, and how many classifiers each is made of; the "
            "standard error is the one that the method itself gives.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-own-comparison",
            "Against others",
            "Does another classifier err less?",
            own_gains.comparison,
            figures.draw_comparison,
            summary="Error rates on shared splits, in percent, and their difference with its interval, in points.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-own-truth",
            "The truth",
            "What the cases held back say",
            own_gains.held_back,
            figures.draw_held_back,
            summary="Error rates on cases held back, in percent.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-own-tuning",
            "Mere tuning",
            "How much of the gain tuning alone could buy",
            own_gains.tuning,
            figures.draw_tuning,
            summary="Points of accuracy that the settings tried buy on average if none is better than always answering "
            "with one class; their share of the gain, and the chance that they buy all of it.",
            matrix=True,
        ),
    ),
    weight=8,
    inputs=own_data.digests,
)

NOTEBOOKS = (_OWN,)
