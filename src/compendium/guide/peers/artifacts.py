"""The .632 family as other packages compute it, beside this library's, on a case small enough for pencil and paper.

Each package's way is described in its own function, in the words of this project; none of their code is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, isnan

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.guide.peers.experiment import Losses, PeersParameters, worked_case
from errorest.estimation.estimators import Variant, point_632_plus
from errorest.estimation.metrics.metric import ERROR_RATE


def _blend(apparent: float, err1: float, weight: float) -> float:
    return (1 - weight) * apparent + weight * err1


def _variant(name: Variant) -> Callable[[Losses], tuple[float, float]]:
    """Return the library's way, in one reading of the article."""

    def way(case: Losses) -> tuple[float, float]:
        parts = case.apparent, case.err1, case.gamma
        return _blend(case.apparent, case.err1, 0.632), point_632_plus(*parts, name)

    return way


def _overfitting(apparent: float, err1: float, gamma: float) -> float:
    """Return the relative overfitting rate as it stands, without a limit; NaN where gamma is the apparent error."""
    return (err1 - apparent) / (gamma - apparent) if gamma != apparent else float("nan")


def _caret(case: Losses) -> tuple[float, float]:
    # it has no .632+
    return _blend(case.apparent, float(case.by_replicate.mean()), 1 - exp(-1)), float("nan")


def _sortinghat(case: Losses) -> tuple[float, float]:
    r = _overfitting(case.apparent, case.err1, case.gamma)
    return _blend(case.apparent, case.err1, 0.632), _blend(case.apparent, case.err1, 0.632 / (1 - 0.368 * r))


def _mlxtend(case: Losses) -> tuple[float, float]:
    plain, plus = [], []
    for own, rate in zip(case.labels, case.by_replicate, strict=True):
        # the "training" error and gamma are the bootstrap classifier's, and on all cases
        apparent, gamma = float(np.mean(own != case.y)), ERROR_RATE.no_information(case.y, own, 2)
        plain.append(_blend(apparent, rate, 0.632))
        plus.append(_blend(apparent, rate, 0.632 / (1 - 0.368 * _overfitting(apparent, rate, gamma))))
    return float(np.mean(plain)), float(np.mean(plus))


# Each package's .632 and .632+ of a worked case, and its way in words
PACKAGES: Mapping[str, tuple[Callable[[Losses], tuple[float, float]], str]] = {
    "errorest": (
        _variant("efron-tibshirani"),
        "as in Efron & Tibshirani (1997): R from the error truncated at gamma, .632 untruncated",
    ),
    "errorest, truncated-632": (
        _variant("truncated-632"),
        "the other reading of that article: .632 from the truncated error too",
    ),
    "ipred, mt": (_variant("unbounded-r"), "R from the untruncated error, so that it can exceed 1"),
    "sortinghat": (_sortinghat, "R not limited, nothing truncated"),
    "caret": (_caret, "weights 1 - 1/e and 1/e for .632 and .368; replicates' own rates averaged; no .632+"),
    "mlxtend": (_mlxtend, "apparent error and gamma of each bootstrap classifier on all cases; replicates averaged"),
}


@artifact("guide-other-packages", matrix=True)
def other_packages(p: PeersParameters, run: Run) -> ArtifactResult:
    """The .632 and .632+ of the worked case, package by package (proportions)."""
    case = worked_case(p)
    results = {name: way(case) for name, (way, _) in PACKAGES.items()}
    rows = [
        Row("literal", name, column, value, 0.0, 1)
        for name, both in results.items()
        for column, value in zip(("632", "632plus"), both, strict=True)
        if not isnan(value)
    ]
    steps = pd.DataFrame(
        [
            ("apparent error", case.apparent),
            ("no-information rate, gamma", case.gamma),
            ("Err(1): mean over cases", case.err1),
            ("mean over replicates", float(case.by_replicate.mean())),
            ("R as it stands", _overfitting(case.apparent, case.err1, case.gamma)),
        ],
        columns=["quantity", "value"],
    )
    outside = [name for name, (_, plus) in results.items() if not (isnan(plus) or 0 <= plus <= 1)]
    return ArtifactResult(
        rows,
        {
            "steps": steps,
            "cases": _by_case(case),
            "packages": pd.DataFrame(
                [(name, *results[name], words) for name, (_, words) in PACKAGES.items()],
                columns=["package", ".632", ".632+", "what differs"],
            ),
        },
        [
            Check(
                "An error rate lies between 0 and 1, whatever the sample.",
                f".632+ leaves that range with: {', '.join(outside) or 'none'}",
                "fails" if outside else "holds",
            )
        ],
    )


def _by_case(case: Losses) -> pd.DataFrame:
    """Return the losses of the left-out cases: one row a case, a column a sample; NaN where it was drawn."""
    losses = np.where(case.left_out, (case.labels != case.y).astype(float), np.nan)
    table = pd.DataFrame(losses.T, columns=[f"sample {b + 1}" for b in range(losses.shape[0])])
    table.insert(0, "case", np.arange(case.y.shape[0]) + 1)
    table["mean"] = case.by_case
    return table
