"""Inducers of a person's own in the studies: on the samples of all others, which are not measured again."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compendium.guide.coverage.experiment import CoverageParameters, laid_out
from compendium.guide.coverage.results import covered
from compendium.papers.kohavi.estimates.artifacts import estimates_of
from compendium.papers.kohavi.estimates.experiment import AnotherParameters
from compendium.papers.kohavi.truth.artifacts import truths_of
from compendium.papers.shakhnarovich.synthetic.artifacts import cases_of
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from compendium.papers.shakhnarovich.uci.artifacts import cases_of as uci_cases_of
from compendium.papers.shakhnarovich.uci.experiment import UciParameters
from compendium.studies.study import Study, pieces_of, run_study
from errorest.errors import UsageError

MAJORITY = "errorest.inducers.majority.Majority"
NEIGHBOR = "errorest.inducers.neighbors.KNN(k=1)"


class Runs:
    """Runs studies, and remembers the keys of their chunks."""

    def __init__(self) -> None:
        self.keys: set[str] = set()

    def __call__(self, study: Study) -> pd.DataFrame:
        self.keys |= {piece.key for piece in pieces_of(study)}
        return run_study(study)


def both(yields: Callable[[list[str], Runs], Any], ours: str, own: str) -> Any:
    """What ours and own together yield, once the chunks of ours alone were seen to be among theirs."""
    alone, together = Runs(), Runs()
    yields([ours], alone)
    result = yields([own, ours], together)
    assert alone.keys < together.keys
    return result


COVERAGE = {"populations": ["two-normals"], "sizes": [20], "repetitions": 3, "most_trained": 2000, "close_up": [20]}


def test_an_own_inducer_has_the_intervals_of_ours_on_the_same_samples() -> None:
    result = both(lambda names, run: covered(CoverageParameters(inducers=names, **COVERAGE), run), "majority", MAJORITY)
    ours, own = (
        result.samples[result.samples["inducer"] == name].drop(columns="inducer").reset_index(drop=True)
        for name in ("majority", MAJORITY)
    )
    assert own["method"].nunique() > 10
    pd.testing.assert_frame_equal(own, ours)


def test_an_own_inducer_is_left_out_where_it_cannot_learn() -> None:
    text = "errorest.inducers.svm:SVM(kernel='linear')"
    given = {**COVERAGE, "populations": ["two-normals", "lenses"], "inducers": ["ldf", text]}
    cells, left_out = laid_out(CoverageParameters(**given))
    assert {(c.population, c.inducer) for c in cells} == {("two-normals", "ldf"), ("two-normals", text)}
    assert {(one.population, one.inducer, one.kind) for one in left_out} == {
        ("lenses", "ldf", "illegal"),
        ("lenses", text, "illegal"),
    }
    assert all(one.reason for one in left_out)
    with pytest.raises(UsageError, match="no combination"):
        laid_out(CoverageParameters(**{**given, "populations": ["lenses"], "inducers": [text]}))


@pytest.mark.parametrize(
    "inducers", [["majorty"], ["errorest.inducers.Nothing"], ["3-nn", "knn(k=3)"], ["majority", "majority"]]
)
def test_unknown_and_repeated_inducers_are_refused(inducers: list[str]) -> None:
    with pytest.raises(ValueError, match=r"Error|unknown|no 'Nothing'|twice"):
        CoverageParameters(**{**COVERAGE, "inducers": inducers})


def test_a_changeable_inducer_leaves_kohavi_s_finished_studies_valid() -> None:
    def parameters(names: list[str]) -> AnotherParameters:
        given = {"data_sets": ["iris"], "sizes": [30], "folds": [2], "stratified_folds": [2], "bootstrap_samples": [1]}
        return AnotherParameters(inducers=names, holdouts=3, samples=2, **given)

    truths = both(lambda names, run: truths_of(parameters(names), run), "majority", MAJORITY)
    assert truths["iris", "majority"] == truths["iris", MAJORITY]
    result = both(lambda names, run: estimates_of(parameters(names), run), "majority", MAJORITY)
    assert [inducer for _, inducer in result] == [MAJORITY, "majority"]
    columns = ["holdout", "k=2", "stratified-k=2", "b=1"]
    ours, own = (result["iris", inducer].frame[columns] for inducer in ("majority", MAJORITY))
    np.testing.assert_array_equal(ours, own)


def cloning_cases(names: list[str], run: Runs) -> Any:
    small = {"settings": [2], "trials": [2], "repeats": 1, "bootstrap_samples": 2, "validation": 20}
    return cases_of(SyntheticParameters(classifiers=names, **small), run)


def uci_cases(names: list[str], run: Runs) -> Any:
    small = {"sizes": [20, 20, 20], "trials": [2, 2, 2], "bootstrap_samples": 2, "stratified": []}
    classifiers = ["vehicle/knn(k=1)", "pima/knn(k=1)", *(f"breast-cancer/{name}" for name in names)]
    cases = uci_cases_of(UciParameters(classifiers=classifiers, **small), run)
    return [one for one in cases if one.place == "breast-cancer"]


@pytest.mark.parametrize("yields", [cloning_cases, uci_cases])
def test_an_own_classifier_leaves_shakhnarovich_s_finished_studies_valid(yields: Any) -> None:
    own, ours = (one.frame.select_dtypes("float") for one in both(yields, "knn(k=1)", NEIGHBOR))
    assert "loo" in ours
    pd.testing.assert_frame_equal(own[list(ours)], ours)
