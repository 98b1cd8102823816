"""What sections 1 to 6 conclude from the calculations, each conclusion held against the calculation itself.

All numbers are exact but the greedy optimizer's, so nothing here is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from errorest.evidence.claims import graded
from errorest.evidence.regenerated import Check

__all__ = [
    "by_default_and_hits",
    "greedy_succeeds",
    "harder_when_larger",
    "more_told",
    "poor_tree",
    "safe",
    "worse_apart",
]

SAFE = 0.05
"""Chance of a better rank below which a setting of the experiment is called safe; the paper names no number."""


def greedy_succeeds(greedy: pd.DataFrame, experiments: int, false_alarm: float) -> Check:
    """Hold the optimizer's successes against the equations: ``equation``, ``low`` and ``high`` by example."""
    inside = (greedy.low <= greedy.equation) & (greedy.equation <= greedy.high)
    return Check(
        "The greedy optimizer of section 2.2, which sees hit counts alone, succeeds as often as the equations say.",
        f"{int(inside.sum())} of {len(greedy)} chances lie in the {100 * (1 - false_alarm):g} % interval of "
        f"{experiments} experiments",
        graded(bool(inside.all())),
    )


def more_told(chances: Mapping[str, Sequence[float]]) -> Check:
    """Hold "more parameters, a higher rank" against the chances over c told labels, by example."""
    rises = {name: bool((np.diff(found) >= -1e-12).all() and found[-1] > found[0]) for name, found in chances.items()}
    told = ", ".join(f"{name} {100 * found[0]:.3g} to {100 * found[-1]:.3g} %" for name, found in chances.items())
    return Check(
        "An algorithm with more parameters will probably be ranked higher than an equally good one with fewer.",
        f"exact; the chance of a rank never falls as labels are told on {sum(rises.values())} of {len(rises)}: {told}",
        graded(all(rises.values())),
    )


def harder_when_larger(needed: Mapping[int, int], gain: float, wanted: float) -> Check:
    """Hold "hard if the test set is large" against the least labels for a gain (a proportion), by test size."""
    sizes = sorted(needed)
    return Check(
        "It is hard to be over-ranked in the one-shot situation if the test set is large.",
        f"exact; labels to tell for {100 * gain:g} points with {100 * wanted:g} %: "
        + ", ".join(f"{needed[m]} of {m}" for m in sizes),
        graded(all(needed[a] < needed[b] for a, b in pairwise(sizes)) and len(sizes) > 1),
    )


def worse_apart(per_fold: Sequence[float], fixed: Sequence[float]) -> Check:
    """Hold "tuned in each fold, almost any result" against the chances of both settings, from one told label on."""
    more = [a > b for a, b in zip(per_fold, fixed, strict=True)]
    return Check(
        "With a setting for each fold over-ranking is far easier than with one setting for all folds. [diabetes]",
        f"exact; the chance of the rank is higher for {sum(more)} of {len(more)} numbers of told labels; at most "
        f"{100 * max(per_fold):.3g} % against {100 * max(fixed):.3g} %",
        graded(all(more)),
    )


def safe(chances: Sequence[float], told: int) -> list[Check]:
    """Hold "diabetes is safe" and "more parameters decrease the probability" against the chances over c."""
    peak, beyond = int(np.argmax(chances)), np.diff(chances[told:])
    return [
        Check(
            f"With one setting for all folds diabetes is safe. [no chance over {100 * SAFE:g} %]",
            f"exact; the chance is highest at c = {peak}, {100 * chances[peak]:.3g} %",
            graded(chances[peak] <= SAFE),
        ),
        Check(
            f"More parameters than for c = {told} labels decrease the chance.",
            f"exact; from c = {told} to {len(chances) - 1} it falls at {int((beyond < 0).sum())} of {beyond.size} "
            f"steps, from {100 * chances[told]:.3g} to {100 * chances[-1]:.3g} %",
            graded(bool((beyond < 0).all()) and beyond.size > 0),
        ),
    ]


def poor_tree(chance: float, wanted: float, labels: int, measured: float, own: str) -> list[Check]:
    """Hold the conclusion on C4.5 and heart disease against both sources of its hits.

    Parameters
    ----------
    chance : float
        With StatLog's cost read as an error rate, a proportion.
    wanted : float
        The chance that the paper names.
    labels : int
    measured : float
        The chance with the hits that C4.5 has itself.
    own : str
        These hits in words.
    """
    claim = (
        f"C4.5 performs poorly on heart disease, so that {labels} told labels gain a rank with over {100 * wanted:g} %."
    )
    return [
        Check(
            f"{claim} [average cost read as error rate]",
            f"exact; the chance is {100 * chance:.3g} %",
            graded(chance > wanted),
        ),
        Check(f"{claim} [C4.5's own hits]", f"{own}: the chance is {100 * measured:.3g} %", graded(measured > wanted)),
    ]


def by_default_and_hits(by_share: Mapping[float, float], by_hits: Mapping[int, float]) -> Check:
    """Hold "high if the default is good and the hypothesis poor" against chances over both; two parts."""
    shares, hits = [by_share[s] for s in sorted(by_share)], [by_hits[h] for h in sorted(by_hits)]
    return Check(
        "The chance is high if the default hit rate is high and the classifier performs poorly. [k-NN, heart disease]",
        f"exact; with a default class of {100 * min(by_share):g} to {100 * max(by_share):g} % it goes from "
        f"{100 * shares[0]:.3g} to {100 * shares[-1]:.3g} %; with {min(by_hits)} to {max(by_hits)} hits a fold from "
        f"{100 * hits[0]:.3g} to {100 * hits[-1]:.3g} %",
        graded([bool((np.diff(shares) > 0).all()), bool((np.diff(hits) < 0).all())]),
    )
