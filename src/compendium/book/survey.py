"""What the artifacts ask for at the published scale: their studies, with all cells and chunks.

It is found by computing the artifacts from whatever their studies are given as, be it one replicate a cell.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pandas as pd

from compendium.book import catalogue
from compendium.book.session import regenerated_frame, yielded
from compendium.evidence.verdicts import REGENERATED_COLUMNS
from compendium.studies.columns import Column
from compendium.studies.study import Piece, Study, pieces_of, table_of
from compendium.studies.workers import Measure, measured
from errorest.errors import UsageError

Run = Callable[[Study], pd.DataFrame]


@dataclass
class SurveyedStudy:
    """A study as the artifacts ask for it: its cells and chunks, in an order that does not depend on who asks first.

    Artifacts that fail for want of replicates ask for their studies in another order than those of a complete build.
    """

    version: int
    measure: Measure
    artifacts: list[str] = field(default_factory=list)
    pieces: dict[str, Piece] = field(default_factory=dict)
    # by key: the first replicate of a cell, and the key of a chunk that begins with it
    firsts: dict[str, tuple[Piece, str]] = field(default_factory=dict)

    def add(self, study: Study, artifact: str) -> None:
        """Add the cells and chunks that are new."""
        if (self.version, self.measure) != (study.version, study.measure):
            raise UsageError(f"two studies are called '{study.id}'", "give each measure and version an id of its own")
        pieces = {piece.key: piece for piece in pieces_of(study)}
        if pieces.keys() <= self.pieces.keys():
            return
        beginning = [key for key, piece in pieces.items() if piece.task.start == 0]
        for one, chunk in zip(pieces_of(replace(study, replicates=1)), beginning, strict=True):
            self.firsts.setdefault(one.key, (one, chunk))
        self.artifacts += [] if artifact in self.artifacts else [artifact]
        self.pieces = dict(sorted((self.pieces | pieces).items(), key=lambda one: _order(one[1])))
        self.firsts = dict(sorted(self.firsts.items(), key=lambda one: _order(one[1][0])))


def _order(piece: Piece) -> tuple[str, int, int]:
    """Return what sorts chunks: the cell, then the replicates."""
    task = piece.task
    return repr((sorted(task.cell.items()), task.seed, sorted(task.seed_cell.items()))), task.start, task.stop


def survey(artifacts: Iterable[str], run: Run) -> tuple[dict[str, SurveyedStudy], pd.DataFrame]:
    """Compute artifacts at the published scale; return the studies that they ask for, and the rows of those without.

    What fails for want of replicates is passed over, so an artifact asks for all its studies before it computes.
    """
    studies: dict[str, SurveyedStudy] = {}
    rows = [pd.DataFrame(columns=list(REGENERATED_COLUMNS))]
    for name in artifacts:
        notebook, spec = catalogue.artifact(name)
        parameters = notebook.parameters()
        studied: list[str] = []

        def note(study: Study, name: str = name, studied: list[str] = studied) -> pd.DataFrame:
            studied.append(study.id)
            studies.setdefault(study.id, SurveyedStudy(study.version, study.measure)).add(study, name)
            return run(study)

        with warnings.catch_warnings(action="ignore", category=RuntimeWarning):
            try:
                made = yielded(spec, notebook.paper, parameters, "published", note)
            except (ArithmeticError, LookupError, ValueError) as exc:
                if not studied or isinstance(exc, UsageError):
                    raise
                larger = parameters.enlarged() if spec.enlarge else None
                with suppress(ArithmeticError, LookupError, ValueError):
                    _ = larger is None or spec.compute(larger, note)
        if not studied:
            rows.append(regenerated_frame(name, made))
    return studies, pd.concat(rows[1:] or rows, ignore_index=True)


def every_artifact() -> list[str]:
    return [artifact.id for notebook in catalogue.notebooks() for artifact in notebook.artifacts]


class OneReplicate:
    """Runs one replicate of each cell of a study, and keeps what it measured by key."""

    def __init__(self, jobs: int = 1, say: Callable[[str], None] | None = None) -> None:
        self._jobs, self._say = jobs, say
        self.columns: dict[str, dict[str, Column]] = {}

    def __call__(self, study: Study) -> pd.DataFrame:
        """Return the table of the first replicates."""
        one = replace(study, replicates=1)
        pieces = pieces_of(one)
        missing = [piece for piece in pieces if piece.key not in self.columns]
        for position, columns in measured([piece.task for piece in missing], self._jobs, self._say):
            self.columns[missing[position].key] = columns
        return table_of(one, pieces, [self.columns[piece.key] for piece in pieces])
