"""Growing C4.5 trees against a plain recursive program, written from the definitions alone."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from errorest.data.sample import Attribute, Sample
from errorest.inducers.c45 import C45, C45Tree

NOTHING = 1e-6


def entropy(weights: list[float]) -> float:
    total = sum(weights)
    return -sum(w / total * math.log2(w / total) for w in weights if w > 0)


class Plain:
    """C4.5 without pruning: cases are (row, weight) pairs, and every quantity is computed from its definition."""

    def __init__(self, sample: Sample, release: int, min_cases: int) -> None:
        self.X, self.y, self.attributes, self.k = sample.X, sample.y, sample.attributes, sample.n_classes
        self.release, self.min_cases, self.n = release, min_cases, sample.n

    def classes(self, cases: list[tuple[int, float]]) -> list[float]:
        return [sum(w for i, w in cases if self.y[i] == c) for c in range(self.k)]

    def groups(self, cases: list[tuple[int, float]], a: int, cut: float) -> tuple[list[list[tuple[int, float]]], Any]:
        known = [(i, w) for i, w in cases if not math.isnan(self.X[i, a])]
        missing = [(i, w) for i, w in cases if math.isnan(self.X[i, a])]
        if self.attributes[a].kind == "nominal":
            number = len(self.attributes[a].categories)
            return [[(i, w) for i, w in known if self.X[i, a] == v] for v in range(number)], missing
        return [[(i, w) for i, w in known if (self.X[i, a] > cut) == side] for side in (False, True)], missing

    def gain_and_ratio(self, cases: list[tuple[int, float]], a: int, cut: float) -> tuple[float, float]:
        groups, missing = self.groups(cases, a, cut)
        sizes = [sum(w for _, w in g) for g in groups]
        lost, known = sum(w for _, w in missing), sum(sizes)
        total = known + lost
        before = entropy(self.classes([case for g in groups for case in g]))
        after = sum(s / known * entropy(self.classes(g)) for s, g in zip(sizes, groups, strict=True) if s > 0)
        gain = known / total * (before - after)
        split = entropy([*sizes, lost])
        return gain, gain / split if split > NOTHING else 0.0

    def weigh(self, cases: list[tuple[int, float]], a: int) -> tuple[float, float, float] | None:
        if self.attributes[a].kind == "nominal":
            groups, _ = self.groups(cases, a, 0.0)
            if sum(sum(w for _, w in g) >= self.min_cases - NOTHING for g in groups) < 2:
                return None
            return *self.gain_and_ratio(cases, a, 0.0), 0.0
        known = [(i, w) for i, w in cases if not math.isnan(self.X[i, a])]
        least = max(self.min_cases, min(25.0, 0.1 * sum(w for _, w in known) / self.k))
        values = sorted({float(self.X[i, a]) for i, _ in known})
        options = []
        for low, high in itertools.pairwise(values):
            groups, _ = self.groups(cases, a, low)
            if all(sum(w for _, w in g) >= least - NOTHING for g in groups):
                options.append((*self.gain_and_ratio(cases, a, low), (low + high) / 2))
        if not options:
            return None
        if self.release == 8:
            best = options[0]
            for option in options:
                best = option if option[0] > best[0] + NOTHING else best
            total = sum(w for _, w in cases)
            paid = best[0] - math.log2(len(options)) / total
            best = (paid, paid * best[1] / best[0] if best[0] > NOTHING else 0.0, best[2])
        else:
            mean = sum(o[0] for o in options) / len(options)
            best = (0.0, -math.inf, 0.0)
            for option in options:
                if option[0] >= mean - NOTHING and option[1] >= best[1] - NOTHING:
                    best = option
        return best if best[0] > NOTHING else None

    def grow(self, cases: list[tuple[int, float]]) -> Any:
        weights = self.classes(cases)
        leaf = ("leaf", [round(w, 6) for w in weights])
        if sum(weights) < 2 * self.min_cases - NOTHING or sum(weights) - max(weights) < NOTHING:
            return leaf
        results = {a: self.weigh(cases, a) for a in range(len(self.attributes))}
        few = [a for a in results if len(self.attributes[a].categories) < 0.3 * self.n]
        gains = [f[0] for a, f in results.items() if f is not None and (a in few or not few)]
        mean = sum(gains) / max(len(gains), 1)
        best, ratio = -1, 0.0
        for a, f in results.items():
            if f is not None and f[0] > NOTHING and f[0] >= mean - 1e-3 and f[1] > ratio + NOTHING:
                best, ratio = a, f[1]
        if best < 0:
            return leaf
        cut = results[best][2]  # type: ignore[index]
        if self.attributes[best].kind != "nominal":
            cut = max(float(v) for v in self.X[:, best] if v <= cut)
        groups, missing = self.groups(cases, best, cut)
        sizes = [sum(w for _, w in g) for g in groups]
        kids = []
        for g, size in zip(groups, sizes, strict=True):
            share = [(i, w * size / sum(sizes)) for i, w in missing] if size > 0 else []
            kids.append(self.grow(g + share))
        wrong = sum(self.errors(kid) for kid in kids)
        if wrong >= sum(weights) - max(weights) - 1e-3:
            return leaf
        return (best, cut if self.attributes[best].kind != "nominal" else None, kids)

    def errors(self, tree: Any) -> float:
        return sum(tree[1]) - max(tree[1]) if tree[0] == "leaf" else sum(self.errors(kid) for kid in tree[2])


def as_plain(tree: C45Tree, v: int = 0) -> Any:
    node = tree.nodes[v]
    if node["attribute"] < 0:
        return ("leaf", [round(w, 6) if node["share"] > 0 else 0.0 for w in tree.counts[v].tolist()])
    cut = None if math.isnan(node["threshold"]) else float(node["threshold"])
    kids = [as_plain(tree, int(node["first_child"]) + b) for b in range(node["n_children"])]
    return (int(node["attribute"]), cut, kids)


def random_sample(rng: np.random.Generator, n: int, missing: float) -> Sample:
    """Numbers with ties, a real number, two nominal attributes, and labels that depend on some of them."""
    X = np.column_stack(
        [rng.integers(0, 6, n), rng.normal(size=n), rng.integers(0, 3, n), rng.integers(0, 2, n), rng.integers(0, 8, n)]
    ).astype(float)
    score = X[:, 0] / 3 + X[:, 1] + (X[:, 2] == 1) + rng.normal(scale=0.7, size=n)
    y = np.digitize(score, [0.8, 2.0])
    X[rng.random(X.shape) < missing] = np.nan
    kinds = (
        Attribute("steps", "integer"),
        Attribute("real"),
        Attribute("three", "nominal", ("a", "b", "c")),
        Attribute("two", "nominal", ("a", "b")),
        Attribute("rare", "nominal", tuple("abcdefghijkl")),
    )
    return Sample.from_arrays(X, y, attributes=kinds, classes=("low", "middle", "high"))


@pytest.mark.parametrize("release", [7, 8])
@pytest.mark.parametrize("missing", [0.0, 0.15])
def test_grown_trees_are_those_of_the_plain_program(release: int, missing: float) -> None:
    rng = np.random.default_rng([release, int(100 * missing)])
    inner = 0
    for n in (6, 12, 20, 35, 60, 60, 60):
        for min_cases in (1, 2, 4):
            sample = random_sample(rng, n, missing)
            plain = Plain(sample, release, min_cases).grow([(i, 1.0) for i in range(n)])
            tree = C45(release=release, min_cases=min_cases, prune=False).fit(sample)  # type: ignore[arg-type]
            assert as_plain(tree) == plain
            inner += tree.n_nodes - tree.n_leaves
    assert inner > 100
