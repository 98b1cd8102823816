"""What the landing page shows: one sample with all its estimates, and the command's own words on a small data set."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from compendium.book.labels import labeller
from compendium.book.marks import Mark, marks_html
from compendium.book.numbers import row_anchor
from compendium.book.places import root
from compendium.book.runner import environment
from errorest.errors import UsageError

__all__ = ["COMMAND", "command_output", "sample_picture"]

COMMAND = ("estimate", "data/examples/wine.csv", "--class-column", "class")
"""The command that the landing page runs."""

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


def sample_picture(manifests: Mapping[str, Mapping[str, Any]]) -> str:
    """Draw one sample's estimates below each other, with their intervals and the truth as a line."""
    if not {"guide-own-estimates", "guide-own-truth"} <= set(manifests):
        return ""
    estimates, truth = manifests["guide-own-estimates"], manifests["guide-own-truth"]
    found = _by_row(estimates["rows"])
    true = _by_row(truth["rows"])
    label = labeller(estimates["labels"])
    marks = [
        Mark(
            "The library's choice" if row == "chosen" else label(row),
            own["error-percent"],
            own.get("low-percent", float("nan")),
            own.get("high-percent", float("nan")),
            row == "chosen",
            f"../notebooks/{estimates['notebook']}.html#{row_anchor(estimates, row, 'error-percent')}",
        )
        for row, own in found.items()
    ]
    marks.sort(key=lambda m: (not m.strong, m.value, m.name))
    mine = true["this classifier"]["error-percent"]
    lines = [("truth, this classifier:", mine)]
    procedure = true.get("mean of such classifiers")
    if procedure is not None:
        lines.append(("truth, mean of such classifiers:", procedure["error-percent"]))
    return marks_html(marks, _told(marks, mine, estimates), "%", lines)


def _by_row(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for r in rows:
        if r["value"] is not None:
            found.setdefault(r["row"], {})[r["column"]] = float(r["value"])
    return {row: own for row, own in found.items() if "error-percent" in own}


def _told(marks: Sequence[Mark], truth: float, estimates: Mapping[str, Any]) -> str:
    """Say how far the estimates lie apart, how many intervals hold the truth, and what the first keeps elsewhere."""
    values = [m.value for m in marks]
    whole = [m for m in marks if m.low == m.low]
    held = sum(m.low <= truth <= m.high for m in whole)
    kept_elsewhere = next((str(f) for f in estimates["findings"] if f.startswith("In our simulations")), "")
    return escape(
        f"One sample, {len(marks)} estimates of the error rate of one classifier, in percent: from {min(values):.1f} "
        f"to {max(values):.1f}. Whiskers are intervals that promise 95 %; {held} of these {len(whole)} hold the error "
        f"of this classifier. {kept_elsewhere}"
    )
