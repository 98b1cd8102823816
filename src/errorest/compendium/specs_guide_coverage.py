"""Notebook and artifacts of this project's own measurements: coverage and width of every interval."""

from __future__ import annotations

from errorest.compendium.specs import ArtifactSpec, NotebookSpec
from errorest.guide.coverage import artifacts as coverage
from errorest.guide.coverage import claims as coverage_claims
from errorest.guide.coverage import figures
from errorest.guide.coverage import tables as coverage_tables

__all__ = ["NOTEBOOKS"]

_COVERAGE = NotebookSpec(
    "guide/02-coverage",
    "guide",
    "How often intervals hold the true error",
    coverage.CoverageParameters,
    (
        ArtifactSpec(
            "guide-coverage-map",
            "The map",
            "Coverage of every interval by sample size",
            coverage_tables.coverage_map,
            figures.draw_map,
            summary="Coverage in percent for both targets: mean over populations and inducers, then the worst of these "
            "cells; rows are intervals, columns sample sizes. Empty: left out for its cost.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-coverage-width",
            "The price",
            "Width of every interval by sample size",
            coverage_tables.widths,
            figures.draw_widths,
            summary="Mean width in points of error rate, cut at 0 and 100 %, and as a multiple of the binomial width.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-coverage-close-up",
            "Close-up",
            "Small samples by population and inducer",
            coverage_tables.close_up,
            figures.draw_close_up,
            summary="Coverage of the error of this classifier, in percent; rows are inducers, in groups by population "
            "and sample size.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-coverage-degenerate",
            "No width",
            "Intervals without width, and undefined ones",
            coverage_tables.degenerate,
            summary="Share of the samples, in percent; intervals that are never either have no row.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-coverage-benchmark",
            "Below the benchmark",
            "What holds of the benchmark's advice on smaller samples",
            coverage_claims.benchmark,
            summary="Number of cells (a population with an inducer) in which an interval falls short of the nominal "
            "share by more than the slack, and of all cells.",
            matrix=True,
        ),
        ArtifactSpec(
            "guide-coverage-run",
            "How it was run",
            "What was run, and what was left out",
            coverage_tables.how_it_was_run,
            summary="Classifiers that an interval makes of one sample; those that an interval left out would have made "
            "with the fewest repeats allowed; samples drawn of each population for each inducer, 0 where left out.",
            matrix=True,
        ),
    ),
    weight=1000,
    inputs=coverage.inputs,
)

NOTEBOOKS = (_COVERAGE,)
