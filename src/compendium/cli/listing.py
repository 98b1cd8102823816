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
    from compendium.book.listing import listed

    notebooks = listed()
    if arguments.json:
        told = [
            {**{k: n[k] for k in ("id", "paper", "title")}, "parameters": [name for name, *_ in _described(n)]}
            for n in notebooks
        ]
        artifacts = [
            {
                "id": a["id"],
                "paper": n["paper"],
                "title": f"{a['number']}: {a['title']}",
                "notebook": n["id"],
                "status": a["status"],
            }
            for n in notebooks
            for a in n["artifacts"]
        ]
        print(json.dumps({"notebooks": told, "artifacts": artifacts}, indent=1))
        return
    for n in notebooks:
        print(f"{n['id']}\n  {n['of']}: {n['title']}")
        for a in n["artifacts"]:
            print(f"    {a['id']:<44} {a['number']}: {a['title']}  [{a['status']}]")


def _params(arguments: argparse.Namespace) -> None:
    if arguments.write:
        from compendium.book import catalogue
        from compendium.book.cells import write_parameters_cell

        spec = catalogue.notebook(arguments.notebook)
        print(f"{spec.path}: {'written' if write_parameters_cell(spec) else 'as the model has it'}")
        return
    from compendium.book.listing import listed

    notebooks = {n["id"]: n for n in listed()}
    one = notebooks[_id_of(notebooks, arguments.notebook)]
    if arguments.json:
        parameters = [dict(p["record"]) for p in one["parameters"]]
        print(json.dumps({"id": one["id"], "title": one["title"], "parameters": parameters}, indent=1))
        return
    print(f"{one['id']}: {one['title']}\n")
    rows = [
        *_described(one),
        ("--scale", "published or preview", '"published"', "run option: the paper's repeats, or few"),
        ("--jobs", "a whole number, at least 1", str(cores()), "run option: worker processes; changes no result"),
        ("--dask", "tcp://host:port", "null", "run option: a Dask scheduler that computes instead"),
        ("--out", "a folder", "null", "run option: where the results go"),
    ]
    _print_table(("name", "type and bounds", "default", "meaning"), rows)


def _id_of(known: dict[str, Any], text: str) -> str:
    """Return the id of the notebook that a person names, or of which the file named is a copy."""
    if Path(text).suffix == ".ipynb" and Path(text).is_file():
        from compendium.book import catalogue

        return catalogue.notebook(text).id
    from compendium.book.called import one_of

    return one_of(known, text)


def _described(one: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    rows = []
    for parameter in one["parameters"]:
        record, bounds = dict(parameter["record"]), parameter["bounds"]
        kind = record["type"] + (f", {bounds}" if bounds else "")
        rows.append((record["name"], kind, json.dumps(record["default"]), record["meaning"]))
    return rows


def _print_table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    width = shutil.get_terminal_size((110, 24)).columns
    share = [22, 0.27, 0.27, 0.27]
    sizes = [int(s) if s > 1 else max(16, int((width - 22) * s)) for s in share]
    for row in (head, tuple("-" * min(s, 40) for s in sizes), *rows):
        cells = [textwrap.wrap(str(c), s - 2) or [""] for c, s in zip(row, sizes, strict=True)]
        for k in range(max(len(c) for c in cells)):
            line = "".join((c[k] if k < len(c) else "").ljust(s) for c, s in zip(cells, sizes, strict=True))
            print(line.rstrip())
