"""Inducers by name: the paper's two, readings of them, and any other by an import path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from compendium.evidence.names import read_names
from compendium.papers.import_paths import files_of, inducer_at, last_name
from errorest.learners.base import Inducer
from errorest.spec import name_and_settings

# Name of a parameter -> id of the library
INDUCERS: Mapping[str, str] = {
    "c4.5": "c4.5(release=7)",
    "c4.5-release-8": "c4.5(release=8)",
    "naive-bayes": "naive-bayes",
    "naive-bayes-observed-ratios": "naive-bayes(zero_counts=zero)",
    "naive-bayes-laplace": "naive-bayes(zero_counts=laplace, denominator=known)",
    "majority": "majority",
    "1-nn": "knn(k=1)",
    "3-nn": "knn(k=3)",
    "id3": "id3",
}


def inducer_named(text: str) -> Inducer:
    """Return the inducer of a name or an import path."""
    return inducer_at(INDUCERS.get(text, text), text)


def own_files(names: Iterable[str]) -> dict[str, str]:
    """Digest the files of the inducers at import paths."""
    return files_of(name for name in names if name not in INDUCERS)


class _Inducer(NamedTuple):
    """Title for figures and sentences; name in the paper's columns; reading of the paper."""

    title: str
    column: str
    reading: str = "literal"


INDUCER_NAMES = {name: _Inducer(*words) for name, words in read_names("kohavi")["inducers"].items()}


def column_and_reading(name: str) -> tuple[str, str]:
    """Return the paper's name for an inducer, and which reading of the paper it is."""
    return INDUCER_NAMES.get(name, _Inducer("", name))[1:]


def title_of(name: str) -> str:
    """Return a short name for figures and sentences."""
    if name in INDUCER_NAMES:
        return INDUCER_NAMES[name].title
    if last_name(name) == name:
        return name
    result = name_and_settings(last_name(name))
    return result[0] if result else name
