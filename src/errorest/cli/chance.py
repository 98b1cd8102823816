"""``errorest chance``: whether a classifier is better than chance on one's own CSV file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from errorest.cli.own_data import (
    CLASSIFIERS,
    DATA,
    answer_with,
    common_options,
    of_cost,
    read_problem,
    say_cost,
    shows_progress,
    subcommand,
)

if TYPE_CHECKING:
    from errorest.assessment import ChanceTest

__all__ = ["add_parser"]


def add_parser(commands: Any) -> None:
    """Add the subcommand to the command line."""
    one = subcommand(
        commands,
        "chance",
        "whether a classifier does better than if the classes had nothing to do with the attributes",
        "A permutation test: the whole estimate again with the class labels in other places. Where cases are so few\n"
        "that there are no more arrangements than permutations, all are looked at and the p-value is exact. With\n"
        "--groups whole groups change places if each has one class, else labels inside groups; --stratify are never\n"
        "left. --scoring tests a score in the place of the error rate, such as auc; see: errorest scores\n\n" + DATA,
        CLASSIFIERS + "\nExamples:\n  errorest chance data.csv --target y --model knn --html report.html\n"
        "  errorest chance data.csv --target y --scoring auc --pos-label yes\n\n"
        "How often such tests find something in noise, and where there is something: the book's page 'Choosing among\n"
        "classifiers' (notebook guide/08-choosing).\n",
    )
    one.add_argument(
        "--model", metavar="NAME", default="naive-bayes", help="name or import path; by default naive-bayes"
    )
    one.add_argument(
        "--method",
        metavar="ID",
        default="auto",
        help="by default cv(k=5), repeated under every arrangement; see: errorest estimators",
    )
    one.add_argument("--n-permutations", metavar="N", type=int, default=1000, help="arrangements to draw; 1000")
    common_options(one)
    one.set_defaults(command=_chance)


def _chance(arguments: argparse.Namespace) -> None:
    answer_with(arguments, _tested)


def _tested(arguments: argparse.Namespace) -> ChanceTest:
    from errorest.assessment import permutation_test, predict_runtime

    X, options = read_problem(arguments)
    wanted = {"method": arguments.method, "n_permutations": arguments.n_permutations}
    metric = {"scoring": arguments.scoring, "pos_label": arguments.pos_label}
    cost = predict_runtime(arguments.model, X, **wanted, **metric, **of_cost(options))
    say_cost(cost.n_fits, [cost])
    return permutation_test(arguments.model, X, **wanted, **options, progress=shows_progress(cost.seconds))
