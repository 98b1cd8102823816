"""The lines of Python that give the numbers of the page "Your data, here"."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from compendium.page.learners import as_code, learner
from errorest.data.columns import MISSING, decimal_of
from errorest.data.tables import read_table

# How pandas calls what a table was read with
_SIGNS = {"comma": ",", "semicolon": ";", "tab": "\t", "bar": "|", "space": " "}
_CODECS = {
    "UTF-8": "utf-8",
    "UTF-8 with a byte-order mark": "utf-8-sig",
    "UTF-16": "utf-16",
    "Windows-1252 (latin-1)": "cp1252",
}


def python_lines(task: str, arguments: argparse.Namespace, chosen: Mapping[str, Any]) -> str:
    """Return lines of Python that give the same numbers as the command."""
    lines = _of_predictions(arguments) if task == "from-predictions" else _of_models(task, arguments, chosen)
    return "\n".join(lines)


def _of_models(task: str, arguments: argparse.Namespace, chosen: Mapping[str, Any]) -> list[str]:
    file, names = str(arguments.data), list(chosen["learners"])
    reading = {key: getattr(arguments, key) for key in ("sep", "decimal", "encoding", "missing", "drop")}
    if arguments.kind:
        reading["kinds"] = dict(one.rpartition("=")[::2] for one in arguments.kind)
    if arguments.groups:
        reading["drop"] = [*(reading["drop"] or []), arguments.groups]
    usual = {"scoring": "error", "pos_label": None, "method": "auto", "encode": False, "confidence_level": 0.95}
    options = _settings(arguments, usual)
    options += ["groups=groups"] if arguments.groups else []
    models = [as_code(one) for one in names]
    if task == "choose":
        models = [f"[{', '.join(models)}]"]
    imports = sorted({line for one in names for line in learner(one).imports})
    target = [repr(arguments.target)] if arguments.target else []
    read = [repr(file), *target, *(f"{key}={value!r}" for key, value in reading.items() if value is not None)]
    lines = ["import errorest", "from errorest.data import read_csv"]
    if arguments.groups:
        table = [repr(file), *(f"{key}={reading[key]!r}" for key in ("sep", "encoding") if reading[key] is not None)]
        lines += ["from errorest.data.tables import read_table", *imports, ""]
        lines += [f"groups = read_table({', '.join(table)}).column({arguments.groups!r})"]
    else:
        lines += [*imports, ""]
    call = ", ".join([*models, "sample", *options, f"rng={arguments.rng}"])
    return [*lines, f"sample = read_csv({', '.join(read)})", f"print(errorest.{task}({call}))"]


def _of_predictions(arguments: argparse.Namespace) -> list[str]:
    table = read_table(arguments.data, sep=arguments.sep, encoding=arguments.encoding)
    answers = [*arguments.prediction, *arguments.probability]
    unknown = {"", *(MISSING if arguments.missing is None else arguments.missing)}
    cells = [table.column(column) for column in answers]
    read = {
        "sep": (_SIGNS.get(table.separator, arguments.sep), ","),
        "decimal": (decimal_of(arguments.decimal, cells, unknown, table.separator == "comma", table.source), "."),
        "encoding": (_CODECS.get(table.encoding, table.encoding), "utf-8"),
    }
    settings = [f"{key}={value!r}" for key, (value, usual) in read.items() if value != usual]
    given = [f"d[{arguments.target!r}]"]
    for key, columns in (("y_pred", arguments.prediction), ("y_prob", arguments.probability)):
        if columns:
            given.append(f"{key}=d[{(columns[0] if len(columns) == 1 else columns)!r}]")
    for key in ("fold", "repeat", "case", "groups"):
        if column := getattr(arguments, key):
            given.append(f"{key}=d[{column!r}]")
    given += _settings(arguments, {"scoring": "error", "pos_label": None, "confidence_level": 0.95})
    return [
        "import errorest",
        "import pandas as pd",
        "",
        f"d = pd.read_csv({', '.join([repr(str(arguments.data)), *settings])})",
        f"print(errorest.from_predictions({', '.join(given)}))",
    ]


def _settings(arguments: argparse.Namespace, usual: Mapping[str, Any]) -> list[str]:
    """Return settings that are not the usual ones, as arguments."""
    return [f"{key}={getattr(arguments, key)!r}" for key, value in usual.items() if getattr(arguments, key) != value]
