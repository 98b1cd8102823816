"""What is measured of choosing, in words: populations, errors of the best, tests and posteriors."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = [
    "FULL",
    "LABELS",
    "METHOD_TITLES",
    "OUTCOME_TITLES",
    "POPULATION_TITLES",
    "SURE",
    "TESTED_TITLES",
    "TEST_TITLES",
]

SURE = 0.9
"""What is said with so much probability is said."""

POPULATION_TITLES: Mapping[str, str] = {"noise": "noise", "alike": "all alike", "one-good": "one good"}
"""Populations, short."""

FULL: Mapping[str, str] = {
    "noise": "labels that are noise",
    "alike": "attributes that are equally good",
    "one-good": "one good attribute among noise",
}
"""Populations, in a sentence."""

METHOD_TITLES: Mapping[str, str] = {
    "minimum": "the best as found",
    "bbc": "corrected (BBC)",
    "nested": "nested CV",
}
"""Errors of the best."""

TEST_TITLES: Mapping[str, str] = {
    "permutation": "permuted labels",
    "binomial-cv": "binomial on 10-CV",
    "binomial-holdout": "binomial on a third held out",
}
"""Tests against chance."""

TESTED_TITLES: Mapping[str, str] = {"1-nn": "1-NN", "ldf": "linear discriminant"}
"""Inducers that are tested."""

OUTCOME_TITLES: Mapping[str, str] = {
    "better": "errs less",
    "better-by-more": "errs less by more than the margin",
    "equal": "within the margin",
}
"""What a posterior says."""

LABELS: Mapping[str, str] = {
    "one-good": "One good",
    "alike": "All alike",
    "noise": "Noise",
    "this-classifier": "This classifier",
    "the-procedure": "The procedure",
    **{key: title[:1].upper() + title[1:] for key, title in METHOD_TITLES.items()},
    **{key: title[:1].upper() + title[1:] for key, title in TEST_TITLES.items()},
    "1-nn": "1-NN",
    "ldf": "linear discriminant",
    **OUTCOME_TITLES,
}
"""Keys of rows, in a table."""
