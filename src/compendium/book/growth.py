"""How cost and memory grow, drawn from what ``benchmarks/growth.py`` recorded: a picture, a sentence, the numbers."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any, cast

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import LogLocator, NullLocator

from compendium.book.pictured import pictured
from compendium.book.places import root, write_whole
from compendium.book.render import scroll, words
from errorest import plots
from errorest.plots import BLACK, BLUE, GREY, ORANGE, VERMILION, Drawn, in_style, log_axis

__all__ = ["draw_growth", "grows_by", "growth_html", "read_growth", "write_growth"]

_FOLDER = "growth"
_LOOP = ", plain loop"
_RULES = {"1-NN": (BLUE, "o"), "linear discriminant": (VERMILION, "s")}
_TITLES = {
    "cases": "cases, 200 resamples",
    "resamples": "resamples of 36 cases",
    "samples": "samples of a study",
    "workers": "worker processes",
}


def read_growth() -> pd.DataFrame:
    """Read the points: line, x, side, seconds and, for some, mebibytes; no rows where nothing is recorded."""
    path = root() / "benchmarks" / "growth.csv"
    return pd.read_csv(path) if path.is_file() else pd.DataFrame(columns=["line", "x", "side", "seconds", "mebibytes"])


def grows_by(x: np.ndarray, seconds: np.ndarray) -> float:
    """Return the slope of a line on doubly logarithmic axes over its upper half, where fixed cost counts least."""
    upper = slice(x.size // 2 if x.size > 3 else 0, None)
    return float(np.polyfit(np.log(x[upper]), np.log(seconds[upper]), 1)[0])


@in_style
def draw_growth(points: pd.DataFrame) -> Drawn:
    """Draw seconds over cases, resamples, samples and workers, with the plain loop's beside ours."""
    figure, grid = plots.new_figure(2, 2, 5.6)
    said = []
    for letter, (line, title), axes in zip("abcd", _TITLES.items(), grid.ravel(), strict=True):
        own = points[points["line"] == line]
        plots.panel_title(axes, letter, title)
        if line == "workers":
            _draw_workers(axes, own)
        else:
            said.append(_draw_line(axes, own, line))
    for axes in grid[:, 0]:
        axes.set_ylabel("seconds")
    marks = [Line2D([], [], color=c, marker=m) for c, m in _RULES.values()]
    loop = Line2D([], [], color=GREY, linestyle="--")
    plots.legend_below(figure, [*marks, loop], [*_RULES, "plain loop of scikit-learn fits"])
    workers = points[points["line"] == "workers"]
    said.append(
        "workers: "
        + ", ".join(
            f"{_told(str(r.side), int(r.x))} {r.seconds:.3g} s" for r in cast("Iterable[Any]", workers.itertuples())
        )
    )
    return Drawn(
        figure,
        f"Seconds on logarithmic axes. {'; '.join(said)}.",
        "**How cost grows**: a to c, processor seconds of one core, the least of some rounds; a and b, one estimate by "
        ".632+ of 1-NN (circles) and of the linear discriminant (squares), with a plain loop of scikit-learn fits "
        "(dashed) on as many bootstrap samples; c, Table 4 of Martin & Hirschberg with so many samples a cell; d, the "
        "same study by the clock with one and two processes (dots) and on a Dask cluster of two (diamond); the dotted "
        "line halves the time of one.",
    )


def _told(side: str, number: int) -> str:
    return "Dask cluster of two" if side == "Dask" else "one process" if number == 1 else f"{number} processes"


def _draw_line(axes: Axes, own: pd.DataFrame, line: str) -> str:
    said = []
    for side, part in own.groupby("side", sort=False):
        rule = str(side).removesuffix(_LOOP)
        colour, mark = _RULES.get(rule, (BLACK, "o"))
        looped = str(side).endswith(_LOOP)
        axes.plot(
            part["x"], part["seconds"], color=colour, linestyle="--" if looped else "-", marker=None if looped else mark
        )
        power = grows_by(part["x"].to_numpy(float), part["seconds"].to_numpy(float))
        said.append(f"{side} {part['seconds'].iloc[0]:.2g} to {part['seconds'].iloc[-1]:.2g} s, power {power:.2f}")
    axes.set_yscale("log")
    decades = np.log10(own["seconds"].max() / own["seconds"].min())
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0,) if decades > 2 else (1.0, 2.0, 5.0)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_locator(NullLocator())
    ticks = sorted(set(own["x"]))
    log_axis(axes, ticks[:: 2 if len(ticks) > 5 else 1], "{:,}")
    axes.grid(axis="y")
    return f"{line}: {', '.join(said)}"


def _draw_workers(axes: Axes, own: pd.DataFrame) -> None:
    alone = float(own.loc[own["x"] == 1, "seconds"].iloc[0])
    axes.plot([1, 2], [alone, alone / 2], color=GREY, linestyle=":")
    processes = own[own["side"] != "Dask"]
    cluster = own[own["side"] == "Dask"]
    axes.plot(processes["x"], processes["seconds"], color=BLACK, marker="o")
    axes.plot(cluster["x"], cluster["seconds"], color=ORANGE, marker="D", linestyle="none")
    for seconds in cluster["seconds"]:
        plots.note(axes, 2.06, seconds, "Dask", ORANGE, ha="left", va="bottom")
    axes.set_xlim(0.8, 2.4)
    axes.set_xticks([1, 2])
    axes.set_ylim(0, None)
    axes.grid(axis="y")


def write_growth(stage: Path, points: pd.DataFrame) -> None:
    """Write the picture, light and dark, into a stage whose ``extra`` folder is copied to the book's root."""
    if not len(points):
        return
    folder = stage / "extra" / _FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with plots.style():
        svg, png = plots.save(draw_growth(points).figure, folder / "growth")
    png.unlink()
    write_whole(folder / "growth-dark.svg", plots.darkened(svg.read_text(encoding="utf-8")))


def growth_html(points: pd.DataFrame, to_root: str = "../") -> str:
    """Return the picture, what it says of each line, and its numbers, folded."""
    if not len(points):
        return "<p>Nothing is recorded in this clone: run <code>.venv/bin/python benchmarks/run.py growth</code>.</p>"
    drawn = draw_growth(points)
    files = f"{to_root}{_FOLDER}/growth"
    return "\n".join(
        [
            pictured(f"{files}.svg", f"{files}-dark.svg", drawn.alt, words(drawn.caption)),
            f"<p>{escape(_sentence(points))}</p>",
            f"<details><summary>The numbers of the picture</summary>{_table(points)}</details>",
        ]
    )


def _sentence(points: pd.DataFrame) -> str:
    """Say how steep the lines are, how much faster the compiled passes are at their ends, and what memory did."""
    told = "; ".join(f"with {line}: {_powers(points[points['line'] == line])}" for line in _TITLES if line != "workers")
    grown = points[(points["line"] == "resamples") & points["mebibytes"].notna()]
    memory = ""
    if len(grown):
        first, last = int(grown["x"].min()), int(grown["x"].max())
        memory = (
            f" At its peak an estimate took {grown['mebibytes'].min():.1f} to {grown['mebibytes'].max():.1f} MiB more "
            f"than a small one before it, from {first:,} to {last:,} resamples."
        )
    return f"Powers by which the seconds grow over the upper half of each line (1 is in proportion), {told}.{memory}"


def _powers(own: pd.DataFrame) -> str:
    """List a line's powers: each of ours, with the plain loop's in parentheses."""
    found = {
        str(side): f"{grows_by(part['x'].to_numpy(float), part['seconds'].to_numpy(float)):.2f}".replace("-", "−")
        for side, part in own.groupby("side", sort=False)
    }
    loops = {side.removesuffix(_LOOP): power for side, power in found.items() if side.endswith(_LOOP)}
    return ", ".join(
        f"{side} {power}" + (f" (plain loop {loops[side]})" if side in loops else "")
        for side, power in found.items()
        if not side.endswith(_LOOP)
    )


def _table(points: pd.DataFrame) -> str:
    rows = "".join(
        f'<tr><th scope="row">{escape(str(r.line))}</th><td class="num">{r.x:,}</td>'
        f'<td class="text">{escape(str(r.side))}</td><td class="num">{r.seconds:.3g}</td>'
        f'<td class="num">{"–" if pd.isna(r.mebibytes) else f"{r.mebibytes:.1f}"}</td></tr>'
        for r in cast("Iterable[Any]", points.itertuples())
    )
    return scroll(
        '<table class="errorest-table"><caption>Seconds, and what memory grew by</caption><thead><tr>'
        '<th scope="col">Line</th><th scope="col" class="num">Number</th><th scope="col" class="text">What</th>'
        '<th scope="col" class="num">Seconds</th><th scope="col" class="num">MiB</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>",
        "Seconds, and what memory grew by",
    )
