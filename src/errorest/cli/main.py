"""The command ``errorest``; its commands, with functions, options and help, are declared in commands.toml."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from errorest.cli import own_data
from errorest.cli.program import Parser, run_program

_READING = "*reading"
# Types that commands.toml names
_TYPES: Mapping[str, Callable[[str], Any]] = {
    "path": Path,
    "int": int,
    "float": float,
    "seed": own_data.seed,
    "cells": own_data.cells,
    "metrics": own_data.metrics,
    "optional": lambda text: None if text == "none" else text,
}

# These compile nothing
_PLAIN = {"estimators", "intervals", "metrics", "warnings", "test-cases"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    return run_program(parser, argv, compiled=_declared()["commands"].keys() - _PLAIN)


@cache
def _declared() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("commands.toml").read_text(encoding="utf-8"))


def parser() -> argparse.ArgumentParser:
    """Make the parser with all commands."""
    whole = Parser(
        prog="errorest", description="How far can you trust the error rate that you measured on a small sample?"
    )
    whole.add_argument("--version", action="version", version=f"errorest {metadata.version('errorest')}")
    subparsers = whole.add_subparsers(dest="command", required=True, metavar="COMMAND")
    declared = _declared()
    texts = declared["texts"] | {"data": declared["texts"]["data"].format(**declared["texts"])}
    for name, own in declared["commands"].items():
        more = {key: own[key].format(**texts) for key in ("description", "epilog") if key in own}
        if "epilog" in own:
            more["formatter_class"] = argparse.RawDescriptionHelpFormatter
        command = subparsers.add_parser(name, help=own["help"], **more)
        options, groups = declared["options"] | own.get("own", {}), declared["groups"]
        for listed in own["options"]:
            place = command.add_argument_group("how the file is read") if listed == _READING else command
            for option in groups[listed[1:]] if listed.startswith("*") else [listed]:
                settings = dict(options[option])
                if "type" in settings:
                    settings["type"] = _TYPES[settings["type"]]
                place.add_argument(option, **settings)
        command.set_defaults(function=f"errorest.cli.{own['function']}")
    return whole


if __name__ == "__main__":
    sys.exit(main())
