"""``errorest check`` and ``cautions``: what is wrong with a classifier, and what each caution's id stands for."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from errorest.cli.output import answer_alone, as_options
from errorest.cli.own_data import on_path
from errorest.cli.reading import add_reading_options, read_sample, say_understood

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> None:
    """Add the subcommands to the command line."""
    one = commands.add_parser(
        "check",
        help="what in a classifier makes its estimated error rate wrong",
        description="Fit a classifier a few dozen times, on the cases of a file or on made-up ones, and tell what "
        "would make its estimated error rate wrong. The exit status is 1 where something is found.",
    )
    one.add_argument("data", metavar="DATA.csv", type=Path, nargs="?", help="plain or gzip; by default made-up cases")
    one.add_argument("--target", metavar="NAME", help="by default the column called class")
    add_reading_options(one)
    one.add_argument("--model", metavar="NAME", required=True, help="name or import path")
    one.add_argument("--encode", action="store_true", help="encode text and gaps for a scikit-learn classifier")
    one.add_argument("--seed", metavar="N", type=int, default=0, help="a whole number from 0; by default 0")
    one.add_argument("--ignore", metavar="IDS", default="", help="cautions to leave out, such as E104,E106")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_check)

    one = commands.add_parser("cautions", help="what each caution's id stands for")
    one.add_argument("ids", metavar="ID", nargs="*", help="such as E203; by default all")
    one.add_argument("--json", action="store_true", help="for programs")
    one.set_defaults(command=_cautions)


def _check(arguments: argparse.Namespace) -> int:
    from errorest.assessment.caution import with_id
    from errorest.conformance import check_classifier

    on_path()
    with answer_alone():
        sample = None
        if arguments.data is not None:
            sample = read_sample(arguments)
            say_understood(sample)
        options = {"encode": arguments.encode, "rng": arguments.seed, "ignore": arguments.ignore}
        result = check_classifier(arguments.model, sample, **options)
    if arguments.json:
        print(json.dumps({"cautions": [{"id": one.kind, "text": str(one)} for one in result]}, indent=1))
    else:
        for one in result:
            print(f"Beware: {as_options(with_id(one))}.")
        if not result:
            print(f"{arguments.model}: nothing found")
    return 1 if result else 0


def _cautions(arguments: argparse.Namespace) -> None:
    from errorest.assessment.caution import CAUTIONS, checked_ids

    wanted = checked_ids(arguments.ids) or frozenset(CAUTIONS)
    shown = {name: kind for name, kind in CAUTIONS.items() if name in wanted}
    if arguments.json:
        print(json.dumps({name: kind._asdict() for name, kind in shown.items()}, indent=1))
        return
    for name, kind in shown.items():
        print(f"{name}  {kind.title}")
        if arguments.ids:
            print(f"      {kind.why} {kind.remedy}")
