"""How many test cases the majority inducer gets right in a random holdout: counted over all splits, exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import comb, sqrt

_MOST_WORK = 20_000_000


def majority_holdout(counts: list[int], test: int) -> dict[int, Fraction]:
    """Chances of how many test cases the majority inducer gets right in a random holdout; none if too many to count."""
    n = sum(counts)
    train = n - test
    if len(counts) * max(counts) ** 2 * (len(counts) - 2) * n > _MOST_WORK:
        return {}
    ways = [[comb(size, k) for k in range(size + 1)] for size in counts]
    chances: Counter[int] = Counter()
    for c, size in enumerate(counts):
        for held in range(-(-train // len(counts)), min(size, train) + 1):
            # class c prevails: an earlier class, which wins a tie, has fewer training cases, a later one no more
            limits = [held - 1] * c + [held] * (len(counts) - c - 1)
            chances[size - held] += ways[c][held] * _choices(ways[:c] + ways[c + 1 :], limits, train - held)
    return {right: Fraction(number, comb(n, train)) for right, number in sorted(chances.items()) if number}


def _choices(ways: list[list[int]], limits: list[int], total: int) -> int:
    """Count how ``total`` cases can be chosen with at most ``limits`` of each class, exactly."""
    at = {0: 1}
    for own, limit in zip(ways[:-1], limits[:-1], strict=True):
        fresh: dict[int, int] = {}
        for have, known in at.items():
            for k in range(min(len(own) - 1, limit, total - have) + 1):
                fresh[have + k] = fresh.get(have + k, 0) + known * own[k]
        at = fresh
    most = min(len(ways[-1]) - 1, limits[-1])
    return sum(known * ways[-1][total - have] for have, known in at.items() if 0 <= total - have <= most)


def moments(chances: Mapping[int, Fraction], test: int) -> tuple[Fraction, float]:
    """Return mean and standard deviation of the share of right predictions."""
    mean = sum((k * chance for k, chance in chances.items()), Fraction(0)) / test
    square = sum((k * k * chance for k, chance in chances.items()), Fraction(0)) / test**2
    return mean, sqrt(square - mean**2)
