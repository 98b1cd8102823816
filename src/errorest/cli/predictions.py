"""``errorest predictions``: the error rate or a score of predictions that another program made."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from errorest import extras
from errorest.cli.own_data import answer, methods_option
from errorest.errors import UsageError
from errorest.files import check_output

__all__ = ["add_parser"]

_EXAMPLES = """
A row is one prediction of a case that its classifier was not trained on. Examples:
  errorest predictions test.csv --target y --prediction p
  errorest predictions cv.csv --target y --prediction p --fold fold --repeat repeat
  errorest predictions cv.csv --target y --prediction p_yes --fold fold --scoring auc --pos-label yes
"""


def add_parser(commands: Any) -> None:
    """Add the subcommand to the command line."""
    one = commands.add_parser(
        "predictions",
        help="the error rate or a score of predictions in a CSV file, made by any program, with an interval",
        description="The error rate or a score of predictions that were made elsewhere, such as in R or Julia.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    one.add_argument("data", metavar="FILE.csv", type=Path, help="with a header")
    one.add_argument("--target", metavar="COLUMN", required=True, help="the true labels")
    one.add_argument(
        "--prediction",
        metavar="COLUMN",
        nargs="+",
        required=True,
        help="predicted labels; or probabilities, of the positive class or of all classes in sorted order",
    )
    for name, text in (
        ("fold", "test sets of a cross-validation; without it all rows are one test set"),
        ("repeat", "repetitions of the cross-validation"),
        ("case", "which case a row is about, if repetitions list the cases in different orders"),
        ("groups", "cases with one value of this column are dependent"),
    ):
        one.add_argument(f"--{name}", metavar="COLUMN", help=text)
    one.add_argument("--scoring", metavar="ID", default="error", help="error, balanced, fn=5,fp=1, auc, brier, ...")
    one.add_argument("--pos-label", metavar="CLASS", help="the class that a score is about; by default the last of two")
    one.add_argument(
        "--interval", metavar="ID", default="auto", help="wilson, clopper-pearson, wald, corrected-t, none"
    )
    one.add_argument("--confidence-level", metavar="P", type=float, default=0.95, help="a proportion; by default 0.95")
    one.add_argument("--json", action="store_true", help="for programs")
    methods_option(one)
    one.add_argument("--html", metavar="FILE", type=Path, help="write a page with the picture")
    one.add_argument("--force", action="store_true", help="write over another file too, but never over FILE.csv")
    one.set_defaults(command=_predictions)


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
