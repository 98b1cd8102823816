"""Replace-one cross-validation of Austern & Zhou (2020).

How much a cross-validation of half the sample changes when one case is replaced by one of
the other half gives its variance by the Efron-Stein inequality.
"""

from __future__ import annotations

from math import sqrt
from typing import Literal, get_args

from errorest.estimation.estimators.estimator import one_of
from errorest.estimation.intervals.draws import replace_one
from errorest.estimation.intervals.method import IntervalMethod, Limits, Measured, id_of
from errorest.estimation.run import Scheme

__all__ = ["replace_one_cv"]

Form = Literal["corrected", "uncorrected"]


def replace_one_cv(k: int = 5, form: Form = "corrected") -> IntervalMethod:
    """Cross-validated loss of the whole sample, plus and minus z sqrt(v / n).

    ``v = (n/4) sum (rate - replaced rate)^2`` over the n/2 cases of one half, each replaced by one
    of the other half, with the folds of that half kept.  A sample of odd size leaves a case out of v,
    whose n is then n - 1.

    Parameters
    ----------
    k : int
        Folds, of the whole sample and of its half.
    form : {"corrected", "uncorrected"}
        n/4, or n/2.

    References
    ----------
    Austern & Zhou (2020), theorem on the variance estimator.

    Examples
    --------
    >>> replace_one_cv().id, replace_one_cv().fits(100)
    ('replace-one-cv(k=5)', 260)
    """
    one_of(form, get_args(Form), "form")
    half, whole = replace_one(k), Scheme("k_fold", (("k", k),))

    def reduce(measured: Measured) -> Limits:
        n = measured.sample.n
        resamples = measured.outcomes[half].resamples
        rates = measured.losses(half).reshape(resamples.repeats, n // 2).mean(axis=1)
        squares = float(((rates[0] - rates[1:]) ** 2).sum())
        v = (n // 2) * squares * (0.5 if form == "corrected" else 1.0)
        return Limits.around(measured.mean(whole), sqrt(v / n), measured.z, n)

    return IntervalMethod(
        id_of("replace-one-cv", replace_one_cv, k=k, form=form),
        "procedure",
        "the mean error of classifiers made of all folds but one",
        ("cv",),
        "any",
        False,
        (whole, half),
        reduce,
        2 * k,
    )
