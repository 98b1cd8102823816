"""Figures 6 and 7: a data set, a clone of all of it, and a bootstrap sample, two attributes at a time.

What smoothing adds (no two cases alike) and what it loses (a value that many cases share).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, below, equal, within
from compendium.evidence.estimate import Estimate, exact, plus_minus
from compendium.evidence.monte_carlo import mean, standard_deviation
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.shakhnarovich.clones.experiment import ClonesParameters
from compendium.papers.shakhnarovich.clones.figures import draw_figure_6, draw_figure_7
from compendium.papers.shakhnarovich.uci.experiment import uci_set
from errorest.data.sample import Sample
from errorest.resampling.clones import Cloner
from errorest.streams import Streams

__all__ = ["distinct_points", "figure_6", "figure_7"]


def distinct_points(X: np.ndarray) -> int:
    """Count the distinct rows of a float array, shape (n, d)."""
    return int(np.unique(X, axis=0).shape[0])


def largest_gap(x: np.ndarray, y: np.ndarray) -> float:
    """Return the largest difference of two empirical distribution functions, a proportion."""
    at = np.unique(np.concatenate([x, y]))
    left, right = (np.searchsorted(np.sort(v), at, side="right") / v.shape[0] for v in (x, y))
    return float(np.abs(left - right).max())


def _bounds(whole: Sample) -> np.ndarray:
    return np.column_stack([whole.X.min(axis=0), whole.X.max(axis=0)])


def _cloner(whole: Sample) -> Cloner:
    return Cloner(whole, bounds=_bounds(whole))


def _points(samples: dict[str, Sample], pairs: list[list[int]], whole: Sample) -> pd.DataFrame:
    """Return the cases of some samples in pairs of attributes: what is drawn."""
    frames = [
        pd.DataFrame(
            {"sample": name, "x_attribute": i, "y_attribute": j, "x": one.X[:, i - 1], "y": one.X[:, j - 1]}
        ).assign(**{"class": np.array(whole.classes, dtype=object)[one.y]})
        for i, j in pairs
        for name, one in samples.items()
    ]
    return pd.concat(frames, ignore_index=True)


@artifact("shakhnarovich-figure-6", draw=draw_figure_6, enlarge=False)
def figure_6(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 6: the data set and one clone of it, in pairs of attributes.

    The paper does not say which pairs; the reading is that of the parameters.
    """
    p.inputs()
    whole = uci_set(p.data_set)
    clone = _cloner(whole).sample(whole.n, Streams(p.seed).generator("figure-6"))
    rows = []
    gaps = {}
    for k, attribute in enumerate(whole.attributes):
        gap = largest_gap(whole.X[:, k], clone.X[:, k])
        gaps[f"{k + 1} ({attribute.name})"] = gap
        rows.append(Row.exact("literal", f"attribute={k + 1}", "largest-gap", gap))
    for i, j in p.pairs:
        for name, one in (("original", whole), ("clone", clone)):
            r = float(np.corrcoef(one.X[:, i - 1], one.X[:, j - 1])[0, 1])
            rows.append(Row.exact("literal", f"attributes={i},{j}", f"correlation/{name}", r))
    worst, best = max(gaps, key=lambda k: gaps[k]), min(gaps, key=lambda k: gaps[k])
    low, high = _bounds(whole).T
    outside = int(((low > clone.X) | (high < clone.X)).sum())
    integers = [k for k, a in enumerate(whole.attributes) if a.kind == "integer"]
    unseen = sum(int((~np.isin(clone.X[:, k], whole.X[:, k])).sum()) for k in integers)
    checks = [kept_within(outside, unseen, f"counted in {clone.n} cases with {len(integers)} integer attributes")]
    finding = (
        f"The distribution of attribute {best} changes least (largest gap {gaps[best]:.3f}), that of attribute {worst} "
        f"most ({gaps[worst]:.3f}); a gap of {1.36 * (2 / whole.n) ** 0.5:.3f} would stand out between two samples."
    )
    return ArtifactResult(
        rows, {"points": _points({"original": whole, "clone": clone}, p.pairs, whole)}, checks, [finding]
    )


def kept_within(outside: int, unseen: int, context: str) -> Check:
    """Hold "within the bounds, with values that were seen" against the numbers of values that are not."""
    return Claim(
        "A clone stays within the bounds, and its integer attributes take values that were seen.",
        [equal("values beyond the bounds", outside, 0), equal("values that were not seen", unseen, 0)],
        context=context,
    ).check()


@artifact("shakhnarovich-figure-7", draw=draw_figure_7, enlarge=False)
def figure_7(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 7: the data set, one clone and one bootstrap sample, where many cases share a value."""
    p.inputs()
    whole = uci_set(p.data_set)
    n, at = whole.n, p.spike[1] - 1
    streams = Streams(p.seed).child("figure-7")
    cloner = _cloner(whole)
    drawn: dict[str, list[Sample]] = {
        "original": [whole],
        "clone": [cloner.sample(n, streams.child(k).generator("clone")) for k in range(p.resamples)],
        "bootstrap-sample": [
            whole.take(streams.child(k).generator("bootstrap").integers(0, n, n)) for k in range(p.resamples)
        ],
    }
    values, counts = np.unique(whole.X[:, at], return_counts=True)
    spike = float(values[np.argmax(counts)])
    rows: list[Row] = []
    points, shares = {}, dict[str, Estimate]()
    for name, samples in drawn.items():
        distinct = np.array([distinct_points(one.X) for one in samples], dtype=float)
        at_spike = np.array([np.mean(one.X[:, at] == spike) for one in samples])
        several = len(samples) > 1
        points[name], shares[name] = (mean(v) if several else exact(v[0]) for v in (distinct, at_spike))
        spread = standard_deviation(distinct).value if several else 0.0
        rows.append(Row("literal", name, "distinct-points", float(distinct[0]), spread, 1))
        rows.append(Row.of("literal", name, "share-at-spike", shares[name]))
        rows += [Row.of("literal", name, "mean-distinct-points", points[name])] if several else []
    expected = n * -np.expm1(n * np.log1p(-1 / n)) if points["original"].value == n else np.nan
    rows.append(Row.exact("literal", "bootstrap-sample", "expected-distinct-points", float(expected)))
    told = f"{whole.attributes[at].name} = {spike:g}"
    percent = {name: share * 100 for name, share in shares.items()}
    clone, bootstrap = points["clone"], points["bootstrap-sample"]
    checks = [loses_the_spike(percent, f"{told}, attribute {at + 1}"), distinct_of(clone, bootstrap, n)]
    finding = (
        f"{told} in {percent['original'].value:.0f} % of the cases; a clone keeps {plus_minus(percent['clone'], '')} "
        f"%. Of its {n} cases {plus_minus(clone, '')} are distinct, of those of a bootstrap sample "
        f"{plus_minus(bootstrap, '')} (± standard error, {p.resamples} of each)."
    )
    shown = _points({name: samples[0] for name, samples in drawn.items()}, [p.spike], whole)
    return ArtifactResult(rows, {"points": shown}, checks, [finding])


def loses_the_spike(percent: Mapping[str, Estimate], spike: str) -> Check:
    """Hold "a clone loses the cluster" against the shares of cases in it, percent: less than half is a loss."""
    kept = plus_minus(percent["bootstrap-sample"], "")
    return Claim(
        "A clone loses the cluster of cases that share one value of an attribute.",
        [below("share of a clone", percent["clone"], percent["original"].value / 2, "%", sign="")],
        context=f"{spike}, in {percent['original'].value:.1f} % of the data and {kept} % of a bootstrap sample",
    ).check()


def distinct_of(clone: Estimate, bootstrap: Estimate, n: int) -> Check:
    """Hold the numbers of distinct points against .632 n and n, within a hundredth of n."""
    return Claim(
        "A bootstrap sample has about .632 n distinct points, a clone n.",
        [
            within("a bootstrap sample", bootstrap, 0.01 * n, of=0.632 * n, digits=1, sign=""),
            within("a clone", clone, 0.01 * n, of=n, digits=1, sign=""),
        ],
        context=f"n = {n}",
    ).check()
