"""The options that all functions take, checked once: random numbers, workers, failures, warnings and progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from errorest.assessment import problem
from errorest.assessment.caution import not_ignored
from errorest.assessment.checks.warning import checked_ids
from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.assessment.defaults import HELD
from errorest.assessment.formatting import duration
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.runs import OnFailure, RunOutcomes, draw, keep_rows, predict, run
from errorest.errors import UsageError
from errorest.estimation.metrics.metric import BoundMetric
from errorest.estimation.proportions import check_confidence
from errorest.resampling.multisets import Resamples
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams, generator_of

# Seconds: of a run that is announced, of fits that predict the time of the others, and of imports at most
_LONG, _TELLS, _IMPORTS = 60.0, 1.0, 20.0

# Cases in all resamples from which a compiled pass may take so long
_MANY = 20_000_000


@dataclass(frozen=True)
class Options:
    """Checked options of a call, and when it began."""

    streams: Streams
    seed: int | None
    on_failure: OnFailure
    n_jobs: int
    threads: int | None
    progress: bool
    ignored: frozenset[str]
    began: float
    notice: LongRun
    max_bytes: int = HELD

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return time.perf_counter() - self.began

    @classmethod
    def of(
        cls,
        rng: Any,
        confidence_level: float = 0.95,
        ignore: Iterable[str] | str = (),
        n_jobs: int | None = 1,
        threads: int | None = 1,
        *,
        progress: bool = False,
        error_score: Any = "raise",
        cheaper: str = "method=5",
        max_bytes: int | None = None,
    ) -> Options:
        """Check the options of a call."""
        began = time.perf_counter()
        check_confidence(confidence_level)
        raises = isinstance(error_score, str) and error_score == "raise"
        if not raises and not (isinstance(error_score, float) and np.isnan(error_score)):
            raise UsageError(f"error_score = {error_score!r}; expected 'raise' or numpy.nan")
        if not isinstance(progress, bool | np.bool_):
            raise UsageError(f"progress = {progress!r}; expected True or False")
        if threads is not None:
            threads = checked_count("threads", threads, ", or None for no limit")
        if n_jobs is None:
            n_jobs = 1
        elif isinstance(n_jobs, int | np.integer) and n_jobs < 0:
            from joblib import cpu_count

            # -1: all cores; -2: all but one
            n_jobs = max(1, cpu_count() + 1 + int(n_jobs))
        n_jobs = checked_count("n_jobs", n_jobs, ", None for one, or -1 for all cores")
        most = HELD if max_bytes is None else checked_count("max_bytes", max_bytes)
        streams, seed = streams_of(rng)
        failure: OnFailure = "raise" if raises else "skip"
        notice = LongRun(cheaper, n_jobs)
        return cls(streams, seed, failure, n_jobs, threads, progress, checked_ids(ignore), began, notice, most)

    def problem(
        self,
        model: Any,
        X: Any,
        y: Any = None,
        groups: Any = None,
        stratify: Any = None,
        *,
        encode: bool = False,
        fit_params: Mapping[str, Any] | None = None,
    ) -> Problem:
        """Check a user's data and build a problem."""
        more = {"groups": groups, "stratify": stratify, "encode": encode, "fit_params": fit_params}
        return problem.prepare(model, X, y, **more, n_jobs=self.n_jobs, threads=self.threads)

    def prepare(
        self, model: Any, X: Any, y: Any, groups: Any = None, stratify: Any = None, *, encode: bool = False
    ) -> Problem:
        """Check a user's data and build a problem."""
        return prepare(
            model, X, y, groups=groups, stratify=stratify, encode=encode, n_jobs=self.n_jobs, threads=self.threads
        )

    def run(
        self,
        problem: Problem,
        schemes: Iterable[Scheme],
        metric: BoundMetric,
        name: str = "",
        runs: int = 1,
        position: int = 0,
    ) -> RunOutcomes:
        """Run schemes on a problem; ``name`` and ``position`` are those of one of several classifiers that are run."""
        drawn, streams = draw(problem, schemes, self.streams), of_classifier(self.streams, position)
        report = progress_bar(name or problem.inducer.id) if self.progress else None
        if report is None and isinstance(problem.inducer, SklearnRowsLearner):
            report = self.notice.watch(runs)
        elif report is None:
            self.notice.probe(problem, drawn[0].values(), metric, runs)
        try:
            return run(problem, schemes, streams, drawn, metric=metric, on_failure=self.on_failure, report=report)
        except UsageError as exc:
            raise (UsageError(f"{name}: {exc}") if name else exc) from None

    def fields(self, warnings: Iterable[str]) -> dict[str, Any]:
        """Return the fields of a result that tell of its call: time, seed, and warnings that are not ignored."""
        seconds = time.perf_counter() - self.began
        return {"seconds": seconds, "seed": self.seed, "warnings": not_ignored(warnings, self.ignored)}


class LongRun:
    """Say once on standard error that a run takes more than a minute, by the time of its first fits."""

    def __init__(self, cheaper: str, n_jobs: int) -> None:
        self.cheaper, self.n_jobs, self.silent = cheaper, n_jobs, False

    def watch(self, runs: int = 1, n_jobs: int | None = None) -> Callable[[int, int], None]:
        """Return what is told of fits that are done, of so many in each of some runs."""
        began, so_far = time.perf_counter(), 0
        first, workers = 0.0, n_jobs or self.n_jobs

        def report(done: int, total: int) -> None:
            nonlocal so_far, first
            so_far += done
            elapsed = time.perf_counter() - began
            # the first fit may import or compile, if it does not take longer than that can
            first = first or (elapsed if elapsed < _IMPORTS else 0.0)
            if elapsed - first >= _TELLS:
                each = (elapsed - first) / (so_far - (first > 0))
                self.forecast((runs * total - so_far) * each / workers)

        return report

    def probe(self, problem: Problem, drawn: Iterable[Resamples], metric: BoundMetric, runs: int = 1) -> None:
        """Time a few of very many fits that a compiled pass makes together."""
        largest = max(drawn, key=lambda r: r.n_rows, default=None)
        if self.silent or largest is None or largest.n_rows * largest.n < _MANY:
            return
        rng = np.random.default_rng(0) if getattr(problem.inducer, "random", False) else None
        taken = []
        for rows in (1, 1, 3):  # the first may compile
            began = time.perf_counter()
            predict(problem, keep_rows(largest, np.arange(largest.n_rows) < rows), metric, rng)
            taken.append(time.perf_counter() - began)
        each = max(0.0, taken[2] - taken[1]) / 2
        self.forecast(runs * (taken[1] + largest.n_rows * each))

    def forecast(self, seconds: float) -> None:
        """Say it, if it is so and was not said before."""
        if self.silent or seconds < _LONG:
            return
        self.silent = True
        less = f"{self.cheaper} takes less, n_jobs=-1 takes all cores, and progress=True shows how far it is"
        print(f"this takes about {duration(seconds)}; {less}", file=sys.stderr)


def of_classifier(streams: Streams, position: int) -> Streams:
    """Return the streams that seed a classifier: of several every one has its own, or equal ones would draw alike."""
    return streams.child("classifier", position) if position else streams


def checked_count(name: str, value: Any, more: str = "", least: int = 1) -> int:
    """Check an integer that is at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise UsageError(f"{name} = {value!r}; expected an integer >= {least}{more}")
    return int(value)


def streams_of(rng: Any) -> tuple[Streams, int | None]:
    """Return streams, and the seed that repeats them where no generator was given."""
    if isinstance(rng, np.random.Generator | np.random.RandomState):
        return Streams.from_generator(generator_of(rng)), None
    if isinstance(rng, np.random.SeedSequence):
        return Streams.from_generator(np.random.default_rng(rng)), None
    if rng is not None and (not isinstance(rng, int | np.integer) or isinstance(rng, bool) or rng < 0):
        raise UsageError(
            f"rng = {rng!r}; expected a numpy Generator, RandomState or SeedSequence, an integer >= 0, or None"
        )
    seed = int(np.random.default_rng().integers(2**32)) if rng is None else int(rng)
    return Streams.from_generator(np.random.default_rng(seed)), seed


def progress_bar(name: str) -> Callable[[int, int], None]:
    """Return what shows progress on standard error: a bar in a terminal, elsewhere a line at the end."""
    began, so_far = time.perf_counter(), 0
    bar: Any = None
    # tqdm comes with the extra 'book'
    in_terminal = sys.stderr.isatty() and find_spec("tqdm") is not None

    def report(done: int, total: int) -> None:
        nonlocal so_far, bar
        so_far += done
        if in_terminal:
            from tqdm import tqdm

            bar = bar or tqdm(desc=name[:40], unit="fit", total=total)
            bar.update(done)
        if so_far >= total and bar is not None:
            bar.close()
        elif so_far >= total:
            print(f"{name[:40]}: {so_far}/{total} fits in {duration(time.perf_counter() - began)}", file=sys.stderr)

    return report
