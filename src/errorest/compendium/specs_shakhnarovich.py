"""Notebooks and artifacts of Shakhnarovich, El-Yaniv & Baram (2001), sections 6 and 9: synthetic data, conclusions."""

from __future__ import annotations

from functools import partial

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.evidence.artifact import Artifact
from errorest.papers.shakhnarovich.conclusions import artifacts as conclusions
from errorest.papers.shakhnarovich.corrected import artifacts as corrected
from errorest.papers.shakhnarovich.reused import artifacts as reused
from errorest.papers.shakhnarovich.synthetic import artifacts as synthetic
from errorest.papers.shakhnarovich.synthetic import contests as synthetic_contests
from errorest.papers.shakhnarovich.synthetic import figures

__all__ = ["CONCLUSIONS", "NOTEBOOKS"]

_PAPER = "shakhnarovich"
_TITLES = {
    1: "Two classes that differ, five attributes",
    2: "No information, five attributes",
    3: "Two classes that differ, two attributes",
    4: "No information, two attributes",
    5: "Two classes far apart, ten attributes",
}
_SECONDS = {1: 24.0, 2: 24.0, 3: 27.0, 4: 29.0, 5: 215.0}


def _table(setting: int) -> Artifact:
    return ArtifactSpec(
        f"shakhnarovich-table-{setting + 7}",
        f"Table {setting + 7}",
        f"Setting {setting}: {_TITLES[setting]}",
        partial(synthetic.table, setting),
        figures.draw_estimators,
        summary="Mean, standard deviation and root mean square error of each estimator, proportions.",
        matrix=True,
        weight=_SECONDS[setting],
    )


_SYNTHETIC = NotebookSpec(
    "shakhnarovich/01-synthetic",
    _PAPER,
    "Cloning on synthetic data",
    synthetic.SyntheticParameters,
    (
        ArtifactSpec(
            "shakhnarovich-table-1",
            "Table 1",
            "Five settings",
            synthetic.table_1,
            summary="The settings, which are inputs, and the least error that any classifier could have in each, a "
            "proportion.",
            matrix=True,
        ),
        *(_table(setting) for setting in _TITLES),
        ArtifactSpec(
            "shakhnarovich-reused-samples",
            "On Table 12",
            "How many training samples lie behind Table 12",
            reused.reused_samples,
            figures.draw_reused,
            summary="Of our independent trials in setting 5: standard deviation of the true error, mean of "
            "leave-one-out minus true error, and their correlation.",
        ),
        ArtifactSpec(
            "shakhnarovich-table-2",
            "Table 2",
            "The best new and the best old estimator",
            synthetic_contests.table_2,
            figures.draw_table_2,
            summary="For each setting and classifier: the estimators with the smallest RMSE of their kind, and the "
            "paired test between them; proportions. The share beside a name says how often it comes first in trials "
            "drawn anew.",
        ),
        ArtifactSpec(
            "shakhnarovich-claims-synthetic",
            "In the text",
            "How often the new estimators win",
            synthetic_contests.claims,
            summary="Number of cases, one a setting and classifier.",
        ),
    ),
    weight=330,
)

_CORRECTED = NotebookSpec(
    "shakhnarovich/02-correct-632plus",
    _PAPER,
    "Synthetic data with the correct .632+",
    synthetic.SyntheticParameters,
    (
        ArtifactSpec(
            "shakhnarovich-corrected-synthetic",
            "Beyond the paper",
            "The same trials with the .632+ of its inventors",
            corrected.corrected_synthetic,
            figures.draw_corrected,
            summary="Root mean square error by case, a proportion; number of cases in which one estimator's is smaller "
            "than another's.",
        ),
    ),
    weight=5,
)

_CONCLUSIONS = NotebookSpec(
    "shakhnarovich/06-conclusions",
    _PAPER,
    "Is cloning worth it?",
    conclusions.ConclusionsParameters,
    (
        ArtifactSpec(
            "shakhnarovich-claims-all",
            "Section 9",
            "How often the new estimators win, over all cases",
            conclusions.all_claims,
            summary="Number of cases, one a setting or data set and classifier.",
        ),
        ArtifactSpec(
            "shakhnarovich-corrected-all",
            "Beyond the paper",
            "All cases with the .632+ of its inventors",
            conclusions.all_corrected,
            figures.draw_corrected,
            summary="Root mean square error by case, a proportion; number of cases in which one estimator's is smaller "
            "than another's.",
        ),
    ),
    weight=5,
    inputs=conclusions.read_digests,
)

NOTEBOOKS = (_SYNTHETIC, _CORRECTED)
"""The synthetic half; it comes before the notebooks on real data."""

CONCLUSIONS = (_CONCLUSIONS,)
"""What needs both halves, hence comes last."""
