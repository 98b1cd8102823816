"""Section 7 of Martin & Hirschberg: conclusions as checks, on the studies of the other notebooks."""

import numpy as np
import pandas as pd
import pytest

from compendium.papers.martin_hirschberg.conclusions import artifacts as module
from compendium.papers.martin_hirschberg.conclusions.artifacts import conclusions
from compendium.papers.martin_hirschberg.conclusions.experiment import ConclusionsParameters, studies
from compendium.papers.martin_hirschberg.conclusions.methods import Method
from compendium.papers.martin_hirschberg.discriminant.artifacts import table_4
from compendium.papers.martin_hirschberg.discriminant.experiment import DiscriminantParameters
from compendium.papers.martin_hirschberg.lenses.experiment import LensesParameters, noise_study
from compendium.papers.martin_hirschberg.neighbors.artifacts import figure_9
from compendium.papers.martin_hirschberg.neighbors.experiment import NeighborsParameters
from compendium.studies.study import run_study
from made_up import outcomes, refuted, study_of_estimates


class Stop(Exception):
    pass


def asked_for(compute, parameters):
    """Return the study that a function asks for first."""
    seen = []

    def run(study):
        seen.append(study)
        raise Stop

    with pytest.raises(Stop):
        compute(parameters, run)
    return seen[0]


def same(one, other):
    fields = ("id", "cells", "counts", "seed", "seed_keys", "data", "chunk")
    measures = [getattr(s.measure, "args", s.measure) for s in (one, other)]
    return measures[0] == measures[1] and all(getattr(one, f) == getattr(other, f) for f in fields)


@pytest.mark.parametrize("larger", [False, True])
def test_the_studies_are_those_of_the_other_notebooks(larger):
    def scaled(p):
        return p.enlarged() if larger else p

    own = studies(scaled(ConclusionsParameters()))
    assert same(own["discriminant"], asked_for(table_4, scaled(DiscriminantParameters())))
    assert same(own["neighbors"], asked_for(figure_9, scaled(NeighborsParameters())))


def test_the_enlarged_trees_are_those_of_the_lenses_and_samples_are_shared_in_any_case():
    theirs = noise_study(LensesParameters())
    assert same(studies(ConclusionsParameters().enlarged())["trees"], theirs)
    small = studies(ConclusionsParameters())["trees"]
    assert (small.id, small.cells, small.seed) == (theirs.id, theirs.cells, theirs.seed)


def outcomes_of(run):
    return outcomes(conclusions(ConclusionsParameters(), run))


def of(found, start):
    return next(v for k, v in found.items() if k.startswith(start))


BIASED = {"resubstitution": -5.0, "bootstrap-632": -4.0, "loo-star": 3.0, "holdout-1/2": 3.0}
AS_PRINTED = {"resubstitution": -5.0, "cv-2": 1.0, "cv-5": 1.0, "repeated-cv-2": 1.0, "repeated-cv-5": 1.0}
AS_PRINTED |= {f"holdout-1/{k}": 3.0 for k in (2, 3, 4)}


def worlds():
    """Results in which, together, every conclusion is wrong."""
    wide = {"bootstrap-632": 3.0, "loo-star": 3.0, "loo": 2.0, **{f"repeated-cv-{k}": 3.0 for k in (2, 5, 10)}}
    opposite = dict.fromkeys(("cv-10", "loo", "cv-2", "cv-5", "loo-star"), -9.0) | {"repeated-cv-2": 9.0}
    opposite |= {f"holdout-1/{k}": -20.0 for k in (2, 3, 4)}
    steady = {"loo-star": 0.1, "loo": 3.0, **{f"holdout-1/{k}": 0.1 for k in (2, 3, 4)}}
    yield study_of_estimates(opposite, widths=wide, count=200)
    yield study_of_estimates({}, widths=steady, count=2000)
    yield study_of_estimates(BIASED, r=3.0, count=200)


def test_every_conclusion_fails_where_the_numbers_say_so():
    p = ConclusionsParameters()
    failed, checked = refuted(*(conclusions(p, run) for run in worlds()))
    assert checked - failed == set()
    assert len(checked) == 15


def test_a_bias_that_cancels_between_populations_is_seen():
    table = pd.DataFrame(
        {
            "cell": np.repeat([0, 1], 50),
            "n": np.repeat([10, 20], 50),
            "true-error": 0.2,
            "loo": np.repeat([0.15, 0.25], 50) + np.tile([0.001, -0.001], 50),
        }
    )
    method = Method(table, 6, "made up", "made-up", "literal")
    assert method.bias("loo").value == pytest.approx(0.0)
    assert {k: round(m.value) for k, m in method.biases("loo").items()} == {"N = 10": -5, "N = 20": 5}


def test_negative_correlations_and_weak_ones_confirm_the_seventh_conclusion():
    assert of(outcomes_of(study_of_estimates(BIASED, r=-0.3, count=200)), "7.") == "holds"


@pytest.mark.parametrize(("bias", "words"), [(0.0, "within the limit"), (9.0, "beyond the limit")])
def test_the_advice_follows_the_checks(bias, words):
    made = conclusions(ConclusionsParameters(), study_of_estimates({**AS_PRINTED, "cv-10": bias}, count=400))
    (said,) = made.findings
    assert words in said


def test_all_seven_conclusions_are_checked_on_real_samples():
    p = ConclusionsParameters(
        discriminant_samples=3, neighbor_samples=3, tree_samples=3, repeats=1, cv_repeats=2, bootstrap_replicates=5
    )
    made = conclusions(p, run_study)
    assert {c.claim[0] for c in made.checks} == set("1234567S")
    assert all(np.isfinite(r.value) for r in made.rows)
    keys = [(r.reading, r.row, r.column) for r in made.rows]
    assert len(keys) == len(set(keys))
    assert not any(r.artifact for r in made.rows)


def test_footnote_3_counts_ordered_splits():
    evidence = module._footnote_3().evidence
    assert "30 splits" in evidence
    assert "15 ways" in evidence
