"""``errorest score`` and ``scores``: Brier score, AUC and others of one's own data, from the command line."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from errorest.cli.own_data import CLASSIFIERS, DATA, answer_with, common_options, read_problem, subcommand
from errorest.errors import UsageError

if TYPE_CHECKING:
    from errorest.assessment import ScoreEstimate

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> None:
    """Add the subcommands to the command line."""
    one = subcommand(
        commands,
        "score",
        "Brier score, AUC or another score of a classifier on your own CSV file, with an interval",
        "How good are a classifier's probabilities, or its labels by another count than errors, and how sure is that?\n"
        "See: errorest scores\n\n" + DATA,
        CLASSIFIERS + "\nExample:\n  errorest score data.csv --class-column y --score auc --positive yes\n",
    )
    one.add_argument(
        "--inducer", metavar="NAME", default="naive-bayes", help="name or import path; by default naive-bayes"
    )
    one.add_argument("--score", metavar="ID", default="brier", help="by default brier; see: errorest scores")
    one.add_argument("--positive", metavar="CLASS", help="the class that is spoken of; by default the last of two")
    one.add_argument("--estimator", metavar="ID", default="auto", help="by default what suits the score")
    one.add_argument("--interval", metavar="ID", default="auto", help="by default the estimator's; none")
    common_options(one)
    one.set_defaults(command=_score)

    one = commands.add_parser("scores", help="scores: what they are, and which estimators and intervals are legal")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_scores)


def _score(arguments: argparse.Namespace) -> None:
    if arguments.loss != "0/1":
        raise UsageError(
            f"--loss {arguments.loss} was given to score; expected a score alone; weigh errors with errorest estimate"
        )
    answer_with(arguments, _scored)


def _scored(arguments: argparse.Namespace) -> ScoreEstimate:
    from errorest.assessment import estimate

    X, options = read_problem(arguments)
    del options["loss"]
    interval = None if arguments.interval == "none" else arguments.interval
    chosen = {"estimator": arguments.estimator, "interval": interval}
    asked = {"score": arguments.score, "positive": arguments.positive}
    return estimate(arguments.inducer, X, **asked, **chosen, **options, progress=arguments.jobs != 1)


def _scores(arguments: argparse.Namespace) -> None:
    from errorest.estimation.estimators import ESTIMATORS
    from errorest.estimation.intervals import INTERVALS, STATISTIC_INTERVALS
    from errorest.estimation.metrics import METRICS, Statistic

    rows: list[dict[str, Any]] = []
    for name, make in METRICS.items():
        score = make()
        own = [n for n, made in STATISTIC_INTERVALS.items() if made().legal_for(score)]
        means = [n for n, made in INTERVALS.items() if made.losses == "any"]
        rows.append(
            {
                "name": name,
                "meaning": (make.__doc__ or "").strip().splitlines()[0],
                "settings": score.settings(),
                "needs": "probabilities" if score.needs_probabilities else "labels",
                "estimators": list(score.estimators) if isinstance(score, Statistic) else list(ESTIMATORS),
                "intervals": means if score.decomposable else own,
            }
        )
    if arguments.json:
        print(json.dumps({"scores": rows}, indent=1))
        return
    for r in rows:
        print(r["name"])
        print(f"    {r['meaning']}")
        for head in ("settings", "needs"):
            print(f"    {head:<10} {r[head] or 'none'}")
        for head in ("estimators", "intervals"):
            print(f"    {head:<10} {', '.join(r[head])}")
