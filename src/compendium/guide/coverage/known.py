"""A population in which every classifier's error is known: a sum over a fixed list of cases."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from errorest.data.sample import Sample
from errorest.learners.base import Classifier


@dataclass(frozen=True, eq=False)
class Known:
    """A population from which samples are drawn and in which every classifier's error is known."""

    draw: Callable[[int, np.random.Generator], Sample]
    like: Sample
    cases: np.ndarray
    excess: np.ndarray
    constant: float

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n cases."""
        return self.draw(n, rng)

    def true_error(self, classifier: Classifier) -> float:
        """True error of a classifier, a proportion."""
        if not self.cases.shape[0]:
            return self.constant
        labels = classifier.predict(self.cases)
        return self.constant + float(self.excess[np.arange(labels.shape[0]), labels].sum())

    @property
    def nominal(self) -> bool:
        """Whether an attribute is nominal."""
        return any(a.kind == "nominal" for a in self.like.attributes)
