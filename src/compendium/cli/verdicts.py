"""``compendium verdicts``: how the last complete build compares with the print."""

from __future__ import annotations

import argparse
import json
from typing import Any

from errorest.errors import UsageError

__all__ = ["add_parser"]

_COLUMNS = ["artifact", "row", "column", "printed", "reading", "scale", "value", "se", "n", "z", "verdict", "reason"]


def add_parser(commands: Any) -> None:
    """Declare the command."""
    one = commands.add_parser("verdicts", help="how the last complete build compares with the print")
    one.add_argument("--json", action="store_true", help="for programs")
    one.add_argument("--artifact", metavar="ID", help="every number of one artifact")
    one.set_defaults(command=_verdicts)


def _verdicts(arguments: argparse.Namespace) -> None:
    import pandas as pd

    from compendium.book.verdict_tables import tally_lines, wholes_lines
    from compendium.evidence.agreement import read_agreements
    from compendium.evidence.judging import VERDICTS
    from compendium.evidence.verdicts import PAPERS, compare, counts, read_published, read_regenerated, tally

    parts = []
    for paper in PAPERS:
        rows = read_regenerated(paper)
        if len(rows):
            printed = read_published(paper)
            parts.append(compare(printed[printed.artifact.isin(set(rows.artifact))], rows))
    if not parts:
        raise UsageError("nothing was regenerated yet; expected data/regenerated; run: make book")
    whole = pd.concat(parts, ignore_index=True)
    if arguments.artifact:
        from errorest.errors import nearest

        own = whole[whole.artifact == arguments.artifact]
        if own.empty:
            raise UsageError(
                f"no printed number of artifact '{arguments.artifact}' has a verdict; expected an id that "
                f"'compendium list' names; {nearest(arguments.artifact, set(whole.artifact))}"
            )
        whole = own
    if arguments.json:
        records = whole[_COLUMNS].astype(object).where(whole[_COLUMNS].notna(), None).to_dict("records")
        kinds, wholes = tally(whole).to_dict("records"), read_agreements().to_dict("records")
        told = {"verdicts": records, "counts": counts(whole), "by_reading": kinds, "tables": wholes}
        print(json.dumps(told, indent=1, default=str))
        return
    if arguments.artifact:
        for r in whole.to_dict("records"):
            z = f"{r['z']:7.2f}" if pd.notna(r["z"]) else "      –"
            print(
                f"{r['row']:<26} {r['column']:<30} {r['printed']!s:>9} {r['value']:12.5g} {z}  {r['verdict']:<13}"
                f" {r['reading']} {r['scale']}"
            )
        return
    print(f"{'artifact':<46}" + "".join(f"{v:>14}" for v in VERDICTS))
    for artifact in dict.fromkeys(whole.artifact):
        found = counts(whole[whole.artifact == artifact])
        print(f"{artifact:<46}" + "".join(f"{found[v] or '·':>14}" for v in VERDICTS))
    print()
    print("\n".join(tally_lines(whole)))
    if len(tables := read_agreements()):
        print()
        print("\n".join(wholes_lines(tables)))
