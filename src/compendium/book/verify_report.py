"""What a verification found, in words for people and as JSON for machines; with the machine and packages named."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from compendium.book.ledger import Ledger
from compendium.book.verify import BYTE, DIFFERS, NEARLY, Stratum, Verification
from errorest import bits

__all__ = ["as_json", "as_text", "machine", "unlike"]

_LISTED = 20


def machine() -> dict[str, str]:
    """Name the kind of machine: system, processor, and what numerical libraries would choose kernels by."""
    return {
        "system": f"{platform.system()} {platform.release()}",
        "processor": _model(),
        "features": " ".join(bits.processor()),
        "python": platform.python_version(),
    }


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def unlike(made: Mapping[str, Any]) -> list[str]:
    """Say in what this machine differs from the one that computed, of all that decides bits and keys."""
    here = bits.installed()
    there = made["installed"]
    told = [
        f"{name} {there.get(name, 'none')} there, {here.get(name, 'none')} here"
        for name in {**there, **here}
        if there.get(name) != here.get(name)
    ]
    processor = list(bits.processor())
    if made["processor"] != processor:
        lost = [name for name in made["processor"] if name not in processor]
        new = [name for name in processor if name not in made["processor"]]
        told.append(f"the processor (here without {', '.join(lost) or 'nothing'}, with {', '.join(new) or 'nothing'})")
    settings = {**made["settings"], **bits.ENVIRONMENT}
    told += [
        f"setting {name}={made['settings'].get(name)} there, {bits.ENVIRONMENT.get(name)} here"
        for name in settings
        if made["settings"].get(name) != bits.ENVIRONMENT.get(name)
    ]
    return told


def as_text(found: Verification, ledger: Ledger, version: str) -> str:
    """Write the report for people."""
    here = machine()
    apart = unlike(ledger.made)
    asked = sum(one.checked > 0 for one in found.studies)
    whose = "every study's" if asked == len(found.studies) else f"{asked} studies'"
    versions = ", ".join(f"{name} {number}" for name, number in bits.installed().items() if name != "python")
    lines = [
        f"errorest {version}: {100 * found.share:g} % of {whose} replicates computed again, seed {found.seed}",
        f"machine: {here['processor']}, {here['system']}, Python {here['python']}",
        f"packages: {versions}",
        f"recorded by errorest {ledger.made['version']}"
        + (f" under other conditions: {'; '.join(apart)}" if apart else " under the same versions and settings"),
        "",
        f"{'study':<42}{'chunks':>14}{'replicates':>18}{BYTE:>20}{NEARLY:>23}{DIFFERS:>9}",
    ]
    lines += [_line(one) for one in found.studies]
    total = Stratum("all", sum(one.of for one in found.studies), sum(one.of_replicates for one in found.studies))
    for one in found.studies:
        total.checked += one.checked
        total.replicates += one.replicates
        for outcome, count in one.counts.items():
            total.counts[outcome] += count
    lines.append(_line(total))
    if found.rows.of:
        lines.append(_line(found.rows))
    listed = [*found.files, *found.differences]
    if listed:
        lines += ["", "not equal to the byte:"]
        lines += [f"  {one.where}: {one.outcome}: {one.said}" for one in listed[:_LISTED]]
        lines += [f"  and {len(listed) - _LISTED} more"] if len(listed) > _LISTED else []
    return "\n".join([*lines, "", f"outcome: {found.outcome}"]) + "\n"


def _line(one: Stratum) -> str:
    replicates = f"{one.replicates} of {one.of_replicates}" if one.of_replicates else ""
    code = " (its code has changed since)" if one.changed else ""
    return (
        f"{one.name:<42}{f'{one.checked} of {one.of}':>14}{replicates:>18}{one.counts[BYTE]:>20}"
        f"{one.counts[NEARLY]:>23}{one.counts[DIFFERS]:>9}{code}"
    )


def as_json(found: Verification, ledger: Ledger, version: str) -> str:
    """Write the report for machines."""
    told = {
        "outcome": found.outcome,
        "status": found.status,
        "share": found.share,
        "seed": found.seed,
        "version": version,
        "machine": machine(),
        "installed": bits.installed(),
        "recorded": {"version": ledger.made["version"], "installed": ledger.made["installed"]},
        "unlike_the_recorded": unlike(ledger.made),
        "studies": [_stratum(one) for one in found.studies],
        "rows": _stratum(found.rows),
        "files": [one._asdict() for one in found.files],
        "differences": [one._asdict() for one in found.differences],
    }
    return json.dumps(told, indent=1, ensure_ascii=False) + "\n"


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
