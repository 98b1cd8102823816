"""What a person is told of the noise of an interval, and of how often it held the truth."""

from __future__ import annotations

import numpy as np

from errorest.assessment import estimate_error

RNG = np.random.default_rng(7)
Y = np.arange(60) % 2
X = RNG.normal(size=(60, 2)) + Y[:, None]


def test_an_estimate_tells_how_far_another_seed_would_move_it():
    found = estimate_error("naive-bayes", X, Y, rng=1)
    error = found.interval.monte_carlo
    assert f"{error.estimate:.4f} of the estimate" in str(found)
    assert found.to_dict()["interval"]["monte_carlo"]["standard_error"] == error.se
    assert not any("another seed" in w for w in found.warnings)
    assert "Monte Carlo" not in str(estimate_error("naive-bayes", X, Y, estimator="cv(k=10)", rng=1))


def test_too_few_bootstrap_samples_are_cautioned_of():
    few = estimate_error("naive-bayes", X, Y, estimator="632+(replicates=25)", rng=1)
    (told,) = (w for w in few.warnings if "another seed" in w)
    assert "25 bootstrap samples are few" in told
    groups = estimate_error("naive-bayes", X, Y, estimator="632+(replicates=25)", groups=np.arange(60) // 2, rng=1)
    assert groups.interval.monte_carlo.estimate > 0


def test_the_default_takes_more_bootstrap_samples_of_more_cases():
    many = np.resize(X, (450, 2)) + np.random.default_rng(0).normal(size=(450, 2))
    assert estimate_error("naive-bayes", X, Y, rng=1).estimator == "632+(replicates=200)"
    assert estimate_error("naive-bayes", many, np.resize(Y, 450), rng=1).estimator == "632+(replicates=300)"
