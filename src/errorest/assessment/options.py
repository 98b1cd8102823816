"""Check the options that several functions take: workers, failures and random numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from errorest.assessment.runs import OnFailure
from errorest.errors import UsageError
from errorest.streams import Streams, generator_of

__all__ = ["failure_of", "on_cores", "streams_of"]


def on_cores(jobs: int) -> int:
    """Check a number of workers; -1 is one for every core."""
    if jobs == -1:
        from joblib import cpu_count

        return int(cpu_count())
    if not isinstance(jobs, int | np.integer) or isinstance(jobs, bool) or jobs < 1:
        raise UsageError(
            f"n_jobs = {jobs!r} was given; expected a whole number from 1, or -1 for all cores; leave it out "
            "for one worker"
        )
    return int(jobs)


def failure_of(error_score: Any) -> OnFailure:
    """Check what to do with a resample on which fit fails."""
    if isinstance(error_score, str) and error_score == "raise":
        return "raise"
    if isinstance(error_score, float) and np.isnan(error_score):
        return "skip"
    raise UsageError(
        f"error_score = {error_score!r} was given; expected 'raise' or numpy.nan; numpy.nan leaves out resamples on "
        "which fit fails"
    )


def streams_of(rng: Any) -> tuple[Streams, int | None]:
    """Return streams, and the seed that repeats them where no generator was given."""
    if isinstance(rng, np.random.Generator | np.random.RandomState):
        return Streams.from_generator(generator_of(rng)), None
    if rng is not None and (not isinstance(rng, int | np.integer) or isinstance(rng, bool) or rng < 0):
        raise UsageError(
            f"rng = {rng!r} was given; expected a numpy Generator or RandomState, a whole number from 0, or None; "
            "write rng=numpy.random.default_rng(1)"
        )
    seed = int(np.random.default_rng().integers(2**32)) if rng is None else int(rng)
    return Streams.from_generator(np.random.default_rng(seed)), seed
