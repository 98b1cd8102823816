"""Requirements of learners and the messages where one is not met."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from errorest.errors import UsageError
from errorest.resampling.draw import Resamples

__all__ = ["Rejected", "both_ways", "call_or_rejected", "check_id", "require"]

T = TypeVar("T")


class Rejected:
    """Stands for what was not given, since the inputs were refused."""


def require(met: object, who: str, seen: str, expected: str, remedy: str) -> None:
    """Raise where a demand is not met."""
    if not met:
        raise UsageError(f"{who}: {seen}; expected {expected}; {remedy}")


def call_or_rejected(call: Callable[[], T]) -> T | Rejected:
    """Call, and return :class:`Rejected` where the inputs are refused as a person's mistake."""
    try:
        return call()
    except UsageError:
        return Rejected()


def both_ways(
    who: str, resamples: Resamples, does: str, loop: Callable[[], T], batch: Callable[[], T]
) -> tuple[T, T] | None:
    """Return the answers of a loop of fits and of one pass; None where both refuse, which they must do alike."""
    cases = resamples.cases.copy()
    looped, passed = call_or_rejected(loop), call_or_rejected(batch)
    require(
        np.array_equal(cases, resamples.cases), who, "the resamples are others now", "that inputs stay", "copy first"
    )
    require(
        isinstance(looped, Rejected) == isinstance(passed, Rejected),
        who,
        f"one face refuses a training set and the other {does}",
        "that both refuse alike",
        "check each row's training set",
    )
    return None if isinstance(looped, Rejected) or isinstance(passed, Rejected) else (looped, passed)


def check_id(made: Any) -> str:
    """Check that an id is one line of text that stays as it is, and return it."""
    text: Any = getattr(made, "id", None)
    require(
        isinstance(text, str) and text.strip() == text != "" and "\n" not in text,
        type(made).__name__,
        f"its id is {text!r}",
        "one line of text with every setting on which results depend, such as 'knn(k=3)'",
        "write the id property",
    )
    require(
        made.id == text, text, f"its id is {made.id!r} when asked again", "one text always", "leave out what changes"
    )
    return text
