"""The estimators of Table 4: the paper's keys, the library's ids and the paper's words."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from compendium.evidence.names import COMMON, Name, read_names

# The paper's estimators, in its order, and the library's ids for them
ESTIMATOR_IDS = {
    "holdout-1/2": "holdout(test=1/2)",
    "holdout-1/3": "holdout(test=1/3)",
    "holdout-1/4": "holdout(test=1/4)",
    "resubstitution": "resubstitution",
    "cv-2": "cv(k=2)",
    "cv-5": "cv(k=5)",
    "cv-10": "cv(k=10)",
    "loo": "loo",
    "repeated-cv-2": "cv(k=2, repeats={cv})",
    "bootstrap-e0": "e0(replicates={boot})",
    "repeated-cv-5": "cv(k=5, repeats={cv})",
    "repeated-cv-10": "cv(k=10, repeats={cv})",
    "bootstrap-632": "632(replicates={boot})",
    "loo-star": "loo*(replicates={boot}, repeats={cv})",
}


def library_ids(names: Iterable[str], cv_repeats: int, bootstrap_replicates: int) -> dict[str, str]:
    """Return the library's ids by the paper's ids."""
    return {name: ESTIMATOR_IDS[name].format(cv=cv_repeats, boot=bootstrap_replicates) for name in names}


# Keys of the print, with the paper's words as symbols
NAMES = {
    key: Name(symbol, sentence, COMMON[key].heading)
    for key, (symbol, sentence) in read_names("martin-hirschberg").items()
}

# How a cell of a design is written: its sample size and its inherent error
FACTORS: dict[str, Callable[[float], str]] = {"n": "N = {}".format, "inherent_error": lambda e: f"{100 * e:.3g} %"}
