"""Section 7's seven conclusions, each executed on the samples of sections 3, 5 and 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, NamedTuple

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claims, judge_claims
from compendium.evidence.estimate import Condition, Estimate, every, most, some
from compendium.evidence.monte_carlo import average
from compendium.evidence.results import ArtifactResult, Run
from compendium.evidence.trials import Trials
from compendium.papers.martin_hirschberg.discriminant.experiment import (
    READINGS,
    DiscriminantParameters,
    discriminant_study,
)
from compendium.papers.martin_hirschberg.estimators import ESTIMATOR_IDS, library_ids
from compendium.papers.martin_hirschberg.lenses.experiment import READINGS as TREES
from compendium.papers.martin_hirschberg.lenses.experiment import LensesParameters, noise_study, samples_study
from compendium.papers.martin_hirschberg.names import FACTORS, NAMES
from compendium.papers.martin_hirschberg.neighbors.experiment import NeighborsParameters, inducer_name, neighbors_study
from compendium.papers.parameters import Parameters, parameter
from compendium.studies.study import Study

CV, LOO, BOOT, STAR = "cv-10", "loo", "bootstrap-632", "loo-star"
EVERYWHERE = ("resubstitution", CV, LOO, BOOT, STAR)  # Estimators that all three sections have

OTHERS = ("resubstitution", BOOT, STAR)
HOLDOUT = ("holdout-1/2", "holdout-1/3", "holdout-1/4")

MUCH = 1.25  # A standard deviation this many times another's is much larger
LITTLE = 0.1  # A ratio of standard deviations this close to one is little different from one
AFFECTED = 0.1  # Biases and standard deviations further apart than this, points, are affected
WEAK = 0.5  # A mean correlation below this is poor


class ConclusionsParameters(Parameters, notebook="martin-hirschberg/07-conclusions"):
    """Parameters of the conclusions: how many samples of each section's experiment."""

    discriminant_samples: int = parameter(100, ge=2, preview=20, replication=True)
    neighbor_samples: int = parameter(20, ge=2, preview=5, replication=True)
    tree_samples: int = parameter(6, ge=3)
    repeats: int = parameter(10, ge=1, preview=1, replication=True)
    discriminant_repeats: int = parameter(5, ge=1, preview=1, replication=True)
    cv_repeats: int = parameter(100, ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, ge=1, preview=50)
    negligible: float = parameter(1.0, gt=0, le=50)

    def inputs(self) -> dict[str, str]:
        """Check the data set of section 6 and return its digest."""
        return LensesParameters().inputs()

    def enlarged(self) -> ConclusionsParameters | None:
        """Return the design with more samples, as many as the sections' own notebooks take."""
        if self.repeats == 1:
            return None
        larger = {name: getattr(self, name) * self.repeats for name in ("neighbor_samples", "tree_samples")}
        larger["discriminant_samples"] = self.discriminant_samples * self.discriminant_repeats
        return self.model_copy(update=larger)


def studies(p: ConclusionsParameters) -> dict[str, Study]:
    """Return the studies of sections 3, 5 and 6: discriminant, neighbors, trees, clean trees (without noise)."""
    d, k = DiscriminantParameters(), NeighborsParameters()
    settings = (p.cv_repeats, p.bootstrap_replicates)
    ids = library_ids(ESTIMATOR_IDS, *settings)
    t = LensesParameters(
        samples=p.tree_samples,
        repeats=1,
        cv_repeats=p.cv_repeats,
        bootstrap_replicates=p.bootstrap_replicates,
        seed=p.seed,
    )
    return {
        "discriminant": discriminant_study(
            d.sizes, d.inherent_errors, p.discriminant_samples, ids, list(d.reversal_rules), p.seed
        ),
        "neighbors": neighbors_study(k.sizes, k.inherent_errors, p.neighbor_samples, k.neighbors, *settings, p.seed),
        "trees": noise_study(t),
        "clean trees": samples_study("sizes", t, t.samples, t.sizes, [0.0], t.noise_readings),
    }


@dataclass(frozen=True, eq=False)
class Method(Trials):
    """The samples of one inference method: bias and spread are within a population and size, averaged over these."""

    row: str = ""

    @property
    def key(self) -> str:
        """The method in the keys of rows."""
        return self.row

    @property
    def estimators(self) -> list[str]:
        """The estimators that the section has, in its order."""
        return [c for c in self.frame.columns if c in NAMES and c != "true-error"]

    def correlations(self, estimator: str) -> list[Estimate]:
        """Correlation with the true error in each cell where there is one."""
        results = [cell.corr(estimator) for cell in self.cells("cell")]
        return [r for r in results if isfinite(r.value) and isfinite(r.se)]

    def correlation(self, estimator: str) -> Estimate:
        """Mean correlation over the cells."""
        return self.named(average(self.correlations(estimator)), estimator)


class Methods(NamedTuple):
    """The inference methods by section: 3 in each reading, 5 for each k, 6 with noise and without."""

    discriminants: list[Method]
    neighbors: list[Method]
    trees: list[Method]

    @property
    def all(self) -> list[Method]:
        """Every method, in the report's order."""
        return [*self.discriminants, *self.neighbors, *self.trees]


def biases(methods: Methods, estimator: str) -> Iterator[Estimate]:
    """Bias in each population and size."""
    for m in methods.all:
        for cell in m.cells(*(factor for factor in m.factors if factor in m.frame)):
            yield cell.bias(estimator).named(cell.label)


def lower_spread(methods: Sequence[Method], one: str, *others: str) -> list[Condition]:
    """Ask that an estimate varies less than others."""
    return [
        m.sd_ratio(one, e).named(f"{m.label}, to {NAMES[e].markdown}", sign="") < 1 for m in methods for e in others
    ]


def rms_beyond(m: Method, one: str, other: str) -> Estimate:
    """Root mean square of one estimator minus that of another, points."""
    return m.rms_gap(m.difference(one), m.difference(other)).named(f"root mean square ({m.label})", "points")


def iterated_over_once(methods: Methods, k: int) -> list[Estimate]:
    """Standard deviation of iterated cross-validation over that of one iteration."""
    return [m.sd_ratio(f"repeated-cv-{k}", f"cv-{k}").named(f"k = {k}, {m.label}") for m in methods.discriminants]


def range_of_bias(methods: Methods, estimator: str) -> Estimate:
    """Largest mean bias of an estimator minus its smallest."""
    results = sorted((m.bias(estimator) for m in methods.all), key=lambda e: e.value)
    return results[-1] - results[0]


def by_overfitting(methods: Methods, estimator: str) -> Estimate:
    """Bias for one neighbour minus that for most neighbours."""
    return methods.neighbors[0].bias_beyond(methods.neighbors[-1], estimator)


def correlated(methods: Methods) -> Iterator[tuple[Method, str]]:
    """Yield the resampling estimates that vary with the true error at all."""
    return ((m, e) for m in methods.all for e in EVERYWHERE[1:] if m.correlations(e))


CONCLUSIONS = Claims(
    "martin-hirschberg-conclusions",
    {
        "1-little-bias": lambda m, limit: [
            most(NAMES[e].markdown, [abs(b) <= limit for b in biases(m, e)]) for e in (CV, LOO)
        ],
        "1-only-ones": lambda m, limit: [
            some(NAMES[e].markdown, [abs(b) > limit for b in biases(m, e)]) for e in OTHERS
        ],
        "1-precision": lambda m, limit: [abs(rms_beyond(one, CV, LOO)) <= limit for one in m.all],
        "2-subsample": lambda m, limit: [
            every(
                "its mean estimate, which is its own classifier's error, minus that of 10-CV",
                [d.gap(e, CV) > 0 for d in m.discriminants for e in HOLDOUT],
            ),
            every(
                "its standard deviation over that of 10-CV",
                [d.sd_ratio(e, CV) > MUCH for d in m.discriminants for e in HOLDOUT],
            ),
        ],
        "3-iterating-spread": lambda m, limit: [
            every("below k = 10, iterated over once", [r < 1 for k in (2, 5) for r in iterated_over_once(m, k)]),
            every("at k = 10, iterated over once", [r.within(1 - LITTLE, 1) for r in iterated_over_once(m, 10)]),
        ],
        "3-pessimistic": lambda m, limit: every(
            "mean bias", [d.bias(e) > 0 for d in m.discriminants for e in ("cv-2", "cv-5")]
        ),
        "3-iterating-bias": lambda m, limit: every(
            "iterated minus once",
            [abs(d.gap(f"repeated-cv-{k}", f"cv-{k}")) <= limit / 2 for d in m.discriminants for k in (2, 5, 10)],
        ),
        "4-lower-spread": lambda m, limit: lower_spread(m.all, BOOT, CV),
        "4-bias-differs": lambda m, limit: [range_of_bias(m, BOOT) > 0, abs(by_overfitting(m, BOOT)) > AFFECTED],
        "5-unbiased": lambda m, limit: [
            every("mean bias", [abs(one.bias(STAR)) <= limit for one in (*m.discriminants, *m.neighbors)]),
            every("its standard deviation over theirs", lower_spread([*m.discriminants, *m.neighbors], STAR, LOO, CV)),
        ],
        "5-biased-on-trees": lambda m, limit: abs(m.trees[0].bias(STAR)) > limit / 2,
        "5-precision-on-trees": lambda m, limit: rms_beyond(m.trees[0], STAR, LOO) > -limit / 2,
        "5-variance": lambda m, limit: [d.sd_ratio(STAR, BOOT).within(1 - LITTLE, 1 + LITTLE) for d in m.discriminants],
        "6-overfitting": lambda m, limit: [
            some("bias", [abs(by_overfitting(m, e)) > AFFECTED for e in (CV, BOOT)]),
            some(
                "standard deviation",
                [abs(m.neighbors[0].spread(e) - m.neighbors[-1].spread(e)) > AFFECTED for e in (CV, BOOT)],
            ),
        ],
        "7-correlations": lambda m, limit: [
            every("mean correlations", [one.correlation(e) < WEAK for one, e in correlated(m)]),
            some("single correlations", [r < 0 for one, e in correlated(m) for r in one.correlations(e)]),
        ],
    },
)


@artifact("martin-hirschberg-conclusions")
def conclusions(p: ConclusionsParameters, run: Run) -> ArtifactResult:
    """Execute section 7's seven conclusions."""
    results = {name: run(study) for name, study in studies(p).items()}
    factors = {**FACTORS, "noise": "p = {:g}".format}

    def method(study: str, inducer: str, label: str, row: str, reading: str) -> Method:
        return Method.of(results[study], inducer, reading=reading, names=NAMES, factors=factors, label=label, row=row)

    tree = LensesParameters().noise_readings[0]
    methods = Methods(
        [
            method("discriminant", rule, f"discriminant, rule *{rule}*", "discriminant", READINGS[rule])
            for rule in DiscriminantParameters().reversal_rules
        ],
        [
            method("neighbors", inducer_name(k), f"{k}-NN", f"{k}-nn", "literal")
            for k in NeighborsParameters().neighbors
        ],
        [
            method("trees", tree, "trees", "trees", TREES[tree]),
            method("clean trees", tree, "trees without noise", "clean-trees", TREES[tree]),
        ],
    )
    columns: dict[str, Any] = {"bias-percent": Method.bias, "std-percent": Method.spread}
    columns["correlation"] = Method.correlation
    rows = [row for m in methods.all for row in m.rows(m.estimators, columns, row="{key}/{}")]
    return ArtifactResult(rows, checks=judge_claims(CONCLUSIONS, methods, p.negligible))
