"""Notebooks and artifacts of Kohavi (1995), sections 4 and 5."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.papers.kohavi import estimates, study_claims, truth
from errorest.papers.kohavi import study_figures as figures

__all__ = ["NOTEBOOKS"]

_PAPER = "kohavi"
_MEANS = (
    "rows are data sets and inducers; a column is an estimate, by its mean or by its bias against the true accuracy"
)
_SPREADS = "rows are data sets and inducers; a column is an estimate, in points"

_TRUTH = NotebookSpec(
    "kohavi/02-true-accuracies",
    _PAPER,
    "Seven data sets and their true accuracies",
    truth.TruthParameters,
    (
        ArtifactSpec(
            "kohavi-table-1",
            "Table 1",
            "Data sets and true accuracies",
            truth.table_1,
            figures.draw_table_1,
            summary="What can be counted of each data set, and the inducers' accuracies in percent; the half-width is "
            "one standard error.",
        ),
        ArtifactSpec(
            "kohavi-learning-curves",
            "Section 4",
            "Learning curves",
            truth.learning_curves,
            figures.draw_learning_curves,
            summary="Accuracy in percent; rows are data sets and inducers, columns numbers of training cases.",
            enlarge=False,
        ),
    ),
    weight=200,
    inputs=truth.digests,
)

_ESTIMATES = NotebookSpec(
    "kohavi/03-cross-validation-and-bootstrap",
    _PAPER,
    "Cross-validation and bootstrap on seven data sets",
    estimates.StudyParameters,
    (
        ArtifactSpec(
            "kohavi-figure-1",
            "Figure 1",
            "Bias of cross-validation",
            estimates.figure_1,
            figures.draw_fold_means,
            summary=f"Cross-validation's estimates of the accuracy, in percent; {_MEANS}.",
        ),
        ArtifactSpec(
            "kohavi-text-stratified",
            "Section 5.1",
            "What stratification gains",
            study_claims.text_stratified,
            figures.draw_text_stratified,
            summary="Mean of stratified minus plain cross-validation, in points of accuracy.",
        ),
        ArtifactSpec(
            "kohavi-figure-2",
            "Figure 2",
            "Bias of the .632 bootstrap",
            estimates.figure_2,
            figures.draw_bootstrap_means,
            summary=f"The .632 bootstrap's estimates of the accuracy, in percent; {_MEANS}.",
        ),
        ArtifactSpec(
            "kohavi-text-bootstrap",
            "Section 5.1",
            "Where the bootstrap is too optimistic",
            study_claims.text_bootstrap,
            figures.draw_text_bootstrap,
            summary="Mean .632 estimate minus the true accuracy, in points.",
        ),
        ArtifactSpec(
            "kohavi-figure-3",
            "Figure 3",
            "Spread of cross-validation",
            estimates.figure_3,
            figures.draw_fold_spread,
            summary=f"Standard deviation of a single estimate; {_SPREADS}.",
        ),
        ArtifactSpec(
            "kohavi-figure-4",
            "Figure 4",
            "Spread of the .632 bootstrap",
            estimates.figure_4,
            figures.draw_bootstrap_spread,
            summary=f"Standard deviation of a single estimate; {_SPREADS}.",
        ),
        ArtifactSpec(
            "kohavi-propositions",
            "Proposition 1, Corollary 2",
            "The spread that theory predicts",
            study_claims.propositions,
            figures.draw_propositions,
            summary="Predicted standard deviation, and measured over predicted, by number of folds.",
        ),
        ArtifactSpec(
            "kohavi-claims",
            "In the text",
            "Deterioration, high variance, runs",
            study_claims.claims,
            summary="Fall of the learning curve from its best point to its end, in points; number of data sets; number "
            "of classifiers made.",
            once=("text",),
        ),
        ArtifactSpec(
            "kohavi-model-selection",
            "Section 6",
            "Choosing an inducer",
            study_claims.model_selection,
            figures.draw_model_selection,
            summary="By estimate: root mean square error in points, and how often it picks the better inducer.",
        ),
    ),
    weight=180,
    inputs=estimates.checked_digests,
)

_ANOTHER = NotebookSpec(
    "kohavi/04-another-data-set",
    _PAPER,
    "The same questions about your own data",
    estimates.AnotherParameters,
    (
        ArtifactSpec(
            "kohavi-another-folds",
            "As Figure 1",
            "Bias of cross-validation on another data set",
            estimates.figure_1,
            figures.draw_fold_means,
            summary=f"Cross-validation's estimates of the accuracy, in percent; {_MEANS}.",
        ),
        ArtifactSpec(
            "kohavi-another-bootstrap",
            "As Figure 2",
            "Bias of the .632 bootstrap on another data set",
            estimates.figure_2,
            figures.draw_bootstrap_means,
            summary=f"The .632 bootstrap's estimates of the accuracy, in percent; {_MEANS}.",
        ),
        ArtifactSpec(
            "kohavi-another-choice",
            "As section 6",
            "Choosing a classifier on another data set",
            study_claims.model_selection,
            figures.draw_model_selection,
            summary="By estimate: root mean square error in points, and how often it picks the better classifier.",
        ),
    ),
    weight=30,
    inputs=estimates.checked_digests,
)

NOTEBOOKS = (_TRUTH, _ESTIMATES, _ANOTHER)
