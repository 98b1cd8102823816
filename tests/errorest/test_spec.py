"""Specs: ids as they were recorded, one reader, one message, and no other code that looks into an id."""

from __future__ import annotations

import pickle
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

import errorest
from errorest.errors import UsageError
from errorest.estimation.estimators import ESTIMATORS, CrossValidation, NaiveBootstrap
from errorest.estimation.intervals import INTERVALS
from errorest.inducers import C45, ID3, KNN, SVM, LinearDiscriminant, Majority, NaiveBayes, Threshold
from errorest.resampling.clones import CloneFolds, Cloning
from errorest.resampling.schemes import SCHEMES, Holdout, KFold
from errorest.spec import Spec, name_and_settings

# Recorded before specs were dataclasses; they name random streams, so that none may ever change.
IDS = Path(__file__).parents[1] / "fixtures" / "spec_ids.txt"
ROWS = [(line + " | | ").split(" | ")[:5] for line in IDS.read_text().splitlines()[1:]]
FAMILIES = {"estimator": ESTIMATORS, "interval": INTERVALS}

INDUCER_IDS = [
    (Majority(), "majority"),
    (KNN(), "knn(k=1)"),
    (KNN(3), "knn(k=3)"),
    (KNN(5, ties="lowest-class"), "knn(k=5, ties=lowest-class)"),
    (Threshold(), "threshold(reversal_rule=literal)"),
    (Threshold("class-0-mean"), "threshold(reversal_rule=class-0-mean)"),
    (LinearDiscriminant(), "linear-discriminant"),
    (
        LinearDiscriminant(degenerate_condition=0.0245, degenerate_matrix="total"),
        "linear-discriminant(degenerate_condition=0.0245, degenerate_matrix=total)",
    ),
    (
        LinearDiscriminant(degenerate_condition=1e-7),
        "linear-discriminant(degenerate_condition=1e-07, degenerate_matrix=total)",
    ),
    (NaiveBayes(), "naive-bayes"),
    (NaiveBayes(zero_counts="zero"), "naive-bayes(zero_counts=zero)"),
    (NaiveBayes(zero_counts="laplace", denominator="known"), "naive-bayes(zero_counts=laplace, denominator=known)"),
    (NaiveBayes(sd_floor=1e-05), "naive-bayes(sd_floor=1e-05)"),
    (C45(), "c4.5(release=8)"),
    (C45(release=7), "c4.5(release=7)"),
    (C45(release=7, min_cases=5), "c4.5(release=7, min_cases=5)"),
    (C45(8, prune=False), "c4.5(release=8, prune=False)"),
    (C45(release=8, confidence=0.1), "c4.5(release=8, confidence=0.1)"),
    (ID3(), "id3(criterion=gain, empty_branch=parent-majority)"),
    (ID3(criterion="gain-ratio"), "id3(criterion=gain-ratio, empty_branch=parent-majority)"),
    (
        ID3(attribute_order=(1, 0), class_order=("a", "b")),
        "id3(criterion=gain, empty_branch=parent-majority, attribute_order=1>0, class_order=a>b)",
    ),
    (SVM(), "svm(kernel=rbf, gamma=0.2, C=1)"),
    (SVM("linear"), "svm(kernel=linear, C=1)"),
    (SVM("rbf", gamma=0.13, C=1.2, standardize="training"), "svm(kernel=rbf, gamma=0.13, C=1.2, standardize=training)"),
    (SVM(kernel="linear", C=10), "svm(kernel=linear, C=10)"),
]


@pytest.mark.parametrize(("what", "text", "written", "schemes", "samples"), ROWS, ids=lambda t: t)
def test_ids_of_estimators_and_intervals_and_of_what_they_draw_are_as_recorded(what, text, written, schemes, samples):
    made = FAMILIES[what].parse(text)
    assert made.id == written
    assert "; ".join(s.id for s in made.schemes) == schemes.strip(" |")
    assert "; ".join(s.samples.id for s in made.schemes) == (samples.strip(" |") or schemes.strip(" |"))
    assert FAMILIES[what].parse(made.id) == made
    assert hash(FAMILIES[what].parse(made.id)) == hash(made)


@pytest.mark.parametrize(("inducer", "written"), INDUCER_IDS, ids=lambda v: v if isinstance(v, str) else "")
def test_ids_of_inducers_are_as_recorded(inducer, written):
    assert inducer.id == written


def test_the_key_of_a_scheme_is_the_one_that_its_stream_had():
    assert KFold(10, 100).key == KEY_OF_TEN_FOLDS


KEY_OF_TEN_FOLDS = 1840661876774883979


@pytest.mark.parametrize("made", [made() for made in SCHEMES.values()], ids=lambda s: s.id)
def test_schemes_read_back_and_survive_a_pickle(made):
    assert SCHEMES.parse(made.id) == made
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert {made: 1}[again] == 1


def test_a_random_state_is_no_setting():
    assert KFold(5, random_state=1) == KFold(5)
    assert KFold(5, random_state=1).id == "k_fold(k=5)"


def test_settings_may_come_in_any_order_and_in_quotes():
    assert ESTIMATORS.parse("cv( repeats = 3,k='n' , weights=\"folds\")") == CrossValidation("n", 3, weights="folds")
    bounds = Cloning(bounds=((0, None), (1, 10)))
    assert ESTIMATORS.parse("bs(cloned=True, bounds=((0, None), (1, 10)))") == NaiveBootstrap(cloned=bounds)
    assert CloneFolds(3, bounds).id == "cross_validated_clones(bounds=((0.0, None), (1.0, 10.0)), k=10, replicates=3)"


def test_a_share_is_one_share_however_it_is_given():
    assert Holdout(0.25) == Holdout(Fraction(1, 4)) == SCHEMES.parse("holdout(test=.25)")
    assert Holdout(0.25).id == "holdout(test=1/4)"


@pytest.mark.parametrize("text", ["cv(k=5", "cv k", "cv(k=5) x", "(k=5)", ""])
def test_what_is_no_name_with_settings_is_split_into_nothing(text):
    assert name_and_settings(text) is None


@pytest.mark.parametrize("family", [ESTIMATORS, INTERVALS, SCHEMES], ids=lambda f: f.what)
def test_a_wrong_name_is_answered_with_the_nearest(family):
    for name in family:
        with pytest.raises(UsageError, match=re.escape(f"unknown {family.what} '{name[0]}{name}'")):
            family.parse(f"{name[0]}{name}")
    with pytest.raises(UsageError, match=f"such as {family.example.partition('(')[0]}"):
        family.parse("")


@dataclass(frozen=True, eq=False)
class Other(Spec):
    name = "k_fold"
    sizes = ("k",)

    k: int = 10


def test_specs_of_two_classes_are_two_specs():
    assert Other().id == "k_fold(k=10)" == KFold().id
    assert Other() != KFold()


LOOKS = re.compile(
    r"""\bid(\.\w+\(\))*\.(starts|ends)with|\bid(\.\w+\(\))*\.r?(partition|split)|\bid\.(remove|find|replace)|\bid\["""
    r"""|["'] in \w+\.id\b|re\.\w+\([^)]*\.id\b|r?(partition|split)\(["'][(@]["']"""
)
"""What takes an id apart: a string method, an ``in``, an index or a regular expression."""


def test_no_code_but_the_reader_looks_into_an_id():
    for text in ("e.id.startswith('632+')", "'a' in e.id", "e.id.lower().split()", "re.split('x', s.id)", "m.id[:3]"):
        assert LOOKS.search(text)
    assert not LOOKS.search("text.partition('='); e.id == 'loo'; e.name.startswith('l')")
    src = Path(errorest.__file__).parent
    files = [path for path in src.rglob("*.py") if path.name != "spec.py"]
    assert not [path for path in files if LOOKS.search(path.read_text())]
