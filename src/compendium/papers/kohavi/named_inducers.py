"""Inducers by name, as the notebooks' parameters give them: the paper's two, its readings, a reader's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from compendium.papers.own_code import files_of, inducer_at
from errorest.learners.base import Inducer

# Names that a parameter may give, and what the library calls them
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
    """Make the inducer that a name or an import path stands for."""
    return inducer_at(INDUCERS.get(text, text), text)


def own_files(names: Iterable[str]) -> dict[str, str]:
    """Digest the files of the inducers at import paths."""
    return files_of(name for name in names if name not in INDUCERS)
