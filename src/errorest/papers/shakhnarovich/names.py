"""The paper's names, once: a key of its tables, its symbol in figures and sentences, its words in a table's head.

Kept apart from what is measured, so that a word changed here leaves finished studies valid.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from errorest.evidence.names import Name

__all__ = ["NAMES", "case_title", "symbol_of", "words_for"]


_SYMBOLS_AND_HEADINGS = {
    "true-error": ("Err", "True error"),
    "resubstitution": ("apparent", "Apparent error"),
    "bootstrap-632": (".632", ".632 bootstrap"),
    "bootstrap-632plus": (".632+", ".632+ bootstrap"),
    "loo": ("CV×n", "Leave-one-out"),
    "cv-10": ("CV×10", "10-fold CV"),
    "cv-5": ("CV×5", "5-fold CV"),
    "bootstrap-naive": ("BS", "Naive bootstrap, BS"),
    "bootstrap-loo": ("BS(1)", "Leave-one-out bootstrap, BS(1)"),
    "bootstrap-x2": ("BS×2", "Double bootstrap, BS×2"),
    "bscv-loo": ("BSCV×n", "Leave-one-out on bootstrap samples"),
    "bscv-10": ("BSCV×10", "10-fold CV on bootstrap samples"),
    "bscv-5": ("BSCV×5", "5-fold CV on bootstrap samples"),
    "cloned-632": (".632*", ".632, cloned"),
    "cloned-632plus": (".632+*", ".632+, cloned"),
    "cloned-naive": ("BS*", "Naive bootstrap, cloned"),
    "cloned-loo": ("BS(1)*", "Leave-one-out bootstrap, cloned"),
    "cloned-x2": ("BS×2*", "Double bootstrap, cloned"),
    "cloned-bscv-loo": ("BSCV×n*", "Leave-one-out on clones"),
    "cloned-bscv-10": ("BSCV×10*", "10-fold CV on clones"),
    "cloned-bscv-5": ("BSCV×5*", "5-fold CV on clones"),
    "repeated-loo": ("RCV×n", "Leave-one-out, repeated"),
    "repeated-cv-10": ("RCV×10", "10-fold CV, repeated"),
    "repeated-cv-5": ("RCV×5", "5-fold CV, repeated"),
    "bootstrap-632plus-correct": (".632+ (E&T)", ".632+ bootstrap of Efron & Tibshirani"),
    "cloned-632plus-correct": (".632+* (E&T)", ".632+ of Efron & Tibshirani, cloned"),
    "alpha-correct": ("α (E&T)", "α, .632+ of Efron & Tibshirani"),
    "ldf": ("LDF", "Fisher's linear discriminant"),
    "svm-rbf": ("RBF SVM", "SVM, RBF kernel"),
    "svm-linear": ("linear SVM", "SVM, linear kernel"),
    "1-nn": ("1-NN", "1-NN"),
    "3-nn": ("3-NN", "3-NN"),
    "17-nn": ("17-NN", "17-NN"),
    "breast-cancer": ("breast cancer", "Breast cancer"),
    "vehicle": ("vehicle", "Vehicle"),
    "pima": ("Pima", "Pima"),
}

NAMES: Mapping[str, Name] = {
    **{key: Name(symbol, symbol, heading) for key, (symbol, heading) in _SYMBOLS_AND_HEADINGS.items()},
    **{
        f"{side}={key}": Name(symbol, symbol, f"Best {side} one: {heading}")
        for side in ("new", "old")
        for key, (symbol, heading) in _SYMBOLS_AND_HEADINGS.items()
    },
}
"""Keys of the paper's tables, and of the winners of its contests; sentences have the symbols."""


def symbol_of(key: str) -> str:
    """Return the symbol of an estimator, or the short name of a classifier or data set, for figures and sentences.

    Examples
    --------
    >>> symbol_of("cloned-632plus"), symbol_of("5-nn"), symbol_of("pima")
    ('.632+*', '5-NN', 'Pima')
    """
    if key in NAMES:
        return NAMES[key].symbol
    return key.upper() if key.endswith("-nn") else key


def case_title(row: str) -> str:
    """Return the name of a case, ``<setting or data set>/<classifier>``, for a figure.

    Examples
    --------
    >>> case_title("1/ldf"), case_title("pima/17-nn")
    ('1, LDF', 'Pima, 17-NN')
    """
    return ", ".join(symbol_of(part) for part in row.split("/"))


def words_for(rows: Sequence[str], places: str = "setting") -> str:
    """Write a list of cases in words; ``none`` where there is none.

    Examples
    --------
    >>> words_for(["1/ldf", "1/3-nn", "4/svm-rbf"])
    'setting 1: LDF, 3-NN; setting 4: RBF SVM'
    """
    groups: dict[str, list[str]] = {}
    for row in rows:
        place, classifier = row.split("/")
        groups.setdefault(place, []).append(symbol_of(classifier))
    texts = [f"{f'{places} ' if places else ''}{symbol_of(place)}: {', '.join(own)}" for place, own in groups.items()]
    return "; ".join(texts) or "none"
