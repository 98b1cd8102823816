"""The notebook on one's own data: its example, what it answers for any CSV file, and what it refuses."""

import csv
import hashlib
import json
import re
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

from batteries import assert_refused
from compendium.book.catalogue import notebook
from compendium.book.parameters import resolve
from compendium.book.places import root
from compendium.evidence.results import ResultsByScale
from compendium.guide.own import parameters as own_parameters
from compendium.guide.own.classes import what_is_there
from compendium.guide.own.comparison import comparison
from compendium.guide.own.estimates import SEEN, chosen_key, estimates
from compendium.guide.own.parameters import OwnDataParameters, sets, take_cases
from compendium.guide.own.study import candidates, chosen, most_fits
from compendium.guide.own.truth import errors_on_the_rest
from compendium.methods.estimators import ESTIMATORS
from compendium.studies.study import run_study
from errorest import estimate
from errorest.estimation.intervals import INTERVALS
from study_measures import values

SPEC = notebook("guide/01-your-own-data")
WINE = root() / "data" / "examples" / "wine.csv"
SMALL = {"replicates": 20, "draws": 4, "against": "c4.5"}


def parameters(**changes):
    return OwnDataParameters(**{**SMALL, **changes})


@pytest.fixture
def own(tmp_path):
    """A file as a person might have: text, gaps, a rare class, copies, an identifier, a column that tells the class."""
    rng = np.random.default_rng(4)
    path = tmp_path / "mine.csv"
    with open(path, "w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["id", "size", "shade", "told", "same", "kind"])
        for i in range(60):
            kind = "rare*one" if i < 3 else "a_b" if i % 2 else "c$d"
            size = "" if i % 9 == 0 else f"{rng.normal() + (kind == 'a_b'):.3f}"
            writer.writerow([i, size, "red" if i % 3 else "blue", f"t-{kind}", 7, kind])
    return path


# The example.


def test_the_example_is_the_wine_data_as_the_source_spells_it():
    with open(WINE, newline="") as handle:
        header, *rows = csv.reader(handle)
    source = load_wine()
    assert header == [*source.feature_names, "class"]
    np.testing.assert_array_equal(np.array([r[:-1] for r in rows], dtype=float), source.data)
    assert [r[-1] for r in rows] == [source.target_names[k] for k in source.target]


def test_the_example_has_the_digest_that_is_documented():
    assert hashlib.sha256(WINE.read_bytes()).hexdigest() in (WINE.parent / "README.md").read_text()


# What it computes.


def test_the_published_scale_lists_every_interval_and_every_estimator_without_one():
    keys = [c.key for c in candidates(200, 40)]
    assert len(keys) == len(set(keys))
    assert set(INTERVALS) <= set(keys)
    assert set(SEEN) <= set(keys) <= set(INTERVALS) | set(ESTIMATORS)
    assert all(c.fits < 5000 for c in candidates(200, 40)), "nothing is left out of the example"


def test_every_number_is_that_of_one_call_of_the_library():
    p = parameters(seed=5)
    whole, taken = sets(p)
    sample = whole.take(taken.cases)
    table = estimates(p, run_study).data["estimates"].set_index("name")
    assert table["chosen"].sum() == 1
    for key, interval in (("nested-cv", "nested-cv"), ("oob", "oob(replicates=20)")):
        alone = estimate(p.inducer, sample, interval=interval, rng=p.seed)
        result = table.loc[key, ["error", "low", "high", "fits"]].to_numpy(dtype=float)
        expected = [100 * alone.value, 100 * alone.interval.low, 100 * alone.interval.high, alone.n_fits]
        np.testing.assert_allclose(result, expected)
    alone = estimate(p.inducer, sample, method="632+(replicates=20)", rng=p.seed)
    assert table.loc["632+", "error"] == pytest.approx(100 * alone.value)
    assert table.loc["632+span", "error"] == table.loc["632+", "error"]
    assert table.loc["632+wilson", "chosen"]
    findings = " ".join(estimates(p, run_study).findings)
    assert chosen(p).coverage.sentence in findings
    assert "encode" not in findings


def test_an_interval_alone_brings_its_estimate_along_and_an_estimator_its_interval():
    result = chosen(parameters(interval="nested-cv"))
    assert (result.method, chosen_key(result)) == ("the estimate of nested-cv(k=5, repeats=10)", "nested-cv")
    assert chosen(parameters(estimator="cv(k=5)")).interval.method == "cv-wilson(k=5)"
    alone = chosen(parameters(estimator="632", interval="none"))
    assert alone.interval is None
    assert alone.method == "632(replicates=20)"


def test_costly_estimates_are_left_out_and_named():
    made = estimates(parameters(most_fits=50), run_study)
    assert made.data["estimates"].loc[1:, "fits"].max() <= 50
    assert any("`nested-cv (150)`" in f for f in made.findings)
    assert most_fits(parameters(inducer="c4.5", against="naive-bayes")) == 5000
    assert most_fits(parameters(inducer="sklearn.naive_bayes.GaussianNB")) == 250


def test_the_truth_is_the_error_on_exactly_the_cases_that_were_contained_back():
    p = parameters(inducer="majority", seed=3)
    whole, taken = sets(p)
    assert set(taken.cases) | set(taken.rest) == set(range(whole.n))
    answer = np.bincount(whole.y[taken.cases]).argmax()
    expected = np.mean(whole.y[taken.rest] != answer)
    made = errors_on_the_rest(p, run_study)
    assert values(made)["this classifier", "error-percent"] == pytest.approx(100 * expected)
    assert len(made.data["draws"]) == p.draws
    between = chosen(p).interval
    assert made.checks[0].outcome == ("holds" if between.low <= expected <= between.high else "fails")


def test_cases_depend_on_the_seed_alone_and_all_of_them_stay_in_order():
    assert take_cases(50, 10, 1).cases.tolist() == take_cases(50, 10, 1).cases.tolist()
    assert take_cases(50, 10, 1).cases.tolist() != take_cases(50, 10, 2).cases.tolist()
    for cases in (None, 50):
        assert take_cases(50, cases, 1).cases.tolist() == list(range(50))


def test_a_classifier_is_compared_with_a_baseline_that_is_not_itself():
    made, once = (comparison(parameters(**own), run_study) for own in ({}, {"inducer": "majority"}))
    assert list(made.data["differences"]["rival"]) == ["c4.5", "majority"]
    assert "encode" not in " ".join(made.findings)
    assert list(once.data["differences"]["rival"]) == ["c4.5"]


# Any file.


@pytest.mark.parametrize(
    "changes",
    [
        {"cases": 25, "inducer": "sklearn.naive_bayes.GaussianNB", "estimator": "cv(k=5)", "most_fits": 11},
        {"cases": None, "estimator": "632", "interval": "none", "settings_tried": 1},
    ],
)
def test_any_file_is_answered_and_plotted(own, changes):
    p = resolve(SPEC, {**SMALL, "data": str(own), "class_column": "kind", **changes})
    assert list(p.inputs()) == ["mine", "measured coverage"]
    for artifact in SPEC.artifacts:
        made = artifact.compute(p, run_study)
        assert made.rows or made.findings
        text = "\n".join([*made.findings, *(c.evidence for c in made.checks)])
        assert not re.search(r"\bnan\b|None|inf\b", text), text
        sampled = artifact.draw(p, ResultsByScale(own=made), pd.DataFrame())
        assert sampled.alt
        assert "nan" not in sampled.alt + str(sampled.facts)
        sampled.figure.canvas.draw()
        json.dumps([r._asdict() for r in made.rows])
    assert len(SPEC.artifacts) == 5


def test_traps_in_the_data_are_reported(own):
    made = what_is_there(parameters(data=str(own), class_column="kind", cases=None), run_study)
    message = " ".join(made.findings)
    assert "Left out or converted in reading: `column 'id': a running number`" in message
    for trap in ("`same`", "`told`", "`rare*one`"):
        assert f"Beware: {trap}" in message or trap in message.partition("Beware")[2], trap
    assert values(made)["missing cells", "file"] == 7


def test_a_class_that_no_taken_case_has_is_reported(own):
    for seed in range(20):
        p = parameters(data=str(own), class_column="kind", cases=8, seed=seed)
        whole, taken = sets(p)
        if np.unique(whole.y[taken.cases]).size == 2:
            break
    message = " ".join(what_is_there(p, run_study).findings)
    assert "no classifier can know it" in message
    assert estimates(p, run_study).rows
    assert errors_on_the_rest(p, run_study).rows


def test_the_path_counts_from_the_folder_at_hand_and_else_from_the_projects(own, monkeypatch):
    monkeypatch.chdir(own.parent)
    assert list(parameters(data="mine.csv", class_column="kind", cases=None).inputs()) == ["mine", "measured coverage"]
    assert list(parameters().inputs()) == ["wine", "measured coverage"]


def test_a_classifier_of_the_persons_own_stands_in_the_folder_at_hand(own, monkeypatch):
    text = "from sklearn.naive_bayes import GaussianNB\n\nmodel = GaussianNB()\n"
    (own.parent / "own_models.py").write_text(text)
    monkeypatch.chdir(own.parent)
    monkeypatch.setattr(sys, "path", list(sys.path))
    assert resolve(SPEC, {"inducer": "own_models:model"}).inputs()


def test_cases_of_one_class_are_reported(tmp_path):
    path = tmp_path / "lopsided.csv"
    path.write_text("x,class\n" + "".join(f"{i * 7 % 11},{'rare' if i == 77 else 'usual'}\n" for i in range(200)))
    assert_refused("all of class 'usual'", parameters(data=str(path), cases=4).inputs)


# The notebook.


def test_another_table_of_measured_coverages_is_another_input(monkeypatch, tmp_path):
    before = parameters().inputs()
    (tmp_path / "coverage.csv").write_text(own_parameters.TABLE.read_text() + "\n")
    monkeypatch.setattr(own_parameters, "TABLE", tmp_path / "coverage.csv")
    after = parameters().inputs()
    assert {name for name in after if after[name] != before[name]} == {"measured coverage"}
