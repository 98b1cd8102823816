"""Figure 16: how the true errors of reversed and unreversed classifiers are distributed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.monte_carlo import share
from compendium.evidence.records import parts
from compendium.evidence.results import ArtifactResult, ResultsByScale, Run, rows_of
from compendium.papers.martin_hirschberg.reversal.study import READINGS, ReversalParameters, distribution_study
from compendium.plots.picture import Drawing, Picture
from compendium.studies.populations import TwoNormals
from errorest.plots import BLACK, GREY, VERMILION

_HALF = 0.5
_FEWEST = 20  # A tail of fewer true errors than this has no shape to speak of
_NEAR = 0.05  # True errors this close above the inherent one are slightly above it
# The smallest samples are filled, larger ones an outline
_OUTLINE: dict[str, Any] = {"fill": False, "alpha": 1.0, "linewidth": 1.1}
_STYLES: tuple[dict[str, Any], ...] = ({}, _OUTLINE, {**_OUTLINE, "linestyle": ":"})
_COLOURS = {"unreversed": (GREY, BLACK), "reversed": (VERMILION, "#8C3A00")}
FIGURE_16 = Claims("martin-hirschberg-figure-16")
Shares = Mapping[tuple[int, float], Estimate]


@FIGURE_16.claim
def rarer(shares: Shares, spikes: Sequence[Estimate]) -> Conditions:
    # at a larger size and at a larger distance; what never happens cannot grow rarer
    fewer = [
        shares[a] > shares[b]
        for a, b in product(shares, repeat=2)
        if shares[a].value > 0 and ((b[0] > a[0] and b[1] == a[1]) or (b[0] == a[0] and b[1] > a[1]))
    ]
    return every("share of reversals at the smaller size or distance minus that at the larger", fewer)


@FIGURE_16.claim
def spike(shares: Shares, spikes: Sequence[Estimate]) -> Conditions:
    return every("count in the last bin below 50 % minus that in the one before it", [spike > 0 for spike in spikes])


def draw_figure_16(p: ReversalParameters, results: ResultsByScale, published: pd.DataFrame) -> Drawing:
    """Draw Figure 16: counts of true errors, reversed and unreversed, on a logarithmic axis."""
    result, rules = results.published, p.reversal_rules
    cells = [(d, n) for d in p.figure_16_distances for n in p.figure_16_sizes]
    first = p.figure_16_distances[0]
    picture = Picture(
        2.0 * len(p.figure_16_distances) + 0.9,
        {(d, rule): rule if d == first else "" for d in p.figure_16_distances for rule in rules},
        ("distance", "rule"),
        columns=len(rules),
        x="true error (%)",
        y={(d, rules[0]): f"samples at\ndistance {d:g}" for d in p.figure_16_distances},
        sharex=True,
        sharey=True,
    )
    counts = result.data["counts"]
    bins = counts.assign(left=100 * counts["left"], right=100 * counts["right"])
    for number, (n, style) in enumerate(zip(sorted(p.figure_16_sizes), _STYLES, strict=False)):
        looks = {group: {"color": colours[min(number, 1)], **style} for group, colours in _COLOURS.items()}
        names = {group: f"{group}, N = {n}" for group in _COLOURS}
        picture.histogram(bins[bins["n"] == n], "left", "right", "count", by="group", looks=looks, names=names)
    picture.guide(x=50, color=BLACK, linewidth=0.7, linestyle=":")
    picture.limits(yscale="log", xlim=(0, 100), xticks=[0, 50, 100], ylim=(0.7, None))
    shares = {(r.reading, r.row): r.value for r in result.rows if r.column == "reversed-percent"}
    listed = [
        f"{rule} {shares[READINGS[rule], f'N={n}/distance={d:g}']:.1f} % at N = {n} and distance {d:g}"
        for rule in rules
        for d, n in cells
    ]
    return picture.done(columns=2, shares="; ".join(listed), drawn=p.samples * p.batches, bin_width=100 / p.bins)


@artifact("martin-hirschberg-figure-16", draw=draw_figure_16)
def figure_16(p: ReversalParameters, run: Run) -> ArtifactResult:
    """Figure 16: how the true errors of reversed and unreversed classifiers are distributed."""
    edges = np.linspace(0.0, 1.0, p.bins + 1)
    last = int(np.searchsorted(edges, _HALF - 1e-9)) - 1
    keys = ["rule", "n", "distance", "group", "bin"]
    counts = run(distribution_study(p)).groupby(keys, observed=True)["count"].sum().astype(float).reset_index()
    number = counts.pop("bin").to_numpy()
    counts = counts.assign(left=edges[number], right=edges[number + 1], count=counts.pop("count"))
    rows, checks = [], []
    for rule, of_rule in parts(counts, "rule").items():
        shares, spikes = {}, []
        for (n, d), cell in parts(of_rule, "n", "distance").items():
            back, straight = (cell.loc[cell["group"] == g, "count"].to_numpy() for g in ("reversed", "unreversed"))
            inherent, label = TwoNormals(d).inherent_error, f"N = {n}, distance {d:g}"
            near = straight[(edges[1:] > inherent) & (edges[:-1] < inherent + _NEAR)].sum()
            values = {
                "reversed-percent": share(back.sum(), back.sum() + straight.sum()),
                "unreversed-near-inherent-percent": share(near, straight.sum()),
                "unreversed-last-bin-percent": share(straight[last], straight.sum()),
            }
            rows += rows_of(READINGS[rule], f"N={n}/distance={d:g}", values.items(), 100)
            shares[n, d] = (values["reversed-percent"] * 100).named(label, "%")
            before, spike = straight[last - 1 : last + 1]
            if before + spike >= _FEWEST:
                spikes.append(Estimate(spike - before, np.sqrt(spike + before), int(spike + before), label, digits=0))
        checks += judge_claims(FIGURE_16, shares, spikes, reading=READINGS[rule])
    return ArtifactResult(rows, {"counts": counts}, checks)
