"""The coverage study: known truths, the grid and its costs, shares and errors, what is shipped."""

from math import sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr

from compendium.evidence.results import ResultsByScale
from compendium.evidence.verdicts import read_regenerated
from compendium.guide.coverage.coverage_map import coverage_map, draw_map
from compendium.guide.coverage.elsewhere import elsewhere, groups, learners
from compendium.guide.coverage.groups import GROUP_WORLDS
from compendium.guide.coverage.inducers import illegal
from compendium.guide.coverage.large import large_samples
from compendium.guide.coverage.methods import ELSEWHERE, METHODS, RECOMMENDED, methods_at, settings_at
from compendium.guide.coverage.model import fit_model, leave_out, model
from compendium.guide.coverage.parameters import CoverageParameters, laid_out, small_errors_laid_out
from compendium.guide.coverage.populations import FAR_APART, POPULATIONS, population_named
from compendium.guide.coverage.promise import promise
from compendium.guide.coverage.results import Coverage, covered, covered_elsewhere, covered_of_small_errors
from compendium.guide.coverage.small_errors import draw_small_errors, small_errors
from compendium.guide.coverage.study import measured
from compendium.guide.coverage.worlds import WORLDS
from compendium.guide.intervals import contains
from compendium.papers.martin_hirschberg.lenses.population import Lenses
from compendium.studies.populations import TwoNormals, intervals_of
from compendium.studies.replicates import each_replicate
from compendium.studies.study import Study, run_study
from errorest.data.sets import load
from errorest.estimation.intervals import fits_of, parse_interval
from errorest.estimation.intervals.coverage_model import CoverageModel, model_near
from errorest.estimation.intervals.coverage_table import Counted, counted
from errorest.estimation.intervals.out_of_bag import usual_replicates
from errorest.estimation.proportions import clopper_pearson_interval
from errorest.estimation.proportions import coverage as exact_coverage
from errorest.learners import C45, KNN, Majority, NaiveBayes


def small(**changed):
    given = {
        "populations": ["two-normals", "no-information", "lenses"],
        "small_errors": ["two-normals-2-percent"],
        "worlds": [],
        "learners": [],
        "group_worlds": [],
        "inducers": ["1-nn", "ldf", "majority"],
        "sizes": [20, 50],
        "repetitions": 4,
        "most_trained": 9000,
        "close_up": [20, 50],
        "full_to": 20,
    }
    return CoverageParameters(**{**given, **changed})


def test_errors_on_one_normal_attribute_are_those_of_the_cut_points():
    # each cut-point lies in one cell of the 2,048 of each class, so that it moves the error by less than 1/2048
    population, exact = population_named("two-normals"), TwoNormals.of_inherent_error(0.25)
    for seed in range(5):
        sample = population.sample(30, np.random.default_rng(seed))
        rule = intervals_of(KNN(1).fit(sample))
        bound = len(rule.cuts) / 2048
        assert abs(population.true_error(KNN(1).fit(sample)) - exact.true_error(rule)) < bound


@pytest.mark.parametrize("name", FAR_APART)
def test_few_errors_of_classes_far_apart_are_those_of_the_cut_points(name):
    least = float(name.split("-")[2]) / 100
    population, exact = population_named(name), TwoNormals.of_inherent_error(least)
    # the best rule is a cut in the middle
    assert population.true_error(Cut(exact.best_threshold)) == pytest.approx(least, abs=1e-6)
    for seed in range(5):
        sample = population.sample(30, np.random.default_rng(seed))
        rule = intervals_of(KNN(1).fit(sample))
        # a cut-point lies in one cell, of which all or nothing counts
        width = (12 + exact.distance) / 8192
        bound = sum(abs(exact.density(np.array(cut), 0) - exact.density(np.array(cut), 1)) for cut in rule.cuts) * width
        assert abs(population.true_error(KNN(1).fit(sample)) - exact.true_error(rule)) < 1.1 * bound


class Cut:
    """Answers with the second class above a value."""

    def __init__(self, value):
        self.value = value

    def predict(self, X):
        return (X[:, 0] > self.value).astype(np.int64)


@pytest.mark.parametrize(
    ("name", "least", "tolerance"),
    # the integral over 2,048 points a class of a smooth function; its error is far below .002
    [
        ("two-normals", 0.25, 0.002),
        ("normals-5d", 0.15865525, 0.002),
        ("normals-2d", 0.30853754, 0.002),
        ("no-information", 0.5, 0.0),
        ("rand", 0.5, 0.0),
    ],
)
def test_the_least_error_is_known_and_one_class_errs_on_half_of_two_equal_classes(name, least, tolerance):
    population = population_named(name)
    assert population.constant == pytest.approx(least)
    sample = population.sample(12, np.random.default_rng(0))
    assert abs(population.true_error(Majority().fit(sample)) - 0.5) <= tolerance


def test_errors_among_lenses_are_exact():
    population, lenses = population_named("lenses"), Lenses.with_noise(0.25)
    for seed in range(5):
        sample = population.sample(20, np.random.default_rng(seed))
        assert population.true_error(NaiveBayes().fit(sample)) == pytest.approx(
            lenses.exact_error(NaiveBayes().fit(sample))
        )


def test_a_data_set_as_a_population_is_sampled_with_replacement_and_tested_as_a_whole():
    population, whole = population_named("chess"), load("chess")
    sample = population.sample(2000, np.random.default_rng(0))
    assert sample.duplicates() > 0
    assert {tuple(r) for r in sample.X} <= {tuple(r) for r in whole.X}
    expected = float(np.mean(C45().fit(sample).predict(whole.X) != whole.y))
    assert population.true_error(C45().fit(sample)) == pytest.approx(expected)


def test_the_limit_takes_the_dearest_settings_that_it_allows():
    text = METHODS["replace-one-CV"][0]
    cost = fits_of([text], 200) * 200
    assert methods_at(200, cost)["replace-one-CV"] == text
    assert "replace-one-CV" not in methods_at(200, cost - 1)
    second = METHODS["nested-CV"][1]
    assert methods_at(200, fits_of([second], 200) * 200)["nested-CV"] == second
    assert "10-fold-CV-Wald-in-folds" not in methods_at(19, 10**9)


def test_the_recommended_and_the_bootstraps_are_made_whatever_the_limit():
    made = methods_at(2000, 100)
    assert [made[m] for m in RECOMMENDED] == [METHODS[m][-1] for m in RECOMMENDED]
    assert list(made) == [m for m in METHODS if m in made]
    for n in CoverageParameters().sizes:
        made, replicates = methods_at(n, 100), usual_replicates(n)
        assert made[".632+"] == f"632+(replicates={replicates})"
        assert made[".632+-uncorrected"] == f"632+(replicates={replicates}, noise=kept)"


def test_the_plan_says_what_is_left_out_and_why():
    p = small(populations=["mushroom", "land-sat"], inducers=["1-nn", "ldf"], sizes=[20, 500], close_up=[20])
    cells, left_out = laid_out(p)
    assert {(c.population, c.inducer, c.n) for c in cells} == {("land-sat", "1-nn", 20)}
    kinds = {(one.population, one.inducer, one.n): one.kind for one in left_out}
    assert kinds["mushroom", "1-nn", 20] == "illegal"
    assert kinds["land-sat", "ldf", 20] == "cost"
    assert kinds["land-sat", "1-nn", 500] == "cost"
    assert all(one.reason for one in left_out)
    more, left = laid_out(
        small(populations=["land-sat"], inducers=["ldf"], sizes=[500], close_up=[500], all_cells=True)
    )
    assert len(more) == 1
    assert not left


def test_the_majority_class_of_two_equally_frequent_classes_is_measured_once():
    rng = np.random.default_rng(0)
    for name in ("two-normals", "no-information"):
        population = population_named(name)
        share = population.sample(4000, rng).y.mean()
        assert abs(share - 0.5) < 5 * sqrt(0.25 / 4000)  # 5 standard errors: false alarm 6e-7
    cells, left_out = laid_out(small(full_to=50))
    assert {c.population for c in cells if c.inducer == "majority"} == {"two-normals", "lenses"}
    assert {one.population for one in left_out if one.kind == "same"} == {"no-information"}


def test_clopper_pearson_on_a_holdout_covers_as_often_as_the_binomial_law_says():
    # of 20 cases 7 are tested, and every error is one half: exact coverage is known.
    # 600 samples, 5 standard errors: false alarm 6e-7
    methods = {"clopper-pearson": METHODS["holdout-Clopper-Pearson"][0]}
    cell = {"population": "no-information", "inducers": ["majority"], "n": 20, "confidence": 0.95, "methods": methods}
    table = run_study(Study("covered", [cell], 600, each_replicate(measured), seed=3))
    own = table[table["quantity"] == "clopper-pearson"]
    expected = float(exact_coverage(clopper_pearson_interval, 7, 0.5))
    share = contains(own["low"].to_numpy(), own["high"].to_numpy(), 0.5).mean()
    assert abs(share - expected) < 5 * sqrt(expected * (1 - expected) / 600)


def fabricated(p, low, high, error):
    """Stand in for the studies: the same limits and errors in every cell."""
    parts = []
    cells = laid_out(p)[0] + small_errors_laid_out(p)[0]
    groups = list(dict.fromkeys((c.population, c.n) for c in cells))
    for cell in cells:
        where = {"cell": groups.index((cell.population, cell.n)), **cell._asdict()}
        del where["methods"]
        quantities = {"true-error": (error, np.nan, np.nan), **dict.fromkeys(cell.methods, (np.nan, low, high))}
        for name, (value, *limits) in quantities.items():
            lines = {"value": value, "low": limits[0], "high": limits[1], "replicate": np.arange(len(error))}
            parts.append(pd.DataFrame({**where, "quantity": name, **lines}))
    table = pd.concat(parts, ignore_index=True)
    return lambda study: table[table["population"].isin({cell["population"] for cell in study.cells})]


def test_coverages_and_widths_are_counted_as_stated():
    p = small()
    low = np.array([0.1, np.nan, 0.3, -0.2])
    high = np.array([0.25, np.nan, 0.3, 0.2])
    error = np.array([0.2, 0.2, 0.3, 0.5])
    result = covered(p, fabricated(p, low, high, error))
    row = result.cells[result.cells["method"] == "corrected-t"].iloc[0]
    assert row["this-classifier"] == 0.5  # the first and the third; the undefined one misses
    assert row["the-procedure"] == 0.25  # the mean error is .3, which the third alone contains
    assert row["width"] == pytest.approx((0.15 + 0.0 + 0.2) / 3)
    assert row["width_se"] == pytest.approx(np.std([0.15, 0.0, 0.2], ddof=1) / sqrt(3))
    assert (row["no_width"], row["undefined"]) == (0.25, 0.25)
    assert row["binomial"] == pytest.approx(2 * 1.959964 * sqrt(0.3 * 0.7 / 20))
    assert row["this-classifier_low"] < 0.5 < row["this-classifier_high"]


def made_of(shares):
    """Make the coverage of one interval of cells of 400 samples each."""
    cells = [
        {"population": p, "inducer": i, "n": 20, "method": "LOO-Wald", "samples": 400, "this-classifier": hit.mean(),
         "the-procedure": hit.mean()}
        for (p, i), hit in shares.items()
    ]  # fmt: skip
    lines = [
        pd.DataFrame({**cell, "replicate": np.arange(400), "this-classifier": hit, "the-procedure": hit})
        for cell, hit in zip(cells, shares.values(), strict=True)
    ]
    return Coverage(pd.concat(lines), pd.DataFrame(cells))


def test_the_error_of_a_mean_knows_that_inducers_share_samples():
    rng = np.random.default_rng(0)
    a, b = (rng.random(400) < 0.9 for _ in range(2))
    one, same, apart = (
        made_of(shares).means.iloc[0]
        for shares in ({("p", "x"): a}, {("p", "x"): a, ("p", "y"): a}, {("p", "x"): a, ("q", "x"): b})
    )
    assert one["se"] == pytest.approx(a.std(ddof=1) / 20)
    assert same["se"] == pytest.approx(one["se"])
    assert apart["se"] == pytest.approx(sqrt(a.var(ddof=1) + b.var(ddof=1)) / 20 / 2)
    assert apart["worst"] == min(a.mean(), b.mean())
    assert apart["worst_population"] == ("p" if a.mean() < b.mean() else "q")


def test_the_map_shows_every_mean_and_marks_low_worst_cells(run):
    p = small()
    made = coverage_map(p, run)
    sampled = draw_map(p, ResultsByScale(own=made), pd.DataFrame())
    for axes, target in zip(sampled.figure.axes, ("this-classifier", "the-procedure"), strict=True):
        own = made.data["map"][made.data["map"]["target"] == target]
        assert sorted(t.get_text() for t in axes.texts) == sorted(f"{100 * v:.0f}" for v in own["coverage"])
        low = own["worst"] < p.confidence - 0.15
        assert 0 < low.sum() < len(low)
        assert len(axes.patches) == low.sum()


def test_large_samples_are_the_same_cells_at_every_size():
    p = small(populations=["two-normals"], sizes=[20, 500, 1000], close_up=[20], repetitions=2, most_trained=100)
    made = large_samples(p, run_study)
    cells = made.data["cells"]
    by = {n: set(zip(own["population"], own["inducer"], strict=True)) for n, own in cells.groupby("n")}
    assert by == {n: {("two-normals", "1-nn"), ("two-normals", "ldf")} for n in (500, 1000)}
    assert {r.column for r in made.rows if r.row.startswith("nearest-neighbour/")} == {"500-cases", "1000-cases"}


def test_populations_of_small_error_are_no_part_of_the_other_means(run):
    p, other = small(), small(small_errors=["two-normals-0.2-percent", "two-normals-4-percent"])
    for artifact in (coverage_map, large_samples):
        assert artifact(p, run).rows == artifact(other, run).rows
    few = {c.population for c in small_errors_laid_out(other)[0]}
    assert few == {"two-normals-0.2-percent", "two-normals-4-percent"}
    assert covered_of_small_errors(small(inducers=["majority"]), run) is None
    assert not small_errors(small(inducers=["majority"]), run).rows


def test_coverage_by_size_of_error_is_counted_as_stated():
    p = small(small_errors=["two-normals-0.2-percent"], sizes=[20], close_up=[20], repetitions=200)
    # the mean error is .2 %, which two intervals of four contain
    low, high, error = (
        np.tile(four, 50) for four in ([0, 0, 0, 0.003], [0, 0.1, 0.002, 0.1], [0.001, 0.003, 0.002, 0.002])
    )
    made = small_errors(p, fabricated(p, low, high, error))
    values = {(r.row, r.column): r.value for r in made.rows}
    at = "two-normals-0.2-percent-at-20"
    assert values[f"mean/{at}", ".632+-to-Wilson"] == values[f"worst/{at}", "nested-CV"] == 50.0
    assert values[f"mean/{at}", "mean-error"] == pytest.approx(0.2)
    assert values[f"width/{at}", "10-fold-CV-Wald"] == pytest.approx(100 * (0.0 + 0.1 + 0.002 + 0.097) / 4)
    assert [check.outcome for check in made.checks] == ["fails", "holds"]
    sampled = draw_small_errors(p, ResultsByScale(own=made), pd.DataFrame())
    assert [line.get_ydata().tolist() for line in sampled.figure.axes[0].lines[:1]] == [[50.0]]


@pytest.mark.parametrize("name", WORLDS)
def test_the_truth_of_a_population_of_another_kind_is_that_of_fresh_cases_and_all_learn_from_it(name):
    population, rng = population_named(name), np.random.default_rng(1)
    fresh = population.sample(8192, rng)
    assert (np.abs(np.bincount(fresh.y) - np.bincount(population.like.y)) < 5 * sqrt(2 * 8192) / 2).all()
    classifier = NaiveBayes().fit(population.sample(300, rng))
    share = float(np.mean(classifier.predict(fresh.X) != fresh.y))
    # two shares of 8,192 cases: five standard errors, false alarm 6e-7
    assert abs(population.true_error(classifier) - share) < 5 * sqrt(2 * 0.25 / 8192)
    refused = [inducer for inducer in ("1-nn", "ldf", "naive-bayes", "c4.5", "logistic") if illegal(name, inducer)]
    assert refused == (["ldf"] if name == "mixed-attributes" else [])


def test_the_rarer_and_wider_class_and_flipped_labels_are_as_stated():
    sample = population_named("unequal-spreads").sample(8000, np.random.default_rng(2))
    assert sample.y.mean() == pytest.approx(0.25, abs=0.025)
    assert [sample.X[sample.y == c, 2].std() for c in (0, 1)] == pytest.approx([1, 2], rel=0.1)
    # the best rule cuts the first attribute in the middle: .8 ndtr(-1.25) + .2 ndtr(1.25), standard error .005
    flipped = population_named("flipped-labels")
    assert flipped.true_error(Cut(1.25)) == pytest.approx(0.2 + 0.6 * ndtr(-1.25), abs=0.025)


def test_coverage_elsewhere_is_of_what_the_interval_aims_at_and_speaks_in_the_promise(run):
    p = small(worlds=["heavy-tails", "three-classes"], world_sizes=[20], world_samples=6, sizes=[20], close_up=[20])
    found, made = covered_elsewhere(p, run), elsewhere(p, run)
    cells = found.cells[found.cells["population"] == "three-classes"].groupby("method")
    values = {r.column: r.value for r in made.rows if r.row == "mean/three-classes-at-20"}
    assert values[".632+"] == pytest.approx(100 * cells["the-procedure"].mean()[".632+"])
    assert values["10-fold-CV-Wald"] == pytest.approx(100 * cells["this-classifier"].mean()["10-fold-CV-Wald"])
    assert set(values) == {m for m in ELSEWHERE if m in methods_at(20, p.most_trained)}
    assert {"heavy-tails", "three-classes"} <= set(promise(p, run).data["table"]["population"])
    assert not elsewhere(small(), run).rows


def lines_by(logit, populations=12, samples=400):
    """Make lines whose shares follow a logit of size, error and kind, up to a deviation of each population."""
    return [
        Counted("loo-wald", f"p{k}", kind, n, round(samples * share), 0, samples, error)
        for k in range(populations)
        for kind in ("ldf", "c4.5")
        for n in (20, 100, 500)
        for error in (0.03 + 0.03 * k,)
        for share in [1 / (1 + np.exp(-logit(n, error, kind) - 0.1 * (-1) ** k))]
    ]


def test_a_model_finds_the_slopes_that_made_the_lines():
    def logit(n, error, kind):
        return 2 + 0.4 * np.log(n / 100) + 0.5 * np.log(error / 0.1) - 0.8 * (kind == "c4.5")

    found = fit_model(lines_by(logit), "classifier")
    # the priors hold slopes and effects somewhat towards 0
    assert found.slopes["log-n"] == pytest.approx(0.4, abs=0.06)
    assert found.slopes["log-error"] == pytest.approx(0.5, abs=0.1)
    assert found.kinds["ldf"] - found.kinds["c4.5"] == pytest.approx(0.8, abs=0.15)
    assert (found.populations, found.least, found.most) == (12, 20, 500)
    for n, error, kind in ((20, 0.1, "ldf"), (300, 0.3, "c4.5")):
        expected = 1 / (1 + np.exp(-logit(n, error, kind)))
        assert found.predict(n, error, kind) == pytest.approx(expected, abs=0.02)


def test_a_population_that_was_left_out_has_no_part_in_its_prediction():
    lines = lines_by(lambda n, error, kind: 2.0)
    missed = [x._replace(classifier=0) if x.population == "p3" else x for x in lines]
    without, whole = leave_out(missed, "classifier"), fit_model(missed, "classifier")
    assert without["p3"].predict(100, 0.1, "ldf") == pytest.approx(1 / (1 + np.exp(-2.0)), abs=0.02)
    assert without["p0"].predict(100, 0.1, "ldf") < without["p3"].predict(100, 0.1, "ldf") - 0.05
    assert whole.populations == without["p0"].populations + 1 == 12


def test_the_promise_is_a_mean_of_eight_populations_or_the_model(run):
    p = small(worlds=list(WORLDS), world_sizes=[20], world_samples=4, sizes=[20], close_up=[20])
    predicted, fitted = promise(p, run).data["predicted"], model(p, run)
    own = predicted[(predicted["method"] == "10-fold-CV-Wilson") & (predicted["population"] == "one-hot")]
    # of 1-NN and the linear discriminant at errors above 10 %; the majority was not run on these
    assert set(own["inducer"]) == {"1-nn", "ldf"}
    assert own["worst"].notna().all()
    few = predicted[(predicted["method"] == "10-fold-CV-Wilson") & (predicted["population"] == "two-normals-2-percent")]
    assert len(few)
    assert few["worst"].isna().all()
    table = fitted.data["table"].set_index(["interval", "unit", "term"])["value"]
    off = {r.row: r.value for r in fitted.rows if r.column == "off-by"}
    assert off["cases/10-fold-CV-Wilson"] == pytest.approx(100 * table["cv-wilson(k=10)", "cases", "off-by"], abs=0.01)


def test_learners_and_groups_are_measured_of_what_the_interval_aims_at(run):
    more = {"worlds": ["heavy-tails", "one-hot"], "learners": ["logistic"], "learner_sizes": [20], "learner_samples": 3}
    p = small(**more, group_worlds=list(GROUP_WORLDS)[3:5], group_sizes=[6], group_samples=4)
    values = {(r.row, r.column): r.value for r in learners(p, run).rows}
    assert set(values) == {
        (f"{what}/logistic-at-20", m)
        for what in ("mean", "worst")
        for m in ("holdout-Wilson", "stratified-5-fold-CV-Wilson")
    }
    of_groups = groups(p, run)
    assert {r.row.split("/")[1] for r in of_groups.rows} == {f"{name}-at-6" for name in list(GROUP_WORLDS)[3:5]}
    table = promise(p, run).data["table"]
    assert set(table["unit"]) == {"cases", "groups"}
    assert set(table.loc[table["unit"] == "groups", "n"]) == {6}
    assert {"logistic"} < set(table["inducer"])
    assert not learners(small(), run).rows
    assert not groups(small(), run).rows


def test_the_cases_of_a_group_share_what_is_stated():
    rng = np.random.default_rng(3)
    for name, share in (("groups-much-alike", 0.9), ("groups-unequal", 0.5)):
        sample, group = GROUP_WORLDS[name].draw(3000, rng)
        x = sample.X[:, 0] - np.array([sample.X[sample.y == c, 0].mean() for c in (0, 1)])[sample.y]
        size = np.bincount(group)
        # pairs of neighbours in a group
        pairs = np.flatnonzero(np.diff(group) == 0)
        assert np.mean(x[pairs] * x[pairs + 1]) / x.var() == pytest.approx(share, abs=0.05)
        assert (size.min() == size.max()) == (name == "groups-much-alike")
        assert all(len(set(sample.y[group == g])) == 1 for g in range(20))
    mixed, group = GROUP_WORLDS["groups-of-mixed-class"].draw(50, rng)
    assert any(len(set(mixed.y[group == g])) == 2 for g in range(50))


def test_the_shipped_table_is_that_of_the_recorded_build():
    rows = read_regenerated("guide")
    own = rows[(rows["artifact"] == "guide-coverage-map") & (rows["row"] != "cells")]
    own = own.set_index(["row", "column"])["value"]
    names = {parse_interval(t).id: m for m in METHODS for n in CoverageParameters().sizes for t in settings_at(m, n)}
    shares: dict[tuple[str, str], list[float]] = {}
    for line in (line for line in counted() if line.population in CoverageParameters().populations):
        for target, contained in (("this-classifier", line.classifier), ("the-procedure", line.procedure)):
            key = (f"{target}/{names[line.interval]}", f"{line.n}-cases")
            shares.setdefault(key, []).append(100 * contained / line.samples)
    for (row, column), values in shares.items():
        assert own[row, column] == pytest.approx(np.mean(values), abs=1e-6)
        assert own[f"worst-cell-{row}", column] == pytest.approx(min(values), abs=1e-6)
    assert len(shares) * 2 == len(own)


def test_the_shipped_lines_are_those_of_the_recorded_grid():
    rows = read_regenerated("guide")
    rows = rows[(rows["artifact"] == "guide-coverage-run") & (rows["value"] > 0)]
    made: dict[tuple[str, int], int] = {}
    settings: dict[int, set[str]] = {}
    for row, column in zip(rows["row"], rows["column"], strict=True):
        (first, second), n = row.split("/"), int(column.split("-")[0])
        if first == "classifiers-of-a-sample":
            settings.setdefault(n, set()).update({parse_interval(t).name for t in settings_at(second, n)})
        elif first in POPULATIONS:
            made[first, second, n] = 1
    lines = [line for line in counted() if line.unit == "cases"]
    assert {line[1:4] for line in lines} == set(made)
    for n, names in settings.items():
        assert {parse_interval(line.interval).name for line in lines if line.n == n} == names
    groups = [line for line in counted() if line.unit == "groups"]
    assert {line.population for line in groups} == set(GROUP_WORLDS)
    # each model is of lines that are shipped with it
    for text in {line.interval for line in lines}:
        near = model_near(parse_interval(text))
        assert near is None or isinstance(near[1], CoverageModel)
    for line in lines:
        if line.population in FAR_APART:
            assert float(line.population.split("-")[2]) / 100 <= line.error < 0.1


def test_the_published_design_is_as_exact_as_the_page_says():
    p = CoverageParameters()
    cells, _ = laid_out(p)
    for n in (n for n in p.sizes if n <= 500):
        assert len({c.population for c in cells if c.n == n}) >= (6 if n <= p.full_to else 4)
        assert len({c.inducer for c in cells if c.n == n}) == 5
    assert sqrt(0.95 * 0.05 / p.repetitions) <= 0.0155
    assert all(set(RECOMMENDED) <= set(c.methods) for c in cells)
    assert set(p.populations) <= set(POPULATIONS)
    rows = read_regenerated("guide")
    means = rows[(rows["artifact"] == "guide-coverage-map") & rows["row"].str.startswith(("this-", "the-procedure/"))]
    small_ones = means[means["column"].isin(["20-cases", "50-cases", "100-cases"])]
    assert small_ones["se"].mean() <= 0.5
    assert means["se"].max() < 1.5
