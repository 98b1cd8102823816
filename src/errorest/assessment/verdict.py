"""What an error rate means, in a sentence: beside the best constant answer, and class by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from errorest.assessment.costs import KINDS
from errorest.assessment.tables import OfClass
from errorest.assessment.wording import percent, spelt

__all__ = ["verdict_of"]

_BLIND = 0.95
"""Whose mean error over the classes is at least this share of what a constant answer has, looks at nothing."""

_NO_BETTER = 0.9
"""An estimate that is at least this share of the error of a constant answer is no better."""

_MOSTLY = 0.5
"""A class of which more than this share is got wrong is spoken of."""

_SPOKEN = 3
"""Of so many such classes at most."""


def verdict_of(result: Any, classes: Sequence[OfClass]) -> str:
    """Say what an estimate means."""
    what = {"0/1": "error", "balanced": "balanced error"}.get(result.loss, KINDS[result.loss])
    lead = f"{result.told(result.estimate)} {what}" if result.percent else f"{what} {result.told(result.estimate)}"
    one = "any constant answer" if result.loss == "balanced" else f"always answering '{result.constant}'"
    lead += f"; {one} gives {result.told(result.majority_error)}"
    good, text = _beside_one_class(result, classes)
    wrong = _mostly_wrong(classes)
    if not wrong:
        return f"{lead}: {text}"
    return f"{lead}: {text}{'; but' if good else ', and'} {wrong}"


def _beside_one_class(result: Any, classes: Sequence[OfClass]) -> tuple[bool, str]:
    """Return whether the news is good, and the news."""
    bar, between = result.majority_error, result.interval
    if classes:
        chance = 1 - 1 / max(2, len(result.class_counts))
        if float(np.mean([one.error for one in classes])) >= _BLIND * chance and result.estimate >= _NO_BETTER * bar:
            return False, "this classifier has learnt nothing"
    if result.estimate >= bar:
        text = "by this measure the classifier is no better"
        if between is not None and between.low > bar:
            text = "the classifier is worse than that, and so is its whole interval"
        return False, text
    if between is None or np.isnan(between.high):
        return True, "the classifier seems better, but without an interval nobody knows how sure that is"
    if between.degenerate:
        return True, "the classifier seems better, but an interval without width says nothing"
    if between.high < bar:
        return True, "the whole interval lies below that, so that the classifier has learnt something"
    return False, "the interval reaches that far, so that these cases do not prove the classifier better"


def _mostly_wrong(classes: Sequence[OfClass]) -> str:
    """Name the classes that are got wrong more often than right."""
    wrong = sorted((one for one in classes if one.error > _MOSTLY), key=lambda one: -one.error)
    if len(wrong) > _SPOKEN:
        return f"more than half of the cases of {spelt(len(wrong))} classes are wrong"
    parts = []
    for name, cases, error, *_ in wrong:
        if error < 1 - 1e-9:
            parts.append(f"{percent(error)} of the {spelt(cases)} cases of '{name}' are wrong")
        elif cases == 1:
            parts.append(f"the one case of '{name}' is wrong")
        else:
            parts.append(f"{'both' if cases == 2 else f'all {spelt(cases)}'} cases of '{name}' are wrong")
    return " and ".join(parts)
