"""``errorest check`` and ``cautions``: what is wrong with a classifier, and what each caution's id stands for."""

from __future__ import annotations

import argparse
import json
from typing import Any

from errorest.cli.declared import add_command
from errorest.cli.output import answer_alone, as_options
from errorest.cli.own_data import on_path
from errorest.cli.reading import read_sample, say_understood

__all__ = ["add_parsers"]


def add_parsers(commands: Any) -> None:
    """Add the subcommands to the command line."""
    add_command(commands, "check", _check)
    add_command(commands, "cautions", _cautions)


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
