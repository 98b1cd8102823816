"""The LIS page: its tables counted from the schemes, its claims executed."""

from __future__ import annotations

import itertools
from functools import lru_cache

import numpy as np
import pandas as pd
import pytest

from compendium.papers.bootstrap import distinct_share
from compendium.papers.lis.artifacts import (
    all_tested,
    counted_as,
    field_guide,
    figure_7,
    special_case,
    table_5,
    table_6,
)
from compendium.papers.lis.claims import Cell, Key, checks_of, claims, iterations_needed
from compendium.papers.lis.experiment import (
    DESIGNS,
    EXPRESSIONS,
    SCATTER,
    FieldGuideParameters,
    claims_study,
    expression,
)
from compendium.studies.study import run_study
from errorest.errors import UsageError
from errorest.streams import Streams

P = FieldGuideParameters(sizes=[10, 20, 40], inherent_errors=[0.1, 0.25, 0.4], samples=120, cv_repeats=20)


@lru_cache(maxsize=1)
def results():
    return run_study(claims_study(P))


def test_expressions_of_the_tables_are_counted_from_the_schemes():
    p = FieldGuideParameters()
    five, six, seven = (make(p).data["expressions"].set_index("scheme") for make in (table_5, table_6, figure_7))
    assert five.loc["holdout"].tolist() == ["j", "n - j", "1"]
    assert five.loc["random-subsampling"].tolist() == ["j", "n - j", "B"]
    assert six.loc["leave-one-out"].tolist() == ["n - 1", "1", "n"]
    assert six.loc["cv-10"].tolist() == ["90%", "10%", "10"]
    assert seven.loc["bootstrap"].tolist() == ["n (j unique)", "n - j", "B"]


def test_no_two_expressions_agree_on_the_designs():
    values = [tuple(f(d) for d in DESIGNS) for f in EXPRESSIONS.values()]
    assert len(set(values)) == len(values)
    assert expression([f(d) + 1 for f, d in zip([EXPRESSIONS["B"]] * len(DESIGNS), DESIGNS, strict=True)]) == ""


def test_all_checks_of_the_tables_hold():
    for make in (table_5, table_6, figure_7):
        assert [c.outcome for c in make(FieldGuideParameters()).checks] == ["holds"] * len(
            make(FieldGuideParameters()).checks
        )


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_distinct_share_equals_enumeration_of_all_bootstrap_samples(n):
    brute = np.mean([len(set(drawn)) for drawn in itertools.product(range(n), repeat=n)]) / n
    assert distinct_share(n) == pytest.approx(brute)


def test_distinct_share_nears_its_limit_and_refuses_no_cases():
    assert distinct_share(10**9) == pytest.approx(1 - np.exp(-1), abs=1e-9)
    with pytest.raises(UsageError, match="expected at least 1"):
        distinct_share(0)


def test_iterations_needed_of_a_known_spread():
    rng = np.random.default_rng(2)
    size, B, within, between = 20_000, 10, 4.0, 1.0
    cell = pd.DataFrame(
        {
            "bootstrap-e0": rng.normal(0, np.sqrt(between + within / B), size),
            SCATTER: within * rng.chisquare(B - 1, size) / (B - 1),
        }
    )
    found = iterations_needed(cell, B)
    # false alarm once in 16,000
    assert abs(found.value - within / between / (1.01**2 - 1)) < 4 * found.se
    assert found.n == size


def test_the_study_repeats_itself_replicate_by_replicate():
    study = claims_study(P)
    together, alone = (study.measure(study.cells[0], r, Streams(3)) for r in (range(3), range(2, 3)))
    assert together["value"][-len(alone["value"]) :] == alone["value"]
    assert set(together["replicate"]) == {0, 1, 2}


def test_claims_yield_the_printed_keys():
    made = claims(P, lambda study: results())
    by_key = {(r.reading, r.column): r.value for r in made.rows if not r.artifact}
    assert by_key["literal", "distinct-fraction"] == pytest.approx(0.632, abs=5e-4)
    assert by_key["literal", "test-fraction"] == pytest.approx(0.368, abs=5e-4)
    assert by_key["literal", "distinct-cases-percent"] == pytest.approx(63.21, abs=5e-3)
    assert any(r.artifact == "lis-figure-7" and r.column == "iterations" for r in made.rows)
    assert "63.2" in made.errata[0].should_be


def test_claims_that_the_theory_settles_come_out_as_it_says():
    # differences of many standard errors, so a false alarm is far below one in a million
    made = {c.claim: c.outcome for c in claims(P, lambda study: results()).checks}
    assert made["Random subsampling has less rms than a single train-and-test partition."] == "holds"
    assert made["The training set error is an overoptimistic estimate."] == "holds"
    assert made["200 bootstrap iterations cost more than leave-one-out."] == "holds"


# estimators of a made-up world: bias and standard deviation in points at n = 20, slope on the true error
AS_CLAIMED = {
    "resubstitution": (-9, 2, 0), "holdout-1/3": (0, 12, 0), "random-subsampling": (0, 4, 0), "loo": (0, 4, -1),
    "repeated-cv-2": (2, 3, 2), "cv-10": (0, 4, 0), "stratified-cv-10": (0, 3, 0), "bootstrap-e0": (2, 2, 2),
    "bootstrap-632": (-1.5, 1.5, 0),
}  # fmt: skip
REVERSED = {
    "resubstitution": (9, 2, 0), "holdout-1/3": (0, 1, 0), "random-subsampling": (0, 20, 0), "loo": (12, 2, 2),
    "repeated-cv-2": (5, 9, -2), "cv-10": (0, 90, 0), "stratified-cv-10": (0, 120, 0), "bootstrap-e0": (-40, 9, -2),
    "bootstrap-632": (40, 9, 0),
}  # fmt: skip
WHERE_LOO_IS_LAST = REVERSED | {"loo": (90, 2, 2), "bootstrap-e0": (-3, 2, 0), "bootstrap-632": (1, 2, 0)}


def world(estimators, p, shrinks=True):
    """Cells in which the estimators lie as they are told to; the spread shrinks with n, or grows."""
    rng, cells = np.random.default_rng(5), {}
    for inducer, n, error in itertools.product(("threshold", "1-nn"), p.sizes, p.inherent_errors):
        scale = 20 / n if shrinks else n / 20
        truth = error + 0.02 * rng.normal(size=400)
        own = {"true-error": truth}
        for name, (bias, sd, slope) in estimators.items():
            noise = sd * scale * rng.normal(size=400) / 100
            own[name] = truth + bias / 100 + slope * (truth - error) + noise
        cells[Key(inducer, n, error)] = Cell(pd.DataFrame(own))
    return cells


def test_every_claim_can_hold_and_can_fail():
    p = FieldGuideParameters(sizes=[20, 100], inherent_errors=[0.1, 0.4])
    many = FieldGuideParameters(sizes=[300, 600], inherent_errors=[0.1, 0.4])
    made = [
        checks_of(p, world(AS_CLAIMED, p)),
        checks_of(p, world(REVERSED, p, shrinks=False)),
        checks_of(p, world(WHERE_LOO_IS_LAST, p)),
        checks_of(p, world(AS_CLAIMED | {"bootstrap-e0": (0.5, 1, 0)}, p)),
        checks_of(many, world(AS_CLAIMED, many)),
    ]
    for found in zip(*made, strict=True):
        assert {"holds", "fails"} <= {c.outcome for c in found}, found[0].claim
        # what was sampled says how many samples there are; fits are counted
        assert all("; n = " in c.evidence or "fits" in c.evidence for c in found)


def test_few_samples_decide_nothing():
    p = FieldGuideParameters(sizes=[20, 100], inherent_errors=[0.1, 0.4])
    few = {key: Cell(cell.samples[:20]) for key, cell in world(AS_CLAIMED | {"loo": (0, 9, 0)}, p).items()}
    made = {c.claim: c.outcome for c in checks_of(p, few)}
    assert made["Leave-one-out is almost unbiased (within one point)."] == "not decided"


def test_a_contrast_has_the_error_of_many_repetitions():
    # |z| < 4 of a standard deviation of 400 repetitions: false alarm below 1e-4, fixed seed
    rng = np.random.default_rng(3)
    for quantity in ("rms", "sd"):
        found = []
        for _ in range(400):
            e = rng.normal(0.02, 0.1, 200)
            own = {"true-error": np.full(200, 0.3), "a": 0.3 + e, "b": 0.3 + 0.5 * e + rng.normal(0, 0.1, 200)}
            found.append(Cell(pd.DataFrame(own)).contrast(quantity, "a", "b", 1.1))
        spread = np.std([m.value for m in found], ddof=1)
        assert abs(np.mean([m.se for m in found]) / spread - 1) < 4 / np.sqrt(2 * 399)


def test_tables_can_fail():
    assert counted_as("holdout", ["j", "n - j", "1"], ("j", "n - j", "1")).outcome == "holds"
    assert counted_as("holdout", ["j", "", "1"], ("j", "n - j", "1")).outcome == "fails"
    assert all_tested([np.array([1, 1]), np.array([1, 0])]).outcome == "fails"
    assert special_case([True, False]).outcome == "fails"


def test_errata_say_what_a_run_shows_or_why_none_is_needed():
    found = [*figure_7(P).errata, *claims(P, lambda study: results()).errata]
    assert len(found) == 3
    assert all(e.evidence.startswith("No run is needed") or any(ch.isdigit() for ch in e.evidence) for e in found)


def test_field_guide_counts_fits_and_cases():
    guide = field_guide(P, lambda study: results()).data["guide"].set_index(["inducer", "estimator"])
    loo, boot, half = (guide.loc["threshold", name] for name in ("leave-one-out", "e0", "repeated 2-fold"))
    assert (loo["trains on"], loo["tests on"], loo["fits"]) == (19, 1, 20)
    assert (half["trains on"], half["fits"]) == (10, 2 * P.cv_repeats)
    assert boot["fits"] == 200
    assert boot["trains on"] + boot["tests on"] == pytest.approx(20)
    assert abs(boot["trains on"] - 20 * distinct_share(20)) < 0.5
    assert guide.loc[("1-nn", "training set"), "sd"] == 0
