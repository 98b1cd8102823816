"""Results as text: a summary of at most twelve lines, and everything that is known."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING

from errorest.assessment.report.describe import Description, describe
from errorest.assessment.report.formatting import limits_text, value_text
from errorest.errors import visible

if TYPE_CHECKING:
    from errorest.assessment.results import Estimates, Result

# A summary has so many lines, of which warnings take what the others leave
_LINES = 12


def verdict(result: Result) -> str:
    """Return what a result means, in a sentence without its full stop.

    Parameters
    ----------
    result : Estimate, Difference, Choice, PermutationTest or LearningCurve

    Returns
    -------
    str
        Empty where a learning curve was extrapolated to no size.

    Examples
    --------
    >>> import errorest
    >>> X, y = [[0.1], [0.2], [0.9], [1.1]], ["a", "a", "b", "b"]
    >>> errorest.report.verdict(errorest.estimate("majority", X, y, method="loo", rng=1)).split(" (")[0]
    "no evidence of improvement over always 'a'"
    """
    return describe(result).verdict


def with_id(warning: str) -> str:
    """Write a warning with its id, which ``ignore`` takes."""
    id = getattr(warning, "id", "")
    return f"{warning} ({id})" if id else warning


def short(result: Result) -> str:
    """Summarize a result in at most twelve lines: value, interval, verdict, coverage, warnings."""
    described = describe(result)
    lines = [visible(described.lead), *_aligned(_summary(described))]
    return "\n".join([*lines, *_warned(result.warnings, _LINES - len(lines))])


def details(result: Result) -> str:
    """Write everything that is known of a result."""
    described = describe(result)
    lines = [visible(described.lead), *_aligned(described.facts)]
    return "\n".join([*lines, *_warned(result.warnings, len(result.warnings))])


def short_of_several(estimates: Estimates) -> str:
    """Write a table of several metrics, and the warnings of all."""
    rows = [("metric", "value", "interval", "", "baseline")]
    for name, e in zip(estimates.names, estimates, strict=True):
        between, baseline = e.interval, e.baseline.value
        rows.append(
            (
                name,
                value_text(e.metric, e.value),
                "-" if between is None else limits_text(e.metric, between.low, between.high),
                "" if between is None else between.method,
                "-" if baseline is None else value_text(e.metric, baseline),
            )
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, *_warned(estimates.warnings, max(1, _LINES - len(lines)))])


def short_html(result: Result) -> str:
    """Write the summary as a small table for notebooks."""
    described = describe(result)
    rows = "".join(
        f'<tr><th scope="row" style="text-align:left">{html.escape(head)}</th>'
        f'<td style="text-align:left">{html.escape(text)}</td></tr>'
        for head, text in _summary(described)
    )
    notes = "".join(f"<li>{html.escape(with_id(one))}</li>" for one in result.warnings)
    lead = f"<p><strong>{html.escape(described.lead)}</strong></p>"
    return f"{lead}<table>{rows}</table>" + (f"<p>Warnings:</p><ul>{notes}</ul>" if notes else "")


def _summary(described: Description) -> list[tuple[str, str]]:
    """List the facts that a summary shows."""
    verdict = [("verdict", described.verdict)] if described.verdict else []
    return verdict + [fact for fact in described.facts if fact[0] in described.summary]


def _aligned(facts: Iterable[tuple[str, str]]) -> list[str]:
    facts = list(facts)
    width = max((len(head) for head, _ in facts), default=0)
    return [visible(f"  {head:<{width}}  {text}") for head, text in facts]


def _warned(warnings: tuple[str, ...], room: int) -> list[str]:
    """List as many warnings as there is room for, and count the others."""
    lines = [visible(f"  ! {with_id(one)}") for one in warnings]
    if len(lines) <= room:
        return lines
    return [*lines[: room - 1], f"  ! and {len(lines) - room + 1} more warnings: see details()"]
