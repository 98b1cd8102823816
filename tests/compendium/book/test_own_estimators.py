"""Estimators of a person's own in Martin & Hirschberg's tables, without measuring the others again."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

import compendium

SMALL = {"sizes": [10, 12], "inherent_errors": [0.25], "samples": 3, "repeats": 1, "cv_repeats": 2}
MINE = """
from dataclasses import dataclass
from errorest.estimation.estimators import Estimator
from errorest.resampling.schemes import Resubstitution

@dataclass(frozen=True, eq=False)
class Half(Estimator):
    name = "half"
    share: float = 0.5

    @property
    def schemes(self):
        return (Resubstitution(),)

    def reduce(self, sample, outcomes):
        return FACTOR * outcomes[self.schemes[0]].rate
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("ERROREST_STORE", str(tmp_path / "store"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    sys.modules.pop("own_half", None)


def write(place: Path, factor: float) -> None:
    (place / "own_half.py").write_text(f"FACTOR = {factor}\n{MINE}")
    sys.modules.pop("own_half", None)
    importlib.invalidate_caches()


def table(*estimators: str) -> pd.DataFrame:
    result = compendium.regenerate(
        "martin-hirschberg-table-4", **SMALL, bootstrap_replicates=2, estimators=[*estimators]
    )
    own = result[result.column == "bias-percent"]
    return own.pivot_table(index="reading", columns="row", values="value")


def test_an_estimator_by_its_id_or_path_stands_with_the_others_and_measures_nothing_again(place: Path) -> None:
    write(place, 1.0)
    alone = table("resubstitution", "bootstrap-632")
    stored = {path.name: path.stat().st_mtime_ns for path in (place / "store").iterdir()}
    more = table("resubstitution", "bootstrap-632", "632(replicates=2)", "own_half.Half", "own_half:Half(share=0.25)")
    assert more[alone.columns].equals(alone)
    assert (more["own_half.Half"] == more["resubstitution"]).all(), "on the same samples"
    assert (more["632(replicates=2)"] == more["bootstrap-632"]).all(), "with the same resamples"
    now = {path.name: path.stat().st_mtime_ns for path in (place / "store").iterdir()}
    assert stored.items() <= now.items()
    assert len(now) - len(stored) == 3 * len(SMALL["sizes"]), "three more, at each size"


def test_an_estimator_whose_file_changed_is_measured_again(place: Path) -> None:
    write(place, 1.0)
    before = table("resubstitution", "own_half.Half")
    write(place, 0.0)
    after = table("resubstitution", "own_half.Half")
    assert after["resubstitution"].equals(before["resubstitution"])
    assert (after["own_half.Half"] < before["own_half.Half"]).all()
