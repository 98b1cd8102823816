"""Scores of the worked case: by hand, as scikit-learn answers them, as this library does, and as they are recorded."""

import csv
import runpy
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from compendium.guide.other_packages import PeersParameters

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def peers() -> SimpleNamespace:
    return SimpleNamespace(**runpy.run_path(str(ROOT / "benchmarks" / "worked_case.py")))


def test_two_folds_by_hand(peers: SimpleNamespace) -> None:
    """Four of eight cases at a time, classes 0 0 1 0 and 1 1 0 1, told by the three nearest of the other four.

    Of all of the first four these are 5.2, 6.4 and 7.1, of classes 1, 1 and 0: two thirds. Of the last four 2, 3.1 and
    4.3, of classes 0, 1 and 0: one third.  Squares: (4 + 4 + 1 + 4) / 9 in either fold, over eight 26 / 72.  No fold
    tells its cases apart, 1/2.  Pooled, of sixteen pairs: the one of class 1 with two thirds ties with three and beats
    one, the three with one third tie with one each: (1.5 + 1 + 3 * 0.5) / 16.
    """
    theirs = {name.removeprefix("scikit-learn, "): value for name, value, _ in peers.scikit_learn_answers()}
    assert theirs == {
        "Brier score, cross_val_score": pytest.approx(26 / 72),
        "AUC, cross_val_score": 0.5,
        "AUC, cross_val_predict pooled": 0.25,
    }
    own = {name.removeprefix("errorest, "): value for name, value, _ in peers.own_answers()}
    assert own["Brier score, the two folds"] == pytest.approx(26 / 72)
    assert own["AUC, the two folds"] == 0.5


def test_the_bootstrap_of_the_brier_score_is_that_of_a_loop(peers: SimpleNamespace) -> None:
    case = PeersParameters()
    values, y = np.array(case.values), np.array(case.labels)

    def squares(drawn: list[int], digits: int = 9) -> list[float]:
        # 4.3 and 8.5 are as far from 6.4 for us, and not in floating point
        listed = sorted(drawn)
        near = [sorted(range(8), key=lambda j, x=x: (round(abs(values[listed[j]] - x), digits), j))[:3] for x in values]
        return [(sum(y[listed[j]] for j in three) / 3 - c) ** 2 for three, c in zip(near, y, strict=True)]

    every = [squares(drawn) for drawn in case.bootstrap_samples]
    by_case = [
        [e[i] for e, drawn in zip(every, case.bootstrap_samples, strict=True) if i not in drawn] for i in range(8)
    ]
    err1 = np.mean([np.mean(losses) for losses in by_case if losses])
    assert peers.brier_632() == pytest.approx(0.368 * np.mean(squares(list(range(8)))) + 0.632 * err1)
    # mlxtend's way: the bootstrap classifier's own error on all cases, replicates averaged
    out = [sorted(set(range(8)) - set(drawn)) for drawn in case.bootstrap_samples]
    raw = [np.array(squares(drawn, 17)) for drawn in case.bootstrap_samples]
    theirs = np.mean([0.368 * e.mean() + 0.632 * e[left].mean() for e, left in zip(raw, out, strict=True)])
    recorded = _recorded()
    assert recorded["mlxtend, Brier score, .632, measured"] == pytest.approx(theirs, abs=5e-5)


def test_what_is_recorded_is_what_is_answered(peers: SimpleNamespace) -> None:
    recorded = _recorded()
    for name, value, _ in [*peers.scikit_learn_answers(), *peers.own_answers()]:
        assert recorded[name] == pytest.approx(value, rel=5e-4)


def _recorded() -> dict[str, float]:
    with (ROOT / "benchmarks" / "measured.csv").open(newline="") as file:
        return {r["quantity"]: float(r["value"]) for r in csv.DictReader(file) if r["benchmark"] == "worked_case"}
