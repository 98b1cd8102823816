"""Names of Martin & Hirschberg (1996): their estimators, by the ids of Table 4."""

from __future__ import annotations

from collections.abc import Mapping

from errorest.evidence.claims import plus_minus
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.names import Name

__all__ = ["NAMES", "worded"]

NAMES = {
    "true-error": Name("TER", "the true error", "True error"),
    "holdout-1/2": Name("1/2 held out", "one half held out", "Holdout, ½ tested"),
    "holdout-1/3": Name("1/3 held out", "one third held out", "Holdout, ⅓ tested"),
    "holdout-1/4": Name("1/4 held out", "one quarter held out", "Holdout, ¼ tested"),
    "resubstitution": Name("APP", "the apparent error", "Apparent error"),
    "cv-2": Name("2-CV", "2-fold cross-validation", "2-fold CV"),
    "cv-5": Name("5-CV", "5-fold cross-validation", "5-fold CV"),
    "cv-10": Name("10-CV", "10-fold cross-validation", "10-fold CV"),
    "loo": Name("LOO", "leave-one-out", "Leave-one-out"),
    "repeated-cv-2": Name("2-CV*", "iterated 2-fold cross-validation", "2-fold CV, iterated"),
    "repeated-cv-5": Name("5-CV*", "iterated 5-fold cross-validation", "5-fold CV, iterated"),
    "repeated-cv-10": Name("10-CV*", "iterated 10-fold cross-validation", "10-fold CV, iterated"),
    "bootstrap-e0": Name("e0", "the e0 bootstrap", "e0 bootstrap"),
    "bootstrap-632": Name("632b", "632b", ".632 bootstrap"),
    "loo-star": Name("LOO*", "LOO*", "LOO*"),
}
"""Keys of the print, with the paper's own words as symbols."""


def worded(values: Mapping[str, Measured], digits: int = 1) -> str:
    """Write estimators with their values and half-widths, one after another (Markdown).

    Examples
    --------
    >>> worded({"loo": Measured(1.0, 0.5, 10), "loo-star": Measured(-0.25, 0.1, 10)}, 2)
    'LOO +1.00 ± 0.98, LOO\\\\* −0.25 ± 0.20'
    """
    return ", ".join(f"{NAMES[e].markdown} {plus_minus(m, '+', digits)}" for e, m in values.items())
