"""The population of section 6: contact-lens patients, perhaps with wrong labels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from errorest.data.sample import Sample
from errorest.data.sets import load
from errorest.learners.base import Classifier

CASES = "contact-lenses"  # The data set: each of the 24 combinations of values stands once

# the paper lists the classes in this order, and a wrong label is the next one, cyclically
_NUMBERED = ("hard", "soft", "none")


@dataclass(frozen=True, eq=False)
class Lenses:
    """The infinite population of contact-lens patients: 24 equally frequent cells, perhaps with wrong labels."""

    cells: Sample
    noise: float = 0.0

    @classmethod
    def with_noise(cls, noise: float) -> Lenses:
        """Return the population of the project's data set."""
        return cls(_cells(), noise)

    @property
    def wrong_label(self) -> np.ndarray:
        """The class that replaces each class where the label is wrong; int array, shape (3,)."""
        number = [_NUMBERED.index(c) for c in self.cells.classes]
        return np.array([self.cells.classes.index(_NUMBERED[(i + 1) % len(_NUMBERED)]) for i in number])

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n cases: the cell of each first, then whether its label is wrong."""
        cell = rng.integers(0, self.cells.n, size=n)
        wrong = rng.random(n) < self.noise
        sampled = self.cells.take(cell)
        return replace(sampled, y=np.where(wrong, self.wrong_label[sampled.y], sampled.y))

    def true_error(self, classifier: Classifier) -> float:
        """True error by the paper's formula: noise where a cell is right, 1 - noise where it is wrong; a proportion."""
        right = classifier.predict(self.cells.X) == self.cells.y
        return float(np.where(right, self.noise, 1.0 - self.noise).mean())

    def exact_error(self, classifier: Classifier) -> float:
        """Probability of a wrong prediction; a proportion.

        Differs from the paper's formula where the prediction is the third class, which no
        label of the cell ever is.
        """
        labels = classifier.predict(self.cells.X)
        chance = np.where(labels == self.cells.y, 1.0 - self.noise, 0.0)
        chance += np.where(labels == self.wrong_label[self.cells.y], self.noise, 0.0)
        return float((1.0 - chance).mean())


@lru_cache(maxsize=1)
def _cells() -> Sample:
    return load(CASES)
