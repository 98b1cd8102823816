"""Which holdouts are drawn of the data sets: a random sample of the stated size trains, all other cases test."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import field_validator, model_validator

from compendium.papers.kohavi.data import RAND, DataSet, check_source, distinct_names, load_set, whole_of
from compendium.papers.kohavi.named_inducers import inducer_named, own_files
from compendium.papers.own_code import check_learnable
from compendium.papers.parameters import Parameters, Sizes, each_once, parameter
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import each_replicate
from compendium.studies.sources import PartOfData
from compendium.studies.study import Study

# The data sets of Table 1 with their sample sizes
DATA_SETS = {
    "breast-cancer": 50,
    "chess": 900,
    "hypothyroid": 400,
    "mushroom": 800,
    "soybean-large": 100,
    "vehicle": 100,
    RAND: 100,
}

_LEAST_TESTED = 100


class SetsParameters(Parameters):
    """Parameters that all of section 4's experiments share."""

    seed: int = parameter(1995, ge=0)
    data_sets: list[str] = parameter(list(DATA_SETS), min_length=1)
    sizes: list[int] = parameter(list(DATA_SETS.values()), min_length=1)
    class_column: str | None = parameter(None)
    inducers: list[str] = parameter(["c4.5", "naive-bayes-observed-ratios"], min_length=1)
    holdouts: int = parameter(500, ge=2, preview=50, replication=True)

    _once = field_validator("data_sets", "inducers")(each_once)

    @field_validator("inducers")
    @classmethod
    def _known(cls, value: list[str]) -> list[str]:
        for name in value:
            inducer_named(name)
        return value

    @model_validator(mode="after")
    def _one_size_each(self) -> SetsParameters:
        if len(self.sizes) != len(self.data_sets):
            raise ValueError(
                f"{len(self.data_sets)} data sets and {len(self.sizes)} sizes are given; expected one size each"
            )
        if (least := min(self.sizes)) < 2:
            raise ValueError(f"samples of {least} case(s) are too small; expected at least 2 cases; use larger sizes")
        for source in self.data_sets:
            check_source(source)
        return self

    def sets(self) -> list[DataSet]:
        """Load the data sets, their sizes checked, each under a name of its own."""
        pairs = zip(self.data_sets, self.sizes, strict=True)
        return distinct_names([load_set(source, size, self.class_column, self.seed) for source, size in pairs])

    def inputs(self) -> dict[str, str]:
        """Check that every inducer can learn from every data set; return the digests of data sets and own inducers."""
        for one in self.sets():
            for name in self.inducers:
                check_learnable(name, inducer_named(name), one.sample, one.size)
        return {one.name: one.sample.digest() for one in self.sets()} | own_files(self.inducers)


class LearningParameters(SetsParameters):
    """Parameters of the learning curves, added to those of the data sets."""

    learning_sizes: Sizes = parameter([10, 20, 50, 100, 200, 300, 500, 700, 900, 1600, 2400], min_length=1)
    learning_holdouts: int = parameter(100, ge=2, preview=5, replication=True)

    def sizes_of(self, one: DataSet) -> list[int]:
        """Return every training size that leaves enough cases to test, and the data set's own."""
        most = max(one.size, one.sample.n - _LEAST_TESTED)
        return sorted({one.size, *(n for n in self.learning_sizes if n <= most)})


class TruthParameters(LearningParameters, notebook="kohavi/02-true-accuracies", repeated="holdouts"):
    """Parameters of Table 1 and the learning curves."""

    inducers: list[str] = parameter(
        ["c4.5", "naive-bayes-observed-ratios", "naive-bayes", "c4.5-release-8", "naive-bayes-laplace"], min_length=1
    )
    curve_inducers: int = parameter(3, ge=1)
    rand_sets: int = parameter(40, ge=2, preview=3, replication=True)
    repeats: int = parameter(2, ge=1, preview=1, replication=True)


def _holdout(cell: Mapping[str, Any]) -> Experiment:
    return Experiment(PartOfData(whole_of(cell), cell["size"]), inducer_named(cell["inducer"]))


def truth_study(wanted: Sequence[tuple[DataSet, int, int]], inducers: Sequence[str], seed: int) -> Study:
    """Make the study of true accuracies, and of learning curves."""
    cells = [{**one.cell(seed), "size": size, "inducer": name} for one, size, _ in wanted for name in inducers]
    return Study(
        "kohavi-truth",
        cells,
        [holdouts for _, _, holdouts in wanted for _ in inducers],
        each_replicate(_holdout),
        seed=seed,
        seed_keys=("digest", "size"),
        data={one.name: one.sample.digest() for one, _, _ in wanted} | own_files(inducers),
        chunk=50,
        cost=lambda cell: 1.5 + cell["size"] / 300,
    )
