"""The command ``errorest``; options and help of its commands are declared in commands.toml."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata, resources
from pathlib import Path
from typing import Any

from errorest.cli import commands, lists, own_data
from errorest.cli.clone import clone_sample
from errorest.cli.program import Parser, run_program
from errorest.cli.tuning_bias import number, tell_tuning_bias

_READING = "*reading"
# Types that commands.toml names
_TYPES: Mapping[str, Callable[[str], Any]] = {
    "path": Path,
    "int": int,
    "float": float,
    "number": number,
    "seed": own_data.seed,
    "cells": own_data.cells,
    "optional": lambda text: None if text == "none" else text,
}


# In the order of the help; options and texts are in commands.toml
_COMMANDS: Mapping[str, Callable[[argparse.Namespace], Any]] = {
    "estimate": commands.estimate_error,
    "compare": commands.compare_two,
    "estimators": lists.list_estimators,
    "intervals": lists.list_intervals,
    "scores": lists.list_scores,
    "predictions": commands.assess_predictions,
    "learning-curve": commands.grow_curve,
    "test-cases": commands.count_test_cases,
    "check": commands.check_model,
    "cautions": lists.list_cautions,
    "choose": commands.choose_best,
    "chance": commands.test_chance,
    "tuning-bias": tell_tuning_bias,
    "clone": clone_sample,
}

# These compile nothing
_PLAIN = {"estimators", "intervals", "scores", "cautions", "test-cases"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    return run_program(parser, argv, compiled=_COMMANDS.keys() - _PLAIN)


def parser() -> argparse.ArgumentParser:
    """Make the parser with all commands."""
    whole = Parser(
        prog="errorest", description="How far can you trust the error rate that you measured on a small sample?"
    )
    whole.add_argument("--version", action="version", version=f"errorest {metadata.version('errorest')}")
    subparsers = whole.add_subparsers(dest="name", required=True, metavar="COMMAND")
    declared = tomllib.loads(resources.files(__package__).joinpath("commands.toml").read_text(encoding="utf-8"))
    texts = declared["texts"] | {"data": declared["texts"]["data"].format(**declared["texts"])}
    for name, run in _COMMANDS.items():
        own = declared["commands"][name]
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
        command.set_defaults(command=run)
    return whole


if __name__ == "__main__":
    sys.exit(main())
