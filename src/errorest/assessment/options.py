"""The options that all functions take, checked once: random numbers, workers, failures, warnings and progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from errorest.assessment.checks import filter_warnings
from errorest.assessment.checks.warning import checked_ids
from errorest.assessment.defaults import HELD
from errorest.assessment.learner import Learner
from errorest.assessment.report.formatting import duration
from errorest.errors import UsageError
from errorest.estimation.proportions import check_confidence
from errorest.streams import Streams, generator_of

Progress = Callable[[str, int, int], None]
"""Receives a classifier's name, the number of its fits that are done, and their total."""

# Seconds: of a run that is announced, of fits that predict the time of the others, and of imports at most
_LONG, _TELLS, _IMPORTS = 60.0, 1.0, 60.0


@dataclass(frozen=True)
class Options:
    """Checked options of a call, and when it began."""

    streams: Streams
    seed: int | None
    on_failure: Literal["raise", "skip"]
    n_jobs: int
    threads: int | None
    progress: bool | Progress
    ignored: frozenset[str]
    began: float
    max_bytes: int = HELD
    compiled: bool = True
    cheaper: str = ""
    notes: list[str] = field(default_factory=list)
    forecasts: list[float] = field(default_factory=list)

    @property
    def elapsed(self) -> float:
        """Seconds since the call began."""
        return time.perf_counter() - self.began

    @classmethod
    def of(
        cls,
        rng: Any,
        confidence_level: float,
        ignore: Iterable[str] | str,
        n_jobs: int | None,
        threads: int | None,
        progress: bool | Progress,
        compiled: bool,
        error_score: Any = "raise",
        max_bytes: int | None = None,
        cheaper: str = "method=5",
    ) -> Options:
        """Check the options of a call."""
        began = time.perf_counter()
        check_confidence(confidence_level)
        raises = isinstance(error_score, str) and error_score == "raise"
        if not raises and not (isinstance(error_score, float) and np.isnan(error_score)):
            raise UsageError(f"error_score = {error_score!r}; expected 'raise' or numpy.nan")
        if not isinstance(progress, bool | np.bool_) and not callable(progress):
            raise UsageError(f"progress = {progress!r}; expected True, False or a function of (name, done, total)")
        if not isinstance(compiled, bool | np.bool_):
            raise UsageError(f"compiled = {compiled!r}; expected True or False")
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
        return cls(
            streams,
            seed,
            "raise" if raises else "skip",
            n_jobs,
            threads,
            progress,
            checked_ids(ignore),
            began,
            most,
            bool(compiled),
            cheaper,
        )

    def quiet(self) -> Options:
        """Return the same options for one of many runs, of which the whole is reported."""
        return replace(self, progress=False, forecasts=[0.0])

    def reporter(self, name: str, runs: int = 1, n_jobs: int | None = None) -> Callable[[int, int], None]:
        """Return what receives finished fits and their total, of one of several runs.

        It calls the user's function, or shows progress on standard error: a bar in a terminal, elsewhere a line at the
        end.  Without progress a run of more than a minute is announced once, by the time of its first fits.
        """
        began, so_far, first = time.perf_counter(), 0, 0.0
        bar: Any = None
        # tqdm comes with the extra 'book'
        in_terminal = bool(self.progress) and sys.stderr.isatty() and find_spec("tqdm") is not None

        def report(done: int, total: int) -> None:
            nonlocal so_far, first, bar
            so_far += done
            elapsed = time.perf_counter() - began
            if callable(self.progress):
                self.progress(name, so_far, total)
            elif in_terminal:
                from tqdm import tqdm

                bar = bar or tqdm(desc=name[:40], unit="fit", total=total)
                bar.update(done)
                if so_far >= total:
                    bar.close()
            elif self.progress and so_far >= total:
                print(f"{name[:40]}: {so_far}/{total} fits in {duration(elapsed)}", file=sys.stderr)
            elif not self.progress and not self.forecasts:
                # the first fit may import or compile, if it does not take longer than that can
                first = first or (elapsed if elapsed < _IMPORTS else 0.0)
                if elapsed - first < _TELLS:
                    return
                each = (elapsed - first) / (so_far - (first > 0))
                seconds = (runs * total - so_far) * each / (n_jobs or self.n_jobs)
                if seconds >= _LONG:
                    self.forecasts.append(seconds)
                    less = (
                        f"{self.cheaper} takes less, n_jobs=-1 takes all cores, and progress=True shows how far it is"
                    )
                    print(f"this takes about {duration(seconds)}; {less}", file=sys.stderr)

        return report

    def add_note(self, learner: Learner) -> bool:
        """Note once why a classifier was not fitted in a compiled batch; return whether it is new."""
        note = f"{learner.id} was fitted one by one: compiled, {learner.note}"
        if note in self.notes:
            return False
        self.notes.append(note)
        return True

    def fields(self, warnings: Iterable[str]) -> dict[str, Any]:
        """Return time, seed, the warnings that are not ignored, and notes, as fields of a result."""
        shown = filter_warnings(warnings, self.ignored)
        return {"seconds": self.elapsed, "seed": self.seed, "warnings": shown, "_notes": tuple(self.notes)}


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
