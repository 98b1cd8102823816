"""Section 5 on nearest neighbours: Figure 8's classifiers and Figure 9's estimates.

Figure 8 carries no numbers; its sample is the first one drawn that shows what the text
remarks on, and the remarks are counted over many samples.  Figure 9 sets the mean of
five estimates against the mean true error, for 40 combinations of size and population.
"""

from __future__ import annotations

from math import inf

import numpy as np
import pandas as pd
from pydantic import field_validator, model_validator

from errorest.data.sample import Sample
from errorest.evidence import monte_carlo as accuracy
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.experiment.populations import TwoNormals
from errorest.inducers.classifiers import IntervalClassifier
from errorest.inducers.neighbors import interval_classifier
from errorest.papers.martin_hirschberg.neighbors.claims import (
    Results,
    below,
    claims,
    errata,
    findings,
    root_of,
    spread,
    variance_ratio,
)
from errorest.papers.martin_hirschberg.neighbors.designs import (
    ESTIMATORS,
    apparent_error,
    neighbors_study,
    shapes_study,
    splits_alike,
)
from errorest.papers.parameters import InherentErrors, Parameters, SizesForTenFolds, parameter
from errorest.streams import Streams
from errorest.study.study import Study

__all__ = ["NeighborsParameters", "figure_8", "figure_9"]

_LITERAL = "literal"
_DEVIATION = "fitted:standard-deviation"
_OURS = "unstated:our-populations"
_CLAIMS = "martin-hirschberg-claims"
_CLAIM = "632-below-loo-variance-percent-nearest-neighbors"
_GRID = 401


class NeighborsParameters(Parameters):
    """Parameters of Figures 8 and 9."""

    neighbors: list[int] = parameter([1, 3], "numbers k of neighbours", min_length=1, max_length=3)
    figure_8_cases: int = parameter(10, "cases N of the sample of Figure 8", ge=4, le=20)
    figure_8_inherent_error: float = parameter(
        0.25, "inherent error of the population of Figure 8, a proportion", gt=0, lt=0.5
    )
    draws: int = parameter(5000, "most samples drawn in search of one for Figure 8", ge=1)
    shapes: int = parameter(1000, "samples over which the remarks on Figure 8 are counted", ge=2, preview=200)
    sizes: SizesForTenFolds = parameter([10, 20, 30, 50, 100], "sample sizes N of Figure 9", min_length=1)
    inherent_errors: InherentErrors = parameter(
        [0.001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.4, 0.5],
        "inherent errors of the populations of Figure 9, proportions",
        min_length=1,
    )
    samples: int = parameter(20, "samples of each size and inherent error", ge=2, preview=5)
    repeats: int = parameter(10, "enlarged run: how many times the samples; 1 for none", ge=1, preview=1)
    cv_repeats: int = parameter(100, "iterations of 2-CV* in LOO*", ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, "bootstrap samples, B", ge=1, preview=50)
    negligible: float = parameter(0.5, "a mean bias below this counts as negligible, points", gt=0, le=50)

    @field_validator("neighbors")
    @classmethod
    def _neighbors(cls, value: list[int]) -> list[int]:
        if min(value) < 1 or len(set(value)) < len(value):
            raise ValueError(
                f"{value} are no numbers of neighbours; expected different whole numbers from 1; mend them"
            )
        return value

    @model_validator(mode="after")
    def _enough_cases(self) -> NeighborsParameters:
        least, k = min(self.sizes) // 2, max(self.neighbors)
        if k > least:
            raise ValueError(
                f"k = {k} neighbours are more than the {least} cases that 2-CV* trains on at N = {min(self.sizes)}; "
                "expected k at most half of N; use a smaller k or larger sizes"
            )
        if k > self.figure_8_cases:
            raise ValueError(
                f"k = {k} neighbours are more than the {self.figure_8_cases} cases of Figure 8; "
                "expected at most as many; use a smaller k or a larger figure_8_cases"
            )
        return self

    def enlarged(self) -> NeighborsParameters | None:
        """Return the design with ``repeats`` times the samples."""
        return self.model_copy(update={"samples": self.samples * self.repeats}) if self.repeats > 1 else None


def figure_8(p: NeighborsParameters, run: Run) -> Regenerated:
    """Figure 8: one sample, its nearest-neighbour classifiers and their trees; the remarks on it, counted.

    Returns
    -------
    Regenerated
        Own rows: of the sample, cut-points, leaves and errors in percent; of many samples,
        means and shares with standard errors.  Data ``densities``, ``points``,
        ``classifiers`` (one row an interval: ``k``, ``left``, ``right``, ``class``).
    """
    population = TwoNormals.of_inherent_error(p.figure_8_inherent_error)
    sample, drawn, found = _telling_sample(p, population)
    made = {k: interval_classifier(sample, k) for k in p.neighbors}
    rows: list[Row] = []
    for k, classifier in made.items():
        for name, value in (
            ("cut-points", len(classifier.cuts)),
            ("tree-leaves", len(classifier.labels)),
            ("true-error-percent", 100 * population.true_error(classifier)),
            ("apparent-error-percent", 100 * apparent_error(classifier, sample)),
        ):
            rows.append(Row(_OURS, name, f"this-sample/k={k}", float(value), 0.0, 1))
    shapes = run(shapes_study(p.figure_8_cases, p.figure_8_inherent_error, p.shapes, p.neighbors, p.seed))
    for k in p.neighbors:
        for name, column, factor in (
            ("cut-points", "cut-points", 1.0),
            ("true-error-percent", "true-error", 100.0),
            ("apparent-error-percent", "apparent-error", 100.0),
            ("splits-adjacent-cases-of-one-class-percent", "splits-alike", 100.0),
            ("same-cut-points-as-a-full-tree-percent", "as-tree", 100.0),
        ):
            m = accuracy.mean(factor * shapes[f"k={k}/{column}"].to_numpy())
            rows.append(Row(_OURS, name, f"many-samples/k={k}", m.value, m.se, m.n))
    errors = ", ".join(f"{100 * population.true_error(c):.1f} % with k = {k}" for k, c in made.items())
    how = (
        f"Sample number {drawn:,} is the first that shows what the text remarks on"
        if found
        else f"None of {p.draws:,} samples showed all that the text remarks on, so the first is drawn"
    )
    text = (
        f"{how}. Its classifiers have a true error of {errors}, where "
        f"{100 * p.figure_8_inherent_error:.3g} % is inherent."
    )
    grid = np.linspace(-3.5, population.distance + 3.5, _GRID)
    data = {
        "densities": pd.DataFrame(
            {"x": grid, "class_0": population.density(grid, 0), "class_1": population.density(grid, 1)}
        ),
        "points": pd.DataFrame({"x": sample.X[:, 0], "class": sample.y}),
        "classifiers": pd.concat([_intervals(k, c) for k, c in made.items()], ignore_index=True),
    }
    return Regenerated(rows, data, _checks_8(shapes, p), [text])


def _telling_sample(p: NeighborsParameters, population: TwoNormals) -> tuple[Sample, int, bool]:
    """Draw until 1-NN bends to an outlier and the largest k divides two neighbours of one class."""
    streams = Streams(p.seed).child("martin-hirschberg-figure-8")
    low, high = min(p.neighbors), max(p.neighbors)
    for i in range(p.draws):
        sample = population.sample(p.figure_8_cases, streams.child(i).generator("sample"))
        rough, smooth = interval_classifier(sample, low), interval_classifier(sample, high)
        if low == high or (0 < len(smooth.cuts) < len(rough.cuts) and splits_alike(smooth, sample)):
            return sample, i + 1, True
    return population.sample(p.figure_8_cases, streams.child(0).generator("sample")), 1, False


def _intervals(k: int, classifier: IntervalClassifier) -> pd.DataFrame:
    cuts = [-inf, *classifier.cuts, inf]
    return pd.DataFrame({"k": k, "left": cuts[:-1], "right": cuts[1:], "class": classifier.labels})


def _checks_8(shapes: pd.DataFrame, p: NeighborsParameters) -> list[Check]:
    def share(k: int, column: str) -> float:
        return 100 * float(shapes[f"k={k}/{column}"].mean())

    if 1 not in p.neighbors:
        return []
    checks = [
        Check(
            "1-NN never predicts differently for adjacent cases of one class, and makes no error on its own sample.",
            f"on {share(1, 'splits-alike'):.1f} % of {p.shapes:,} samples it does; mean apparent error "
            f"{share(1, 'apparent-error'):.1f} %",
            "holds" if share(1, "splits-alike") == share(1, "apparent-error") == 0 else "fails",
        ),
        Check(
            "The tree of 1-NN is the one that CART or ID3 would grow in full.",
            f"equal cut-points on {share(1, 'as-tree'):.1f} % of {p.shapes:,} samples",
            "holds" if share(1, "as-tree") == 100 else "fails",
        ),
    ]
    for k in (k for k in p.neighbors if k > 1):
        worse = accuracy.mean(100 * (shapes["k=1/true-error"] - shapes[f"k={k}/true-error"]).to_numpy())
        checks += [
            Check(
                f"{k}-NN may predict differently for adjacent cases of one class, and its tree is not what CART or "
                "ID3 would grow.",
                f"it does on {share(k, 'splits-alike'):.1f} % of samples; its cut-points are those of the full tree on "
                f"{share(k, 'as-tree'):.1f} %",
                "holds" if share(k, "splits-alike") > 0 and share(k, "as-tree") < 50 else "fails",
            ),
            Check(
                f"1-NN follows outliers, which costs true error; {k}-NN smooths them.",
                f"mean true error of 1-NN minus that of {k}-NN: {worse.value:+.2f} ± {1.96 * worse.se:.2f} points; "
                f"cut-points on average {shapes['k=1/cut-points'].mean():.2f} and "
                f"{shapes[f'k={k}/cut-points'].mean():.2f}",
                "holds" if worse.value > 1.96 * worse.se else "fails" if worse.value < 0 else "not decided",
            ),
        ]
    return checks


def _study(p: NeighborsParameters) -> Study:
    return neighbors_study(
        p.sizes, p.inherent_errors, p.samples, p.neighbors, p.cv_repeats, p.bootstrap_replicates, p.seed
    )


def figure_9(p: NeighborsParameters, run: Run) -> Regenerated:
    """Figure 9: mean estimate against mean true error, and the claims of section 5.

    Returns
    -------
    Regenerated
        Own rows: bias, rms and spread within cells of each estimator and k, percent, and how
        far the variance of 632b lies below that of leave-one-out (printed under the claims;
        reading ``fitted:standard-deviation`` takes it for the standard deviation).  Data
        ``points``: means with standard errors for each k, size, inherent error and estimator.
    """
    r = Results(run(_study(p)), p.neighbors)
    rows: list[Row] = []
    for k in p.neighbors:
        true = accuracy.mean(r.of(k, "true-error"), r.cell)
        rows.append(Row(_LITERAL, "true-error", f"mean-percent/k={k}", true.value, true.se, true.n))
        for name in ESTIMATORS:
            for column, m in (
                ("bias-percent", r.bias(k, name)),
                ("rms-percent", accuracy.rms(r.difference(k, name), r.cell)),
                ("std-percent", spread(r.of(k, name), r.cell)),
            ):
                rows.append(Row(_LITERAL, name, f"{column}/k={k}", m.value, m.se, m.n))
    whole = variance_ratio(r.both("bootstrap-632"), r.both("loo"), r.cell)
    ratios = {
        f"632-below-loo-variance-percent/k={k}": variance_ratio(r.of(k, "bootstrap-632"), r.of(k, "loo"), r.cell)
        for k in p.neighbors
    }
    for key, ratio in {_CLAIM: whole, **ratios}.items():
        artifact = _CLAIMS if key == _CLAIM else ""
        for reading, m in ((_LITERAL, below(ratio)), (_DEVIATION, below(root_of(ratio)))):
            rows.append(Row(reading, "text", key, m.value, m.se, m.n, artifact))
    return Regenerated(rows, {"points": _points(r)}, claims(r, p.negligible), findings(r), errata(r))


def _points(r: Results) -> pd.DataFrame:
    points = []
    for number in range(int(r.cell.max()) + 1):
        inside = r.cell == number
        at = r.table[inside].iloc[0]
        for k in r.neighbors:
            true = accuracy.mean(r.of(k, "true-error")[inside])
            for name in ESTIMATORS:
                estimate = accuracy.mean(r.of(k, name)[inside])
                bias = accuracy.mean(r.difference(k, name)[inside])
                points.append(
                    {
                        "k": k,
                        "n": int(at["n"]),
                        "inherent_error": float(at["inherent_error"]),
                        "estimator": name,
                        "true_error": true.value,
                        "true_error_se": true.se,
                        "estimate": estimate.value,
                        "estimate_se": estimate.se,
                        "bias": bias.value,
                        "bias_se": bias.se,
                    }
                )
    return pd.DataFrame(points)
