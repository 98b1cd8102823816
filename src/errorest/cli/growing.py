"""``errorest learning-curve`` and ``test-cases``: what more cases would bring, to learn from and to test on."""

from __future__ import annotations

import argparse
import json
from typing import Any

from errorest.cli.declared import add_command
from errorest.cli.output import answer_alone
from errorest.cli.own_data import answer, read_problem
from errorest.errors import UsageError

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> None:
    """Add the subcommands to the command line."""
    add_command(commands, "learning-curve", _curve, stratify=None, skip_failures=False)
    add_command(commands, "test-cases", _test_cases)


def _curve(arguments: argparse.Namespace) -> None:
    plain = arguments.scoring in ("error", "balanced")
    if arguments.error is not None and (arguments.error <= 0 or (plain and arguments.error >= 1)):
        what = "a proportion between 0 and 1" if plain else "a mean cost above 0"
        raise UsageError(f"--error {arguments.error} was given; expected {what}")
    with answer_alone():
        from errorest.assessment.learning import learning_curve

        sample, options = read_problem(arguments)
        del options["stratify"], options["error_score"], options["pos_label"]
        named = {name: getattr(arguments, name) for name in ("train_sizes", "at", "folds", "repeats")}
        result = learning_curve(arguments.model, sample, **named, **options)
        needed = None if arguments.error is None or result.rises else result.cases_for(arguments.error)
    answer(arguments, result)
    if needed is not None and not arguments.json:
        messages = [f"{number:,}" if number else "more than ten million" for number in needed]
        what = f"an error of {100 * arguments.error:g} %" if plain else f"a mean loss of {arguments.error:g}"
        print(f"\nFor {what}: {messages[0]} {result.unit} likely, {messages[1]} to be sure.")


def _test_cases(arguments: argparse.Namespace) -> None:
    from errorest.assessment import test_size_for

    cases = test_size_for(arguments.width, arguments.error, arguments.confidence_level)
    if arguments.json:
        given = {name: getattr(arguments, name) for name in ("width", "error", "confidence_level")}
        print(json.dumps({**given, "cases": cases}))
        return
    print(
        f"{cases:,} test cases: Wilson's {100 * arguments.confidence_level:g} % interval of an error of "
        f"{100 * arguments.error:g} % is then no wider than {100 * arguments.width:g} points"
    )
