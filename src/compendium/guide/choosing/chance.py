"""Better than chance: how often tests find something in noise, and how often where there is something."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above, below
from compendium.evidence.estimate import Condition, Estimate, every, plus_minus
from compendium.evidence.monte_carlo import mean, share
from compendium.evidence.records import each
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.choosing.experiment import TESTED, TESTS, ChoosingParameters, chance_study
from compendium.guide.choosing.figures import draw_tests
from compendium.guide.choosing.words import LABELS, TEST_TITLES, TESTED_TITLES

__all__ = ["chance_claims", "tests_against_chance"]

_SLACK = 1.5
"""Points by which a test may find more in noise than its level."""


@artifact("guide-choosing-chance", draw=draw_tests, labels=LABELS, matrix=True)
def tests_against_chance(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """Size (distance 0) and power of three tests against chance (percent)."""
    table = run(chance_study(p))
    rows, lines, gains = [], [], []
    for distance, inducer, n in product([0.0, *p.distances], TESTED, p.sizes):
        at = table[(table["distance"] == distance) & (table["inducer"] == inducer) & (table["n"] == n)]
        place = {"inducer": inducer, "distance": distance, "n": n, "samples": len(at)}
        texts = {test: at[test].to_numpy() <= p.level + 1e-12 for test in TESTS}
        for test, yes in texts.items():
            m = share(float(yes.sum()), yes.size) * 100
            rows.append(Row.of("literal", f"{test}/{inducer}/distance-{distance:g}", f"{n}-cases", m))
            lines.append({"test": test, **place, "found": m.value, "se": m.se})
        more = mean(texts["permutation"].astype(float) - texts["binomial-holdout"]) * 100
        gains.append({**place, "gain": more.value, "se": more.se})
    rows.sort(key=lambda row: TESTS.index(row.row.partition("/")[0]))
    result, gained = pd.DataFrame(lines), pd.DataFrame(gains)
    checks = [claim.check() for claim in chance_claims(result, gained, 100 * p.level)]
    return ArtifactResult(rows, {"tests": result, "gains": gained}, checks, list(_words(p, result)))


def chance_claims(found: pd.DataFrame, gained: pd.DataFrame, level: float) -> list[Claim]:
    """Ask of each test that it keeps its level in noise, and of permutations that they find no less than a holdout."""
    texts = {
        "permutation": "Permuted labels find something in noise no more often than the level says",
        "binomial-cv": "The binomial test on the errors of cross-validation keeps its level",
        "binomial-holdout": "The binomial test on a third that is held out keeps its level",
    }
    noise = found[found["distance"] == 0]
    claims = [
        Claim(
            f"{text} (to {_SLACK:g} points).",
            [
                every(TESTED_TITLES[k], _kept(noise[(noise["test"] == test) & (noise["inducer"] == k)], level))
                for k in TESTED
            ],
        )
        for test, text in texts.items()
    ]
    there = gained[gained["distance"] > 0]
    parts = []
    for k in TESTED:
        own = [
            above(f"distance {one.distance:g}, n = {one.n}", _of(one, "gain"), -_SLACK, "points", 1)
            for one in each(there[there["inducer"] == k])
        ]
        if own:
            parts.append(every(TESTED_TITLES[k], own))
    if parts:
        text = "Permuted labels find what is there at least as often as the binomial test on a third that is held out."
        claims.append(Claim(text, parts, context="found by permutations less found on the held-out cases"))
    return claims


def _of(one: object, column: str) -> Estimate:
    return Estimate(float(getattr(one, column)), float(one.se), int(one.samples))  # type: ignore[attr-defined]


def _kept(own: pd.DataFrame, level: float) -> list[Condition]:
    return [below(f"n = {one.n}", _of(one, "found"), level + _SLACK, "%", 1, "") for one in each(own)]


def _words(p: ChoosingParameters, found: pd.DataFrame) -> Iterator[str]:
    for inducer in TESTED:
        own = found[(found["inducer"] == inducer) & (found["distance"] == 0)]
        parts = []
        for test in TESTS:
            at = ", ".join(
                f"{plus_minus(_of(one, 'found'), '')} % at n = {one.n}" for one in each(own[own["test"] == test])
            )
            parts.append(f"{TEST_TITLES[test]} {at}")
        yield f"In noise, at the level {100 * p.level:g} %, {TESTED_TITLES[inducer]}: {'; '.join(parts)}."
    there = found[found["distance"] > 0]
    if there.empty:
        return
    power = there.groupby(["n", "test"])["found"].mean()
    parts = [", ".join(f"{TEST_TITLES[t]} {power[n, t]:.0f} %" for t in TESTS) + f" at n = {n}" for n in p.sizes]
    yield f"Where there is something to find, mean over distances and inducers: {'; '.join(parts)}."
    over = [t for t in TESTS if (_excess(found, t) > p.level * 100 + _SLACK)]
    selected = [t for t in TESTS if t not in over]
    if selected:
        best = max(selected, key=lambda t: float(there.loc[there["test"] == t, "found"].mean()))
        message = f" {_listed(over)} found more in noise than its level allows." if over else ""
        yield f"Of the tests that kept their level in noise, {TEST_TITLES[best]} found most.{message}"


def _listed(tests: list[str]) -> str:
    text = " and ".join(TEST_TITLES[t] for t in tests)
    return text[:1].upper() + text[1:]


def _excess(found: pd.DataFrame, test: str) -> float:
    """Return the largest share that a test found in noise, less two standard errors (percent)."""
    own = found[(found["test"] == test) & (found["distance"] == 0)]
    return float(np.max(own["found"] - 2 * own["se"]))
