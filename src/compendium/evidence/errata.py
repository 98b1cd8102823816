"""Evidence of errata: what ``errata.yaml`` says of a print, computed from the printed and the regenerated numbers.

A paper's ``errata.py`` has named functions that yield places in the paper, each with a text that the entry of that
place has to contain; the errata page shows both::

    @evidence("kohavi-text-632")
    def cases_of_a_bootstrap_sample(artifact: str) -> Iterator[Statement]:
        yield "Section 2.3", f"{100 * (1 - 0.99**100):.1f} % at n = 100"

``FINDINGS`` and ``CHECKS`` stand for the findings and the checks that are recorded of an artifact.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import pandas as pd

from compendium.evidence.papers import PAPERS
from compendium.evidence.results import read_errata
from compendium.evidence.texts import paper_of
from compendium.evidence.verdicts import read_published, read_regenerated

FINDINGS, CHECKS = "findings", "checks"
"""In the place of a passage: the findings and the checks that are recorded of an artifact."""

Statement = tuple[str, str]
"""A place in the paper, and what the erratum of that place has to say."""


@dataclass(frozen=True)
class Evidence:
    """A function that computes the evidence of errata, for each of some artifacts."""

    artifacts: tuple[str, ...]
    compute: Callable[[str], Iterable[Statement]]


class Derivation(NamedTuple):
    """One statement, with the artifact that it is of, and the function that computed it."""

    artifact: str
    place: str
    text: str
    evidence: Evidence


def evidence(*artifacts: str) -> Callable[[Callable[[str], Iterable[Statement]]], Evidence]:
    """Declare a function that yields statements, given the id of an artifact."""
    return lambda function: Evidence(artifacts, function)


def errata_module(paper: str) -> ModuleType | None:
    """Import the ``errata.py`` of a paper; None where it has none."""
    if not (PAPERS[paper].folder / "errata.py").is_file():
        return None
    return importlib.import_module(f"{PAPERS[paper].package}.errata")


def derivations(paper: str) -> list[Derivation]:
    """Compute the evidence of all errata of a paper, function by function."""
    declared = [one for one in vars(errata_module(paper)).values() if isinstance(one, Evidence)]
    return [
        Derivation(artifact, place, text, one)
        for one in declared
        for artifact in one.artifacts
        for place, text in one.compute(artifact)
    ]


def recorded_words(artifact: str, place: str) -> str:
    """Return what is recorded of an artifact at a place; empty where nothing is."""
    entry = read_errata(paper_of(artifact)).get(artifact, {})
    if place == FINDINGS:
        return " ".join(entry.get("findings", []))
    chosen = entry.get("checks", []) if place == CHECKS else recorded_errata(artifact)
    return " ".join(str(v) for one in chosen if one.get("place", place) == place for v in one.values())


# The numbers that evidence is computed from


def recorded_errata(artifact: str) -> list[dict[str, Any]]:
    """Return the errata recorded of an artifact."""
    return list(read_errata(paper_of(artifact)).get(artifact, {}).get("errata", []))


@cache
def printed_cells(artifact: str) -> Mapping[tuple[str, str], Any]:
    """Return the lines of ``data/published`` of an artifact's results and labels, by row and column."""
    lines = read_published(paper_of(artifact)).query("artifact == @artifact and kind in ['result', 'label']")
    return {(str(r.row), str(r.column)): r for r in lines.itertuples()}


def printed_numbers(artifact: str) -> pd.DataFrame:
    """Return an artifact's printed results, rows down and columns across."""
    results = pd.DataFrame(printed_cells(artifact).values()).query("kind == 'result'").astype({"value": float})
    return results.pivot_table(index="row", columns="column", values="value", sort=False)


@cache
def regenerated_cells(
    artifact: str, scales: tuple[str, ...] = ("published", "enlarged")
) -> Mapping[tuple[str, str, str], Any]:
    """Return our rows by reading, row and column, each at the last of the scales that it was run at."""
    rows = read_regenerated(paper_of(artifact)).query("artifact == @artifact")
    ordered = pd.concat([rows[rows["scale"] == scale] for scale in scales])
    return {(str(r.reading), str(r.row), str(r.column)): r for r in ordered.itertuples()}


def regenerated_row(artifact: str, row: str, column: str, reading: str | None = None) -> Any:
    """Return our row of a key: ``value``, ``se``, ``n``; of the first reading, unless one is named."""
    cells = regenerated_cells(artifact).items()
    return next(r for (of, *key), r in cells if key == [row, column] and reading in (None, of))


def regenerated_values(artifact: str) -> dict[tuple[str, str], float]:
    """Return our values by row and column, of the first reading."""
    return {(row, column): r.value for (_, row, column), r in reversed([*regenerated_cells(artifact).items()])}
