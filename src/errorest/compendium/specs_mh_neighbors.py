"""Notebooks of Martin & Hirschberg (1996) on class reversal."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.martin_hirschberg.reversal import artifacts as reversal
from errorest.papers.martin_hirschberg.reversal import figures as mh_reversal
from errorest.papers.martin_hirschberg.reversal import mathematics as reversal_mathematics

__all__ = ["NOTEBOOKS"]

_PAPER = "martin-hirschberg"

_REVERSAL = NotebookSpec(
    "martin-hirschberg/06-reversal",
    _PAPER,
    "Class reversal",
    reversal.ReversalParameters,
    (
        ArtifactSpec(
            "martin-hirschberg-appendix",
            "Appendix",
            "The mathematics of class reversal, simulated",
            reversal_mathematics.appendix,
            mh_reversal.draw_appendix,
            summary="Shares of reversed classifiers at given class counts and distances of the class means, and of "
            "samples on which the printed test fails in double precision, in percent.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-16",
            "Figure 16",
            "Distribution of the true errors",
            reversal.figure_16,
            mh_reversal.draw_figure_16,
            summary="Shares of reversed classifiers; and of the unreversed, shares with a true error up to five points "
            "above the inherent one, and in the last bin below 50 %.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-17",
            "Figure 17",
            "Reversed classifiers: true error, difference, likelihood, expected increase",
            reversal.figure_17,
            mh_reversal.draw_figure_17,
            summary="Coefficients of the three models, and where the expected increase peaks.",
        ),
    ),
    weight=12,
)

NOTEBOOKS = (_REVERSAL,)
