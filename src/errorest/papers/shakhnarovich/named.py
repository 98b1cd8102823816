"""What the paper's names stand for: its classifiers with their readings, its estimators in the order of its tables.

A classifier is written as the paper's row name, perhaps with settings after ``@``; the
text is a cell's parameter and the prefix of the study's columns, ``<classifier>/<estimator>``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from errorest.errors import UsageError, nearest
from errorest.estimation.estimators import (
    Cloning,
    Estimator,
    bootstrap_632,
    bootstrap_632_plus,
    bootstrap_e0,
    bootstrapped_cross_validation,
    cross_validation,
    leave_one_out,
    naive_bootstrap,
    resubstitution,
)
from errorest.inducers.base import Inducer
from errorest.inducers.discriminant import LinearDiscriminant
from errorest.inducers.neighbors import KNN
from errorest.inducers.svm import SVM

__all__ = [
    "BSCV",
    "CORRECT_PLUS",
    "CV",
    "ESTIMATORS",
    "NEW",
    "OLD",
    "PLUS_READING",
    "REPEATED",
    "TRUE_ERROR",
    "NamedInducer",
    "classifier_named",
    "estimators_for",
    "symbol_of",
    "title_of",
]

TRUE_ERROR = "true-error"

OLD = (
    "resubstitution",
    "bootstrap-632",
    "bootstrap-632plus",
    "loo",
    "cv-10",
    "cv-5",
    "bootstrap-naive",
    "bootstrap-loo",
)
"""Estimators that the paper calls old, in the order of its tables; ties in the ranking go by it."""

NEW = (
    "bscv-loo",
    "bscv-10",
    "bscv-5",
    "cloned-632",
    "cloned-632plus",
    "cloned-naive",
    "cloned-loo",
    "cloned-bscv-loo",
    "cloned-bscv-10",
    "cloned-bscv-5",
)
"""Estimators that the paper proposes."""

REPEATED = ("repeated-loo", "repeated-cv-10", "repeated-cv-5")
"""Repeated cross-validation, old as well; on the UCI data only."""

ESTIMATORS = (*OLD, *NEW, *REPEATED)
"""Every estimator of Tables 8 to 15."""

CV = ("loo", "cv-10", "cv-5")
BSCV = ("bscv-loo", "bscv-10", "bscv-5")
"""With CV, what the paper compares its five-fold CV on clones with."""

CORRECT_PLUS: Mapping[str, str] = {
    "bootstrap-632plus": "bootstrap-632plus-correct",
    "cloned-632plus": "cloned-632plus-correct",
}
"""Efron & Tibshirani's .632+ beside the paper's, by the name of the paper's; same resamples."""

PLUS_READING = "fitted:r-to-zero"
"""Reading of the printed .632+ rows: the relative overfitting rate is 0 wherever it lies outside [0, 1]."""

_TITLES = {"ldf": "LDF", "svm-rbf": "RBF SVM", "svm-linear": "linear SVM"}

_SYMBOLS = {
    TRUE_ERROR: "Err",
    "resubstitution": "apparent",
    "bootstrap-632": ".632",
    "bootstrap-632plus": ".632+",
    "loo": "CV×n",
    "cv-10": "CV×10",
    "cv-5": "CV×5",
    "bootstrap-naive": "BS",
    "bootstrap-loo": "BS(1)",
    "bscv-loo": "BSCV×n",
    "bscv-10": "BSCV×10",
    "bscv-5": "BSCV×5",
    "cloned-632": ".632*",
    "cloned-632plus": ".632+*",
    "cloned-naive": "BS*",
    "cloned-loo": "BS(1)*",
    "cloned-bscv-loo": "BSCV×n*",
    "cloned-bscv-10": "BSCV×10*",
    "cloned-bscv-5": "BSCV×5*",
    "repeated-loo": "RCV×n",
    "repeated-cv-10": "RCV×10",
    "repeated-cv-5": "RCV×5",
    "bootstrap-632plus-correct": ".632+ (E&T)",
    "cloned-632plus-correct": ".632+* (E&T)",
}


def symbol_of(estimator: str) -> str:
    """Return the paper's symbol for an estimator, for figures and sentences.

    Examples
    --------
    >>> symbol_of("cloned-632plus")
    '.632+*'
    """
    return _SYMBOLS.get(estimator, estimator)


def title_of(row: str) -> str:
    """Return a short name of a classifier for figures and sentences.

    Examples
    --------
    >>> title_of("ldf"), title_of("17-nn")
    ('LDF', '17-NN')
    """
    return _TITLES.get(row, row.upper())


class NamedInducer(NamedTuple):
    """A classifier of the paper in one reading.

    ``key`` is the text that it was made of and the prefix of its columns, ``row`` the name
    of its rows in the paper's tables, ``reading`` what the rows are filed under.
    """

    key: str
    row: str
    reading: str
    inducer: Inducer


def classifier_named(text: str) -> NamedInducer:
    """Make the classifier that a name stands for.

    Parameters
    ----------
    text : str
        ``ldf``; ``ldf@total-covariance-41`` (one fixed class where the condition number of the
        training sample's total covariance exceeds about 41); ``<k>-nn``; ``svm-rbf`` or
        ``svm-linear``, with settings such as ``svm-rbf@standardised,gamma=0.13,c=1.2``
        (by default gamma .2 and C 1, the values that fit the synthetic tables).

    Returns
    -------
    NamedInducer

    Raises
    ------
    UsageError
        If the name or a setting is unknown.

    Examples
    --------
    >>> classifier_named("ldf").reading, classifier_named("svm-rbf@gamma=0.2").reading
    ('literal', 'fitted:gamma-0.2')
    >>> classifier_named("svm-rbf@standardised,gamma=0.13,c=1.2").row
    'svm-rbf'
    """
    row, _, settings = text.partition("@")
    if row == "ldf" and settings in ("", _RULE):
        if settings:
            rule = LinearDiscriminant(degenerate_condition=_LEAST_RATIO, degenerate_matrix="total")
            return NamedInducer(text, row, f"fitted:{_RULE}", rule)
        return NamedInducer(text, row, "literal", LinearDiscriminant())
    if re.fullmatch(r"[1-9]\d*-nn", row) and not settings:
        return NamedInducer(text, row, "literal", KNN(int(row.removesuffix("-nn"))))
    if row in ("svm-rbf", "svm-linear"):
        return _machine(text, row, settings)
    raise UsageError(
        f"unknown classifier '{text}'; expected ldf, ldf@{_RULE}, <k>-nn, svm-rbf or svm-linear, the last two perhaps "
        f"with settings as in svm-rbf@gamma=0.2,c=1; {nearest(row, ['ldf', '1-nn', '3-nn', 'svm-rbf', 'svm-linear'])}"
    )


_RULE = "total-covariance-41"
_LEAST_RATIO = 0.0245


def _machine(text: str, row: str, settings: str) -> NamedInducer:
    """Make a support vector machine; its settings were searched for, hence every reading is a fitted one."""
    kernel: Literal["rbf", "linear"] = "rbf" if row == "svm-rbf" else "linear"
    values = {"gamma": 0.2, "c": 1.0} if kernel == "rbf" else {"c": 1.0}
    given = []
    standardised = False
    for part in filter(None, settings.split(",")):
        name, _, value = part.partition("=")
        if part == "standardised":
            standardised = True
            given.append(part)
            continue
        try:
            if name not in values:
                raise ValueError(name)
            values[name] = float(value)
        except ValueError:
            raise UsageError(
                f"classifier '{text}' has the setting '{part}'; expected standardised or a number for "
                f"{' or '.join(values)}; write it as in svm-rbf@gamma=0.2,c=1"
            ) from None
        given.append(f"{name}-{values[name]:g}")
    machine = SVM(
        kernel, gamma=values.get("gamma", 0.2), C=values["c"], standardize="training" if standardised else "none"
    )
    words = given or [f"{name}-{value:g}" for name, value in values.items()]
    return NamedInducer(text, row, f"fitted:{'-'.join(words)}", machine)


def estimators_for(names: Sequence[str], replicates: int, bounds: Any = None) -> dict[str, Estimator]:
    """Make the library's estimators that the paper's names stand for.

    Leave-one-out bootstrap is nested (``replicates`` samples a case, equation 8); folds are random,
    not stratified, and weigh equally; clones are smoothed class by class.  Repeated
    leave-one-out is leave-one-out, since the paper's classifiers draw nothing at random.

    Parameters
    ----------
    names : sequence of str
        Of :data:`ESTIMATORS`.
    replicates : int
        Bootstrap samples and clones B, and repeats of repeated cross-validation.
    bounds : optional
        Of the clones: None, ``"sample"``, or a pair (least, greatest) for each attribute.

    Returns
    -------
    dict of str to Estimator
        In the order of ``names``; each .632+ is followed by its form in :data:`CORRECT_PLUS`.

    Raises
    ------
    UsageError
        If a name is unknown.

    Examples
    --------
    >>> [e.id for e in estimators_for(["loo", "bscv-5"], 100).values()]
    ['loo', 'bscv(k=5, replicates=100, weights=folds)']
    >>> list(estimators_for(["bootstrap-632plus"], 100))
    ['bootstrap-632plus', 'bootstrap-632plus-correct']
    """
    cloning = Cloning(bounds=bounds)
    made: dict[str, Estimator] = {}
    for name in names:
        if name not in ESTIMATORS:
            raise UsageError(
                f"unknown estimator '{name}'; expected one of {', '.join(ESTIMATORS)}; {nearest(name, ESTIMATORS)}"
            )
        made[name] = _estimator(name, replicates, cloning)
        if name in CORRECT_PLUS:
            made[CORRECT_PLUS[name]] = bootstrap_632_plus(replicates, "nested", cloned=_clones(name, cloning))
    return made


def _clones(name: str, cloning: Cloning) -> Cloning | bool:
    return cloning if name.startswith("cloned-") else False


def _estimator(name: str, replicates: int, cloning: Cloning) -> Estimator:
    cloned = _clones(name, cloning)
    kind = name.removeprefix("cloned-").removeprefix("bootstrap-")
    if name == "resubstitution":
        return resubstitution()
    if name in ("loo", "repeated-loo"):
        return leave_one_out()
    if kind == "632":
        return bootstrap_632(replicates, "nested", cloned)
    if kind == "632plus":
        return bootstrap_632_plus(replicates, "nested", "zero-outside", cloned)
    if kind == "naive":
        return naive_bootstrap(replicates, cloned)
    if kind == "loo":
        return bootstrap_e0(replicates, "nested", cloned)
    folds = kind.rpartition("-")[2]
    if kind.startswith("bscv-"):
        return bootstrapped_cross_validation("n" if folds == "loo" else int(folds), replicates, "folds", cloned)
    return cross_validation(int(folds), replicates if name.startswith("repeated-") else 1, weights="folds")
