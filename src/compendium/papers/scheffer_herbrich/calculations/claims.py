"""What sections 1 to 6 conclude from the calculations, each conclusion held against the calculation itself.

All numbers are exact but the greedy optimizer's, so nothing here is undecided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from compendium.evidence.claims import Claim, above, below, counted, equal
from compendium.evidence.estimate import every, exact
from compendium.evidence.regenerated import Check

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
    return Claim(
        "The greedy optimizer of section 2.2, which sees hit counts alone, succeeds as often as the equations say.",
        [equal(f"chances in the interval, of {len(greedy)}", int(inside.sum()), len(greedy))],
        context=f"{100 * (1 - false_alarm):g} % intervals of {experiments} experiments",
    ).check()


def more_told(chances: Mapping[str, Sequence[float]]) -> Check:
    """Hold "more parameters, a higher rank" against the chances over c told labels, by example."""
    gained = [
        above(name, exact(100 * (found[-1] - found[0])), unit="points", digits=-3) for name, found in chances.items()
    ]
    falls = sum(int((np.diff(found) < -1e-12).sum()) for found in chances.values())
    told = ", ".join(f"{name} {100 * found[0]:.3g} to {100 * found[-1]:.3g} %" for name, found in chances.items())
    return Claim(
        "An algorithm with more parameters will probably be ranked higher than an equally good one with fewer.",
        [every("what the chance of a rank gains", gained), equal("labels at which it falls", falls, 0)],
        context=f"exact, from the first label told to the last ({told})",
    ).check()


def harder_when_larger(needed: Mapping[int, int], gain: float, wanted: float) -> Check:
    """Hold "hard if the test set is large" against the least labels for a gain (a proportion), by test size."""
    sizes = sorted(needed)
    told = ", ".join(f"{needed[m]} of {m}" for m in sizes)
    more = [
        above(f"{a} to {b} cases", exact(needed[b] - needed[a]), unit="labels", digits=0) for a, b in pairwise(sizes)
    ]
    return Claim(
        "It is hard to be over-ranked in the one-shot situation if the test set is large.",
        [every("what a larger test set takes beyond", more)],
        context=f"exact; labels to tell for {counted(100 * gain, 'point')} with {100 * wanted:g} % ({told})",
    ).check()


def worse_apart(per_fold: Sequence[float], fixed: Sequence[float]) -> Check:
    """Hold "tuned in each fold, almost any result" against the chances of both settings, from one told label on."""
    apart = zip(per_fold, fixed, strict=True)
    more = [above(f"c = {c}", exact(100 * (a - b)), unit="points", digits=-3) for c, (a, b) in enumerate(apart, 1)]
    return Claim(
        "With a setting for each fold over-ranking is far easier than with one setting for all folds. [diabetes]",
        [every("chance with a setting for each fold less that with one", more)],
        context=f"exact, over the labels told; at most {100 * max(per_fold):.3g} % against {100 * max(fixed):.3g} %",
    ).check()


def safe(chances: Sequence[float], told: int) -> list[Check]:
    """Hold "diabetes is safe" and "more parameters decrease the probability" against the chances over c."""
    peak = int(np.argmax(chances))
    steps = [
        below(f"c = {c + 1}", exact(100 * (chances[c + 1] - chances[c])), unit="points", digits=-3)
        for c in range(told, len(chances) - 1)
    ]
    return [
        Claim(
            f"With one setting for all folds diabetes is safe. [no chance over {100 * SAFE:g} %]",
            [below(f"highest chance, at c = {peak},", exact(100 * chances[peak]), 100 * SAFE, "%", -3, "")],
            context="exact",
        ).check(),
        Claim(
            f"More parameters than for c = {told} labels decrease the chance.",
            [every("what a further label adds to the chance", steps)],
            context=f"exact, from {100 * chances[told]:.3g} % at c = {told} to {100 * chances[-1]:.3g} % at "
            f"c = {len(chances) - 1}",
        ).check(),
    ]


def poor_tree(chance: float, wanted: float, labels: int, measured: float, own: str) -> list[Check]:
    """Hold the conclusion on C4.5 and heart disease against both sources of its hits."""
    claim = (
        f"C4.5 performs poorly on heart disease, so that {labels} told labels gain a rank with over {100 * wanted:g} %."
    )
    return [
        Claim(claim, [above("the chance is", exact(100 * value), 100 * wanted, "%", -3, "")], reading, context).check()
        for value, reading, context in (
            (chance, "average cost read as error rate", "exact"),
            (measured, "C4.5's own hits", own),
        )
    ]


def by_default_and_hits(by_share: Mapping[float, float], by_hits: Mapping[int, float]) -> Check:
    """Hold "high if the default is good and the hypothesis poor" against chances over both; two parts."""
    rises = [
        above(f"{100 * a:g} to {100 * b:g} %", exact(100 * (by_share[b] - by_share[a])), unit="points", digits=-3)
        for a, b in pairwise(sorted(by_share))
    ]
    falls = [
        below(f"{a} to {b} hits", exact(100 * (by_hits[b] - by_hits[a])), unit="points", digits=-3)
        for a, b in pairwise(sorted(by_hits))
    ]
    return Claim(
        "The chance is high if the default hit rate is high and the classifier performs poorly. [k-NN, heart disease]",
        [
            every("what a larger default class adds to the chance", rises),
            every("what more hits in a fold add to it", falls),
        ],
        context=f"exact, for a default class of {100 * min(by_share):g} to {100 * max(by_share):g} % and for "
        f"{min(by_hits)} to {max(by_hits)} hits",
    ).check()
