"""Section 7 of Martin & Hirschberg: conclusions as checks, on the studies of the other notebooks."""

import numpy as np
import pandas as pd
import pytest

from errorest.papers.martin_hirschberg.conclusions import artifacts as module
from errorest.papers.martin_hirschberg.conclusions.artifacts import conclusions
from errorest.papers.martin_hirschberg.conclusions.experiment import ConclusionsParameters, studies
from errorest.papers.martin_hirschberg.conclusions.methods import Method
from errorest.papers.martin_hirschberg.discriminant.artifacts import table_4
from errorest.papers.martin_hirschberg.discriminant.experiment import DiscriminantParameters
from errorest.papers.martin_hirschberg.lenses.experiment import LensesParameters, noise_study
from errorest.papers.martin_hirschberg.neighbors.artifacts import figure_9
from errorest.papers.martin_hirschberg.neighbors.experiment import NeighborsParameters
from errorest.study.study import run_study
from made_up import study_of_estimates


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


def outcomes(run):
    made = conclusions(ConclusionsParameters(), run)
    return {c.claim: c.outcome for c in made.checks}


def of(found, start):
    return next(v for k, v in found.items() if k.startswith(start))


BIASED = {"resubstitution": -5.0, "bootstrap-632": -4.0, "loo-star": 3.0, "holdout-1/2": 3.0}


def test_the_first_conclusion_holds_where_loo_and_10_cv_alone_are_unbiased_everywhere():
    assert of(outcomes(study_of_estimates(BIASED)), "1. Leave-one-out and 10-CV are the only") == "holds"


@pytest.mark.parametrize("change", [{"cv-10": 5.0}, {"loo-star": 0.0}])
def test_the_first_conclusion_holds_in_part_where_one_of_them_or_another_differs(change):
    found = outcomes(study_of_estimates({**BIASED, **change}))
    assert of(found, "1. Leave-one-out and 10-CV are the only") == "holds in part"


def test_a_bias_that_cancels_between_populations_is_seen():
    table = pd.DataFrame(
        {
            "cell": np.repeat([0, 1], 50),
            "true-error": 0.2,
            "loo": np.repeat([0.15, 0.25], 50) + np.tile([0.001, -0.001], 50),
        }
    )
    method = Method(table, 6, "made up", "made-up", "literal")
    assert method.bias("loo").value == pytest.approx(0.0)
    assert method.biased_cells("loo", 1.0) == 100.0


def test_a_close_correlation_refutes_the_seventh_conclusion():
    assert of(outcomes(study_of_estimates(BIASED, r=3.0)), "7.") == "fails"


def test_negative_correlations_and_weak_ones_confirm_the_seventh_conclusion():
    assert of(outcomes(study_of_estimates(BIASED, r=-0.3)), "7.") == "holds"


def test_lower_spread_of_632b_is_found():
    assert of(outcomes(study_of_estimates(BIASED)), "4. 632b has a lower spread") == "holds"


def test_iteration_that_moves_the_estimate_is_found():
    assert (
        of(outcomes(study_of_estimates({**BIASED, "repeated-cv-2": 4.0})), "3. Iteration does not change")
        == "holds in part"
    )


def test_all_seven_conclusions_are_checked_on_real_samples():
    p = ConclusionsParameters(
        discriminant_samples=3, neighbor_samples=3, tree_samples=3, repeats=1, cv_repeats=2, bootstrap_replicates=5
    )
    made = conclusions(p, run_study)
    assert {c.claim[0] for c in made.checks} == set("1234567")
    assert all(np.isfinite(r.value) for r in made.rows)
    keys = [(r.reading, r.row, r.column) for r in made.rows]
    assert len(keys) == len(set(keys))
    assert not any(r.artifact for r in made.rows)


def test_footnote_3_counts_ordered_splits():
    evidence = module._footnote_3().evidence
    assert "30 splits" in evidence
    assert "15 ways" in evidence
