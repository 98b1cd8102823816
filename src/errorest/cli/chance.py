"""``errorest chance``: whether a classifier is better than chance on one's own CSV file."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from errorest.cli.declared import add_command
from errorest.cli.own_data import answer_with, of_cost, read_problem, say_cost, shows_progress

if TYPE_CHECKING:
    from errorest.assessment import ChanceTest

__all__ = ["add_parser"]


def add_parser(commands: Any) -> None:
    """Add the subcommand to the command line."""
    add_command(commands, "chance", partial(answer_with, make=_tested))


def _tested(arguments: argparse.Namespace) -> ChanceTest:
    from errorest.assessment import permutation_test, predict_runtime

    X, options = read_problem(arguments)
    wanted = {"method": arguments.method, "n_permutations": arguments.n_permutations}
    metric = {"scoring": arguments.scoring, "pos_label": arguments.pos_label}
    cost = predict_runtime(arguments.model, X, **wanted, **metric, **of_cost(options))
    say_cost(cost.n_fits, [cost])
    return permutation_test(arguments.model, X, **wanted, **options, progress=shows_progress(cost.seconds))
