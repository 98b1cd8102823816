"""What the examples' gaps and misprints rest on, calculated: sentences for the findings and the errata."""

from __future__ import annotations

from math import ceil, floor

import numpy as np

from errorest.papers.scheffer_herbrich.examples import DIABETES_HITS, HEART_TREE_LABELS, Example
from errorest.tuning_bias import gain_fixed, gain_per_fold

__all__ = ["distinct_share", "hits_that_two_labels_need", "other_numbers_of_folds"]

_FOLDS = range(2, 21)


def distinct_share(n: int) -> float:
    """Expected share of n cases that stand in a bootstrap sample of size n, 1 - (1 - 1/n)^n.

    Examples
    --------
    >>> distinct_share(2)
    0.75
    """
    return float(-np.expm1(n * np.log1p(-1.0 / n))) if n > 1 else 1.0


def hits_that_two_labels_need(heart: Example) -> str:
    """Say how poor a classifier must be for two told labels to gain one hit with the chance asked for.

    Parameters
    ----------
    heart : Example
        Of heart disease; its folds and default share are used, its hits are not.

    Returns
    -------
    str
    """

    def chance(hits: int) -> float:
        return gain_fixed(heart.m, hits, HEART_TREE_LABELS, heart.folds, heart.default_share).at_least(1)

    wanted = f"{100 * heart.wanted:.0f} %"
    most = max((h for h in range(heart.m + 1) if chance(h) > heart.wanted), default=-1)
    if most < 0:
        return f"On heart disease {HEART_TREE_LABELS} told labels never gain a hit with more than {wanted}."
    return (
        "C4.5 on heart disease: the paper prints neither its hits nor the hits to gain, so the chance is not "
        f"testable. But {HEART_TREE_LABELS} told labels gain even one hit with more than {wanted} only if a classifier "
        f"is right on at most {most} of {heart.m} cases ({100 * most / heart.m:.0f} %), where always answering the "
        f"commoner class is right on {100 * heart.default_share:.0f} %. Perhaps an average cost was taken for an "
        "error rate."
    )


def other_numbers_of_folds(diabetes: Example, cases: int) -> str:
    """Say which numbers of folds would give the printed chance with the printed c, half a hit a fold to gain."""
    printed = round(100 * diabetes.wanted)
    fitting = []
    for folds in _FOLDS:
        size, hits = cases / folds, DIABETES_HITS / folds
        percents = [
            100 * gain_per_fold(m, h, diabetes.labels, folds).at_least(ceil(folds / 2))
            for m in {floor(size), ceil(size)}
            for h in {floor(hits), ceil(hits)}
        ]
        if any(printed in (floor(percent), round(percent)) for percent in percents):
            fitting.append(str(folds))
    which = f"only {' and '.join(fitting)} folds give" if fitting else "none gives"
    return (
        f"Of {_FOLDS[0]} to {_FOLDS[-1]} folds, sizes and hits rounded either way, {which} the {printed} % printed for "
        f"c = {diabetes.labels} on diabetes."
    )
