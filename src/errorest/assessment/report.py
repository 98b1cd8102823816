"""Pictures and pages of a person's own results.

The only module of the package that draws.  A page stands by itself, with its figure inside as SVG, and is
written whole or not at all.
"""

from __future__ import annotations

import html
import io
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from errorest import plots
from errorest.assessment.compare import ErrorDifference
from errorest.assessment.result import ErrorEstimate
from errorest.errors import UsageError

__all__ = ["difference_page", "draw_difference", "draw_estimate", "estimate_page", "write_page"]

_CLASSES = len(plots.COLOURS)

_CSS = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } .big { font-size: 1.25rem }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #ddd }
th { font-weight: 600; white-space: nowrap } td { overflow-wrap: anywhere }
figure { margin: 1.5rem 0 } svg { max-width: 100%; height: auto } figcaption { color: #555; font-size: .9rem }
.beware { border-left: 4px solid #D55E00; padding-left: 1rem }
"""


@plots.in_style
def draw_estimate(result: ErrorEstimate) -> plots.Drawn:
    """Draw an estimate with its interval above, and the cases by their mean loss below.

    Parameters
    ----------
    result : ErrorEstimate

    Returns
    -------
    Drawn
    """
    figure, axes = plots.new_figure(2, 1, 4.6, height_ratios=[1, 2.2])
    top, below = axes[:, 0]
    scale = 100.0 if result.zero_one else 1.0
    unit = "Error rate (%)" if result.zero_one else "Mean loss"
    between = result.interval
    if between is not None and np.isfinite([between.low, between.high]).all():
        top.plot([scale * between.low, scale * between.high], [0, 0], color=plots.BLUE, linewidth=3)
        top.plot([scale * between.low, scale * between.high], [0, 0], "|", color=plots.BLUE, markersize=14)
    top.plot([scale * result.estimate], [0], "o", color=plots.BLUE, markersize=9)
    bar = scale * result.majority_error
    end = scale * result.axis_end
    fits = bar <= end
    text = "one class always"
    if fits:
        top.axvline(bar, color=plots.GREY, linestyle="--", linewidth=1.2)
    else:
        text += f": {bar:.1f} % →" if result.zero_one else f": {bar:.3g} →"
    # the text stands on the side that has room
    left = fits and bar < end / 2
    top.annotate(
        text,
        (min(bar, end), 1),
        xycoords=("data", "axes fraction"),
        xytext=(4 if left else -4, -2),
        textcoords="offset points",
        ha="left" if left else "right",
        va="top",
        color=plots.ink(plots.GREY),
        fontsize=plots.FONT_SIZE - 1,
    )
    top.set(yticks=[], ylim=(-1, 1.6), xlabel=unit)
    top.set_xlim(0, end)
    plots.panel_title(top, "A", f"{result.estimator}")
    told = _draw_cases(below, result)
    plots.panel_title(below, "B", "Cases by how often they are got wrong" if result.zero_one else "Cases by mean loss")
    if told:
        plots.legend_below(figure, *below.get_legend_handles_labels())
    shown = "no interval" if between is None else f"interval {between}"
    place = "a dashed line at" if fits else "an arrow beyond the axis to"
    alt = (
        f"Above, the estimate {result.estimate:.4f} with {shown}, and {place} {result.majority_error:.4f}, the error "
        "of always answering with one class. Below, the cases of each class sorted by their mean loss when tested "
        "unseen."
    )
    caption = (
        f"A: the estimate and its {'' if between is None else f'{100 * between.confidence:g} % '}interval. B: cases on "
        "the right are hard: most classifiers that did not see them get them wrong."
    )
    return plots.Drawn(figure, alt, caption)


def _draw_cases(axes: Any, result: ErrorEstimate) -> bool:
    """Draw the sorted mean losses of each class; return whether lines need a legend."""
    table = result.cases.dropna(subset=["loss"])
    classes = list(dict.fromkeys(table["class"])) if result.class_counts else []
    groups = [("all cases", table)]
    if 1 < len(classes) <= _CLASSES:
        groups = [(f"class {name}", table[table["class"] == name]) for name in sorted(classes)]
    for (name, rows), colour in zip(groups, plots.COLOURS, strict=False):
        losses = np.sort(rows["loss"].to_numpy())
        share = 100 * (np.arange(losses.size) + 0.5) / max(losses.size, 1)
        style = "o-" if losses.size <= 100 else "-"
        axes.plot(share, losses, style, color=colour, markersize=3.5, linewidth=1.2, label=f"{name} ({losses.size})")
    axes.set(xlabel="Cases, easiest first (% of their class)", ylabel="Share wrong" if result.zero_one else "Mean loss")
    axes.set_xlim(0, 100)
    return True


@plots.in_style
def draw_difference(result: ErrorDifference) -> plots.Drawn:
    """Draw the differences of the splits, their mean and its interval.

    Parameters
    ----------
    result : ErrorDifference

    Returns
    -------
    Drawn
    """
    figure, axes = plots.new_figure(1, 1, 3.0)
    axis = axes[0, 0]
    values = 100 * result.splits["difference"].to_numpy()
    # equal differences stand above one another
    level = np.array([int((values[:i] == v).sum()) for i, v in enumerate(values)])
    axis.plot(values, 1 + level / max(1, level.max()), "o", color=plots.SKY, markersize=5)
    low, high = 100 * result.interval.low, 100 * result.interval.high
    axis.plot([low, high], [0.4, 0.4], color=plots.BLUE, linewidth=3)
    axis.plot([low, high], [0.4, 0.4], "|", color=plots.BLUE, markersize=14)
    axis.plot([100 * result.difference], [0.4], "o", color=plots.BLUE, markersize=9)
    axis.axvline(0, color=plots.GREY, linestyle="--", linewidth=1.2)
    axis.set(yticks=[0.4, 1.5], yticklabels=["mean", "splits"], ylim=(0, 2.2))
    axis.set_xlabel("Error rate of a less that of b (percentage points)")
    plots.panel_title(axis, "", "Left of the dashed line a errs less")
    alt = (
        f"Differences of {values.size} splits from {values.min():.1f} to {values.max():.1f} percentage points; their "
        f"mean {100 * result.difference:.2f} with the interval {low:.2f} to {high:.2f}; a dashed line at zero."
    )
    caption = "Light: each split's difference. Dark: their mean with the corrected resampled t interval."
    return plots.Drawn(figure, alt, caption)


def estimate_page(result: ErrorEstimate) -> str:
    """Write the page of an estimate, as HTML.

    Parameters
    ----------
    result : ErrorEstimate

    Returns
    -------
    str
    """
    between = result.interval
    rate = f"{100 * result.estimate:.1f} %" if result.zero_one else f"{result.estimate:.4g}"
    lead = f"{'Error rate' if result.zero_one else 'Mean loss'} {rate}"
    if between is not None and np.isfinite(between.low):
        scale, unit = (100.0, " %") if result.zero_one else (1.0, "")
        lead += (
            f", {100 * between.confidence:g} % interval {scale * between.low:.3g} to {scale * between.high:.3g}{unit}"
        )
    hard = result.cases.dropna(subset=["loss"]).sort_values("loss", ascending=False, kind="stable").head(10)
    rows = "".join(
        f"<tr><td>{html.escape(str(c))}</td><td>{html.escape(str(k))}</td><td>{t}</td><td>{loss:.2f}</td></tr>"
        for c, k, t, loss in hard.itertuples(index=False)
    )
    cases = (
        "<h2>Hardest cases</h2><table><tr><th>case</th><th>class</th><th>times tested</th><th>mean loss</th></tr>"
        f"{rows}</table>"
    )
    return _page("Error rate of a classifier", lead, result.lines(), result.warnings, draw_estimate(result), cases)


def difference_page(result: ErrorDifference) -> str:
    """Write the page of a comparison, as HTML.

    Parameters
    ----------
    result : ErrorDifference

    Returns
    -------
    str
    """
    low, high = 100 * result.interval.low, 100 * result.interval.high
    lead = f"a less b: {100 * result.difference:+.1f} points, interval {low:+.1f} to {high:+.1f}; {result.verdict}"
    return _page("Two classifiers compared", lead, result.lines(), result.warnings, draw_difference(result), "")


def _page(
    title: str,
    lead: str,
    lines: list[tuple[str, str]],
    warnings: tuple[str, ...],
    drawn: plots.Drawn,
    more: str,
) -> str:
    rows = "".join(f"<tr><th>{html.escape(head)}</th><td>{html.escape(text)}</td></tr>" for head, text in lines)
    notes = "".join(f"<li>{html.escape(w)}</li>" for w in warnings)
    beware = f'<div class="beware"><h2>Beware</h2><ul>{notes}</ul></div>' if notes else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_CSS}</style></head><body><h1>{html.escape(title)}</h1>"
        f'<p class="big">{html.escape(lead)}</p>{beware}<figure role="img" aria-label="{html.escape(drawn.alt)}">'
        f"{_svg(drawn)}<figcaption>{html.escape(drawn.caption)}</figcaption></figure>"
        f"<table>{rows}</table>{more}</body></html>\n"
    )


def _svg(drawn: plots.Drawn) -> str:
    buffer = io.BytesIO()
    with plots.style():
        drawn.figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue().decode()
    return text[text.index("<svg") :]


def write_page(path: Any, page: str) -> None:
    """Write a page whole or not at all.

    Parameters
    ----------
    path : path-like
        Its folder must exist; an older file there is replaced.
    page : str

    Raises
    ------
    UsageError
        If it cannot be written.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_page(Path(folder) / "page.html", "<p>all of it</p>")
    ...     [p.name for p in Path(folder).iterdir()]
    ['page.html']
    """
    place = Path(path)
    try:
        handle, name = tempfile.mkstemp(prefix=".errorest-", suffix=".html", dir=place.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(page)
                file.flush()
                os.fsync(file.fileno())
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
            os.replace(name, place)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as exc:
        raise UsageError(
            f"the page could not be written to {place} ({exc.strerror}); expected a file in a folder that exists and "
            "is yours to write; choose another path"
        ) from None
