"""Progress: a bar over the steps of a command, which weigh their usual seconds.

``benchmarks/notebooks.csv`` has the seconds of each notebook, from ``compendium build --record``.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from tqdm import tqdm

from compendium.book.places import root, write_whole

_UNKNOWN = 10.0
_FORMAT = "{desc:<40.40} {bar:24} {percentage:3.0f} %  {elapsed} gone, about {remaining} left"
_EVERY = {True: 0.2, False: 20.0}
# The share that must be done before its pace tells the time left; until then the usual seconds do
_LEAST_SHARE = 0.02


class _Line(tqdm):
    """A line whose total is usual seconds: at the start they tell the time left."""

    @property
    def format_dict(self) -> MutableMapping[str, Any]:
        values, total = super().format_dict, self.total or 0.0
        # sums of shares exceed the whole by rounding, and no time left is below 0
        values["n"] = min(self.n, total)
        if self.n < _LEAST_SHARE * total:
            left = total - values["elapsed"]
            values["rate"] = (total - self.n) / left if left > 0 else 0  # 0 is shown as a question mark
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


def _recorded() -> Path:
    return root() / "benchmarks" / "notebooks.csv"


@cache
def usual_seconds() -> dict[str, float]:
    """Read the usual seconds of each notebook at published scale on one core."""
    with open(_recorded(), newline="", encoding="utf-8") as file:
        return {r["notebook"]: float(r["seconds"]) for r in csv.DictReader(file)}


def seconds_of(notebook_id: str) -> float:
    return usual_seconds().get(notebook_id, _UNKNOWN)


def write_usual_seconds(measured: Mapping[str, float]) -> None:
    """Write the seconds that notebooks took, in place of those recorded."""
    seconds = {**usual_seconds(), **measured}
    write_whole(_recorded(), "".join(["notebook,seconds\n", *(f"{name},{s:.1f}\n" for name, s in seconds.items())]))
    usual_seconds.cache_clear()
