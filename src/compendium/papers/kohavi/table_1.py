"""Table 1: what can be counted of each data set, and the inducers' true accuracies, in percent.

A true accuracy is the mean of many holdouts: a random sample of the stated size trains, all other cases test.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import parts, printed_values
from compendium.evidence.results import ArtifactResult, ResultsByScale, Row, Run
from compendium.evidence.verdicts import read_published
from compendium.papers.import_paths import separate_studies
from compendium.papers.kohavi.data import RAND, DataSet, load_set, whole_of
from compendium.papers.kohavi.inducers import column_and_reading, inducer_named, own_files
from compendium.papers.kohavi.parameters import SetsParameters, TruthParameters
from compendium.studies.experiment import Experiment
from compendium.studies.replicates import Cell, each_replicate
from compendium.studies.sources import PartOfData
from compendium.studies.study import Study


def _holdout(cell: Cell) -> Experiment:
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


def accuracies_of(
    p: SetsParameters, wanted: Sequence[tuple[DataSet, int, int]], inducers: Sequence[str], run: Run
) -> dict[tuple[DataSet, int, str], Estimate]:
    """Mean accuracy over holdouts, by data set, training cases and inducer; wanted are (set, cases, holdouts)."""
    together = separate_studies(inducers, lambda name: own_files([name]))
    results = pd.concat([run(truth_study(wanted, some, p.seed)) for some in together])
    # by source, not by digest: two files of equal content are two data sets
    columns = ["source", "number", "size", "inducer"]
    errors = parts(results[[*columns, "value"]], *columns)
    return {
        (one, n, inducer): monte_carlo.mean(
            100 * (1.0 - errors[one.source, one.number, n, inducer]["value"].to_numpy())
        )
        for one, n, _ in wanted
        for inducer in inducers
    }


def truths_of(p: SetsParameters, run: Run) -> dict[tuple[str, str], Estimate]:
    """Return the accuracies of Table 1, by data set and inducer."""
    result = accuracies_of(p, [(one, one.size, p.holdouts) for one in p.sets()], p.inducers, run)
    return {(one.name, inducer): e for (one, _, inducer), e in result.items()}


def printed_accuracies(made: ResultsByScale) -> dict[tuple[str, str], float]:
    """Return Table 1's printed accuracies by data set and inducer; none for a reader's own parameters."""
    if "published" not in made:
        return {}
    table = read_published("kohavi")
    return printed_values(
        table[(table["artifact"] == "kohavi-table-1") & table["column"].isin(["c4.5", "naive-bayes"])]
    )


@artifact("kohavi-table-1")
def table_1(p: TruthParameters, run: Run) -> ArtifactResult:
    rows = [Row.exact("literal", one.name, column, n) for one in p.sets() for column, n in _counts(one).items()]
    truths = truths_of(p, run)
    # the cases of rand were never published: the errors of its accuracies count how much such data sets differ
    between = {one.name: _sd_between_sets(p, one, run) for one in p.sets() if one.source == RAND}
    accuracies = []
    for inducer in p.inducers:
        # a reading is what the paper may have meant by the inducer's name
        column, reading = column_and_reading(inducer)
        for one in p.sets():
            truth = truths[one.name, inducer]
            se = hypot(truth.se, between[one.name][inducer]) if one.name in between else truth.se
            rows.append(Row(reading, one.name, column, truth.value, se, truth.n))
            # the paper prints one standard error of the mean; the relative error of a deviation is 1/sqrt(2 (n - 1))
            error_of_se = truth.se / sqrt(2 * (truth.n - 1))
            rows.append(Row(reading, one.name, f"{column}/halfwidth", truth.se, error_of_se, truth.n))
            line = {"set": one.name, "inducer": inducer, "reading": reading}
            accuracies.append({**line, "accuracy": truth.value, "se": truth.se, "n": truth.n})
    return ArtifactResult(rows, {"accuracies": pd.DataFrame(accuracies)})


@lru_cache(maxsize=16)
def _counts(one: DataSet) -> dict[str, int]:
    sample = one.sample
    # of rand, whose labels are coins, duplicates are counted without them
    duplicates = sample.n - len(np.unique(sample.X, axis=0)) if one.source == RAND else sample.duplicates()
    categories = int(np.count_nonzero(sample.class_counts()))
    return {"attributes": sample.d, "total-size": sample.n, "categories": categories, "duplicates": duplicates}


def _sd_between_sets(p: TruthParameters, rand: DataSet, run: Run) -> dict[str, float]:
    """Standard deviation of the true accuracy between data sets drawn like rand, beyond their own errors, points."""
    further = [load_set(RAND, rand.size, None, p.seed, number) for number in range(1, p.rand_sets + 1)]
    result = accuracies_of(p, [(one, one.size, min(p.holdouts, 50)) for one in further], p.inducers, run)
    spread = {}
    for inducer in p.inducers:
        means = [result[one, one.size, inducer] for one in further]
        variance = np.var([e.value for e in means], ddof=1) - np.mean([e.se**2 for e in means])
        spread[inducer] = sqrt(max(0.0, float(variance)))
    return spread
