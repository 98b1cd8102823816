"""Parameters of the coverage study, and its grid: which intervals are made of which samples, and what is left out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from typing import NamedTuple

from compendium.guide.coverage.groups import GROUP_WORLDS
from compendium.guide.coverage.inducers import INDUCERS, LEARNERS, illegal
from compendium.guide.coverage.methods import ELSEWHERE, OF_LEARNERS, WHERE_FEW, methods_at, settings_at
from compendium.guide.coverage.populations import FAR_APART, POPULATIONS, digests_of, population_named
from compendium.guide.coverage.worlds import WORLDS
from compendium.papers.import_paths import files_of
from compendium.papers.kohavi.inducers import inducer_named
from compendium.papers.parameters import Parameters, SizesForTenFolds, parameter, unique
from compendium.papers.validation import field_validator, model_validator
from errorest.errors import UsageError, nearest

# Populations of small error that the nearest neighbour and large samples are run on too
EVERY_OTHER = list(FAR_APART)[::2]

# The largest samples of populations and inducers that are cheap at large sizes, or dear at every size
LARGEST: Mapping[tuple[str, str], int] = {
    ("two-normals", "ldf"): 1000,
    ("lenses", "naive-bayes"): 1000,
    ("lenses", "majority"): 1000,
    ("lenses", "c4.5"): 1000,
    ("two-normals", "1-nn"): 1000,
    ("normals-5d", "1-nn"): 500,
    ("normals-5d", "ldf"): 500,
    ("two-normals", "naive-bayes"): 500,
    ("mushroom", "c4.5"): 500,
    ("two-normals", "majority"): 500,
    ("normals-5d", "c4.5"): 50,
    ("chess", "c4.5"): 50,
    **{("land-sat", inducer): 0 for inducer in ("ldf", "naive-bayes", "c4.5")},
    **{(name, inducer): 0 for name in FAR_APART for inducer in ("1-nn", "c4.5", "majority")},
    **{(name, "1-nn"): 100 for name in EVERY_OTHER},
    # whose error there is above 5 %
    (EVERY_OTHER[-1], "1-nn"): 500,
    **{(name, inducer): 500 for name in EVERY_OTHER for inducer in ("ldf", "naive-bayes")},
}

# The largest samples of populations of other kinds and inducers that are dear
LARGEST_WORLDS: Mapping[tuple[str, str], int] = {
    **{(name, "c4.5"): 100 for name in WORLDS},
    **{("many-attributes", inducer): 100 for inducer in ("1-nn", "ldf", "naive-bayes")},
    ("many-attributes", "c4.5"): 20,
}

# Populations of other kinds on which the learners of scikit-learn are not run: boosting makes a tree for each of many
# classes, and many attributes cost a forest most
NOT_FOR_LEARNERS = ("many-attributes", "five-classes")

# Populations of two equally frequent classes: the majority inducer has the same distribution on all of them
BALANCED = ("two-normals", "normals-5d", "normals-2d", "no-information", "rand")


class CoverageParameters(Parameters, notebook="guide/03-coverage"):
    """Parameters of the coverage study."""

    populations: list[str] = parameter(
        ["two-normals", "normals-5d", "no-information", "lenses", "mushroom", "chess", "land-sat"],
        min_length=1,
        preview=["two-normals", "lenses"],
    )
    small_errors: list[str] = parameter(
        list(FAR_APART),
        min_length=1,
        preview=EVERY_OTHER[:2],
    )
    worlds: list[str] = parameter(list(WORLDS), preview=list(WORLDS)[:2])
    inducers: list[str] = parameter(
        ["1-nn", "ldf", "naive-bayes", "c4.5", "majority"],
        min_length=1,
    )
    sizes: SizesForTenFolds = parameter([20, 50, 100, 500, 1000], min_length=1, preview=[20, 50])
    world_sizes: SizesForTenFolds = parameter([20, 100, 300], min_length=1, preview=[20])
    world_samples: int = parameter(60, ge=2, preview=10, replication=True)
    learners: list[str] = parameter(list(LEARNERS), preview=list(LEARNERS)[:1])
    learner_sizes: SizesForTenFolds = parameter([20, 100], min_length=1, preview=[20])
    learner_samples: int = parameter(30, ge=2, preview=4, replication=True)
    group_worlds: list[str] = parameter(list(GROUP_WORLDS), preview=list(GROUP_WORLDS)[:1])
    group_sizes: list[int] = parameter([6, 15, 50], min_length=1, preview=[6])
    group_samples: int = parameter(30, ge=2, preview=4, replication=True)
    repetitions: int = parameter(200, ge=2, preview=10, replication=True)
    confidence: float = parameter(0.95, gt=0, lt=1)
    most_trained: int = parameter(
        36_000,
        ge=100,
        preview=12_000,
    )
    full_to: int = parameter(
        100,
        ge=2,
        preview=20,
    )
    all_cells: bool = parameter(False)
    close_up: SizesForTenFolds = parameter([20, 100], min_length=1, preview=[20, 50])
    slack: float = parameter(0.02, ge=0, lt=0.5)

    @field_validator("inducers")
    @classmethod
    def _short_names(cls, value: list[str]) -> list[str]:
        short = [re.sub(r"^knn\(k=(\d+)\)$", r"\1-nn", text) for text in value]
        return [name if name in INDUCERS else text for name, text in zip(short, value, strict=True)]

    _unique = field_validator(
        *("populations", "small_errors", "worlds", "inducers", "sizes", "world_sizes"),
        *("learners", "learner_sizes", "group_worlds", "group_sizes"),
    )(unique)

    @model_validator(mode="after")
    def _known(self) -> CoverageParameters:
        try:
            for name in [*self.populations, *self.small_errors, *self.worlds]:
                if name not in POPULATIONS:
                    population_named(name)
            for name in self.inducers:
                if name not in INDUCERS:
                    inducer_named(name)
        except UsageError as error:
            raise ValueError(str(error)) from None
        for given, known in ((self.learners, LEARNERS), (self.group_worlds, GROUP_WORLDS)):
            for name in given:
                if name not in known:
                    raise ValueError(f"unknown '{name}'; expected one of {', '.join(known)}; {nearest(name, known)}")
        if min(self.group_sizes) < 6:
            raise ValueError(f"group_sizes must be at least 6, for five folds; got {self.group_sizes}")
        if len(self.close_up) > 2 or not set(self.close_up) <= set(self.sizes):
            raise ValueError(f"close_up must be one or two of the sizes {self.sizes}; got {self.close_up}")
        return self

    def inputs(self) -> dict[str, str]:
        """Check that something is left to run; return the digests of data sets and of files of inducers."""
        laid_out(self)
        return digests_of([*self.populations, *self.small_errors, *self.worlds]) | files_of(self.inducers)


class Cell(NamedTuple):
    """One cell of the grid with the ids of its intervals, by the names of :data:`METHODS`."""

    population: str
    inducer: str
    n: int
    methods: Mapping[str, str]


class LeftOut(NamedTuple):
    """A cell that is not run, and why; ``kind`` is ``illegal``, ``same`` or ``cost``."""

    population: str
    inducer: str
    n: int
    kind: str
    reason: str


def laid_out(p: CoverageParameters) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid: what is run, and what is not."""
    cells, left_out = _grid(p, p.populations)
    if not cells:
        because = f" ({left_out[0].reason})" if left_out else ""
        raise UsageError(
            f"no combination of population, inducer, size and interval is left to run{because}",
            "choose other inducers or populations, or allow more with full_to or all_cells",
        )
    return cells, left_out


def small_errors_laid_out(p: CoverageParameters) -> tuple[list[Cell], list[LeftOut]]:
    """Lay out the grid of the populations of small error; nothing is run where no inducer of few errors was named."""
    cells, left_out = _grid(p, p.small_errors)
    few = [cell._replace(methods={m: text for m, text in cell.methods.items() if m in WHERE_FEW}) for cell in cells]
    return few, left_out


def worlds_laid_out(p: CoverageParameters) -> list[Cell]:
    """Lay out the grid of the populations of other kinds, on which few intervals are measured."""
    made = {n: {m: text for m, text in methods_at(n, p.most_trained).items() if m in ELSEWHERE} for n in p.world_sizes}
    return [
        Cell(name, inducer, n, made[n])
        for name, inducer, n in product(p.worlds, p.inducers, p.world_sizes)
        if inducer != "majority" and n <= LARGEST_WORLDS.get((name, inducer), n) and not illegal(name, inducer)
    ]


def learners_laid_out(p: CoverageParameters) -> list[Cell]:
    """Lay out the grid of scikit-learn's learners on these populations, of which one holdout and folds are measured."""
    made = {n: {m: settings_at(m, n)[0] for m in OF_LEARNERS} for n in p.learner_sizes}
    worlds = [name for name in p.worlds if name not in NOT_FOR_LEARNERS]
    return [Cell(*place, made[place[2]]) for place in product(worlds, p.learners, p.learner_sizes)]


def _grid(p: CoverageParameters, populations: Sequence[str]) -> tuple[list[Cell], list[LeftOut]]:
    cells, left_out = [], []
    balanced = [name for name in populations if name in BALANCED]
    methods = {n: methods_at(n, p.most_trained) for n in p.sizes}
    for place in product(populations, p.inducers, p.sizes):
        name, inducer, n = place
        if reason := illegal(name, inducer):
            left_out.append(LeftOut(*place, "illegal", reason))
        elif inducer == "majority" and name in balanced[1:]:
            left_out.append(LeftOut(*place, "same", f"the same distribution as on {balanced[0]}"))
        elif n > LARGEST.get((name, inducer), p.full_to) and not p.all_cells:
            left_out.append(LeftOut(*place, "cost", "set all_cells to run it"))
        elif methods[n]:
            cells.append(Cell(*place, methods[n]))
    return cells, left_out
