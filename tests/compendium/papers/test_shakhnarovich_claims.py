"""Claims of Shakhnarovich et al. in made-up worlds: in one they hold, in the other each of them fails."""

import numpy as np
import pandas as pd
import pytest

from compendium.evidence.claims import judge_claims
from compendium.evidence.estimate import Estimate, exact
from compendium.papers.shakhnarovich import conclusions, cost
from compendium.papers.shakhnarovich.cases import Case
from compendium.papers.shakhnarovich.corrected import compare_forms
from compendium.papers.shakhnarovich.methods import ESTIMATORS, OLD, TO_ZERO, TRUE_ERROR, UNCLONED
from compendium.papers.shakhnarovich.synthetic import artifacts as synthetic
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from compendium.papers.shakhnarovich.uci import artifacts as uci
from compendium.papers.shakhnarovich.uci.experiment import UciParameters
from compendium.papers.shakhnarovich.wins import CaseCount
from errorest.streams import Streams

TRIALS = 150


def cases(spread, places=("1", "2", "3", "4"), bias=lambda e: 0.0, truth=0.4):
    """Return cases whose estimators have made-up spreads and biases around a true error that varies a little."""
    found = []
    for number, place in enumerate(places):
        for k, classifier in enumerate(("ldf", "1-nn")):
            rng = np.random.default_rng([number, k])
            true = truth + 0.005 * rng.standard_normal(TRIALS)
            own = {
                e: true + bias(e) + spread(e) * (1 + 0.5 * number) * rng.standard_normal(TRIALS)
                for e in (*ESTIMATORS, *TO_ZERO.values())
            }
            frame = pd.DataFrame({TRUE_ERROR: true, **own})
            found.append(Case(frame, "literal", place=place, classifier=classifier))
    return found


def is_cloned(estimator):
    return estimator.startswith("cloned")


def as_claimed(estimator):
    """Clones vary least, five folds of them least of all, and the .632+ on clones less than other clones."""
    return {"cloned-bscv-5": 0.02, "cloned-632plus": 0.03}.get(estimator, 0.04 if is_cloned(estimator) else 0.1)


def contrary(estimator):
    """Clones vary most."""
    return {"cloned-bscv-5": 0.2, "loo": 0.02, "cloned-loo": 0.06}.get(
        estimator, 0.12 if is_cloned(estimator) else 0.04
    )


def outcomes(made):
    return {check.claim: check.outcome for check in made.checks}


@pytest.mark.parametrize(("spread", "outcome"), [(as_claimed, "holds"), (contrary, "fails")])
def test_section_6_s_claims_hold_and_fail(spread, outcome, monkeypatch):
    bias = (lambda e: 0.02 * (e in ("cloned-bscv-5",))) if spread is as_claimed else (lambda e: 0.05 * (e in OLD))
    monkeypatch.setattr(synthetic, "cases_of", lambda p, run: cases(spread, bias=bias))
    found = outcomes(synthetic.claims(SyntheticParameters(), None))
    assert len(found) == 5
    assert set(found.values()) == {outcome}, found


@pytest.mark.parametrize(("spread", "outcome"), [(as_claimed, "holds"), (contrary, "fails")])
def test_the_claims_of_tables_4_to_6_hold_and_fail(spread, outcome, monkeypatch):
    places = ("breast-cancer", "vehicle", "pima", "iris")
    monkeypatch.setattr(uci, "cases_of", lambda p, run: cases(spread, places))
    for compute in (uci.table_4, uci.table_5, uci.table_6):
        found = outcomes(compute(UciParameters(), None))
        assert len(found) == 2
        assert set(found.values()) == {outcome}, found


def test_all_cases_together_hold_and_fail(monkeypatch):
    for spread, outcome in ((as_claimed, "holds"), (contrary, "fails")):
        both = cases(spread), cases(spread, ("pima", "vehicle"))
        monkeypatch.setattr(conclusions, "_halves", lambda p, run, both=both: both)
        p = conclusions.ConclusionsParameters()
        assert set(outcomes(conclusions.all_claims(p, None)).values()) == {outcome}
        gains = outcomes(conclusions.compare_gains(both[0], Streams(1)))
        wins = {claim: o for claim, o in gains.items() if claim.startswith("In most")}
        assert len(wins) == len(UNCLONED)
        assert set(wins.values()) == {outcome}


def test_gains_in_rmse_go_with_gains_in_spread_or_come_from_elsewhere():
    by_spread = [
        one
        for k in range(12)
        for one in cases(lambda e, k=k: (0.03 + 0.01 * k) if e == "cloned-632plus" else 0.08, (str(k),))
    ]
    by_bias = [
        one
        for k in range(12)
        for one in cases(
            lambda e, k=k: (0.02 + 0.004 * k) if e == "cloned-632plus" else 0.05,
            (str(k),),
            bias=lambda e, k=k: 0.5 - 0.04 * k if e == "cloned-632plus" else 0.1,
        )
    ]
    for made, outcome in ((by_spread, "holds"), (by_bias, "fails")):
        found = outcomes(conclusions.compare_gains(made, Streams(1)))
        (claim,) = [o for text, o in found.items() if "correlates" in text]
        assert claim == outcome


@pytest.mark.parametrize(
    ("half", "spread", "outcome"),
    [
        ("synthetic", as_claimed, "holds"),
        ("synthetic", contrary, "fails"),
        ("uci", contrary, "holds"),
        ("uci", as_claimed, "fails"),
    ],
)
def test_five_folds_of_clones_are_the_best_on_one_half_or_not(half, spread, outcome):
    (check,) = conclusions.compare_on_half(cases(spread), half, Streams(2)).checks
    assert check.outcome == outcome, check


@pytest.mark.parametrize(("spread", "outcome"), [(as_claimed, "holds"), (contrary, "fails")])
def test_the_claims_about_both_forms_hold_and_fail(spread, outcome):
    found = outcomes(compare_forms(cases(spread), Streams(1), "synthetic"))
    assert len(found) == 2
    assert set(found.values()) == {outcome}, found


def test_most_is_more_than_half_and_what_trials_could_undo_is_not_decided():
    eight = tuple(cases(as_claimed))
    outcomes = [
        CaseCount(eight, (True,) * number + (False,) * (8 - number), (share,) * 8).in_most().outcome
        for number in (1, 4, 5, 7)
        for share in (0.0, 0.15)
    ]
    assert outcomes == ["fails", "fails", "fails", "not decided", "holds", "not decided", "holds", "holds"]


@pytest.mark.parametrize(
    ("value", "se", "outcome"),
    [(0.5, 0.001, "holds"), (0.55, 0.001, "fails"), (0.45, 0.001, "fails"), (0.5, 0.05, "not decided")],
)
def test_an_error_of_a_half_holds_or_fails(value, se, outcome):
    (check,) = judge_claims(synthetic.NO_INFORMATION, Estimate(value, se, 200))
    assert check.outcome == outcome


def test_a_case_that_lacks_an_estimator_is_passed_over():
    lacking = cases(as_claimed)
    lacking[0].frame.pop("cloned-632")
    counts = {
        r.row: r for r in conclusions.compare_gains(lacking, Streams(1)).rows if r.column == "correlation-of-gains"
    }
    assert counts["cloned-632"].n == counts["cloned-naive"].n - 1


@pytest.mark.parametrize(("continuous", "outcome"), [(18, "holds"), (0, "fails"), (17, "fails")])
def test_continuous_features_are_counted(continuous, outcome):
    (check,) = judge_claims(uci.CONTINUOUS, exact(continuous), 18, claimed=18, of=18, name="vehicle")
    assert check.outcome == outcome


def test_claims_on_cost_fail_where_counts_differ():
    p = cost.CostParameters()
    work = cost.table_7(p, None).data["work"]
    for estimator, outcomes_ in (
        ("", ["holds", "holds"]),
        ("cloned-naive", ["fails", "holds"]),
        ("repeated-cv-5", ["holds", "fails"]),
    ):
        changed = work.assign(fits=work["fits"].where(work["estimator"] != estimator, 9))
        assert [c.outcome for c in cost.judge_cost(p, changed).checks] == outcomes_
