"""Claims of Kohavi's study in two made-up worlds: in one they hold, in the other each of them fails."""

import numpy as np
import pandas as pd
import pytest

from compendium.evidence.claims import judge_claims
from compendium.evidence.estimate import Estimate
from compendium.evidence.trials import Trials
from compendium.papers.kohavi.estimates import artifacts as estimates
from compendium.papers.kohavi.estimates.experiment import EstimateParameters
from compendium.papers.kohavi.truth import artifacts as truth

P = EstimateParameters()


def test_the_ratio_of_two_spreads_has_the_error_of_paired_samples():
    rng = np.random.default_rng(3)
    ratios = []
    for _ in range(400):
        a = rng.standard_normal(200)
        b = a + 0.5 * rng.standard_normal(200)
        one = estimates.OnSets("i", {"x": Trials(pd.DataFrame({"a": a, "b": b}))}, {})
        ratios.append(one.sd_ratio(("a", "b")))
    values = np.array([m.value for m in ratios])
    # false alarm 1 in 10,000: the mean of 400 errors of a ratio against their spread
    assert np.mean([m.se for m in ratios]) == pytest.approx(values.std(), rel=0.16)
    assert values.mean() == pytest.approx(1 / np.sqrt(1.25), abs=0.01)


@pytest.mark.parametrize(("gain", "outcome"), [(1.0, "holds"), (-1.0, "fails"), (0.0, "not decided")])
def test_learning_curves_slope_up_or_not(gain, outcome):
    sizes = dict(zip(P.data_sets, P.sizes, strict=True))
    curves = {name: {n: Estimate(60 + gain * n / 100, 0.5, 100) for n in (size, 2000)} for name, size in sizes.items()}
    (check,) = judge_claims(truth.CURVES, curves, sizes, inducer="C4.5")
    assert check.outcome == outcome
    assert "rand" not in check.evidence


def test_no_claim_is_made_of_curves_that_end_at_the_samples_size():
    assert not judge_claims(truth.CURVES, {"vehicle": {100: Estimate(60, 0.5, 100)}}, {"vehicle": 100}, inducer="C4.5")
