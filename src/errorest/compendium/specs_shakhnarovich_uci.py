"""Notebooks and artifacts of Shakhnarovich, El-Yaniv & Baram (2001), sections 4, 7 and 8: kernels, clones, UCI data."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.shakhnarovich.clones import artifacts as kernels_and_clones
from errorest.papers.shakhnarovich.clones import figures as cloning
from errorest.papers.shakhnarovich.synthetic import figures as shared
from errorest.papers.shakhnarovich.uci import cases as uci_cases
from errorest.papers.shakhnarovich.uci import clones as uci_clones
from errorest.papers.shakhnarovich.uci import cost as uci_cost
from errorest.papers.shakhnarovich.uci import data as uci_data
from errorest.papers.shakhnarovich.uci import figures
from errorest.papers.shakhnarovich.uci import tables as uci_tables
from errorest.papers.shakhnarovich.uci import winners as uci_winners

__all__ = ["NOTEBOOKS"]

_PAPER = "shakhnarovich"
_OF_ESTIMATORS = "Mean, standard deviation and root mean square error of each estimator, proportions."

_KERNELS = NotebookSpec(
    "shakhnarovich/03-kernels-and-clones",
    _PAPER,
    "How a clone is made",
    kernels_and_clones.ClonesParameters,
    (
        ArtifactSpec(
            "shakhnarovich-figure-1",
            "Figure 1",
            "A kernel at a boundary",
            kernels_and_clones.figure_1,
            cloning.draw_figure_1,
            summary="What is left of the kernel inside the bounds (a proportion), and the factor by which it rises.",
            enlarge=False,
        ),
        ArtifactSpec(
            "shakhnarovich-lemma-2",
            "Lemma 2",
            "How long rejection takes",
            kernels_and_clones.lemma_2,
            summary="Trials and uniform numbers for one draw of Algorithm 2, counted.",
            enlarge=False,
        ),
        ArtifactSpec(
            "shakhnarovich-figure-2",
            "Figure 2",
            "What the correction gains",
            kernels_and_clones.figure_2,
            cloning.draw_figure_2,
            summary="Reduction of the L1 error within one bandwidth of the boundary, percent, and the bandwidth.",
        ),
        ArtifactSpec(
            "shakhnarovich-figure-3",
            "Figure 3",
            "Kernels of integers",
            kernels_and_clones.figure_3,
            cloning.draw_figure_3,
            summary="Weight of each value (a proportion) for each case of the sample, and the bandwidth.",
            enlarge=False,
        ),
        ArtifactSpec(
            "shakhnarovich-equations",
            "Sections 4 and 7",
            "Equations put to the test",
            kernels_and_clones.equations,
            summary="Equation 11 for a normal density; sums over the values of a nominal attribute for equation 24.",
            enlarge=False,
        ),
        ArtifactSpec(
            "shakhnarovich-figure-6",
            "Figure 6",
            "A data set and its clone",
            uci_clones.figure_6,
            cloning.draw_figure_6,
            summary="Largest gap between the distribution functions of data and clone, by attribute, and correlations.",
            enlarge=False,
        ),
        ArtifactSpec(
            "shakhnarovich-figure-7",
            "Figure 7",
            "What a clone loses",
            uci_clones.figure_7,
            cloning.draw_figure_7,
            summary="Distinct points, and the share of cases at the most frequent value of one attribute.",
            enlarge=False,
        ),
    ),
    weight=25,
    inputs=uci_clones.digests,
)

_UCI = NotebookSpec(
    "shakhnarovich/04-uci",
    _PAPER,
    "Cloning on real data",
    uci_cases.UciParameters,
    (
        ArtifactSpec(
            "shakhnarovich-table-3",
            "Table 3",
            "Three data sets",
            uci_data.table_3,
            summary="Cases, features, classes; features by kind; distinct cases.",
        ),
        ArtifactSpec(
            "shakhnarovich-table-13",
            "Table 13",
            "Breast cancer",
            uci_tables.table_13,
            shared.draw_estimators,
            summary=_OF_ESTIMATORS,
            matrix=True,
            weight=60.0,
        ),
        ArtifactSpec(
            "shakhnarovich-table-14",
            "Table 14",
            "Vehicle",
            uci_tables.table_14,
            shared.draw_estimators,
            summary=_OF_ESTIMATORS,
            matrix=True,
            weight=850.0,
        ),
        ArtifactSpec(
            "shakhnarovich-table-15",
            "Table 15",
            "Pima",
            uci_tables.table_15,
            shared.draw_estimators,
            summary=_OF_ESTIMATORS,
            matrix=True,
            weight=210.0,
        ),
        ArtifactSpec(
            "shakhnarovich-table-4",
            "Table 4",
            "The best new and the best old estimator",
            uci_winners.table_4,
            shared.draw_table_2,
            summary="For each data set and classifier: the estimators with the smallest RMSE of their kind, and the "
            "paired test between them; proportions. The share beside a name says how often it comes first in trials "
            "drawn anew.",
        ),
        ArtifactSpec(
            "shakhnarovich-table-5",
            "Table 5",
            "The .632+ with and without cloning",
            uci_winners.table_5,
            figures.draw_table_5,
            summary="RMSE (a proportion) of the .632+ by data set and classifier, and the p-value of the difference.",
        ),
        ArtifactSpec(
            "shakhnarovich-table-6",
            "Table 6",
            "Is repetition enough?",
            uci_winners.table_6,
            figures.draw_table_6,
            summary="Number of cases in which repeated cross-validation is worse or better than a new estimator.",
        ),
        ArtifactSpec(
            "shakhnarovich-figure-4",
            "Figure 4",
            "Tails of the error: support vector machines",
            uci_tables.figure_4,
            figures.draw_errors,
            summary="Absolute error (a proportion) beyond which cloning has the thinner tail; bias and RMSE.",
        ),
        ArtifactSpec(
            "shakhnarovich-figure-5",
            "Figure 5",
            "Tails of the error: 17-NN on Pima",
            uci_tables.figure_5,
            figures.draw_errors,
            summary="Absolute error (a proportion) beyond which cloning has the thinner tail; bias and RMSE.",
        ),
        ArtifactSpec(
            "shakhnarovich-claims-uci",
            "In the text",
            "How often the new estimators win",
            uci_winners.text_claims,
            summary="Number of cases, one a data set and classifier.",
        ),
    ),
    weight=800,
    inputs=uci_data.digests,
)

_COST = NotebookSpec(
    "shakhnarovich/05-cost",
    _PAPER,
    "What an estimate costs",
    uci_cost.CostParameters,
    (
        ArtifactSpec(
            "shakhnarovich-table-7",
            "Table 7",
            "Classifiers made for one estimate",
            uci_cost.table_7,
            figures.draw_table_7,
            summary="Classifiers made, cases labelled, clones drawn; classifiers over those of the plain bootstrap.",
        ),
    ),
    weight=3,
    inputs=uci_data.digests,
)

NOTEBOOKS = (_KERNELS, _UCI, _COST)
