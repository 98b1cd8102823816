"""Shakhnarovich's synthetic half: settings, names, tables, contests."""

import json
from math import sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from compendium.book import catalogue
from compendium.book.labels import headings, labeller
from compendium.book.places import root
from compendium.book.session import yielded
from compendium.evidence.names import COMMON
from compendium.evidence.verdicts import REGENERATED_COLUMNS, compare, read_published
from compendium.papers.shakhnarovich import conclusions
from compendium.papers.shakhnarovich.cases import Case, table_rows, zero_reading
from compendium.papers.shakhnarovich.corrected import CorrectedParameters, compare_forms
from compendium.papers.shakhnarovich.methods import (
    ESTIMATORS,
    NEW,
    OLD,
    TO_ZERO,
    TRUE_ERROR,
    classifier_named,
    estimators_for,
    experiment_on,
)
from compendium.papers.shakhnarovich.names import LABELS, symbol_of, words_for
from compendium.papers.shakhnarovich.synthetic import artifacts as synthetic
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters, fitting, population_of
from compendium.papers.shakhnarovich.wins import (
    as_named,
    best_pair_rows,
    best_pairs,
    better_than_all,
    compare_best_pair,
    paired_test,
    significantly_better,
)
from compendium.studies.sources import DrawnSample
from compendium.studies.study import run_study
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.inducers.base import predict_by_loop
from errorest.inducers.neighbors import KNN
from errorest.resampling.draw import k_fold, leave_one_out
from errorest.streams import Streams
from made_up import with_texts

SMALL = {
    "settings": [2, 3],
    "trials": [4, 3],
    "bootstrap_samples": 3,
    "validation": 200,
    "classifiers": ["ldf", "1-nn", "ldf@total-covariance-41"],
}


@pytest.fixture(scope="module")
def parameters():
    return SyntheticParameters(**SMALL)


@pytest.fixture(scope="module")
def run():
    made = {}

    def running(study):
        key = str(study.cells)
        if key not in made:
            made[key] = run_study(study)
        return made[key]

    return running


def measured(sample, test, classifiers, estimators, place, replicates=3):
    """Return what the experiment says of one sample, by classifier and quantity."""
    cell = {"classifiers": classifiers, "estimators": estimators, "bootstrap_samples": replicates}
    lines = experiment_on(Given(sample, test), cell)(place)
    return dict(zip(zip(lines["inducer"], lines["quantity"], strict=True), lines["value"], strict=True))


class Given(NamedTuple):
    """A source that draws what it is given."""

    sample: Sample
    test: Sample

    def draw(self, place):
        return DrawnSample(self.sample, test=self.test)


def test_settings_are_those_of_table_1():
    printed = read_published("shakhnarovich")
    printed = printed[printed["artifact"] == "shakhnarovich-table-1"]
    p = SyntheticParameters()
    for one in printed.itertuples():
        population, n = population_of(int(one.row))
        ours = {"d": population.means.shape[1], "n": n, "trials": p.trials[p.settings.index(int(one.row))]}
        assert ours[one.column] == int(one.value)


def test_setting_5_has_means_that_grow_and_variances_that_shrink():
    population, _ = population_of(5)
    assert population.means[1] == pytest.approx([sqrt(j) / 2 for j in range(1, 11)])
    assert np.diag(population.covariances[1]) == pytest.approx([1 / j for j in range(1, 11)])


def test_balanced_samples_have_as_many_of_each_class_in_random_order():
    population, n = population_of(1)
    orders = {tuple(population.balanced_sample(n, np.random.default_rng(s)).y) for s in range(5)}
    assert len(orders) == 5
    assert all(sum(order) == n // 2 for order in orders)


def test_the_mean_and_covariance_of_a_large_balanced_sample_are_the_population_s():
    # 10,000 cases a class: a mean within 6 standard errors (false alarm 2e-9 each, 20 of them)
    population, _ = population_of(5)
    sampled = population.balanced_sample(20_000, np.random.default_rng(1))
    for c in (0, 1):
        own = sampled.X[sampled.y == c]
        spread = np.sqrt(np.diag(population.covariances[c]))
        assert np.all(np.abs(own.mean(axis=0) - population.means[c]) < 6 * spread / 100)
        assert np.all(np.abs(own.std(axis=0) / spread - 1) < 6 / sqrt(20_000))


def test_a_balanced_sample_of_an_odd_size_is_refused():
    with pytest.raises(UsageError, match="even number"):
        population_of(1)[0].balanced_sample(7, np.random.default_rng(0))


def test_every_printed_estimator_has_a_name_and_every_name_an_estimator():
    printed = read_published("shakhnarovich")
    rows = printed[printed["artifact"].isin([f"shakhnarovich-table-{t}" for t in range(8, 16)])]["row"]
    assert {r.partition("/")[2] for r in rows} == {TRUE_ERROR, *ESTIMATORS}
    made = estimators_for(ESTIMATORS, 4)
    assert set(made) == {*ESTIMATORS, *TO_ZERO.values()}
    assert len({e.id for n, e in made.items() if n != "repeated-loo"}) == len(made) - 1


def test_unknown_names_are_refused_with_the_nearest():
    with pytest.raises(UsageError, match="cloned-632"):
        estimators_for(["cloned-633"], 4)
    with pytest.raises(UsageError, match="svm-rbf"):
        classifier_named("svm-rfb")
    with pytest.raises(UsageError, match="gamma"):
        classifier_named("svm-rbf@sigma=2")
    with pytest.raises(UsageError, match="setting 6"):
        population_of(6)


def test_readings_say_what_was_fitted():
    texts = ["ldf", "ldf@total-covariance-41", "3-nn", "svm-rbf", "svm-linear@c=0.01"]
    assert [classifier_named(t).reading for t in texts] == [
        "literal",
        "fitted:total-covariance-41",
        "literal",
        "fitted:gamma-0.2-c-1",
        "fitted:c-0.01",
    ]


def test_the_enlarged_run_has_more_trials_of_small_samples_and_begins_with_the_published_ones(run):
    assert SyntheticParameters().enlarged().trials == [600, 600, 600, 600, 50]
    assert SyntheticParameters(settings=[5], trials=[50]).enlarged() is None
    assert SyntheticParameters(**SyntheticParameters.preview()).enlarged() is None
    p = SyntheticParameters(**{**SMALL, "settings": [2], "trials": [2], "classifiers": ["1-nn"]})
    (few,), (many,) = (synthetic.cases_of(q, run_study) for q in (p, p.enlarged()))
    assert (few.n, many.n) == (2, 6)
    np.testing.assert_array_equal(few["cloned-632plus"], many["cloned-632plus"][:2])


def test_ten_folds_are_left_out_where_the_paper_did_not_compute_them():
    assert not [e for e in fitting([*OLD, *NEW], 14) if e.endswith("-10")]
    assert fitting([*OLD, *NEW], 20) == [*OLD, *NEW]


def test_estimates_are_the_reductions_of_a_plain_loop():
    population, n = population_of(3)
    sample = population.balanced_sample(n, np.random.default_rng(3))
    test = population.balanced_sample(100, np.random.default_rng(4))
    place = Streams(5).child("somewhere")
    result = measured(sample, test, ["1-nn", "ldf"], ["resubstitution", "loo", "cv-5"], place)
    for key in ("1-nn", "ldf"):
        inducer = classifier_named(key).inducer
        whole = inducer.fit(sample)
        assert result[key, "true-error"] == np.mean(whole.predict(test.X) != test.y)
        assert result[key, "resubstitution"] == np.mean(whole.predict(sample.X) != sample.y)
        left = leave_one_out(n)
        assert result[key, "loo"] == np.mean(predict_by_loop(inducer, sample, left) != sample.y[left.cases])
        folds = k_fold(n, 5, place.generator("k_fold(k=5)"))
        labels = predict_by_loop(inducer, sample, folds)
        assert result[key, "cv-5"] == pytest.approx(np.mean(labels != sample.y[folds.cases]))


def test_the_632_mixes_the_apparent_error_and_the_leave_one_out_bootstrap():
    population, n = population_of(1)
    sample = population.balanced_sample(n, np.random.default_rng(3))
    names = ["resubstitution", "bootstrap-loo", "bootstrap-632", "cloned-loo", "cloned-632"]
    result = measured(sample, sample, ["3-nn"], names, Streams(1))
    for plain in ("bootstrap", "cloned"):
        mixed = 0.368 * result["3-nn", "resubstitution"] + 0.632 * result["3-nn", f"{plain}-loo"]
        assert result["3-nn", f"{plain}-632"] == pytest.approx(mixed)


def test_where_the_overfitting_rate_exceeds_one_the_text_cuts_it_to_one_and_the_tables_set_it_to_zero():
    # 1-NN has no apparent error and a no-information rate of 1/2 on balanced samples
    population, n = population_of(4)
    both = set()
    for seed in range(12):
        sample = population.balanced_sample(n, np.random.default_rng(seed))
        names = ["bootstrap-loo", "bootstrap-632", "bootstrap-632plus"]
        result = measured(sample, sample, ["1-nn"], names, Streams(seed), 10)
        loo, plain, plus, zero = (result["1-nn", e] for e in (*names, TO_ZERO["bootstrap-632plus"]))
        both.add(loo > 0.5)
        if loo > 0.5:
            assert plus == pytest.approx(plain + 0.5 * 0.368)
            assert zero == pytest.approx(plain)
        else:
            assert plus == pytest.approx(zero)
    assert both == {True, False}


def test_trials_do_not_depend_on_other_classifiers_or_settings(parameters, run):
    whole = {c.row: c for c in synthetic.cases_of(parameters, run)}
    alone = SyntheticParameters(**{**SMALL, "settings": [3], "trials": [2], "classifiers": ["1-nn"]})
    (one,) = synthetic.cases_of(alone, run_study)
    names = [TRUE_ERROR, *OLD, *NEW, *TO_ZERO.values()]
    assert set(names) <= set(one.frame)
    for name in names:
        np.testing.assert_array_equal(whole["3/1-nn"][name][:2], one[name])
    assert "cv-10" not in whole["2/1-nn"].frame


def test_a_table_has_the_printed_keys_and_no_ten_folds_of_fourteen_cases(parameters, run):
    printed = read_published("shakhnarovich")
    for setting, artifact in ((2, "shakhnarovich-table-9"), (3, "shakhnarovich-table-10")):
        own = printed[(printed["artifact"] == artifact) & (printed["kind"] == "result")]
        wanted = {(r.row, r.column) for r in own.itertuples() if r.row.startswith(("ldf/", "1-nn/"))}
        made = synthetic.table(parameters, run, setting=setting)
        assert {(r.row, r.column) for r in made.rows} == wanted
        readings = {"literal", "fitted:total-covariance-41"}
        assert {r.reading for r in made.rows} == readings | {zero_reading(reading) for reading in readings}
        plus = [r.reading for r in made.rows if (r.row, r.column) == ("1-nn/cloned-632plus", "mean")]
        assert plus == ["literal", "fitted:r-to-zero"], "the form that the text describes comes first"


def test_a_table_s_numbers_are_means_deviations_and_roots():
    own = {TRUE_ERROR: np.array([0.2, 0.3, 0.4]), "loo": np.array([0.3, 0.3, 0.6])}
    rows = {(r.row, r.column): r.value for r in table_rows(case("1", "1-nn", own))}
    assert rows["1-nn/loo", "mean"] == pytest.approx(0.4)
    assert rows["1-nn/loo", "std"] == pytest.approx(np.std([0.3, 0.3, 0.6], ddof=1))
    assert rows["1-nn/loo", "rmse"] == pytest.approx(sqrt((0.01 + 0 + 0.04) / 3))
    assert rows["1-nn/true-error", "rmse"] == 0.0


def case(place, classifier, estimates, reading="literal"):
    return Case(pd.DataFrame(estimates), reading, place=place, classifier=classifier)


def estimates(n=40, seed=0, **errors):
    rng = np.random.default_rng(seed)
    truth = 0.3 + 0.02 * rng.standard_normal(n)
    return {TRUE_ERROR: truth, **{k.replace("_", "-"): truth + v * rng.standard_normal(n) for k, v in errors.items()}}


def test_the_paired_test_is_the_one_sided_t_statistic_against_a_normal():
    own = estimates(loo=0.2, cloned_loo=0.1)
    test = paired_test(own[TRUE_ERROR], own["loo"], own["cloned-loo"])
    d = (own["loo"] - own[TRUE_ERROR]) ** 2 - (own["cloned-loo"] - own[TRUE_ERROR]) ** 2
    t = stats.ttest_1samp(d, 0.0)
    assert test["alpha"] == pytest.approx(stats.norm.sf(t.statistic))
    assert test["sigma-d"] == pytest.approx(d.std(ddof=1))


def test_equal_estimators_are_undecided_and_a_constant_gain_is_certain():
    zero = np.zeros(5)
    assert paired_test(zero, zero + 0.1, zero + 0.1)["alpha"] == 0.5
    assert paired_test(zero, zero + 0.2, zero + 0.1)["alpha"] == 0.0
    assert paired_test(zero, zero + 0.1, zero + 0.2)["alpha"] == 1.0


def test_the_best_has_the_smallest_rmse_and_is_sure_of_it_where_the_gap_is_wide():
    own = estimates(resubstitution=0.3, loo=0.1, cloned_632=0.02, cloned_loo=0.2)
    assert case("1", "ldf", own).best_of(["loo", "resubstitution"]) == "loo"
    one = compare_best_pair(case("1", "ldf", own), Streams(1))
    assert (one.best["new"], one.best["old"]) == ("cloned-632", "loo")
    assert one.share("new") > 0.99
    assert one.values["alpha"] < 0.01
    d = (own["loo"] - own[TRUE_ERROR]) ** 2 - (own["cloned-632"] - own[TRUE_ERROR]) ** 2
    assert one.values["sqrt-mu-d"] == pytest.approx(sqrt(d.mean()))


def test_two_equally_good_estimators_share_the_first_place():
    # the share of resampled wins of two alike estimators is about 1/2 on average; over 30 seeds its mean has a
    # standard deviation of about .06, so .2 to .8 is five of these
    shares = []
    for seed in range(30):
        own = estimates(seed=seed, loo=0.1, cloned_632=0.1, cloned_loo=0.1)
        one = compare_best_pair(case("1", "ldf", own), Streams(seed))
        shares.append(one.share("new") if one.best["new"] == "cloned-632" else 1 - one.share("new"))
    assert 0.2 < np.mean(shares) < 0.8


def test_the_error_of_a_best_pair_s_rmse_is_that_of_new_trials():
    # without a choice the bootstrap error is the plain Monte Carlo error, here within a fifth (1,000 resamples: 2 %)
    own = estimates(n=200, loo=0.1, cloned_632=0.05)
    one = compare_best_pair(case("1", "ldf", own), Streams(1))
    squares = (own["loo"] - own[TRUE_ERROR]) ** 2
    expected = squares.std(ddof=1) / sqrt(200) / (2 * sqrt(squares.mean()))
    assert one.errors["old-rmse"] == pytest.approx(expected, rel=0.2)


def test_a_best_pair_makes_every_column_of_table_2():
    printed = read_published("shakhnarovich")
    wanted = set(printed[printed["artifact"] == "shakhnarovich-table-2"]["column"])
    one = compare_best_pair(case("1", "ldf", estimates(loo=0.2, cloned_loo=0.1)), Streams(1))
    rows = best_pair_rows(one)
    assert {r.column.partition("=")[0] for r in rows} == wanted


def test_table_2_is_compared_by_labels_decisions_and_numbers(parameters, run):
    made = synthetic.table_2(parameters, run)
    frame = pd.DataFrame([r._asdict() for r in made.rows]).assign(artifact="shakhnarovich-table-2", scale="published")
    printed = read_published("shakhnarovich")
    own = printed[(printed["artifact"] == "shakhnarovich-table-2") & printed["row"].isin(["2/ldf", "3/1-nn"])]
    judged = compare(own, frame)
    assert not (judged["reason"] == "not regenerated").any()
    assert judged[judged["column"] == "alpha"]["reason"].str.contains("decision").all()
    assert set(judged[judged["kind"] == "label"]["verdict"]) <= {"reproduced", "close", "differs"}


def test_counts_over_cases_know_which_cases_and_how_sure():
    clear = case("1", "ldf", estimates(loo=0.2, cloned_632=0.02))
    equal = case("1", "1-nn", estimates(seed=3, loo=0.1, cloned_632=0.1))
    lost = case("2", "ldf", estimates(loo=0.02, cloned_632=0.2))
    count = significantly_better([clear, lost], Streams(1), 0.01)
    assert (count.rows, len(count.cases)) == (["1/ldf"], 2)
    assert count.estimate.se < 0.05
    wins = better_than_all([clear, equal, lost], "cloned-632", ["loo", "cv-10"], Streams(1))
    assert "1/ldf" in wins.rows
    assert "2/ldf" not in wins.rows
    assert 0.1 < wins.estimate.se < 0.8
    assert words_for([]) == "none"


def test_claims_have_the_printed_keys_in_both_readings(parameters, run):
    made = synthetic.claims(parameters, run)
    printed = read_published("shakhnarovich")
    own = printed[(printed["artifact"] == "shakhnarovich-claims") & (printed["row"] == "synthetic")]
    for reading in ("literal", "fitted:total-covariance-41", "fitted:r-to-zero"):
        assert {r.column for r in made.rows if r.reading == reading} == set(own["column"])
    assert {r.artifact for r in made.rows} == {"shakhnarovich-claims"}


def test_the_corrected_comparison_takes_any_cases():
    own = estimates(
        bootstrap_632plus=0.2,
        bootstrap_632plus_to_zero=0.1,
        cloned_632plus=0.15,
        cloned_632plus_to_zero=0.02,
        cloned_loo=0.3,
        cloned_bscv_10=0.1,
        cloned_bscv_5=0.1,
        loo=0.4,
    )
    made = compare_forms([case("pima", "1-nn", own)], Streams(0), "uci")
    counts = {r.column: r.value for r in made.rows if r.row == "uci"}
    assert counts["cloned-632plus-beats-632plus"] == 1
    assert counts["cloned-loo-beats-cloned-632plus-to-zero"] == 0


def test_without_information_the_least_error_is_a_half_and_setting_1_is_the_normal_tail(run):
    made = synthetic.table_1(SyntheticParameters(), run)
    least = {r.row: r.value for r in made.rows}
    assert least["2"] == least["4"] == 0.5
    assert least["1"] == pytest.approx(stats.norm.cdf(-1))
    assert least["3"] == pytest.approx(stats.norm.cdf(-0.5))
    # setting 5: the least error lies below that of the best line
    assert 0 < least["5"] < population_of(5)[0].best_linear()[2]


def test_what_the_paper_names_is_compared_with_ours_of_the_same_name():
    rng = np.random.default_rng(5)
    truth = np.full(50, 0.2)
    names = {"cloned-632": 0.01, "cloned-632plus": 0.02, "bootstrap-632": 0.03, "loo": 0.05}
    one = case("1", "1-nn", {"true-error": truth, **{e: truth + rng.normal(0, s, 50) for e, s in names.items()}})
    made, tests = best_pairs([one], Streams(3))
    assert tests["1/1-nn"].best == {"new": "cloned-632", "old": "bootstrap-632"}
    values = {"new": "cloned-632plus", "new-mean": ".2", "new-rmse": ".02", "old": "bootstrap-632", "old-rmse": ".03"}
    values |= {"sqrt-mu-d": ".02", "sigma-d": ".001", "alpha": ".01"}
    kinds = ["label" if c in ("new", "old") else "result" for c in values]
    frame = pd.DataFrame({"artifact": "shakhnarovich-table-2", "row": "1/1-nn", "column": list(values)})
    frame = frame.assign(value=list(values.values()), kind=kinds, relation="=", decimals=3.0, halfwidth=np.nan)
    more = as_named(made, frame)
    covered = {r.column: r.value for r in more}
    assert covered["new-rmse=cloned-632plus"] == pytest.approx(np.sqrt(np.mean(one.difference("cloned-632plus") ** 2)))
    assert {c.partition("=")[2] for c in covered} == {"cloned-632plus", "bootstrap-632", "cloned-632plus/bootstrap-632"}
    pair = paired_test(truth, one["bootstrap-632"], one["cloned-632plus"])
    assert covered["sigma-d=cloned-632plus/bootstrap-632"] == pair["sigma-d"]
    both = [
        ("shakhnarovich-table-2", r.reading, "published", r.row, r.column, r.value, r.se, r.n) for r in made.rows + more
    ]
    judged = compare(frame, pd.DataFrame(both, columns=REGENERATED_COLUMNS)).set_index("column")
    assert judged.loc["new-rmse", "value"] == covered["new-rmse=cloned-632plus"]
    assert judged.loc["sigma-d", "value"] == pair["sigma-d"]
    assert judged.loc["alpha", "value"] == pair["alpha"]
    # where both names agree there is nothing to add
    same = frame.assign(value=frame.value.replace({"cloned-632plus": "cloned-632"}))
    assert as_named(made, same) == []


def test_every_artifact_is_made_and_plotted_at_a_small_scale(parameters, run):
    of = {"01-synthetic": parameters, "02-correct-632plus": CorrectedParameters(**SMALL)}
    for name, p in of.items():
        spec = catalogue.notebook(f"shakhnarovich/{name}")
        assert isinstance(p, spec.parameters)
        for artifact in spec.artifacts:
            made = yielded(artifact, spec.paper, p, "own", run)
            # settings 1, 4 and 5 are left out
            assert made["own"].rows or made["own"].findings[0].startswith("Nothing to show: setting")
            sampled = artifact.draw(p, made, read_published("shakhnarovich").iloc[:0]) if artifact.draw else None
            assert bool(sampled and with_texts(artifact.id, sampled, p).alt) == (
                bool(made["own"].rows) and artifact.draw is not None
            )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("1-nn/true-error", "1-NN, true error"),
        ("svm-rbf/bootstrap-632plus-to-zero", "SVM, RBF kernel, .632+ bootstrap, R to 0"),
        ("pima/17-nn", "Pima, 17-NN"),
        ("new=cloned-loo", "Best new one: BS(1)*"),
    ],
)
def test_a_reader_sees_names_and_no_keys(key, words):
    assert labeller(headings(LABELS, [key]))(key) == words
    for name in (TRUE_ERROR, *ESTIMATORS, *TO_ZERO.values()):
        assert name in COMMON or name in LABELS
        assert symbol_of(name) != name


def test_the_conclusions_count_both_halves(run, monkeypatch):
    clear = case("1", "ldf", estimates(loo=0.2, cloned_632=0.02))
    real = case("pima", "1-nn", estimates(seed=2, loo=0.2, cloned_632=0.02))
    lost = case("pima", "3-nn", estimates(seed=3, loo=0.02, cloned_632=0.2))
    monkeypatch.setattr(conclusions, "_halves", lambda p, run: ([clear], [real, lost]))
    made = conclusions.all_claims(conclusions.ConclusionsParameters(), run)
    assert [(r.artifact, r.row, r.value) for r in made.rows] == [("shakhnarovich-claims", "all", 2.0)] * 2
    assert [r.reading for r in made.rows] == ["literal", "fitted:r-to-zero"]
    assert "number of cases 2.0 of 3" in made.checks[0].evidence


def test_the_conclusions_run_the_same_studies_as_the_notebooks_on_each_half():
    both, synthetic_half = conclusions.ConclusionsParameters, SyntheticParameters
    for p, q in ((both(), synthetic_half()), (both(**both.preview()), synthetic_half(**synthetic_half.preview()))):
        assert p.synthetic.model_copy(update={"repeats": q.repeats}) == q
        uci = p.uci
        assert uci == type(uci)(**(type(uci).preview() if p != both() else {}))


def test_wrong_parameters_are_refused():
    for changes, text in (
        ({"trials": [3]}, "one number each"),
        ({"settings": [2, 2]}, "twice"),
        ({"validation": 201}, "even"),
        ({"trials": [1, 4]}, "too few"),
        ({"classifiers": ["ldf", "ldf"]}, "twice"),
    ):
        with pytest.raises(ValueError, match=text):
            SyntheticParameters(**{**SMALL, **changes})
    with pytest.raises(ValueError, match="setting 7"):
        SyntheticParameters(**{**SMALL, "settings": [2, 7]})


def test_the_notebooks_hold_the_parameters_of_their_model():
    for spec in (n for n in catalogue.notebooks() if n.paper == "shakhnarovich"):
        cells = json.loads((root() / spec.path).read_text())["cells"]
        code = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        assert all(f"{name}: " in code for name in spec.parameters.model_fields)
        assert all(f'notebook.show("{a.id}")' in code for a in spec.artifacts)


def test_a_classifier_has_one_name_whichever_is_given():
    small = {**SMALL, "settings": [2], "trials": [2]}
    printed, old = (SyntheticParameters(**{**small, "classifiers": [name]}) for name in ("knn(k=3)", "3-nn"))
    assert printed == old
    assert printed.classifiers == [KNN(3).id]
    with pytest.raises(ValueError, match="named twice"):
        SyntheticParameters(**{**small, "classifiers": ["3-nn", "knn(k=3)"]})
    (one,) = synthetic.cases_of(printed, run_study)
    assert (one.classifier, one.reading) == ("3-nn", "literal")


def test_a_classifier_of_one_s_own_is_measured_and_its_file_counts(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "mine_of_shakhnarovich.py"
    file.write_text(
        "from sklearn.tree import DecisionTreeClassifier\n\nmine = DecisionTreeClassifier(random_state=0)\n"
    )
    own = {"classifiers": ["ldf", "mine_of_shakhnarovich:mine"], "settings": [2], "trials": [2]}
    p = SyntheticParameters(**{**SMALL, **own})
    assert [c.classifier for c in synthetic.cases_of(p, run_study)] == own["classifiers"]
    before = p.inputs()
    file.write_text(file.read_text().replace("=0", "=1"))
    assert before != p.inputs()
    assert list(before) == own["classifiers"][1:]
    with pytest.raises(ValueError, match="cannot be imported"):
        SyntheticParameters(**{**SMALL, "classifiers": ["mine_of_shakhnarovich_gone:mine"]})
