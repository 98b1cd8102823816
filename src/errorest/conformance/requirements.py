"""What checks of learners share: requirements, calls that may be refused, batch against loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from errorest.errors import UsageError
from errorest.resampling.draw import Resamples

T = TypeVar("T")


def require(met: object, problem: str, hint: str) -> None:
    """Raise a UsageError where a requirement is not met."""
    if not met:
        raise UsageError(problem, hint)


def call_or_none(call: Callable[[], T]) -> T | None:
    """Call, and return None where the input is refused with a UsageError."""
    try:
        return call()
    except UsageError:
        return None


def loop_and_batch(
    where: str, resamples: Resamples, loop: Callable[[], T], batch: Callable[[], T]
) -> tuple[T, T] | None:
    """Return the answers of one fit a row and of the batch method; None where both refuse the training sets."""
    cases = resamples.cases.copy()
    looped, batched = call_or_none(loop), call_or_none(batch)
    require(np.array_equal(cases, resamples.cases), f"{where}: the batch method changes its resamples", "copy them")
    require(
        (looped is None) == (batched is None),
        f"{where}: {'fit' if looped is None else 'the batch method'} refuses a training set that "
        f"{'the batch method' if looped is None else 'fit'} takes",
        "check each row's training set as fit does",
    )
    return None if looped is None or batched is None else (looped, batched)


def check_id(learner: Any) -> str:
    """Check that the id of a learner is one line of text that does not change, and return it."""
    text: Any = getattr(learner, "id", None)
    require(
        isinstance(text, str) and text.strip() == text != "" and "\n" not in text,
        f"{type(learner).__name__}: the id must be one line of text; got {text!r}",
        "write an id property with every setting that results depend on, such as 'knn(k=3)'",
    )
    require(learner.id == text, f"{text}: the id changes to {learner.id!r}", "leave out what changes")
    return str(text)
