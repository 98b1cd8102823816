"""The one exception that stands for a user's mistake.

Everything that a person can get wrong (a name, a type, a bound, a file) is
raised as :class:`UsageError` with a message in three parts: what was wrong,
what was expected, what to do.  The command line prints it on one line and
ends with status 2; a traceback means a defect of ours.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

__all__ = ["UsageError", "nearest"]

_LISTED = 30
_COMPARED = 200
_MOST = 2_000


class UsageError(ValueError):
    """A mistake in what was asked for, with what to do about it."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Say which known name is closest to one that was not found.

    Parameters
    ----------
    name : str
        What was asked for.
    known : iterable of str
        The names that exist.

    Returns
    -------
    str
        ``"did you mean 'x'?"``, or the list of names where none is close.

    Examples
    --------
    >>> nearest("bootstap", ["bootstrap", "holdout"]), nearest("632plus", [".632", "632+"])
    ("did you mean 'bootstrap'?", "did you mean '632+'?")
    """
    names = sorted(known)
    alike = {_spelled(n): n for n in names}
    close = [alike[_spelled(str(name))]] if _spelled(str(name)) in alike else _close(str(name), names)
    if close:
        return f"did you mean '{close[0]}'?"
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return "known names: " + ", ".join(names[:_LISTED]) + more


def _close(name: str, names: list[str]) -> list[str]:
    # comparing takes time that grows with both
    return difflib.get_close_matches(name[:_COMPARED], names[:_MOST], n=1, cutoff=0.5)


def _spelled(name: str) -> str:
    """Write a name without what people add, leave out or write in words: capitals, hyphens, plus and star."""
    return re.sub(r"[^a-z0-9+*]", "", name.lower().replace("plus", "+").replace("star", "*"))
