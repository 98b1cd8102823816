"""The command ``errorest``: the error rate of a classifier on one's own data, and what goes with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from typing import Any

from errorest.cli import commands, lists
from errorest.cli.clone import clone_sample
from errorest.cli.declared import add_command
from errorest.cli.program import Parser, run_program
from errorest.cli.tuning_bias import number, tell_tuning_bias

__all__ = ["main"]

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
    for name, run in _COMMANDS.items():
        add_command(subparsers, name, run, {"number": number})
    return whole


if __name__ == "__main__":
    sys.exit(main())
