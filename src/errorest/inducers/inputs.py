"""What inducers and their classifiers are given: the checks that they share."""

from __future__ import annotations

import numpy as np

from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError


def check_numeric(
    attributes: tuple[Attribute, ...], who: str, lacks: str, remedy: str = "choose another inducer"
) -> None:
    """Refuse nominal attributes, for one that computes with numbers."""
    for attribute in attributes:
        if attribute.kind == "nominal":
            raise UsageError(
                f"{who} was given the nominal attribute '{attribute.name}', which has no {lacks}; "
                f"expected continuous or integer attributes; leave it out, or {remedy}"
            )


def check_values(X: np.ndarray, attributes: tuple[Attribute, ...], who: str, *, finite: bool = False) -> None:
    """Refuse missing training values, shape (..., d); infinite ones too where ``finite``."""
    total = X.sum()
    # one sum is much faster than a look at each value, and is a number unless some value is none
    if np.isfinite(total) or not (finite or np.isnan(total)):
        return
    unfit = (~np.isfinite(X) if finite else np.isnan(X)).sum(axis=tuple(range(X.ndim - 1)))
    if unfit.any():
        j = int(np.nonzero(unfit)[0][0])
        raise UsageError(
            f"{who} was given {unfit[j]} missing {'or infinite ' if finite else ''}value(s) of attribute "
            f"'{attributes[j].name}'; expected none; fill them, remove those cases, or choose another inducer"
        )


def cases_to_label(
    X: np.ndarray, d: int, who: str, *, stacked: bool = False, missing: bool = False, finite: bool = False
) -> np.ndarray:
    """Return cases to label as a contiguous array, or refuse them."""
    values = np.ascontiguousarray(X, dtype=np.float64)
    unfit = 0
    if not missing and not np.isfinite(values.sum()):
        unfit = int((~np.isfinite(values) if finite else np.isnan(values)).sum())
    if values.ndim not in ((2, 3) if stacked else (2,)) or values.shape[-1] != d or unfit:
        kinds = "missing or infinite" if finite else "missing"
        raise UsageError(
            f"{who} was given cases of shape {values.shape}{'' if missing else f' with {unfit} {kinds} value(s)'} to "
            f"label; expected (m, {d}){'' if missing else f' and none {kinds}'}; give one column for each attribute of "
            "the training set"
        )
    return values


def case_counts(sample: Sample, weights: np.ndarray | None) -> np.ndarray:
    """Return how often each case counts; weights that are no numbers of copies are refused."""
    counts = np.ones(sample.n, dtype=np.int64) if weights is None else np.asarray(weights)
    if (
        counts.shape != (sample.n,)
        or not np.isfinite(counts).all()
        or (counts != np.rint(counts)).any()
        or counts.min() < 0
        or counts.max() == 0
    ):
        raise UsageError(
            f"{sample.name}: these weights cannot be used; expected {sample.n} whole numbers from 0 on, not all 0; "
            "say how often each case counts"
        )
    return counts.astype(np.int64)
