"""How many test cases the majority inducer gets right in a random holdout: counted over all splits, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb, sqrt

from errorest.errors import UsageError

__all__ = ["majority_holdout", "moments"]

_MOST_WORK = 20_000_000


def majority_holdout(counts: list[int], test: int) -> dict[int, Fraction]:
    """Distribution of how many test cases the majority inducer gets right in a random holdout."""
    n = sum(counts)
    train = n - test
    if not 1 <= test < n:
        raise UsageError(f"a holdout was asked to test {test} of {n} cases; expected 1 to {n - 1}; mend the share")
    largest = max(counts)
    if len(counts) * largest**2 * (len(counts) - 2) * n > _MOST_WORK:
        raise UsageError(
            f"counting all splits of {len(counts)} classes and {n} cases takes too long; expected a smaller set; "
            "read the simulated expectation"
        )
    ways = [_binomials(size) for size in counts]
    splits = comb(n, train)
    chances: dict[int, Fraction] = {}
    for c, size in enumerate(counts):
        others = ways[:c] + ways[c + 1 :]
        for held in range(-(-train // len(counts)), min(size, train) + 1):
            # an earlier class wins a tie, so it must have fewer cases in training
            limits = [held - 1] * c + [held] * (len(counts) - c - 1)
            number = ways[c][held] * _choices(others, limits, train - held)
            if number:
                chances[size - held] = chances.get(size - held, Fraction(0)) + Fraction(number, splits)
    return dict(sorted(chances.items()))


def _binomials(size: int) -> list[int]:
    row = [1]
    for k in range(size):
        row.append(row[-1] * (size - k) // (k + 1))
    return row


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
