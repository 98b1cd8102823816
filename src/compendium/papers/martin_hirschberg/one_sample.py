"""A sample that shows a situation: drawn one after another until it occurs, with the densities that it comes from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from compendium.studies.populations import NormalClasses, TwoNormals
from errorest.data.sample import Sample
from errorest.plots import BLUE, VERMILION
from errorest.streams import Streams

# How the two classes are drawn
CLASS_COLOURS, CLASS_MARKS = (BLUE, VERMILION), ("o", "X")
_BEYOND = 3.5
_POINTS = 401


def first_sample(
    population: TwoNormals | NormalClasses,
    n: int,
    wanted: Callable[[Sample], bool],
    streams: Streams,
    most: int = 1 << 30,
) -> tuple[Sample | None, int]:
    """Draw samples until one is as wanted; return it, or None, and the number of draws."""
    for i in range(most):
        sample = population.sample(n, streams.child(i).generator("sample"))
        if wanted(sample):
            return sample, i + 1
    return None, most


def densities(population: TwoNormals) -> pd.DataFrame:
    """Return the weighted densities of both classes: columns ``x``, ``class_0``, ``class_1``."""
    x = np.linspace(-_BEYOND, population.distance + _BEYOND, _POINTS)
    return pd.DataFrame({"x": x, "class_0": population.density(x, 0), "class_1": population.density(x, 1)})
