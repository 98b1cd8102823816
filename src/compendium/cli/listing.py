"""``compendium list``, ``params`` and ``verdicts``: what can be run, with which parameters, and how it compares."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from errorest.cli.output import say
from errorest.errors import UsageError, nearest

_COLUMNS = ["artifact", "row", "column", "printed", "reading", "scale", "value", "se", "n"]
_COLUMNS += ["se_printed", "z", "verdict", "passing", "reason", "cause", "note"]


def list_notebooks(arguments: argparse.Namespace) -> None:
    """Print the notebooks, and their artifacts with the verdicts of the last complete build."""
    from compendium.book import catalogue
    from compendium.book.row_diff import judged_rows, recorded_rows
    from compendium.evidence.papers import PAPERS
    from compendium.evidence.verdicts import headline

    rows = recorded_rows()
    status = dict.fromkeys(map(str, rows.artifact), "built, no printed numbers")
    for artifact, own in headline(judged_rows(rows)).groupby("artifact") if len(rows) else ():
        status[str(artifact)] = ", ".join(f"{n} {v}" for v, n in own["verdict"].value_counts().items())
    notebooks, artifacts, lines = [], [], []
    for name in catalogue.NOTEBOOKS:
        paper, outline = name.partition("/")[0], catalogue.outline(name)
        notebooks.append({"id": name, "paper": paper, "title": outline.title, "parameters": list(outline.parameters)})
        lines.append(f"{name}\n  {PAPERS[paper].name}: {outline.title}")
        for one, (number, title) in catalogue.headings(name).items():
            shown = {"id": one, "paper": paper, "title": f"{number}: {title}", "notebook": name}
            artifacts.append(shown | {"status": status.get(one, "not built")})
            lines.append(f"    {one:<44} {number}: {title}  [{status.get(one, 'not built')}]")
    listed = json.dumps({"notebooks": notebooks, "artifacts": artifacts}, indent=1)
    print(listed if arguments.json else "\n".join(lines))


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
    say(f"{name}: {title}\n")
    for one in described:
        say(f"{one.name}: {one.expected}; default {json.dumps(one.default)}\n    {one.meaning}")
    print(f"\n--scale, --jobs, --dask and --out are options of every run; see: compendium run {name} --help")


def show_verdicts(arguments: argparse.Namespace) -> None:
    """Print how the last complete build compares with the print."""
    from compendium.book.row_diff import judged_rows, recorded_rows
    from compendium.book.verdict_tables import count_lines, number_lines, tally_lines, wholes_lines
    from compendium.evidence.agreement import read_agreements
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
        print(*number_lines(whole), sep="\n")
        return
    by_artifact = {str(name): counts(own) for name, own in whole.groupby("artifact", sort=False)}
    print(*count_lines(by_artifact), "", *tally_lines(whole), sep="\n")
    if len(tables := read_agreements()):
        print("", *wholes_lines(tables), sep="\n")
