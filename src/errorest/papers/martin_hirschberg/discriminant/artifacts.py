"""Section 3's main experiment: fourteen estimators on a one-attribute discriminant.

Samples of several sizes come from two normal classes with a given inherent
error; each estimator is compared with the true error of the classifier made
of the whole sample.  Tables 4 and 5a-d come from one study, in two readings
of the class-reversal rule.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from errorest.estimation.estimators import parse_estimator
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.monte_carlo import Measured
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Row, Run, rows_of
from errorest.papers.martin_hirschberg.designs import (
    ESTIMATOR_IDS,
    discriminant_study,
    library_id,
    measure_discriminant,
)
from errorest.papers.parameters import InherentErrors, Parameters, Sizes, parameter

__all__ = [
    "ESTIMATOR_IDS",
    "READINGS",
    "DiscriminantParameters",
    "differences",
    "discriminant_study",
    "measure_discriminant",
    "table_4",
    "table_5_correlations",
    "table_5_differences",
]

READINGS = {"literal": "literal", "class-0-mean": "fitted:class-0-mean"}
"""Reversal rule to name of the reading; the first is the headline."""

Rule = Literal["literal", "class-0-mean"]


class DiscriminantParameters(Parameters):
    """Parameters of Tables 4 and 5."""

    sizes: Sizes = parameter([10, 20, 30, 50, 100], "sample sizes N", min_length=1)
    inherent_errors: InherentErrors = parameter(
        [0.5, 0.4, 0.25, 0.1, 0.05, 0.02, 0.01, 0.001], "inherent errors of the populations, proportions", min_length=1
    )
    samples: int = parameter(100, "samples of each size and inherent error", ge=2, preview=20)
    repeats: int = parameter(5, "enlarged run: how many times the samples; 1 for none", ge=1, preview=1)
    cv_repeats: int = parameter(100, "iterations of iterated cross-validation", ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, "bootstrap samples, B", ge=1, preview=50)
    estimators: list[str] = parameter(list(ESTIMATOR_IDS), "estimators, by the ids of Table 4", min_length=1)
    reversal_rules: list[Rule] = parameter(
        list(READINGS), "readings of the class-reversal rule; the first is the headline", min_length=1
    )

    @field_validator("sizes", "inherent_errors", "estimators", "reversal_rules")
    @classmethod
    def _no_value_twice(cls, value: list[Any]) -> list[Any]:
        for v in value:
            if value.count(v) > 1:
                raise ValueError(f"{v} stands twice; expected no value twice; leave one out")
        return value

    @field_validator("estimators")
    @classmethod
    def _estimators(cls, value: list[str]) -> list[str]:
        for name in value:
            library_id(name, 2, 1)
        return value

    @model_validator(mode="after")
    def _folds_fit(self) -> DiscriminantParameters:
        for name in self.estimators:
            for scheme in parse_estimator(library_id(name, self.cv_repeats, self.bootstrap_replicates)).schemes:
                k = dict(scheme.settings).get("k", 2)
                if k > min(self.sizes):
                    raise ValueError(
                        f"estimator {name} makes k = {k} folds of N = {min(self.sizes)} cases; "
                        "expected k at most N; leave the estimator or the size out"
                    )
        return self

    def enlarged(self) -> DiscriminantParameters | None:
        """Return the design with ``repeats`` times the samples."""
        return self.model_copy(update={"samples": self.samples * self.repeats}) if self.repeats > 1 else None


def _results(p: DiscriminantParameters, run: Run) -> pd.DataFrame:
    ids = {e: library_id(e, p.cv_repeats, p.bootstrap_replicates) for e in p.estimators}
    return run(discriminant_study(p.sizes, p.inherent_errors, p.samples, ids, list(p.reversal_rules), p.seed))


def differences(results: pd.DataFrame, rule: str, estimator: str) -> np.ndarray:
    """Return estimate minus true error in percent, one value a sample."""
    return 100 * (results[f"{rule}/{estimator}"] - results[f"{rule}/true-error"]).to_numpy()


def _percent(error: float) -> str:
    return f"{100 * error:.10g}"


def table_4(p: DiscriminantParameters, run: Run) -> Regenerated:
    """Table 4: bias and rms of (estimate - true error) over all samples, percent.

    Beside the printed keys stand the half-widths: ``/halfwidth`` by the paper's rules
    (1.96 s/sqrt(n); 2.2 % of the rms) and ``/honest-halfwidth``, 1.96 standard errors
    that count the design's cells and the tails of the differences.
    """
    results = _results(p, run)
    strata = results.groupby(["n", "inherent_error"], sort=False).ngroup().to_numpy()
    rows: list[Row] = []
    for rule in p.reversal_rules:
        reading = READINGS[rule]
        for name in p.estimators:
            d = differences(results, rule, name)
            bias, rms = accuracy.mean(d, strata), accuracy.rms(d, strata)
            spread = accuracy.standard_deviation(d)
            share = 1.96 * np.sqrt(2 / bias.n) / 2
            rows += rows_of(
                reading,
                name,
                [
                    ("bias-percent", bias),
                    ("bias-percent/halfwidth", _scaled(spread, 1.96 / np.sqrt(bias.n))),
                    ("bias-percent/honest-halfwidth", Measured(1.96 * bias.se, float("nan"), bias.n)),
                    ("rms-percent", rms),
                    ("rms-percent/halfwidth", _scaled(rms, share)),
                    ("rms-percent/honest-halfwidth", Measured(1.96 * rms.se, float("nan"), rms.n)),
                ],
            )
        # the rule is arithmetic: it depends on the number of samples alone
        rows.append(Row(reading, "all", "rms-halfwidth-percent-of-rms", 100 * share, 0.0, bias.n))
    return Regenerated(rows, findings=_findings_4(rows, p), checks=_checks_4(rows, p))


def _scaled(m: Measured, factor: float) -> Measured:
    return Measured(m.value * factor, m.se * factor, m.n)


def _table(rows: list[Row], reading: str, column: str) -> dict[str, Row]:
    return {r.row: r for r in rows if r.reading == reading and r.column == column}


def _findings_4(rows: list[Row], p: DiscriminantParameters) -> list[str]:
    found = []
    for rule in p.reversal_rules:
        rms = _table(rows, READINGS[rule], "rms-percent")
        bias = _table(rows, READINGS[rule], "bias-percent")
        names = [e for e in p.estimators if e in rms]
        best = min(names, key=lambda e: rms[e].value)
        least = min(names, key=lambda e: abs(bias[e].value))
        found.append(
            f"Under the reading *{READINGS[rule]}* the smallest rms belongs to **{best}** "
            f"({rms[best].value:.2f} %, standard error {rms[best].se:.2f}) and the smallest bias to **{least}** "
            f"({bias[least].value:+.2f} %, standard error {bias[least].se:.2f})."
        )
        if "loo" in rms:
            paper = _table(rows, READINGS[rule], "rms-percent/halfwidth")["loo"].value
            honest = _table(rows, READINGS[rule], "rms-percent/honest-halfwidth")["loo"].value
            found.append(
                f"The paper's half-width for an rms leaves out that the differences have long tails and differ from "
                f"population to population: for leave-one-out it gives ±{paper:.2f}, the honest one is ±{honest:.2f}."
            )
    return found


def _checks_4(rows: list[Row], p: DiscriminantParameters) -> list[Check]:
    checks = []
    for rule in p.reversal_rules:
        reading = READINGS[rule]
        bias, rms = _table(rows, reading, "bias-percent"), _table(rows, reading, "rms-percent")
        zero = {e: abs(b.value) <= 1.96 * b.se for e, b in bias.items()}
        if {"loo", "bootstrap-632"} <= bias.keys():
            both = [zero["loo"], zero["bootstrap-632"]]
            checks.append(
                Check(
                    f"Leave-one-out and 632b are unbiased on the whole. [{reading}]",
                    f"bias {bias['loo'].value:+.2f} ± {1.96 * bias['loo'].se:.2f} and "
                    f"{bias['bootstrap-632'].value:+.2f} ± {1.96 * bias['bootstrap-632'].se:.2f} %",
                    "holds" if all(both) else "holds in part" if any(both) else "fails",
                )
            )
            best = min(rms, key=lambda e: rms[e].value)
            least = min(bias, key=lambda e: abs(bias[e].value))
            checks.append(
                Check(
                    f"632b has the least bias and the best precision of all. [{reading}]",
                    f"least bias: {least} ({bias[least].value:+.2f} %); least rms: {best} ({rms[best].value:.2f} %)",
                    "holds"
                    if best == least == "bootstrap-632"
                    else "holds in part"
                    if "bootstrap-632" in (best, least)
                    else "fails",
                )
            )
        others = [e for e in bias if e not in ("loo", "bootstrap-632", "resubstitution")]
        if others:
            up = [e for e in others if bias[e].value > 1.96 * bias[e].se]
            checks.append(
                Check(
                    f"The other resampling estimators are slightly pessimistic. [{reading}]",
                    f"{len(up)} of {len(others)} have a bias above zero by more than 1.96 standard errors",
                    "holds" if len(up) == len(others) else "holds in part" if up else "fails",
                )
            )
        for k in (2, 5, 10):
            single, iterated = f"cv-{k}", f"repeated-cv-{k}"
            if single in rms and iterated in rms:
                checks.append(
                    Check(
                        f"Iterating {k}-fold cross-validation lowers its spread and leaves its bias. [{reading}]",
                        f"rms {rms[single].value:.2f} to {rms[iterated].value:.2f} %, "
                        f"bias {bias[single].value:+.2f} to {bias[iterated].value:+.2f} %",
                        "holds"
                        if rms[iterated].value < rms[single].value
                        and abs(bias[single].value - bias[iterated].value)
                        <= 1.96 * np.hypot(bias[single].se, bias[iterated].se)
                        else "fails",
                    )
                )
    return checks


_PARTS = {"5a": ("loo", "true-error"), "5b": ("bootstrap-632", "true-error"), "5c": ("loo", "bootstrap-632")}
_TABLE_5_SIZES = (10, 30, 100)


def _cells_of_table_5(results: pd.DataFrame) -> list[tuple[str, str, pd.DataFrame]]:
    sizes = [n for n in dict.fromkeys(results["n"]) if n in _TABLE_5_SIZES] or list(dict.fromkeys(results["n"]))
    errors = sorted(set(results["inherent_error"]))
    groups = dict(list(results.groupby(["inherent_error", "n"])))
    return [(_percent(e), f"N={n}", groups[(e, n)]) for e in errors for n in sizes]


def table_5_differences(part: str, p: DiscriminantParameters, run: Run) -> Regenerated:
    """Tables 5a, b and c: mean paired difference for each size and inherent error, percent."""
    first, second = _PARTS[part]
    results = _results(p, run)
    rows: list[Row] = []
    checks: list[Check] = []
    for rule in p.reversal_rules:
        for error, size, cell in _cells_of_table_5(results):
            d = 100 * (cell[f"{rule}/{first}"] - cell[f"{rule}/{second}"]).to_numpy()
            spread = accuracy.standard_deviation(d)
            rows += rows_of(
                READINGS[rule],
                error,
                [(size, accuracy.mean(d)), (f"{size}/halfwidth", _scaled(spread, 2 / np.sqrt(d.shape[0])))],
            )
        checks += _checks_5(part, [r for r in rows if r.reading == READINGS[rule]], READINGS[rule])
    return Regenerated(rows, checks=checks, findings=_findings_5(part, rows, p), errata=_errata_5(part, rows))


def _errata_5(part: str, rows: list[Row]) -> list[Erratum]:
    """Two places where section 3 and Table 5 contradict one another or themselves, beside what we measure there."""
    found = {(r.reading, r.row): r for r in rows if r.column == "N=10"}
    if part == "5b" and (own := [r for (_, error), r in found.items() if error == "25"]):
        measured = "; ".join(f"{r.value:+.1f} ± {2 * r.se:.1f} % ({r.reading})" for r in own)
        return [
            Erratum(
                "Section 3, on Table 5b",
                "632b is said to have a negative bias at N = 10 and inherent errors of 25 % and more",
                "the table's own entry at 25 % is positive, and so is ours",
                f"Measured at N = 10 and 25 %: {measured}.",
            )
        ]
    if part == "5c" and (own := [r for (_, error), r in found.items() if error == "40"]):
        measured = "; ".join(f"{r.value:+.1f} % ({r.reading})" for r in own)
        return [
            Erratum(
                "Table 5, N = 10 and 40 %",
                "an entry of 5a minus that of 5b is not the one of 5c",
                "5a minus 5b is 5c in every cell, since all three are means over the same samples",
                f"Ours in that cell of 5c is {measured}, the difference of our 5a and 5b to the last digit.",
                as_scanned=True,
            )
        ]
    return []


_NAMES = {"loo": "leave-one-out", "bootstrap-632": "632b", "true-error": "the true error"}


def _findings_5(part: str, rows: list[Row], p: DiscriminantParameters) -> list[str]:
    first, second = (_NAMES[x] for x in _PARTS[part])
    found = []
    for rule in p.reversal_rules:
        cells = [r for r in rows if r.reading == READINGS[rule] and "/" not in r.column]
        clear = [r for r in cells if r.se > 0 and abs(r.value) > 2 * r.se]
        top = max(cells, key=lambda r: abs(r.value))
        found.append(
            f"*{READINGS[rule]}*: {first} and {second} differ by more than two standard errors in {len(clear)} of "
            f"{len(cells)} cells; most at {top.row} % inherent error and {top.column}, by {top.value:+.1f} % "
            f"(standard error {top.se:.1f})."
        )
    return found


def _checks_5(part: str, rows: list[Row], reading: str) -> list[Check]:
    small = {float(r.row): r for r in rows if r.column == "N=10"}
    high = [r for e, r in small.items() if e >= 25]
    low = [r for e, r in small.items() if e <= 10]
    if not high or not low:
        return []
    text = ", ".join(
        f"{r.value:+.1f} ± {2 * r.se:.1f} % at {r.row} %" for r in sorted(high, key=lambda r: float(r.row))
    )
    if part in ("5a", "5b"):
        sign = 1 if part == "5a" else -1
        clear = [sign * r.value > 2 * r.se for r in high]
        against = [sign * r.value < -2 * r.se for r in high]
        word = "pessimistic" if sign > 0 else "optimistic"
        return [
            Check(
                f"At N = 10 and an inherent error of 25 % or more, {_NAMES[_PARTS[part][0]]} is {word}. [{reading}]",
                text,
                "holds"
                if all(clear)
                else "fails"
                if all(against)
                else "holds in part"
                if any(clear)
                else "not decided",
            )
        ]
    negative = [r.value < 0 for r in low]
    return [
        Check(
            "At N = 10 the difference is small and negative up to 10 % inherent error, large and positive from 25 %. "
            f"[{reading}]",
            f"{sum(negative)} of {len(low)} negative up to 10 %; {text}",
            "holds" if all(negative) and all(r.value > 0 for r in high) else "holds in part",
        )
    ]


def table_5_correlations(p: DiscriminantParameters, run: Run) -> Regenerated:
    """Table 5d: correlations between leave-one-out, 632b and the true error."""
    pairs = {
        "loo-ter": ("loo", "true-error"),
        "632-ter": ("bootstrap-632", "true-error"),
        "632-loo": ("bootstrap-632", "loo"),
    }
    results = _results(p, run)
    rows: list[Row] = []
    checks: list[Check] = []
    for rule in p.reversal_rules:
        own = []
        for error, size, cell in _cells_of_table_5(results):
            for name, (first, second) in pairs.items():
                r = accuracy.correlation(cell[f"{rule}/{first}"].to_numpy(), cell[f"{rule}/{second}"].to_numpy())
                # where the true error is constant there is no correlation, and none is printed
                if np.isfinite(r.value):
                    own.append(Row(READINGS[rule], error, f"{name}/{size}", r.value, r.se, r.n))
        rows += own
        with_truth = [r.value for r in own if "ter" in r.column]
        mutual = [r.value for r in own if r.column.startswith("632-loo")]
        if with_truth and mutual:
            checks.append(
                Check(
                    "The two estimators go with one another much more closely than with the true error. "
                    f"[{READINGS[rule]}]",
                    f"mean correlation {np.mean(mutual):.2f} mutually, {np.mean(with_truth):.2f} with the truth",
                    "holds" if min(mutual) > np.mean(with_truth) else "holds in part",
                )
            )
    return Regenerated(rows, checks=checks, findings=[c.evidence.capitalize() + "." for c in checks])
