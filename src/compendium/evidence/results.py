"""What an artifact's function returns: rows to compare, data to draw, claims checked.

A row carries the key of a printed number (row and column as in
``data/published/``), in the printed unit, with its Monte Carlo standard error
and the number of replicates.  Nothing here knows what was printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.judging import PredictionInterval
from compendium.evidence.papers import PAPERS
from compendium.studies.study import Study

__all__ = [
    *("ArtifactResult", "Check", "Erratum", "Outcome", "ResultsByScale", "Row", "Run"),
    *("printed_errata", "read_errata", "rows_of"),
]

Run = Callable[[Study], pd.DataFrame]
"""Runs a study, or finds it in the store."""

Outcome = Literal["holds", "fails", "holds in part", "not decided"]
"""What follows for a claim."""


class Row(NamedTuple):
    """One regenerated number.

    ``reading`` is ``literal``, ``unstated:<name>`` or ``fitted:<name>``; ``artifact`` is
    empty but for a number that is printed under another artifact's name.  ``reruns`` says what a count, or
    another number without a normal error, comes to when the whole experiment is rerun at the paper's repeats.

    Examples
    --------
    >>> Row("literal", "n=10", "bias", -0.4, 0.1, 100).artifact
    ''
    """

    reading: str
    row: str
    column: str
    value: float
    se: float
    n: int
    artifact: str = ""
    reruns: PredictionInterval | None = None

    @classmethod
    def of(cls, reading: str, row: str, column: str, measured: Estimate, artifact: str = "") -> Row:
        """Make the row of a measured value.

        Examples
        --------
        >>> Row.of("literal", "n=10", "bias", Estimate(-0.4, 0.1, 100)).n
        100
        """
        return cls(reading, row, column, measured.value, measured.se, measured.n, artifact)

    @classmethod
    def exact(cls, reading: str, row: str, column: str, value: float) -> Row:
        """Make the row of a number that was counted or calculated: its error is 0 and n is 1.

        Examples
        --------
        >>> Row.exact("literal", "iris", "total-size", 150).se
        0.0
        """
        return cls(reading, row, column, float(value), 0.0, 1)


class Check(NamedTuple):
    """A claim of a paper, executed: the claim in our words, what was measured, what follows.

    ``fewest`` is the smallest number of samples behind a value, where that is known; ``vacuous`` says that nothing of
    what the claim speaks of was run.  ``name`` and ``exact`` are those of ``artifacts.yaml``: exact numbers
    decide an exact claim, whatever was sampled.  ``reading`` stands behind the claim in brackets.

    Examples
    --------
    >>> Check("Leave-one-out is unbiased.", "bias 0.1 +- 0.2 points", "holds").outcome
    'holds'
    """

    claim: str
    evidence: str
    outcome: Outcome
    fewest: int | None = None
    vacuous: bool = False
    name: str = ""
    reading: str = ""
    exact: bool = False


class Erratum(NamedTuple):
    """An error found in a paper, with the evidence that the run itself yields.

    ``kind`` is "substantive" (it changes a statement or a number), "labelling" (a name, row, citation or unit is
    that of another) or "typographical".

    Examples
    --------
    >>> Erratum("Lemma 2", "3 trials", "3/2 trials", "1.4998 trials in 10,000 draws").as_scanned
    False
    """

    place: str
    printed: str
    should_be: str
    evidence: str
    as_scanned: bool = False
    kind: str = "substantive"


@dataclass(frozen=True)
class ArtifactResult:
    """Everything that one artifact's function yields.

    Parameters
    ----------
    rows : list of Row
    data : mapping of str to DataFrame
        What a figure is drawn from, and tables beyond the printed keys.
    checks : list of Check
    findings : list of str
        What came out, in sentences whose numbers are computed (Markdown).
    errata : list of Erratum

    Examples
    --------
    >>> made = ArtifactResult([Row("literal", "n=10", "bias", -0.4, 0.1, 100)])
    >>> len(made.rows), made.errata
    (1, [])
    """

    rows: list[Row] = field(default_factory=list)
    data: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)
    errata: list[Erratum] = field(default_factory=list)

    def __add__(self, more: ArtifactResult) -> ArtifactResult:
        """Concatenate rows, data, checks, findings and errata.

        Examples
        --------
        >>> (ArtifactResult(findings=["first"]) + ArtifactResult(findings=["second"])).findings
        ['first', 'second']
        """
        return ArtifactResult(
            self.rows + more.rows,
            {**self.data, **more.data},
            self.checks + more.checks,
            self.findings + more.findings,
            self.errata + more.errata,
        )


class ResultsByScale(dict[str, ArtifactResult]):
    """An artifact's results by scale, ``published`` or ``preview``, and ``enlarged`` where that was run.

    Examples
    --------
    >>> results = ResultsByScale(preview=ArtifactResult(), enlarged=ArtifactResult(findings=["more samples"]))
    >>> results.published.findings, results.largest[0], results.shown[0]
    ([], 'enlarged', 'preview')
    """

    @property
    def shown(self) -> tuple[str, ArtifactResult]:
        """The scale that figures, tables and prose share, and its results: as many samples as the parameters give."""
        return next(iter(self.items()))

    @property
    def published(self) -> ArtifactResult:
        """The results with the number of samples that the parameters give."""
        return self.shown[1]

    @property
    def largest(self) -> tuple[str, ArtifactResult]:
        """The scale with the most samples, and its results."""
        return list(self.items())[-1]


def rows_of(reading: str, row: str, measured: Iterable[tuple[str, Estimate]], factor: float = 1.0) -> list[Row]:
    """Make rows of measured values, one a column, times ``factor`` (100 for percent).

    Examples
    --------
    >>> rows = rows_of("literal", "n=10", [("bias", Estimate(-0.004, 0.001, 100))], factor=100)
    >>> rows[0].value, rows[0].n
    (-0.4, 100)
    """
    return [Row.of(reading, row, column, m * factor) for column, m in measured]


def read_errata(paper: str) -> dict[str, Any]:
    """Read what is recorded of a paper, by artifact; nothing where the paper has no file.

    ``errata.yaml`` has checks, findings and errata of the printed numbers themselves, in their final
    words, for a print stays; a test derives them again from ``data/published`` and ``data/regenerated``.

    Examples
    --------
    >>> read_errata("no-such-paper")
    {}
    """
    return PAPERS[paper].read("errata") if paper in PAPERS else {}


def printed_errata(paper: str, artifact: str) -> ArtifactResult:
    """Return what is recorded of an artifact: true of the published parameters alone.

    Examples
    --------
    >>> printed_errata("kohavi", "kohavi-figure-1").rows
    []
    """
    own = read_errata(paper).get(artifact, {})
    return ArtifactResult(
        checks=[Check(**one) for one in own.get("checks", [])],
        findings=list(own.get("findings", [])),
        errata=[Erratum(**one) for one in own.get("errata", [])],
    )
