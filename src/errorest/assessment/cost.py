"""What a function will cost, before anything of it is run: classifiers to make, seconds, and memory.

The seconds come from a few resamples such as would be run, timed here and now, or for many cases from parts of one; the
memory is what this process has held so far and what the resamples will take.
"""

from __future__ import annotations

import reprlib
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import log2
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from errorest.assessment.chance.better import plan_of_test
from errorest.assessment.choosing.candidates import check_distinct, read_candidates
from errorest.assessment.choosing.choose import choosing_folds, inner_folds
from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.assessment.comparing import splits_of
from errorest.assessment.formatting import duration
from errorest.assessment.inputs import Problem
from errorest.assessment.learning import curve_scheme
from errorest.assessment.measure import measure_of
from errorest.assessment.memory_use import bytes_of
from errorest.assessment.options import Options, checked_count
from errorest.assessment.parallel import limited
from errorest.assessment.plan import Plan, plan_measure
from errorest.assessment.runs import draw, keep_rows
from errorest.errors import UsageError
from errorest.resampling.multisets import Resamples, from_training_counts
from errorest.resampling.scheme import Scheme
from errorest.streams import Streams

try:
    import resource
except ImportError:  # a system without POSIX's accounts, such as Windows
    resource = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import pandas as pd

_FUNCTIONS = ("estimate", "compare", "choose", "learning_curve", "permutation_test")

# Rows of each scheme that are timed, where a classifier is fitted row by row
_TIMED = 3

# Rows that are timed, where a compiled pass makes many classifiers at once
_TIMED_TOGETHER = 64

# Seconds of one row from which no others, or larger ones, are timed
_LONG = 0.5

# Cases of the first fits, of which many have more than enough
_SMALL = 250


@dataclass(frozen=True)
class Cost:
    """What an estimate, a comparison, a choice, a learning curve or a permutation test will cost.

    Parameters
    ----------
    fits : tuple of (str, int) pairs
        Scheme, and classifiers it makes.
    seconds : float
        Predicted wall-clock time.
    seconds_per_fit : float
        Of one worker; mean over the schemes.
    jobs : int
        Workers counted on.
    estimator, interval : str
        Ids; the interval's is empty where there is none.
    peak : int
        Bytes of memory at the peak, with those of the workers; 0 where nothing was measured.

    Examples
    --------
    >>> cost = Cost((("leave_one_out()", 36),), 0.36, 0.01, 1, "loo", "")
    >>> cost.n_fits, cost.to_dict()["fits"], len(cost.to_frame())
    (36, {'leave_one_out()': 36}, 1)
    """

    fits: tuple[tuple[str, int], ...]
    seconds: float
    seconds_per_fit: float
    jobs: int
    estimator: str
    interval: str
    peak: int = 0

    @property
    def n_fits(self) -> int:
        """Classifiers made in all."""
        return sum(number for _, number in self.fits)

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON.

        Returns
        -------
        dict
        """
        return {**asdict(self), "fits": dict(self.fits), "n_fits": self.n_fits}

    def to_frame(self) -> pd.DataFrame:
        """Return one row with the values of :meth:`to_dict`, but for the classifiers of each scheme.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        return pd.DataFrame([{key: value for key, value in self.to_dict().items() if key != "fits"}])

    def __str__(self) -> str:
        time_left = f"{self.seconds:.1g} s" if self.seconds < 9.5 else duration(self.seconds)
        memory = f", {self.peak / 2**20:,.0f} MiB of memory" if self.peak else ""
        workers = f" with {self.jobs} workers" if self.jobs > 1 else ""
        return f"{self.n_fits} fits, about {time_left}{memory}{workers}"


def predict_runtime(
    model: Any,
    X: Any,
    y: Any = None,
    *,
    of: Literal["estimate", "compare", "choose", "learning_curve", "permutation_test"] = "estimate",
    method: Any = "auto",
    interval: Any = "auto",
    n_permutations: int = 1000,
    nested: Any = None,
    train_sizes: Sequence[int] | None = None,
    folds: int = 10,
    repeats: int = 20,
    scoring: Any = "error",
    pos_label: Any = None,
    groups: Any = None,
    stratify: Any = None,
    encode: bool = False,
    n_jobs: int = 1,
    threads: int | None = 1,
    time_limit: float | None = None,
) -> Cost:
    """Predict the number of fits and the run time of a function, by timing a few fits.

    Parameters
    ----------
    model : classifier, or several
        As the function takes it: two in a list for ``"compare"``, the candidates for ``"choose"``.
    X, y, method, scoring, pos_label, groups, stratify, encode, n_jobs, threads
        As the function takes them.
    of : {"estimate", "compare", "choose", "learning_curve", "permutation_test"}
        The function.
    interval : "auto", str, IntervalMethod, or None
        Of an estimate.
    n_permutations : int
        Of :func:`~errorest.assessment.permutation_test`.
    nested : "auto", str, int, Estimator or True, optional
        Of :func:`~errorest.assessment.choose`.
    train_sizes, folds, repeats
        Of :func:`~errorest.assessment.learning_curve`.
    time_limit : float, optional
        Seconds; a longer forecast is an error, so that the call that follows is not made.

    Returns
    -------
    Cost

    Raises
    ------
    UsageError
        As the function, as far as it shows before the run; if the forecast is longer than the time limit.

    Examples
    --------
    >>> cost = predict_runtime("knn(k=1)", [[0.0], [1.0], [4.0], [5.0]], ["a", "a", "b", "b"], method="loo")
    >>> cost.n_fits, cost.estimator
    (4, 'loo')
    >>> X, y = [[0.0], [1.0], [4.0], [5.0]] * 3, ["a", "a", "b", "b"] * 3
    >>> cost = predict_runtime("knn", X, y, of="permutation_test", n_permutations=99)
    >>> cost.n_fits, cost.estimator
    (500, 'cv(k=5)')
    >>> predict_runtime(["knn", "majority"], X, y, of="choose", nested="cv(k=5)").n_fits
    1200
    """
    if of not in _FUNCTIONS:
        raise UsageError(f"of = {of!r} was given; expected one of {', '.join(_FUNCTIONS)}")
    options = Options.of(0, n_jobs=n_jobs, threads=threads)
    problems = [options.prepare(one, X, y, groups, stratify, encode=encode) for one in _models(model, of)]
    first, streams = problems[0], options.streams
    measure = measure_of(first, scoring, pos_label)
    times, plan = 1, Plan(None, None)
    match of:
        case "compare":
            estimator, schemes = splits_of(method, first, measure, streams)
            plan = Plan(estimator, None)
        case "choose":
            check_distinct(problems)
            plan = plan_measure(first, measure, choosing_folds(method, first, measure, streams, 10, 10), None, streams)
            inner = inner_folds(nested, first, measure, streams)
            schemes, times = plan.schemes, 1 + (0 if inner is None else sum(s.fits(first.n) for s in inner.schemes))
        case "learning_curve":
            schemes = (curve_scheme(first, train_sizes, folds, repeats),)
        case "permutation_test":
            plan = plan_of_test(first, measure, method, streams)
            schemes, times = plan.schemes, 1 + checked_count("n_permutations", n_permutations)
        case _:
            plan = plan_measure(first, measure, method, interval, streams)
            schemes = plan.schemes
    fits, seconds = Counter[str](), 0.0
    for name, number, each in _timed(problems, schemes, streams, options.threads):
        fits[name] += times * number
        seconds += times * number * each
    workers = max(p.inducer.n_jobs if isinstance(p.inducer, SklearnRowsLearner) else 1 for p in problems)
    ids = ["" if part is None else part.id for part in (plan.estimator, plan.method)]
    units = first.n if first.n_groups is None else first.n_groups
    peak = peak_memory() * (1 + workers if workers > 1 else 1) + bytes_of(schemes, units, first.n)
    cost = Cost(tuple(fits.items()), seconds / workers, seconds / fits.total(), workers, ids[0], ids[1], peak)
    _check_limit(cost, time_limit)
    return cost


def _models(model: Any, of: str) -> list[Any]:
    """List the classifiers that a function takes."""
    if of == "choose":
        return list(read_candidates(model).values())
    if of != "compare":
        return [model]
    if not isinstance(model, list | tuple) or len(model) != 2:
        shown = " ".join(reprlib.repr(model).split())
        raise UsageError(f"model = {shown}; expected the two classifiers to compare, in a list")
    return list(model)


def _check_limit(cost: Cost, time_limit: float | None) -> None:
    """Refuse a run that is longer than somebody would wait."""
    number = isinstance(time_limit, int | float) and not isinstance(time_limit, bool)
    if time_limit is not None and not (number and time_limit > 0):
        raise UsageError(f"time_limit = {time_limit!r} was given; expected seconds above 0")
    if time_limit is not None and cost.seconds > time_limit:
        raise UsageError(f"a run of {cost} is longer than the limit of {time_limit:g} s")


def _timed(
    problems: Sequence[Problem], schemes: Iterable[Scheme], streams: Streams, threads: int | None
) -> Iterator[tuple[str, int, float]]:
    """Give the id of each problem's schemes, with the number of fits and the seconds of one."""
    for problem in problems:
        few = {s: _few_of(s) for s in schemes}
        sampled, _ = draw(problem, few.values(), streams)
        with limited(threads if isinstance(problem.inducer, SklearnRowsLearner) else None):
            for s in schemes:
                number = s.fits(problem.n if problem.n_groups is None or s.keeps_groups else problem.n_groups)
                try:
                    each = _seconds_per_row(problem, sampled[few[s]])
                except UsageError:
                    if len(problems) == 1:
                        raise
                    each = 0.0  # the function itself says which of several fails, or leaves it out
                yield s.id, number, each


def _few_of(scheme: Any) -> Scheme:
    """Return a scheme with few of its replicates or repeats, which are alike."""
    names = [name for name in ("replicates", "repeats") if hasattr(scheme, name)]
    fewer = {name: min(getattr(scheme, name), _TIMED_TOGETHER) for name in names}
    few: Scheme = replace(scheme, **fewer) if fewer else scheme
    return few


def _seconds(call: Callable[[], Any]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def peak_memory() -> int:
    """Return the most bytes that this process has held in memory so far; 0 where the system does not tell."""
    try:
        with open("/proc/self/status", encoding="ascii", errors="replace") as file:
            return next(1024 * int(line.split()[1]) for line in file if line.startswith("VmHWM:"))
    except (OSError, StopIteration):
        # elsewhere than on Linux, where this figure begins at that of the process that started this one
        return 0 if resource is None else 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _seconds_per_row(problem: Problem, resamples: Resamples) -> float:
    inducer, foreign = problem.inducer, isinstance(problem.inducer, SklearnRowsLearner)
    alone: Any = replace(inducer, n_jobs=1, threads=None) if isinstance(inducer, SklearnRowsLearner) else inducer
    predict = alone.predict_rows if foreign else alone.predict_resamples
    first = keep_rows(resamples, np.arange(resamples.n_rows) == 0)

    def seconds(rows: Resamples) -> float:
        """Return the seconds of a row."""
        rng = np.random.default_rng(0) if foreign or getattr(inducer, "random", False) else None
        return _seconds(lambda: predict(problem.sample, rows, rng)) / rows.n_rows

    # the first fit of a process also loads what the classifier needs
    seconds(_part_of(first, min(_SMALL, problem.n)))
    small, taken, rate = _SMALL, 0.0, 1.0
    while small < problem.n:
        one = seconds(_part_of(first, small))
        # twice the cases take twice to eight times as long
        rate = min(3.0, max(1.0, log2(one / taken))) if taken else rate
        if one > _LONG:
            # a wait for larger ones would be longer than what it tells is worth
            return one * (problem.n / small) ** rate
        small, taken = 2 * small, one
    if (one := seconds(first)) > _LONG:
        return one
    # rows from all over: a splitter may train on more and more cases
    number = min(_TIMED if foreign else _TIMED_TOGETHER, resamples.n_rows, 1 + int(_LONG / max(one, 1e-9)))
    selected = np.zeros(resamples.n_rows, dtype=bool)
    selected[np.linspace(0, resamples.n_rows - 1, number).astype(int)] = True
    return seconds(keep_rows(resamples, selected))


def _part_of(row: Resamples, size: int) -> Resamples:
    """Return a resample with some of its cases, in training and in testing."""
    if size >= row.n:
        return row
    taken = np.zeros(row.n, dtype=bool)
    taken[np.random.default_rng(0).choice(row.n, size, replace=False)] = True
    cases = row.cases[taken[row.cases]]
    counts = (row.training_counts() * taken).astype(np.int32)
    return from_training_counts(counts, np.array([0, cases.size]), cases)
