"""Section 7's seven conclusions, each executed on the samples of sections 3, 5 and 6."""

from __future__ import annotations

from itertools import product

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, apart, below, near
from compendium.evidence.estimate import Condition, Conditions, Estimate, every, most, some
from compendium.evidence.regenerated import Erratum, Regenerated, Run, rows_of
from compendium.papers.martin_hirschberg.conclusions.experiment import ConclusionsParameters
from compendium.papers.martin_hirschberg.conclusions.methods import Method, methods_of
from compendium.papers.martin_hirschberg.names import NAMES

__all__ = ["conclusions"]

_EVERYWHERE = ("resubstitution", "cv-10", "loo", "bootstrap-632", "loo-star")
"""Estimators that all three sections have."""

_HELD_OUT = ("holdout-1/2", "holdout-1/3", "holdout-1/4")

_MUCH = 1.25
"""A standard deviation this many times another's is much larger."""

_LITTLE = 0.1
"""A ratio of standard deviations this close to one is little different from one."""

_APART = 0.1
"""Biases and standard deviations further apart than this, points, are affected."""

_WEAK = 0.5
"""A mean correlation below this is poor."""


@artifact("martin-hirschberg-conclusions")
def conclusions(p: ConclusionsParameters, run: Run) -> Regenerated:
    """Execute section 7's seven conclusions."""
    methods = methods_of(p, run)
    rows = []
    for m in methods:
        for e in m.estimators:
            columns = [("bias-percent", m.bias(e)), ("std-percent", m.spread(e)), ("correlation", m.correlation(e))]
            rows += rows_of(m.reading, f"{m.key}/{e}", [(k, v) for k, v in columns if np.isfinite(v.value)])
    discriminants = [m for m in methods if m.section == 3]
    neighbors = [m for m in methods if m.section == 5]
    trees = next(m for m in methods if m.key == "trees")
    claims = [
        *_first(methods, p),
        _second(discriminants),
        *_third(discriminants, p),
        *_fourth(methods, neighbors),
        *_fifth(methods, [*discriminants, *neighbors], trees, p),
        *_sixth(neighbors, trees),
        _seventh(methods),
    ]
    checks = [claim.check() for claim in claims]
    return Regenerated(rows, checks=checks, findings=_advice(claims), errata=[_footnote_3()])


def _advice(claims: list[Claim]) -> list[str]:
    """What of the first and the last conclusion is left for practice, as the checks came out."""
    first, last = claims[0], claims[-1]
    found = {one.label: one.outcome for one in first.conditions if isinstance(one, Conditions)}
    of_cv = found[NAMES["cv-10"].markdown]
    words = {
        "holds": "is within the limit in more than half of all populations and sizes",
        "fails": "is beyond the limit in at least half of all populations and sizes",
        "not decided": "is not decided",
    }
    text = (
        f"The paper recommends tenfold cross-validation. In these runs its bias {words[of_cv]}, and the seventh "
        f"conclusion, that an estimate says little of the single case, {_FOLLOWS[last.outcome]}."
    )
    return [text]


_FOLLOWS = {"holds": "holds", "fails": "fails", "holds in part": "holds in part", "not decided": "is not decided"}


def _first(methods: list[Method], p: ConclusionsParameters) -> list[Claim]:
    def cells(e: str) -> list[Condition]:
        return [
            near(f"{m.name}, {where}", bias, p.negligible, "points")
            for m in methods
            for where, bias in m.biases(e).items()
        ]

    others = [e for e in _EVERYWHERE if e not in ("loo", "cv-10")]
    return [
        Claim(
            "1. Leave-one-out and 10-CV have little or no bias everywhere.",
            [most(NAMES[e].markdown, cells(e)) for e in ("cv-10", "loo")],
            context="populations and sizes with a small mean bias",
        ),
        Claim(
            "1. They are the only ones: each other estimator has a bias somewhere.",
            [
                some(NAMES[e].markdown, [apart(c.estimate.label, c.estimate, p.negligible, "points") for c in cells(e)])
                for e in others
            ],
        ),
        Claim(
            "1. The precision of 10-CV equals that of leave-one-out, at lower cost.",
            [
                near(
                    f"root mean square of 10-CV minus that of LOO ({m.name})",
                    m.rms_gap(m.difference("cv-10"), m.difference("loo")),
                    p.negligible,
                    "points",
                )
                for m in methods
            ],
        ),
    ]


def _second(discriminants: list[Method]) -> Claim:
    both = [(m, e) for m in discriminants for e in _HELD_OUT]
    return Claim(
        "2. A single independent subsample gives a poorer classifier and a much more variable estimate than 10-CV.",
        [
            every(
                "its mean estimate, which is its own classifier's error, minus that of 10-CV",
                [above(f"{NAMES[e].markdown}, {m.name}", m.gap(e, "cv-10"), unit="points") for m, e in both],
            ),
            every(
                "its standard deviation over that of 10-CV",
                [
                    above(f"{NAMES[e].markdown}, {m.name}", m.deviation_ratio(e, "cv-10"), _MUCH, sign="")
                    for m, e in both
                ],
            ),
        ],
    )


def _third(discriminants: list[Method], p: ConclusionsParameters) -> list[Claim]:
    def ratios(k: int) -> list[tuple[str, Estimate]]:
        return [(f"{m.name}, k = {k}", m.deviation_ratio(f"repeated-cv-{k}", f"cv-{k}")) for m in discriminants]

    return [
        Claim(
            "3. Iterating k-fold cross-validation lowers its spread, but little at k = 10.",
            [
                every(
                    "below k = 10, iterated over once",
                    [below(at, r, 1.0, sign="") for k in (2, 5) for at, r in ratios(k)],
                ),
                every(
                    "at k = 10, iterated over once",
                    [r.named(at, sign="").within(1 - _LITTLE, 1) for at, r in ratios(10)],
                ),
            ],
            context="standard deviations",
        ),
        Claim(
            "3. Cross-validation is pessimistic for k below 10.",
            [
                every(
                    "mean bias",
                    [
                        above(f"{k}-CV, {m.name}", m.bias(f"cv-{k}"), unit="points")
                        for m in discriminants
                        for k in (2, 5)
                    ],
                )
            ],
        ),
        Claim(
            "3. Iteration does not change the bias.",
            [
                every(
                    "iterated minus once",
                    [
                        near(f"k = {k}, {m.name}", m.gap(f"repeated-cv-{k}", f"cv-{k}"), p.negligible / 2, "points")
                        for m in discriminants
                        for k in (2, 5, 10)
                    ],
                )
            ],
        ),
    ]


def _fourth(methods: list[Method], neighbors: list[Method]) -> list[Claim]:
    biases = sorted(((m.bias("bootstrap-632"), m.name) for m in methods), key=lambda b: b[0].value)
    (low, lowest), (high, highest) = biases[0], biases[-1]
    parts = [above(f"bias, {highest} minus {lowest}", high - low, unit="points")]
    if len(neighbors) > 1:
        one, three = neighbors[0], neighbors[-1]
        gap = one.mean(one.difference("bootstrap-632") - three.difference("bootstrap-632"))
        parts.append(apart(f"bias, {one.name} minus {three.name}", gap, _APART, "points"))
    return [
        Claim(
            "4. 632b has a lower spread than 10-CV.",
            [below(m.name, m.deviation_ratio("bootstrap-632", "cv-10"), 1.0, sign="") for m in methods],
            context="its standard deviation over 10-CV's",
        ),
        Claim("4. Its bias differs with the learning algorithm and with overfitting.", parts),
    ]


def _fifth(methods: list[Method], others: list[Method], trees: Method, p: ConclusionsParameters) -> list[Claim]:
    discriminants = [m for m in methods if m.section == 3]
    bias = [near(m.name, m.bias("loo-star"), p.negligible, "points") for m in others]
    steadier = [
        below(f"{m.name}, {NAMES[e].markdown}", m.deviation_ratio("loo-star", e), 1.0, sign="")
        for m in others
        for e in ("loo", "cv-10")
    ]
    return [
        Claim(
            "5. LOO\\* is approximately unbiased for discriminants and nearest neighbours, and varies less than LOO or "
            "10-CV there.",
            [every("mean bias", bias), every("its standard deviation over theirs", steadier)],
        ),
        Claim(
            "5. Its lack of bias does not carry over to trees.",
            [apart("mean bias", trees.bias("loo-star"), p.negligible / 2, "points")],
        ),
        Claim(
            "5. Its better precision does not carry over to trees.",
            [
                above(
                    "root mean square of LOO\\* minus that of LOO",
                    trees.rms_gap(trees.difference("loo-star"), trees.difference("loo")),
                    -p.negligible / 2,
                    "points",
                )
            ],
        ),
        Claim(
            "Section 5: LOO\\* had about the same variance as 632b for discriminants.",
            [
                near(m.name, m.deviation_ratio("loo-star", "bootstrap-632"), _LITTLE, of=1, sign="")
                for m in discriminants
            ],
            context="its standard deviation over 632b's",
        ),
    ]


def _sixth(neighbors: list[Method], trees: Method) -> list[Claim]:
    if len(neighbors) < 2:
        return []
    one, three = neighbors[0], neighbors[-1]
    names = ("cv-10", "bootstrap-632")
    bias = [
        apart(NAMES[e].markdown, one.mean(one.difference(e) - three.difference(e)), _APART, "points") for e in names
    ]
    spreads = [apart(NAMES[e].markdown, one.spread(e) - three.spread(e), _APART, "points") for e in names]
    return [
        Claim(
            "6. Extreme overfitting affects the bias and the precision of cross-validation and the bootstrap.",
            [some("bias", bias), some("standard deviation", spreads)],
            context=f"{one.name} minus {three.name}",
        )
    ]


def _seventh(methods: list[Method]) -> Claim:
    names = [e for e in _EVERYWHERE if e != "resubstitution"]
    means = [
        below(f"{NAMES[e].markdown}, {m.name}", m.correlation(e), _WEAK)
        for m in methods
        for e in names
        if m.correlations(e)
    ]
    single = [below("", r, 0.0) for m in methods for e in names for r in m.correlations(e)]
    return Claim(
        "7. Estimates are poorly, and sometimes negatively, correlated with the true error, whatever the method.",
        [every("mean correlations", means), some("single correlations", single)],
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
