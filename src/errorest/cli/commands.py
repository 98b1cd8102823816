"""The commands on one's own data: cost and progress on standard error, the answer on standard output."""

from __future__ import annotations

import argparse
import inspect
import json
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest.cli.output import answer_alone, as_options, say
from errorest.cli.own_data import (
    answer,
    check_page,
    on_path,
    read_columns,
    read_problem,
    read_sample,
    say_cost,
    say_understood,
)
from errorest.errors import UsageError

if TYPE_CHECKING:
    from errorest.assessment import ErrorEstimate, ScoreEstimate

_WIDTH = 60


def _assess(arguments: argparse.Namespace, of: Any, models: Any) -> Any:
    """Read the data, print the cost and call a function of the library."""
    from errorest import assessment

    function = getattr(assessment, of)
    with answer_alone():
        X, columns = read_problem(arguments)
        options = {**vars(arguments), **columns}
        cost = assessment.predict_runtime(models, X, of=of, **_taken(assessment.predict_runtime, options))
        both = models if of == "compare" else (models,)
        return function(*both, X, **_taken(function, options), progress=say_cost(cost))


def _taken(function: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return those options that a function takes by keyword."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: options[p.name] for p in parameters if p.kind is p.KEYWORD_ONLY and p.name in options}


def estimate_error(arguments: argparse.Namespace) -> None:
    """``errorest estimate``: the error rate or a score of a classifier."""
    result = _assess(arguments, "estimate", arguments.model)
    answer(arguments, result, _picture(result))


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


def compare_two(arguments: argparse.Namespace) -> None:
    """``errorest compare``: which of two classifiers errs less, or scores better."""
    answer(arguments, _assess(arguments, "compare", (arguments.a, arguments.b)))


def choose_best(arguments: argparse.Namespace) -> None:
    """``errorest choose``: which of several classifiers errs least or scores best, and how much."""
    on_path()
    with answer_alone():
        candidates = _candidates(arguments.candidates)
    answer(arguments, _assess(arguments, "choose", candidates))


def _candidates(texts: list[str]) -> Any:
    """Read files of candidates, and find a search object that was named alone."""
    from errorest.assessment.candidates import is_search
    from errorest.learners.named import named

    results: list[str] = []
    for text in texts:
        if not text.endswith(".txt"):
            results.append(text)
            continue
        try:
            lines = [line.partition("#")[0].strip() for line in Path(text).read_text(encoding="utf-8").splitlines()]
        except (OSError, ValueError) as exc:
            raise UsageError(
                f"{text} cannot be read ({type(exc).__name__}); expected a text file in UTF-8 with a candidate a line"
            ) from None
        if not any(lines):
            raise UsageError(f"{text} names no candidate; expected one a line; write them into it")
        results += filter(None, lines)
    if len(results) == 1 and is_search(search := named(results[0])):
        return search
    return results


def test_chance(arguments: argparse.Namespace) -> None:
    """``errorest chance``: whether a classifier does better than if classes had nothing to do with attributes."""
    answer(arguments, _assess(arguments, "permutation_test", arguments.model))


def grow_curve(arguments: argparse.Namespace) -> None:
    """``errorest learning-curve``: what more training cases would bring."""
    plain = arguments.scoring in ("error", "balanced")
    if arguments.error is not None and (arguments.error <= 0 or (plain and arguments.error >= 1)):
        what = "a proportion between 0 and 1" if plain else "a mean cost above 0"
        raise UsageError(f"--error {arguments.error} was given; expected {what}")
    result = _assess(arguments, "learning_curve", arguments.model)
    needed = None if arguments.error is None or result.rises else result.cases_for(arguments.error)
    answer(arguments, result)
    if needed is not None and not arguments.json:
        messages = [f"{number:,}" if number else "more than ten million" for number in needed]
        what = f"an error of {100 * arguments.error:g} %" if plain else f"a mean loss of {arguments.error:g}"
        print(f"\nFor {what}: {messages[0]} {result.unit} likely, {messages[1]} to be sure.")


def count_test_cases(arguments: argparse.Namespace) -> None:
    """``errorest test-cases``: how many test cases an interval of a wanted width takes."""
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


def assess_predictions(arguments: argparse.Namespace) -> None:
    """``errorest predictions``: the error rate or a score of predictions that another program made."""
    import pandas as pd

    from errorest.assessment.predictions import from_predictions

    check_page(arguments)
    columns = {name: getattr(arguments, name) for name in ("fold", "repeat", "case", "groups")}
    columns = {"target": arguments.target, **{name: column for name, column in columns.items() if column is not None}}
    given, predicted = read_columns(arguments, columns, arguments.prediction)
    result = from_predictions(
        given.pop("target"),
        pd.DataFrame(predicted).squeeze(axis=1),
        **_taken(from_predictions, {**vars(arguments), **given}),
    )
    answer(arguments, result)


def check_model(arguments: argparse.Namespace) -> int:
    """``errorest check``: what in a classifier makes its estimated error rate wrong."""
    from errorest.assessment.caution import with_id
    from errorest.conformance import check_classifier

    on_path()
    with answer_alone():
        sample = None
        if arguments.data is not None:
            sample = read_sample(arguments)
            say_understood(sample)
        result = check_classifier(arguments.model, sample, **_taken(check_classifier, vars(arguments)))
    if arguments.json:
        print(json.dumps({"cautions": [{"id": one.kind, "text": str(one)} for one in result]}, indent=1))
    else:
        for one in result:
            print(f"Beware: {as_options(with_id(one))}.")
        if not result:
            say(f"{arguments.model}: nothing found")
    return 1 if result else 0
