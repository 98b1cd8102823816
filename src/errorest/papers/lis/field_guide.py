"""A field guide to the estimators: what each trains on, tests on, costs, and how far it can be trusted.

Counts come from the schemes themselves, biases and spreads from the study behind the page's claims.
"""

from __future__ import annotations

import pandas as pd

from errorest import accuracy
from errorest.estimators import parse_estimator
from errorest.papers.lis.claims import INDUCERS, Cells, ClaimParameters, claims_study, estimator_ids
from errorest.papers.lis.tables import count
from errorest.papers.regenerated import Regenerated, Run
from errorest.populations import TwoNormals
from errorest.rng import Streams

__all__ = ["field_guide"]


def field_guide(p: ClaimParameters, run: Run) -> Regenerated:
    """What each estimator trains on, tests on, costs, and how biased and variable it is, on one example.

    The example is the cell of the middle size and the middle inherent error.

    Parameters
    ----------
    p : ClaimParameters
    run : callable

    Returns
    -------
    Regenerated
        Data ``guide``: an estimator and inducer a row, with distinct training cases and tested cases a
        fit (means), fits, and bias, standard deviation and rms in percent with their standard errors.

    Examples
    --------
    >>> from errorest.study import run_study
    >>> p = ClaimParameters(sizes=[10, 20], inherent_errors=[0.1, 0.4], samples=20, cv_repeats=5)
    >>> guide = field_guide(p, run_study).data["guide"].set_index(["inducer", "estimator"])
    >>> int(guide.loc[("1-nn", "leave-one-out"), "fits"])
    20
    """
    cells = Cells(run(claims_study(p)))
    n, error = sorted(p.sizes)[len(p.sizes) // 2], sorted(p.inherent_errors)[len(p.inherent_errors) // 2]
    sample = TwoNormals.of_inherent_error(error).sample(n, Streams(p.seed).generator("guide"))
    lines = []
    for inducer in INDUCERS:
        cell = cells.of[inducer, n, error]
        for name, text in estimator_ids(p).items():
            scheme = parse_estimator(text).schemes[-1]
            counted = count(scheme.resamples(sample, Streams(p.seed).generator("guide", scheme.id)))
            d = 100 * (cell[name] - cell["true error"]).to_numpy()
            bias, rms = accuracy.mean(d), accuracy.rms(d)
            sd = accuracy.standard_deviation(100 * cell[name].to_numpy())
            lines.append(
                {
                    "inducer": inducer,
                    "estimator": name,
                    "trains on": float(counted["distinct-training-cases"]),
                    "tests on": float(counted["testing-cases"]),
                    "fits": int(counted["iterations"]),
                    "bias": bias.value,
                    "bias se": bias.se,
                    "sd": sd.value,
                    "sd se": sd.se,
                    "rms": rms.value,
                    "rms se": rms.se,
                }
            )
    return Regenerated(data={"guide": pd.DataFrame(lines)})
