"""Trials: cells of a design, statistics with labels and errors, and tables of claims that skip what was not run."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from batteries import assert_refused
from compendium.evidence import claims
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Estimate, every
from compendium.evidence.names import Name
from compendium.evidence.texts import ClaimTexts
from compendium.evidence.trials import Trials


@pytest.fixture
def t() -> Trials:
    rng = np.random.default_rng(5)
    n = np.repeat([10, 20], 50)
    truth = rng.normal(0.2, 0.02, 100)
    frame = pd.DataFrame({"n": n, "cell": n // 20, "true-error": truth})
    frame["low"] = truth - 0.05 + rng.normal(0, 0.01, 100)
    frame["high"] = truth + 1 / n + rng.normal(0, 0.01, 100)
    names = {e: Name(e.upper(), e, e) for e in ("low", "high")}
    return Trials(frame, "literal", names, {"n": "N = {}".format})


def test_a_cell_is_taken_by_its_levels_and_labels_what_is_measured_there(t):
    e = t.at(n=20).bias("high")
    assert e.value == pytest.approx(5.0, abs=4 * e.se)
    assert e.n == 50
    assert e.words.startswith("HIGH at N = 20 +")
    assert e.words.endswith("points")


def test_the_error_of_a_bias_over_cells_is_that_of_a_stratified_mean(t):
    cells = [t.at(n=n).bias("high") for n in (10, 20)]
    assert t.bias("high").value == pytest.approx(np.mean([e.value for e in cells]))
    assert t.bias("high").se == pytest.approx(np.hypot(*(e.se for e in cells)) / 2)


def test_paired_gaps_between_estimators_are_those_of_the_same_samples(t):
    low, high = (100 * (t.frame[e] - t.frame["true-error"]).to_numpy() for e in ("low", "high"))
    assert t.at(n=20).gap("high", "low").value == pytest.approx((high - low)[50:].mean())
    # low is optimistic, high pessimistic: the size of the first bias minus that of the second
    assert t.bias_gap("low", "high").value == pytest.approx(-low.mean() - high.mean())
    assert t.bias_gap("low", "high").words.startswith("LOW")


def test_the_error_of_a_gap_between_roots_is_that_of_what_each_sample_adds():
    # roots 5 and 1; squares over twice the root are .1, 4.9 and .5, .5, whose differences are 4.8 apart
    gap = Trials(pd.DataFrame({"cell": [0, 0]})).rms_gap(np.array([1.0, 7.0]), np.array([1.0, 1.0]))
    assert (gap.value, gap.se) == (pytest.approx(4.0), pytest.approx(2.4))


def test_a_ratio_of_deviations_is_averaged_over_cells_and_jackknifed(t):
    parts = [t.at(n=n) for n in (10, 20)]
    whole = [np.std(c["low"], ddof=1) / np.std(c["high"], ddof=1) for c in parts]
    left = [
        [np.std(np.delete(c["low"], i), ddof=1) / np.std(np.delete(c["high"], i), ddof=1) for i in range(50)]
        for c in parts
    ]
    e = t.sd_ratio("low", "high")
    assert e.value == pytest.approx(np.mean(whole))
    assert e.se == pytest.approx(np.sqrt(sum(49 * np.var(values) for values in left)) / 2)


def jackknifed(statistic, *columns):
    left = [statistic(*(np.delete(c, i) for c in columns)) for i in range(len(columns[0]))]
    return statistic(*columns), np.sqrt((len(left) - 1) * np.var(left))


def test_gaps_between_deviations_and_between_correlations_are_jackknifed_over_the_same_samples(t):
    cell = t.at(n=20)
    low, high, truth = (cell[c] for c in ("low", "high", "true-error"))
    against = replace(cell, frame=cell.frame.assign(low=-cell.frame["low"]))
    paired = [
        (cell.sd_gap("low", "high"), jackknifed(lambda a, b: a.std(ddof=1) - b.std(ddof=1), low, high)),
        *(
            (
                one.strength_gap("low", "high"),
                jackknifed(lambda a, b, y: np.corrcoef(a, y)[0, 1] - np.corrcoef(b, y)[0, 1], low, high, truth),
            )
            for one in (cell, against)
        ),
    ]
    for e, (value, se) in paired:
        assert (e.value, e.se) == (pytest.approx(value), pytest.approx(se))
        assert e.words.startswith("LOW minus HIGH at N = 20 ")
    few = t.where(np.arange(100) < 2)
    assert np.isnan([few.sd_gap("low", "high").se, t.strength_gap("n", "high").se]).tolist() == [True, False]
    assert np.isnan(cell.strength_gap("n", "high").value)


def test_a_spread_within_cells_is_compared_with_that_of_another_learner_on_the_same_samples(t):
    more = replace(t, frame=t.frame.assign(low=2 * t.frame["low"]), label="more")
    gap = more.spread_beyond(t, "low")
    # twice every value: the error of the difference is that of the spread itself, not the root of five times it
    assert (gap.value, gap.se) == (pytest.approx(t.spread("low").value), pytest.approx(t.spread("low").se))
    assert "more minus" in gap.label


@pytest.mark.parametrize("ask", [lambda t: t.at(n=30), lambda t: t["loo"], lambda t: t.levels("n")[2]])
def test_what_was_not_run_is_named_so(t, ask):
    with pytest.raises(NotRun):
        ask(t)


def test_differences_are_labelled_and_a_condition_is_no_truth_value():
    e = Estimate(1.0, 0.1, 50, "a")
    assert [(e - Estimate(2.0, 0.1, 50, label)).label for label in ("b", "")] == ["a minus b", "a"]
    with pytest.raises(TypeError, match="outcome"):
        bool(e > 0)


def test_learners_are_compared_on_the_same_samples_and_names_stand_in_the_labels(t):
    other = replace(t, frame=t.frame.assign(low=t.frame["low"] + 0.01), label="k = 3")
    e = replace(t, label="k = 1").bias_beyond(other, "low")
    assert e.value == pytest.approx(-1.0)
    assert e.se == pytest.approx(0.0, abs=1e-9)
    assert e.label == "LOW, k = 1 minus k = 3"
    assert t.variance_ratio("low", "high").label == "LOW to HIGH"
    assert t.count("n").value == 15


def test_rows_stand_cell_by_cell_and_take_levels_into_their_columns(t):
    rows = t.rows(["low", "high"], {"bias/N={n}": Trials.bias}, by=["n"])
    assert [(r.row, r.column) for r in rows] == [
        ("low", "bias/N=10"),
        ("high", "bias/N=10"),
        ("low", "bias/N=20"),
        ("high", "bias/N=20"),
    ]
    assert rows[0].reading == "literal"
    assert rows[3].value == t.at(n=20).bias("high").value


def test_a_table_of_claims_is_judged_and_leaves_out_what_was_not_run(t, monkeypatch):
    texts = {
        "low": ClaimTexts("Low is optimistic."),
        "high": ClaimTexts("At N = {n[1]} high is pessimistic.", "bias"),
        "small": ClaimTexts("High is small."),
        "unbiased": ClaimTexts("At N = {n[2]} high is unbiased."),
        "at-30": ClaimTexts("Low is unbiased at N = 30."),
    }
    monkeypatch.setattr(claims, "claim_texts", lambda artifact: texts)
    conditions = {
        "low": lambda t: every("bias", [c.bias("low") < 0 for c in t.cells("n")]),
        "high": lambda t: t.at(n=20).bias("high") > 0,
        "small": lambda t: [abs(t.at(n=10).bias("high")) <= 5, abs(t.at(n=20).bias("high")) <= 6],
        "unbiased": lambda t: abs(t.bias("high")) <= 1,
        "at-30": lambda t: abs(t.at(n=30).bias("low")) <= 1,
    }
    checks = judge_claims(Claims("", conditions), t, reading=t.reading, n=t.levels("n"))
    assert [(c.claim, c.outcome) for c in checks] == [
        ("Low is optimistic. [literal]", "holds"),
        ("At N = 20 high is pessimistic. [literal]", "holds"),
        ("High is small. [literal]", "holds in part"),
    ]
    assert checks[1].evidence.startswith("bias: HIGH at N = 20")
    texts["low"] = ClaimTexts("Low $x_{i}$ is optimistic.")
    assert_refused(("{i}", "claim 'low'"), judge_claims, Claims("", {"low": conditions["low"]}), t, n=t.levels("n"))
