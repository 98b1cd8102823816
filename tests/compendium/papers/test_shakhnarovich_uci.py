"""Section 8 of Shakhnarovich et al.: data sets, drawing, readings, tests between estimators, tails, cost."""

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

from compendium.book import catalogue
from compendium.book.parameters import resolve
from compendium.evidence.claims import NotRun
from compendium.evidence.results import ResultsByScale
from compendium.evidence.verdicts import read_published
from compendium.papers.shakhnarovich import cost, wins
from compendium.papers.shakhnarovich import figures as shared
from compendium.papers.shakhnarovich.cases import STRATIFIED, Case, as_printed
from compendium.papers.shakhnarovich.methods import ESTIMATORS, TO_ZERO, TRUE_ERROR, estimators_for
from compendium.papers.shakhnarovich.uci import artifacts, experiment, tails
from compendium.papers.shakhnarovich.uci.experiment import UciParameters
from compendium.studies.study import run_study
from errorest.errors import UsageError
from errorest.estimation.estimators import fits, parse_estimator
from errorest.streams import Streams

SMALL = UciParameters(
    trials=[3, 2, 3],
    sizes=[20, 24, 22],
    classifiers=["breast-cancer/1-nn", "breast-cancer/3-nn", "vehicle/1-nn", "pima/3-nn"],
    stratified=["pima/3-nn"],
    bootstrap_samples=2,
    seed=9,
)


def made_up(trials=40):
    """Return a run that yields random estimates in place of a study, for tests of tables."""
    names = [TRUE_ERROR, *ESTIMATORS, *TO_ZERO.values()]

    def run(study):
        frames = []
        for cell in study.cells:
            rng = Streams(8).generator(study.id, cell["set"], cell["drawing"])
            quantities = names if len(cell["estimators"]) > 1 else [TRUE_ERROR, "resubstitution"]
            lines = pd.MultiIndex.from_product(
                [range(trials), cell["classifiers"], quantities], names=["replicate", "inducer", "quantity"]
            ).to_frame(index=False)
            place = {"cell": len(frames), "set": cell["set"], "drawing": cell["drawing"], "n": cell["n"]}
            own = lines.assign(value=rng.uniform(0, 0.5, len(lines)), **place)
            frames.append(own[[*place, *lines.columns, "value"]])
        table = pd.concat(frames, ignore_index=True)
        return table.assign(quantity=pd.Categorical(table["quantity"], names))

    return run


@pytest.fixture(scope="module")
def small_run():
    done = {}

    def run(study):
        key = (study.id, str(study.cells))
        if key not in done:
            done[key] = run_study(study)
        return done[key]

    return run


def case(place, estimates, reading="literal"):
    return Case(pd.DataFrame(estimates), reading, place=place, classifier="ldf")


def values(result):
    return {(r.reading, r.row, r.column): r.value for r in result.rows}


def test_table_3_counts_what_the_paper_prints_and_that_vehicle_is_integer():
    result = artifacts.table_3(experiment.SetsParameters(), run_study)
    match = values(result)
    table = read_published("shakhnarovich")
    for line in table[(table["artifact"] == "shakhnarovich-table-3") & (table["kind"] == "data")].to_dict("records"):
        assert match["literal", line["row"], line["column"]] == float(line["value"])
    assert match["literal", "vehicle", "whole-number-features"] == 18
    assert "Id" not in [a.name for a in experiment.uci_set("breast-cancer").attributes]


def test_a_sample_and_the_rest_are_the_whole_and_strata_keep_the_shares():
    y = experiment.uci_set("pima").y
    for drawing in ("uniform", "stratified"):
        sampled, rest = experiment.draw_cases(y, 60, drawing, np.random.default_rng(1))
        assert sorted([*sampled, *rest]) == list(range(768))
        assert sampled.shape == (60,)
    # 60 x 500/768 = 39.06: 39 of one class and 21 of the other
    assert np.bincount(y[sampled]).tolist() == [39, 21]
    assert not (np.diff(sampled) > 0).all(), "in random order"


def test_uniform_samples_vary_in_their_classes():
    y = experiment.uci_set("pima").y
    counts = [
        np.bincount(y[experiment.draw_cases(y, 60, "uniform", np.random.default_rng(k))[0]])[0] for k in range(200)
    ]
    exact = 60 * (500 / 768) * (268 / 768) * (708 / 767)
    # the variance of 200 draws is off by a factor of 1.5 or more less than once in 10,000 runs
    assert exact / 1.5 < np.var(counts, ddof=1) < 1.5 * exact


def test_a_trial_measures_the_true_error_on_all_cases_that_are_left():
    cell = {"set": "breast-cancer", "n": 20, "drawing": "uniform", "classifiers": ["1-nn"]}
    cell |= {"estimators": ["loo", "resubstitution"], "bootstrap_samples": 2}
    trial = experiment.design(cell)
    whole = experiment.uci_set("breast-cancer")
    for r in range(2):
        place = Streams(3).child(r)
        lines = trial(place)
        results = dict(zip(lines["quantity"], lines["value"], strict=True))
        sampled, rest = experiment.draw_cases(whole.y, 20, "uniform", place.generator("sample"))
        apart = ((whole.X[rest][:, None] - whole.X[sampled]) ** 2).sum(axis=2)
        wrong = np.mean(whole.y[sampled][apart.argmin(axis=1)] != whole.y[rest])
        assert results["true-error"] == pytest.approx(wrong)
        assert results["resubstitution"] == 0
        within = ((whole.X[sampled][:, None] - whole.X[sampled]) ** 2).sum(axis=2) + 1e9 * np.eye(20)
        assert results["loo"] == pytest.approx(np.mean(whole.y[sampled][within.argmin(axis=1)] != whole.y[sampled]))


def test_all_cases_have_all_estimators_under_all_their_readings(small_run):
    cases = artifacts.cases_of(SMALL, small_run)
    rows = ["breast-cancer/1-nn", "breast-cancer/3-nn", "vehicle/1-nn", "pima/3-nn", "pima/3-nn"]
    assert [c.row for c in cases] == rows
    assert [c.reading for c in cases] == ["literal"] * 4 + [STRATIFIED]
    for case in cases:
        names = [TRUE_ERROR, *ESTIMATORS, *TO_ZERO.values()]
        assert case.has(*names)
        assert not case.frame[names].isna().any(axis=None)


def test_a_further_classifier_changes_no_estimate_of_the_others(small_run):
    fewer = SMALL.model_copy(update={"classifiers": ["breast-cancer/3-nn", "vehicle/1-nn", "pima/3-nn"]})
    one, many = (
        next(c for c in artifacts.cases_of(p, run) if c.row == "breast-cancer/3-nn")
        for p, run in ((fewer, run_study), (SMALL, small_run))
    )
    assert all((one[k] == many[k]).all() for k in (TRUE_ERROR, *ESTIMATORS))


def test_rows_as_printed_are_exchanged_and_nothing_else_moves():
    given = {name: np.array([float(k)]) for k, name in enumerate(ESTIMATORS)}
    moved = as_printed(case("pima", given))
    assert moved["repeated-cv-10"] == given["repeated-cv-5"]
    assert moved["repeated-cv-5"] == given["repeated-cv-10"]
    assert moved["cloned-bscv-10"] == moved["cloned-bscv-5"] == given["cloned-bscv-5"]
    others = set(given) - {"repeated-cv-10", "repeated-cv-5", "cloned-bscv-10"}
    assert all(moved[k] == given[k] for k in others)
    assert moved.reading == "fitted:rows-as-printed"
    assert as_printed(case("pima", given, STRATIFIED)).reading == "fitted:stratified-samples-rows-as-printed"


@pytest.mark.parametrize(("number", "name"), [(13, "breast-cancer"), (14, "vehicle"), (15, "pima")])
def test_tables_13_to_15_have_a_row_for_every_printed_key(number, name):
    result = artifacts.table(UciParameters(), made_up(), name=name)
    table = read_published("shakhnarovich")
    own = table[(table["artifact"] == f"shakhnarovich-table-{number}") & (table["kind"] == "result")]
    made = {(r.row, r.column) for r in result.rows}
    assert {(r["row"], r["column"]) for r in own.to_dict("records")} <= made
    assert any(row.startswith("header/") for row, _ in made) == (name != "breast-cancer")


def test_tables_4_to_6_and_the_claims_have_every_printed_key():
    p, run = UciParameters(), made_up()
    table = read_published("shakhnarovich")
    for artifact, compute in (
        ("shakhnarovich-table-4", artifacts.table_4),
        ("shakhnarovich-table-5", artifacts.table_5),
        ("shakhnarovich-table-6", artifacts.table_6),
        ("shakhnarovich-claims", artifacts.text_claims),
    ):
        made = {(r.row, r.column.partition("=")[0]) for r in compute(p, run).rows}
        own = table[(table["artifact"] == artifact) & table["row"].isin({row for row, _ in made})]
        assert len(own)
        assert {(r["row"], r["column"]) for r in own.to_dict("records")} <= made


def test_counts_of_table_6_are_paired_tests_by_hand():
    rng = np.random.default_rng(4)
    cases, worse, better = [], 0, 0
    for k in range(6):
        truth = rng.uniform(0.2, 0.4, 50)
        rcv, new = truth + rng.normal(0, 0.1 if k < 3 else 0.05, 50), truth + rng.normal(0, 0.05 if k < 3 else 0.1, 50)
        cases.append(case(str(k), {TRUE_ERROR: truth, "repeated-cv-5": rcv, "cloned-632plus": new}))
        d = (rcv - truth) ** 2 - (new - truth) ** 2
        z = d.mean() / (d.std(ddof=1) / np.sqrt(50))
        worse += stats.norm.sf(z) <= 0.1
        better += stats.norm.cdf(z) <= 0.1
    result = wins.win_tie_loss(cases, "repeated-cv-5", "cloned-632plus", 0.1, Streams(1))
    assert (len(result["worse"].rows), len(result["better"].rows)) == (worse, better)
    assert sum(len(count.rows) for count in result.values()) == 6
    assert worse
    assert better


def test_a_case_that_no_resample_could_decide_otherwise_has_no_standard_error():
    truth = np.zeros(30)
    one = case("x", {TRUE_ERROR: truth, "repeated-cv-5": truth + 0.3, "cloned-632plus": truth + 0.1})
    result = wins.win_tie_loss([one], "repeated-cv-5", "cloned-632plus", 0.1, Streams(1))
    assert (result["worse"].rows, result["worse"].estimate.se) == (["x/ldf"], 0.0)


@pytest.mark.parametrize("trials", [7, wins.LARGEST_CACHED, wins.LARGEST_CACHED + 1])
def test_draws_that_are_preserved_are_those_of_their_stream(trials):
    truth = np.zeros(trials)
    for row, names in (("x", ("old", "new")), ("x", ("new", "old")), ("y", ("old", "new")), ("x", ("old", "new"))):
        own = (
            Streams(8).child(f"{row}/ldf").generator(*names).multinomial(trials, np.full(trials, 1 / trials), size=1000)
        )
        sampled = wins.bootstrap_weights(case(row, {TRUE_ERROR: truth}), Streams(8), *names)
        assert sampled.tobytes() == (own / trials).tobytes()


def test_the_density_integrates_to_one_and_its_tail_is_its_integral():
    values_ = np.random.default_rng(2).exponential(0.05, 60)
    at = np.linspace(0, 0.6, 4001)
    f = tails.density(values_, at, 0.03, 0.0)
    assert np.trapezoid(f, at) == pytest.approx(1, abs=1e-4)
    tail = tails.tail(values_, at, 0.03, 0.0)
    left = integrate.cumulative_trapezoid(f, at, initial=0)
    assert np.abs(tail - (1 - left)).max() < 1e-4
    assert tail[0] == 1


def test_the_tail_without_smoothing_counts():
    errors = np.array([0.1, 0.2, 0.2, 0.5])
    assert tails.tail(errors, np.array([0.0, 0.15, 0.2, 0.6]), 0.0).tolist() == [1.0, 0.75, 0.25, 0.0]


def test_the_crossing_is_the_last_one_and_tails_under_one_trial_say_nothing():
    grid = np.linspace(0, 1, 1001)
    assert tails.crossing(grid, 1 - grid, 1 - grid**2, 0.0) == 0.0
    assert tails.crossing(grid, np.exp(-4 * grid), 0.8 * np.exp(-3 * grid), 1e-6) == pytest.approx(
        np.log(1 / 0.8), abs=1e-3
    )
    late = np.where(grid > 0.9, 0.004, 0.0)
    assert tails.crossing(grid, late, np.where(grid < 0.5, 1.0, 0.0), 0.01) == 0.0


def test_figures_4_and_5_are_made_of_their_cases():
    for wanted in (["pima/svm-rbf", "vehicle/svm-rbf"], ["pima/17-nn"]):
        result = tails.tails_of_errors(UciParameters(), made_up(), wanted=wanted)
        assert [r.column for r in result.rows].count("crossing-epsilon") == 4
    with pytest.raises(NotRun):
        tails.tails_of_errors(SMALL, made_up(), wanted=["pima/17-nn"])


def test_printed_seconds_are_contained_against_classifiers():
    p = cost.CostParameters()
    printed = read_published("shakhnarovich")
    result = cost.table_7(p, run_study)
    own = printed[printed["artifact"] == "shakhnarovich-table-7"]
    frame = cost.seconds_by_fits(result.data["work"], shared.numbers(own)).set_index(["case", "estimator"])
    seconds = {(r.row, r.column): float(r.value) for r in own[own["kind"] != "label"].itertuples()}
    ratio = seconds["bootstrap-loo", "pima/17-nn"] / seconds["bootstrap-naive", "pima/17-nn"]
    assert frame.loc[("pima/17-nn", "bootstrap-loo"), "seconds"] == pytest.approx(ratio)
    assert frame.loc[("pima/17-nn", "bootstrap-loo"), "classifiers"] == 60
    assert "exchanged" in cost.draw_table_7(p, ResultsByScale({"published": result}), own).caption


def test_counted_fits_are_those_that_the_estimators_declare():
    made = estimators_for(ESTIMATORS, 7)
    for name in ESTIMATORS:
        if name == "repeated-loo":
            continue
        work = cost.count_work(name, 22, 100, 7, np.random.default_rng(0))
        assert work.fits == fits(made[name], 22), name
    assert fits(parse_estimator("loo"), 22) == 22


def test_costs_that_section_2_misprints():
    rng = np.random.default_rng(0)
    assert cost.count_work("bootstrap-loo", 36, 1, 100, rng).fits == 36 * 100
    assert cost.count_work("cv-10", 60, 1, 100, rng) == (10, 60, 0)
    assert cost.count_work("bscv-5", 60, 1, 100, rng).fits == 500
    assert cost.count_work("repeated-cv-10", 60, 1, 100, rng).fits == 1000
    assert cost.count_work("cloned-loo", 60, 1, 100, rng).clones == 6000


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sizes": [36, 846, 60]}, "samples of 846 cases of vehicle"),
        ({"trials": [1, 2, 2]}, "too few for a spread"),
        ({"classifiers": ["iris/1-nn"]}, "data set 'iris'"),
        ({"classifiers": ["pima/1-nn", "pima/1-nn"]}, "named twice"),
        ({"classifiers": ["pima/1-nn"], "stratified": []}, "no classifier is named for breast-cancer"),
        ({"stratified": ["pima/5-nn"]}, "none of the cases"),
        ({"classifiers": ["pima/tree"]}, "tree"),
    ],
)
def test_bad_parameters_are_reported_in_one_line(given, told):
    with pytest.raises(UsageError, match=told) as caught:
        resolve(catalogue.notebook("shakhnarovich/04-uci"), given)
    assert "\n" not in str(caught.value)


def test_unknown_sets_and_drawings_are_refused():
    with pytest.raises(UsageError, match="vehicle"):
        experiment.uci_set("vehicles")
    with pytest.raises(UsageError, match="choose one of these"):
        experiment.draw_cases(np.zeros(30, dtype=int), 20, "all", np.random.default_rng(0))
