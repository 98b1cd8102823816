"""What the public functions return: frozen numbers, with their settings and warnings.

Text, pages, figures and the methods paragraph are made from them by :mod:`errorest.report`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, overload

import numpy as np

from errorest.counting import count_each
from errorest.errors import UsageError, nearest
from errorest.estimation.quantiles import t_quantile

if TYPE_CHECKING:
    import pandas as pd

    from errorest.assessment.predictions import Predictions
    from errorest.assessment.scoring import Baseline, Scoring
    from errorest.data.columns import ReadReport
    from errorest.estimation.intervals import MonteCarloError
    from errorest.estimation.intervals.coverage_table import MeasuredCoverage

# Columns of an estimate's tables by class
CLASS_COLUMNS = ("class", "cases", "error", "low", "high")
CONFUSION_COLUMNS = ("class", "predicted", "cases", "share", "low", "high")

# Variance factor 2: training-set variance assumed equal to test-set variance.  The paired test of a classifier against
# the baseline sees the variance of the tested cases alone
_TRAINING_AND_TEST = 2.0


@dataclass(frozen=True)
class ConfidenceInterval:
    """A confidence interval of a metric, or of a difference of two.

    Parameters
    ----------
    low, high : float
        Limits in the unit of the metric, within its range; NaN where the method is undefined on these data.
    level : float
        The confidence level, a proportion.
    method : str
        The registry's name, with settings.
    target : {"classifier", "procedure"}
        The value of this classifier, or the mean value of the procedure over samples.
    aim : str
        The target in words.
    degenerate : bool
        The interval has no width and says nothing about the value.
    note : str
        Why the method is undefined or limited here; empty otherwise.
    monte_carlo : MonteCarloError, optional
        How far estimate, standard error and limits would move with another seed, where the method says.

    Examples
    --------
    >>> ConfidenceInterval(0.1, 0.3, 0.95, "cv-wald(k=10)", "classifier", "the error").width
    0.19999999999999998
    """

    low: float
    high: float
    level: float
    method: str
    target: str
    aim: str
    degenerate: bool = False
    note: str = ""
    monte_carlo: MonteCarloError | None = None

    @property
    def width(self) -> float:
        """Distance of the limits."""
        return self.high - self.low

    @property
    def defined(self) -> bool:
        """Whether both limits are numbers."""
        return bool(np.isfinite(self.low) and np.isfinite(self.high))

    @property
    def varies_with_seed(self) -> bool:
        """Whether another seed surely moves it by more than a tenth of its width."""
        return self.monte_carlo is not None and not self.degenerate and self.monte_carlo.too_large(self.width)

    def to_dict(self) -> dict[str, Any]:
        """Return plain types for JSON."""
        values: dict[str, Any] = {f.name: plain(getattr(self, f.name)) for f in fields(self)}
        if (error := self.monte_carlo) is not None:
            values["monte_carlo"] = {"estimate": error.estimate, "standard_error": error.se, "limit": error.limit}
        return values


class PairedDifference(NamedTuple):
    """Mean value of a classifier minus that of the baseline on the same cases, with the limits of a paired t test."""

    difference: float
    low: float
    high: float

    @classmethod
    def of(cls, losses: np.ndarray, unit: np.ndarray, metric: Scoring, confidence_level: float) -> Self | None:
        """Judge differences of losses by case; ``unit`` numbers the case, or group, of each; None of fewer than two."""
        size = count_each(unit).astype(np.float64)
        if size.size < 2:
            return None
        difference = float(losses.mean())
        # of a mean of cases, or of a ratio of sums over groups (Cochran 1977, section 2.11)
        excess = (count_each(unit, losses) - size * difference) / size.mean()
        se = float(np.sqrt(_TRAINING_AND_TEST * excess.var(ddof=1) / size.size))
        half = t_quantile(size.size - 1, (1 + confidence_level) / 2) * se
        scale = float(np.ptp(metric.bounds()))  # two losses differ by no more
        low, high = np.clip([difference - half, difference + half], -scale, scale).tolist()
        ends = (metric.gain(v) for v in ((high, low) if metric.greater_is_better else (low, high)))
        return cls(metric.gain(difference), *ends)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result:
    """What every result has: metric, number of cases and fits, settings and warnings.

    Parameters
    ----------
    metric : Scoring
        The metric, bound to the data; ``str(metric)`` is its id.
    n : int
        Number of cases.
    n_groups : int or None
        Number of groups of cases that stayed together; None where none were given.
    n_fits : int
        Number of classifiers that were fitted.
    seconds : float
        Wall-clock time.
    warnings : tuple of str
    seed : int or None
        Where no generator was given: ``rng=seed`` repeats the call.
    confidence_level : float
        Of all limits, a proportion.

    Examples
    --------
    >>> import errorest
    >>> result = errorest.estimate("knn(k=1)", [[0.1], [0.2], [0.9], [1.1]], list("aabb"), method="loo", rng=1)
    >>> str(result.metric), result.n, result.n_fits, len(result.to_frame())
    ('error', 4, 4, 1)
    """

    metric: Scoring
    n: int
    n_groups: int | None = None
    n_fits: int = 0
    seconds: float = 0.0
    warnings: tuple[str, ...] = ()
    seed: int | None = None
    confidence_level: float = 0.95
    _source: ReadReport | None = field(default=None, repr=False)
    _notes: tuple[str, ...] = field(default=(), repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain types for JSON; numbers that are undefined are None.

        Returns
        -------
        dict
        """
        metric = self.metric
        named = {"metric": str(metric), "greater_is_better": metric.greater_is_better, "pos_label": metric.pos_label}
        values = {f.name: getattr(self, f.name) for f in fields(self) if not f.name.startswith("_")}
        values = {name: value for name, value in values.items() if name not in ("metric", "predictions")}
        ids = [getattr(one, "id", "") for one in self.warnings]
        result: dict[str, Any] = plain({**named, "costs": metric.costs, **values, "warning_ids": ids})
        return result

    def to_frame(self) -> pd.DataFrame:
        """Return the values of :meth:`to_dict` in one row, without lists; nested names are joined by underscores.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        frame = pd.json_normalize(self.to_dict(), sep="_")
        return frame.loc[:, [not isinstance(value, list) for value in frame.iloc[0]]]

    def details(self) -> str:
        """Return everything that is known of the result as text; ``print(result)`` shows a summary.

        Returns
        -------
        str
        """
        from errorest.assessment.report.text import details

        return details(self)

    def __repr__(self) -> str:
        from errorest.assessment.report.text import short

        return short(self)

    def _repr_html_(self) -> str:
        from errorest.assessment.report.text import short_html

        return short_html(self)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Estimate(Result):
    """The estimate of a metric for the classifier trained on a sample.

    Parameters
    ----------
    value : float
        In the unit of the metric; an error rate is a proportion.
    interval : ConfidenceInterval or None
        None where no interval belongs to the method, or none was requested.
    standard_error : float or None
        As the interval's method estimates it; None where it has none.
    monte_carlo_error : float or None
        Standard deviation of the value over new random resamples of the same cases; None where it is not known, as of a
        single division into folds.
    baseline : Baseline
        The value of the best constant answer, of the class shares or of a random ranking, or the ideal value.
    coverage : MeasuredCoverage or None
        How often such an interval contained the true value in the project's simulations, or the binomial coverage of
        the limits of a proportion of one test set; None where it was not measured.
    method : str
        Id of the resampling method, with settings.
    model : str
        Id of the classifier, with settings.
    predictions : Predictions
        What was predicted of each tested case: tables by class, case and split come from here.

    Examples
    --------
    >>> import errorest
    >>> X, y = [[0.0], [0.2], [0.9], [1.1], [0.1], [1.0]], list("aabbab")
    >>> e = errorest.estimate("majority", X, y, method="cv(k=3)", rng=1)
    >>> e.baseline.value, e.model, e.method, e.class_counts
    (0.5, 'majority', 'cv(k=3)', {'a': 3, 'b': 3})
    """

    value: float
    interval: ConfidenceInterval | None
    standard_error: float | None
    monte_carlo_error: float | None = None
    baseline: Baseline
    coverage: MeasuredCoverage | None = None
    method: str = ""
    model: str = ""
    predictions: Predictions

    @property
    def resampling_share(self) -> float | None:
        """Share of the variance of the value that infinitely many resamples would remove; None where it is not known.

        The variance is that of samples, the squared standard error, and of resamples.
        """
        if self.monte_carlo_error is None or not self.standard_error:
            return None
        resampling = self.monte_carlo_error**2
        return resampling / (self.standard_error**2 + resampling)

    @property
    def effective_n(self) -> float | None:
        """Number of cases (or groups) that infinitely many resamples would need to do as well."""
        # the variance of an estimate is about inverse to the number of cases
        share = self.resampling_share
        return None if share is None else (self.n_groups or self.n) * (1 - share)

    @property
    def class_counts(self) -> dict[str, int]:
        """Number of cases of each class."""
        return dict(zip(self.predictions.names, self.predictions.class_counts().tolist(), strict=True))

    @cached_property
    def against_baseline(self) -> PairedDifference | None:
        """Value on held-out cases minus that of the baseline, a constant label or the class prior, with paired limits.

        It concerns the tests of cases left out of training, and so is not :attr:`value` minus the baseline's value
        where the estimate is no mean of these, as .632+.  None for metrics that are no means of cases, and where fewer
        than two cases (or groups) were tested unseen.
        """
        return self.predictions.against_baseline(self.metric, self.confidence_level)

    @property
    def reliability(self) -> pd.DataFrame:
        """Table of the predicted probabilities of the metric's class; empty where no probabilities were predicted."""
        import pandas as pd

        return pd.DataFrame(self.reliability_columns)

    @property
    def reliability_columns(self) -> dict[str, np.ndarray]:
        """Columns of :attr:`reliability`, without pandas."""
        of_class = self.predictions.labels[self.metric.positive]
        return self.predictions.reliability_columns(of_class, self.confidence_level)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the tables by class as plain types for JSON; numbers that are undefined are None.

        Returns
        -------
        dict
        """
        of, test = self.predictions, self.against_baseline
        tables: dict[str, Any] = {
            "settings": of.settings,
            "resampling_share": self.resampling_share,
            "effective_n": self.effective_n,
            "class_counts": self.class_counts,
            "against_baseline": None if test is None else test._asdict(),
        }
        if any(run.labels is not None for run in of.runs.values()):
            tables["by_class"] = _records(CLASS_COLUMNS, of.class_rows(self.confidence_level))
            tables["confusion"] = _records(CONFUSION_COLUMNS, of.confusion_rows(self.confidence_level))
        if self.metric.metric.needs_probabilities:
            columns = self.reliability_columns
            tables["reliability"] = _records(columns, zip(*columns.values(), strict=True))
        return {**super().to_dict(), **plain(tables)}


class Estimates(Sequence[Estimate]):
    """Estimates of several metrics from the same predictions: a sequence, also indexed by name.

    Parameters
    ----------
    estimates : sequence of Estimate
    names : sequence of str
        The metrics as they were asked for, such as ``"roc_auc"``; ids serve as well.

    Examples
    --------
    >>> import errorest
    >>> X, y = [[0.0], [0.2], [0.9], [1.1], [0.1], [1.0]], list("aabbab")
    >>> several = errorest.estimate("knn(k=1)", X, y, scoring=["error", "mcc"], method="loo", rng=1)
    >>> len(several), several["mcc"].value, list(several.to_frame()["metric"])
    (2, 1.0, ['error', 'mcc'])
    """

    def __init__(self, estimates: Sequence[Estimate], names: Sequence[str]) -> None:
        self._estimates, self.names = tuple(estimates), tuple(names)

    @property
    def predictions(self) -> Predictions:
        """The predictions of all resamplings that were run."""
        runs = {scheme: run for one in self for scheme, run in one.predictions.runs.items()}
        return replace(self._estimates[0].predictions, runs=runs)

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of all estimates, each once."""
        return tuple(dict.fromkeys(text for one in self._estimates for text in one.warnings))

    def __len__(self) -> int:
        return len(self._estimates)

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self._estimates)

    @overload
    def __getitem__(self, key: int | str) -> Estimate: ...
    @overload
    def __getitem__(self, key: slice) -> Estimates: ...
    def __getitem__(self, key: int | str | slice) -> Estimate | Estimates:
        """Return the estimate at a position or of a metric, or those of a slice."""
        if isinstance(key, slice):
            return Estimates(self._estimates[key], self.names[key])
        if not isinstance(key, str):
            return self._estimates[key]
        by_name = {str(one.metric): one for one in self} | dict(zip(self.names, self, strict=True))
        if key not in by_name:
            raise UsageError(f"no estimate of {key!r}; expected one of {', '.join(by_name)}", nearest(key, by_name))
        return by_name[key]

    def to_dict(self) -> dict[str, Any]:
        """Return each estimate's dict by the name of its metric."""
        return {name: one.to_dict() for name, one in zip(self.names, self, strict=True)}

    def to_frame(self) -> pd.DataFrame:
        """Return one row a metric: value, interval, standard error, baseline and methods.

        Returns
        -------
        DataFrame
        """
        import pandas as pd

        rows = [
            {
                "metric": name,
                "value": one.value,
                "low": np.nan if one.interval is None else one.interval.low,
                "high": np.nan if one.interval is None else one.interval.high,
                "standard_error": np.nan if one.standard_error is None else one.standard_error,
                "baseline": np.nan if one.baseline.value is None else one.baseline.value,
                "method": one.method,
                "interval": "" if one.interval is None else one.interval.method,
            }
            for name, one in zip(self.names, self, strict=True)
        ]
        return pd.DataFrame(rows)

    def details(self) -> str:
        """Return the details of every estimate as text."""
        return "\n\n".join(one.details() for one in self)

    def __repr__(self) -> str:
        from errorest.assessment.report.text import short_of_several

        return short_of_several(self)

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html(index=False, border=0, float_format="{:.4g}".format)
        return html


def _records(names: Iterable[str], rows: Iterable[Sequence[Any]]) -> list[dict[str, Any]]:
    """Return the rows of a table as dicts, without pandas."""
    return [dict(zip(names, row, strict=True)) for row in rows]


def plain(value: Any) -> Any:
    """Turn a value into plain types for JSON; numbers that are not finite become None."""
    if hasattr(value, "columns"):
        return plain(value.rename(columns=str).to_dict("records"))
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if hasattr(value, "_asdict"):
        return plain(value._asdict())
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in fields(value) if not f.name.startswith("_")}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list | np.ndarray):
        return [plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)
