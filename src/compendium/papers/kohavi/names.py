"""What Kohavi's estimates, intervals and inducers are called; which of the paper's two inducers each stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from compendium.evidence.names import read_names
from compendium.papers.own_code import last_name
from errorest.spec import name_and_settings

_NAMES = read_names("kohavi")
ESTIMATES: Mapping[str, str] = _NAMES["estimates"]
INTERVALS: Mapping[str, str] = _NAMES["intervals"]


class _Inducer(NamedTuple):
    """A title for figures and sentences; the paper's name for it, and the reading of the paper that it is."""

    title: str
    column: str
    reading: str = "literal"


# The inducers that a parameter may name; any other is the import path of a scikit-learn classifier
INDUCERS = {name: _Inducer(*words) for name, words in _NAMES["inducers"].items()}


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
    result = name_and_settings(last_name(name))
    return result[0] if result else name
