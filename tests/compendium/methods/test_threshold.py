"""The threshold on one attribute: the appendix by hand, and means that rounding alone tells apart."""

from math import inf, isfinite, log

import numpy as np
import pytest

from batteries import two_classes
from compendium.methods.learners.threshold import Threshold

RULES = ("literal", "class-0-mean")


def threshold_by_hand(x, y, rule: str) -> tuple[float, int, int]:
    """The appendix's function in plain Python, statement by statement, in exact arithmetic of the test."""
    zero, one = [v for v, c in zip(x, y, strict=True) if c == 0], [v for v, c in zip(x, y, strict=True) if c == 1]
    if not zero:
        return -inf, 0, 1
    if not one:
        return inf, 0, 1
    mean0, mean1 = sum(zero) / len(zero), sum(one) / len(one)
    if mean0 == mean1:
        return ((mean0 + mean1) / 2 if len(zero) == len(one) else -inf if len(zero) < len(one) else inf), 0, 1
    squares = sum((v - mean0) ** 2 for v in zero) + sum((v - mean1) ** 2 for v in one)
    s2 = squares / (len(x) - 2) if len(x) > 2 else 0.0
    t = (mean0 + mean1) / 2 + s2 * log(len(zero) / len(one)) / (mean1 - mean0)
    reverse = mean0 > mean1 if rule == "literal" else t < mean0
    return (t, 1, 0) if reverse else (t, 0, 1)


@pytest.mark.parametrize("rule", RULES)
def test_the_threshold_follows_the_appendix_on_random_samples(rule):
    for seed in range(200):
        g = np.random.default_rng(seed)
        n = int(g.integers(2, 12))
        y = g.integers(0, 2, n)
        # whole numbers make equal means and classes without spread
        x = g.normal(size=n) * 10.0 ** g.integers(-2, 3) if seed % 2 else g.integers(0, 3, n).astype(float)
        fitted = Threshold(rule).fit(two_classes(x, y))
        t, a, b = threshold_by_hand(x.tolist(), y.tolist(), rule)
        assert fitted.labels == (a, b)
        assert fitted.cuts[0] == (t if not isfinite(t) else pytest.approx(t, rel=1e-9, abs=1e-9))


@pytest.mark.parametrize("offset", [0.0, 1e6])
@pytest.mark.parametrize("rule", RULES)
def test_means_that_differ_by_rounding_alone_count_as_equal(rule, offset):
    # (.1 + .2 + .3)/3 is not .2 in binary
    x = offset + np.array([0.1, 0.2, 0.3, 0.2])
    assert Threshold(rule).fit(two_classes(x, [0, 0, 0, 1])).cuts == (inf,)
    assert Threshold(rule).fit(two_classes(x, [1, 1, 1, 0])).cuts == (-inf,)
    balanced = Threshold(rule).fit(two_classes(offset + np.array([0.1, 0.2, 0.3, 0.2, 0.2, 0.2]), [0, 0, 0, 1, 1, 1]))
    assert (balanced.labels, balanced.cuts[0]) == ((0, 1), pytest.approx(offset + 0.2))


def test_the_printed_test_at_a_tenth_below_the_threshold_is_the_order_of_the_means():
    """The appendix weighs the classes at t - 0.1; in logarithms, without underflow, it is the literal rule."""
    for seed in range(300):
        g = np.random.default_rng(seed)
        y = g.integers(0, 2, 8)
        x = g.normal(size=8) + g.normal() * y
        n0 = int((y == 0).sum())
        if not 0 < n0 < 8:
            continue
        m0, m1 = x[y == 0].mean(), x[y == 1].mean()
        s2 = (((x[y == 0] - m0) ** 2).sum() + ((x[y == 1] - m1) ** 2).sum()) / 6
        at = (m0 + m1) / 2 + s2 * log(n0 / (8 - n0)) / (m1 - m0) - 0.1
        straight = log(n0) - (at - m0) ** 2 / (2 * s2) >= log(8 - n0) - (at - m1) ** 2 / (2 * s2)
        assert Threshold().fit(two_classes(x, y)).labels == ((0, 1) if straight else (1, 0))
