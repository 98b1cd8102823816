"""Notebooks and artifacts of Martin & Hirschberg (1996), section 3."""

from __future__ import annotations

from functools import partial

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.martin_hirschberg.discriminant import artifacts as discriminant
from errorest.papers.martin_hirschberg.populations import artifacts as boundaries
from errorest.papers.martin_hirschberg.populations import figures as drawn
from errorest.papers.martin_hirschberg.windows import artifacts as windows
from errorest.papers.martin_hirschberg.windows import claims, curves
from errorest.papers.martin_hirschberg.windows import figures as drawn_windows

__all__ = ["NOTEBOOKS"]

_PAPER = "martin-hirschberg"
_CELLS = "groups are sample sizes, rows inherent errors in percent; a printed half-width is two standard errors"

_POPULATIONS = NotebookSpec(
    "martin-hirschberg/01-populations",
    _PAPER,
    "Populations, thresholds, and classes the wrong way round",
    boundaries.PopulationsParameters,
    (
        ArtifactSpec(
            "martin-hirschberg-figure-1",
            "Figure 1",
            "Boundaries between two classes",
            boundaries.figure_1,
            drawn.draw_figure_1,
            "True errors of five boundaries in the two populations, in percent.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-1-multiple",
            "Figure 1, its claim",
            "When is the least-error boundary straight?",
            boundaries.figure_1_multiple,
            drawn.draw_figure_1_multiple,
            "Least error, and the error of the best straight line, where covariances differ by a constant factor.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-2",
            "Figure 2",
            "The population of section 3",
            boundaries.figure_2,
            drawn.draw_figure_2,
            "The least-error threshold and what it costs.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-3",
            "Figure 3",
            "A shifted threshold and a reversed classifier",
            boundaries.figure_3,
            drawn.draw_figure_3,
            "Thresholds and true errors of the two samples drawn.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-3-rules",
            "Figure 3, the two rules",
            "Where the two reversal rules part",
            boundaries.figure_3_rules,
            drawn.draw_figure_3_rules,
            "Samples on which the two rules give different classifiers, in percent, by size and inherent error.",
        ),
    ),
    weight=8,
)

_DISCRIMINANT = NotebookSpec(
    "martin-hirschberg/02-discriminant",
    _PAPER,
    "Fourteen estimators on a linear discriminant",
    discriminant.DiscriminantParameters,
    (
        ArtifactSpec(
            "martin-hirschberg-table-4",
            "Table 4",
            "Bias and precision of fourteen estimators",
            discriminant.table_4,
            summary="Bias and root mean square of (estimate − true error), in percent, over all sizes and populations.",
            once=("all",),
        ),
        ArtifactSpec(
            "martin-hirschberg-table-5a",
            "Table 5a",
            "Leave-one-out minus true error",
            partial(discriminant.table_5_differences, "5a"),
            summary=f"Mean of leave-one-out minus true error, in percent; {_CELLS}.",
        ),
        ArtifactSpec(
            "martin-hirschberg-table-5b",
            "Table 5b",
            "632b minus true error",
            partial(discriminant.table_5_differences, "5b"),
            summary=f"Mean of 632b minus true error, in percent; {_CELLS}.",
        ),
        ArtifactSpec(
            "martin-hirschberg-table-5c",
            "Table 5c",
            "Leave-one-out minus 632b",
            partial(discriminant.table_5_differences, "5c"),
            summary=f"Mean of leave-one-out minus 632b, in percent; {_CELLS}.",
        ),
        ArtifactSpec(
            "martin-hirschberg-table-5d",
            "Table 5d",
            "Correlations of estimates and true error",
            discriminant.table_5_correlations,
            summary="Correlation coefficients over the samples of a cell; rows are inherent errors in percent.",
        ),
    ),
    weight=75,
)

_WINDOWS = NotebookSpec(
    "martin-hirschberg/03-bias-against-true-error",
    _PAPER,
    "Bias against the true error",
    windows.WindowsParameters,
    (
        ArtifactSpec(
            "martin-hirschberg-figure-6",
            "Figure 6",
            "Iterated two-fold cross-validation against the true error",
            windows.figure_6,
            drawn_windows.draw_figure_6,
            "Reversed samples, windows, and window means outside the first experiment's limits.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-7",
            "Figure 7",
            "Bias of 10-fold cross-validation and 632b",
            curves.figure_7,
            drawn_windows.draw_figure_7,
            "The smallest sample size from which the bias below 50 % true error is negligible.",
        ),
        ArtifactSpec(
            "martin-hirschberg-claims-section-3",
            "Section 3, in the text",
            "What the section says of Figures 6 and 7",
            claims.claims_section_3,
            summary="Numbers that the section states in words.",
        ),
    ),
    weight=60,
)

NOTEBOOKS = (_POPULATIONS, _DISCRIMINANT, _WINDOWS)
