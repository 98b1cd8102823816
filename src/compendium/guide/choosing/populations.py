"""Samples of the studies of choosing, and the true errors on them.

A candidate sees one attribute.  Each attribute is normal within both classes, so that the true error of every
classifier is exact; where the classes do not differ it is one half, whatever the classifier.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from compendium.studies.populations import NormalClasses, TwoNormals
from errorest.data.sample import Attribute, Sample
from errorest.learners.base import Inducer


def draw_sample(draw: Callable[[int, np.random.Generator], Sample], n: int, rng: np.random.Generator) -> Sample:
    """Draw a sample with two cases of each class at least: of fewer nothing can be cross-validated."""
    sample = draw(n, rng)
    while min(sample.class_counts()) < 2:
        sample = draw(n, rng)
    return sample


@lru_cache(maxsize=16)
def normal_classes(distances: tuple[float, ...]) -> NormalClasses:
    return NormalClasses(np.array([[0.0] * len(distances), distances]), np.stack([np.eye(len(distances))] * 2))


def single_attributes(sample: Sample) -> list[Sample]:
    """Return a sample of each attribute alone."""
    one = (Attribute("x"),)
    return [replace(sample, X=np.ascontiguousarray(sample.X[:, j : j + 1]), attributes=one) for j in range(sample.d)]


def columnar(names: Sequence[str], lines: Sequence[tuple[object, ...]]) -> dict[str, list[object]]:
    return {name: list(values) for name, values in zip(names, zip(*lines, strict=True), strict=True)}


def true_error(distance: float, rule: Inducer, column: Sample) -> float:
    return TwoNormals(distance).true_error(rule.fit(column))  # type: ignore[arg-type]
