"""``compendium list``, ``params`` and ``verdicts``: what can be run, with which parameters, and how it compares."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path

from compendium.cli.options import cores
from errorest.errors import UsageError, nearest

_COLUMNS = ["artifact", "row", "column", "printed", "reading", "scale", "value", "se", "n", "z", "verdict", "reason"]


def list_notebooks(arguments: argparse.Namespace) -> None:
    """Print the notebooks, and their artifacts with the verdicts of the last complete build."""
    from compendium.book import catalogue
    from compendium.evidence.verdicts import PAPERS

    status = _statuses()
    notebooks, artifacts, lines = [], [], []
    for name in catalogue.NOTEBOOKS:
        paper, outline = name.partition("/")[0], catalogue.outline(name)
        notebooks.append({"id": name, "paper": paper, "title": outline.title, "parameters": list(outline.parameters)})
        lines.append(f"{name}\n  {PAPERS[paper]}: {outline.title}")
        for one, (number, title) in catalogue.headings(name).items():
            artifact = {"id": one, "paper": paper, "title": f"{number}: {title}", "notebook": name}
            artifacts.append(artifact | {"status": status.get(one, "not built")})
            lines.append(f"    {one:<44} {number}: {title}  [{status.get(one, 'not built')}]")
    listed = json.dumps({"notebooks": notebooks, "artifacts": artifacts}, indent=1)
    print(listed if arguments.json else "\n".join(lines))


def _statuses() -> dict[str, str]:
    """Count the verdicts of each artifact's printed numbers in the last complete build."""
    from compendium.evidence.verdicts import PAPERS, compare, headline, read_published, read_regenerated

    results: dict[str, str] = {}
    for paper in PAPERS:
        rows = read_regenerated(paper)
        results.update((str(artifact), "built, no printed numbers") for artifact in rows.artifact)
        comparison = headline(compare(read_published(paper), rows)) if len(rows) else rows
        for artifact, group in comparison.groupby("artifact") if len(comparison) else ():
            if artifact in results:
                results[str(artifact)] = ", ".join(f"{n} {v}" for v, n in group["verdict"].value_counts().items())
    return results


def show_parameters(arguments: argparse.Namespace) -> None:
    """Print a notebook's parameters, or write them into its first cell."""
    from compendium.book import catalogue
    from compendium.book.parameters import describe, write_parameters_cell

    if arguments.write:
        spec = catalogue.notebook(arguments.notebook)
        print(f"{spec.path}: {'written' if write_parameters_cell(spec) else 'as the model has it'}")
        return
    copied = Path(arguments.notebook).suffix == ".ipynb" and Path(arguments.notebook).is_file()
    name = catalogue.notebook(arguments.notebook).id if copied else catalogue.notebook_id(arguments.notebook)
    title, described = catalogue.outline(name).title, describe(catalogue.parameters(name))
    if arguments.json:
        print(json.dumps({"id": name, "title": title, "parameters": [d.record() for d in described]}, indent=1))
        return
    print(f"{name}: {title}\n")
    rows = [
        *((d.name, d.expected, json.dumps(d.default), d.meaning) for d in described),
        ("--scale", "published or preview", '"published"', "run option: the paper's repeats, or few"),
        ("--jobs", "a whole number, at least 1", str(cores()), "run option: worker processes; changes no result"),
        ("--dask", "tcp://host:port", "null", "run option: a Dask scheduler that computes instead"),
        ("--out", "a folder", "null", "run option: where the results go"),
    ]
    _print_table(("name", "type and bounds", "default", "meaning"), rows)


def _print_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    width = max(16, int((shutil.get_terminal_size((110, 24)).columns - 22) * 0.27))
    sizes = (22, width, width, width)
    for row in (head, tuple("-" * min(s, 40) for s in sizes), *rows):
        cells = [textwrap.wrap(str(c), s - 2) or [""] for c, s in zip(row, sizes, strict=True)]
        for k in range(max(len(c) for c in cells)):
            line = "".join((c[k] if k < len(c) else "").ljust(s) for c, s in zip(cells, sizes, strict=True))
            print(line.rstrip())


def show_verdicts(arguments: argparse.Namespace) -> None:
    """Print how the last complete build compares with the print."""
    import pandas as pd

    from compendium.book.row_diff import judged_rows, recorded_rows
    from compendium.book.verdict_tables import tally_lines, wholes_lines
    from compendium.evidence.agreement import read_agreements
    from compendium.evidence.judging import VERDICTS
    from compendium.evidence.verdicts import counts, tally

    whole = judged_rows(recorded_rows())
    if whole.empty:
        raise UsageError("data/regenerated is empty", "run: make book")
    if arguments.artifact:
        hint = nearest(arguments.artifact, set(whole.artifact))
        whole = whole[whole.artifact == arguments.artifact]
        if whole.empty:
            raise UsageError(f"no printed number of artifact '{arguments.artifact}' has a verdict", hint)
    if arguments.json:
        records = whole[_COLUMNS].astype(object).where(whole[_COLUMNS].notna(), None).to_dict("records")
        kinds, wholes = tally(whole).to_dict("records"), read_agreements().to_dict("records")
        verdicts = {"verdicts": records, "counts": counts(whole), "by_reading": kinds, "tables": wholes}
        print(json.dumps(verdicts, indent=1, default=str))
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
        result = counts(whole[whole.artifact == artifact])
        print(f"{artifact:<46}" + "".join(f"{result[v] or '·':>14}" for v in VERDICTS))
    print("", *tally_lines(whole), sep="\n")
    if len(tables := read_agreements()):
        print("", *wholes_lines(tables), sep="\n")
