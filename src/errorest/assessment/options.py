"""The options that all functions take, checked once: random numbers, workers, failures, warnings and progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np

from errorest.assessment.caution import checked_ids, not_ignored
from errorest.assessment.formatting import duration
from errorest.assessment.inputs import Problem, prepare
from errorest.assessment.runs import FitError, OnFailure, RunOutcomes, draw, run
from errorest.errors import UsageError
from errorest.estimation.metrics.metric import BoundMetric
from errorest.estimation.proportions import check_confidence
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams, generator_of


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

    @classmethod
    def of(
        cls,
        rng: Any,
        confidence_level: float = 0.95,
        ignore: Iterable[str] | str = (),
        n_jobs: int = 1,
        threads: int | None = 1,
        *,
        progress: bool = False,
        error_score: Any = "raise",
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
        if n_jobs == -1:
            from joblib import cpu_count

            n_jobs = cpu_count()
        n_jobs = checked_count("n_jobs", n_jobs, ", or -1 for all cores")
        streams, seed = streams_of(rng)
        failure: OnFailure = "raise" if raises else "skip"
        return cls(streams, seed, failure, n_jobs, threads, progress, checked_ids(ignore), began)

    def prepare(
        self, model: Any, X: Any, y: Any, groups: Any = None, stratify: Any = None, *, encode: bool = False
    ) -> Problem:
        """Check a user's data and build a problem."""
        return prepare(
            model, X, y, groups=groups, stratify=stratify, encode=encode, n_jobs=self.n_jobs, threads=self.threads
        )

    def run(self, problem: Problem, schemes: Iterable[Scheme], metric: BoundMetric, name: str = "") -> RunOutcomes:
        """Run schemes on a problem; ``name`` is that of one classifier among several."""
        report = progress_bar(name or problem.inducer.id) if self.progress else None
        drawn = draw(problem, schemes, self.streams)
        try:
            return run(problem, schemes, self.streams, drawn, metric=metric, on_failure=self.on_failure, report=report)
        except UsageError as exc:
            raise FitError(f"{name}: {exc}" if name else str(exc)) from None

    def fields(self, warnings: Iterable[str]) -> dict[str, Any]:
        """Return the fields of a result that tell of its call: time, seed, and warnings that are not ignored."""
        seconds = time.perf_counter() - self.began
        return {"seconds": seconds, "seed": self.seed, "warnings": not_ignored(warnings, self.ignored)}


def checked_count(name: str, value: Any, more: str = "", least: int = 1) -> int:
    """Check an integer that is at least ``least``."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise UsageError(f"{name} = {value!r}; expected an integer >= {least}{more}")
    return int(value)


def streams_of(rng: Any) -> tuple[Streams, int | None]:
    """Return streams, and the seed that repeats them where no generator was given."""
    if isinstance(rng, np.random.Generator | np.random.RandomState):
        return Streams.from_generator(generator_of(rng)), None
    if rng is not None and (not isinstance(rng, int | np.integer) or isinstance(rng, bool) or rng < 0):
        raise UsageError(f"rng = {rng!r}; expected a numpy Generator or RandomState, an integer >= 0, or None")
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
