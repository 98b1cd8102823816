"""``errorest learning-curve`` and ``test-cases``: what more cases would bring, to learn from and to test on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from errorest.cli.output import answer_alone
from errorest.cli.own_data import CLASSIFIERS, DATA, answer, methods_option, read_problem, scoring_options, subcommand
from errorest.errors import UsageError

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> None:
    """Add the subcommands to the command line."""
    one = subcommand(
        commands,
        "learning-curve",
        "what more cases would bring: the error by the number of training cases, and beyond",
        "The error at growing numbers of training cases, with intervals, and what an inverse power law expects of\n"
        "more. With --groups folds and training sets are made of whole groups, and sizes count groups.\n\n" + DATA,
        CLASSIFIERS + "\nExample:\n  errorest learning-curve data.csv --target y --model c4.5 --at 100 200\n",
    )
    one.add_argument(
        "--model", metavar="NAME", default="naive-bayes", help="name or import path; by default naive-bayes"
    )
    one.add_argument(
        "--at", metavar="N", type=int, nargs="+", help="training cases to tell of; by default 2 and 5 times"
    )
    one.add_argument(
        "--train-sizes", metavar="N", type=int, nargs="+", help="training cases of the points; by default six"
    )
    one.add_argument("--error", metavar="P", type=float, help="tell how many cases bring the error down to this")
    one.add_argument("--folds", metavar="K", type=int, default=10, help="by default 10")
    one.add_argument("--repeats", metavar="R", type=int, default=20, help="independent splits; by default 20")
    one.add_argument("--groups", metavar="COLUMN", help="cases with one value of this column stay together")
    scoring_options(one)
    one.add_argument("--encode", action="store_true", help="encode text and gaps for a scikit-learn classifier")
    one.add_argument("--seed", metavar="N", type=int, default=0, help="a whole number from 0; by default 0")
    one.add_argument("--confidence-level", metavar="P", type=float, default=0.95, help="a proportion; by default 0.95")
    one.add_argument(
        "--n-jobs", metavar="N", type=int, default=1, help="workers for a scikit-learn classifier; -1: all"
    )
    one.add_argument("--threads", metavar="N", type=int, default=1, help="threads of a fit; by default 1")
    one.add_argument("--ignore", metavar="IDS", default="", help="cautions to leave out, such as E502")
    one.add_argument("--json", action="store_true", help="for programs")
    methods_option(one)
    one.add_argument("--html", metavar="FILE", type=Path, help="write a page with the picture")
    one.add_argument("--force", action="store_true", help="write over another file too, but never over DATA")
    one.set_defaults(command=_curve, stratify=None, skip_failures=False)

    one = commands.add_parser("test-cases", help="how many test cases an interval of a wanted width takes")
    one.add_argument("--width", metavar="P", type=float, required=True, help="upper less lower limit, a proportion")
    one.add_argument("--error", metavar="P", type=float, default=0.5, help="expected error; by default .5, the worst")
    one.add_argument("--confidence-level", metavar="P", type=float, default=0.95, help="a proportion; by default 0.95")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_test_cases)


def _curve(arguments: argparse.Namespace) -> None:
    plain = arguments.scoring in ("error", "balanced")
    if arguments.error is not None and (arguments.error <= 0 or (plain and arguments.error >= 1)):
        what = "a proportion between 0 and 1" if plain else "a mean cost above 0"
        raise UsageError(f"--error {arguments.error} was given; expected {what}; mend it")
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
