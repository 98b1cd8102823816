"""Section 7 of Martin & Hirschberg: conclusions as checks, on the studies of the other notebooks."""

import numpy as np
import pandas as pd
import pytest

from compendium.papers.martin_hirschberg.conclusions import biases
from compendium.papers.martin_hirschberg.conclusions_study import ConclusionsParameters, Method, Methods, studies
from compendium.papers.martin_hirschberg.discriminant.study import DiscriminantParameters
from compendium.papers.martin_hirschberg.discriminant.table_4 import table_4
from compendium.papers.martin_hirschberg.estimators import FACTORS
from compendium.papers.martin_hirschberg.lenses.study import LensesParameters, noise_study
from compendium.papers.martin_hirschberg.neighbors.figure_9 import figure_9
from compendium.papers.martin_hirschberg.neighbors.study import NeighborsParameters
from compendium.studies.study import pieces_of


class Asked(Exception):
    """Stops a function at the first study that it asks for."""


def asked_for(compute, parameters):
    def run(study):
        raise Asked(study)

    with pytest.raises(Asked) as stopped:
        compute(parameters, run)
    return stopped.value.args[0]


def chunks(study):
    return [piece.key for piece in pieces_of(study)]


@pytest.mark.parametrize("larger", [False, True])
def test_the_studies_are_those_of_the_other_notebooks(larger):
    def scaled(p):
        return p.enlarged() if larger else p

    own, trees = studies(scaled(ConclusionsParameters())), noise_study(LensesParameters())
    assert chunks(own["discriminant"]) == chunks(asked_for(table_4, scaled(DiscriminantParameters())))
    assert chunks(own["neighbors"]) == chunks(asked_for(figure_9, scaled(NeighborsParameters())))
    # the lenses run as many trees as the enlarged scale has, and share the samples of the published one
    assert (own["trees"].id, own["trees"].cells, own["trees"].seed) == (trees.id, trees.cells, trees.seed)
    assert (chunks(own["trees"]) == chunks(trees)) == larger


def test_a_bias_that_cancels_between_populations_is_seen():
    columns = {"cell": np.repeat([0, 1], 50), "n": np.repeat([10, 20], 50), "true-error": 0.2}
    estimate = np.repeat([0.15, 0.25], 50) + np.tile([0.001, -0.001], 50)
    method = Method(pd.DataFrame(columns | {"loo": estimate}), factors=FACTORS, label="made up")
    assert method.bias("loo").value == pytest.approx(0.0)
    results = {e.label: round(e.value) for e in biases(Methods([method], [], []), "loo")}
    assert results == {"made up, N = 10": -5, "made up, N = 20": 5}
