"""The one exception for a user's mistake.

Everything that a person can get wrong (a name, a type, a bound, a file) is raised as :class:`UsageError`: the problem,
and a hint where it helps.  The command line prints it on one line and ends with status 2; a traceback means a defect
of ours.
"""

from __future__ import annotations

import difflib
import errno
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

__all__ = ["UsageError"]

_ROOM = "free some disk space, or choose another place"
_RIGHTS = "check the permissions"
_OPEN = "raise the limit with 'ulimit -n 1024', or use fewer workers"
# What to do where the machine lacks something
_OF_THE_MACHINE = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EROFS), _ROOM),
    **dict.fromkeys((errno.EACCES, errno.EPERM), _RIGHTS),
    **dict.fromkeys((errno.EMFILE, errno.ENFILE), _OPEN),
    **dict.fromkeys((errno.ENOMEM, errno.EAGAIN), "end other processes, or use fewer workers"),
}

_ERROR = re.compile(r"\[Errno (\d+)\] ([^:;\n'\"()]+)")

# Control, format and surrogate characters, and separators of lines
_UNSEEN = ("Cc", "Cf", "Cs", "Zl", "Zp")
_LISTED = 30
_COMPARED = 200
_MOST = 2_000


class UsageError(ValueError):
    """A mistake in what was asked for.

    Parameters
    ----------
    problem : str
        What is wrong, such as ``"n_resamples must be an integer >= 1; got 0"``.
    hint : str
        What to do about it, where that is not plain.
    parameter : str
        The parameter that would change it, where the message does not name it; the command line names its option.

    Examples
    --------
    >>> print(UsageError("unknown metric 'acuracy'", "did you mean 'accuracy'?"))
    unknown metric 'acuracy'; did you mean 'accuracy'?
    """

    def __init__(self, problem: object = "", hint: str = "", parameter: str = "") -> None:
        self.parameter = parameter
        message = f"{problem}; {hint}" if hint else str(problem)
        # what is quoted may have line feeds, as the text of an array has
        super().__init__(" ".join(part.strip() for part in message.splitlines()))


def lacking(exc: OSError) -> str | None:
    """Return what the machine lacks and what to do; None for an error of another kind."""
    if exc.errno not in _OF_THE_MACHINE:
        return None
    hint = _OF_THE_MACHINE[exc.errno]
    where = exc.filename or ("standard output" if hint == _ROOM else "this process")
    return f"{exc.strerror} ({where}); {hint}"


def remedy(exc: OSError) -> str:
    """Return what to do about a file or a folder that the machine refuses to read or to write."""
    return _OF_THE_MACHINE.get(exc.errno or 0, _RIGHTS)


def lacking_in(text: str, where: str) -> str | None:
    """Return what the machine lacked by another program's messages; None where they name nothing of the kind."""
    results = [(int(number), name.strip()) for number, name in _ERROR.findall(text)]
    known = [(number, name) for number, name in results if number in _OF_THE_MACHINE]
    return f"{known[-1][1]} ({where}); {_OF_THE_MACHINE[known[-1][0]]}" if known else None


def nearest(name: str, known: Iterable[str]) -> str:
    """Suggest the known name that is closest to an unknown one."""
    names = sorted(known)
    alike = {_normalized(n): n for n in names}
    if _normalized(str(name)) in alike:
        close = [alike[_normalized(str(name))]]
    else:  # comparing takes time that grows with both
        close = difflib.get_close_matches(str(name)[:_COMPARED], names[:_MOST], n=1, cutoff=0.5)
    if close:
        return f"did you mean '{close[0]}'?"
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return "known names: " + ", ".join(names[:_LISTED]) + more


def unknown(what: str, name: str, known: Iterable[str]) -> UsageError:
    """Return the error of a name that there is not."""
    names = list(known)
    return UsageError(f"unknown {what} '{name}'; expected one of {', '.join(names)}; {nearest(name, names)}")


def refuse_complex(values: Any, what: str) -> None:
    """Refuse an array, list or frame of complex numbers."""
    import numpy as np

    framed = hasattr(values, "columns")
    kinds = [getattr(dtype, "kind", "") for dtype in values.dtypes] if framed else []
    if "c" in kinds or (not framed and np.iscomplexobj(values)):
        raise UsageError(f"{what} holds complex numbers; expected real ones")


def refuse_sparse(values: Any, what: str) -> None:
    """Refuse a sparse matrix."""
    if hasattr(values, "tocsr"):
        raise UsageError(f"{what} is a sparse matrix; expected an array; pass {what}.toarray()")


def visible(text: str) -> str:
    """Write signs that are not seen as Python escapes them: from a file they could command a terminal."""
    return "".join(c if unicodedata.category(c) not in _UNSEEN else ascii(c)[1:-1] for c in text)


def quoted(value: str) -> str:
    """Show a cell or a name in a message: on one line, in quotes with its blanks, cut at 40 characters."""
    line = visible(value)
    return f"'{line if len(line) <= 40 else line[:37] + '...'}'"


def _normalized(name: str) -> str:
    """Write a name without capitals, hyphens and spaces, with the signs + and *."""
    return re.sub(r"[^a-z0-9+*]", "", name.lower().replace("plus", "+").replace("star", "*"))
