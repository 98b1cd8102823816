"""Names of what the guide measures, for figures, sentences and headings: one table for all its chapters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from compendium.evidence.names import Name, read_names

_NAMES = read_names("guide")


class Estimator(NamedTuple):
    """An estimator of the cross-examination: its symbol in sentences and tables, and a shorter one for figures."""

    symbol: str
    short: str


# Estimators by the name of their columns
ESTIMATORS = {key: Estimator(**parts) for key, parts in _NAMES["estimators"].items()}


class Learner(NamedTuple):
    """A kind of inducer: many of them in a sentence, above a panel, and with examples."""

    plural: str
    panel: str
    title: str


# Kinds of inducers, in the order of the guide; a memorizer makes no error on its training cases, whatever they are
LEARNERS = {key: Learner(**parts) for key, parts in _NAMES["learners"].items()}


class Inducer(NamedTuple):
    """An inducer of the cross-examination, and its kind, a key of :data:`LEARNERS`."""

    title: str
    learner: str


# Inducers by the name that a design gives them
INDUCERS = {key: Inducer(**parts) for key, parts in _NAMES["inducers"].items()}


class Paper(NamedTuple):
    """A paper whose settings are run: its authors, their names cut short, and what its settings favour."""

    title: str
    short: str
    favours: str


PAPERS = {key: Paper(**parts) for key, parts in _NAMES["papers"].items()}


class Family(NamedTuple):
    """A kind of setting: its paper, a title, and a setting as a row's key and within a sentence.

    ``key`` and ``sentence`` take ``at`` and ``n``.
    """

    paper: str
    title: str
    key: str
    sentence: str


# Kinds of settings of the cross-examination
FAMILIES = {key: Family(**parts) for key, parts in _NAMES["families"].items()}


# Intervals that the library pairs with the estimators of the cross-examination
PAIRED_INTERVALS: Mapping[str, str] = _NAMES["paired_intervals"]

# Intervals of the coverage study: short names for figures and sentences
INTERVALS: Mapping[str, str] = _NAMES["intervals"]


# Populations of the coverage study, in words
POPULATIONS: Mapping[str, str] = _NAMES["populations"]


class Target(NamedTuple):
    """What an interval is to hold, in a sentence, and as the title of a panel."""

    words: str
    title: str


# The two truths
TARGETS = {key: Target(**parts) for key, parts in _NAMES["targets"].items()}


# Populations, methods, tests, inducers and outcomes of the study of choosing
CHOOSING = {kind: {key: Name(*words) for key, words in own.items()} for kind, own in _NAMES["choosing"].items()}

# The same by the keys of rows
CHOOSING_LABELS = {key: name for own in CHOOSING.values() for key, name in own.items()}


def symbol(estimator: str) -> str:
    """Return the symbol of an estimator of the cross-examination."""
    return ESTIMATORS[estimator].symbol


def unbroken(text: str) -> str:
    """Write hyphens so that they stay in a table's margin, where a key's hyphens become spaces."""
    return text.replace("-", "\N{NON-BREAKING HYPHEN}")
