"""``errorest estimate``, ``compare``, ``estimators`` and ``intervals``: one's own data from the command line.

The cost comes first and progress while it runs, both on standard error; the answer goes to standard
output, in words or as JSON, and to a page with its picture where one is asked for.
"""

from __future__ import annotations

import argparse
import json
from functools import partial
from math import isnan
from typing import TYPE_CHECKING, Any

from errorest.cli.declared import add_command
from errorest.cli.own_data import answer_with, of_cost, read_problem, say_cost, shows_progress

if TYPE_CHECKING:
    from errorest.assessment import ErrorDifference, ErrorEstimate, ScoreEstimate

__all__ = ["add_parsers"]

# Sample size at which the lists count fits
_CASES = 40

_WIDTH = 60


def add_parsers(commands: Any) -> None:
    """Add the subcommands to the command line."""
    add_command(commands, "estimate", partial(answer_with, make=_estimated, picture=_picture))
    add_command(commands, "compare", partial(answer_with, make=_compared))
    add_command(commands, "estimators", _estimators)
    add_command(commands, "intervals", _intervals)


def _estimated(arguments: argparse.Namespace) -> ErrorEstimate | ScoreEstimate:
    from errorest.assessment import estimate, predict_runtime

    X, options = read_problem(arguments)
    interval = None if arguments.interval == "none" else arguments.interval
    chosen = {"method": arguments.method, "interval": interval}
    metric = {"scoring": arguments.scoring, "pos_label": arguments.pos_label}
    cost = predict_runtime(arguments.model, X, **chosen, **metric, **of_cost(options))
    say_cost(cost.n_fits, [cost])
    return estimate(arguments.model, X, **chosen, **options, progress=shows_progress(cost.seconds))


def _compared(arguments: argparse.Namespace) -> ErrorDifference:
    from errorest.assessment import compare, predict_runtime
    from errorest.assessment.measure import score_of
    from errorest.assessment.plan import ranks
    from errorest.assessment.scorers import read_scorer

    X, options = read_problem(arguments)
    score = score_of(read_scorer(arguments.scoring, None, ())[0])
    splits = arguments.method
    if splits == "auto":
        splits = "cv(k=10, repeats=10)" if ranks(score) else "holdout(test=1/10, repeats=25)"
    costs = [
        predict_runtime(c, X, method=splits, interval=None, **of_cost(options)) for c in (arguments.a, arguments.b)
    ]
    # and one holdout of each for the sign test, if there is one
    signs = score is None or not score.needs_probabilities
    say_cost(sum(c.n_fits for c in costs) + 2 * signs, costs)
    shown = shows_progress(sum(c.seconds for c in costs))
    wanted = {"method": arguments.method, "rope": arguments.rope}
    return compare(arguments.a, arguments.b, X, **wanted, **options, progress=shown)


def _picture(result: ErrorEstimate | ScoreEstimate) -> str | None:
    """Draw the interval in a line of text, from 0 to a round number that leaves it room."""
    from errorest.assessment import ErrorEstimate

    between = result.interval
    if not isinstance(result, ErrorEstimate) or between is None or isnan(between.low):
        return None
    scale, bar = result.axis_end, result.majority_error

    def value_text(value: float, digits: int) -> str:
        return f"{100 * value:.{digits}g} %" if result.percent else f"{value:.{digits}g}"

    def place(value: float) -> int:
        return min(_WIDTH - 1, max(0, round(value / scale * (_WIDTH - 1))))

    line = [" "] * _WIDTH
    for i in range(place(between.low), place(between.high) + 1):
        line[i] = "─"
    line[place(bar)] = "┊" if bar <= scale else "→"
    line[place(between.low)], line[place(between.high)] = "├", "┤"
    line[place(result.estimate)] = "●"
    of_bar = "┊ one class always" if bar <= scale else f"→ one class always: {value_text(bar, 3)}"
    return f"0 {''.join(line)} {value_text(scale, 6)}\n  ● estimate   ├─┤ interval   {of_bar}"


def _estimators(arguments: argparse.Namespace) -> None:
    from errorest.assessment.plan import default_estimator, legal_intervals
    from errorest.estimation.estimators import ESTIMATORS, fits

    rows: list[dict[str, Any]] = [
        {
            "name": name,
            "meaning": _first_line(make),
            "settings": _settings(make),
            "intervals": list(legal_intervals(name)),
            "fits_at_40": fits(name, _CASES),
            "default": name == default_estimator(_CASES).name,
        }
        for name, make in ESTIMATORS.items()
    ]
    if arguments.json:
        print(json.dumps({"estimators": rows}, indent=1))
        return
    for r in rows:
        print(f"{r['name']}{'  (default)' if r['default'] else ''}")
        print(f"    {r['meaning']}")
        print(f"    settings   {r['settings'] or 'none'}")
        print(f"    intervals  {', '.join(r['intervals']) or 'none'}")
        print(f"    cost       {_fits(r['fits_at_40'])} at n = {_CASES}")


def _intervals(arguments: argparse.Namespace) -> None:
    from errorest.estimation.intervals import INTERVALS

    rows: list[dict[str, Any]] = []
    for name, make in INTERVALS.items():
        method = make()
        rows.append(
            {
                "name": name,
                "meaning": _first_line(make),
                "settings": _settings(make),
                "estimators": list(method.estimators),
                "losses": method.losses,
                "groups": method.counts_groups,
                "target": method.target,
                "aim": method.aim,
                "fits_at_40": method.fits(_CASES),
            }
        )
    if arguments.json:
        print(json.dumps({"intervals": rows}, indent=1))
        return
    for r in rows:
        print(f"{r['name']}")
        print(f"    {r['meaning']}")
        print(f"    settings   {r['settings'] or 'none'}")
        print(
            f"    legal with {', '.join(r['estimators'])}; loss {r['losses']}; groups {'yes' if r['groups'] else 'no'}"
        )
        print(f"    target     the {r['target']}: {r['aim']}")
        print(f"    cost       {_fits(r['fits_at_40'])} at n = {_CASES}")


def _fits(number: int) -> str:
    return f"{number:,} fit" + ("" if number == 1 else "s")


def _first_line(make: Any) -> str:
    return (make.__doc__ or "").strip().splitlines()[0]


def _settings(make: Any) -> str:
    import inspect

    return ", ".join(f"{k}={p.default}" for k, p in inspect.signature(make).parameters.items())
