"""Better than chance: how often tests find something in noise, and how often where there is something."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from math import sqrt

import pandas as pd
from scipy.special import bdtr

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, NotRun, judge_claims
from compendium.evidence.estimate import Conditions, Estimate, every
from compendium.evidence.monte_carlo import mean, share
from compendium.evidence.records import matching
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.guide.choosing.drawing import lines_by_size
from compendium.guide.choosing.parameters import ChoosingParameters
from compendium.guide.choosing.populations import draw_sample, normal_classes
from compendium.guide.intervals import average_of_groups
from compendium.guide.names import CHOOSING, CHOOSING_LABELS
from compendium.plots.picture import Drawing
from compendium.studies.replicates import Cell, Replicate, each_replicate
from compendium.studies.study import Study
from errorest.assessment.permutation import permutation_test
from errorest.estimation.run import predict_schemes
from errorest.learners import KNN, LinearDiscriminant
from errorest.learners.base import Inducer
from errorest.plots import in_style
from errorest.resampling.schemes import Holdout
from errorest.streams import Streams

# Inducers that are tested against chance
TESTED: Mapping[str, Inducer] = {"1-nn": KNN(1), "ldf": LinearDiscriminant()}

# Permuted labels; the binomial test on the errors of the same folds, and on a third that is held out
TESTS = ("permutation", "binomial-cv", "binomial-holdout")


def _tested(cell: Cell) -> Replicate:
    """Return what one replicate yields: the p-value of each test."""
    inducer, held_out = TESTED[cell["inducer"]], Holdout()
    classes = normal_classes((cell["distance"] / sqrt(2),) * 2)

    def replicate(place: Streams) -> dict[str, float]:
        sample = draw_sample(classes.sample, cell["n"], place.generator("sample"))
        rng = place.generator("permutations")
        result = permutation_test(inducer, sample, n_permutations=cell["permutations"], rng=rng)
        split = held_out.draw(sample, place)
        missed = int(predict_schemes(sample, inducer, {held_out: split}, place)[held_out].errors.sum())
        return {
            "permutation": result.p_value,
            "binomial-cv": float(bdtr(round(result.value * sample.n), sample.n, 0.5)),
            "binomial-holdout": float(bdtr(missed, split.cases.size, 0.5)),
        }

    return replicate


def chance_study(p: ChoosingParameters) -> Study:
    """Return the study of tests against chance; inducers see the same samples."""
    cells = [
        {"distance": distance, "inducer": inducer, "n": n, "permutations": p.permutations}
        for distance, inducer, n in product([0.0, *p.distances], TESTED, p.sizes)
    ]
    return Study(
        "guide-choosing-chance",
        cells,
        [p.power_tests if cell["distance"] else p.tests for cell in cells],
        each_replicate(_tested),
        seed=p.seed,
        seed_keys=("distance", "n"),
        chunk=100,
        cost=lambda cell: 1.0 + 0.05 * float(cell["n"]) * float(cell["permutations"]) / 99,
    )


# Points by which a test may find more in noise than its level
TOLERANCE = 1.5


@dataclass(frozen=True)
class Found:
    """How often tests find something: by inducer, distance and size, in percent."""

    p: ChoosingParameters
    shares: dict[tuple[str, str, float, int], Estimate]
    """By test, inducer, distance and size."""
    gains: dict[tuple[str, float, int], Estimate]
    """What permutations find more than a test on held-out cases, on the same samples."""


def size(f: Found, test: str) -> list[Conditions]:
    """Ask a test to find no more in noise than its level."""
    limit = 100 * f.p.level + TOLERANCE
    shares = {k: [f.shares[test, k, 0.0, n].named(f"n = {n}", "%", 1, "") for n in f.p.sizes] for k in TESTED}
    return [every(CHOOSING["tested"][k].sentence, [e < limit for e in own]) for k, own in shares.items()]


CHANCE = Claims("guide-choosing-chance", {test: partial(size, test=test) for test in TESTS})


@CHANCE.claim
def power(f: Found) -> list[Conditions]:
    # permutations find no less than a test on held-out cases, where there is something
    if not f.p.distances:
        raise NotRun("no distance but 0 was run")
    named = {k: e.named(f"distance {k[1]:g}, n = {k[2]}", "points", 1) for k, e in f.gains.items() if k[1]}
    gains = {inducer: [e for key, e in named.items() if key[0] == inducer] for inducer in TESTED}
    return [every(CHOOSING["tested"][k].sentence, [e > -TOLERANCE for e in own]) for k, own in gains.items()]


@in_style
def draw_tests(p: ChoosingParameters, made: ResultsByScale, published: pd.DataFrame) -> Drawing:
    titles = {key: CHOOSING["tested"][key].symbol for key in TESTED}
    panels = {(n, key): f"{title}, n = {n}" for n, (key, title) in product(p.sizes, titles.items())}
    table, x, y = made.largest[1].data["tests"], ("distance", "distance of the classes"), ("found", "found (%)")
    names = {test: CHOOSING["tests"][test] for test in TESTS}
    picture = lines_by_size(table, panels, ("inducer", "test"), x, y, names)
    picture.guide(y=100 * p.level, linestyle="--")
    return picture.done(percent=f"{100 * p.level:g}")


@artifact("guide-choosing-chance", draw=draw_tests, labels=CHOOSING_LABELS, matrix=True)
def tests_against_chance(p: ChoosingParameters, run: Run) -> ArtifactResult:
    """Size (distance 0) and power of three tests against chance (percent)."""
    table = run(chance_study(p))
    places = list(product(TESTED, [0.0, *p.distances], p.sizes))
    found = {
        key: matching(table, inducer=key[0], distance=key[1], n=key[2])[list(TESTS)] <= p.level + 1e-12
        for key in places
    }
    shares = {(t, *key): share(float(found[key][t].sum()), len(found[key])) * 100 for t in TESTS for key in places}
    more = {key: own["permutation"].astype(float) - own["binomial-holdout"] for key, own in found.items()}
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
