"""The command ``compendium``: the book's notebooks, runs, verdicts, builds and releases."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import metadata
from math import isfinite
from pathlib import Path
from typing import Any

import yaml

from compendium.cli.options import number, workers
from compendium.cli.tuning_bias import number_as_typed
from errorest.cli import own_data
from errorest.cli.output import complain
from errorest.cli.program import Parser, run_program

# The readers of values that commands.yml names
_TYPES: dict[str, Any] = {
    "path": Path,
    "integer": int,
    "number": number(number_as_typed, isfinite, "number"),
    "seed": own_data.seed,
    "cells": own_data.cells,
    "workers": workers,
    "share": number(float, lambda share: 0 < share <= 1, "share (a number above 0, at most 1)"),
}


def main(argv: Sequence[str] | None = None) -> int:
    try:
        return run_program(
            _parser, argv, compiled={"clone", "replicate", "tuning-bias"}, resumable={"run", "build", "replicate"}
        )
    except RuntimeError as exc:
        # by name: importing it for its error costs every command a second
        if type(exc).__name__ not in ("NotebookError", "StudyError"):
            raise
        complain(f"error: {exc}")
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="compendium",
        description="The compendium on error rates from small samples: run its notebooks, judge, build, verify, cite.",
    )
    parser.add_argument("--version", action="version", version=f"compendium {metadata.version('errorest')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    read = yaml.safe_load(Path(__file__).with_name("commands.yml").read_text(encoding="utf-8"))
    for name, command in read["commands"].items():
        texts = {key: command[key] for key in ("description", "epilog") if key in command}
        if "epilog" in texts:
            texts["formatter_class"] = argparse.RawDescriptionHelpFormatter
        one = commands.add_parser(name, help=command["help"], **texts)
        options = {option: read["shared"][option] for option in command.get("shared", ())}
        for option, how in {**options, **command.get("options", {})}.items():
            settings = {key: _TYPES[value] if key == "type" else value for key, value in how.items()}
            one.add_argument(option, **settings)
        one.set_defaults(function=f"compendium.cli.{command['function']}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
