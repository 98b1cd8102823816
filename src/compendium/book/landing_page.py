"""What the landing page shows: one sample with its estimates, and what the command prints on a small data set."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from compendium.book.labels import labeller
from compendium.book.places import root
from compendium.book.results import to_row
from compendium.book.runs import environment
from compendium.book.templating import fill
from errorest.errors import UsageError

__all__ = ["COMMAND", "command_output", "sample_table"]

COMMAND = ("estimate", "data/examples/wine.csv", "--target", "class")
"""The command that the landing page runs."""

_TRUE = {"this classifier": "True error of this classifier", "mean of such classifiers": "Mean of such classifiers"}
_SECONDS = 300
_TIMED = ("fits ",)
"""Lines that hold a duration, which differs from run to run."""


def command_output() -> str:
    """Run :data:`COMMAND` and return what it prints, without the lines that hold durations."""
    done = subprocess.run(
        [sys.executable, "-m", "errorest.cli.main", *COMMAND],
        cwd=root(),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    if done.returncode:
        raise UsageError(
            f"'errorest {' '.join(COMMAND)}' failed: {done.stderr.strip()[-500:]}; expected an estimate for the "
            "landing page; run it by hand"
        )
    return kept(done.stdout)


def kept(printed: str) -> str:
    """Leave out the lines that differ between equal runs."""
    return "\n".join(line for line in printed.rstrip().splitlines() if not line.startswith(_TIMED))


def sample_table(manifests: Mapping[str, Mapping[str, Any]]) -> str:
    """Return one sample's estimates as a table: the chosen one, the lowest and the highest, and the truth."""
    if not {"guide-own-estimates", "guide-own-truth"} <= set(manifests):
        return ""
    estimates, truth = manifests["guide-own-estimates"], manifests["guide-own-truth"]
    found, true = _by_row(estimates["rows"]), _by_row(truth["rows"])
    ordered = sorted(found, key=lambda row: (found[row]["error-percent"], row))
    label = labeller(estimates["labels"])
    names = {"chosen": "The library's choice"}
    names.setdefault(ordered[0], f"The lowest: {label(ordered[0])}")
    names.setdefault(ordered[-1], f"The highest: {label(ordered[-1])}")
    rows = [_line(estimates, row, name, found[row]) for row, name in names.items() if row in found]
    rows += [_line(truth, row, name, true[row]) for row, name in _TRUE.items() if row in true]
    error = true["this classifier"]["error-percent"]
    limits = [(own["low-percent"], own["high-percent"]) for own in found.values() if "low-percent" in own]
    return fill(
        "sample.html",
        rows=rows,
        errors=[own["error-percent"] for own in found.values()],
        intervals=len(limits),
        holding=sum(low <= error <= high for low, high in limits),
        coverage=next((str(f) for f in estimates["findings"] if f.startswith("In our simulations")), ""),
    )


def _line(manifest: Mapping[str, Any], row: str, name: str, own: Mapping[str, float]) -> tuple[object, ...]:
    limits = f"{own['low-percent']:.1f} to {own['high-percent']:.1f}" if "low-percent" in own else "–"
    return name, to_row(manifest, row, "error-percent", f"{own['error-percent']:.1f}"), limits


def _by_row(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for r in rows:
        if r["value"] is not None:
            found.setdefault(r["row"], {})[r["column"]] = float(r["value"])
    return {row: own for row, own in found.items() if "error-percent" in own}
