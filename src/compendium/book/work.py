"""How far a notebook is: its studies, weighed by their usual seconds, and what it does beside them.

The usual seconds of each study stand in ``benchmarks/studies.csv``, recorded by ``compendium build --record`` from a
complete build; a study that is not listed weighs nothing, and a notebook without any goes by its artifacts.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import lru_cache
from io import StringIO
from pathlib import Path

from compendium.book.places import root, write_whole

__all__ = ["Work", "seconds_of", "usual_seconds", "write_usual_seconds"]

_UNKNOWN = 10.0
_COLUMNS = ("notebook", "study", "seconds")


def _table() -> Path:
    return root() / "benchmarks" / "studies.csv"


@lru_cache(maxsize=1)
def _read(path: Path) -> tuple[tuple[str, str, float], ...]:
    with open(path, newline="", encoding="utf-8") as file:
        return tuple((r["notebook"], r["study"], float(r["seconds"])) for r in csv.DictReader(file))


def usual_seconds(notebook_id: str) -> list[tuple[str, float]]:
    """Read the studies of a notebook in the order in which it runs them, with seconds on one core.

    What it does beside studies has the name ``""``.
    """
    return [(study, seconds) for notebook, study, seconds in _read(_table()) if notebook == notebook_id]


def seconds_of(notebook_id: str) -> float:
    """Return the usual seconds of a notebook at published scale on one core."""
    return sum(seconds for _, seconds in usual_seconds(notebook_id)) or _UNKNOWN


def write_usual_seconds(measured: Mapping[str, Sequence[tuple[str, float]]]) -> None:
    """Write the seconds that notebooks took, in the order of the mapping."""
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMNS)
    for notebook, studies in measured.items():
        table.writerows((notebook, study, f"{seconds:.1f}") for study, seconds in studies)
    write_whole(_table(), text.getvalue())
    _read.cache_clear()


class Work:
    """The share of a notebook that is done."""

    def __init__(self, usual: Sequence[tuple[str, float]], artifacts: int) -> None:
        self._waiting = [(study, seconds) for study, seconds in usual if study]
        self._rest = sum(seconds for study, seconds in usual if not study) if usual else 1.0
        self._total = self._rest + sum(seconds for _, seconds in self._waiting)
        self._artifacts = artifacts
        self._shown = 0
        self._done = 0.0
        self._at_hand = 0.0
        self._part = 0.0

    def begin(self, study: str) -> None:
        """Begin a study: the next of its name in the list."""
        place = next((i for i, (name, _) in enumerate(self._waiting) if name == study), None)
        self._at_hand = 0.0 if place is None else self._waiting.pop(place)[1]
        self._part = 0.0

    def report(self, done: float, total: float) -> None:
        """Tell how much of the study at hand is done, in any unit of cost."""
        self._part = done / total if total else 1.0

    def end(self) -> None:
        """Finish the study at hand."""
        self._done += self._at_hand
        self._at_hand = self._part = 0.0

    def shown(self) -> None:
        """Finish an artifact."""
        self._shown += 1

    @property
    def share(self) -> float:
        """What is done of the whole, 0 to 1."""
        beside = self._rest * self._shown / self._artifacts
        return (self._done + self._at_hand * self._part + beside) / self._total if self._total else 1.0
