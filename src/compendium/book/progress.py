"""Progress: a bar over the steps of a command, and the share of a notebook that is done.

``benchmarks/studies.csv`` has the usual seconds of each study, from ``compendium build --record``; a study that is not
listed weighs nothing, and a notebook without any is measured by its artifacts.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from functools import lru_cache
from io import StringIO
from pathlib import Path
from threading import Lock
from typing import Any

from tqdm import tqdm

from compendium.book.places import root, write_whole

_UNKNOWN = 10.0
_COLUMNS = ("notebook", "study", "seconds")
_FORMAT = "{desc:<40.40} {bar:24} {percentage:3.0f} %  {elapsed} gone, about {remaining} left"
_EVERY = {True: 0.2, False: 20.0}
# The share that must be done before the time left is estimated
_LEAST_SHARE = 0.02

_send: Callable[[dict[str, Any]], None] | None = None


def send_to(listener: Callable[[dict[str, Any]], None]) -> None:
    """Let a notebook's process send its progress to the one that started it."""
    global _send
    _send = listener


def send(**event: Any) -> bool:
    """Send the share that is done, seconds or a line of text to the process that started this one, if one did."""
    if _send is not None:
        _send(event)
    return _send is not None


class _Line(tqdm):
    """A line that does not estimate the time left at the start."""

    @property
    def format_dict(self) -> MutableMapping[str, Any]:
        values = super().format_dict
        if self.n < _LEAST_SHARE * (self.total or 0):
            values["rate"] = 0  # shown as a question mark
        return values


class Bar:
    """Progress over several steps, reported from any thread."""

    def __init__(self, seconds: Sequence[float]) -> None:
        self._seconds = list(seconds)
        self._shares = [0.0] * len(self._seconds)
        self._lock = Lock()
        terminal = sys.stderr.isatty()
        self._bar = _Line(
            total=sum(self._seconds),
            desc="starting",
            bar_format=_FORMAT if terminal else f"{_FORMAT.replace(' {bar:24}', '')}\n",
            file=sys.stderr,
            mininterval=_EVERY[terminal],
            smoothing=0,
        )

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def skip(self, step: int) -> None:
        """Count a step as done before the start."""
        with self._lock:
            self._seconds[step] = 0.0
            self._bar.total = sum(self._seconds)

    def say(self, text: str) -> None:
        self._bar.set_description_str(text, refresh=sys.stderr.isatty())

    def report(self, step: int, share: float) -> None:
        with self._lock:
            before = self._shares[step]
            self._shares[step] = max(before, min(1.0, share))
            self._bar.update(self._seconds[step] * (self._shares[step] - before))


@lru_cache(maxsize=1)
def _read(path: Path) -> list[tuple[str, str, float]]:
    with open(path, newline="", encoding="utf-8") as file:
        return [(r["notebook"], r["study"], float(r["seconds"])) for r in csv.DictReader(file)]


def usual_seconds(notebook_id: str) -> list[tuple[str, float]]:
    """Read the studies of a notebook in order, with seconds on one core; what it does besides them is named ``""``."""
    recorded = _read(root() / "benchmarks" / "studies.csv")
    return [(study, seconds) for notebook, study, seconds in recorded if notebook == notebook_id]


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
    write_whole(root() / "benchmarks" / "studies.csv", text.getvalue())
    _read.cache_clear()


class Work:
    """The share of a notebook that is done, by the usual seconds of its studies and of what it does besides them."""

    def __init__(self, usual: Sequence[tuple[str, float]], artifacts: int) -> None:
        self._waiting = [(study, seconds) for study, seconds in usual if study]
        rest = sum(seconds for study, seconds in usual if not study) if usual else 1.0
        self._artifact = rest / max(artifacts, 1)
        self._total = rest + sum(seconds for _, seconds in self._waiting)
        self._done = self._current = self._part = 0.0

    def begin(self, study: str) -> None:
        """Begin a study: the next of its name in the list."""
        place = next((i for i, (name, _) in enumerate(self._waiting) if name == study), None)
        self._current = 0.0 if place is None else self._waiting.pop(place)[1]

    def report(self, done: float, total: float) -> None:
        self._part = done / total if total else 1.0

    def end(self) -> None:
        self._done += self._current
        self._current = self._part = 0.0

    def shown(self) -> None:
        self._done += self._artifact

    @property
    def share(self) -> float:
        return (self._done + self._current * self._part) / self._total if self._total else 1.0
