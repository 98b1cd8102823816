"""Which labels may change places, and all the ways in which they can.

If labels have nothing to do with attributes, every arrangement of them is as likely as the one at hand: over
all cases, within strata, within groups, or, where every group has one label, over whole groups.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod

import numpy as np

from errorest.errors import UsageError
from errorest.estimation.groups import most_frequent


@dataclass(frozen=True, eq=False)
class Permuting:
    """Units with labels, and the blocks within which these change places."""

    labels: np.ndarray
    blocks: np.ndarray
    unit: np.ndarray
    words: str

    @cached_property
    def members(self) -> list[np.ndarray]:
        """Units of each block in which something can change."""
        results = [np.flatnonzero(self.blocks == b) for b in np.unique(self.blocks)]
        return [m for m in results if np.unique(self.labels[m]).size > 1]

    @cached_property
    def number(self) -> int:
        """How many distinct arrangements there are, the one at hand among them."""
        counts = [np.unique(self.labels[m], return_counts=True)[1].tolist() for m in self.members]
        return prod(factorial(sum(c)) // prod(factorial(k) for k in c) for c in counts)

    def all(self) -> Iterator[np.ndarray]:
        """Yield the labels of the cases under every distinct arrangement; int arrays, shape (n,)."""
        for parts in itertools.product(*(list(_arrangements(self.labels[m])) for m in self.members)):
            labels = self.labels.copy()
            for m, part in zip(self.members, parts, strict=True):
                labels[m] = part
            yield labels[self.unit]

    def draw(self, rng: np.random.Generator, number: int) -> np.ndarray:
        """Draw arrangements at random; int array, shape (number, n)."""
        labels = np.repeat(self.labels[None], number, axis=0)
        for m in self.members:
            labels[:, m] = rng.permuted(labels[:, m], axis=1)
        return labels[:, self.unit]


def permuting_of(y: np.ndarray, groups: np.ndarray | None = None, strata: np.ndarray | None = None) -> Permuting:
    """Say which labels may change places."""
    n = y.shape[0]
    within = "" if strata is None else " within strata"
    block = np.zeros(n, dtype=np.int64) if strata is None else strata
    if groups is None:
        made = Permuting(y, block, np.arange(n), f"labels{within or ' over all cases'}")
    else:
        first = np.unique(groups, return_index=True)[1]
        if (y == y[first][groups]).all():
            # a group is of the stratum of most of its cases, as where groups are resampled
            of_group = block[first] if strata is None else most_frequent(strata, groups)
            made = Permuting(y[first], of_group, groups, f"labels of whole groups{within}")
        else:
            both = np.unique(np.stack([groups, block]), axis=1, return_inverse=True)[1].ravel()
            message = "labels within groups" + (" and strata" if within else "")
            fixed = sum(np.unique(y[groups == g]).size == 1 for g in range(int(groups.max()) + 1))
            message += f" ({fixed} groups have one class and stay)" if fixed else ""
            made = Permuting(y, both, np.arange(n), message)
    if made.number < 2:
        what = "strata" if groups is None else "groups" if strata is None else "groups and strata"
        raise UsageError(
            f"no label can change places ({made.words}: every block has one class); expected {what} with several "
            f"classes in one of them; leave out {what}, or name others"
        )
    return made


def _arrangements(labels: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the distinct arrangements of a list in lexical order."""
    now = np.sort(labels).tolist()
    while True:
        yield np.array(now)
        i = len(now) - 2
        while i >= 0 and now[i] >= now[i + 1]:
            i -= 1
        if i < 0:
            return
        j = len(now) - 1
        while now[j] <= now[i]:
            j -= 1
        now[i], now[j] = now[j], now[i]
        now[i + 1 :] = now[:i:-1]
