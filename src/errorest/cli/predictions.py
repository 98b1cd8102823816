"""``errorest predictions``: the error rate or a score of predictions that another program made."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from errorest import extras
from errorest.cli.declared import add_command
from errorest.cli.own_data import answer
from errorest.errors import UsageError
from errorest.files import check_output

__all__ = ["add_parser"]


def add_parser(commands: Any) -> None:
    """Add the subcommand to the command line."""
    add_command(commands, "predictions", _predictions)


def _predictions(arguments: argparse.Namespace) -> None:
    from errorest.assessment.predictions import from_predictions

    if arguments.html is not None:
        extras.require("plot", "--html, whose page has a picture,")
        check_output(arguments.html, inputs=[arguments.data], force=arguments.force)
    table = _table(arguments.data)
    columns: dict[str, Any] = {name: getattr(arguments, name) for name in ("fold", "repeat", "case", "groups")}
    for column in [arguments.target, *arguments.prediction, *filter(None, columns.values())]:
        if column not in table.columns:
            raise UsageError(
                f"{arguments.data} has no column '{column}'; expected one of {', '.join(map(str, table.columns))}"
            )
    given: dict[str, Any] = {name: None if column is None else table[column] for name, column in columns.items()}
    predicted = table[arguments.prediction]
    result = from_predictions(
        table[arguments.target],
        predicted.to_numpy() if len(arguments.prediction) > 1 else predicted.iloc[:, 0],
        **given,
        scoring=arguments.scoring,
        pos_label=arguments.pos_label,
        interval=None if arguments.interval == "none" else arguments.interval,
        confidence_level=arguments.confidence_level,
    )
    answer(arguments, result)


def _table(path: Path) -> Any:
    import pandas as pd

    try:
        # the separator is found by Python's csv.Sniffer; labels such as NA are text
        return pd.read_csv(path, sep=None, engine="python", keep_default_na=False, na_values=[""])
    except (OSError, ValueError) as exc:
        raise UsageError(f"{path} cannot be read ({' '.join(str(exc).split())[:200]}); expected a CSV file") from None
