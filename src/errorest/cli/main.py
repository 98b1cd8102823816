"""The command ``errorest``: the error rate of a classifier on one's own data, and what goes with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import metadata

from errorest.cli.chance import add_parser as add_chance
from errorest.cli.checking import add_parsers as add_checking
from errorest.cli.choose import add_parsers as add_choose
from errorest.cli.clone import add_parser as add_clone
from errorest.cli.estimate import add_parsers as add_own_data
from errorest.cli.growing import add_parsers as add_growing
from errorest.cli.predictions import add_parser as add_predictions
from errorest.cli.program import Parser, run_program
from errorest.cli.scores import add_parser as add_scores
from errorest.cli.tuning_bias import add_parser as add_tuning_bias

__all__ = ["main"]

_COMPILED = frozenset(
    {
        "estimate",
        "scores",
        "predictions",
        "compare",
        "check",
        "learning-curve",
        "clone",
        "tuning-bias",
        "choose",
        "chance",
    }
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line."""
    return run_program(_parser, argv, compiled=_COMPILED)


def _parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="errorest", description="How far can you trust the error rate that you measured on a small sample?"
    )
    parser.add_argument("--version", action="version", version=f"errorest {metadata.version('errorest')}")
    commands = parser.add_subparsers(dest="name", required=True, metavar="COMMAND")
    for add in (
        add_own_data,
        add_scores,
        add_predictions,
        add_growing,
        add_checking,
        add_choose,
        add_chance,
        add_tuning_bias,
        add_clone,
    ):
        add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
