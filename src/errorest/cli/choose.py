"""``errorest choose``: which of several classifiers errs least on one's own CSV file, or scores best, and how much."""

from __future__ import annotations

import argparse
from pathlib import Path
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
from errorest.errors import UsageError

if TYPE_CHECKING:
    from errorest.assessment import Choice

__all__ = ["add_parsers"]

_EXAMPLES = """
A file of candidates ends in .txt and has one a line; what follows a # is a remark. The settings of a search object,
GridSearchCV or RandomizedSearchCV at an import path, are the candidates where it is named alone.

Examples:
  errorest choose data.csv --target y --candidates naive-bayes c4.5 "knn(k=5)" --html report.html
  errorest choose data.csv --target y --candidates naive-bayes c4.5 "knn(k=5)" --scoring auc --pos-label yes
  errorest choose data.csv --target y --candidates mymodule:search --nested auto

Which correction to trust when, measured on known truths: the book's page 'Choosing among classifiers' (notebook
guide/08-choosing).
"""


def add_parsers(commands: Any) -> None:
    """Add the subcommand to the command line."""
    one = subcommand(
        commands,
        "choose",
        "which of several classifiers errs least or scores best, corrected for having been chosen",
        "All candidates on the same folds. The error of the best is too low, since it was chosen for that: it is\n"
        "corrected without further fits (bootstrap bias-corrected cross-validation), each rival stands beside the\n"
        "best with a paired interval, and bootstrap resamples show how often each is the best.\n\n" + DATA,
        CLASSIFIERS + _EXAMPLES,
    )
    one.add_argument(
        "--candidates",
        metavar="NAME|FILE.txt",
        nargs="+",
        required=True,
        help="names or import paths, the simplest first; files with one a line; or one search object",
    )
    one.add_argument(
        "--method",
        metavar="ID",
        default="auto",
        help="folds to choose on; by default ten times ten, stratified and averaged for the AUC",
    )
    one.add_argument(
        "--nested",
        metavar="ID",
        help="beside it nested cross-validation, every fold choosing by folds of its own: auto, or such as cv(k=5)",
    )
    one.add_argument("--n-resamples", metavar="N", type=int, default=1000, help="bootstrap samples of the cases; 1000")
    common_options(one)
    one.set_defaults(command=_choose)


def _choose(arguments: argparse.Namespace) -> None:
    answer_with(arguments, _chosen)


def _chosen(arguments: argparse.Namespace) -> Choice:
    from dataclasses import replace

    from errorest.assessment import choose, predict_runtime
    from errorest.assessment.choosing.candidates import read_candidates
    from errorest.assessment.plan import checked_estimator

    X, options = read_problem(arguments)
    candidates = _candidates(arguments.candidates)
    folds = "cv(k=10, repeats=10)" if arguments.method == "auto" else arguments.method
    costs = [
        predict_runtime(c, X, method=folds, interval=None, **of_cost(options))
        for c in read_candidates(candidates, seed=arguments.seed).values()
    ]
    if arguments.nested is not None:
        inner = "cv(k=5)" if arguments.nested == "auto" else arguments.nested
        more = sum(s.fits(X.n) for s in checked_estimator(inner).schemes)
        costs = [replace(c, fits=(*c.fits, ("", more * c.n_fits)), seconds=(1 + more) * c.seconds) for c in costs]
    say_cost(sum(c.n_fits for c in costs), costs)
    wanted = {"method": arguments.method, "nested": arguments.nested, "n_resamples": arguments.n_resamples}
    shown = shows_progress(sum(c.seconds for c in costs))
    return choose(candidates, X, **wanted, **options, progress=shown)


def _candidates(texts: list[str]) -> Any:
    """Read files of candidates, and find a search object that was named alone."""
    from errorest.assessment.choosing.candidates import is_search
    from errorest.inducers.named import named

    results: list[str] = []
    for text in texts:
        results += _lines(Path(text)) if text.endswith(".txt") else [text]
    if len(results) == 1 and is_search(search := named(results[0])):
        return search
    return results


def _lines(file: Path) -> list[str]:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as exc:
        raise UsageError(
            f"{file} cannot be read ({type(exc).__name__}); expected a text file in UTF-8 with a candidate a line; "
            "mend --candidates"
        ) from None
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    if not any(lines):
        raise UsageError(f"{file} names no candidate; expected one a line; write them into it")
    return [line for line in lines if line]
