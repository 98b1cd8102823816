"""Notebooks and artifacts of the LIS course page (2001)."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.lis import claims, field_guide, figures, tables

__all__ = ["NOTEBOOKS"]

_FIELD_GUIDE = NotebookSpec(
    "lis/01-field-guide",
    "lis",
    "A field guide to the estimators",
    claims.ClaimParameters,
    (
        ArtifactSpec(
            "lis-table-5",
            "Table 5",
            "Holdout and random subsampling",
            tables.table_5,
            figures.draw_schemes,
            summary="Numbers of the table; its expressions in n, j and B are counted below.",
        ),
        ArtifactSpec(
            "lis-table-6",
            "Table 6",
            "Cross-validation estimators",
            tables.table_6,
            figures.draw_schemes,
            summary="Numbers of the table; its expressions in n are counted below.",
        ),
        ArtifactSpec(
            "lis-figure-7",
            "Figure 7",
            "Bootstrap estimators",
            tables.figure_7,
            figures.draw_schemes,
        ),
        ArtifactSpec(
            "lis-field-guide",
            "Field guide",
            "The estimators on one measured example",
            field_guide.field_guide,
            figures.draw_field_guide,
            summary=(
                "For each estimator: distinct cases that a fit trains on, cases that it is tested on, fits; then, for "
                "each inducer, bias, standard deviation and root mean square of (estimate − true error), in points."
            ),
        ),
        ArtifactSpec(
            "lis-claims",
            "In the text",
            "The page's claims",
            claims.claims,
            figures.draw_iterations,
            summary="Shares of distinct and of tested cases, and bootstrap iterations that are enough.",
        ),
    ),
    weight=20,
)

NOTEBOOKS = (_FIELD_GUIDE,)
