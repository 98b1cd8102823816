"""Figures 6 and 7 and the claims around them: windows, standard errors, repeats, criteria."""

import numpy as np
import pandas as pd
import pytest

from compendium.evidence.estimate import Estimate
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.study import discriminant_study
from compendium.papers.martin_hirschberg.estimators import FACTORS, NAMES
from compendium.papers.martin_hirschberg.windows.figure_6 import figure_6, judge_windows, outside_variance
from compendium.papers.martin_hirschberg.windows.figure_7 import figure_7, negligible_from
from compendium.papers.martin_hirschberg.windows.section_3 import claims_section_3, exponent_of, last_window_above
from compendium.papers.martin_hirschberg.windows.study import (
    ITERATED,
    WindowsParameters,
    below_half,
    curve,
    repeats_study,
    trials,
    windows_of,
)
from compendium.studies.experiment import wide
from compendium.studies.study import run_study

SMALL = WindowsParameters(samples=12, cv_repeats=4, bootstrap_replicates=6, figure_6_repeats=2, sizes=[10, 14], seed=3)


def by_key(result, reading="literal"):
    return {(r.row, r.column): r for r in result.rows if r.reading == reading}


def made_of(true, estimate, cell, **columns):
    table = {"cell": cell, "true-error": np.asarray(true) / 100, "e": np.asarray(estimate) / 100}
    return Trials(pd.DataFrame(table | columns), names=NAMES, factors=FACTORS)


def test_window_means_and_pooled_errors_are_the_footnotes():
    rng = np.random.default_rng(5)
    true, cell = rng.uniform(0, 12, 60), np.repeat([0, 1, 2], 20)
    estimate = true + rng.standard_normal(60) * (1 + cell)
    table = windows_of(made_of(true, estimate, cell), "e", 2.0).set_index("window")
    assert set(table.index % 2) == {0.0}
    sd = [estimate[cell == c].std(ddof=1) for c in range(3)]
    for centre in table.index:
        inside = [i for i in range(60) if centre - 1 <= true[i] < centre + 1]
        assert table.loc[centre, "n"] == len(inside)
        assert table.loc[centre, "estimate"] == pytest.approx(np.mean(estimate[inside]))
        rms = np.sqrt(np.mean([sd[cell[i]] ** 2 for i in inside]))
        assert table.loc[centre, "se"] == pytest.approx(rms / np.sqrt(len(inside)))
        if len(inside) > 1:
            own = np.std(estimate[inside], ddof=1) / np.sqrt(len(inside))
            assert table.loc[centre, "own_se"] == pytest.approx(own)
    assert table["n"].sum() == 60
    # a window whose population never varies has an error above zero
    assert (windows_of(made_of([1.0, 1.0], [0.0, 0.0], [0, 0]), "e", 2.0)["se"] > 0).all()


def test_the_spline_follows_a_straight_line_and_needs_four_windows():
    line = pd.DataFrame({"true_error": np.arange(0.0, 20, 2), "estimate": 3 + np.arange(0.0, 20, 2), "se": 1.0})
    x, y = curve(line)
    np.testing.assert_allclose(y, x + 3, atol=1e-8)
    assert curve(line[:3])[0].size == 0


def test_the_first_samples_are_those_of_table_4(run):
    p = SMALL.model_copy(update={"sizes": [10]})
    here = trials(p, run, repeats_study(p))
    ids = {"repeated-cv-2": "cv(k=2, repeats=4)", "loo": "loo"}
    there = run_study(discriminant_study([10], p.inherent_errors, p.samples, ids, p.reversal_rules, p.seed))
    for rule, column in (("literal", "true-error"), ("class-0-mean", "repeated-cv-2")):
        np.testing.assert_array_equal(here[rule].at(set=0).frame[column], wide(there, rule)[column])


def test_later_means_are_judged_by_the_first_limits_or_their_neighbours():
    first = pd.DataFrame({"window": [2.0, 6.0], "n": [30, 1], "estimate": [10.0, 20.0], "se": [1.0, 3.0]})
    later = pd.DataFrame({"window": [2.0, 4.0, 6.0], "n": [25, 25, 25], "estimate": [12.1, 19.2, 14.1]})
    judged = judge_windows(first, later)
    assert judged["outside"].tolist() == [True, True, False]
    assert judged["interval"].tolist() == [True, False, True]
    assert judged["dense"].tolist() == [True, False, False]
    # between the windows at 2 and 6 the limits are halfway: (8 + 14)/2 and (12 + 26)/2
    assert [judged["low"][1], judged["high"][1]] == [11.0, 19.0]


def test_the_variance_of_outside_means_is_that_of_a_simulation():
    rng = np.random.default_rng(1)
    n = 40_000
    first, later = rng.standard_normal(n), rng.standard_normal((n, 6))
    counts = (np.abs(later - first[:, None]) > 2).sum(axis=1)
    # the estimate's own standard error is below 1.5 %: five of them make a false alarm a one-in-a-million event
    assert outside_variance(6) == pytest.approx(counts.var(), rel=0.07)


def test_counts_of_the_first_experiment_are_what_brute_force_counts(run):
    result = figure_6(SMALL, run)
    for rule, t in trials(SMALL, run, repeats_study(SMALL)).items():
        rows = by_key(result, t.reading)
        above = sum(error > 0.5 + 1e-9 for error in t.at(set=0).frame["true-error"])
        assert rows["repeated-cv-2/N=10", "reversed"].value == pytest.approx(above)
        share = rows["repeated-cv-2/N=10", "reversed-percent"].value
        assert share == pytest.approx(100 * above / (12 * 8))
        sampled = result.data["windows"].query(f"rule == '{rule}' and set > 0")
        assert rows["repeated-cv-2/N=10", "windows-in-2-repeats"].value == len(sampled)
        assert rows["repeated-cv-2/N=10", "outside-interval"].value == sampled["outside"].sum()


def test_enlarging_keeps_the_experiment_and_repeats_it(run):
    p = SMALL.model_copy(update={"repeats": 2})
    small, rows = (by_key(figure_6(q, run)) for q in (p, p.enlarged()))
    assert p.enlarged().samples == p.samples
    assert all(row.n > small[key].n and row.se > 0 for key, row in rows.items())


def test_negligible_needs_every_larger_size_too_and_its_error_is_that_of_a_simulation():
    def bias(*values, se=0.01):
        return {n: Estimate(v, se, 9) for n, v in zip((10, 20, 50), values, strict=False)}

    value, se = negligible_from(bias(0.1, 0.9, -0.2), 0.5)
    assert (value, se) == (50, pytest.approx(0.0, abs=1e-6))
    assert np.isnan(negligible_from(bias(2.0), 0.5)[0])
    means, errors = (0.6, 0.3, 0.1), (0.2, 0.2, 0.3)
    rng = np.random.default_rng(8)
    results = [negligible_from(bias(*rng.normal(means, errors)), 0.5)[0] for _ in range(8000)]
    own = {n: Estimate(m, e, 9) for n, m, e in zip((10, 20, 50), means, errors, strict=True)}
    # a standard deviation from 8,000 draws is good to about 1 %: five of these; no size counts as twice the largest
    assert negligible_from(own, 0.5)[1] == pytest.approx(np.nan_to_num(results, nan=100.0).std(), rel=0.05)


def test_the_bias_below_one_half_leaves_out_what_is_not_below():
    t = made_of([10, 20, 50, 70], [20, 20, 0, 0], [0, 0, 1, 1])
    assert below_half(t, "e").value == pytest.approx(5.0)
    assert np.isnan(below_half(t.where(t["true-error"] >= 50), "e").value)


def with_biases(*biases):
    """Make samples of N = 10, 20 and 50 with given mean biases of 2-CV*, in points."""
    rng, n = np.random.default_rng(5), np.repeat([10, 20, 50], 1500)
    true = rng.uniform(10, 70, n.size)
    estimate = true + np.repeat(biases, 1500) + 5 * rng.standard_normal(n.size)
    return made_of(true, estimate, n, n=n, set=0, **{ITERATED: estimate / 100})


def test_the_exponent_is_a_line_of_logs_weighted_by_precision():
    t = with_biases(4.0, 2.0, 0.8)
    biases = [below_half(t.at(n=n), ITERATED) for n in (10, 20, 50)]
    y, weights = [np.log(b.value) for b in biases], [b.value / b.se for b in biases]
    slope, covariance = np.polyfit(np.log([10, 20, 50]), y, 1, w=weights, cov="unscaled")
    result = exponent_of(t)
    assert result.value == pytest.approx(slope[0])
    assert result.se == pytest.approx(np.sqrt(covariance[0, 0]))
    assert np.isnan(exponent_of(with_biases(-5.0, -5.0, -5.0)).value)


def test_where_the_optimism_begins_is_read_off_the_last_window_above():
    table = pd.DataFrame(
        {"window": [48.0, 50.0, 56.0, 60.0], "true_error": [48.0, 50, 56, 60], "estimate": [50.0, 49, 57, 55]}
    )
    assert last_window_above(table, 2.0) == 57.0
    assert np.isnan(last_window_above(table[:3], 2.0))


def test_one_population_without_overlap_is_no_accident(run):
    p = SMALL.model_copy(update={"inherent_errors": [0.5], "sizes": [10], "samples": 5})
    assert figure_6(p, run).rows[0].value == 0
    assert np.isnan(figure_7(p, run).rows[0].value)
    # claims on several sizes are left out
    assert not any("as N grows" in c.claim for c in claims_section_3(p, run).checks)
