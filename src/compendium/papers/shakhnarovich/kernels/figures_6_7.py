"""Figures 6 and 7: a data set, a clone of all of it, and a bootstrap sample, two attributes at a time.

Smoothing adds distinct cases, and loses a value that many cases share.
"""

from __future__ import annotations

from itertools import cycle

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import judge_claim
from compendium.evidence.estimate import Estimate, exact
from compendium.evidence.monte_carlo import mean, standard_deviation
from compendium.evidence.records import distinct
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.methods.clones import Cloner
from compendium.papers.shakhnarovich.kernels.parameters import ClonesParameters
from compendium.papers.shakhnarovich.uci.data import uci_set
from compendium.plots.picture import Drawing, Line, Picture
from errorest.data.sample import Sample
from errorest.plots import COLOURS
from errorest.streams import Streams

_NAMES = {"original": "original", "clone": "clone", "bootstrap-sample": "bootstrap sample"}


def largest_gap(x: np.ndarray, y: np.ndarray) -> float:
    """Return the largest difference of two empirical distribution functions, a proportion."""
    at = np.unique(np.concatenate([x, y]))
    left, right = (np.searchsorted(np.sort(v), at, side="right") / v.shape[0] for v in (x, y))
    return float(np.abs(left - right).max())


def _cloner(whole: Sample) -> tuple[Cloner, np.ndarray]:
    """Return a cloner of a data set, and the bounds of its attributes, shape (d, 2)."""
    bounds = np.column_stack([whole.X.min(axis=0), whole.X.max(axis=0)])
    return Cloner(whole, bounds=bounds), bounds


def _points(samples: dict[str, Sample], pairs: list[list[int]], whole: Sample) -> pd.DataFrame:
    """Return the cases of some samples in pairs of attributes: what is drawn."""
    frames = [
        pd.DataFrame({"sample": name, "pair": f"{i},{j}", "x": one.X[:, i - 1], "y": one.X[:, j - 1]}).assign(
            **{"class": np.array(whole.classes, dtype=object)[one.y]}
        )
        for i, j in pairs
        for name, one in samples.items()
    ]
    return pd.concat(frames, ignore_index=True)


def draw_clones(p: ClonesParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw a data set and samples of it, one below the other, for each pair of attributes."""
    points, whole = made.published.data["points"], uci_set(p.data_set)
    samples, pairs = distinct(points["sample"]), distinct(points["pair"])
    panels = {(name, pair): _NAMES[name] for name in samples for pair in pairs}
    axes = {pair: [f"{k} ({whole.attributes[int(k) - 1].name})" for k in pair.split(",")] for pair in pairs}
    picture = Picture(
        *(0.9 + 2.0 * len(samples), panels, ("sample", "pair")),
        columns=len(pairs),
        letters=True,
        x={key: axes[key[1]][0] for key in panels if key[0] == samples[-1]},
        y={key: axes[key[1]][1] for key in panels},
        sharex="col",
        sharey="col",
    )
    looks = dict(zip(whole.classes, cycle(COLOURS), strict=False))
    dots: Line = {"markersize": 2.0, "markeredgewidth": 0, "alpha": 0.55}
    picture.scatter(points, "x", "y", by="class", looks=looks, names="class {}".format, **dots)
    return picture.done(shown=", ".join(_NAMES[name] for name in samples))


@artifact("shakhnarovich-figure-6", draw=draw_clones, enlarge=False)
def figure_6(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 6: the data set and one clone of it, in pairs of attributes.

    The paper does not say which pairs; the reading is that of the parameters.
    """
    whole = uci_set(p.data_set)
    cloner, bounds = _cloner(whole)
    clone = cloner.sample(whole.n, Streams(p.seed).generator("figure-6"))
    samples = {"original": whole, "clone": clone}
    gaps = [largest_gap(whole.X[:, k], clone.X[:, k]) for k in range(whole.d)]
    rows = [Row.exact("literal", f"attribute={k}", "largest-gap", gap) for k, gap in enumerate(gaps, 1)]
    for i, j in p.pairs:
        for name, one in samples.items():
            r = float(np.corrcoef(one.X[:, i - 1], one.X[:, j - 1])[0, 1])
            rows.append(Row.exact("literal", f"attributes={i},{j}", f"correlation/{name}", r))
    outside = int(((bounds[:, 0] > clone.X) | (bounds[:, 1] < clone.X)).sum())
    integers = [k for k, a in enumerate(whole.attributes) if a.kind == "integer"]
    unseen = sum(int((~np.isin(clone.X[:, k], whole.X[:, k])).sum()) for k in integers)
    none = [exact(outside, "values beyond the bounds").equals(0), exact(unseen, "values that were not seen").equals(0)]
    check = judge_claim("shakhnarovich-figure-6", "bounds", none, n=clone.n, integers=len(integers))
    return ArtifactResult(rows, {"points": _points(samples, p.pairs, whole)}, [check])


@artifact("shakhnarovich-figure-7", draw=draw_clones, enlarge=False)
def figure_7(p: ClonesParameters, run: Run) -> ArtifactResult:
    """Figure 7: the data set, clones and bootstrap samples, where many cases share a value."""
    whole = uci_set(p.data_set)
    n, at = whole.n, p.spike[1] - 1
    streams = Streams(p.seed).child("figure-7")
    cloner, _ = _cloner(whole)
    places = [streams.child(k) for k in range(p.resamples)]
    sampled: dict[str, list[Sample]] = {
        "original": [whole],
        "clone": [cloner.sample(n, place.generator("clone")) for place in places],
        "bootstrap-sample": [whole.take(place.generator("bootstrap").integers(0, n, n)) for place in places],
    }
    values, counts = np.unique(whole.X[:, at], return_counts=True)
    spike = float(values[np.argmax(counts)])
    rows: list[Row] = []
    points: dict[str, Estimate] = {}
    percent: dict[str, Estimate] = {}
    for name, samples in sampled.items():
        several = len(samples) > 1
        unique = np.array([len(np.unique(one.X, axis=0)) for one in samples], dtype=float)
        at_spike = np.array([np.mean(one.X[:, at] == spike) for one in samples])
        points[name], share = (mean(v) if several else exact(v[0]) for v in (unique, at_spike))
        percent[name] = share * 100
        spread = standard_deviation(unique).value if several else 0.0
        rows.append(Row("literal", name, "distinct-points", float(unique[0]), spread, 1))
        rows.append(Row.of("literal", name, "share-at-spike", share))
        rows += [Row.of("literal", name, "mean-distinct-points", points[name])] if several else []
    expected = n * -np.expm1(n * np.log1p(-1 / n)) if points["original"].value == n else np.nan
    rows.append(Row.exact("literal", "bootstrap-sample", "expected-distinct-points", float(expected)))
    original = percent["original"].value
    less = percent["clone"].named("share of a clone", "%", sign="") < original / 2
    words = {
        "spike": f"{whole.attributes[at].name} = {spike:g}, attribute {at + 1}",
        "kept": percent["bootstrap-sample"].named("", "% of a bootstrap sample", 1, "").words,
    }
    distinct_points = [
        points["bootstrap-sample"].named("a bootstrap sample", digits=1, sign="").within(0.622 * n, 0.642 * n),
        points["clone"].named("a clone", digits=1, sign="").within(0.99 * n, 1.01 * n),
    ]
    checks = [
        judge_claim("shakhnarovich-figure-7", "cluster", less, original=original, **words),
        judge_claim("shakhnarovich-figure-7", "distinct-points", distinct_points, n=n),
    ]
    shown = {name: samples[0] for name, samples in sampled.items()}
    return ArtifactResult(rows, {"points": _points(shown, [p.spike], whole)}, checks)
