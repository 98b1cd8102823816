"""What Kohavi's estimates, intervals and inducers are called; which of the paper's two inducers each stands for."""

from __future__ import annotations

from typing import NamedTuple

from errorest.inducers.named import last_name
from errorest.spec import name_and_settings

ESTIMATES = {
    "resubstitution-accuracy-percent": "resubstitution",
    "accuracy-percent": ".632",
    "632-plus-accuracy-percent": ".632+",
    "bootstrap-e0-accuracy-percent": "e0",
    "loo-accuracy-percent": "leave-one-out",
}
"""Estimates of a memorizer's accuracy."""

INTERVALS = {"score": "equation 3", "clopper-pearson": "Clopper-Pearson", "wald": "Wald"}
"""Intervals for a share of tested cases."""


class _Inducer(NamedTuple):
    """A title for figures and sentences; the paper's name for it, and the reading of the paper that it is."""

    title: str
    column: str
    reading: str = "literal"


# the paper names two inducers; what else could be meant by a name is another reading of it
INDUCERS = {
    "c4.5": _Inducer("C4.5", "c4.5"),
    "c4.5-release-8": _Inducer("C4.5 Release 8", "c4.5", "unstated:release-8"),
    "naive-bayes-observed-ratios": _Inducer("Naive Bayes, ratios", "naive-bayes"),
    "naive-bayes": _Inducer("Naive Bayes, no zeros", "naive-bayes", "fitted:mlc-zero-counts"),
    "naive-bayes-laplace": _Inducer("Naive Bayes, Laplace", "naive-bayes", "unstated:laplace"),
    "majority": _Inducer("majority", "majority"),
    "id3": _Inducer("ID3", "id3"),
    "1-nn": _Inducer("1-NN", "1-nn"),
    "3-nn": _Inducer("3-NN", "3-nn"),
}
"""The inducers that a parameter may name; any other is the import path of a scikit-learn classifier."""


def column_and_reading(name: str) -> tuple[str, str]:
    """Return the paper's name for an inducer and the reading of the paper that it stands for."""
    return INDUCERS.get(name, _Inducer("", name))[1:]


def title_of(name: str) -> str:
    """Return a short name for figures and sentences."""
    if name in INDUCERS:
        return INDUCERS[name].title
    if last_name(name) == name:
        # one of the library's own, by its id
        return name
    found = name_and_settings(last_name(name))
    return found[0] if found else name
