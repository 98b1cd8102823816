"""Inducers and estimators of a person's own: on the samples of all others, which are not measured again."""

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compendium
from compendium.guide.coverage.parameters import CoverageParameters, laid_out
from compendium.guide.coverage.results import covered
from compendium.papers.kohavi.estimates import estimates_of
from compendium.papers.kohavi.parameters import AnotherParameters
from compendium.papers.kohavi.table_1 import truths_of
from compendium.papers.shakhnarovich.synthetic.study import SyntheticParameters, cases_of
from compendium.papers.shakhnarovich.uci.study import UciParameters
from compendium.papers.shakhnarovich.uci.study import cases_of as uci_cases_of
from compendium.studies.study import Study, pieces_of, run_study

MAJORITY = "errorest.learners.majority.Majority"
NEIGHBOR = "errorest.learners.neighbors.KNN(k=1)"


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
    text = "compendium.methods.learners.svm:SVM(kernel='linear')"
    given = {**COVERAGE, "populations": ["two-normals", "lenses"], "inducers": [text]}
    cells, (left_out,) = laid_out(CoverageParameters(**given))
    assert {(c.population, c.inducer) for c in cells} == {("two-normals", text)}
    assert (left_out.population, left_out.inducer, left_out.kind) == ("lenses", text, "illegal")
    assert left_out.reason


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


# Estimators in the tables of Martin and Hirschberg

SMALL = {"sizes": [10, 12], "inherent_errors": [0.25], "samples": 3, "repeats": 1, "cv_repeats": 2}
MINE = """
from dataclasses import dataclass
from errorest.estimation.estimators import Estimator
from errorest.resampling.schemes import Resubstitution
from own_factor import FACTOR

@dataclass(frozen=True, eq=False)
class Half(Estimator):
    name = "half"
    share: float = 0.5

    @property
    def schemes(self):
        return (Resubstitution(),)

    def reduce(self, sample, outcomes):
        return 1.0 * FACTOR * outcomes[self.schemes[0]].rate
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    write(tmp_path, "own_half", MINE)
    write(tmp_path, "own_factor", "FACTOR = 1.0\n")
    yield tmp_path
    write(tmp_path, "own_half", "")


def write(place: Path, name: str, text: str) -> None:
    """Write a module of an own estimator, and forget the modules that were imported."""
    (place / f"{name}.py").write_text(text)
    for module in ("own_half", "own_factor"):
        sys.modules.pop(module, None)
    importlib.invalidate_caches()


def table(*estimators: str) -> pd.DataFrame:
    result = compendium.regenerate(
        "martin-hirschberg-table-4", **SMALL, bootstrap_replicates=2, estimators=[*estimators]
    )
    own = result[result.column == "bias-percent"]
    return own.pivot_table(index="reading", columns="row", values="value")


def test_an_estimator_by_its_id_or_path_stands_with_the_others_and_measures_nothing_again(place: Path) -> None:
    def stored() -> dict[str, int]:
        return {path.name: path.stat().st_mtime_ns for path in (place / "store").iterdir()}

    alone, before = table("resubstitution", "bootstrap-632"), stored()
    all_five = ("resubstitution", "bootstrap-632", "632(replicates=2)", "own_half.Half", "own_half:Half(share=0.25)")
    more, now = table(*all_five), stored()
    assert more[alone.columns].equals(alone)
    assert (more["own_half.Half"] == more["resubstitution"]).all(), "on the same samples"
    assert (more["632(replicates=2)"] == more["bootstrap-632"]).all(), "with the same resamples"
    assert before.items() <= now.items()
    assert len(now) - len(before) == 3 * len(SMALL["sizes"]), "three more, at each size"
    assert table(*all_five).equals(more)
    assert stored() == now


@pytest.mark.parametrize("name", ["own_half", "own_factor"])
def test_an_estimator_is_measured_again_where_its_file_or_one_that_it_imports_changed(place: Path, name: str) -> None:
    before = table("resubstitution", "own_half.Half")
    write(place, name, (place / f"{name}.py").read_text().replace("1.0", "0.0"))
    after = table("resubstitution", "own_half.Half")
    assert after["resubstitution"].equals(before["resubstitution"])
    assert (after["own_half.Half"] < before["own_half.Half"]).all()
