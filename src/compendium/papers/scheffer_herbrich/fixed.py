"""Section 4.1: diabetes and heart disease, parameters fixed over the folds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import NamedTuple

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Conditions, every, exact
from compendium.evidence.results import ArtifactResult, Run
from compendium.papers.scheffer_herbrich import chances, examples
from compendium.papers.scheffer_herbrich.chances import draw_chances, rows, steps
from compendium.papers.scheffer_herbrich.examples import HEART_FOLDS
from compendium.papers.scheffer_herbrich.parameters import CalculationParameters
from errorest.data import sets as datasets
from errorest.learners.c45 import C45
from errorest.resampling.draw import k_fold
from errorest.streams import Streams

FIXED = Claims("scheffer-herbrich-fixed")


class Chances(NamedTuple):
    """Chances of the rank in percent: on diabetes by labels revealed, on heart disease by classifier and hits."""

    diabetes: Mapping[int, float]
    tree: float
    own_tree: float
    by_share: Mapping[str, float]
    by_hits: Mapping[int, float]


@FIXED.claim
def diabetes(t: Chances) -> Condition:
    return exact(max(t.diabetes.values()), "highest chance", "%", -3) < 5


@FIXED.claim
def more_parameters(t: Chances) -> Conditions:
    # c = 7 is the paper's number of labels
    return every("a further label adds", [s < 0 for s in steps({c: v for c, v in t.diabetes.items() if c >= 7})])


@FIXED.claim
def poor_tree(t: Chances) -> Condition:
    return exact(t.tree, "the chance is", "%", -3) > 90


@FIXED.claim
def poor_own_tree(t: Chances) -> Condition:
    return exact(t.own_tree, "the chance is", "%", -3) > 90


@FIXED.claim
def default_share(t: Chances) -> list[Conditions]:
    return [
        every("a larger share of the default class adds", [s > 0 for s in steps(t.by_share)]),
        every("another hit in a fold adds", [s < 0 for s in steps(t.by_hits)]),
    ]


def tree_hits(seed: int) -> int:
    """Return the hits of our C4.5 on heart disease, cross-validated in StatLog's number of folds."""
    heart = datasets.load("heart")
    folds = k_fold(heart.n, HEART_FOLDS, Streams(seed).generator("heart", "c4.5"))
    return int(np.sum(C45(release=7).predict_resamples(heart, folds) == heart.y[folds.cases]))


@artifact("scheffer-herbrich-fixed", draw=draw_chances)
def fixed(p: CalculationParameters, run: Run | None = None) -> ArtifactResult:
    """Calculate section 4.1's numbers: diabetes and heart disease."""
    diabetes, tree, knn, _ = chosen = examples.fixed_examples()
    pima, heart = datasets.load("pima"), datasets.load("heart")
    # on diabetes the chance has a peak, which the paper takes as the c that is needed
    by_labels = chances.percent_by_labels(diabetes, range(diabetes.m + 1))
    pima_hits, share = examples.hits_in_statlog("diabetes", pima.n)[0], diabetes.default_share
    uneven = [
        examples.uneven_gain("fixed", pima.n, pima_hits, c, diabetes.folds, share).at_least(diabetes.extra)
        for c in range(2 * diabetes.labels + 1)
    ]
    knn_hits, knn_extra = examples.hits_in_statlog("heart-knn", heart.n)
    numbers = [
        *rows("diabetes", {"extra-hits-per-fold": diabetes.extra / diabetes.folds}, chances.STATLOG_RATES),
        *rows("diabetes", {"c": max(by_labels, key=by_labels.__getitem__)}, diabetes.reading),
        *rows("diabetes", {"c": int(np.argmax(uneven))}, chances.UNEVEN),
        *rows("diabetes", {"probability-percent": 100 * diabetes.chance()}, diabetes.reading),
        *rows("diabetes", {"probability-percent": 100 * uneven[diabetes.labels]}, chances.UNEVEN),
        *rows("heart-c4.5", {"samples": heart.n, "classes": examples.classes_of(heart), "entropy": knn.entropy}),
        *rows("heart-knn", {"hits-per-fold": knn_hits / knn.folds, "extra-hits": knn_extra}, tree.reading),
        *(row for e in chosen[1:] for row in chances.example_rows(e)),
    ]
    # trials and bits of k-NN do not depend on the reading, and have one row
    numbers = list({(r.reading, r.row, r.column): r for r in reversed(numbers)}.values())[::-1]
    hits = tree_hits(p.seed)
    calculated = Chances(
        by_labels,
        100 * tree.chance(),
        100 * replace(tree, hits=round(hits / HEART_FOLDS)).chance(),
        {f"{5 * i} %": 100 * replace(knn, default_share=0.05 * i).chance() for i in range(10, 20)},
        {h: 100 * replace(knn, hits=h).chance() for h in range(knn.m // 3, knn.m)},
    )
    error = sqrt(hits * (1 - hits / heart.n))
    checks = judge_claims(FIXED, calculated, folds=HEART_FOLDS, hits=hits, cases=heart.n, error=error)
    return chances.section_result(p, chosen, numbers, checks)
