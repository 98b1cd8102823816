"""Notebooks and artifacts of Martin & Hirschberg (1996): section 6 on decision trees, and the conclusions."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.martin_hirschberg.conclusions import artifacts as conclusions
from errorest.papers.martin_hirschberg.lenses import artifacts as lenses
from errorest.papers.martin_hirschberg.lenses import figures as mh_lenses
from errorest.papers.martin_hirschberg.lenses import noise as lens_noise
from errorest.papers.martin_hirschberg.lenses import panels as lens_figures
from errorest.papers.martin_hirschberg.lenses import tables as lens_tables

__all__ = ["NOTEBOOKS"]

_PAPER = "martin-hirschberg"

_LENSES = NotebookSpec(
    "martin-hirschberg/05-lenses",
    _PAPER,
    "Decision trees for contact lenses",
    lenses.LensesParameters,
    (
        ArtifactSpec(
            "martin-hirschberg-figure-10",
            "Figure 10",
            "A correct tree for the contact lenses",
            lenses.figure_10,
            mh_lenses.draw_figure_10,
            summary="The tree of each reading, and its errors on the cases it was made of; all numbers are exact.",
            enlarge=False,
        ),
        ArtifactSpec(
            "martin-hirschberg-text-lenses-24",
            "In the text, section 6",
            "Estimates of the error of a perfect tree",
            lenses.lenses_24,
            summary="Mean and standard deviation of six repetitions on the same cases, in percent.",
        ),
        ArtifactSpec(
            "martin-hirschberg-table-11",
            "Table 11",
            "Trees of samples with replacement",
            lens_tables.table_11,
            mh_lenses.draw_table_11,
            summary="Mean and standard deviation of six samples, in percent; with more repeats, the mean of these "
            "statistics over many groups of six.",
        ),
        ArtifactSpec(
            "martin-hirschberg-text-lenses-correlation",
            "In the text, after Table 11",
            "Correlation with the true error, six samples",
            lens_tables.text_correlations,
            mh_lenses.draw_correlations,
            summary="Correlation coefficients of six pairs; with more repeats, their mean over many groups of six, and "
            "the coefficient over all samples.",
        ),
        ArtifactSpec(
            "martin-hirschberg-lens-counts",
            "In the text, footnote 21 and on complexity",
            "Distinct items, saturated trees",
            lenses.tree_counts,
            summary="Expected distinct items in a sample, the largest and the smallest correct tree (exact); mean "
            "numbers of nodes.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-12",
            "Figure 12",
            "True error by sample size and noise",
            lens_figures.figure_12,
            mh_lenses.draw_figure_12,
            summary="Mean true error in percent, by the paper's formula and exactly.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-13",
            "Figure 13",
            "Apparent error and leave-one-out by sample size and noise",
            lens_figures.figure_13,
            mh_lenses.draw_figure_13,
            summary="Mean estimates in percent.",
        ),
        ArtifactSpec(
            "martin-hirschberg-figure-14",
            "Figure 14",
            "Mean estimate against mean true error",
            lens_figures.figure_14,
            mh_lenses.draw_figure_14,
            summary="Means and standard deviations of six samples, in percent, and the true error at which 632b's bias "
            "changes sign.",
        ),
        ArtifactSpec(
            "martin-hirschberg-table-15",
            "Table 15, upper half",
            "Correlations of six samples under noise",
            lens_noise.table_15,
            mh_lenses.draw_table_15,
            summary="Correlation coefficients of six pairs; with more repeats, their mean over groups of six.",
        ),
        ArtifactSpec(
            "martin-hirschberg-table-15-regression",
            "Table 15, lower half",
            "Regressions of two hundred samples",
            lens_noise.table_15_regression,
            mh_lenses.draw_regressions,
            summary="Intercepts (percent), slopes and correlation coefficients, and the p-value of no correlation.",
        ),
    ),
    weight=25,
    inputs=lenses.inputs,
)

_CONCLUSIONS = NotebookSpec(
    "martin-hirschberg/07-conclusions",
    _PAPER,
    "Seven conclusions, executed",
    conclusions.ConclusionsParameters,
    (
        ArtifactSpec(
            "martin-hirschberg-conclusions",
            "Section 7",
            "Bias, spread and correlation of all estimators with all methods",
            conclusions.conclusions,
            summary="Mean of (estimate − true error) and standard deviation of the estimate, in percent, and "
            "correlation with the true error, all within a population and size and averaged over these.",
        ),
    ),
    weight=20,
    inputs=lenses.inputs,
)

NOTEBOOKS = (_LENSES, _CONCLUSIONS)
