"""Populations: they draw samples and know a classifier's true error.

:class:`TwoNormals` is the one-attribute population of Martin & Hirschberg
(1996), section 3; :class:`NormalClasses` has any number of attributes and
serves to draw boundaries and best linear rules (their Figure 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log, sqrt

import numpy as np
from scipy import optimize
from scipy.special import ndtr, ndtri

from compendium.methods.learners.threshold import IntervalClassifier
from errorest.counting import repeat_each
from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError
from errorest.learners.neighbors import NeighborsClassifier

__all__ = ["NormalClasses", "TwoNormals"]

_X = (Attribute("x"),)
_CLASSES = ("0", "1")


@dataclass(frozen=True)
class TwoNormals:
    """Two classes, each normal with variance 1 on one attribute, ``distance`` apart.

    Parameters
    ----------
    distance : float
        Difference of the class means in standard deviations, >= 0; class 0 has mean 0.
    p0 : float
        Share of class 0, in (0, 1).

    Raises
    ------
    UsageError
        If a parameter is out of bounds.

    Examples
    --------
    >>> population = TwoNormals.of_inherent_error(0.25)
    >>> round(population.inherent_error, 10)
    0.25
    """

    distance: float
    p0: float = 0.5

    def __post_init__(self) -> None:
        if not (0 <= self.distance < inf and 0 < self.p0 < 1):
            raise UsageError(
                f"a population was asked for with distance {self.distance} and share {self.p0} of class 0; expected "
                "a distance of at least 0 and a share between 0 and 1"
            )

    @classmethod
    def of_inherent_error(cls, error: float) -> TwoNormals:
        """Return the population of equally frequent classes whose least error (a proportion) is given."""
        if not 0 < error <= 0.5:
            raise UsageError(f"an inherent error of {error} was asked for; expected a proportion in (0, .5]")
        return cls(float(-2.0 * ndtri(error)))

    @property
    def best_threshold(self) -> float:
        """The least-error threshold T (infinite where the classes coincide and differ in share)."""
        if self.distance == 0:
            return 0.0 if self.p0 == 0.5 else (inf if self.p0 > 0.5 else -inf)
        return self.distance / 2 + log(self.p0 / (1 - self.p0)) / self.distance

    @property
    def inherent_error(self) -> float:
        """Least error rate of any classifier; a proportion."""
        return float(self.error_of_thresholds(np.array([self.best_threshold]), np.array([False]))[0])

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n cases; each one's class is drawn first."""
        y = (rng.random(n) >= self.p0).astype(np.int64)
        x = rng.standard_normal(n) + self.distance * y
        return Sample(x[:, None], y, _X, _CLASSES, "two normals")

    def density(self, x: np.ndarray, label: int) -> np.ndarray:
        """Density of one class, weighted by its share; shape of ``x``."""
        share = self.p0 if label == 0 else 1 - self.p0
        return share * np.exp(-0.5 * (np.asarray(x) - self.distance * label) ** 2) / sqrt(2 * np.pi)

    def error_of_thresholds(self, t: np.ndarray, reverse: np.ndarray) -> np.ndarray:
        """True errors of many thresholds at once.

        Parameters
        ----------
        t : float array
            Thresholds.
        reverse : bool array, same shape
            Whether class 1 is predicted for ``x <= t``.

        Returns
        -------
        float array
            Proportions; Martin & Hirschberg (1996), appendix.
        """
        straight = self.p0 * ndtr(-np.asarray(t)) + (1 - self.p0) * ndtr(np.asarray(t) - self.distance)
        return np.where(reverse, 1.0 - straight, straight)

    def true_error(self, classifier: IntervalClassifier | NeighborsClassifier) -> float:
        """True error of a classifier with cut-points, nearest neighbours among them; a proportion, exact to rounding.

        Examples
        --------
        >>> round(TwoNormals(2.0).true_error(IntervalClassifier((1.0,), (0, 1))), 4)
        0.1587
        """
        if isinstance(classifier, NeighborsClassifier):
            classifier = intervals_of(classifier)
        cuts = np.array((-inf, *classifier.cuts, inf))
        below0, below1 = ndtr(cuts), ndtr(cuts - self.distance)
        mass0 = self.p0 * (below0[1:] - below0[:-1])
        mass1 = (1 - self.p0) * (below1[1:] - below1[:-1])
        return float(np.where(np.asarray(classifier.labels) == 0, mass1, mass0).sum())


def intervals_of(classifier: NeighborsClassifier) -> IntervalClassifier:
    """Write nearest neighbours in one attribute as cut-points (Martin & Hirschberg, 1996, section 5)."""
    x = np.sort(classifier.sample.X[:, 0])
    midpoints = [(x[:-d] + x[d:]) / 2.0 for d in range(1, min(classifier.rule.k + 1, x.size))]
    # between these the order of the k nearest stays
    cuts = np.unique(np.concatenate([*midpoints, np.empty(0)]))
    inside = np.concatenate([cuts[:1] - 1.0, (cuts[:-1] + cuts[1:]) / 2.0, cuts[-1:] + 1.0]) if cuts.size else x[:1]
    labels = classifier.predict(inside[:, None])
    changes = np.flatnonzero(labels[1:] != labels[:-1])
    return IntervalClassifier(tuple(cuts[changes].tolist()), tuple(labels[np.append(0, changes + 1)].tolist()))


@dataclass(frozen=True, eq=False)
class NormalClasses:
    """Two multinormal classes.

    Parameters
    ----------
    means : float array, shape (2, d)
    covariances : float array, shape (2, d, d)
    p0 : float
        Share of class 0.

    Examples
    --------
    >>> population = NormalClasses(np.array([[0.0, 0.0], [2.0, 0.0]]), np.array([np.eye(2), np.eye(2)]))
    >>> round(population.linear_error(np.array([1.0, 0.0]), -1.0), 4)
    0.1587
    """

    means: np.ndarray
    covariances: np.ndarray
    p0: float = 0.5

    def sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n cases; each one's class is drawn first."""
        y = (rng.random(n) >= self.p0).astype(np.int64)
        d = self.means.shape[1]
        z = rng.standard_normal((n, d))
        roots = np.linalg.cholesky(self.covariances)
        X = self.means[y] + np.einsum("nij,nj->ni", roots[y], z)
        return Sample(X, y, tuple(Attribute(f"x{j + 1}") for j in range(d)), _CLASSES, "two multinormals")

    def balanced_sample(self, n: int, rng: np.random.Generator) -> Sample:
        """Draw n cases in random order, half of them of each class.

        Parameters
        ----------
        n : int
            Even.
        rng : numpy.random.Generator

        Raises
        ------
        UsageError
            If n is odd or below 2.

        Examples
        --------
        >>> population = NormalClasses(np.array([[0.0], [2.0]]), np.array([np.eye(1), np.eye(1)]))
        >>> population.balanced_sample(6, np.random.default_rng(0)).class_counts().tolist()
        [3, 3]
        """
        if n < 2 or n % 2:
            raise UsageError(
                f"a balanced sample of {n} cases was asked for; expected an even number of at least 2, so that both "
                "classes have as many; change it by one"
            )
        y = rng.permutation(repeat_each(np.arange(2), n // 2))
        z = rng.standard_normal((n, self.means.shape[1]))
        X = np.empty_like(z)
        for c, root in enumerate(np.linalg.cholesky(self.covariances)):
            X[y == c] = self.means[c] + np.einsum("ij,nj->ni", root, z[y == c])
        names = tuple(Attribute(f"x{j + 1}") for j in range(z.shape[1]))
        return Sample(X, y, names, _CLASSES, "two multinormals")

    def log_ratio(self, X: np.ndarray) -> np.ndarray:
        """Log of class 1's weighted density over class 0's; shape (m,).  Its zero is the least-error boundary."""
        parts = []
        for c, share in enumerate((self.p0, 1 - self.p0)):
            deviations = X - self.means[c]
            inverse = np.linalg.inv(self.covariances[c])
            distance = np.einsum("ni,ij,nj->n", deviations, inverse, deviations)
            parts.append(log(share) - 0.5 * (distance + np.linalg.slogdet(self.covariances[c])[1]))
        return parts[1] - parts[0]

    def linear_error(self, direction: np.ndarray, offset: float) -> float:
        """True error of "class 1 where direction . x + offset > 0"; a proportion, exact."""
        error = 0.0
        for c, share in enumerate((self.p0, 1 - self.p0)):
            mean = float(direction @ self.means[c]) + offset
            spread = sqrt(float(direction @ self.covariances[c] @ direction))
            error += share * float(ndtr(mean / spread if c == 0 else -mean / spread))
        return error

    def best_linear(self) -> tuple[np.ndarray, float, float]:
        """Return direction, offset and error of the best linear rule (the language-intrinsic error of lines)."""
        start = np.linalg.solve(self.covariances.mean(axis=0), self.means[1] - self.means[0])
        first = np.append(start, -float(start @ self.means.mean(axis=0)))
        result = optimize.minimize(  # type: ignore[call-overload]
            lambda w: self.linear_error(w[:-1], w[-1]),
            first,
            method="Nelder-Mead",
            options={"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4000},
        )
        return result.x[:-1], float(result.x[-1]), float(result.fun)

    def error_of(self, predict, grid: int = 801, reach: float = 6.0) -> float:  # type: ignore[no-untyped-def]
        """True error of any classifier on two attributes, by a midpoint sum over a grid.

        Parameters
        ----------
        predict : callable
            Labels of an array of shape (m, 2).
        grid : int
            Points a side.
        reach : float
            Half-width of the grid in standard deviations beyond the means.

        Returns
        -------
        float
            A proportion, to about four digits.
        """
        spread = np.sqrt(np.max([np.diag(c) for c in self.covariances], axis=0))
        low, high = self.means.min(axis=0) - reach * spread, self.means.max(axis=0) + reach * spread
        step = (high - low) / grid
        axes = [low[j] + step[j] * (np.arange(grid) + 0.5) for j in range(2)]
        X = np.column_stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")])
        wrong = np.zeros(X.shape[0])
        labels = np.asarray(predict(X))
        for c, share in enumerate((self.p0, 1 - self.p0)):
            deviations = X - self.means[c]
            inverse = np.linalg.inv(self.covariances[c])
            distance = np.einsum("ni,ij,nj->n", deviations, inverse, deviations)
            density = share * np.exp(-0.5 * distance) / (2 * np.pi * sqrt(np.linalg.det(self.covariances[c])))
            wrong += np.where(labels == c, 0.0, density)
        return float(wrong.sum() * step.prod())
