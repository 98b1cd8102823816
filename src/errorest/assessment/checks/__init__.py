"""Checks of data, classifier, method and interval, which give warnings: one function for each id.

``checks.toml`` has the title, reason, remedy and text of every id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from errorest.assessment.checks import classifier, data, estimate
from errorest.assessment.checks.warning import REGISTERED, Checked, CheckWarning

__all__ = ["OF_TRAINING", "filter_warnings", "run_checks"]

_MODULES = (classifier, data, estimate)

OF_TRAINING = ("E101", "E102")
"""Checks of what is trained, which need no predictions."""

_IN_ORDER = tuple(sorted(REGISTERED))


def run_checks(of: Checked, ids: Collection[str] = _IN_ORDER) -> list[CheckWarning]:
    """Return the warnings of the checks whose conditions hold, in the order of their ids."""
    facts, found = of.facts, list[CheckWarning]()
    for id in ids:
        conditions, function = REGISTERED[id]
        if conditions <= facts:
            found += function(of)
    return found


def filter_warnings(found: Iterable[str], ignored: frozenset[str]) -> tuple[str, ...]:
    """Leave out the warnings whose ids are switched off."""
    return tuple(one for one in found if getattr(one, "id", "") not in ignored)
