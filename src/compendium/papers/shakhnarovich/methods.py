"""The paper's estimators and classifiers by the keys of its tables, and the experiment of both its halves.

What a classifier is called in a parameter may have settings after ``@``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from compendium.methods import estimators
from compendium.methods.clones import Cloning
from compendium.methods.learners.named import INDUCERS
from compendium.methods.learners.svm import SVM
from compendium.papers.import_paths import files_of, inducer_at
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import Cell
from compendium.studies.sources import Source
from errorest.errors import UsageError, nearest, unknown
from errorest.estimation.estimators import Apparent, CrossValidation, Estimator, LeaveOneOutCV
from errorest.learners.base import Inducer
from errorest.learners.discriminant import LinearDiscriminant
from errorest.learners.neighbors import KNN
from errorest.spec import name_and_settings

# The estimators that draw clones, and what they are with the cases themselves
UNCLONED: Mapping[str, str] = {
    "cloned-632": "bootstrap-632",
    "cloned-632plus": "bootstrap-632plus",
    "cloned-naive": "bootstrap-naive",
    "cloned-loo": "bootstrap-loo",
    "cloned-bscv-loo": "bscv-loo",
    "cloned-bscv-10": "bscv-10",
    "cloned-bscv-5": "bscv-5",
}

# Estimators that the paper calls old, in the order of its tables; ties in the ranking go by it
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

CV = ("loo", "cv-10", "cv-5")
BSCV = ("bscv-loo", "bscv-10", "bscv-5")  # With CV, what the paper compares its five-fold CV on clones with
NEW = (*BSCV, *UNCLONED)  # Estimators that the paper proposes

# New estimators that Table 6 holds against repeated cross-validation
PROPOSED = ("cloned-632plus", "cloned-bscv-5", "cloned-bscv-loo")

TEN_FOLDS = ("cv-10", "bscv-10", "cloned-bscv-10")  # What takes samples that ten folds can be made of

# Repeated cross-validation, old as well; on the UCI data only
REPEATED = ("repeated-loo", "repeated-cv-10", "repeated-cv-5")

ESTIMATORS = (*OLD, *NEW, *REPEATED)  # Every estimator of Tables 8 to 15
PLUS = ("bootstrap-632plus", "cloned-632plus")  # The .632+ without and with cloning

# The .632+ with R set to 0 where it leaves [0, 1], by the name of its rows in the tables; same resamples
TO_ZERO: Mapping[str, str] = {name: f"{name}-to-zero" for name in PLUS}


Bounds = tuple[tuple[float, float], ...]  # The least and the greatest value of each attribute of a clone


class NamedInducer(NamedTuple):
    """A classifier of the paper in one reading.

    ``key`` is the text that it was made of, ``row`` the name of its rows in the paper's tables,
    ``reading`` what the rows are filed under.
    """

    key: str
    row: str
    reading: str
    inducer: Inducer


def classifier_named(text: str) -> NamedInducer:
    """Make the classifier of a name."""
    row, *given = re.split("[@,]", text)
    if text in _DISCRIMINANTS:
        return NamedInducer(text, row, *_DISCRIMINANTS[text])
    if neighbours := re.fullmatch(r"([1-9]\d*)-nn|knn\(k=([1-9]\d*)\)", text):
        k = int(neighbours[1] or neighbours[2])
        return NamedInducer(text, f"{k}-nn", "literal", KNN(k))
    if row in _MACHINES:
        return _machine(text, row, given)
    name = name_and_settings(text)
    if "@" not in text and name is not None and (name[0] in INDUCERS or "." in name[0] or ":" in name[0]):
        return NamedInducer(text, text, "own", inducer_at(text, text))
    raise UsageError(
        f"unknown classifier '{text}'; expected ldf, ldf@{_RULE}, knn(k=3), svm-rbf or svm-linear, the last two "
        f"perhaps with settings as in svm-rbf@gamma=0.2,c=1, or an import path; "
        f"{nearest(row, {'ldf', *_MACHINES, *INDUCERS})}"
    )


def spelled(text: str) -> str:
    """Check the name of a classifier, and write it as the library does."""
    named = classifier_named(text)
    return named.inducer.id if named.reading == "literal" and isinstance(named.inducer, KNN) else text


def own_files(texts: Iterable[str]) -> dict[str, str]:
    """Digest the files of classifiers at import paths."""
    return files_of(text for text in texts if classifier_named(text).reading == "own")


_RULE = "total-covariance-41"
_DISCRIMINANTS: Mapping[str, tuple[str, Inducer]] = {
    "ldf": ("literal", LinearDiscriminant()),
    f"ldf@{_RULE}": (f"fitted:{_RULE}", LinearDiscriminant(degenerate_condition=0.0245, degenerate_matrix="total")),
}
# Support vector machines with the settings that fit the synthetic tables
_MACHINES: Mapping[str, Mapping[str, float]] = {"svm-rbf": {"gamma": 0.2, "c": 1.0}, "svm-linear": {"c": 1.0}}


def _machine(text: str, row: str, given: Sequence[str]) -> NamedInducer:
    """Make a support vector machine; its settings were searched for, hence every reading is a fitted one."""
    values = dict(_MACHINES[row])
    words = []
    for part in given:
        name, _, value = part.partition("=")
        if name in values and re.fullmatch(r"[\d.]+(e-?\d+)?", value):
            values[name] = float(value)
            words.append(f"{name}-{values[name]:g}")
        elif part == "standardised":
            words.append(part)
        else:
            raise UsageError(
                f"classifier '{text}' has the setting '{part}'; expected standardised or a number for "
                f"{' or '.join(values)}; write it as in svm-rbf@gamma=0.2,c=1"
            )
    kernel: Literal["rbf", "linear"] = "rbf" if row == "svm-rbf" else "linear"
    scale: Literal["training", "none"] = "training" if "standardised" in words else "none"
    machine = SVM(kernel, gamma=values.get("gamma", 0.2), C=values["c"], standardize=scale)
    words = words or [f"{name}-{value:g}" for name, value in values.items()]
    return NamedInducer(text, row, f"fitted:{'-'.join(words)}", machine)


_MADE: Mapping[str, Callable[[int, Cloning | bool], Estimator]] = {
    "resubstitution": lambda B, cloned: Apparent(),
    "bootstrap-632": lambda B, cloned: estimators.Bootstrap632(B, "nested", cloned),
    # "corrected to ensure that R falls within [0, 1]" (section 2.3.4) is Efron & Tibshirani's form
    "bootstrap-632plus": lambda B, cloned: estimators.Bootstrap632Plus(B, "nested", cloned=cloned),
    "bootstrap-632plus-to-zero": lambda B, cloned: estimators.Bootstrap632Plus(B, "nested", "zero-outside", cloned),
    "loo": lambda B, cloned: LeaveOneOutCV(),
    "cv-10": lambda B, cloned: CrossValidation(10, 1, weights="folds"),
    "cv-5": lambda B, cloned: CrossValidation(5, 1, weights="folds"),
    "bootstrap-naive": estimators.NaiveBootstrap,
    "bootstrap-loo": lambda B, cloned: estimators.BootstrapE0(B, "nested", cloned),
    "bscv-loo": lambda B, cloned: estimators.BootstrappedCV("n", B, "folds", cloned),
    "bscv-10": lambda B, cloned: estimators.BootstrappedCV(10, B, "folds", cloned),
    "bscv-5": lambda B, cloned: estimators.BootstrappedCV(5, B, "folds", cloned),
    # the paper's classifiers draw nothing at random, so that leave-one-out repeated is leave-one-out
    "repeated-loo": lambda B, cloned: LeaveOneOutCV(),
    "repeated-cv-10": lambda B, cloned: CrossValidation(10, B, weights="folds"),
    "repeated-cv-5": lambda B, cloned: CrossValidation(5, B, weights="folds"),
}


def estimators_for(names: Sequence[str], replicates: int, bounds: Bounds | None = None) -> dict[str, Estimator]:
    """Make the library's estimators that the paper's names stand for.

    Leave-one-out bootstrap is nested (``replicates`` samples a case, equation 8); folds are random,
    not stratified, and weigh equally; clones are smoothed class by class.
    """
    made: dict[str, Estimator] = {}
    for name in names:
        if name not in ESTIMATORS:
            raise unknown("estimator", name, ESTIMATORS)
        plain = UNCLONED.get(name, name)
        cloned: Cloning | bool = name in UNCLONED and Cloning(bounds=bounds)
        made[name] = _MADE[plain](replicates, cloned)
        if name in TO_ZERO:
            made[TO_ZERO[name]] = _MADE[TO_ZERO[plain]](replicates, cloned)
    return made


def experiment_on(source: Source, cell: Cell, bounds: Bounds | None = None) -> Experiment:
    """Estimate the error of every classifier on the samples of a source in every way.

    All classifiers see the same resamples and clones.
    """
    classifiers = {text: classifier_named(text).inducer for text in cell["classifiers"]}
    return Experiment(source, classifiers, estimators_for(cell["estimators"], cell["bootstrap_samples"], bounds))
