"""Cautions of choices and comparisons, which join the registry when the package is imported.

They stand apart from :mod:`~errorest.assessment.caution`, since finished studies are stored under that module's code.
"""

from __future__ import annotations

from collections.abc import Mapping

from errorest.assessment.caution import CAUTIONS, Kind

__all__ = ["OF_CHOICES"]

OF_CHOICES: Mapping[str, Kind] = {
    "E601": Kind(
        "A correction that noise flatters",
        "The corrected error of what was chosen reaches that of no classifier at all. Where labels are nearly noise, "
        "bootstrap bias-corrected cross-validation does not take back all that choosing adds: the corrected error is "
        "too good, the more so the more candidates there are and the fewer cases. How much is measured in the notebook "
        "`guide/08-choosing`.",
        'Ask for nested cross-validation too, `nested="auto"`, and believe that.',
        "`choose`",
    ),
    "E602": Kind(
        "Splits or samples without a score",
        "Some splits, or bootstrap samples of the cases, hold one class alone, or nothing that the score rests on. "
        "They are left out for all classifiers alike; where they are folds of a choice, rivals are set beside the best "
        "by a bootstrap of the cases.",
        'Keep classes in proportion with `stratify="class"`, or ask for larger test sets.',
        "`choose`, `compare`",
    ),
}
"""Cautions by id."""

assert isinstance(CAUTIONS, dict)
CAUTIONS.update(OF_CHOICES)
