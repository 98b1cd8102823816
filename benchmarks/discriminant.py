"""Table 4 at published scale, one reading, on one core, against a plain loop of scikit-learn fits.

The loop makes one linear discriminant a resample on a random part of the very
resamples that the study draws, in the same run; its rate is extrapolated.
Then the cost is shown to grow with the samples and with the resamples.
"""

from __future__ import annotations

import os
import warnings

# one core for both sides, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from timing import seconds

from compendium.papers.martin_hirschberg.discriminant.study import DiscriminantParameters, discriminant_study
from compendium.papers.martin_hirschberg.estimators import library_ids
from compendium.studies.populations import TwoNormals
from compendium.studies.study import Study, run_study
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.run import draw_schemes
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

SEED = DiscriminantParameters().seed
RULES = ["literal"]
REPEATS = 3
FITS_A_SAMPLE = 50


def study(samples: int, *, cv_repeats: int = 100, bootstrap_replicates: int = 200) -> Study:
    """Table 4's study with any number of samples and resamples."""
    p = DiscriminantParameters()
    ids = library_ids(p.estimators, cv_repeats, bootstrap_replicates)
    return discriminant_study(p.sizes, p.inherent_errors, samples, ids, RULES, SEED)


def schemes_of(table: Study) -> list[Scheme]:
    """The schemes that a sample of the study is resampled by."""
    wanted = table.cells[0]["estimators"].values()
    return list(dict.fromkeys(s for text in wanted for s in parse_estimator(text).schemes))


def classifiers(table: Study) -> int:
    """Training sets that the study makes a classifier of."""
    total = 0
    for cell, count in zip(table.cells, table.counts, strict=True):
        sample = TwoNormals.of_inherent_error(cell["inherent_error"]).sample(cell["n"], np.random.default_rng(0))
        drawn = draw_schemes(sample, schemes_of(table), Streams(0))
        total += count * sum(r.n_rows for r in drawn.values())
    return total


def loop_rate(table: Study) -> tuple[float, int]:
    """Classifiers a second of a plain scikit-learn loop, and how many were made."""
    rng = np.random.default_rng(SEED)
    work = []
    for cell, count in zip(table.cells, table.counts, strict=True):
        place = Streams(SEED).child(table.id, table.seed_cell(cell), int(rng.integers(count)))
        sample = TwoNormals.of_inherent_error(cell["inherent_error"]).sample(cell["n"], place.generator("sample"))
        rows = [
            (np.repeat(np.arange(sample.n), r.training_counts(i, i + 1)[0]), r.cases[r.start[i] : r.start[i + 1]])
            for r in draw_schemes(sample, schemes_of(table), place).values()
            for i in range(r.n_rows)
        ]
        work += [(sample, *rows[i]) for i in rng.choice(len(rows), FITS_A_SAMPLE, replace=False)]

    def loop() -> None:
        for sample, training, tested in work:
            X, y = sample.X[training], sample.y[training]
            if tested.size and y.min() < y.max():
                LinearDiscriminantAnalysis().fit(X, y).predict(sample.X[tested])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # classes without spread
        loop()
        return len(work) / seconds(loop, REPEATS), len(work)


def growth(name: str, sizes: dict[str, Study]) -> list[tuple[str, float, str]]:
    """Print and return the seconds of studies that grow by a factor."""
    measured = [(f"{name} {factor}", seconds(lambda s=s: run_study(s), REPEATS), "s") for factor, s in sizes.items()]
    first = measured[0][1]
    print(f"  {name}: " + ", ".join(f"{q.split()[-1]} {v:.2f} s ({v / first:.2f} times)" for q, v, _ in measured))
    return measured


def main() -> list[tuple[str, float, str]]:
    """Measure and print; returns (quantity, value, unit) for each figure."""
    run_study(study(1))  # compiles
    table = study(DiscriminantParameters().samples)
    fits = classifiers(table)
    own = seconds(lambda: run_study(table), REPEATS)
    rate, made = loop_rate(table)
    ratio = fits / own / rate
    print(f"  Table 4, one reading, {sum(table.counts)} samples: {fits} classifiers in {own:.2f} s of one core")
    print(f"  {fits / own:,.0f} classifiers a second; a scikit-learn loop {rate:,.0f} (measured on {made})")
    print(f"  ratio {ratio:.0f}")
    return [
        ("Table 4, one reading", own, "s"),
        ("classifiers", fits, "count"),
        ("classifiers a second", fits / own, "1/s"),
        ("scikit-learn loop, classifiers a second", rate, "1/s"),
        ("ratio to the scikit-learn loop", ratio, "times"),
        *growth("samples", {"1x": study(10), "2x": study(20), "4x": study(40)}),
        *growth(
            "resamples",
            {f"{f}x": study(10, cv_repeats=100 * f, bootstrap_replicates=200 * f) for f in (1, 2, 4)},
        ),
    ]


if __name__ == "__main__":
    main()
