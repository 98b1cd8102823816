"""Cautions of choices and comparisons, which join the registry when the package is imported.

They stand apart from :mod:`~errorest.assessment.caution`, since finished studies are stored under that module's code.
"""

from __future__ import annotations

from collections.abc import Mapping

from errorest.assessment.caution import CAUTIONS, Kind

__all__ = ["OF_CHOICES"]

OF_CHOICES: Mapping[str, Kind] = {
    "E601": Kind(
        "Bias-corrected estimate may still be optimistic",
        "The interval of the corrected error reaches the baseline. Where labels are nearly noise, bootstrap "
        "bias-corrected cross-validation removes a part of the optimism of choosing only: on noise, where every "
        "classifier errs in 50 %, the corrected error of the best was too low by 3.5 points with 2 candidates and 8.3 "
        "with 100 at n = 20, by 1.4 and 5.0 at n = 100 (notebook `guide/08-choosing`). Nested cross-validation was "
        "within two points there.",
        'Estimate by nested cross-validation too: `nested="auto"`. Its interval covered the error of what was chosen '
        "in 94 % of the samples there, and in 88 % in the worst of 45 cells.",
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
    "E603": Kind(
        "A comparison of AUCs with few cases",
        "Below 20 cases of the smaller class the spread of the folds is too uncertain where it is small. The variance "
        "of the difference is then at least half of Hanley and McNeil's for one AUC, which about doubles the interval "
        "of nearly equal classifiers.",
        "Collect more cases of that class.",
        "`compare`",
    ),
}
"""Cautions by id."""

assert isinstance(CAUTIONS, dict)
CAUTIONS.update(OF_CHOICES)
