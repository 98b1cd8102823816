"""Parts of the page of an estimate: class by class, and the cases that are hardest."""

from __future__ import annotations

import html
from typing import Any

from errorest.assessment.costs import KINDS
from errorest.assessment.report import Origin, table_of
from errorest.assessment.wording import percent, within

__all__ = ["class_by_class", "hardest_cases", "what_to_report"]

# More classes than this make a matrix that nobody reads
_MATRIX = 8

_LISTED = 30
_HARDEST = 10


def class_by_class(result: Any) -> str:
    """Return the error of each class and the confusion matrix, as HTML; nothing where no case was tested unseen."""
    table = result.classes
    if not len(table):
        return ""
    mean = float((table["error"] * table["cases"]).sum() / table["cases"].sum())
    share = f"{100 * result.confidence:g} %"
    rows = "".join(
        f'<tr><th scope="row">{html.escape(str(name))}</th><td class="n">{cases:,}</td>'
        f'<td class="n">{percent(error)}</td><td class="n">{within(low, high)}</td></tr>'
        for name, cases, error, low, high in table.head(_LISTED).itertuples(index=False)
    )
    more = f"<p>and {len(table) - _LISTED} more classes.</p>" if len(table) > _LISTED else ""
    how = (
        "Each case counts by the share of its tests, left out of training, that went wrong; the limits are Wilson's, "
        f"with {'groups' if result.groups_whole else 'cases'} taken for independent."
    )
    if result.loss == "0/1" and abs(mean - result.estimate) > 5e-4:
        how += f" Over all cases that is {percent(mean)}, of which the estimator makes {percent(result.estimate)}."
    return (
        '<section><h2>Class by class</h2><div class="wide"><table><thead><tr><th scope="col">class</th>'
        '<th scope="col" class="n">cases</th><th scope="col" class="n">wrong</th>'
        f'<th scope="col" class="n">{share} interval</th></tr></thead>{rows}</table></div>{more}'
        f'{_matrix(result)}<p class="small">{html.escape(how)}</p></section>'
    )


def _matrix(result: Any) -> str:
    table = result.confusion
    names = list(dict.fromkeys(table["predicted"]))
    if len(names) > _MATRIX:
        return ""
    head = "".join(f'<th scope="col" class="n">{html.escape(str(n))}</th>' for n in names)
    body = ""
    for name, part in table.groupby("class", sort=False):
        cells = "".join(
            f'<td class="n{" right" if output == name else ""}">{percent(share)}<small>{within(low, high)}</small></td>'
            for output, share, low, high in part[["predicted", "share", "low", "high"]].itertuples(index=False)
        )
        body += f'<tr><th scope="row">{html.escape(str(name))}</th>{cells}</tr>'
    return (
        '<p>What the cases of each class are taken for, with limits below:</p><div class="wide"><table><thead><tr>'
        f'<th scope="col">class \\ answer</th>{head}</tr></thead>{body}</table></div>'
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
    first = f"line of {origin.data or 'the file'}" if len(origin.lines) else "case"
    head = (first, "class", "mostly taken for", "times tested", "wrong" if result.zero_one else "mean cost")
    return (
        f"<section><h2>Hardest cases</h2>{table_of(head, rows)}"
        '<p class="small">Wrong labels hide here, and cases that are unlike all others.</p></section>'
    )


def what_to_report(result: Any) -> str:
    """Return the sentence that a paper needs, and what it still lacks, as HTML."""
    between = result.interval
    limits = (
        "no interval" if between is None else f"{100 * between.confidence:g} % interval {between}, {between.method}"
    )
    what = f"{KINDS[result.loss].capitalize()} {result.value_text(result.estimate)}"
    of = f"{result.n:,} cases of {len(result.class_counts)} classes"
    text = (
        f"{what} ({result.estimator}; {limits}; {of}); and how many settings or classifiers were tried on these cases "
        "before this one was kept. If there were many, the estimate is too good."
    )
    return f"<section><h2>What to report</h2><p>{html.escape(text)}</p></section>"
