"""Specs: ids as they were recorded, one reader, one message; random streams, which depend on what is drawn alone."""

import pickle
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import errorest
from batteries import assert_refused
from compendium.methods.clones.cloning import CloneFolds, Cloning
from compendium.methods.estimators import ESTIMATORS, NaiveBootstrap
from compendium.methods.learners.named import INDUCERS
from errorest.estimation import estimators as library
from errorest.estimation.estimators import CrossValidation
from errorest.estimation.intervals import INTERVALS
from errorest.resampling.schemes import (
    Bootstrap,
    Holdout,
    KFold,
    LeaveOneOut,
    LeaveOneOutBootstrap,
    NestedSubsetFolds,
    Resubstitution,
)
from errorest.spec import Family, Spec, name_and_settings
from errorest.streams import Streams, stable_hash

# Recorded before specs were dataclasses; they name random streams, so that none may ever change.
IDS = Path(__file__).parents[1] / "fixtures" / "spec_ids.txt"
ROWS = [(line + " | | ").split(" | ")[:5] for line in IDS.read_text().splitlines()[1:]]
SCHEMES: Family[Any] = Family(
    "scheme",
    (Resubstitution, Holdout, KFold, LeaveOneOut, Bootstrap, LeaveOneOutBootstrap, NestedSubsetFolds),
    "k_fold(k=10)",
)
FAMILIES = {"estimator": ESTIMATORS, "interval": INTERVALS, "inducer": INDUCERS}


@pytest.mark.parametrize(("what", "text", "written", "schemes", "samples"), ROWS, ids=lambda t: t)
def test_ids_and_those_of_what_is_drawn_are_as_recorded(what, text, written, schemes, samples):
    made = FAMILIES[what].parse(text)
    assert made.id == written
    drawn = getattr(made, "schemes", ())
    assert "; ".join(s.id for s in drawn) == schemes.strip(" |")
    assert "; ".join(getattr(s, "samples", s).id for s in drawn) == (samples.strip(" |") or schemes.strip(" |"))
    assert FAMILIES[what].parse(made.id) == made
    if what == "estimator" and made.name in library.ESTIMATORS and "cloned" not in text:
        plain = library.ESTIMATORS.parse(text)
        assert (plain.id, plain.schemes) == (made.id, made.schemes)
    assert hash(FAMILIES[what].parse(made.id)) == hash(made)


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


@pytest.mark.parametrize("family", [library.ESTIMATORS, INTERVALS, SCHEMES], ids=lambda f: f.what)
def test_a_wrong_name_is_answered_with_the_nearest(family):
    for name in family:
        assert_refused(re.escape(f"unknown {family.what} '{name[0]}{name}'"), family.parse, f"{name[0]}{name}")
    assert_refused(f"such as {family.example.partition('(')[0]}", family.parse, "")


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


def test_spawned_generators_differ_and_repeat():
    draws = [[g.random() for g in Streams(3).generator("x").spawn(4)] for _ in range(2)]
    assert draws[0] == draws[1]
    assert len(set(draws[0])) == 4


def test_other_keys_give_other_streams():
    place = Streams(1).child("study", {"n": 10})
    assert place.child(0).generator("a").random() != place.child(0).generator("b").random()
    assert place.child(0).generator("a").random() != place.child(1).generator("a").random()


def test_a_hash_forgets_the_order_of_keys_and_the_kind_of_sequence():
    assert stable_hash({"a": (1, 2), "b": 1.5}) == stable_hash({"b": 1.5, "a": [1, 2]})
    assert stable_hash(np.float64(0.25)) == stable_hash(0.25)


def test_a_hash_is_the_same_on_every_machine():
    assert stable_hash("k_fold(k=10)") == 15046527576970714411


def test_a_value_that_is_not_a_number_has_no_hash():
    with pytest.raises(ValueError, match="Out of range"):
        stable_hash(float("nan"))
