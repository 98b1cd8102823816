"""Parameters of notebooks: what is refused, and that no part of a design changes the numbers of another."""

import pandas as pd
import pytest

from batteries import assert_refused
from compendium.book import catalogue
from compendium.book.parameters import resolve
from compendium.evidence.papers import PAPERS
from compendium.guide.cross.settings import Effort, Setting
from compendium.guide.cross.study import cross_study
from compendium.papers.kohavi.data import load_set
from compendium.papers.kohavi.estimates import estimate_study
from compendium.papers.kohavi.iris import IrisParameters
from compendium.papers.kohavi.parameters import Point
from compendium.papers.kohavi.text_632 import text_632
from compendium.papers.martin_hirschberg.discriminant.study import discriminant_study
from compendium.papers.martin_hirschberg.estimators import library_ids
from compendium.papers.martin_hirschberg.lenses.study import LensesParameters, samples_study
from compendium.papers.martin_hirschberg.neighbors.study import NeighborsParameters, neighbors_study
from compendium.papers.martin_hirschberg.populations.figure_3 import figure_3
from compendium.papers.martin_hirschberg.populations.study import PopulationsParameters
from compendium.papers.martin_hirschberg.reversal.study import ReversalParameters, reversals_study
from compendium.papers.scheffer_herbrich.tuning import tuning
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters
from compendium.papers.shakhnarovich.synthetic.study import study as synthetic_study
from compendium.studies.replicates import each_replicate
from compendium.studies.study import run_study
from errorest.streams import Streams

SETS = {"data_sets": ["contact-lenses", "iris"], "sizes": [12, 20], "inducers": ["majority"]}
KOHAVI = {**SETS, "folds": [2, 5], "stratified_folds": [2], "bootstrap_samples": [1]}
TWO = {"settings": [2, 3], "trials": [4, 3]}
ENDS = "one above -1 and below 0, the other above 0 and at most 1"
REFUSED = {
    "kohavi/01-iris": [
        ({"test_share": 1.0}, "test_share"),
        ({"accuracies": [90.0]}, "accuracies"),
        ({"no_information_size": 7}, "no_information_size"),
    ],
    "kohavi/03-cross-validation-and-bootstrap": [
        ({**KOHAVI, "sizes": [150, 20], "data_sets": ["iris", "vehicle"]}, "expected 2 to 149"),
        ({**KOHAVI, "stratified_folds": [2, 10], "strict_strata": True}, "class 'hard' has 2.0 cases"),
        ({**KOHAVI, "data_sets": ["nowhere.csv", "iris"]}, "nowhere.csv"),
        ({**KOHAVI, "sizes": [10]}, "expected one size each"),
        ({**KOHAVI, "inducers": ["majority", "majority"]}, "named twice"),
        ({**KOHAVI, "folds": [1]}, "from 2 on"),
        ({**KOHAVI, "data_sets": ["irs", "iris"]}, "did you mean 'iris'"),
        ({**KOHAVI, "folds": [2, 15]}, "15 folds of samples of 12"),
        ({**KOHAVI, "leave_out": [7]}, "leave-7-out of samples of 12"),
        ({**KOHAVI, "bootstrap_samples": [5, 5]}, "distinct"),
        ({**KOHAVI, "inducers": ["majority", "oracle"]}, "unknown classifier 'oracle'"),
    ],
    "kohavi/04-another-data-set": [
        ({"data_sets": ["rand"], "inducers": ["knn(k=1)"], "sizes": [60]}, "from rand: knn(k=1) was given the nominal"),
        ({"data_sets": ["iris"], "inducers": ["id3"], "sizes": [60]}, "from iris: ID3 was given the continuous"),
    ],
    "martin-hirschberg/01-populations": [
        ({"inherent_error": 0.6}, "inherent_error"),
        ({"multiple": 1.0}, "multiple"),
    ],
    "martin-hirschberg/02-discriminant": [
        ({"sizes": [10, 1]}, "N = 1 is too small; expected at least 2 cases; use larger sizes"),
        ({"sizes": [8, 30]}, "estimator cv-10 makes k = 10 folds of N = 8 cases; expected k at most N; leave"),
        ({"inherent_errors": [0.0]}, "0.0 is outside (0, .5]; expected proportions"),
        ({"inherent_errors": [25.0]}, "25.0 is outside (0, .5]; expected proportions; 25 % is written 0.25"),
        ({"inherent_errors": [float("nan")]}, "given nan; expected a list, each a number"),
        (
            {"estimators": ["lo"]},
            "unknown estimator 'lo'; expected ids of Table 4 or of the library, or an import path; did you mean 'loo'?",
        ),
        ({"reversal_rules": ["class0"]}, "each one of literal, class-0-mean"),
        ({"sizes": [10, 10]}, "10 is named twice; expected each once"),
    ],
    "martin-hirschberg/03-bias-against-true-error": [
        ({"sizes": [9]}, "too small for the 10 folds"),
        ({"reversal_rules": ["none"]}, "reversal_rules"),
        ({"window": 0.0}, "window"),
    ],
    "martin-hirschberg/04-nearest-neighbors": [
        ({"neighbors": [7], "sizes": [12]}, "trains on at N = 12"),
        ({"neighbors": [1, 1]}, "different whole numbers"),
        ({"neighbors": [5], "figure_8_cases": 4}, "Figure 8"),
    ],
    "martin-hirschberg/05-lenses": [
        ({"noise_levels": [25.0]}, "25 % is written 0.25"),
        ({"readings": ["gain-3102", "gain-3102"]}, "gain-3102 is named twice"),
        ({"readings": ["entropy"]}, "gain-3102"),
    ],
    "martin-hirschberg/06-reversal": [
        ({"sizes": [2]}, "pooled variance"),
        ({"distances": [0.0, 1.0]}, "standard deviations"),
        ({"proportions_size": 7}, "even number"),
    ],
    "shakhnarovich/01-synthetic": [
        ({"trials": [3], "settings": [2, 3]}, "one number each"),
        ({**TWO, "validation": 201}, "even"),
        ({**TWO, "trials": [1, 4]}, "too few"),
        ({**TWO, "classifiers": ["3-nn", "knn(k=3)"]}, "named twice"),
        ({**TWO, "classifiers": ["no_such_file:mine"]}, "cannot be imported"),
        ({**TWO, "classifiers": ["svm-rfb"]}, "svm-rbf"),
        ({**TWO, "classifiers": ["svm-rbf@sigma=2"]}, "gamma"),
        ({**TWO, "settings": [2, 7]}, "setting 7"),
    ],
    "shakhnarovich/03-kernels-and-clones": [
        ({"bounds": [0.2, 1.0]}, ENDS),
        ({"bounds": [-1.0, 1.0]}, ENDS),
        ({"bounds": [-0.5, 0.0]}, ENDS),
        ({"values": [1, 1]}, "values"),
        ({"pairs": [[1]]}, "pairs"),
        ({"pairs": [[9, 1]]}, "attributes [9, 1] of pima"),
    ],
    "shakhnarovich/04-uci": [
        ({"sizes": [36, 846, 60]}, "samples of 846 cases of vehicle"),
        ({"trials": [1, 2, 2]}, "too few for a spread"),
        ({"classifiers": ["iris/1-nn"]}, "data set 'iris'"),
        ({"classifiers": ["pima/1-nn"], "stratified": []}, "no classifier is named for breast-cancer"),
        ({"stratified": ["pima/5-nn"]}, "none of the cases"),
        ({"classifiers": ["pima/tree"]}, "tree"),
    ],
    "guide/01-your-own-data": [
        ({"inducer": "naive-bays"}, "did you mean 'naive-bayes'"),
        ({"inducer": "sklearn.linear_model.Ridge"}, "classifier"),
        ({"against": "no.such.Thing"}, "no.such"),
        ({"against": "naive-bayes(var_smoothing=None)"}, "two classifiers"),
        ({"estimator": "cvv"}, "cv"),
        ({"interval": "walds"}, "unknown interval"),
        ({"estimator": "632+", "interval": "cv-wald"}, "not legal"),
        ({"cases": 3}, "at least 4"),
        ({"data": "no-such.csv"}, "No such file"),
        ({"data": "iriss"}, "did you mean 'iris'"),
        ({"class_column": "clas"}, "did you mean 'class'"),
        ({"cases": 179}, "has 178 cases and 179 were asked for"),
        ({"cases": 8, "estimator": "cv(k=10)", "interval": "none"}, "10"),
        ({"cases": 8, "interval": "cv-wald(k=10)"}, "10"),
        ({"class_column": "alcohol"}, "different numbers"),
    ],
    "guide/03-coverage": [
        ({"populations": ["lense"]}, "unknown population"),
        ({"close_up": [30]}, "close_up"),
        ({"populations": ["land-sat"], "inducers": ["ldf"]}, "all_cells"),
        ({"inducers": ["majorty"]}, "did you mean 'majority'"),
        ({"inducers": ["errorest.learners.Nothing"]}, "no 'Nothing'"),
        ({"inducers": ["3-nn", "knn(k=3)"]}, "twice"),
        ({"inducers": ["majority", "majority"]}, "named twice"),
    ],
    "guide/07-cross-examination": [
        ({"uci_sets": ["mushroom"]}, "unknown data set 'mushroom'"),
        ({"data_sets": ["iris"], "data_sizes": [20, 30]}, "1 data sets have 2 sizes"),
        ({"lens_sizes": [8]}, "fewer than 10 cases"),
        ({"settings": [9]}, "setting 9"),
    ],
    "guide/02-which-estimator": [({"bands": [60, 24]}, "ascending")],
    "guide/05-choosing": [
        ({"candidates": [1]}, "from 2 to 100"),
        ({"candidates": [101]}, "from 2 to 100"),
        ({"populations": ["noises"]}, "noise"),
        ({"gaps": [0.0]}, "above 0"),
    ],
    "guide/06-growing": [
        ({"sets": ["mushroms"]}, "did you mean 'mushroom'"),
        ({"cases": [60]}, "from 10 to 50"),
        ({"ahead": [2000]}, "from 50 to 1000"),
        ({"sets": ["mushroom"], "inducers": ["ldf"]}, "none of the sets"),
        ({"sets": ["wine", "wine"]}, "named twice"),
    ],
}


@pytest.mark.parametrize(
    ("name", "given", "words"), [(name, *case) for name, cases in REFUSED.items() for case in cases]
)
def test_parameters_that_make_no_design_are_refused_in_one_line_before_anything_runs(name, given, words):
    assert_refused([words], lambda: resolve(catalogue.notebook(name), given).inputs())


@pytest.mark.parametrize("paper", [one.id for one in PAPERS.values() if one.printed])
def test_every_meaning_is_of_a_parameter(paper):
    meanings = PAPERS[paper].read("parameters")
    own = {n.id.partition("/")[2]: set(n.parameters.model_fields) for n in catalogue.notebooks() if n.paper == paper}
    assert set(meanings) <= {"shared", *own}
    for name, texts in meanings.items():
        assert set(texts) <= own.get(name, set().union(*own.values()))


def study_of_kohavi(samples, inducers, *points):
    return estimate_study([(load_set("iris", 20, None, 1), samples)], inducers, points, 1)


def study_of_neighbors(*neighbors):
    small = {"sizes": [10], "inherent_errors": [0.25], "samples": 3, "cv_repeats": 2, "bootstrap_replicates": 2}
    return neighbors_study(NeighborsParameters(neighbors=list(neighbors), seed=7, **small))


def study_of_lenses(sizes, readings, *estimators):
    p = LensesParameters(samples=5, repeats=1, cv_repeats=2, bootstrap_replicates=5)
    return samples_study("noise", p, 3, sizes, [0.25], readings, estimators)


def study_of_reversal(rules):
    p = ReversalParameters(sizes=[10], distances=[0.25, 1.0], samples=500, repeats=1, reversal_rules=rules)
    return reversals_study(p)


def study_of_settings(**given):
    p = SyntheticParameters(bootstrap_samples=2, validation=100, **given)
    return synthetic_study(p)


def study_of_cross(*settings):
    return cross_study([Setting(*one, 3, Effort(20, 3, 30, 3)) for one in settings], 200, 7)


IDS = library_ids(("loo", "loo-star", "cv-5"), 2, 2)
FOLDS = [Point("plain", k) for k in (2, 5)]
PAIRS = {
    "kohavi": (
        study_of_kohavi(3, ["majority"], FOLDS[1]),
        study_of_kohavi(4, ["naive-bayes", "majority"], *FOLDS, Point("leave-out", 5), Point("bootstrap", 2)),
    ),
    "discriminant": (
        discriminant_study([30], [0.01], 4, {"cv-5": IDS["cv-5"]}, ["class-0-mean"], 3),
        discriminant_study([10, 30], [0.25, 0.01], 6, IDS, ["literal", "class-0-mean"], 3),
    ),
    "neighbors": (study_of_neighbors(3), study_of_neighbors(1, 3)),
    "lenses": (
        study_of_lenses([24], ["gain-3102"], "cv-10"),
        study_of_lenses([48, 24], ["gain-ratio-none", "gain-3102"], "loo", "cv-10"),
    ),
    "reversal": (study_of_reversal(["class-0-mean"]), study_of_reversal(["literal", "class-0-mean"])),
    "synthetic": (
        study_of_settings(settings=[3], trials=[2], classifiers=["1-nn"]),
        study_of_settings(settings=[2, 3], trials=[2, 3], classifiers=["ldf", "1-nn"]),
    ),
    "cross-examination": (
        study_of_cross(("two-normals", 0.25, 10, ("3-nn",))),
        study_of_cross(("two-normals", 0.25, 10, ("threshold", "3-nn")), ("synthetic", 1, 20, ("1-nn",))),
    ),
}
KEYS = ("n", "inherent_error", "noise", "distance", "rule", "setting", "set", "drawing", "inducer", "quantity")


@pytest.mark.parametrize("name", PAIRS)
def test_a_part_of_a_design_has_the_numbers_of_the_whole(name):
    part, whole = map(run_study, PAIRS[name])
    keys = ["replicate", *(c for c in KEYS if c in part)]
    values = ["value"] if "value" in part else ["reversed", "reversed-sum", "unreversed-squares"]
    one, other = (f.astype(dict.fromkeys(keys, str)).set_index(keys)[values] for f in (part, whole))
    # the number of fits is that of the design
    common = [key for key in one.index if "runs" not in key]
    assert len(common) > 1
    pd.testing.assert_frame_equal(one.loc[common], other.loc[common], check_exact=True)


def test_samples_depend_on_neither_how_many_are_allowed_nor_on_further_sizes():
    p = PopulationsParameters(grid=101, sizes=[10])
    points = [figure_3(q, run_study).data["points"] for q in (p, p.model_copy(update={"draws": 500}))]
    pd.testing.assert_frame_equal(*points)
    p = IrisParameters(memorizer_sizes=[12, 20], memorizer_samples=4, bootstrap_replicates=5)
    one, both = (text_632(q, run_study).rows for q in (p.model_copy(update={"memorizer_sizes": [12]}), p))
    assert set(one) <= set(both)


@pytest.mark.parametrize("inducer", ["k-nn", "tree"])
def test_replicates_do_not_depend_on_one_another(inducer):
    cell = {"data": "heart", "inducer": inducer, "n": 80, "held_out": 60, "folds": 3, "inner_folds": 3}
    together, alone = (each_replicate(tuning)(cell, r, Streams(2)) for r in (range(2), range(1, 2)))
    assert all(together[name][1] == alone[name][0] for name in together)
