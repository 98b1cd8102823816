"""Section 3's experiment: fourteen estimators on a linear discriminant of one attribute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from compendium.evidence.results import Run
from compendium.evidence.trials import Trials
from compendium.methods.estimators import ESTIMATORS, parse_estimator
from compendium.methods.learners.threshold import Threshold
from compendium.papers.import_paths import estimator_at, estimator_digests, path_of
from compendium.papers.martin_hirschberg.estimators import ESTIMATOR_IDS, FACTORS, NAMES, library_ids
from compendium.papers.parameters import InherentErrors, Parameters, Sizes, parameter, unique
from compendium.papers.validation import field_validator, model_validator
from compendium.studies.experiment import Experiment, Trial
from compendium.studies.populations import TwoNormals
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import FromPopulation
from compendium.studies.study import Study
from errorest.errors import UsageError, nearest
from errorest.estimation.estimators import Estimator
from errorest.spec import name_and_settings

LOO, BOOT, APPARENT, TRUTH = "loo", "bootstrap-632", "resubstitution", "true-error"

# Reversal rule to name of the reading; the first is the headline
READINGS = {"literal": "literal", "class-0-mean": "fitted:class-0-mean"}
Rule = Literal["literal", "class-0-mean"]


class DiscriminantParameters(Parameters, notebook="martin-hirschberg/02-discriminant", repeated="samples"):
    """Parameters of Tables 4 and 5."""

    sizes: Sizes = parameter([10, 20, 30, 50, 100], min_length=1)
    inherent_errors: InherentErrors = parameter([0.5, 0.4, 0.25, 0.1, 0.05, 0.02, 0.01, 0.001], min_length=1)
    samples: int = parameter(100, ge=2, preview=20, replication=True)
    repeats: int = parameter(5, ge=1, preview=1, replication=True)
    cv_repeats: int = parameter(100, ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, ge=1, preview=50)
    estimators: list[str] = parameter(list(ESTIMATOR_IDS), min_length=1)
    reversal_rules: list[Rule] = parameter(list(READINGS), min_length=1)

    _unique = field_validator("estimators", "reversal_rules")(unique)

    @field_validator("estimators")
    @classmethod
    def _estimators(cls, value: list[str]) -> list[str]:
        for name in value:
            if name not in ESTIMATOR_IDS:
                estimator_of(name)
        return value

    @model_validator(mode="after")
    def _folds_fit(self) -> DiscriminantParameters:
        ids = library_ids(ESTIMATOR_IDS, self.cv_repeats, self.bootstrap_replicates)
        for name in self.estimators:
            for scheme in estimator_of(ids.get(name, name)).schemes:
                if scheme.least > min(self.sizes):
                    raise ValueError(
                        f"estimator {name} makes k = {scheme.least} folds of N = {min(self.sizes)} cases; "
                        "expected k at most N; leave the estimator or the size out"
                    )
        return self

    @property
    def further(self) -> list[str]:
        """The estimators that Table 4 has not."""
        return [name for name in self.estimators if name not in ESTIMATOR_IDS]

    def inputs(self) -> dict[str, str]:
        """Return the digests of the files of estimators at import paths."""
        return {text: digest for name in self.further for text, digest in estimator_digests(name).items()}


def estimator_of(text: str) -> Estimator:
    """Make an estimator by the library's id or an import path."""
    if path_of(text):
        return estimator_at(text)
    split = name_and_settings(text)
    if (text if split is None else split[0]) not in ESTIMATORS:
        raise UsageError(
            f"unknown estimator '{text}'; expected ids of Table 4 or of the library, or an import path; "
            + nearest(text, [*ESTIMATOR_IDS, *ESTIMATORS])
        )
    return parse_estimator(text)


def reversed_labels(trial: Trial) -> dict[str, float]:
    """Say whether a threshold calls what lies on its left class 1."""
    return {"reversed": trial.classifier.labels == (1, 0)}  # type: ignore[attr-defined]


def discriminant(cell: Cell) -> Experiment:
    """Two normal classes, a threshold by every reversal rule, and which of these are reversed."""
    return Experiment(
        FromPopulation(TwoNormals.of_inherent_error(cell["inherent_error"]), cell["n"]),
        {rule: Threshold(rule) for rule in cell["rules"]},
        {name: estimator_of(text) for name, text in cell["estimators"].items()},
        extras=(reversed_labels,),
    )


def discriminant_study(
    sizes: Sequence[int],
    inherent_errors: Sequence[float],
    samples: int,
    estimators: Mapping[str, str],
    rules: Sequence[str],
    seed: int,
    data: Mapping[str, str] | None = None,
) -> Study:
    """Make the study of section 3; samples depend on size, inherent error and seed alone."""
    same = {"estimators": estimators, "rules": list(rules)}
    return Study(
        "martin-hirschberg-discriminant",
        [{"n": n, "inherent_error": e, **same} for n in sizes for e in inherent_errors],
        samples,
        each_replicate(discriminant),
        seed=seed,
        seed_keys=("n", "inherent_error"),
        data=data or {},
        cost=lambda cell: 1.0 + cell["n"] / 20,
    )


def study_of(p: DiscriminantParameters) -> Study:
    """Make the study of Tables 4 and 5."""
    printed = [name for name in p.estimators if name in ESTIMATOR_IDS]
    ids = library_ids(printed, p.cv_repeats, p.bootstrap_replicates)
    return discriminant_study(p.sizes, p.inherent_errors, p.samples, ids, p.reversal_rules, p.seed)


def trials(p: DiscriminantParameters, run: Run) -> list[Trials]:
    """Return the samples of each reading of the reversal rule, the reader's estimators in further columns."""
    results, design = run(study_of(p)), (p.sizes, p.inherent_errors, p.samples)
    # a study for each further estimator, on the same samples, leaves the finished study of Table 4's valid
    further = {
        name: run(discriminant_study(*design, {name: name}, p.reversal_rules, p.seed, estimator_digests(name)))
        for name in p.further
    }
    readings = []
    for rule in p.reversal_rules:
        t = Trials.of(results, rule, reading=READINGS[rule], names=NAMES, factors=FACTORS)
        more = {name: Trials.of(table, rule).frame[name] for name, table in further.items()}
        readings.append(replace(t, frame=t.frame.assign(**more)))
    return readings
