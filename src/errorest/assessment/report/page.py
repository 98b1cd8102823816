"""The figure of a result, and its HTML page.

A page stands by itself, with its figure inside as SVG.  It bears the date; where the environment has
``SOURCE_DATE_EPOCH``, that date and no seconds, so that the same seed gives the same bytes.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from importlib import metadata
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest import extras
from errorest.assessment.report.describe import candidate_limits, curve_points, describe, kind_of
from errorest.assessment.report.formatting import (
    gain_text,
    interval_text,
    level_text,
    limits_text,
    percent,
    percent_limits,
    value_text,
)
from errorest.assessment.report.markup import Page, Section, page_document
from errorest.assessment.report.text import with_id
from errorest.files import write_output

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from errorest.assessment.results import Estimate, Result
    from errorest.data.columns import ReadReport
    from errorest.plots import DescribedFigure

# More classes than this make a confusion matrix that nobody reads
_MATRIX = 8

# Facts that stand elsewhere on a page: the verdict, and rows of tables (classes, candidates, points of a curve)
_TABLED = re.compile(r"verdict$|class |\d+(\.| cases| groups)$")

# What is said of a hard case, before the answer that it got
_CASE = ("case", "class", "tested", "loss")

# So many classes, and so many cases, are listed
_CLASSES, _HARDEST = 30, 10


def plot(result: Result) -> Figure:
    """Draw a result.

    Parameters
    ----------
    result : Estimate, Difference, Choice, PermutationTest or LearningCurve

    Returns
    -------
    matplotlib Figure

    Raises
    ------
    UsageError
        If matplotlib is not installed, with the command that installs it.

    Examples
    --------
    >>> import errorest
    >>> result = errorest.estimate("majority", [[0.1], [0.2], [0.9], [1.1]], ["a", "a", "b", "b"], method="loo", rng=1)
    >>> len(errorest.report.plot(result).axes)
    2
    """
    return _drawn(result).figure


def to_html(result: Result, path: str | os.PathLike[str], command: str = "") -> None:
    """Write a page about a result, with its figure in it; an interrupted call leaves no partial file.

    Parameters
    ----------
    result : Estimate, Difference, Choice, PermutationTest or LearningCurve
    path : path
        The HTML file.
    command : str
        The command that repeats the result; by default the call with its seed is named.

    Raises
    ------
    UsageError
        If the file cannot be written, or matplotlib is not installed.

    Examples
    --------
    >>> import errorest, os, tempfile
    >>> result = errorest.estimate("majority", [[0.1], [0.2], [0.9], [1.1]], ["a", "a", "b", "b"], method="loo", rng=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     errorest.report.to_html(result, f"{folder}/page.html")
    ...     os.listdir(folder)
    ['page.html']
    """
    extras.require("plot", "a page")
    write_output(path, page_document(page_of(result, command)))


def page_of(result: Result, command: str = "") -> Page:
    """Return what a page about a result says, with its figure as SVG."""
    from errorest import plots

    described, drawn, svg = describe(result), _drawn(result), BytesIO()
    with plots.style():
        drawn.figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
    picture, source, epoch = svg.getvalue().decode(), result._source, os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = datetime.fromtimestamp(int(epoch), UTC) if epoch.isdigit() else None
    columns = [] if source is None else source.rows()
    # the facts, the data, the version and what repeats the result; without the time for pages of equal bytes
    settings = [fact for fact in described.facts if not _TABLED.match(fact[0])]
    if moment is not None:
        untimed = re.compile(r" in [\d.e+-]+ (s|min|h)$")
        settings = [(head, untimed.sub("", text) if head == "fits" else text) for head, text in settings]
    again = command or ("" if result.seed is None else f"the same call with rng={result.seed}")
    settings += [("data", _file_name(source)), ("version", f"errorest {metadata.version('errorest')}")]
    settings.append(("to repeat", again))
    return Page(
        title=described.title,
        data=_file_name(source),
        day=(moment or datetime.now(UTC)).date().isoformat(),
        lead=f"{described.lead}.",
        sentences=described.sentences,
        warnings=[with_id(one) for one in result.warnings],
        alt=drawn.alt,
        caption=drawn.caption,
        svg=picture[picture.index("<svg") :],
        sections=_sections(result),
        columns=Section("Columns as understood", *((tuple(columns[0]), tuple(columns[1:])) if columns else ())),
        settings=Section("Settings", (), tuple(row for row in settings if row[1])),
    )


def _drawn(result: Result) -> DescribedFigure:
    from errorest import plots
    from errorest.assessment.report.pictures import draw

    with plots.style():
        return draw(result)


def _file_name(source: ReadReport | None) -> str:
    return "" if source is None else Path(source.source).name


def _sections(result: Any) -> list[Section]:
    """Return the tables of an estimate, a choice or a learning curve."""
    metric, kind, rows = result.metric, kind_of(result), list[tuple[Any, ...]]()
    if kind == "Choice":
        for one in result.candidates:
            behind = ("", "")
            if one.name != result.best:
                behind = (gain_text(metric, one.difference), candidate_limits(result, one))
            rows.append((one.name, value_text(metric, one.value), *behind, percent(one.wins), f"{one.rank:.1f}"))
        columns = ("candidate", metric.title, "minus the best", "simultaneous limits", "wins", "mean rank")
        return [Section("All candidates", columns, tuple(rows))]
    if kind == "LearningCurve":
        rows += curve_points(result)
        for one in result.expected:
            limits = limits_text(metric, one.low, one.high)
            rows.append((f"{one.size:,} (expected, median)", value_text(metric, one.value), limits))
        head = (f"training {result.unit}", metric.title, f"{level_text(result.confidence_level)} limits")
        return [Section("The curve in numbers", head, tuple(rows))]
    if kind != "Estimate":
        return []
    e: Estimate = result
    sections = [*_by_class(e), *_hardest_cases(e)] if e.baseline.constant else []
    if metric.metric.needs_probabilities:
        sections += _reliability(e)
    cases = f"{e.n:,} cases" + ("" if e.n_groups is None else f" in {e.n_groups:,} groups")
    between = interval_text(metric, e.interval) + ("" if e.interval is None else f", {e.interval.method}")
    text = (
        f"{describe(e).lead.split(' (')[0]} ({e.method}; {between}; {cases} of {e.predictions.n_classes} classes); and "
        "how many settings or classifiers were tried on these cases before this one was chosen. If there were many, "
        "the estimate is too optimistic."
    )
    return [*sections, Section("What to report", note=text)]


def _by_class(e: Estimate) -> list[Section]:
    """Return the errors of each class and the confusion matrix; nothing where no case was tested unseen."""
    classes = e.predictions.class_rows(e.confidence_level)
    if not classes:
        return []
    rows = tuple(
        (str(name), f"{cases:,}", percent(error), percent_limits(low, high))
        for name, cases, error, low, high in classes[:_CLASSES]
    )
    note = (
        "Each case counts by the share of wrong answers among its tests outside training sets; the limits are "
        f"Wilson's, with {'cases' if e.n_groups is None else 'groups'} taken for independent."
    )
    mean = sum(error * cases for _, cases, error, _, _ in classes) / sum(cases for _, cases, *_ in classes)
    if str(e.metric) == "error" and abs(mean - e.value) > 5e-4:
        note += f" Over all cases that is {percent(mean)}; the estimate by {e.method} is {percent(e.value)}."
    note += f" {len(classes) - _CLASSES} more classes are not listed." if len(classes) > _CLASSES else ""
    head = ("class", "cases", "wrong", f"{level_text(e.confidence_level)} interval")
    sections = [Section("Errors by class", head, rows, note, numbers=True)]
    answers = e.predictions.labels.tolist()
    if len(answers) <= _MATRIX:
        matrix = tuple(
            (str(name), *((percent(share), percent_limits(low, high)) for *_, share, low, high in of_class))
            for name, of_class in groupby(e.predictions.confusion_rows(e.confidence_level), key=itemgetter(0))
        )
        note = "Shares of the answers to the cases of each class, with their limits below."
        sections.append(
            Section("Confusion matrix", ("class \\ answer", *map(str, answers)), matrix, note, numbers=True)
        )
    return sections


def _hardest_cases(e: Estimate) -> list[Section]:
    """Return the cases with the highest mean loss; nothing where none is wrong."""
    of = e.predictions
    table = of.case_columns(e.metric)
    shares = np.column_stack([table[f"share({name})"] for name in of.names])
    shares[np.arange(of.n), of.y] = 0  # of the wrong answers
    answers = np.asarray(of.names, dtype=object)[np.nan_to_num(shares).argmax(axis=1)]
    wrong = np.flatnonzero(table["loss"] > 0)
    hardest = wrong[np.argsort(-table["loss"][wrong], kind="stable")][:_HARDEST]
    if not len(hardest):
        return []
    source, zero_one = e._source, e.metric.metric.zero_one
    columns = [one[hardest].tolist() for one in (*(table[name] for name in _CASE), answers)]
    rows = tuple(
        (
            str(case if source is None else source.lines[case]),
            str(name),
            str(answer),
            f"{tested:,}",
            percent(loss) if zero_one else f"{loss:.4g}",
        )
        for case, name, tested, loss, answer in zip(*columns, strict=True)
    )
    first = "case" if source is None else f"line of {_file_name(source)}"
    head = (first, "class", "mostly predicted", "times tested", "wrong" if zero_one else "mean loss")
    return [Section("Hardest cases", head, rows, "Look for wrong labels here, and for cases unlike all others.")]


def _reliability(e: Estimate) -> list[Section]:
    """Return the shares of the positive class by predicted probability."""
    columns = e.reliability_columns.values()
    rows = tuple(
        (
            f"{cases:,}",
            f"{predicted:.3f}",
            f"{observed:.3f}",
            f"{low:.3f} to {high:.3f}",
            f"{noise_low:.3f} to {noise_high:.3f}",
        )
        for cases, predicted, observed, low, high, noise_low, noise_high in zip(*columns, strict=True)
    )
    if not rows:
        return []
    head = ("cases", "mean predicted probability", "observed share", "its limits", "expected if calibrated")
    return [Section("Calibration", head, rows)]
