"""The commands on the user's data: messages on standard error, the answer on standard output."""

from __future__ import annotations

import argparse
import inspect
import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import errorest
from errorest.cli.output import answer_alone, as_options, in_options, say
from errorest.cli.own_data import check_page, on_path, read_columns, read_problem, read_sample, say_understood
from errorest.errors import UsageError, visible

if TYPE_CHECKING:
    from errorest.assessment.options import Progress
    from errorest.assessment.results import Estimate

_WIDTH = 60


def estimate(arguments: argparse.Namespace) -> None:
    """``errorest estimate``: one or more metrics of a classifier."""
    result = assess(arguments, progress=sys.stderr.isatty())
    _answer(arguments, result, "" if isinstance(arguments.scoring, list) else _picture(result))


def compare(arguments: argparse.Namespace) -> None:
    """``errorest compare``: the difference of two classifiers."""
    _answer(arguments, assess(arguments, progress=sys.stderr.isatty()))


def choose(arguments: argparse.Namespace) -> None:
    """``errorest choose``: the best of several classifiers, corrected for having been chosen."""
    _answer(arguments, assess(arguments, progress=sys.stderr.isatty()))


def permutation_test(arguments: argparse.Namespace) -> None:
    """``errorest permutation-test``: whether a classifier is better than chance."""
    _answer(arguments, assess(arguments, progress=sys.stderr.isatty()))


def learning_curve(arguments: argparse.Namespace) -> None:
    """``errorest learning-curve``: what more training cases would bring."""
    if arguments.error is not None and not arguments.error > 0:
        raise UsageError(f"--error {arguments.error} was given; expected a number above 0")
    result = assess(arguments, progress=sys.stderr.isatty())
    needed = None if arguments.error is None or result.rises else result.cases_for(arguments.error)
    _answer(arguments, result)
    if needed is not None and not arguments.json:
        median, limit = (f"{number:,}" if number else "more than ten million" for number in needed)
        print(f"\nFor {result.metric.noun} {arguments.error:g}: {median} {result.unit} (upper limit {limit}).")


def test_cases(arguments: argparse.Namespace) -> None:
    """``errorest test-cases``: how many test cases an interval of a wanted width takes."""
    cases = errorest.test_size_for(arguments.width, arguments.error, arguments.confidence_level)
    if arguments.json:
        given = {name: getattr(arguments, name) for name in ("width", "error", "confidence_level")}
        print(json.dumps({**given, "cases": cases}))
    else:
        level, error, width = 100 * arguments.confidence_level, 100 * arguments.error, 100 * arguments.width
        interval = f"Wilson's {level:g} % interval of an error of {error:g} %"
        print(f"{cases:,} test cases: {interval} is then no wider than {width:g} points")


def from_predictions(arguments: argparse.Namespace) -> None:
    """``errorest from-predictions``: metrics of predictions that another program made."""
    _answer(arguments, judge(arguments))


def check(arguments: argparse.Namespace) -> int:
    """``errorest check``: what in a classifier makes its estimated error rate wrong."""
    from errorest.assessment.report.text import with_id

    on_path()
    with answer_alone():
        sample = None
        if arguments.data is not None:
            sample = read_sample(arguments)
            say_understood(sample)
        found = errorest.check_classifier(arguments.model, sample, **_taken(errorest.check_classifier, vars(arguments)))
    if arguments.json:
        print(json.dumps({"warnings": [{"id": one.id, "text": str(one)} for one in found]}, indent=1))
    else:
        say("\n".join(f"! {as_options(with_id(one))}" for one in found) or f"{arguments.model}: nothing found")
    return int(bool(found))


def assess(arguments: argparse.Namespace, progress: bool | Progress = False) -> Any:
    """Read the data that the arguments of a command name, and call the library's function of its name."""
    with answer_alone():
        models = _models(arguments)
        X, columns = read_problem(arguments)
        function = getattr(errorest, arguments.command.replace("-", "_"))
        return function(*models, X, **_taken(function, {**vars(arguments), **columns, "progress": progress}))


def judge(arguments: argparse.Namespace) -> Any:
    """Read the predictions that the arguments name, and call :func:`errorest.from_predictions`."""
    import pandas as pd

    check_page(arguments)
    stated = {name: getattr(arguments, name) for name in ("target", "fold", "repeat", "case", "groups")}
    columns = {name: column for name, column in stated.items() if column is not None}
    answers = [*arguments.prediction, *arguments.probability]
    if not answers:
        raise UsageError("no predictions were named; expected --prediction or --probability")
    known, read = read_columns(arguments, columns, answers)
    y_pred: Any
    y_prob: Any
    y_pred, y_prob = (
        pd.DataFrame({column: read[column] for column in wanted}).squeeze(axis=1) if wanted else None
        for wanted in (arguments.prediction, arguments.probability)
    )
    options = _taken(errorest.from_predictions, {**vars(arguments), **known, "y_prob": y_prob})
    return errorest.from_predictions(known["target"], y_pred, **options)


def _models(arguments: argparse.Namespace) -> list[Any]:
    """Return the classifiers that a command names; of ``choose`` a list of candidates, or a search object."""
    if arguments.command == "compare":
        return [arguments.a, arguments.b]
    if arguments.command != "choose":
        return [arguments.model]
    from errorest.assessment.candidates import is_search
    from errorest.learners.named import named

    on_path()
    texts: list[str] = []
    for text in arguments.candidates:
        if not text.endswith(".txt"):
            texts.append(text)
            continue
        # a file of candidates, one a line
        try:
            lines = [line.partition("#")[0].strip() for line in Path(text).read_text(encoding="utf-8").splitlines()]
        except (OSError, ValueError) as exc:
            hint = "expected a text file in UTF-8 with a candidate a line"
            raise UsageError(f"{text} cannot be read ({type(exc).__name__})", hint) from None
        if not any(lines):
            raise UsageError(f"{text} names no candidate; expected one a line")
        texts += filter(None, lines)
    # a search object that was named alone brings its candidates
    search = named(texts[0]) if len(texts) == 1 else None
    return [search if is_search(search) else texts]


def _taken(function: Any, options: dict[str, Any]) -> dict[str, Any]:
    """Return those options that a function takes by keyword."""
    parameters = inspect.signature(function).parameters.values()
    return {p.name: options[p.name] for p in parameters if p.kind is p.KEYWORD_ONLY and p.name in options}


def _answer(arguments: argparse.Namespace, result: Any, picture: str = "") -> None:
    """Print a result as text or JSON, and write its page where one is asked for."""
    from errorest import report

    if arguments.json:
        methods = {"methods": report.methods_text(result)} if arguments.methods else {}
        print(json.dumps({**result.to_dict(), **methods}, indent=1))
    else:
        say(in_options(result.details() if arguments.details else repr(result)))
        if picture:
            print(f"\n{picture}")
        if arguments.methods:
            say(f"\n{report.methods_text(result)}")
    if arguments.html is not None:
        report.to_html(result, arguments.html, f"errorest {shlex.join(arguments.typed)}")
        if not arguments.json:
            say(f"\nPage: {visible(str(arguments.html))}")


def _picture(e: Estimate) -> str:
    """Draw the interval in a line of text; nothing without one."""
    from errorest.assessment.report.describe import axis_limits
    from errorest.assessment.report.formatting import value_text

    if e.interval is None or not e.interval.defined:
        return ""
    start, end = axis_limits(e)

    def position(value: float) -> int:
        return min(_WIDTH - 1, max(0, round((value - start) / (end - start) * (_WIDTH - 1))))

    low, high, baseline = position(e.interval.low), position(e.interval.high), e.baseline.value
    line = [" "] * low + ["─"] * (high - low + 1) + [" "] * (_WIDTH - 1 - high)
    legend = "● estimate   ├─┤ interval"
    if baseline is not None:
        sign = "→" if baseline > end else "←" if baseline < start else "┊"
        line[position(baseline)] = sign
        legend += f"   {sign} {e.baseline.name}: {value_text(e.metric, baseline)}"
    line[low], line[high] = "├", "┤"
    line[position(e.value)] = "●"
    return f"{value_text(e.metric, start)} {''.join(line)} {value_text(e.metric, end)}\n  {visible(legend)}"
