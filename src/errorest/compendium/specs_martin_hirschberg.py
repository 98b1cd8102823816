"""Notebooks and artifacts of Martin & Hirschberg (1996)."""

from __future__ import annotations

from functools import partial

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.martin_hirschberg import discriminant

__all__ = ["NOTEBOOKS"]

_PAPER = "martin-hirschberg"
_CELLS = "rows are inherent errors in percent, columns sample sizes; the half-width is two standard errors of the mean"

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
    weight=60,
)

NOTEBOOKS = (_DISCRIMINANT,)
