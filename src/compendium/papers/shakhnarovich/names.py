"""The paper's names, once: a key of its tables, its symbol in figures and sentences, its words in a table's head.

Kept apart from what is measured, so that a word changed here leaves finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["LABELS", "case_title", "symbol_of", "words_for"]


_SYMBOLS: Mapping[str, str] = {
    "true-error": "Err",
    "resubstitution": "apparent",
    "bootstrap-632": ".632",
    "bootstrap-632plus": ".632+",
    "loo": "CV×n",
    "cv-10": "CV×10",
    "cv-5": "CV×5",
    "bootstrap-naive": "BS",
    "bootstrap-loo": "BS(1)",
    "bootstrap-x2": "BS×2",
    "bscv-loo": "BSCV×n",
    "bscv-10": "BSCV×10",
    "bscv-5": "BSCV×5",
    "cloned-632": ".632*",
    "cloned-632plus": ".632+*",
    "cloned-naive": "BS*",
    "cloned-loo": "BS(1)*",
    "cloned-x2": "BS×2*",
    "cloned-bscv-loo": "BSCV×n*",
    "cloned-bscv-10": "BSCV×10*",
    "cloned-bscv-5": "BSCV×5*",
    "repeated-loo": "RCV×n",
    "repeated-cv-10": "RCV×10",
    "repeated-cv-5": "RCV×5",
    "bootstrap-632plus-to-zero": ".632+ (R to 0)",
    "cloned-632plus-to-zero": ".632+* (R to 0)",
    "ldf": "LDF",
    "svm-rbf": "RBF SVM",
    "svm-linear": "linear SVM",
    "breast-cancer": "breast cancer",
    "pima": "Pima",
}

_OWN_HEADINGS = {
    "bootstrap-x2": "Double bootstrap, BS×2",
    "bootstrap-632plus-to-zero": ".632+ bootstrap, R to 0",
    "cloned-632plus-to-zero": ".632+ on clones, R to 0",
    "pima": "Pima",
}
LABELS: Mapping[str, str] = _OWN_HEADINGS | {
    f"{side}={key}": f"Best {side} one: {symbol}" for side in ("new", "old") for key, symbol in _SYMBOLS.items()
}
"""Words in the head of a table where the common ones do not do, and for the winners of a contest."""


def symbol_of(key: str) -> str:
    """Return the symbol of an estimator, or the short name of a classifier or data set, for figures and sentences."""
    return _SYMBOLS.get(key) or (key.upper() if key.endswith("-nn") else key)


def case_title(row: str) -> str:
    """Return the name of a case, ``<setting or data set>/<classifier>``, for a figure."""
    return ", ".join(symbol_of(part) for part in row.split("/"))


def words_for(rows: Sequence[str], places: str = "setting") -> str:
    """Write a list of cases in words; ``none`` where there is none."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        place, classifier = row.split("/")
        groups.setdefault(place, []).append(symbol_of(classifier))
    texts = [f"{f'{places} ' if places else ''}{symbol_of(place)}: {', '.join(own)}" for place, own in groups.items()]
    return "; ".join(texts) or "none"
