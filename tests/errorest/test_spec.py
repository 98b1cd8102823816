"""Specs: ids as they were recorded, one reader, one message, and no other code that looks into an id."""

from __future__ import annotations

import ast
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

# Recorded before specs were dataclasses: what is written, the id, the ids of the schemes, and the ids of those
# whose streams draw the samples, where these are others.  They name random streams, so that none may ever change.
ESTIMATOR_IDS = [
    ("resubstitution", "resubstitution", "resubstitution()", ""),
    ("holdout", "holdout(test=1/3)", "holdout(test=1/3)", ""),
    ("holdout(test=0.25)", "holdout(test=1/4)", "holdout(test=1/4)", ""),
    ("holdout(test=5)", "holdout(test=5)", "holdout(test=5)", ""),
    ("holdout(test=1/4, repeats=7)", "holdout(test=1/4, repeats=7)", "holdout(repeats=7, test=1/4)", ""),
    ("holdout(repeats=25, test=1/10)", "holdout(test=1/10, repeats=25)", "holdout(repeats=25, test=1/10)", ""),
    ("cv", "cv(k=10)", "k_fold(k=10)", ""),
    ("cv(k=10)", "cv(k=10)", "k_fold(k=10)", ""),
    ("cv(k=n)", "cv(k=n)", "k_fold(k=n)", ""),
    ("cv(k=5, repeats=20)", "cv(k=5, repeats=20)", "k_fold(k=5, repeats=20)", ""),
    ("cv(k=10, stratified=True)", "cv(k=10, stratified=True)", "k_fold(k=10, stratified=True)", ""),
    (
        "cv(k=10, repeats=100, stratified=True, weights=folds)",
        "cv(k=10, repeats=100, stratified=True, weights=folds)",
        "k_fold(k=10, repeats=100, stratified=True)",
        "",
    ),
    ("loo", "loo", "leave_one_out()", ""),
    ("e0", "e0(replicates=200)", "bootstrap(replicates=200)", ""),
    ("e0(replicates=50)", "e0(replicates=50)", "bootstrap(replicates=50)", ""),
    ("e0(replicates=50, per=case)", "e0(replicates=50, per=case)", "bootstrap(replicates=50)", ""),
    ("e0(per=pooled)", "e0(replicates=200, per=pooled)", "bootstrap(replicates=200)", ""),
    ("e0(replicates=100, per=nested)", "e0(replicates=100, per=nested)", "leave_one_out_bootstrap(replicates=100)", ""),
    (
        "e0(replicates=100, per=nested, cloned=True)",
        "e0(replicates=100, per=nested, cloned=True)",
        "leave_one_out_clones(replicates=100)",
        "",
    ),
    (
        "e0(replicates=100, per=nested, cloned=True, bounds=0:1/1:10)",
        "e0(replicates=100, per=nested, cloned=True, bounds=0:1/1:10)",
        "leave_one_out_clones(bounds=((0.0, 1.0), (1.0, 10.0)), replicates=100)",
        "",
    ),
    ("632", "632(replicates=200)", "resubstitution(); bootstrap(replicates=200)", ""),
    ("632(replicates=50)", "632(replicates=50)", "resubstitution(); bootstrap(replicates=50)", ""),
    (
        "632(replicates=50, per=nested)",
        "632(replicates=50, per=nested)",
        "resubstitution(); leave_one_out_bootstrap(replicates=50)",
        "",
    ),
    (
        "632(replicates=50, per=nested, cloned=True, per_class=False)",
        "632(replicates=50, per=nested, cloned=True, per_class=False)",
        "resubstitution(); leave_one_out_clones(per_class=False, replicates=50)",
        "",
    ),
    ("632+", "632+(replicates=200)", "resubstitution(); bootstrap(replicates=200)", ""),
    (
        "632+(replicates=100, per=nested, variant=zero-outside, cloned=True)",
        "632+(replicates=100, per=nested, variant=zero-outside, cloned=True)",
        "resubstitution(); leave_one_out_clones(replicates=100)",
        "",
    ),
    (
        "632+(replicates=100, per=replicate, variant=unbounded-r)",
        "632+(replicates=100, per=replicate, variant=unbounded-r)",
        "resubstitution(); bootstrap(replicates=100)",
        "",
    ),
    (
        "632+(replicates=6, per=nested, cloned=True, bounds=0:/1:10.5)",
        "632+(replicates=6, per=nested, cloned=True, bounds=0:/1:10.5)",
        "resubstitution(); leave_one_out_clones(bounds=((0.0, None), (1.0, 10.5)), replicates=6)",
        "",
    ),
    (
        "loo*",
        "loo*(replicates=200)",
        "leave_one_out(); resubstitution(); bootstrap(replicates=200); k_fold(k=2, repeats=100)",
        "",
    ),
    (
        "loo*(replicates=50, repeats=20)",
        "loo*(replicates=50, repeats=20)",
        "leave_one_out(); resubstitution(); bootstrap(replicates=50); k_fold(k=2, repeats=20)",
        "",
    ),
    (
        "loo*(repeats=100)",
        "loo*(replicates=200)",
        "leave_one_out(); resubstitution(); bootstrap(replicates=200); k_fold(k=2, repeats=100)",
        "",
    ),
    ("bs", "bs(replicates=200)", "naive_bootstrap(replicates=200)", "bootstrap(replicates=200)"),
    ("bs(replicates=100)", "bs(replicates=100)", "naive_bootstrap(replicates=100)", "bootstrap(replicates=100)"),
    ("bs(replicates=100, cloned=True)", "bs(replicates=100, cloned=True)", "clones(replicates=100)", ""),
    (
        "bs(replicates=50, cloned=True, kernel=gaussian, stages=1)",
        "bs(replicates=50, cloned=True, kernel=gaussian, stages=1)",
        "clones(kernel=gaussian, replicates=50, stages=1)",
        "",
    ),
    (
        "bs(replicates=50, cloned=True, bounds=sample)",
        "bs(replicates=50, cloned=True, bounds=sample)",
        "clones(bounds=sample, replicates=50)",
        "",
    ),
    (
        "bscv",
        "bscv(k=10, replicates=200)",
        "cross_validated_bootstrap(k=10, replicates=200)",
        "bootstrap(replicates=200)",
    ),
    (
        "bscv(k=n, replicates=100)",
        "bscv(k=n, replicates=100)",
        "cross_validated_bootstrap(k=n, replicates=100)",
        "bootstrap(replicates=100)",
    ),
    (
        "bscv(k=5, replicates=100, weights=folds)",
        "bscv(k=5, replicates=100, weights=folds)",
        "cross_validated_bootstrap(k=5, replicates=100)",
        "bootstrap(replicates=100)",
    ),
    (
        "bscv(k=5, replicates=100, weights=folds, cloned=True)",
        "bscv(k=5, replicates=100, weights=folds, cloned=True)",
        "cross_validated_clones(k=5, replicates=100)",
        "clones(replicates=100)",
    ),
    (
        "bscv(k=n, replicates=100, cloned=True, bounds=0:1)",
        "bscv(k=n, replicates=100, cloned=True, bounds=0:1)",
        "cross_validated_clones(bounds=((0.0, 1.0),), k=n, replicates=100)",
        "clones(bounds=((0.0, 1.0),), replicates=100)",
    ),
    ("bsx2", "bsx2(replicates=200)", "double_bootstrap(replicates=200)", "bootstrap(replicates=200)"),
    ("bsx2(replicates=100)", "bsx2(replicates=100)", "double_bootstrap(replicates=100)", "bootstrap(replicates=100)"),
]

INTERVAL_IDS = [
    ("holdout-wald", "holdout-wald(test=1/3)", "holdout(test=1/3)", ""),
    ("holdout-wilson", "holdout-wilson(test=1/3)", "holdout(test=1/3)", ""),
    ("holdout-clopper-pearson", "holdout-clopper-pearson(test=1/3)", "holdout(test=1/3)", ""),
    ("kohavi", "kohavi(k=10)", "k_fold(k=10)", ""),
    ("loo-kohavi", "loo-kohavi", "leave_one_out()", ""),
    ("cv-wald", "cv-wald(k=10)", "k_fold(k=10)", ""),
    ("loo-wald", "loo-wald", "leave_one_out()", ""),
    ("corrected-t", "corrected-t(splits=25, ratio=9/10)", "holdout(repeats=25, test=1/10)", ""),
    (
        "conservative-z",
        "conservative-z(splits=15, halvings=10, ratio=9/10)",
        "holdout(repeats=15, test=1/10); paired_halves(halvings=10, share=1/10, splits=15)",
        "",
    ),
    ("5x2cv", "5x2cv", "k_fold(k=2, repeats=5)", ""),
    ("nested-cv", "nested-cv(k=5, repeats=10)", "nested_folds(k=5, repeats=10)", ""),
    ("replace-one-cv", "replace-one-cv(k=5)", "k_fold(k=5); replace_one(k=5)", ""),
    ("oob", "oob(replicates=200)", "bootstrap(replicates=200)", ""),
    ("632+", "632+(replicates=200)", "resubstitution(); bootstrap(replicates=200)", ""),
    ("632+span", "632+span(replicates=200)", "resubstitution(); bootstrap(replicates=200)", ""),
    (
        "bootstrap-case-cv",
        "bootstrap-case-cv(replicates=100)",
        "leave_case_out_of_bootstrap(replicates=100); leave_one_out()",
        "",
    ),
    (
        "location-shifted",
        "location-shifted(replicates=200)",
        "resubstitution(); bootstrap(replicates=200, test=all)",
        "",
    ),
    (
        "two-stage",
        "two-stage(outer=200, inner=10, replicates=200)",
        "resubstitution(); bootstrap(replicates=200); two_stage_bootstrap(apart=True, inner=10, outer=200)",
        "",
    ),
    ("holdout-wald(test=0.25)", "holdout-wald(test=1/4)", "holdout(test=1/4)", ""),
    ("holdout-wilson(test=5)", "holdout-wilson(test=5)", "holdout(test=5)", ""),
    ("holdout-clopper-pearson(test=1/4)", "holdout-clopper-pearson(test=1/4)", "holdout(test=1/4)", ""),
    ("kohavi(k=5, stratified=True)", "kohavi(k=5, stratified=True)", "k_fold(k=5, stratified=True)", ""),
    ("kohavi(k=10, repeats=100)", "kohavi(k=10, repeats=100)", "k_fold(k=10, repeats=100)", ""),
    ("cv-wald(k=5, variance=within-fold)", "cv-wald(k=5, variance=within-fold)", "k_fold(k=5)", ""),
    ("cv-wald(k=10, stratified=True)", "cv-wald(k=10, stratified=True)", "k_fold(k=10, stratified=True)", ""),
    ("corrected-t(splits=25, ratio=0.9)", "corrected-t(splits=25, ratio=9/10)", "holdout(repeats=25, test=1/10)", ""),
    ("corrected-t(splits=10, ratio=2/3)", "corrected-t(splits=10, ratio=2/3)", "holdout(repeats=10, test=1/3)", ""),
    (
        "conservative-z(splits=1, halvings=5, ratio=3/4)",
        "conservative-z(splits=1, halvings=5, ratio=3/4)",
        "holdout(test=1/4); paired_halves(halvings=5, share=1/4, splits=1)",
        "",
    ),
    (
        "conservative-z(splits=15, halvings=10, ratio=0.9)",
        "conservative-z(splits=15, halvings=10, ratio=9/10)",
        "holdout(repeats=15, test=1/10); paired_halves(halvings=10, share=1/10, splits=15)",
        "",
    ),
    ("5x2cv(estimate=mean)", "5x2cv(estimate=mean)", "k_fold(k=2, repeats=5)", ""),
    ("5x2cv(stratified=true)", "5x2cv(stratified=True)", "k_fold(k=2, repeats=5, stratified=True)", ""),
    ("nested-cv(k=10, repeats=2)", "nested-cv(k=10, repeats=2)", "nested_folds(k=10, repeats=2)", ""),
    ("nested-cv(factor=package)", "nested-cv(k=5, repeats=10, factor=package)", "nested_folds(k=5, repeats=10)", ""),
    (
        "replace-one-cv(k=4, form=uncorrected)",
        "replace-one-cv(k=4, form=uncorrected)",
        "k_fold(k=4); replace_one(k=4)",
        "",
    ),
    ("oob(replicates=50)", "oob(replicates=50)", "bootstrap(replicates=50)", ""),
    ("632+(replicates=50)", "632+(replicates=50)", "resubstitution(); bootstrap(replicates=50)", ""),
    (
        "bootstrap-case-cv(replicates=20, bias=plain)",
        "bootstrap-case-cv(replicates=20, bias=plain)",
        "leave_case_out_of_bootstrap(replicates=20)",
        "",
    ),
    (
        "location-shifted(replicates=50)",
        "location-shifted(replicates=50)",
        "resubstitution(); bootstrap(replicates=50, test=all)",
        "",
    ),
    (
        "two-stage(outer=20, inner=5, replicates=30)",
        "two-stage(outer=20, inner=5, replicates=30)",
        "resubstitution(); bootstrap(replicates=30); two_stage_bootstrap(apart=True, inner=5, outer=20)",
        "",
    ),
    (
        "two-stage(copies=together)",
        "two-stage(outer=200, inner=10, replicates=200, copies=together)",
        "resubstitution(); bootstrap(replicates=200); two_stage_bootstrap(apart=False, inner=10, outer=200)",
        "",
    ),
]

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


@pytest.mark.parametrize(("text", "written", "schemes", "samples"), ESTIMATOR_IDS, ids=lambda t: t)
def test_ids_of_estimators_and_of_what_they_draw_are_as_recorded(text, written, schemes, samples):
    _check(ESTIMATORS.parse(text), ESTIMATORS, written, schemes, samples)


@pytest.mark.parametrize(("text", "written", "schemes", "samples"), INTERVAL_IDS, ids=lambda t: t)
def test_ids_of_intervals_and_of_what_they_draw_are_as_recorded(text, written, schemes, samples):
    _check(INTERVALS.parse(text), INTERVALS, written, schemes, samples)


def _check(made, family, written, schemes, samples):
    assert made.id == written
    assert "; ".join(s.id for s in made.schemes) == schemes
    assert "; ".join(s.samples.id for s in made.schemes) == (samples or schemes)
    assert family.parse(made.id) == made
    assert hash(family.parse(made.id)) == hash(made)


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


# Who looks into an id

_LOOKS = {
    "startswith",
    "endswith",
    "partition",
    "rpartition",
    "split",
    "rsplit",
    "removeprefix",
    "removesuffix",
    "find",
    "replace",
}

# an id is an attribute, or a name that says so; so is what a classifier is called in a parameter
_IDS = {"id", "artifact", "notebook", "artifact_id", "notebook_id"}


READERS = {
    "spec.py",
    # the ids of artifacts and of notebooks are names and paths, no specs
    "evidence/artifact.py",
    "compendium/called.py",
    "compendium/notebook.py",
    # what that paper's parameters call a classifier
    "papers/shakhnarovich/methods.py",
}
"""The modules that read ids, one for each kind."""


def looks_into_ids(source: str) -> list[int]:
    """List the lines that take an id apart: a string method, an ``in``, an index or a regular expression on ``.id``."""
    results = []
    for node in ast.walk(ast.parse(source)):
        looked: list[ast.AST] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if isinstance(node.func.value, ast.Name) and node.func.value.id == "re":
                looked += node.args[1:]
            elif node.func.attr in _LOOKS:
                looked.append(node.func.value)
        elif isinstance(node, ast.Compare) and any(isinstance(op, ast.In | ast.NotIn) for op in node.ops):
            looked += node.comparators if isinstance(node.left, ast.Constant) else []
        elif isinstance(node, ast.Subscript):
            looked.append(node.value)
        for part in looked:
            # the text of an id, perhaps lower-cased or stripped first, or a column of them
            while isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
                part = part.func.value
            if isinstance(part, ast.Attribute) and part.attr == "str":
                part = part.value
            name = part.attr if isinstance(part, ast.Attribute) else part.id if isinstance(part, ast.Name) else ""
            if name in _IDS or cuts_settings_off(node):
                results.append(node.lineno)
    return results


def cuts_settings_off(node: ast.AST) -> bool:
    """Tell whether a call cuts a text where settings begin."""
    cuts = {"partition", "rpartition", "split", "rsplit"}
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in cuts
        and any(isinstance(a, ast.Constant) and a.value in ("(", "@") for a in node.args)
    )


@pytest.mark.parametrize(
    ("source", "looks"),
    [
        ("e.id.startswith('632+')", True),
        ("'cloned=True' in estimator.id", True),
        ("e.id.lower().split('(')[0]", True),
        ("re.split('x', scheme.id)", True),
        ("method.id[:3]", True),
        ("artifact_id.startswith('kohavi-')", True),
        ("rows.artifact.str.startswith('kohavi-')", True),
        ("key.split('@')", True),
        ("name.partition('(')", True),
        ("text.partition('=')", False),
        ("e.id == 'loo'", False),
        ("e.name.startswith('l')", False),
    ],
)
def test_the_search_for_code_that_looks_into_ids_finds_it(source, looks):
    assert bool(looks_into_ids(source)) == looks


def test_no_code_but_the_reader_looks_into_an_id():
    src = Path(errorest.__file__).parent
    results = {
        f"{path.relative_to(src)}:{line}"
        for path in src.rglob("*.py")
        if path.relative_to(src).as_posix() not in READERS
        for line in looks_into_ids(path.read_text())
    }
    assert not results
