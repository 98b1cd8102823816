"""The studies of choosing: what they measure is what the commands give, truths, and counts by hand."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from compendium.guide.choosing import chance, posterior, study
from compendium.guide.choosing.best_of_many import biases, coverages
from compendium.guide.choosing.parameters import METHODS, ChoosingParameters
from compendium.guide.choosing.populations import draw_sample
from compendium.guide.choosing.posterior import posteriors, ratio
from compendium.methods.learners.threshold import Threshold
from compendium.studies.populations import NormalClasses, TwoNormals
from errorest import choose, compare, permutation_test
from errorest.assessment import options
from errorest.learners import KNN, LinearDiscriminant
from errorest.resampling.schemes import KFold
from errorest.streams import Streams

PLACE = Streams(5).child("replicate")
RULES = (Threshold("literal"), KNN(1), KNN(3))


def tiny(**changed: Any) -> ChoosingParameters:
    given = {
        "sizes": [20],
        "candidates": [2, 6],
        "samples": 3,
        "draws": 20,
        "distances": [1.0],
        "permutations": 19,
        "tests": 3,
        "power_tests": 2,
        "pairs": 3,
    }
    return ChoosingParameters(**{**given, **changed})


def one_column(distances: tuple[float, ...], n: int) -> Any:
    """The sample that a replicate at PLACE draws."""
    means = np.array([[0.0] * len(distances), distances])
    classes = NormalClasses(means, np.stack([np.eye(len(distances))] * 2))
    return draw_sample(classes.sample, n, PLACE.generator("sample"))


def test_the_best_and_its_corrections_are_those_of_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(study, "CANDIDATES", tuple((0, rule) for rule in RULES))
    monkeypatch.setattr(study, "POPULATIONS", {"alike": (1.0,)})
    monkeypatch.setattr(study, "_FOLDS", KFold(10))
    cell = {"population": "alike", "n": 20, "candidates": (2, 3), "draws": 50, "confidence": 0.9}
    result = pd.DataFrame(study._chosen(cell)(PLACE))
    monkeypatch.setattr(options, "streams_of", lambda _: (PLACE, None))
    sample = one_column((1.0,), 20)
    messages = {"method": "cv(k=10)", "nested": "cv(k=5)", "n_resamples": 50, "confidence_level": 0.9}
    for number in (2, 3):
        output = choose(list(RULES[:number]), sample.X, sample.y, **messages)
        of = result[result["number"] == number].set_index("method")
        assert of.loc["minimum", "value"] == pytest.approx(output.value)
        assert of.loc["bbc", ["value", "low", "high"]].tolist() == pytest.approx(
            [output.corrected_value, output.interval.low, output.interval.high]
        )
        assert output.nested_interval is not None
        assert of.loc["nested", ["value", "low", "high"]].tolist() == pytest.approx(
            [output.nested_value, output.nested_interval.low, output.nested_interval.high]
        )
        names = [rule.id for rule in RULES]
        chosen = RULES[names.index(output.best)].fit(sample)
        assert set(of["truth"]) == {TwoNormals(1.0).true_error(chosen)}  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "rule"), [("1-nn", KNN(1)), ("ldf", LinearDiscriminant())])
def test_the_binomial_tests_are_on_the_errors_of_folds_and_of_a_third(name: str, rule: Any) -> None:
    result = chance._tested({"distance": 1.0, "inducer": name, "n": 21, "permutations": 39})(PLACE)
    sample = one_column((0.5**0.5,) * 2, 21)
    again = permutation_test(rule, sample, n_permutations=39, rng=PLACE.generator("permutations"))
    assert result["permutation"] == again.p_value
    assert result["binomial-cv"] == pytest.approx(binom.cdf(round(21 * again.value), 21, 0.5))
    assert result["binomial-holdout"] in [pytest.approx(binom.cdf(wrong, 7, 0.5)) for wrong in range(8)]


def test_the_posterior_is_that_of_compare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posterior, "_STEPS", 1)
    result = pd.DataFrame(posterior._compared({"gap": 0.5, "n": 20, "margin": 0.02})(PLACE))
    monkeypatch.setattr(options, "streams_of", lambda _: (PLACE, None))
    sample = one_column((1.0,), 20)
    rules = posterior._COMPARED
    for line in result.itertuples():
        pair = (rules[line.a], rules[line.b])
        more, plain = (compare(*pair, sample.X, sample.y, rope=r).practical for r in (0.02, 0))
        assert more is not None
        assert plain is not None
        assert (line.a_better_by_more, line.b_better_by_more) == pytest.approx((more.a_better, more.b_better))
        assert line.a_better == pytest.approx(plain.a_better + plain.equal / 2)
    assert len(result) == 3


def test_truths_are_exact_and_fewer_candidates_and_populations_change_no_number(run: Any) -> None:
    whole = run(study.choosing_study(tiny()))
    assert (whole.loc[whole["population"] == "noise", "truth"] - 0.5).abs().max() < 1e-12
    part = run(study.choosing_study(tiny(candidates=[6], populations=["alike"])))
    same = whole[(whole["population"] == "alike") & (whole["number"] == 6)]
    assert same["value"].tolist() == part["value"].tolist()


def test_biases_coverages_and_widths_are_counted_as_stated() -> None:
    p = tiny(populations=["alike"], candidates=[2], samples=4)
    place = {"population": "alike", "n": 20, "number": 2, "low": 0.1, "high": 0.3}
    table = pd.DataFrame(
        {**place, "method": m, "value": v, "truth": t}
        for v, t in zip([0.1, 0.2, 0.3, 0.4], [0.2, 0.2, 0.2, 0.6], strict=True)
        for m in METHODS
    )
    rows = {row.row: row for artifact in (biases, coverages) for row in artifact(p, lambda study: table).rows}
    # differences −.1, 0, .1, −.2: mean −.05, deviation sqrt(.05/3)
    assert rows["alike/20-cases/bbc"].value == pytest.approx(-5)
    assert rows["alike/20-cases/bbc"].se == pytest.approx(100 * (0.05 / 3) ** 0.5 / 2)
    assert rows["true-error/alike/20-cases"].value == pytest.approx(30)
    assert rows["this-classifier/alike/20-cases/bbc"].value == 75
    # the mean truth, .3, lies on the limit
    assert rows["the-procedure/alike/20-cases/bbc"].value == 100
    assert rows["width/20-cases/bbc"].value == pytest.approx(20)


def test_statements_of_one_sample_share_its_luck() -> None:
    # shares 1 of 1 and 0 of 3: mean 1/4, sums less share times count 3/4 and −3/4
    m = ratio(np.array([1.0, 0, 0, 0]), np.array([0, 1, 1, 1]))
    assert (m.value, m.n) == (0.25, 2)
    assert m.se == pytest.approx((2 * 0.75**2 * 2) ** 0.5 / 4)
    assert np.isnan(ratio(np.ones(3), np.zeros(3, dtype=int)).se)


def test_statements_come_true_as_counted_by_hand() -> None:
    p = tiny(gaps=[0.5], margin=0.05)
    names = ("replicate", "a", "b", "truth_a", "truth_b", "a_better", "a_better_by_more", "b_better_by_more")
    lines = [
        (0, 0, 1, 0.1, 0.2, 0.95, 0.92, 0.01),  # a errs less, by more: both true
        (0, 0, 2, 0.3, 0.2, 0.91, 0.30, 0.02),  # b errs less: false
        (1, 0, 1, 0.2, 0.2, 0.50, 0.03, 0.03),  # nothing said of which, equal with .94: true
        (1, 0, 2, 0.3, 0.1, 0.04, 0.01, 0.70),  # b with .96: true
    ]
    table = pd.DataFrame(lines, columns=list(names)).assign(gap=0.5, n=20)
    result = posteriors(p, lambda study: table).data["calibration"]
    sure = result[(result["low"] == 0.9) & (result["high"] == 1.0) & (result["target"] == "this-classifier")]
    of = sure.set_index("outcome")
    assert of["statements"].to_dict() == {"better": 3, "better-by-more": 1, "equal": 1}
    assert of.loc["better", "true"] == pytest.approx(200 / 3)
    assert of.loc["better", "stated"] == pytest.approx(94)
    assert of.loc[["better-by-more", "equal"], "true"].tolist() == [100, 100]
    # mean errors are .225, .2 and .15: that 0 errs less than 1 and less than 2 is false, that 2 errs less is true
    procedure = result[(result["target"] == "the-procedure") & (result["outcome"] == "better") & (result["low"] == 0.9)]
    assert procedure["true"].tolist()[-1] == pytest.approx(100 / 3)
