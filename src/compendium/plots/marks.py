"""Marks of a figure that stand for numbers of a table: named in the drawing, and found again in its SVG."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote
from xml.etree import ElementTree

_PREFIX = "mark:"
_SVG = "{http://www.w3.org/2000/svg}"


def mark_name(row: str, column: str) -> str:
    """Return the name of the mark of a number, for ``Artist.set_gid``.

    Examples
    --------
    >>> mark_name("loo", "rms percent")
    'mark:loo|rms%20percent'
    """
    return f"{_PREFIX}{quote(row, safe='')}|{quote(column, safe='')}"


def read_marks(svg: Path) -> dict[tuple[str, str], tuple[float, float]]:
    """Return where the marks of numbers lie in a figure, by row and column: percent from the left and top."""
    root = ElementTree.parse(svg).getroot()
    _, _, width, height = (float(part) for part in root.attrib["viewBox"].split())
    results = {}
    for group in root.iter(f"{_SVG}g"):
        name = group.get("id", "")
        mark = next(group.iter(f"{_SVG}use"), None) if name.startswith(_PREFIX) else None
        if mark is not None:
            row, column = map(unquote, name.removeprefix(_PREFIX).split("|"))
            results[row, column] = (100 * float(mark.attrib["x"]) / width, 100 * float(mark.attrib["y"]) / height)
    return results
