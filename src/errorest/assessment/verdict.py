"""What an error rate means, in a sentence: beside the best constant answer, and class by class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from errorest.assessment.case_tables import OfClass
from errorest.assessment.costs import KINDS
from errorest.assessment.formatting import percent, spelt

# A class of which more than this share is got wrong is spoken of
_MOSTLY = 0.5

# Of so many such classes at most
_SPOKEN = 3


def verdict_of(result: Any, classes: Sequence[OfClass]) -> str:
    """Say what an estimate means."""
    what = {"0/1": "error", "balanced": "balanced error"}.get(result.loss, KINDS[result.loss])
    lead = (
        f"{result.value_text(result.estimate)} {what}"
        if result.percent
        else f"{what} {result.value_text(result.estimate)}"
    )
    one = "any constant answer" if result.loss == "balanced" else f"always answering '{result.constant}'"
    lead += f"; {one} gives {result.value_text(result.majority_error)}"
    test, better = result.against_baseline, False
    if test is None:
        text = "no paired test of the two, since no cases were tested unseen"
    else:
        finding, better = "no evidence of improvement over", test.high < 0
        if better:
            finding = "better than"
        elif test.low > 0:
            finding = "worse than"
        limits = f"{100 * result.confidence:g} % interval {result.limits_text(test.low, test.high, gain=True)}"
        text = f"{finding} the baseline (paired difference {result.gain_text(test.difference)}, {limits})"
    wrong = _mostly_wrong(classes)
    if not wrong:
        return f"{lead}: {text}"
    return f"{lead}: {text}{', but' if better else ', and'} {wrong}"


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
