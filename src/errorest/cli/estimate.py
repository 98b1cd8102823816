"""``errorest estimate``, ``compare``, ``estimators`` and ``intervals``: one's own data from the command line.

The cost comes first and progress while it runs, both on standard error; the answer goes to standard
output, in words or as JSON, and to a page with its picture where one is asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest import extras
from errorest.cli.output import answer_alone, as_options
from errorest.cli.reading import HOW_READ, add_reading_options, read_sample, say_understood
from errorest.errors import UsageError
from errorest.files import check_output

if TYPE_CHECKING:
    from errorest.assessment import Cost, ErrorDifference, ErrorEstimate
    from errorest.data.sample import Sample

__all__ = ["add_parsers"]

_CASES = 40
"""Sample size at which the lists count fits."""

_WIDTH = 60

_DATA = f"""\
The CSV file has a header, one case a line and a column with the class.
{HOW_READ}"""

_CLASSIFIERS = """\
Classifiers: names of ours (naive-bayes, c4.5, knn(k=3), linear-discriminant, svm, id3, majority, threshold) or import
paths, such as sklearn.linear_model.LogisticRegression or mymodule:pipeline, found from the current folder too, after
what is installed; settings in parentheses. An import path runs the code of the module that it names. Text and missing
values: naive-bayes and c4.5 take them; a scikit-learn classifier needs --encode, which learns the encoding inside every
training set, or a pipeline of your own.
"""


def add_parsers(commands: Any) -> None:
    """Add the subcommands to the command line.

    Parameters
    ----------
    commands : the object that ``ArgumentParser.add_subparsers`` returns

    Examples
    --------
    >>> parser = argparse.ArgumentParser()
    >>> add_parsers(parser.add_subparsers())
    >>> parser.parse_args(["estimate", "data.csv", "--class-column", "y"]).class_column
    'y'
    """
    one = _subcommand(
        commands,
        "estimate",
        "the error rate of a classifier on your own CSV file, with an interval",
        "How wrong will a classifier be that is made of these cases, and how sure is that?\n\n" + _DATA,
        _CLASSIFIERS + "\nExample:\n  errorest estimate data.csv --class-column y --inducer c4.5 --html report.html\n",
    )
    one.add_argument(
        "--inducer", metavar="NAME", default="naive-bayes", help="name or import path; by default naive-bayes"
    )
    one.add_argument("--estimator", metavar="ID", default="auto", help="by default 632+; see: errorest estimators")
    one.add_argument(
        "--interval", metavar="ID", default="auto", help="by default the estimator's; none; see: errorest intervals"
    )
    _common_options(one)
    one.set_defaults(command=_estimate)

    one = _subcommand(
        commands,
        "compare",
        "which of two classifiers errs less on your own CSV file",
        "Two classifiers on the same splits: the difference of their error rates with the corrected resampled t\n"
        "interval, and the sign test's exact answer on one holdout.\n\n" + _DATA,
        _CLASSIFIERS + "\nExample:\n  errorest compare data.csv --class-column y --a naive-bayes --b c4.5\n",
    )
    one.add_argument("--a", metavar="NAME", required=True, help="name or import path")
    one.add_argument("--b", metavar="NAME", required=True, help="name or import path")
    one.add_argument(
        "--estimator",
        metavar="ID",
        default="holdout(test=1/10, repeats=25)",
        help="splits to compare on, repeated holdout or cross-validation; by default 25 splits of 9 : 1",
    )
    _common_options(one)
    one.set_defaults(command=_compare)

    for name, text, command in (
        ("estimators", "error-rate estimators: what they are, which intervals are legal with them, cost", _estimators),
        ("intervals", "intervals: what they aim at, which estimators they are legal with, cost", _intervals),
    ):
        one = commands.add_parser(name, help=text)
        one.add_argument("--json", action="store_true", help="for programs")
        one.set_defaults(command=command)


def _subcommand(commands: Any, name: str, text: str, description: str, epilog: str) -> Any:
    one = commands.add_parser(
        name,
        help=text,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.add_argument("data", metavar="DATA.csv", type=Path, help="plain or gzip")
    one.add_argument("--class-column", metavar="NAME", help="by default 'class', or what data.yml says")
    add_reading_options(one)
    return one


def _common_options(one: Any) -> None:
    one.add_argument("--groups", metavar="COLUMN", help="cases with one value of this column stay together")
    one.add_argument("--strata", metavar="COLUMN", help="a column, or 'class', that resamples keep in proportion")
    one.add_argument("--encode", action="store_true", help="encode text and gaps for a scikit-learn classifier")
    one.add_argument("--seed", metavar="N", type=int, default=0, help="a whole number from 0; by default 0")
    one.add_argument("--confidence", metavar="P", type=float, default=0.95, help="a proportion; by default 0.95")
    one.add_argument("--jobs", metavar="N", type=int, default=1, help="workers for a scikit-learn classifier; -1: all")
    one.add_argument(
        "--threads", metavar="N", type=int, default=1, help="threads of a scikit-learn classifier's fit; by default 1"
    )
    one.add_argument(
        "--loss",
        metavar="COSTS",
        default="0/1",
        help="what a wrong answer costs: balanced; fn=5,fp=1 (two classes); a cost for each class, such as "
        "none=1,mild=2,severe=9; or a file costs.csv with the answers in its first line, a line for each true class "
        "and 0 for right answers; by default 0/1",
    )
    one.add_argument("--skip-failures", action="store_true", help="leave out resamples on which the classifier fails")
    one.add_argument("--json", action="store_true", help="for programs")
    one.add_argument(
        "--html", metavar="FILE", type=Path, help="write a page with the picture; an older page is replaced"
    )
    one.add_argument("--force", action="store_true", help="write over another file too, but never over DATA")


def _estimate(arguments: argparse.Namespace) -> None:
    with answer_alone():
        result = _estimated(arguments)
    _answer(arguments, result, None if result.interval is None else _picture(result))


def _estimated(arguments: argparse.Namespace) -> ErrorEstimate:
    from errorest.assessment import estimate_cost, estimate_error

    X, options = _read(arguments)
    interval = None if arguments.interval == "none" else arguments.interval
    chosen = {"estimator": arguments.estimator, "interval": interval}
    told = {k: options[k] for k in ("groups", "strata", "encode", "jobs", "threads")}
    cost = estimate_cost(arguments.inducer, X, **chosen, **told)
    _say_cost(cost.n_fits, [cost])
    return estimate_error(arguments.inducer, X, **chosen, **options, progress=_shows_progress(cost.seconds))


def _compare(arguments: argparse.Namespace) -> None:
    with answer_alone():
        result = _compared(arguments)
    _answer(arguments, result, None)


def _compared(arguments: argparse.Namespace) -> ErrorDifference:
    from errorest.assessment import compare_errors, estimate_cost

    X, options = _read(arguments)
    told = {k: options[k] for k in ("groups", "strata", "encode", "jobs", "threads")}
    costs = [
        estimate_cost(c, X, estimator=arguments.estimator, interval=None, **told) for c in (arguments.a, arguments.b)
    ]
    # and one holdout of each for the sign test
    _say_cost(sum(c.n_fits for c in costs) + 2, costs)
    shown = _shows_progress(sum(c.seconds for c in costs))
    return compare_errors(arguments.a, arguments.b, X, estimator=arguments.estimator, **options, progress=shown)


def _read(arguments: argparse.Namespace) -> tuple[Sample, dict[str, Any]]:
    """Read the data and check what can be checked before anything is fitted."""
    from dataclasses import replace

    from errorest.data.reading import companion_path

    if arguments.seed < 0:
        raise UsageError(f"--seed {arguments.seed} was given; expected a whole number from 0; mend the seed")
    if arguments.html is not None:
        extras.require("plot", "--html, whose page has a picture,")
        given = [arguments.data, companion_path(arguments.data), Path(arguments.loss)]
        check_output(arguments.html, inputs=given, force=arguments.force)
    # a module of the person's own stands where they are; it takes the place of no installed one
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    stated = {"groups": arguments.groups, "strata": None if arguments.strata == "class" else arguments.strata}
    named = [what for what, column in stated.items() if column is not None]
    sample = read_sample(arguments, also={getattr(arguments, what): "nominal" for what in named})
    say_understood(sample)
    columns = {what: _column(sample, what, getattr(arguments, what)) for what in named}
    if arguments.groups is not None:
        # who a case belongs to says nothing of a new one
        kept = [j for j, a in enumerate(sample.attributes) if a.name != arguments.groups]
        if not kept:
            raise UsageError(
                f"{arguments.data} has no attribute beside the groups; expected at least one; name another group column"
            )
        sample = replace(sample, X=sample.X[:, kept], attributes=tuple(sample.attributes[j] for j in kept))
    strata = "class" if arguments.strata == "class" else columns.get("strata")
    return sample, {
        "groups": columns.get("groups"),
        "strata": strata,
        "encode": arguments.encode,
        "jobs": arguments.jobs,
        "threads": arguments.threads,
        "loss": arguments.loss,
        "rng": arguments.seed,
        "confidence": arguments.confidence,
        "on_failure": "skip" if arguments.skip_failures else "raise",
    }


def _column(sample: Sample, what: str, name: str) -> tuple[str, ...]:
    """Return the cells of a column that names groups or strata."""
    import numpy as np

    j = next((j for j, a in enumerate(sample.attributes) if a.name == name), None)
    if j is None or sample.understood is None:
        raise UsageError(f"--{what} '{name}' is the class column; expected another column; name an attribute")
    if sample.attributes[j].kind != "nominal":
        raise UsageError(f"--{what} '{name}' is stated to hold numbers; expected names of {what}; leave out its --kind")
    values = sample.X[:, j]
    if np.isnan(values).any():
        line = sample.understood.lines[int(np.isnan(values).argmax())]
        raise UsageError(
            f"{sample.understood.source}: line {line} has no value of '{name}'; expected one for each case where it "
            f"names {what}; fill it in"
        )
    categories = sample.attributes[j].categories
    return tuple(categories[int(v)] for v in values)


def _shows_progress(seconds: float) -> bool:
    return seconds > 2 or (seconds > 0.5 and sys.stderr.isatty())


def _say_cost(fits: int, costs: list[Cost]) -> None:
    from dataclasses import replace

    peak = max(c.peak for c in costs)
    whole = replace(costs[0], fits=(("", fits),), seconds=sum(c.seconds for c in costs), peak=peak)
    print(f"cost: {whole}", file=sys.stderr, flush=True)


def _answer(arguments: argparse.Namespace, result: ErrorEstimate | ErrorDifference, picture: str | None) -> None:
    if arguments.json:
        print(json.dumps(result.to_dict(), indent=1))
    else:
        _print_answer(result, picture)
    if arguments.html is not None:
        result.to_html(arguments.html, f"errorest {shlex.join(arguments.typed)}")
        if not arguments.json:
            print(f"\nPage: {arguments.html}")


def _print_answer(result: ErrorEstimate | ErrorDifference, picture: str | None) -> None:
    lines = result.lines()
    width = max(len(head) for head, _ in lines)
    for head, text in lines:
        print(f"{head:<{width}}  {text}")
    if picture:
        print(f"\n{picture}")
    for warning in result.warnings:
        print(f"\nBeware: {as_options(warning)}.")


def _picture(result: ErrorEstimate) -> str | None:
    """Draw the interval in a line of text, from 0 to a round number that leaves it room."""
    between = result.interval
    if between is None or isnan(between.low):
        return None
    scale, bar = result.axis_end, result.majority_error

    def told(value: float, digits: int) -> str:
        return f"{100 * value:.{digits}g} %" if result.percent else f"{value:.{digits}g}"

    def place(value: float) -> int:
        return min(_WIDTH - 1, max(0, round(value / scale * (_WIDTH - 1))))

    line = [" "] * _WIDTH
    for i in range(place(between.low), place(between.high) + 1):
        line[i] = "─"
    line[place(bar)] = "┊" if bar <= scale else "→"
    line[place(between.low)], line[place(between.high)] = "├", "┤"
    line[place(result.estimate)] = "●"
    of_bar = "┊ one class always" if bar <= scale else f"→ one class always: {told(bar, 3)}"
    return f"0 {''.join(line)} {told(scale, 6)}\n  ● estimate   ├─┤ interval   {of_bar}"


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
