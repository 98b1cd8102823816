"""What the landing page shows: one sample with all its estimates, and the command's own words on a small data set."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from compendium.book.labels import labeller
from compendium.book.numbers import row_anchor
from compendium.book.places import root
from compendium.book.render import scroll
from compendium.book.runner import environment
from errorest.errors import UsageError

__all__ = ["COMMAND", "command_output", "sample_table"]

COMMAND = ("estimate", "data/examples/wine.csv", "--class-column", "class")
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
    """Write one sample's estimates as a table: the chosen one, the lowest and the highest, and the truth."""
    if not {"guide-own-estimates", "guide-own-truth"} <= set(manifests):
        return ""
    estimates, truth = manifests["guide-own-estimates"], manifests["guide-own-truth"]
    found = _by_row(estimates["rows"])
    ordered = sorted(found, key=lambda row: (found[row]["error-percent"], row))
    label = labeller(estimates["labels"])
    names = {"chosen": "The library's choice"}
    names.setdefault(ordered[0], f"The lowest: {label(ordered[0])}")
    names.setdefault(ordered[-1], f"The highest: {label(ordered[-1])}")
    true = _by_row(truth["rows"])
    rows = [(estimates, row, name, found[row]) for row, name in names.items() if row in found]
    rows += [(truth, row, name, true[row]) for row, name in _TRUE.items() if row in true]
    title = "One sample: estimates of the error of one classifier, in percent"
    table = scroll(
        f'<table class="errorest-table"><caption>{title}</caption><thead><tr><th scope="col">Estimate</th>'
        '<th scope="col" class="num">Error</th><th scope="col" class="num">95 % interval</th></tr></thead>'
        f"<tbody>{''.join(_row(*one) for one in rows)}</tbody></table>",
        title,
    )
    return f"{table}<p>{_told(found, true['this classifier']['error-percent'], estimates)}</p>"


def _row(manifest: Mapping[str, Any], row: str, name: str, own: Mapping[str, float]) -> str:
    address = f"../notebooks/{manifest['notebook']}.html#{row_anchor(manifest, row, 'error-percent')}"
    limits = f"{own['low-percent']:.1f} to {own['high-percent']:.1f}" if "low-percent" in own else "–"
    return (
        f'<tr><th scope="row">{escape(name)}</th>'
        f'<td class="num"><a href="{escape(address)}">{own["error-percent"]:.1f}</a></td>'
        f'<td class="num">{limits}</td></tr>'
    )


def _by_row(rows: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for r in rows:
        if r["value"] is not None:
            found.setdefault(r["row"], {})[r["column"]] = float(r["value"])
    return {row: own for row, own in found.items() if "error-percent" in own}


def _told(found: Mapping[str, Mapping[str, float]], truth: float, estimates: Mapping[str, Any]) -> str:
    """Say how far the estimates lie apart, how many intervals hold the truth, and what the first keeps elsewhere."""
    values = [own["error-percent"] for own in found.values()]
    whole = [own for own in found.values() if "low-percent" in own]
    held = sum(own["low-percent"] <= truth <= own["high-percent"] for own in whole)
    kept_elsewhere = next((str(f) for f in estimates["findings"] if f.startswith("In our simulations")), "")
    return escape(
        f"{len(found)} estimates of the error rate of one classifier, from one sample, lie between {min(values):.1f} "
        f"and {max(values):.1f} %. Of their {len(whole)} intervals that promise 95 %, {held} hold the error of this "
        f"classifier. {kept_elsewhere}"
    )
