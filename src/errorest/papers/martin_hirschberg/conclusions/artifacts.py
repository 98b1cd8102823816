"""Section 7's seven conclusions, each executed on the samples of sections 3, 5 and 6."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product

import numpy as np

from errorest.evidence.artifact import artifact
from errorest.evidence.claims import clear, graded, plus_minus
from errorest.evidence.regenerated import Check, Erratum, Regenerated, Run, rows_of
from errorest.papers.martin_hirschberg.conclusions.experiment import ConclusionsParameters
from errorest.papers.martin_hirschberg.conclusions.methods import Method, methods_of
from errorest.papers.martin_hirschberg.names import NAMES, worded

__all__ = ["conclusions"]

_EVERYWHERE = ("resubstitution", "cv-10", "loo", "bootstrap-632", "loo-star")
"""Estimators that all three sections have."""

_HELD_OUT = ("holdout-1/2", "holdout-1/3", "holdout-1/4")

_RARELY = 5.0
"""A bias in no more than this share of cells, percent, is as good as nowhere."""

_WEAK = 0.5
"""A mean correlation below this is poor."""


@artifact(
    "martin-hirschberg-conclusions",
    "Section 7",
    "Bias, spread and correlation of all estimators with all methods",
    "Mean of (estimate − true error) and standard deviation of the estimate, in percent, and correlation with the true "
    "error, all within a population and size and averaged over these.",
)
def conclusions(p: ConclusionsParameters, run: Run) -> Regenerated:
    """Execute section 7's seven conclusions.

    Returns
    -------
    Regenerated
        Own rows for each inference method and estimator: ``bias-percent`` (mean of estimate minus true
        error), ``std-percent`` (within a population and size), ``correlation`` (with the true error, mean
        over populations and sizes).
    """
    methods = methods_of(p, run)
    rows = []
    for m in methods:
        for e in m.estimators:
            columns = [("bias-percent", m.bias(e)), ("std-percent", m.spread(e)), ("correlation", m.correlation(e))]
            rows += rows_of(m.reading, f"{m.key}/{e}", [(k, v) for k, v in columns if np.isfinite(v.value)])
    discriminants = [m for m in methods if m.section == 3]
    neighbors = [m for m in methods if m.section == 5]
    trees = next(m for m in methods if m.key == "trees")
    checks = [
        *_first(methods, p),
        _second(discriminants),
        *_third(discriminants, p),
        *_fourth(methods, neighbors),
        *_fifth(methods, [*discriminants, *neighbors], trees, p),
        *_sixth(neighbors, trees),
        _seventh(methods),
    ]
    return Regenerated(rows, checks=checks, errata=[_footnote_3()])


def _biases(methods: Iterable[Method], names: Sequence[str]) -> str:
    return "; ".join(f"{m.name}: {worded({e: m.bias(e) for e in names if e in m.estimators})}" for m in methods)


def _first(methods: list[Method], p: ConclusionsParameters) -> list[Check]:
    cells = {e: float(np.mean([m.biased_cells(e, p.negligible) for m in methods])) for e in _EVERYWHERE}
    least = sorted(_EVERYWHERE, key=lambda e: cells[e])
    safe = {e for e in least if cells[e] <= _RARELY}
    ratios = {m.name: m.rms("cv-10").value / m.rms("loo").value for m in methods}
    return [
        Check(
            "1. Leave-one-out and 10-CV are the only estimators with little or no bias everywhere.",
            "share of populations and sizes with a mean bias clearly above "
            f"{p.negligible:g} in points, averaged over the methods: "
            + ", ".join(f"{NAMES[e].markdown} {cells[e]:.0f} %" for e in least)
            + f"; mean bias over all: {_biases(methods, _EVERYWHERE)}",
            graded([safe == {"loo", "cv-10"}, bool({"loo", "cv-10"} & safe)]),
        ),
        Check(
            "1. The precision of 10-CV equals that of leave-one-out, at lower cost.",
            "root mean square error of 10-CV over that of LOO: "
            + ", ".join(f"{r:.2f} ({name})" for name, r in ratios.items())
            + "; 10 classifiers instead of N",
            graded(abs(r - 1) < 0.1 for r in ratios.values()),
        ),
    ]


def _second(discriminants: list[Method]) -> Check:
    poorer, wider, said = [], [], []
    for m in discriminants:
        for e in _HELD_OUT:
            loss, ratio = m.gap(e, "cv-10"), m.spread(e).value / m.spread("cv-10").value
            poorer.append(clear(loss, 1))
            wider.append(ratio > 1)
            said.append(
                f"{NAMES[e].markdown} {plus_minus(loss)} points, {ratio:.1f} times the standard deviation ({m.name})"
            )
    return Check(
        "2. A single independent subsample gives a poorer classifier and a much more variable estimate than 10-CV.",
        "its mean estimate, which is its own classifier's error, against that of 10-CV: " + "; ".join(said),
        graded([*poorer, *wider]),
    )


def _third(discriminants: list[Method], p: ConclusionsParameters) -> list[Check]:
    saved, moved = {}, {}
    for m, k in product(discriminants, (2, 5, 10)):
        single, iterated = f"cv-{k}", f"repeated-cv-{k}"
        saved[m.name, k] = 100 - 100 * m.spread(iterated).value / m.spread(single).value
        moved[m.name, k] = m.gap(iterated, single)
    return [
        Check(
            "3. Iterating k-fold cross-validation lowers its spread, but little at k = 10.",
            "standard deviation lower by "
            + ", ".join(f"{v:.0f} % at k = {k} ({name})" for (name, k), v in saved.items()),
            graded(
                [all(v > 0 for v in saved.values()), *(saved[m.name, 10] < saved[m.name, 2] / 2 for m in discriminants)]
            ),
        ),
        Check(
            "3. Cross-validation is pessimistic for k below 10.",
            _biases(discriminants, ("cv-2", "cv-5", "cv-10")),
            graded(clear(m.bias(f"cv-{k}"), 1) for m in discriminants for k in (2, 5)),
        ),
        Check(
            "3. Iteration does not change the bias.",
            "difference of the means, points: "
            + ", ".join(f"{plus_minus(v, '+', 2)} at k = {k} ({name})" for (name, k), v in moved.items()),
            graded(abs(v.value) <= max(1.96 * v.se, p.negligible / 10) for v in moved.values()),
        ),
    ]


def _fourth(methods: list[Method], neighbors: list[Method]) -> list[Check]:
    ratios = {m.name: m.ratio("bootstrap-632", "cv-10") for m in methods}
    biases = sorted((m.bias("bootstrap-632") for m in methods), key=lambda b: b.value)
    apart = biases[-1].minus(biases[0])
    by_fit = any(clear(a.minus(b)) for a, b in combinations([m.bias("bootstrap-632") for m in neighbors], 2))
    return [
        Check(
            "4. 632b has a lower spread than 10-CV.",
            "its standard deviation in percent of 10-CV's, averaged over populations and sizes: "
            + ", ".join(f"{r:.0f} ({name})" for name, r in ratios.items())
            + f"; {np.mean(list(ratios.values())):.0f} over the methods",
            graded(r < 100 for r in ratios.values()),
        ),
        Check(
            "4. Its bias differs with the learning algorithm and with overfitting.",
            f"{_biases(methods, ('bootstrap-632',))}; the extremes are {plus_minus(apart, '')} points apart",
            graded([clear(apart), by_fit]),
        ),
    ]


def _fifth(methods: list[Method], others: list[Method], trees: Method, p: ConclusionsParameters) -> list[Check]:
    ratio = {m.name: m.ratio("loo-star", "loo") for m in methods}
    said = ", ".join(f"{r:.0f} ({name})" for name, r in ratio.items())
    little = [abs(b.value) - 1.96 * b.se <= p.negligible for b in (m.bias("loo-star") for m in others)]
    bias, star, loo = trees.bias("loo-star"), trees.rms("loo-star").value, trees.rms("loo").value
    return [
        Check(
            "5. LOO\\* is nearly unbiased for discriminants and nearest neighbours, and varies less than LOO there.",
            f"mean bias in points: {_biases(others, ('loo-star',))}; standard deviation in percent of LOO's: {said}",
            graded([*little, *(ratio[m.name] < 100 for m in others)]),
        ),
        Check(
            "5. Its lack of bias does not carry over to trees.",
            f"bias {plus_minus(bias, '+', 2)} points",
            graded(clear(bias), "not decided"),
        ),
        Check(
            "5. Its better precision does not carry over to trees.",
            f"its standard deviation is {ratio[trees.name]:.0f} % of LOO's; its root mean square error {star:.2f} "
            f"points, where LOO has {loo:.2f}",
            graded(star >= loo),
        ),
    ]


def _sixth(neighbors: list[Method], trees: Method) -> list[Check]:
    if len(neighbors) < 2:
        return []
    one, three = neighbors[0], neighbors[-1]
    names = ("cv-10", "bootstrap-632")
    bias, precision, said = [], [], []
    for e in names:
        a, b = one.bias(e), three.bias(e)
        wide, narrow = one.spread(e), three.spread(e)
        bias.append(clear(a.minus(b)))
        precision.append(clear(wide.minus(narrow)))
        said.append(
            f"{NAMES[e].markdown} {plus_minus(a)} against {plus_minus(b)} points of bias, standard deviation "
            f"{wide.value:.2f} against {narrow.value:.2f}"
        )
    return [
        Check(
            "6. Extreme overfitting affects the bias and the precision of cross-validation and the bootstrap.",
            f"{one.name} against {three.name}: {'; '.join(said)}. Bias of {_biases([trees], names)}",
            graded([*bias, *precision]),
        )
    ]


def _seventh(methods: list[Method]) -> Check:
    names = [e for e in _EVERYWHERE if e != "resubstitution"]
    means = {m.name: {e: m.correlation(e) for e in names if m.correlations(e)} for m in methods}
    known = [r for own in means.values() for r in own.values()]
    each = [r for m in methods for e in names for r in m.correlations(e)]
    positive, negative = (100 * float(np.mean([clear(r, sign) for r in each])) for sign in (1, -1))
    return Check(
        "7. Estimates are poorly, and sometimes negatively, correlated with the true error, whatever the method.",
        "mean correlation over populations and sizes: "
        + "; ".join(f"{name}: {worded(own, 2)}" for name, own in means.items())
        + f". Of all single correlations {positive:.0f} % are clearly "
        f"positive and {negative:.0f} % clearly negative, where chance alone makes 2 or 3 % each",
        graded([all(r.value < _WEAK for r in known), any(clear(r, -1) for r in known)]),
    )


def _footnote_3() -> Erratum:
    n = 5
    splits = sum(0 < sum(part) < n for part in product((0, 1), repeat=n))
    unordered = len({frozenset((part, tuple(1 - v for v in part))) for part in product((0, 1), repeat=n)}) - 1
    return Erratum(
        "Section 2, footnote 3",
        "the number of training/test splits, if the size is not fixed, is S(2, N) = 2^(N − 1) − 1",
        "that is the number of ways to part the sample in two; which of the two parts is trained on matters, so there "
        "are 2^N − 2 splits",
        f"Listing all for N = {n}: {splits} splits into training and test set, {unordered} ways to part the sample.",
    )
