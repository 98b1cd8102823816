"""The page "Your data, here": a reader's file is read, and asked, by the functions of the command line.

What the reader chose becomes the arguments of a command; the command's parser and functions do the rest, so that page
and command give the same numbers.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

from compendium.page import show_progress
from compendium.page.code import python_lines
from compendium.page.learners import LEARNERS, METRICS, as_text, learner
from errorest.errors import UsageError

# Seconds from which a run is forecast and confirmed, and seconds of fits that predict the others
_LONG, _OBSERVED = 20.0, 1.0
# Names of columns that are tried as the class, in this order
_CLASS_NAMES = ("class", "target", "label", "y", "outcome", "species", "diagnosis", "classe", "klasse")
# A column with more different cells is not tried as the class
_MOST_CLASSES = 20


class LongRunError(Exception):
    """A run that was not confirmed takes long."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"about {seconds:.0f} s")
        self.seconds = seconds


def choices() -> dict[str, Any]:
    """Return the classifiers and metrics of the form."""
    return {
        "learners": [
            [package, [[name, one.title] for name, one in LEARNERS.items() if bool(one.classifier) == foreign]]
            for package, foreign in (("errorest", False), ("scikit-learn", True))
        ],
        "metrics": [[name, title] for name, title in METRICS.items()],
    }


def read(name: str, reading: Mapping[str, str] | None = None, target: str = "") -> dict[str, Any]:
    """Read a file as the command line does.

    Returns the header, and the columns with kinds, missing cells and notes, the classes with their counts, and the
    class column, which is guessed where none is named; or the problem, where the header can be read but not the rest.
    """
    from errorest.cli.own_data import read_sample
    from errorest.data.tables import read_table

    given = reading or {}
    table = read_table(_file(name), sep=given.get("sep") or None, encoding=given.get("encoding") or None)
    shown: dict[str, Any] = {"header": list(table.header), "target": target, "columns": [], "problem": ""}
    first: UsageError | None = None
    for column in [target] if target else _class_columns(table.header, table.columns):
        try:
            sample = read_sample(_parsed("estimate", [_file(name), *_option("--target", column), *_reading(given)]))
        except UsageError as exc:
            first = first or exc
            continue
        report = sample.read_report
        counts = [int((sample.y == k).sum()) for k in range(len(sample.classes))]
        return {
            **shown,
            "target": column,
            "taken": list(report.taken) if report else [],
            "columns": [vars(one) for one in report.columns] if report else [],
            "classes": [list(pair) for pair in zip(sample.classes, counts, strict=True)],
            "cases": sample.n,
        }
    return {**shown, "problem": str(first) if first else "no column has classes; name the class column"}


def assess(task: str, name: str, confirmed: bool = False, **chosen: Any) -> dict[str, Any]:
    """Estimate, compare, choose or judge predictions: what the command of the same name prints, and more.

    Returns the command, the same in Python, what the command prints (as text, and as with ``--json``), and for each
    metric its HTML, methods paragraph and page; or a forecast in seconds, where a run that was not confirmed takes
    long.
    """
    from errorest.assessment.report.markup import page_body, page_document
    from errorest.assessment.report.page import page_of
    from errorest.cli.commands import assess as assessed
    from errorest.cli.commands import judge
    from errorest.report import methods_text

    typed = command_of(task, name, chosen)
    arguments = _parsed(task, typed)
    if any(learner(one).classifier for one in chosen.get("learners") or ()):
        import_module("sklearn")  # which a page may have to load, before anything is computed
    try:
        if task == "from-predictions":
            result = judge(arguments)
        else:
            n_models = {"compare": 2, "choose": len(chosen["learners"])}.get(task, 1)
            result = assessed(arguments, _Watch(n_models, confirmed))
    except LongRunError as exc:
        return {"forecast": exc.seconds}
    command = f"errorest {task} {shlex.join(typed)}"
    several = isinstance(arguments.scoring, list)
    reports = []
    for one in result if several else [result]:
        page = page_of(one, command)
        reports.append(
            {
                "title": page.title,
                "html": page_body(page),
                "methods": methods_text(one),
                "document": page_document(page),
            }
        )
    python = python_lines(task, arguments, chosen)
    return {
        "command": command,
        "python": python,
        "summary": str(result),
        "json": json.dumps(result.to_dict()),
        "reports": reports,
    }


def command_of(task: str, name: str, chosen: Mapping[str, Any]) -> list[str]:
    """Return the arguments of the command ``errorest TASK`` for what was chosen in the form."""
    if task not in _ASKED:
        raise UsageError(f"'{task}' is no task of this page; expected one of {', '.join(_ASKED)}")
    scoring = [_metric(one) for one in chosen.get("scoring") or ["error"]]
    typed = [_file(name), *_option("--target", chosen.get("target", "")), *_ASKED[task](chosen)]
    typed += _reading(chosen.get("reading") or {})
    if scoring != ["error"]:
        typed += ["--scoring", ",".join(scoring)]
    for key in ("pos_label", "groups", "confidence_level"):
        typed += _option(f"--{key.replace('_', '-')}", chosen.get(key) or "")
    if task != "from-predictions":
        typed += _option("--method", chosen.get("method") or "") + _option("--seed", str(chosen.get("seed") or ""))
        if chosen.get("encode") and any(learner(one).classifier for one in chosen["learners"]):
            typed.append("--encode")
    return typed


def _models(*options: str) -> Callable[[Mapping[str, Any]], list[str]]:
    """Return the classifiers of a command, each behind its option."""

    def typed(chosen: Mapping[str, Any]) -> list[str]:
        learners = chosen.get("learners") or []
        if len(learners) != len(options):
            raise UsageError(f"{len(learners)} classifiers were chosen; expected {len(options)}")
        return [text for option, one in zip(options, learners, strict=True) for text in (option, as_text(one))]

    return typed


def _candidates(chosen: Mapping[str, Any]) -> list[str]:
    learners = chosen.get("learners") or []
    if len(learners) < 2:
        raise UsageError("choosing takes at least two classifiers", "tick another one")
    return ["--candidates", *map(as_text, learners)]


def _predictions(chosen: Mapping[str, Any]) -> list[str]:
    typed: list[str] = []
    for option in ("prediction", "probability"):
        if columns := chosen.get(option):
            typed += [f"--{option}", *([columns] if isinstance(columns, str) else columns)]
    if not typed:
        raise UsageError("no predictions were chosen", "name a column of predicted classes, or of probabilities")
    for option in ("fold", "repeat", "case"):
        typed += _option(f"--{option}", chosen.get(option) or "")
    return typed


# Tasks of the page, which are commands, and what each asks for beside the data
_ASKED: Mapping[str, Callable[[Mapping[str, Any]], list[str]]] = {
    "estimate": _models("--model"),
    "compare": _models("--a", "--b"),
    "choose": _candidates,
    "from-predictions": _predictions,
}


def _metric(name: str) -> str:
    if name not in METRICS:
        raise UsageError(f"'{name}' is no metric of this page; expected one of {', '.join(METRICS)}")
    return name


def _reading(reading: Mapping[str, Any]) -> list[str]:
    """Return the options of how a file is read: separator, decimal sign, encoding, missing cells, and columns."""
    typed: list[str] = []
    for key in ("sep", "decimal", "encoding", "missing"):
        typed += _option(f"--{key}", reading.get(key) or "")
    kinds: Mapping[str, str] = reading.get("kinds") or {}
    if dropped := [column for column, kind in kinds.items() if kind == "left out"]:
        typed += _option("--drop", _line(dropped))
    for column, kind in kinds.items():
        if kind != "left out":
            typed += _option("--kind", f"{column}={kind}")
    return typed


def _line(cells: Sequence[str]) -> str:
    """Write cells as a line of a CSV file."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow(cells)
    return line.getvalue()


def _option(option: str, value: str) -> list[str]:
    """Return an option with its value; nothing without one."""
    if not value:
        return []
    return [f"{option}={value}"] if value.startswith("-") else [option, value]


def _file(name: str) -> str:
    """Return the path of the reader's file, which lies in the present folder."""
    if not name or "/" in name or name in (".", ".."):
        raise UsageError(f"a file cannot be called '{name}'")
    return f"./{name}" if name.startswith("-") else name


def _parsed(task: str, typed: Sequence[str]) -> argparse.Namespace:
    from errorest.cli.main import parser

    arguments = parser().parse_args([task, *typed])
    arguments.typed = [task, *typed]
    return arguments


def _class_columns(header: Sequence[str], columns: Sequence[Sequence[str]]) -> list[str]:
    """Return the columns that may hold the class, likely ones first."""
    if _CLASS_NAMES[0] in header:  # as the command line takes it
        return [_CLASS_NAMES[0]]
    named = sorted((c for c in header if c.lower() in _CLASS_NAMES), key=lambda c: _CLASS_NAMES.index(c.lower()))
    few = [name for name, cells in zip(header, columns, strict=True) if 2 <= len(set(cells)) <= _MOST_CLASSES]
    return list(dict.fromkeys([*named, *[c for c in header[-1:] if c in few], *few[:1], *few[1:20]])) or [header[-1]]


class _Watch:
    """Reports finished fits to the page, and stops a run that takes long and was not confirmed."""

    def __init__(self, n_models: int, confirmed: bool) -> None:
        self.left, self.confirmed = n_models, confirmed
        self.began = self.first = self.shown = 0.0
        self.first_done, self.name = 0, ""

    def __call__(self, name: str, done: int, total: int) -> None:
        now = time.perf_counter()
        if name != self.name or done < self.first_done:
            self.left -= 1
            # the first fits import and compile
            self.began = self.began or now
            self.name, self.first, self.first_done = name, now, done
        if now - self.shown > 0.2:
            self.shown = now
            show_progress(f"{name}: {done} of {total} fits")
        if self.confirmed or done == self.first_done or now - self.first < _OBSERVED:
            return
        each = (now - self.first) / (done - self.first_done)
        seconds = now - self.began + each * (total - done + max(0, self.left) * total)
        if seconds > _LONG:
            raise LongRunError(seconds)
