"""What the library ships of the coverage study: a line an interval, population, inducer and size."""

from __future__ import annotations

from collections.abc import Iterator

from compendium.evidence.results import Run
from compendium.guide.coverage.groups import group_lines
from compendium.guide.coverage.methods import METHODS
from compendium.guide.coverage.parameters import CoverageParameters
from compendium.guide.coverage.results import (
    FIRST,
    PROCEDURE,
    Coverage,
    covered,
    covered_elsewhere,
    covered_of_learners,
    covered_of_small_errors,
)
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.coverage_table import Counted


def counted_lines(p: CoverageParameters, run: Run) -> list[tuple[str, Counted]]:
    """Return all lines with the names of their methods, in the order of the study; groups come last."""
    measured = (
        covered(p, run),
        covered_of_small_errors(p, run),
        covered_elsewhere(p, run),
        covered_of_learners(p, run),
    )
    lines = [line for part in measured if part is not None for line in lines_of(part)]
    place = {method: k for k, method in enumerate(METHODS)}
    lines.sort(key=lambda line: place[line[0]])
    return [*lines, *group_lines(p, run)]


def lines_of(coverage: Coverage) -> Iterator[tuple[str, Counted]]:
    """Yield the lines of a study, and their methods: counts of the samples in which an interval held either target."""
    for c in coverage.cells.to_dict("records"):
        own, mean = (round(c[target] * c["samples"]) for target in (FIRST, PROCEDURE))
        made, error = parse_interval(c["interval"]).id, float(f"{c['error']:.4g}")
        yield c["method"], Counted(made, c["population"], c["inducer"], c["n"], own, mean, c["samples"], error)
