"""How names and numbers of a reader's own data are written in sentences.

Names are set as code, since they may hold anything.
"""

from __future__ import annotations

__all__ = ["code", "listed", "points", "some"]


def code(text: str) -> str:
    """Set a name as code, whatever is in it."""
    return "`" + text.replace("`", "'") + "`"


def points(share: float) -> str:
    """Write a proportion in percent, without the sign."""
    text = f"{100 * share:.1f}"
    return ("0.0" if text == "-0.0" else text).replace("-", "−")


def some(number: int, what: str) -> str:
    """Write a number of things."""
    return f"{number:,} {what}" + ("" if number == 1 else "s")


def listed(names: list[str], most: int = 5) -> str:
    """List names as code, the first of them where there are many."""
    shown = ", ".join(code(name) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
