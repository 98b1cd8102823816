"""A field guide to the estimators: what each trains on, tests on, costs, and how far it can be trusted.

Counts come from the schemes themselves, biases and spreads from the study behind the page's claims.
"""

from __future__ import annotations

import pandas as pd

from errorest.estimation.estimators import parse_estimator
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.regenerated import Regenerated, Row, Run
from errorest.experiment.populations import TwoNormals
from errorest.papers.lis.claims import INDUCERS, Cells, ClaimParameters, claims_study, estimator_ids
from errorest.papers.lis.tables import count
from errorest.streams import Streams

__all__ = ["INDUCER_NAMES", "KEYS", "field_guide"]

KEYS = {
    "training set": "resubstitution",
    "holdout": "holdout-1/3",
    "random subsampling": "random-subsampling",
    "repeated 2-fold": "repeated-cv-2",
    "10-fold": "cv-10",
    "stratified 10-fold": "stratified-cv-10",
    "leave-one-out": "loo",
    "e0": "bootstrap-e0",
    ".632B": "bootstrap-632",
}
"""The page's estimators and the keys that the book's tables name them by."""

INDUCER_NAMES = {"threshold": "A threshold", "1-nn": "The nearest neighbour"}
"""The inducers of the study, as a sentence begins with them."""


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
        Rows of ``lis-field-guide``, a quantity a row and an estimator a column; data ``guide``: an estimator
        and inducer a row, with distinct training cases and tested cases a fit (means), fits, and bias,
        standard deviation and rms in percent with their standard errors.

    Examples
    --------
    >>> from errorest.study.study import run_study
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
    guide = pd.DataFrame(lines)
    return Regenerated(_rows(guide, p.samples), data={"guide": guide}, findings=_findings(guide, n, error, p.samples))


def _rows(guide: pd.DataFrame, samples: int) -> list[Row]:
    reading, rows = "unstated:two-normals", []
    for estimator, lines in guide.groupby("estimator", sort=False):
        first = lines.iloc[0]
        for quantity in ("trains on", "tests on", "fits"):
            value = float(first[quantity])
            # a mean over bootstrap samples is no whole number, and its scatter is of no interest here
            error = 0.0 if value.is_integer() else float("nan")
            rows.append(Row(reading, quantity.replace(" ", "-"), KEYS[str(estimator)], value, error, 1))
        for line in lines.to_dict("records"):
            for quantity, key in (("bias", "bias-percent"), ("sd", "std-percent"), ("rms", "rms-percent")):
                name = f"{line['inducer']}/{key}"
                rows.append(Row(reading, name, KEYS[str(estimator)], line[quantity], line[f"{quantity} se"], samples))
    return rows


def _findings(guide: pd.DataFrame, n: int, error: float, samples: int) -> list[str]:
    found = []
    for inducer, lines in guide.groupby("inducer", sort=False):
        rms = lines.set_index("estimator")["rms"]
        bias = lines.set_index("estimator")["bias"]
        least = str(bias.abs().idxmin())
        steady = lines[lines.estimator != "training set"].set_index("estimator")["sd"].idxmin()
        found.append(
            f"{INDUCER_NAMES[str(inducer)]}, {n} cases, inherent error {100 * error:g} %, {samples} samples: "
            f"the least rms belongs to *{rms.idxmin()}* ({rms.min():.1f} points), the least bias to "
            f"*{least}* ({bias[least]:+.1f}), and apart from the training set's own error "
            f"*{steady}* varies least; the training set's error is off by {bias['training set']:+.1f}."
        )
    return found
