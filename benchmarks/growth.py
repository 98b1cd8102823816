"""How cost and memory grow with cases, resamples, samples and workers, beside the plain loop.

One line of ``growth.csv`` for each point, from where the book draws it.  Processor seconds of one core, the least of
some rounds, and for workers seconds of the clock; memory is what the operating system says that a fresh process grew
by at its peak.  The loop makes one scikit-learn classifier a resample, as :mod:`bare_loop` does.
"""

from __future__ import annotations

import csv
import os
import resource
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

# one core for every side, set before numpy is loaded
os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"})

import numpy as np
from discriminant import study
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier
from timing import interleaved

from compendium import versions
from compendium.studies.study import run_study
from errorest import determinism, estimate

FILE = Path(__file__).with_name("growth.csv")
LINES = ("cases", "resamples", "samples", "workers")
CASES = (25, 50, 100, 200, 400, 800)
RESAMPLES = (50, 100, 200, 400, 800, 1600, 3200)
SAMPLES = (10, 20, 40, 80, 160)
MOST_OF_THE_LOOP = 800
"""Fits: the loop's longer lines are not waited for."""
N, B = 36, 200
WORKED_SAMPLES = 100
"""Samples of the study that workers share."""


class Point(NamedTuple):
    """One measurement; ``mebibytes`` is empty where memory was not looked at."""

    line: str
    x: int
    side: str
    seconds: float
    mebibytes: float | str = ""


def peak_memory() -> int:
    """Return the most bytes that this process has held."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Two overlapping classes of cases with four attributes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] + rng.normal(size=n) > 0, "yes", "no")


def loop(model: KNeighborsClassifier | LinearDiscriminantAnalysis, n: int, replicates: int) -> Callable[[], None]:
    """The plain loop over bootstrap samples: a fit each, asked about all cases."""
    X, y = data(n)
    drawn = [rows for rows in np.random.default_rng(1).integers(n, size=(replicates, n)) if len(set(y[rows])) == 2]

    def work() -> None:
        for rows in drawn:
            model.fit(X[rows], y[rows]).predict(X)

    return work


def compared(line: str, x: int, n: int, replicates: int) -> Iterator[Point]:
    """Measure 1-NN and the linear discriminant at one size, ours and the loop in turn."""
    X, y = data(n)
    estimator = f"632+(replicates={replicates})"
    for name, inducer, model in (
        ("1-NN", "knn(k=1, standardize=none)", KNeighborsClassifier(1)),
        ("linear discriminant", "linear-discriminant", LinearDiscriminantAnalysis()),
    ):
        works: dict[str, Callable[[], object]] = {
            name: lambda i=inducer: estimate(i, X, y, method=estimator, interval=None, rng=0)
        }
        if replicates <= MOST_OF_THE_LOOP:
            works[f"{name}, plain loop"] = loop(model, n, replicates)
        for side, seconds in zip(works, interleaved(*works.values()), strict=True):
            yield Point(line, x, side, seconds, grown(inducer, n, replicates) if side == name else "")


def grown(inducer: str, n: int, replicates: int) -> float:
    """What a fresh process grows by at its peak during an estimate, in MiB, once a small one has warmed it."""
    done = subprocess.run(
        [sys.executable, __file__, inducer, str(n), str(replicates)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def grow(inducer: str, n: int, replicates: int) -> None:
    """Print by how much an estimate raises the peak of this process."""
    for cases, drawn in ((25, 50), (n, replicates)):
        before = peak_memory()
        X, y = data(cases)
        estimate(inducer, X, y, method=f"632+(replicates={drawn})", interval=None, rng=0)
    print((peak_memory() - before) / 2**20)


def samples() -> Iterator[Point]:
    """Measure a study of more and more samples, on one core."""
    sizes = [study(number) for number in SAMPLES]
    for number, seconds in zip(SAMPLES, interleaved(*[lambda s=s: run_study(s) for s in sizes]), strict=True):
        yield Point("samples", number, "Table 4, one reading", seconds)


@contextmanager
def cluster() -> Iterator[str]:
    """Two workers of a Dask cluster on this machine, each a process; its address."""
    import distributed

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as made,
        distributed.Client(made),
    ):
        yield made.scheduler_address


def clocked(work: Callable[[], object]) -> float:
    """Least seconds of the clock of three rounds, after one that starts and compiles."""
    least = float("inf")
    for turn in range(4):
        began = time.perf_counter()
        work()
        if turn:
            least = min(least, time.perf_counter() - began)
    return least


def workers() -> Iterator[Point]:
    """Measure one study with one and two workers, and on a cluster of two processes, by the clock."""
    table = study(WORKED_SAMPLES)
    for number in (1, 2):
        yield Point("workers", number, "processes", clocked(lambda n=number: run_study(table, jobs=n)))
    # the cluster's scheduler lives in this process, and so only while it is measured
    with warnings.catch_warnings(), cluster() as address:
        warnings.simplefilter("ignore")  # a cluster of one's own machine is open to it alone
        yield Point("workers", 2, "Dask", clocked(lambda: run_study(table, dask=address)))


def record(points: list[Point]) -> None:
    """Write the points of a line in place of its earlier ones."""
    rows = [
        [p.line, str(p.x), p.side, f"{p.seconds:.4g}", "" if p.mebibytes == "" else f"{p.mebibytes:.1f}"]
        for p in points
    ]
    kept: list[list[str]] = []
    if FILE.exists():
        with FILE.open(newline="") as file:
            kept = [row for row in list(csv.reader(file))[1:] if row[0] != points[0].line]
    whole = FILE.with_suffix(".new")
    with whole.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(Point._fields)
        table.writerows(sorted([*kept, *rows], key=lambda row: LINES.index(row[0])))
    whole.replace(FILE)


def main() -> list[tuple[str, float, str]]:
    """Measure, print and write all points; what is told of them stands in a file of its own."""
    lines: dict[str, Iterator[Point]] = {
        "cases": (p for n in CASES for p in compared("cases", n, n, B)),
        "resamples": (p for b in RESAMPLES for p in compared("resamples", b, N, b)),
        "samples": samples(),
        "workers": workers(),
    }
    for found in lines.values():
        points = []
        for point in found:
            points.append(point)
            memory = "" if point.mebibytes == "" else f"{point.mebibytes:8.1f} MiB"
            print(f"  {point.line:<10} {point.x:>5}  {point.side:<32} {point.seconds:9.4f} s {memory}", flush=True)
        record(points)
    return []


if __name__ == "__main__":
    if not versions.in_force():
        os.execve(sys.executable, [sys.executable, *sys.argv], dict(determinism.apply(dict(os.environ))))
    os.environ.setdefault("NUMBA_CACHE_DIR", str(determinism.numba_cache_dir(Path(__file__).resolve().parents[1])))
    if len(sys.argv) == 4:
        grow(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
    else:
        main()
