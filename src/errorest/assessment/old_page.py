"""The HTML page of a result.

A page stands by itself, with its figure inside as SVG.  It bears the date;
where the environment says ``SOURCE_DATE_EPOCH``, that date and no seconds, so that the same seed gives the same bytes.
"""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata, resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from errorest.assessment.caution import with_id
from errorest.assessment.formatting import percent, within
from errorest.files import PAGE_MARK

if TYPE_CHECKING:
    from errorest.data.columns import ReadReport

# More classes than this make a matrix that nobody reads
_MATRIX = 8

_LISTED = 30
_HARDEST = 10


@dataclass(frozen=True)
class Origin:
    """Where a result comes from, for its page: the file as it was understood, and the command."""

    source: ReadReport | None = None
    command: str = ""

    @property
    def data(self) -> str:
        """The name of the file; nothing without one."""
        return "" if self.source is None else Path(self.source.source).name

    @property
    def moment(self) -> datetime | None:
        """The moment that ``SOURCE_DATE_EPOCH`` names, in UTC; None where it names none."""
        text = os.environ.get("SOURCE_DATE_EPOCH", "")
        return datetime.fromtimestamp(int(text), UTC) if text.isdigit() else None

    def line_of(self, case: Any) -> str:
        """Name a case: by the line of its file where it has one."""
        return str(case if self.source is None else self.source.lines[case])

    def line(self) -> str:
        """Say in a line of HTML which data, and when."""
        day = (self.moment or datetime.now(UTC)).date().isoformat()
        name = f"{html.escape(self.data)}, " if self.data else ""
        return f'<p class="from">{name}{day}</p>'

    def rows(self, again: str) -> list[tuple[str, str]]:
        """Say what repeats the result: the command, or else the call."""
        result = [("data", self.data)] if self.data else []
        result.append(("version", f"errorest {metadata.version('errorest')}"))
        if self.command or again:
            result.append(("to repeat", self.command or again))
        return result

    def folded(self) -> str:
        """Return the columns as understood, folded, as HTML."""
        if self.source is None or len(columns := self.source.rows()) < 2:
            return ""
        head, *rows = columns
        return f"<details><summary>Columns as understood</summary>{table_of(head, rows)}</details>"


def table_of(head: Sequence[str], rows: Iterable[Sequence[str]], kind: str = "", *, numbers: bool = False) -> str:
    """Write a table as HTML, in a box that scrolls.

    Without headings, or with numbers, the first cell of a row is its heading.
    """
    number = ' class="n"' if numbers else ""
    top = "".join(f'<th scope="col"{number if j else ""}>{html.escape(text)}</th>' for j, text in enumerate(head))
    body = ""
    for row in rows:
        first, *others = map(html.escape, row)
        first = f'<th scope="row">{first}</th>' if numbers or not head else f"<td>{first}</td>"
        body += f"<tr>{first}{''.join(f'<td{number}>{text}</td>' for text in others)}</tr>"
    of_kind = f' class="{kind}"' if kind else ""
    return f'<div class="wide"><table{of_kind}>{f"<thead><tr>{top}</tr></thead>" if top else ""}{body}</table></div>'


def page_of(result: Any, origin: Origin) -> str:
    """Return the page of a result as HTML."""
    from errorest import plots

    title, lead = result._headline()
    style = resources.files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    paragraphs = "".join(f"<p>{html.escape(text)}</p>" for text in result._sentences())
    notes = "".join(f"<li>{html.escape(with_id(w))}.</li>" for w in result.warnings)
    beware = f'<section class="beware"><h2>Beware</h2><ul>{notes}</ul></section>' if notes else ""
    drawn, buffer = result.drawn(), io.BytesIO()
    with plots.style():
        drawn.figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue().decode()
    rows = [pair for pair in result.lines() if not pair[0].startswith(("verdict", "class "))]
    rows += origin.rows("" if result.seed is None else f"the same call with rng={result.seed}")
    if origin.moment is not None:
        rows = [
            (head, re.sub(r" in [\d.e+-]+ (s|min|h)$", "", text) if head == "fits" else text) for head, text in rows
        ]
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">{PAGE_MARK}'
        f"<title>{html.escape(title)}</title>"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><style>{style}</style></head><body><main>'
        f'<h1>{html.escape(title)}</h1>{origin.line()}<p class="lead">{html.escape(lead)}</p>{paragraphs}{beware}'
        f'<figure role="img" aria-label="{html.escape(drawn.alt)}">{svg[svg.index("<svg") :]}'
        f"<figcaption>{html.escape(drawn.caption)}</figcaption></figure>{result._sections(origin)}{origin.folded()}"
        f"<section><h2>How this was made</h2>{table_of((), rows, 'facts')}</section></main></body></html>\n"
    )


def class_by_class(result: Any) -> str:
    """Return the error of each class and the confusion matrix, as HTML; nothing where no case was tested unseen."""
    table = result.classes
    if not len(table):
        return ""
    mean = float((table["error"] * table["cases"]).sum() / table["cases"].sum())
    rows = [
        (str(name), f"{cases:,}", percent(error), within(low, high))
        for name, cases, error, low, high in table.head(_LISTED).itertuples(index=False)
    ]
    head = ("class", "cases", "wrong", f"{result.level_text} interval")
    more = f"<p>and {len(table) - _LISTED} more classes.</p>" if len(table) > _LISTED else ""
    how = (
        "Each case counts by the share of its tests, left out of training, that went wrong; the limits are Wilson's, "
        f"with {'groups' if result.groups_whole else 'cases'} taken for independent."
    )
    if result.loss == "0/1" and abs(mean - result.estimate) > 5e-4:
        how += f" Over all cases that is {percent(mean)}, of which the estimator makes {percent(result.estimate)}."
    confusion, matrix = result.confusion, ""
    outputs = list(dict.fromkeys(confusion["predicted"]))
    if len(outputs) <= _MATRIX:
        columns = "".join(f'<th scope="col" class="n">{html.escape(str(n))}</th>' for n in outputs)
        body = ""
        for name, part in confusion.groupby("class", sort=False):
            cells = ""
            for output, share, low, high in part[["predicted", "share", "low", "high"]].itertuples(index=False):
                right = " right" if output == name else ""
                cells += f'<td class="n{right}">{percent(share)}<small>{within(low, high)}</small></td>'
            body += f'<tr><th scope="row">{html.escape(str(name))}</th>{cells}</tr>'
        matrix = (
            '<p>What the cases of each class are taken for, with limits below:</p><div class="wide"><table><thead>'
            f'<tr><th scope="col">class \\ answer</th>{columns}</tr></thead>{body}</table></div>'
        )
    return (
        f"<section><h2>Class by class</h2>{table_of(head, rows, numbers=True)}{more}{matrix}"
        f'<p class="small">{html.escape(how)}</p></section>'
    )


def hardest_cases(result: Any, origin: Origin) -> str:
    """Return the cases that are got wrong most often, as HTML; nothing where none is."""
    answers = result.answered["taken for"]
    table = result.cases.assign(answer=answers).dropna(subset=["loss"])
    table = table[table["loss"] > 0].sort_values("loss", ascending=False, kind="stable").head(_HARDEST)
    if not len(table):
        return ""
    rows = [
        (origin.line_of(case), str(name), str(answer), f"{tested:,}", result.value_text(loss))
        for case, name, tested, loss, answer in table.itertuples(index=False)
    ]
    first = f"line of {origin.data}" if origin.data else "case"
    head = (first, "class", "mostly taken for", "times tested", "wrong" if result.zero_one else "mean cost")
    return (
        f"<section><h2>Hardest cases</h2>{table_of(head, rows)}"
        '<p class="small">Wrong labels hide here, and cases that are unlike all others.</p></section>'
    )


def what_to_report(result: Any) -> str:
    """Return the sentence that a paper needs, and what it still lacks, as HTML."""
    between, limits = result.interval, "no interval"
    if between is not None:
        limits = f"{between.share} interval {between}, {between.method}"
    what = f"{result.heading} {result.value_text(result.estimate)}"
    grouped = "" if result.n_groups is None else f" in {result.n_groups:,} groups"
    of = f"{result.n:,} cases{grouped} of {len(result.class_counts)} classes"
    text = (
        f"{what} ({result.estimator}; {limits}; {of}); and how many settings or classifiers were tried on these cases "
        "before this one was kept. If there were many, the estimate is too good."
    )
    return f"<section><h2>What to report</h2><p>{html.escape(text)}</p></section>"
