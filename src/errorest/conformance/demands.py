"""How a demand that is not met is told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from errorest.errors import UsageError
from errorest.resampling.draw import Resamples

__all__ = ["Refused", "both_ways", "check_id", "demand", "tried"]

T = TypeVar("T")


class Refused:
    """Stands for what was not given, since the inputs were refused."""


def demand(met: object, who: str, seen: str, expected: str, remedy: str) -> None:
    """Raise where a demand is not met."""
    if not met:
        raise UsageError(f"{who}: {seen}; expected {expected}; {remedy}")


def tried(call: Callable[[], T]) -> T | Refused:
    """Call, and return :class:`Refused` where the inputs are refused as a person's mistake."""
    try:
        return call()
    except UsageError:
        return Refused()


def both_ways(
    who: str, resamples: Resamples, does: str, loop: Callable[[], T], batch: Callable[[], T]
) -> tuple[T, T] | None:
    """Return the answers of a loop of fits and of one pass; None where both refuse, which they must do alike."""
    cases = resamples.cases.copy()
    looped, passed = tried(loop), tried(batch)
    demand(
        np.array_equal(cases, resamples.cases), who, "the resamples are others now", "that inputs stay", "copy first"
    )
    demand(
        isinstance(looped, Refused) == isinstance(passed, Refused),
        who,
        f"one face refuses a training set and the other {does}",
        "that both refuse alike",
        "check each row's training set",
    )
    return None if isinstance(looped, Refused) or isinstance(passed, Refused) else (looped, passed)


def check_id(made: Any) -> str:
    """Check that an id is one line of text that stays as it is, and return it."""
    text: Any = getattr(made, "id", None)
    demand(
        isinstance(text, str) and text.strip() == text != "" and "\n" not in text,
        type(made).__name__,
        f"its id is {text!r}",
        "one line of text with every setting on which results depend, such as 'knn(k=3)'",
        "write the id property",
    )
    demand(
        made.id == text, text, f"its id is {made.id!r} when asked again", "one text always", "leave out what changes"
    )
    return text
