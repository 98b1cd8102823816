"""Figures 1 to 4: mean and spread of cross-validation and bootstrap estimates over many samples.

Each estimate is of a random sample of a data set; the true accuracy beside it is that of
Table 1.  Bias is the mean estimate minus the true accuracy, so that optimism is positive.
All in percent.
"""

from __future__ import annotations

from math import hypot
from typing import Any, Literal

import numpy as np
import pandas as pd
from pydantic import model_validator

from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.records import each, largest
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.papers.kohavi.named_inducers import column_and_reading, title_of
from errorest.papers.kohavi.study_designs import DataSet, Points, check_points, estimate_study, point_names
from errorest.papers.kohavi.truth import LearningParameters, SetsParameters, data_sets, digests, truths_of
from errorest.papers.parameters import parameter

__all__ = [
    "AnotherParameters",
    "EstimateParameters",
    "StudyParameters",
    "checked_digests",
    "estimates_of",
    "figure_1",
    "figure_2",
    "figure_3",
    "figure_4",
    "key_of",
    "points_of",
    "sizes_of",
    "summary_of",
]

_CLOSE = 1.0
"""A bias below this many points counts as almost none."""

_LARGE = 2.0
"""A bias from this many points on counts as high."""


class EstimateParameters(SetsParameters):
    """Parameters of Figures 1 to 4."""

    inducers: list[str] = parameter(
        ["c4.5", "naive-bayes"],
        "inducers by name, or import paths of scikit-learn classifiers; at most three",
        min_length=1,
        max_length=3,
    )
    samples: int = parameter(50, "samples of each data set", ge=2, preview=4)
    realizations: int = parameter(1, "times that the samples are drawn, where they are small", ge=1)
    repeats: int = parameter(6, "enlarged run: how many times the realizations; 1 for none", ge=1, preview=1)
    small: int = parameter(100, "largest sample size that counts as small, in cases", ge=2)
    folds: list[int] = parameter([2, 5, 10, 20], "folds of cross-validation", min_length=1)
    leave_out: list[int] = parameter([5, 2, 1], "cross-validation with folds of this many cases")
    stratified_folds: list[int] = parameter([2, 5, 10, 20], "folds of stratified cross-validation")
    bootstrap_samples: list[int] = parameter(
        [1, 2, 5, 10, 20, 50, 100], "bootstrap samples of the .632 estimates", min_length=1
    )
    strict_strata: bool = parameter(False, "refuse stratified folds that a class has too few cases for")
    std_axis: float = parameter(7.5, "upper end of the axis of standard deviations, percent", gt=0)

    @model_validator(mode="after")
    def _points(self) -> EstimateParameters:
        for name, least in (("folds", 2), ("leave_out", 1), ("stratified_folds", 2), ("bootstrap_samples", 1)):
            values = getattr(self, name)
            if len(set(values)) < len(values) or any(v < least for v in values):
                raise ValueError(f"{name} is {values}; expected distinct whole numbers from {least} on; mend the list")
        return self

    def enlarged(self) -> EstimateParameters | None:
        """Return the design with ``repeats`` times the realizations; large samples cost too much for that."""
        if self.repeats == 1:
            return None
        return self.model_copy(update={"realizations": self.realizations * self.repeats})


class StudyParameters(EstimateParameters, LearningParameters):
    """Parameters of Figures 1 to 4 and of the claims around them."""


class AnotherParameters(EstimateParameters):
    """Parameters of the same questions about a data set and a classifier that the paper did not have."""

    data_sets: list[str] = parameter(["heart"], "data sets of the project, paths of CSV files, or rand", min_length=1)
    sizes: list[int] = parameter([100], "sample size of each data set", min_length=1)
    inducers: list[str] = parameter(
        ["sklearn.linear_model.LogisticRegression(solver='liblinear')", "naive-bayes"],
        "inducers by name, or import paths of scikit-learn classifiers; at most three",
        min_length=1,
        max_length=3,
    )
    holdouts: int = parameter(200, "holdouts behind a true accuracy", ge=2, preview=20)
    samples: int = parameter(30, "samples of each data set", ge=2, preview=4)
    repeats: int = parameter(1, "enlarged run: how many times the realizations; 1 for none", ge=1)
    leave_out: list[int] = parameter([], "cross-validation with folds of this many cases")
    bootstrap_samples: list[int] = parameter([1, 5, 20], "bootstrap samples of the .632 estimates", min_length=1)


def points_of(p: EstimateParameters) -> Points:
    """Return the horizontal axes of the figures."""
    return Points(p.folds, p.leave_out, p.stratified_folds, p.bootstrap_samples)


def _samples_of(p: EstimateParameters, one: DataSet) -> int:
    return p.samples * (p.realizations if one.size <= p.small else 1)


def checked_digests(p: EstimateParameters) -> dict[str, str]:
    """Check that every sample can be split as asked, and return the digests of the data sets."""
    for one in data_sets(p):
        check_points(points_of(p), one, strict=p.strict_strata)
    return digests(p)


def estimates_of(p: EstimateParameters, run: Run) -> pd.DataFrame:
    """Draw the samples and make all estimates.

    Returns
    -------
    DataFrame
        Columns set, inducer, n, replicate, ``holdout``, ``resubstitution`` and a column a point
        (estimated accuracies, percent), ``runs``.
    """
    sets = data_sets(p)
    points = points_of(p)
    for one in sets:
        check_points(points, one, strict=p.strict_strata)
    results = run(estimate_study([(one, _samples_of(p, one)) for one in sets], p.inducers, points, p.seed))
    named = {one.sample.digest(): one.name for one in sets}
    table = results[["inducer", "replicate", "runs"]].assign(set=results["digest"].map(named), n=results["size"])
    estimated = ["holdout", "resubstitution", *point_names(points)]
    return pd.concat([table, 100 * results[estimated]], axis=1)


def sizes_of(p: EstimateParameters) -> dict[str, int]:
    """Return the sample size of each data set, by its name."""
    return {one.name: one.size for one in data_sets(p)}


def key_of(set_name: str, inducer: str) -> str:
    """Return the row under which a data set and an inducer stand."""
    return f"{set_name}/{column_and_reading(inducer)[0]}"


def summary_of(p: EstimateParameters, run: Run) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Summarise the estimates.

    Returns
    -------
    points : DataFrame
        Columns set, inducer, scheme (``plain``, ``stratified``, ``bootstrap``), point, mean, se, sd,
        sd_se, bias, bias_se, n (samples), percent.
    truths : DataFrame
        Columns set, inducer, accuracy, se: the true accuracies.
    """
    results = estimates_of(p, run)
    truths = truths_of(p, run)
    kinds = dict.fromkeys(point_names(Points(p.folds, p.leave_out, [], [])), "plain")
    kinds |= dict.fromkeys(point_names(Points([], [], p.stratified_folds, [])), "stratified")
    kinds |= dict.fromkeys(point_names(Points([], [], [], p.bootstrap_samples)), "bootstrap")
    table = []
    groups: Any = results.groupby(["set", "inducer"], sort=False)
    for (name, inducer), own in groups:
        truth = truths[(name, inducer)]
        for point, scheme in kinds.items():
            values = own[point].to_numpy()
            mean, spread = accuracy.mean(values), accuracy.standard_deviation(values)
            found = {"mean": mean.value, "se": mean.se, "sd": spread.value, "sd_se": spread.se, "n": mean.n}
            found |= {"bias": mean.value - truth.value, "bias_se": hypot(mean.se, truth.se)}
            table.append({"set": name, "inducer": inducer, "scheme": scheme, "point": point, **found})
    known = [{"set": s, "inducer": i, "accuracy": m.value, "se": m.se} for (s, i), m in truths.items()]
    return pd.DataFrame(table), pd.DataFrame(known)


def _rows(table: pd.DataFrame, columns: dict[str, tuple[str, str]]) -> list[Row]:
    """Make rows of a summary; ``columns`` maps the end of a row's column to a value and its error."""
    rows = []
    for one in table.to_dict("records"):
        reading = column_and_reading(one["inducer"])[1]
        for suffix, (value, se) in columns.items():
            key = key_of(one["set"], one["inducer"])
            rows.append(Row(reading, key, f"{one['point']}/{suffix}", one[value], one[se], int(one["n"])))
    return rows


_MEANS = {"accuracy-percent": ("mean", "se"), "bias-percent": ("bias", "bias_se")}
_SPREADS = {"std-percent": ("sd", "sd_se")}


def _at(table: pd.DataFrame, point: str) -> pd.DataFrame:
    return table[table["point"] == point]


def _share_check(claim: str, inducer: str, said: list[str], right: list[bool]) -> Check:
    outcome: Literal["holds", "holds in part", "fails"]
    outcome = "holds" if all(right) else "holds in part" if any(right) else "fails"
    evidence = f"{sum(right)} of {len(right)} data sets: {'; '.join(said)}"
    return Check(f"{claim} [{title_of(inducer)}]", evidence, outcome)


def figure_1(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 1: mean of cross-validation, plain and stratified, against the number of folds.

    Returns
    -------
    Regenerated
        Own rows; data ``points`` and ``truths``.
    """
    table, truths = summary_of(p, run)
    shown = table[table["scheme"] != "bootstrap"]
    checks = []
    for name in p.inducers:
        own = shown[shown["inducer"] == name]
        for k in [k for k in p.folds if k in (2, 5)]:
            here = _at(own, f"k={k}")
            checks.append(
                _share_check(
                    f"Cross-validation with {k} folds is pessimistic, by more than two standard errors.",
                    name,
                    [f"{r.set} {r.bias:+.1f}" for r in each(here)],
                    [r.bias < -2 * r.bias_se for r in each(here)],
                )
            )
        for k in [k for k in p.folds if k in (10, 20)]:
            here = _at(own, f"k={k}")
            checks.append(
                _share_check(
                    f"With {k} folds the bias is less than {_CLOSE:g} point or two standard errors.",
                    name,
                    [f"{r.set} {r.bias:+.1f} ± {2 * r.bias_se:.1f}" for r in each(here)],
                    [abs(r.bias) <= max(_CLOSE, 2 * r.bias_se) for r in each(here)],
                )
            )
    rows = _rows(shown, _MEANS)
    return Regenerated(rows, {"points": shown, "truths": truths}, checks, _extremes(shown, "bias", p))


def _extremes(table: pd.DataFrame, column: str, p: EstimateParameters) -> list[str]:
    found = []
    for name in p.inducers:
        own = table[table["inducer"] == name]
        most = largest(own.assign(size=own[column].abs()), "size")
        told = f"bias is {most.bias:+.1f}" if column == "bias" else f"standard deviation is {most.sd:.1f}"
        se = most.bias_se if column == "bias" else most.sd_se
        found.append(
            f"{title_of(name)}: the largest {told} points (standard error {se:.1f}), {most.point} on {most.set}."
        )
    return found


_UNBIASED = ("chess", "hypothyroid", "mushroom")
_BIASED = {"c4.5": ("soybean-large", "vehicle", "rand"), "naive-bayes": ("vehicle", "rand")}


def figure_2(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 2: mean of the .632 bootstrap against the number of bootstrap samples.

    Returns
    -------
    Regenerated
        Own rows; data ``points`` and ``truths``.
    """
    table, truths = summary_of(p, run)
    shown = table[table["scheme"] == "bootstrap"]
    last = f"b={max(p.bootstrap_samples)}"
    checks = []
    for name in p.inducers:
        here = _at(shown[shown["inducer"] == name], last)
        for sets, claim, high in (
            (_UNBIASED, f"The .632 bootstrap is almost unbiased (less than {_CLOSE:g} point) on", False),
            (
                _BIASED.get(column_and_reading(name)[0], ()),
                f"The .632 bootstrap is highly biased ({_LARGE:g} points or more) on",
                True,
            ),
        ):
            named = here[here["set"].isin(sets)]
            if len(named):
                checks.append(
                    _share_check(
                        f"{claim} {', '.join(named['set'])}.",
                        name,
                        [f"{r.set} {r.bias:+.1f} ± {2 * r.bias_se:.1f}" for r in each(named)],
                        [abs(r.bias) >= _LARGE if high else abs(r.bias) < _CLOSE for r in each(named)],
                    )
                )
    rows = _rows(shown, _MEANS)
    return Regenerated(rows, {"points": shown, "truths": truths}, checks, _extremes(shown, "bias", p))


def figure_3(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 3: standard deviation of one cross-validation estimate against the number of folds.

    Returns
    -------
    Regenerated
        Own rows; data ``points``.
    """
    table, _ = summary_of(p, run)
    shown = table[table["scheme"] != "bootstrap"]
    checks = []
    for name in p.inducers:
        spread = {(r.set, r.point): r.sd for r in each(shown[shown["inducer"] == name])}
        sets = list(dict.fromkeys(shown["set"]))
        if {2, 10} <= set(p.folds):
            pairs = [(s, spread[s, "k=2"], spread[s, "k=10"]) for s in sets]
            checks.append(
                _share_check(
                    "Two folds vary more than ten.",
                    name,
                    [f"{s} {a:.2f} against {b:.2f}" for s, a, b in pairs],
                    [a > b for _, a, b in pairs],
                )
            )
        both = [k for k in p.folds if k in p.stratified_folds]
        if both:
            pairs = [(s, spread[s, f"stratified-k={k}"], spread[s, f"k={k}"]) for s in sets for k in both]
            ratios = [a / b for _, a, b in pairs if b > 0]
            checks.append(
                Check(
                    f"Stratification reduces the spread slightly. [{title_of(name)}]",
                    f"less spread in {sum(r < 1 for r in ratios)} of {len(ratios)} pairs of data set and folds; ratio "
                    f"of the standard deviations on average {np.mean(ratios):.2f}",
                    "holds" if np.mean(ratios) < 1 else "fails",
                )
            )
    return Regenerated(_rows(shown, _SPREADS), {"points": shown}, checks, _extremes(shown, "sd", p))


def figure_4(p: EstimateParameters, run: Run) -> Regenerated:
    """Figure 4: standard deviation of one .632 estimate against the number of bootstrap samples.

    Returns
    -------
    Regenerated
        Own rows; data ``points``.
    """
    table, _ = summary_of(p, run)
    shown = table[table["scheme"] == "bootstrap"]
    checks = []
    compared = f"k={10 if 10 in p.folds else p.folds[0]}"
    last = f"b={max(p.bootstrap_samples)}"
    for name in p.inducers:
        spread = {(r.set, r.point): r.sd for r in each(table[table["inducer"] == name])}
        pairs = [(s, spread[s, last], spread[s, compared]) for s in dict.fromkeys(table["set"])]
        checks.append(
            _share_check(
                f"The .632 bootstrap ({last}) varies less than cross-validation ({compared}).",
                name,
                [f"{s} {a:.2f} against {b:.2f}" for s, a, b in pairs],
                [a < b for _, a, b in pairs],
            )
        )
    return Regenerated(_rows(shown, _SPREADS), {"points": shown}, checks, _extremes(shown, "sd", p))
