"""Better than chance: how often tests find something in noise, and how often where there is something."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Condition, Conditions, Estimate, every
from compendium.evidence.monte_carlo import mean, share
from compendium.evidence.records import matching
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.choosing.experiment import TESTED, TESTS, ChoosingParameters, chance_study
from compendium.guide.choosing.figures import draw_tests
from compendium.guide.held import average_of_groups
from compendium.guide.names import CHOOSING, CHOOSING_LABELS

# Points by which a test may find more in noise than its level
_SLACK = 1.5


@dataclass(frozen=True)
class Found:
    """How often tests find something: by inducer, distance and size, in percent."""

    p: ChoosingParameters
    shares: dict[tuple[str, str, float, int], Estimate]
    """By test, inducer, distance and size."""
    gains: dict[tuple[str, float, int], Estimate]
    """What permutations find more than a test on held-out cases, on the same samples."""

    def sizes(self, test: str) -> list[Conditions]:
        """Ask a test to find no more in noise than its level."""
        limit = 100 * self.p.level + _SLACK

        def kept(inducer: str) -> list[Condition]:
            own = [self.shares[test, inducer, 0.0, n].named(f"n = {n}", "%", 1, "") for n in self.p.sizes]
            return [e < limit for e in own]

        return [every(CHOOSING["tested"][k].sentence, kept(k)) for k in TESTED]

    def power(self) -> list[Conditions]:
        """Ask permutations to find no less than a test on held-out cases, where there is something."""
        if not self.p.distances:
            raise NotRun("no distance but 0 was run")

        def more(inducer: str) -> list[Condition]:
            own = {key: e for key, e in self.gains.items() if key[0] == inducer and key[1]}
            return [e.named(f"distance {d:g}, n = {n}", "points", 1) > -_SLACK for (_, d, n), e in own.items()]

        return [every(CHOOSING["tested"][k].sentence, more(k)) for k in TESTED]


CHANCE = Claims(
    "guide-choosing-chance",
    {
        "permutation": lambda f: f.sizes("permutation"),
        "binomial-cv": lambda f: f.sizes("binomial-cv"),
        "binomial-holdout": lambda f: f.sizes("binomial-holdout"),
        "power": lambda f: f.power(),
    },
)


@artifact("guide-choosing-chance", draw=draw_tests, labels=CHOOSING_LABELS, matrix=True)
def tests_against_chance(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """Size (distance 0) and power of three tests against chance (percent)."""
    table = run(chance_study(p))
    places = list(product(TESTED, [0.0, *p.distances], p.sizes))
    yes = {
        key: matching(table, inducer=key[0], distance=key[1], n=key[2])[list(TESTS)] <= p.level + 1e-12
        for key in places
    }
    shares = {(t, *key): share(float(yes[key][t].sum()), len(yes[key])) * 100 for t in TESTS for key in places}
    more = {key: own["permutation"].astype(float) - own["binomial-holdout"] for key, own in yes.items()}
    gains = {key: mean(values.to_numpy()) * 100 for key, values in more.items()}
    rows = [
        Row.of("literal", f"{test}/{inducer}/distance-{distance:g}", f"{n}-cases", e)
        for (test, inducer, distance, n), e in shares.items()
    ]
    for test, n in product(TESTS, p.sizes if p.distances else ()):
        power = average_of_groups([shares[test, k, distance, n] for k in TESTED] for distance in p.distances)
        rows.append(Row.of("literal", f"{test}/mean-of-distances", f"{n}-cases", power))
    columns = ("test", "inducer", "distance", "n")
    lines = [dict(zip(columns, key, strict=True)) | {"found": e.value, "se": e.se} for key, e in shares.items()]
    return ArtifactResult(rows, {"tests": pd.DataFrame(lines)}, judge_claims(CHANCE, Found(p, shares, gains)))
