"""What the commands on one's own data share: how the data come in, and how an answer goes out."""

from __future__ import annotations

import argparse
import csv
import json
import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest import extras
from errorest.cli.output import as_options
from errorest.errors import UsageError
from errorest.files import check_output

if TYPE_CHECKING:
    from errorest.assessment import Cost
    from errorest.data.sample import Sample


def reading_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what was stated, as :func:`~errorest.data.reading.read_csv` takes it."""
    results: dict[str, Any] = {
        key: getattr(arguments, key) for key in ("sep", "decimal", "encoding") if getattr(arguments, key) is not None
    }
    for key in ("missing", "drop"):
        if getattr(arguments, key) is not None:
            results[key] = []
            for text in getattr(arguments, key):
                try:
                    rows = list(csv.reader([text], strict=True, skipinitialspace=True))
                except csv.Error:
                    rows = []
                if len(rows) > 1 or (text.strip() and not rows):
                    raise UsageError(f"--{key} '{text}' cannot be read; write, say, --{key} a,b")
                results[key] += [item.strip() for row in rows for item in row]
    if arguments.kind is not None:
        kinds: dict[str, str] = {}
        for text in arguments.kind:
            column, equals, kind = text.rpartition("=")
            if not equals or not column or not kind:
                raise UsageError(f"--kind '{text}' cannot be read; write COLUMN=nominal, =continuous or =integer")
            if kinds.setdefault(column, kind) != kind:
                raise UsageError(f"--kind was given twice for '{column}'; expected one kind a column; leave one out")
        results["kinds"] = kinds
    return results


def read_sample(arguments: argparse.Namespace, *, also: Mapping[str, str] | None = None) -> Sample:
    """Read the file that the arguments name."""
    from errorest.data.reading import read_csv

    options = reading_options(arguments)
    options["kinds"] = {**options.get("kinds", {}), **(also or {})}
    return read_csv(arguments.data, arguments.target, **options, quiet=True)


def say_understood(sample: Sample) -> None:
    """Print the columns as they were understood on standard error."""
    if sample.read_report is not None:
        print(f"columns as understood in {sample.read_report}\n", file=sys.stderr, flush=True)


def read_problem(arguments: argparse.Namespace) -> tuple[Sample, dict[str, Any]]:
    """Read the data and check what can be checked before anything is fitted."""
    from dataclasses import replace

    if arguments.seed < 0:
        raise UsageError(f"--seed {arguments.seed} was given; expected a whole number from 0")
    if arguments.html is not None:
        extras.require("plot", "--html, whose page has a picture,")
        check_output(arguments.html, inputs=[arguments.data, Path(arguments.scoring)], force=arguments.force)
    on_path()
    stratify = getattr(arguments, "stratify", None)
    stated = {"groups": arguments.groups, "stratify": None if stratify == "class" else stratify}
    named = [what for what, column in stated.items() if column is not None]
    sample = read_sample(arguments, also={getattr(arguments, what): "nominal" for what in named})
    say_understood(sample)
    columns = {what: _column(sample, what, getattr(arguments, what)) for what in named}
    if arguments.groups is not None:
        # who a case belongs to says nothing of a new one
        selected = [j for j, a in enumerate(sample.attributes) if a.name != arguments.groups]
        if not selected:
            raise UsageError(f"{arguments.data} has no attribute beside the groups; name another group column")
        sample = replace(sample, X=sample.X[:, selected], attributes=tuple(sample.attributes[j] for j in selected))
    return sample, {
        "groups": columns.get("groups"),
        "stratify": "class" if stratify == "class" else columns.get("stratify"),
        "encode": arguments.encode,
        "n_jobs": arguments.n_jobs,
        "threads": arguments.threads,
        "scoring": arguments.scoring,
        "pos_label": getattr(arguments, "pos_label", None),
        "rng": arguments.seed,
        "confidence_level": arguments.confidence_level,
        "error_score": float("nan") if getattr(arguments, "skip_failures", False) else "raise",
        "ignore": arguments.ignore,
    }


def of_cost(arguments: argparse.Namespace, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return what :func:`~errorest.assessment.predict_runtime` takes of the arguments and of :func:`read_problem`."""
    names = ("groups", "stratify", "encode", "n_jobs", "threads", "scoring", "pos_label")
    return {"time_limit": arguments.time_limit, **{name: options[name] for name in names if name in options}}


def on_path() -> None:
    """Let a module of the person's own be found where they are; it takes the place of no installed one."""
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())


def _column(sample: Sample, what: str, name: str) -> tuple[str, ...]:
    """Return the cells of a column that names groups or strata."""
    import numpy as np

    j = next((j for j, a in enumerate(sample.attributes) if a.name == name), None)
    if j is None or sample.read_report is None:
        raise UsageError(f"--{what} '{name}' is the class column; expected another column; name an attribute")
    if sample.attributes[j].kind != "nominal":
        raise UsageError(f"--{what} '{name}' is stated to hold numbers; expected names of {what}; leave out its --kind")
    values = sample.X[:, j]
    if np.isnan(values).any():
        line = sample.read_report.lines[int(np.isnan(values).argmax())]
        raise UsageError(
            f"{sample.read_report.source}: line {line} has no value of '{name}', which names {what}; fill it in"
        )
    categories = sample.attributes[j].categories
    return tuple(categories[int(v)] for v in values)


def say_cost(cost: Cost) -> bool:
    """Print fits, seconds and memory on standard error; return whether the run is worth a bar."""
    print(f"cost: {cost}", file=sys.stderr, flush=True)
    return cost.seconds > 2 or (cost.seconds > 0.5 and sys.stderr.isatty())


def answer(arguments: argparse.Namespace, result: Any, picture: str | None = None) -> None:
    """Print a result, in words or as JSON, and write its page where one is asked for."""
    from errorest.assessment.caution import with_id

    if arguments.json:
        methods = {"methods": result.methods_text()} if arguments.methods else {}
        print(json.dumps({**result.to_dict(), **methods}, indent=1))
    else:
        lines = result.lines()
        width = max(len(head) for head, _ in lines)
        for head, text in lines:
            print(f"{head:<{width}}  {text}")
        if picture:
            print(f"\n{picture}")
        for warning in result.warnings:
            print(f"\nBeware: {as_options(with_id(warning))}.")
        if arguments.methods:
            print(f"\n{result.methods_text()}")
    if arguments.html is not None:
        result.to_html(arguments.html, f"errorest {shlex.join(arguments.typed)}")
        if not arguments.json:
            print(f"\nPage: {arguments.html}")
