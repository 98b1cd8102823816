"""Made-up samples in place of a study's: true errors around 20 %, estimates with biases, spreads and correlations."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compendium.book import catalogue
from compendium.book.session import captioned
from compendium.papers.martin_hirschberg.neighbors.experiment import inducer_name
from compendium.plots.picture import Drawing

WIDTHS = {"holdout-1/2": 1.5, "holdout-1/3": 1.5, "holdout-1/4": 1.5, "bootstrap-632": 0.6}


def with_texts(artifact_id, drawing, parameters):
    """Return a figure with the caption and the alternative text that its page shows."""
    spec = catalogue.artifact(artifact_id)[1]
    return captioned(spec, drawing, parameters) if isinstance(drawing, Drawing) else drawing


def study_of_estimates(biases=None, r=0.0, widths=None, count=40, estimate=None, truth=0.2):
    """Return a runner of studies whose results are made up.

    Parameters
    ----------
    biases : mapping of estimator to points, or function of (estimator, cell) to points
    r : slope of an estimate on the true error
    widths : mapping of estimator to the spread of its noise, in units of two points
    count : samples of each cell
    """
    widths = WIDTHS if widths is None else widths
    bias = biases if callable(biases) else lambda e, cell: (biases or {}).get(e, 0.0)

    def estimates(cell, rng):
        true = truth + 0.02 * rng.standard_normal(count)
        shared = rng.standard_normal(count) if estimate is not None else np.zeros(count)
        for name in cell.get("rules") or cell.get("readings") or [inducer_name(k) for k in cell["neighbors"]]:
            yield name, "true-error", true
            for e in cell["estimators"]:
                own = rng.standard_normal(count) if estimate is None else estimate * shared
                noise = 0.02 * widths.get(e, 1.0) * own
                yield name, e, truth + r * (true - truth) + noise + bias(e, cell) / 100

    def run(study):
        rng = np.random.default_rng(0)
        drawn, keys = [], []
        for number, cell in enumerate(study.cells):
            own = {k: v for k, v in cell.items() if k in ("n", "inherent_error", "noise")} | {"cell": number}
            for name, quantity, values in estimates(cell, rng):
                drawn.append(values)
                keys.append(own | {"inducer": name, "quantity": quantity})
        # one table, since thousands of small ones take long to put together
        table = pd.DataFrame(keys).loc[np.repeat(np.arange(len(keys)), count)].reset_index(drop=True)
        table.insert(0, "replicate", np.tile(np.arange(count), len(keys)))
        table.insert(1, "value", np.concatenate(drawn))
        # the lines of a sample stand together
        table = table.sort_values(["cell", "replicate"], kind="stable", ignore_index=True)
        return table.astype({"inducer": "category", "quantity": "category"})

    return run


def outcomes(made):
    """Return the outcome of each check by its claim, without the reading."""
    return {c.claim.partition(" [")[0]: c.outcome for c in made.checks}


def refuted(*made):
    """Return the claims that fail in one of several worlds, and those that are checked."""
    found = [outcomes(m) for m in made]
    return {k for o in found for k, v in o.items() if v == "fails"}, {k for o in found for k in o}
