"""``errorest choose``: which of several classifiers errs least on one's own CSV file, or scores best, and how much."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest.cli.declared import add_command
from errorest.cli.own_data import answer_with, of_cost, read_problem, say_cost, shows_progress
from errorest.errors import UsageError

if TYPE_CHECKING:
    from errorest.assessment import Choice

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> None:
    """Add the subcommand to the command line."""
    add_command(commands, "choose", partial(answer_with, make=_chosen))


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
            f"{file} cannot be read ({type(exc).__name__}); expected a text file in UTF-8 with a candidate a line"
        ) from None
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    if not any(lines):
        raise UsageError(f"{file} names no candidate; expected one a line; write them into it")
    return [line for line in lines if line]
