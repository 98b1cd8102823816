"""Counts over cases of Shakhnarovich et al.: what most means, and cases that lack an estimator."""

from itertools import product

import numpy as np
import pandas as pd

from compendium.papers.shakhnarovich import conclusions
from compendium.papers.shakhnarovich.cases import Case
from compendium.papers.shakhnarovich.methods import ESTIMATORS, TO_ZERO, TRUE_ERROR
from compendium.papers.shakhnarovich.wins import CaseCount
from errorest.streams import Streams


def cases():
    """Return eight cases in which estimators on clones vary less than the others."""
    rng, result = np.random.default_rng(0), []
    for place, classifier in product("1234", ("ldf", "1-nn")):
        true = 0.4 + 0.005 * rng.standard_normal(150)
        spread = {e: 0.04 if e.startswith("cloned") else 0.1 for e in (*ESTIMATORS, *TO_ZERO.values())}
        own = {TRUE_ERROR: true, **{e: true + sd * rng.standard_normal(150) for e, sd in spread.items()}}
        result.append(Case(pd.DataFrame(own), "literal", place=place, classifier=classifier))
    return result


def test_most_is_more_than_half_and_what_trials_could_undo_is_not_decided():
    eight = tuple(cases())
    outcomes = [
        CaseCount(eight, (True,) * number + (False,) * (8 - number), (share,) * 8).in_most().outcome
        for number in (1, 4, 5, 7)
        for share in (0.0, 0.15)
    ]
    assert outcomes == ["fails", "fails", "fails", "not decided", "holds", "not decided", "holds", "holds"]


def test_a_case_that_lacks_an_estimator_is_passed_over():
    lacking = cases()
    lacking[0].frame.pop("cloned-632")
    counts = {
        r.row: r for r in conclusions.compare_gains(lacking, Streams(1)).rows if r.column == "correlation-of-gains"
    }
    assert counts["cloned-632"].n == counts["cloned-naive"].n - 1
