"""Notebooks of Martin & Hirschberg (1996) on nearest neighbours and on class reversal."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.martin_hirschberg.neighbors import artifacts as neighbor_figures
from errorest.papers.martin_hirschberg.neighbors import figures as mh_neighbors
from errorest.papers.martin_hirschberg.reversal import artifacts as reversal
from errorest.papers.martin_hirschberg.reversal import figures as mh_reversal
from errorest.papers.martin_hirschberg.reversal import mathematics as reversal_mathematics

__all__ = ["NOTEBOOKS"]

_PAPER = "martin-hirschberg"

_NEIGHBORS = NotebookSpec(
    "martin-hirschberg/04-nearest-neighbors",
    _PAPER,
    "Nearest neighbours on one attribute",
    neighbor_figures.NeighborsParameters,
    (
        ArtifactSpec(
            "martin-hirschberg-figure-8",
            "Figure 8",
            "Nearest-neighbour classifiers and equivalent trees",
            neighbor_figures.figure_8,
            mh_neighbors.draw_figure_8,
            summary="The classifiers of the sample drawn, and of many samples of the same size and population.",
            enlarge=False,
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-9",
            "Figure 9",
            "Mean estimate against mean true error",
            neighbor_figures.figure_9,
            mh_neighbors.draw_figure_9,
            summary="Bias, root mean square of (estimate − true error) and standard deviation of the estimate within a "
            "combination, in percent, over all sizes and populations; and how far the variance of 632b lies below that "
            "of leave-one-out.",
        ),
    ),
    weight=25,
)

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

NOTEBOOKS = (_NEIGHBORS, _REVERSAL)
