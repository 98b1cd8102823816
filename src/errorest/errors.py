"""The one exception that stands for a user's mistake.

Everything that a person can get wrong (a name, a type, a bound, a file) is
raised as :class:`UsageError` with a message in three parts: what was wrong,
what was expected, what to do.  The command line prints it on one line and
ends with status 2; a traceback means a defect of ours.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["UsageError", "nearest"]


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
    >>> nearest("bootstap", ["bootstrap", "holdout"])
    "did you mean 'bootstrap'?"
    """
    names = sorted(known)
    close = difflib.get_close_matches(str(name), names, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{close[0]}'?"
    return "known names: " + ", ".join(names)
