"""What the landing page shows: one sample with its estimates, and what the command prints on a small data set."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Iterable, Mapping
from math import ceil
from typing import Any

from compendium.book.places import root
from compendium.book.results import to_row
from compendium.book.runs import environment
from compendium.book.templating import fill
from errorest.errors import UsageError

# The command that the landing page runs
COMMAND = ("estimate", "data/examples/wine.csv", "--target", "class")

# Estimates that are drawn, by row
_SHOWN = {
    "resubstitution": "Apparent error",
    "holdout-wilson": "Holdout, a third tested",
    "cv-wald": "Ten-fold cross-validation",
    "loo-kohavi": "Leave-one-out",
    "oob": "Out-of-bag bootstrap",
    "chosen": ".632+, the library’s default",
}

_TICK = 10
_SECONDS = 300
_WIDTH = 100


def command_output() -> str:
    """Run :data:`COMMAND` and return what it prints."""
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
            f"'errorest {' '.join(COMMAND)}', for the landing page, failed: {done.stderr.strip()[-500:]}",
            "run it by hand",
        )
    return wrapped(done.stdout)


def wrapped(printed: str) -> str:
    """Break long lines behind their heading."""
    lines = []
    for line in printed.rstrip().splitlines():
        if line and "\N{BOX DRAWINGS LIGHT VERTICAL AND RIGHT}" not in line:
            heading = re.match(r"(  (! |[\w%]+( [\w%]+)* {2,}))?", line)
            assert heading is not None
            line = textwrap.fill(line, _WIDTH, subsequent_indent=" " * heading.end())
        lines.append(line)
    return "\n".join(lines)


def sample_table(manifests: Mapping[str, Mapping[str, Any]]) -> str:
    """Return estimates of one sample as a table and a picture: errors and intervals on one axis, and the truth."""
    if not {"guide-own-estimates", "guide-own-truth"} <= set(manifests):
        return ""
    estimates, truth = manifests["guide-own-estimates"], manifests["guide-own-truth"]
    result, true = _by_row(estimates["rows"]), _by_row(truth["rows"])["this classifier"]["error-percent"]
    rows: list[dict[str, Any]] = []
    for row, name in _SHOWN.items():
        if row in result:
            own, error = result[row], result[row]["error-percent"]
            cell = to_row(estimates, row, "error-percent", f"{error:.1f}")
            limits = {"low": own.get("low-percent"), "high": own.get("high-percent", error)}
            rows.append({"name": name, "error": error, **limits, "cell": cell})
    intervals = [(own["low-percent"], own["high-percent"]) for own in result.values() if "low-percent" in own]
    most = max(one["high"] for one in rows)
    return fill(
        "sample.html",
        rows=rows,
        end=_TICK * ceil(most / _TICK),
        tick=_TICK,
        truth=true,
        shown=to_row(truth, "this classifier", "error-percent", f"{true:.1f}"),
        errors=[own["error-percent"] for own in result.values()],
        intervals=len(intervals),
        holding=sum(low <= true <= high for low, high in intervals),
        coverage=next((str(f) for f in estimates["findings"] if f.startswith("In our simulations")), ""),
    )


def _by_row(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    results: dict[str, dict[str, float]] = {}
    for r in rows:
        if r["value"] is not None:
            results.setdefault(r["row"], {})[r["column"]] = float(r["value"])
    return {row: own for row, own in results.items() if "error-percent" in own}
