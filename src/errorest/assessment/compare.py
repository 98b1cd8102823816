"""Which of two classifiers errs less, or has the better score, on shared resamples.

The interval of the mean difference is the corrected resampled t of Nadeau & Bengio (2003), which widens the usual one
for the cases that splits share.  The exact sign test on one holdout is given too, and with a region of practical
equivalence (rope) the probability that the two are as good as equal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from errorest.assessment.predictions import Predictions
from errorest.assessment.results import ConfidenceInterval, Result
from errorest.assessment.scoring import Scoring
from errorest.assessment.shared_splits import Spread
from errorest.errors import UsageError
from errorest.estimation.intervals.coverage_table import MeasuredCoverage, measured_coverage_of_score
from errorest.estimation.metrics.metric import ERROR_RATE
from errorest.resampling.schemes import Holdout

if TYPE_CHECKING:
    import pandas as pd

    from errorest.streams import Seed

# What the sign test is done on
_HOLDOUT = Holdout(Fraction(1, 3))


@dataclass(frozen=True)
class SignTest:
    """The exact sign test of two classifiers on one holdout: of its cases, or of its groups where groups were given.

    Parameters
    ----------
    only_a : int
        Cases that a alone gets wrong, or groups of which it gets more cases wrong.
    only_b : int
        The same of b.
    tested : int
        Held-out cases or groups.
    p_value : float
        Two-sided.
    unit : {"cases", "groups"}
    """

    only_a: int
    only_b: int
    tested: int
    p_value: float
    unit: str = "cases"


@dataclass(frozen=True)
class PracticalEquality:
    """Posterior probabilities that two classifiers are practically equal, or either is better; they sum to 1.

    Parameters
    ----------
    rope : float
        Values that differ by no more than this are practically equal; a proportion, or in the unit of the metric.
    a_better, equal, b_better : float
        That a is better by more than the rope, that the difference is within it, that b is better by more.

    Examples
    --------
    >>> PracticalEquality(0.01, 0.25, 0.5, 0.25).likeliest
    'equal'
    """

    rope: float
    a_better: float
    equal: float
    b_better: float

    @property
    def likeliest(self) -> str:
        """The likeliest of ``a_better``, ``equal`` and ``b_better``."""
        return max(("equal", "a_better", "b_better"), key=lambda name: getattr(self, name))


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Difference(Result):
    """The difference of two classifiers on the same splits, a minus b.

    Parameters
    ----------
    value : float
        Mean over the splits of the value of a minus that of b; a proportion, or in the unit of the metric.
    interval : ConfidenceInterval
        Within the range of the metric: two error rates differ by no more than 1.  NaN for scores that rank where a
        class has fewer than four cases.
    standard_error : float
        With Nadeau & Bengio's correction, counting disjoint test sets; NaN where the interval is.
    method : str
        Id of the splits.
    model_a, model_b : str
        Ids of the classifiers.
    value_a, value_b : float
        Mean values over the same splits.
    sign_test : SignTest or None
        Of wrong labels; None where the metric is one of probabilities, or there is no holdout.
    practical : PracticalEquality or None
        Where ``rope`` was given and there are limits.
    coverage : MeasuredCoverage or None
        How often the default interval held the difference of two error rates, or AUCs, in the project's simulations.
    predictions : tuple of two Predictions

    Examples
    --------
    >>> import errorest
    >>> X, y = np.arange(12.0)[:, None], [0] * 6 + [1] * 6
    >>> d = errorest.compare("knn", "majority", X, y, rng=3)
    >>> d.value < 0, d.interval.high < 0, list(d.splits.columns)
    (True, True, ['split', 'a', 'b', 'difference'])
    """

    value: float
    interval: ConfidenceInterval
    standard_error: float
    method: str
    model_a: str
    model_b: str
    value_a: float
    value_b: float
    sign_test: SignTest | None = None
    practical: PracticalEquality | None = None
    coverage: MeasuredCoverage | None = None
    predictions: tuple[Predictions, Predictions]
    _values: np.ndarray

    @cached_property
    def splits(self) -> pd.DataFrame:
        """The value of a, that of b and their difference on each split that has both."""
        import pandas as pd

        a, b = self._values
        return pd.DataFrame({"split": np.arange(a.size), "a": a, "b": b, "difference": a - b})
