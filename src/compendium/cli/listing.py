"""``compendium list`` and ``compendium params``: what can be run, and with which parameters."""

from __future__ import annotations

import argparse
import json
import shutil
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from compendium.cli.run import cores

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> None:
    """Declare the commands."""
    one = commands.add_parser("list", help="notebooks and the artifacts that they make")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_list)

    one = commands.add_parser("params", help="a notebook's parameters: names, types, bounds, defaults, meaning")
    one.add_argument("notebook", metavar="NOTEBOOK")
    one.add_argument("--write", action="store_true", help="write them from the model into the notebook's first cell")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_params)


def _list(arguments: argparse.Namespace) -> None:
    from compendium.book import catalogue
    from compendium.evidence.verdicts import PAPERS

    status = _statuses()
    notebooks = [(name, catalogue.outline(name), catalogue.headings(name)) for name in catalogue.NOTEBOOKS]
    if arguments.json:
        told = [
            {"id": name, "paper": _paper(name), "title": said.title, "parameters": list(said.parameters)}
            for name, said, _ in notebooks
        ]
        artifacts = [
            {
                "id": one,
                "paper": _paper(name),
                "title": f"{number}: {title}",
                "notebook": name,
                "status": status.get(one, "not built"),
            }
            for name, _, headings in notebooks
            for one, (number, title) in headings.items()
        ]
        print(json.dumps({"notebooks": told, "artifacts": artifacts}, indent=1))
        return
    for name, said, headings in notebooks:
        print(f"{name}\n  {PAPERS[_paper(name)]}: {said.title}")
        for one, (number, title) in headings.items():
            print(f"    {one:<44} {number}: {title}  [{status.get(one, 'not built')}]")


def _statuses() -> dict[str, str]:
    """Say of each artifact how its printed numbers came out in the last complete build."""
    from compendium.evidence.verdicts import PAPERS, compare, headline, read_published, read_regenerated

    found: dict[str, str] = {}
    for paper in PAPERS:
        rows = read_regenerated(paper)
        found.update((str(artifact), "built, no printed numbers") for artifact in rows.artifact)
        comparison = headline(compare(read_published(paper), rows)) if len(rows) else rows
        for artifact, group in comparison.groupby("artifact") if len(comparison) else ():
            if artifact in found:
                tally = group["verdict"].value_counts()
                found[str(artifact)] = ", ".join(f"{n} {v}" for v, n in tally.items())
    return found


def _paper(notebook_id: str) -> str:
    return notebook_id.partition("/")[0]


def _params(arguments: argparse.Namespace) -> None:
    from compendium.book import catalogue
    from compendium.book.parameters import describe

    if arguments.write:
        from compendium.book.parameters import write_parameters_cell

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
        *((d.name, ", ".join(filter(None, (d.type, d.bounds))), json.dumps(d.default), d.meaning) for d in described),
        ("--scale", "published or preview", '"published"', "run option: the paper's repeats, or few"),
        ("--jobs", "a whole number, at least 1", str(cores()), "run option: worker processes; changes no result"),
        ("--dask", "tcp://host:port", "null", "run option: a Dask scheduler that computes instead"),
        ("--out", "a folder", "null", "run option: where the results go"),
    ]
    _print_table(("name", "type and bounds", "default", "meaning"), rows)


def _print_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    width = shutil.get_terminal_size((110, 24)).columns
    share = [22, 0.27, 0.27, 0.27]
    sizes = [int(s) if s > 1 else max(16, int((width - 22) * s)) for s in share]
    for row in (head, tuple("-" * min(s, 40) for s in sizes), *rows):
        cells = [textwrap.wrap(str(c), s - 2) or [""] for c, s in zip(row, sizes, strict=True)]
        for k in range(max(len(c) for c in cells)):
            line = "".join((c[k] if k < len(c) else "").ljust(s) for c, s in zip(cells, sizes, strict=True))
            print(line.rstrip())
