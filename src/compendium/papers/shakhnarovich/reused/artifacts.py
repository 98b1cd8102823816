"""Table 12 against itself: how many training samples lie behind its 50 trials.

Our own trials of setting 5 are independent; the printed means and deviations are held against
trials that reuse a few of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import signed
from compendium.evidence.records import each, parts
from compendium.evidence.regenerated import Check, Erratum, Outcome, Regenerated, Row, Run
from compendium.papers.shakhnarovich.methods import ESTIMATORS, TEN_FOLDS, TRUE_ERROR
from compendium.papers.shakhnarovich.names import LABELS, symbol_of
from compendium.papers.shakhnarovich.reused.evidence import (
    Printed,
    evidence_by_samples,
    group_that_fits,
    implied_correlation,
    unbiased_z,
)
from compendium.papers.shakhnarovich.reused.figures import draw_reused
from compendium.papers.shakhnarovich.synthetic.artifacts import cases_of
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from errorest.streams import Streams

__all__ = ["reused_samples"]

_SETTING = 5
_UNBIASED = "loo"
_JUDGED = ("1-nn", "3-nn")
_SIZES = (2, 3, 4, 5, 6, 8, 10, 15, 25, 50)
_GROUP = 5
_CLEAR = 3.0


def held_against_print(p: SyntheticParameters, result: Regenerated, published: pd.DataFrame) -> Regenerated:
    """Weigh how many training samples lie behind the printed Table 12, and choose a few of ours that fit it."""
    printed = _table_12(published)
    pairs = {
        (key, name): (part["estimate"].to_numpy(), part["truth"].to_numpy())
        for (key, name), part in parts(result.data.get("trials", _NO_TRIALS), "classifier", "estimator").items()
        if (key, name) in printed
    }
    names = [c for c in _JUDGED if (c, _UNBIASED) in pairs]
    if not names:
        return Regenerated()
    number = p.trials[p.settings.index(_SETTING)]
    weighed = evidence_by_samples(
        {c: pairs[c, _UNBIASED] for c in names},
        {c: (printed[c, _UNBIASED], printed[c, TRUE_ERROR]) for c in names},
        number,
        [s for s in _SIZES if s <= number],
        Streams(p.seed).generator("shakhnarovich-reused"),
    )
    trials, shares = group_that_fits({k: v for k, v in pairs.items() if k[0] in names}, printed, _GROUP)
    means = [
        {"classifier": c, "estimator": e, "independent": values.mean()}
        | {"independent_se": values.std(ddof=1) / sqrt(values.size), "group": float(values[trials] @ shares)}
        | {"printed": printed[c, e].mean}
        for (c, e), (values, _) in pairs.items()
        if c in names
    ]
    known = [c for c, e in printed if e == _UNBIASED]
    implied = pd.DataFrame([line for c in known for line in _implied(printed, c, number)])
    data = {
        "evidence": pd.DataFrame({"samples": list(weighed), "log_evidence": list(weighed.values())}),
        "group": pd.DataFrame({"trial": trials, "share": shares}),
        "means": pd.DataFrame(means),
        "implied": implied,
    }
    errata = [e for c in known for e in _contradiction(c, printed, implied, pairs, number)]
    return Regenerated(data=data, checks=[_check(weighed, names, number)], errata=errata)


_NO_TRIALS = pd.DataFrame(columns=["classifier", "estimator", "estimate", "truth"])


def _table_12(published: pd.DataFrame) -> dict[tuple[str, str], Printed]:
    """Return Table 12 as printed, by classifier and estimator."""
    table = published[(published["artifact"] == "shakhnarovich-table-12") & (published["kind"] == "result")]
    wide = table.assign(value=table["value"].astype(float)).pivot_table(index="row", columns="column", values="value")
    found = {}
    for row, mean, std, rmse in each(wide[["mean", "std", "rmse"]].reset_index()):
        classifier, estimator = row.split("/")
        found[classifier, estimator] = Printed(mean, std, rmse)
    return found


def _exact_mean(printed: dict[tuple[str, str], Printed], classifier: str, number: int) -> Printed:
    """Return the printed true error, its mean to one more digit where resubstitution is always 0.

    Then the RMSE of resubstitution is the root mean square of the true error itself.
    """
    truth, apparent = printed[classifier, TRUE_ERROR], printed[classifier, "resubstitution"]
    if apparent.mean or apparent.std:
        return truth
    mean = sqrt(max(apparent.rmse**2 - truth.std**2 * (number - 1) / number, 0.0))
    return truth._replace(mean=mean)


def _implied(printed: dict[tuple[str, str], Printed], classifier: str, number: int) -> list[dict[str, object]]:
    """Say how far the almost unbiased estimate lies off, and what correlations the printed numbers imply."""
    truth = _exact_mean(printed, classifier, number)
    z = unbiased_z(printed[classifier, _UNBIASED], truth, number)
    return [
        {"classifier": classifier, "estimator": e, "z": z}
        | {"correlation": implied_correlation(printed[classifier, e], truth, number)}
        for e in ESTIMATORS
        if (classifier, e) in printed and e != "resubstitution"
    ]


def _check(weighed: dict[int, float], names: list[str], number: int) -> Check:
    """Judge whether each trial may have had a sample of its own: 3 of log evidence are 20 to 1."""
    most = max(weighed.values())
    behind = most - weighed[max(weighed)]
    outcome: Outcome = "fails" if behind > _CLEAR else "holds" if behind < 1 else "not decided"
    told = ", ".join(f"{v:.0f} for {s}" for s, v in weighed.items())
    best = ", ".join(str(s) for s, v in weighed.items() if v >= most - 1)
    return Check(
        "Each trial of Table 12 has a training sample of its own.",
        "log evidence of the printed means and standard deviations of Err and CV×n for "
        f"{' and '.join(map(symbol_of, names))}, if {number} trials reuse so many training samples: {told}; it comes "
        f"within 1 of its maximum for {best}",
        outcome,
    )


def _contradiction(
    classifier: str,
    printed: Mapping[tuple[str, str], Printed],
    implied: pd.DataFrame,
    ours: Mapping[tuple[str, str], tuple[np.ndarray, np.ndarray]],
    number: int,
) -> list[Erratum]:
    """Say that a classifier's printed rows contradict one another, where the almost unbiased one is far from Err."""
    own = implied[implied["classifier"] == classifier]
    z = float(own["z"].iloc[0])
    if abs(z) <= _CLEAR:
        return []
    truth, estimate = printed[classifier, TRUE_ERROR], printed[classifier, _UNBIASED]
    known = own["correlation"].dropna()
    told = f"Were the {number} trials independent, {symbol_of(_UNBIASED)} would lie {z:+.1f} standard errors from Err"
    if len(known):
        told += (
            f", and means, standard deviations and RMSEs imply correlations of the estimators with Err of "
            f"{known.min():.2f} to {known.max():.2f} (median {known.median():.2f})"
        )
    if (classifier, _UNBIASED) in ours:
        values, true = ours[classifier, _UNBIASED]
        gap, spread = accuracy.mean(values - true), accuracy.standard_deviation(true)
        told += (
            f". Independent trials of ours ({gap.n}): {signed(gap.value, 4)} ± {gap.se:.4f} from Err, whose standard "
            f"deviation is {spread.value:.4f} ± {spread.se:.4f}"
        )
    return [
        Erratum(
            f"Table 12, {symbol_of(classifier)}",
            f"Err has a mean of {truth.mean:.3f} and a standard deviation of {truth.std:.4f}; {symbol_of(_UNBIASED)}, "
            f"which is almost unbiased, {estimate.mean:.3f} and {estimate.std:.4f}",
            "means that agree, as independent trials give them",
            f"{told}.",
        )
    ]


@artifact(
    "shakhnarovich-reused-samples",
    "On Table 12",
    "How many training samples lie behind Table 12",
    "Of our independent trials in setting 5: standard deviation of the true error, mean of leave-one-out minus true "
    "error, and their correlation.",
    draw=draw_reused,
    examine=held_against_print,
    labels=LABELS,
    enlarge=False,
)
def reused_samples(p: SyntheticParameters, run: Run) -> Regenerated:
    """Setting 5's trials one by one: how the true error varies, and with what it goes along."""
    cases = [case for case in cases_of(p, run) if case.place == str(_SETTING)]
    if not cases:
        return Regenerated(findings=[f"Setting {_SETTING} was not run."])
    rows: list[Row] = []
    frames, texts = [], []
    for c in cases:
        spread, gap = accuracy.standard_deviation(c.truth), accuracy.mean(c.errors(_UNBIASED))
        rows.append(Row.of(c.reading, c.classifier, "true-error-std", spread))
        rows.append(Row.of(c.reading, c.classifier, "loo-minus-true-error", gap))
        together = accuracy.correlation(c.truth, c.estimates[_UNBIASED])
        rows.append(Row.of(c.reading, c.classifier, "loo-correlation", together))
        reading = f" (*{c.reading}*)" if c.title != symbol_of(c.classifier) else ""
        texts.append(f"{symbol_of(c.classifier)} {spread.value:.4f} and {signed(gap.value, 4)} ± {gap.se:.4f}{reading}")
        # what small samples lack comes last
        for name in sorted(c.estimates, key=TEN_FOLDS.__contains__):
            values = c.estimates[name]
            part = {"classifier": c.key, "trial": np.arange(c.n), "estimator": name}
            frames.append(pd.DataFrame({**part, "estimate": values, "truth": c.truth}))
    finding = (
        f"In {cases[0].n} independent trials, the standard deviation of the true error and the mean of leave-one-out "
        f"minus the true error (± standard error): {'; '.join(texts)}. Leave-one-out is almost unbiased: over "
        "independent trials its mean has to come near the mean true error."
    )
    return Regenerated(rows, {"trials": pd.concat(frames, ignore_index=True)}, findings=[finding])
