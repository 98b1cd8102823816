"""Notebook parameters: one model a notebook is the only source of its names, types, bounds and defaults.

Defaults are the published scale; a field may name a smaller value for the
preview.  ``repeats`` multiplies a study's replicates for the enlarged scale.
A model names its notebook, which ``compendium params NOTEBOOK --write`` writes it into.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Self, TypeVar

from compendium.papers.validation import AfterValidator, Field, Model

__all__ = [
    *("Counts", "Even", "InherentErrors", "NoiseLevels", "Parameters", "Proportions", "Sizes"),
    *("SizesForTenFolds", "SizesForVariance", "Trials", "parameter", "unique"),
]


T = TypeVar("T")


def unique(values: list[T]) -> list[T]:
    """Refuse a list that names something twice: a validator for the fields of a model.

    Examples
    --------
    >>> unique([10, 20, 10])
    Traceback (most recent call last):
        ...
    ValueError: 10 is named twice; expected each once; leave one out
    """
    for place, value in enumerate(values):
        if value in values[:place]:
            raise ValueError(f"{value} is named twice; expected each once; leave one out")
    return values


def check_each(holds: Callable[[Any], bool], problem: str) -> AfterValidator:
    """Return a validator of a value, or of each of a list; the problem has braces for one that does not pass.

    Examples
    --------
    >>> check_each(lambda n: n >= 1, "{} is too small").call([2, 0])
    Traceback (most recent call last):
        ...
    ValueError: 0 is too small
    """

    def check(values: Any) -> Any:
        for value in values if isinstance(values, list) else [values]:
            if not holds(value):
                raise ValueError(problem.format(value))
        return values

    return AfterValidator(check)


def _at_least(cases: int, for_what: str = "") -> AfterValidator:
    problem = f"N = {{}} is too small{for_what}; expected at least {cases} cases; use larger sizes"
    return check_each(lambda size: size >= cases, problem)


_UNIQUE = AfterValidator(unique)
_OUTSIDE = "{{}} is outside {}; expected proportions; 25 % is written 0.25"

Sizes = Annotated[list[int], _UNIQUE, _at_least(2)]  # Sample sizes from which a classifier of two classes can be made

SizesForVariance = Annotated[list[int], _UNIQUE, _at_least(3, " for a pooled variance")]
"""Sample sizes that leave a degree of freedom beyond two class means."""

SizesForTenFolds = Annotated[list[int], _UNIQUE, _at_least(10, " for the 10 folds of 10-CV")]
"""Sample sizes for a design with 10-fold cross-validation in it."""

Counts = Annotated[
    list[int], _UNIQUE, check_each(lambda n: n >= 1, "{} is too small; expected whole numbers of at least 1")
]
"""Test sizes, or numbers of settings tried."""

Trials = Annotated[
    list[int], check_each(lambda n: n >= 2, "{} trial is too few for a spread; expected at least 2; use more")
]
"""Numbers of trials, one for each setting."""

InherentErrors = Annotated[list[float], _UNIQUE, check_each(lambda error: 0 < error <= 0.5, _OUTSIDE.format("(0, .5]"))]
"""Least error rates of two equally frequent classes: proportions in (0, .5]."""

NoiseLevels = Annotated[list[float], _UNIQUE, check_each(lambda noise: 0 <= noise <= 0.5, _OUTSIDE.format("[0, .5]"))]
"""Shares of wrong labels: proportions in [0, .5]."""

Proportions = Annotated[list[float], _UNIQUE, check_each(lambda share: 0 < share < 1, _OUTSIDE.format("(0, 1)"))]
"""Accuracies of which none is certain, or gains of accuracy: proportions in (0, 1)."""

Even = Annotated[int, check_each(lambda number: number % 2 == 0, "{} is odd; expected an even number; use another")]
"""A number of cases of which half can be of each class."""


def parameter(default: Any, meaning: str = "", *, preview: Any = None, replication: bool = False, **bounds: Any) -> Any:
    """Declare a notebook parameter.

    Parameters
    ----------
    default : any
        Value at published scale.
    meaning : str, optional
        One line for people, with the unit; by default that of the paper's ``parameters.yaml``.
    preview : any, optional
        Value at preview scale, where it differs.
    replication : bool
        Whether it only repeats the experiment, so that numbers of a run with another value may be compared with the
        printed ones.  A number of samples that a printed number depends on is none: six samples
        give another spread of their correlation than twenty.
    **bounds
        Of the value, ``ge``, ``le``, ``gt``, ``lt``, or of its length, ``min_length``, ``max_length``.

    Examples
    --------
    >>> class Mine(Parameters):
    ...     samples: int = parameter(100, "samples of each size", ge=2, preview=10)
    >>> Mine().samples, Mine.preview()
    (100, {'samples': 10})
    """
    extra: dict[str, Any] = {} if preview is None else {"preview": preview}
    if replication:
        extra["replication"] = True
    return Field(default, meaning, extra, bounds)


class Parameters(Model):
    """Base of all notebook parameters: unknown names, loose types and numbers that are not finite are refused.

    Parameters
    ----------
    notebook : str, optional
        Class keyword: the notebook, ``<paper>/NN-name``.
    repeated : str, optional
        Class keyword: the parameter that the enlarged scale has ``repeats`` times.

    Examples
    --------
    >>> Parameters(seed=7).seed
    7
    >>> class Mine(Parameters, notebook="kohavi/09-mine"): ...
    >>> Mine.notebook
    'kohavi/09-mine'
    """

    notebook: ClassVar[str] = ""
    repeated: ClassVar[str] = ""

    seed: int = parameter(1996, "seed of every random stream", ge=0)

    def __init_subclass__(cls, *, notebook: str = "", repeated: str = "", **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.notebook, cls.repeated = notebook, repeated or cls.repeated

    @classmethod
    def preview(cls) -> dict[str, Any]:
        """Return the values that differ from the defaults at preview scale."""
        return {name: one.extra["preview"] for name, one in cls.model_fields.items() if "preview" in one.extra}

    @classmethod
    def published(cls) -> dict[str, Any]:
        """Return the defaults, which are the published scale."""
        return {name: one.default for name, one in cls.model_fields.items()}

    def inputs(self) -> dict[str, str]:
        """Check the data that the notebook reads, and return name -> digest."""
        return {}

    def enlarged(self) -> Self | None:
        """Return the same design with more replicates, or None where the notebook has no such scale."""
        times = getattr(self, "repeats", 1) if self.repeated else 1
        return self.model_copy(update={self.repeated: getattr(self, self.repeated) * times}) if times > 1 else None
