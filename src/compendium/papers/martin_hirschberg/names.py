"""Names of Martin & Hirschberg (1996): their estimators, by the ids of Table 4."""

from __future__ import annotations

from collections.abc import Callable

from compendium.evidence.names import COMMON, Name

_WORDS = {
    "true-error": ("TER", "the true error"),
    "holdout-1/2": ("1/2 held out", "one half held out"),
    "holdout-1/3": ("1/3 held out", "one third held out"),
    "holdout-1/4": ("1/4 held out", "one quarter held out"),
    "resubstitution": ("APP", "the apparent error"),
    "cv-2": ("2-CV", "2-fold cross-validation"),
    "cv-5": ("5-CV", "5-fold cross-validation"),
    "cv-10": ("10-CV", "10-fold cross-validation"),
    "loo": ("LOO", "leave-one-out"),
    "repeated-cv-2": ("2-CV*", "iterated 2-fold cross-validation"),
    "repeated-cv-5": ("5-CV*", "iterated 5-fold cross-validation"),
    "repeated-cv-10": ("10-CV*", "iterated 10-fold cross-validation"),
    "bootstrap-e0": ("e0", "the e0 bootstrap"),
    "bootstrap-632": ("632b", "632b"),
    "loo-star": ("LOO*", "LOO*"),
}

NAMES = {key: Name(symbol, sentence, COMMON[key].heading) for key, (symbol, sentence) in _WORDS.items()}
"""Keys of the print, with the paper's own words as symbols."""

FACTORS: dict[str, Callable[[float], str]] = {"n": "N = {}".format, "inherent_error": lambda e: f"{100 * e:.3g} %"}
"""How a cell of a design is written: its sample size and its inherent error."""
