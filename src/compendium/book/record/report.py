"""The report of a verification, as text and as JSON."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compendium.book.record.ledger import Ledger
from compendium.book.record.verify import BYTE, DIFFERS, NEARLY, Stratum, Verification
from errorest import bits

__all__ = ["as_json", "as_text"]

_LISTED = 20


def machine() -> dict[str, str]:
    """Describe this machine: system, processor, and the features by which numerical libraries choose kernels."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": next(models, platform.machine()),
        "features": " ".join(bits.processor()),
        "python": platform.python_version(),
    }


def other_conditions(made: Mapping[str, Any]) -> list[str]:
    """List in what this machine differs from the one that computed, of all that decides bits and keys."""

    def differing(there: Mapping[str, Any], here: Mapping[str, Any], text: str) -> list[str]:
        names = [name for name in {**there, **here} if there.get(name) != here.get(name)]
        return [text.format(name, there.get(name, "none"), here.get(name, "none")) for name in names]

    there, here = list(made["processor"]), list(bits.processor())
    lost, new = (", ".join(n for n in a if n not in b) or "nothing" for a, b in ((there, here), (here, there)))
    return [
        *differing(made["installed"], bits.installed(), "{} {} there, {} here"),
        *([f"the processor (here without {lost}, with {new})"] if there != here else []),
        *differing(made["settings"], bits.ENVIRONMENT, "setting {}={} there, {} here"),
    ]


def as_text(found: Verification, ledger: Ledger, version: str) -> str:
    """Write the report as text."""
    here, conditions = machine(), other_conditions(ledger.made)
    asked = sum(one.checked > 0 for one in found.studies)
    whose = "every study's" if asked == len(found.studies) else f"{asked} studies'"
    versions = ", ".join(f"{name} {number}" for name, number in bits.installed().items() if name != "python")
    under = f"other conditions: {'; '.join(conditions)}" if conditions else "the same versions and settings"
    total = Stratum("all", sum(one.of for one in found.studies), sum(one.of_replicates for one in found.studies))
    for one in found.studies:
        total.replicates += one.replicates
        for outcome, count in one.counts.items():
            total.count(outcome, number=count)
    lines = [
        f"errorest {version}: {100 * found.share:g} % of {whose} replicates computed again, seed {found.seed}",
        f"machine: {here['processor']}, {here['system']}, Python {here['python']}",
        f"packages: {versions}",
        f"recorded by errorest {ledger.made['version']} under {under}",
        "",
        f"{'study':<42}{'chunks':>14}{'replicates':>18}{BYTE:>20}{NEARLY:>23}{DIFFERS:>9}",
        *map(_line, [*found.studies, total, *([found.rows] if found.rows.of else [])]),
    ]
    if listed := [f"  {one.where}: {one.outcome}: {one.said}" for one in [*found.files, *found.differences]]:
        more = [f"  and {len(listed) - _LISTED} more"] if len(listed) > _LISTED else []
        lines += ["", "not equal to the byte:", *listed[:_LISTED], *more]
    return "\n".join([*lines, "", f"outcome: {found.outcome}"]) + "\n"


def _line(one: Stratum) -> str:
    replicates = f"{one.replicates} of {one.of_replicates}" if one.of_replicates else ""
    code = " (its code has changed since)" if one.changed else ""
    return (
        f"{one.name:<42}{f'{one.checked} of {one.of}':>14}{replicates:>18}{one.counts[BYTE]:>20}"
        f"{one.counts[NEARLY]:>23}{one.counts[DIFFERS]:>9}{code}"
    )


def as_json(found: Verification, ledger: Ledger, version: str) -> str:
    """Write the report as JSON."""
    report = {
        "outcome": found.outcome,
        "status": found.status,
        "share": found.share,
        "seed": found.seed,
        "version": version,
        "machine": machine(),
        "installed": bits.installed(),
        "recorded": {"version": ledger.made["version"], "installed": ledger.made["installed"]},
        "unlike_the_recorded": other_conditions(ledger.made),
        "studies": [_stratum(one) for one in found.studies],
        "rows": _stratum(found.rows),
        "files": [one._asdict() for one in found.files],
        "differences": [one._asdict() for one in found.differences],
    }
    return json.dumps(report, indent=1, ensure_ascii=False) + "\n"


def _stratum(one: Stratum) -> dict[str, Any]:
    return {
        "name": one.name,
        "checked": one.checked,
        "of": one.of,
        "replicates": one.replicates,
        "of_replicates": one.of_replicates,
        "code_changed": one.changed,
        **{str(outcome): count for outcome, count in one.counts.items()},
    }
