"""Estimators of single papers beside those of the library: naive, cross-validated and double bootstrap, clones, LOO*.

:data:`ESTIMATORS` reads the ids of all of them.  The bootstrap samples of one number of replicates are the same for
e0 (but for its nested form), bs, bscv and bsx2, and so are the clones of one cloning for bs and bscv.  .632, .632+ and
LOO* share the resamples, or clones, of what they combine.

Definitions follow Shakhnarovich, El-Yaniv & Baram (2001) and, for LOO*, Weiss & Kulikowski as printed in
Martin & Hirschberg (1996), section 2.  All error rates are proportions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from compendium.methods.clones.cloning import CloneCases, CloneFolds, CloneLeftOut, Cloning
from compendium.methods.schemes import BootstrapCases, BootstrapFolds, BootstrapTwice
from errorest.data.sample import Labelled
from errorest.errors import UsageError
from errorest.estimation import estimators as library
from errorest.estimation.estimators import CrossValidation, Estimator, LeaveOneOutCV, Outcomes, weighted
from errorest.estimation.metrics.metric import Weights
from errorest.resampling.scheme import Folds, Scheme
from errorest.spec import Family, at_least, kinds_of

__all__ = ["ESTIMATORS", "parse_estimator"]


class Clonable(Estimator):
    """An estimator that may draw clones; in its id the settings of the cloning follow ``cloned=True``."""

    cloned: Cloning | bool

    def __post_init__(self) -> None:
        if self.cloned is True:
            object.__setattr__(self, "cloned", Cloning())
        super().__post_init__()

    def written(self, key: str) -> str:
        """Write that clones are drawn, and how by their own settings."""
        return str(bool(self.cloned)) if key == "cloned" else super().written(key)

    def shown(self) -> Iterator[tuple[str, str]]:
        """Yield the estimator's own settings, then those of the cloning."""
        yield from super().shown()
        if isinstance(self.cloned, Cloning):
            yield from self.cloned.shown()


@dataclass(frozen=True, eq=False)
class BootstrapE0(Clonable, library.BootstrapE0):
    """e0 bootstrap, whose nested form may draw clones of the sample without the case.

    Parameters
    ----------
    replicates : int
        Bootstrap samples, or with ``per="nested"`` samples a case, B.
    per : {"replicate", "case", "pooled", "nested"}
        As :class:`errorest.estimation.estimators.BootstrapE0` has it.
    cloned : Cloning or bool
        Draw clones, with nested only: no case is absent from a clone of the whole sample.

    References
    ----------
    Shakhnarovich, El-Yaniv & Baram (2001), section 5.

    Examples
    --------
    >>> [scheme.id for scheme in BootstrapE0(30, "nested", True).schemes]
    ['leave_one_out_clones(replicates=30)']
    """

    cloned: Cloning | bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.cloned and self.per != "nested":
            raise UsageError(
                f"clones were asked for with per={self.per}; expected per=nested, since no case is absent from a clone "
                "of the whole sample; choose per=nested"
            )

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        if isinstance(self.cloned, Cloning):
            return (CloneLeftOut(self.replicates, self.cloned),)
        return super().schemes


@dataclass(frozen=True, eq=False)
class Bootstrap632(Clonable, library.Bootstrap632):
    """.632 bootstrap, whose e0 may be nested in clones."""

    cloned: Cloning | bool = False

    @cached_property
    def e0(self) -> BootstrapE0:
        return BootstrapE0(self.replicates, self.per, self.cloned)


@dataclass(frozen=True, eq=False)
class Bootstrap632Plus(Clonable, library.Bootstrap632Plus):
    """.632+ bootstrap, whose e0 may be nested in clones."""

    cloned: Cloning | bool = False

    @cached_property
    def e0(self) -> BootstrapE0:
        return BootstrapE0(self.replicates, self.per, self.cloned)


@dataclass(frozen=True, eq=False)
class NaiveBootstrap(Clonable):
    """Naive bootstrap: train on n draws with replacement, test on the whole sample.

    Most of the tested cases have been trained on, so that it is optimistic.  Shakhnarovich, El-Yaniv & Baram (2001),
    equation (7); its clones, section 5.
    """

    name = "bs"
    unseen = False
    requirements: ClassVar = at_least(replicates=1)

    replicates: int = 200
    cloned: Cloning | bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        if isinstance(self.cloned, Cloning):
            return (CloneCases(self.replicates, self.cloned),)
        return (BootstrapCases(self.replicates),)


@dataclass(frozen=True, eq=False)
class BootstrappedCV(Clonable):
    """Cross-validate each of B bootstrap samples, and average.

    Copies of a case may fall into different folds of a bootstrap sample, which makes it optimistic; clones have no
    copies.  Shakhnarovich, El-Yaniv & Baram (2001), section 5, weigh folds equally.
    """

    name = "bscv"
    unseen = False
    requirements: ClassVar = {**CrossValidation.requirements, **at_least(replicates=1)}

    k: Folds = 10
    replicates: int = 200
    weights: Weights = "test-size"
    cloned: Cloning | bool = False

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        if isinstance(self.cloned, Cloning):
            return (CloneFolds(self.replicates, self.cloned, self.k),)
        return (BootstrapFolds(self.replicates, self.k),)

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        return weighted(outcomes[self.schemes[0]], self.weights)


@dataclass(frozen=True, eq=False)
class DoubleBootstrap(Estimator):
    """Double bootstrap: train on a bootstrap sample of each of B bootstrap samples, test on the whole sample.

    This definition is ours.  Shakhnarovich, El-Yaniv & Baram (2001) print how long their
    ``BS x 2`` takes, as long as the naive bootstrap, but not what it is; here it serves to count
    classifiers, of which there are B.
    """

    name = "bsx2"
    unseen = False
    requirements: ClassVar = at_least(replicates=1)

    replicates: int = 200

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return (BootstrapTwice(self.replicates),)


@dataclass(frozen=True, eq=False)
class LooStar(Estimator):
    """Weiss's LOO*: leave-one-out, replaced by .632 or repeated 2-fold CV where they disagree.

    .632 where leave-one-out lies below it; the repeated 2-fold estimate where that lies
    below leave-one-out (and leave-one-out is not below .632); else leave-one-out.
    Martin & Hirschberg (1996), section 2.
    """

    name = "loo*"
    trusts_apparent = True

    replicates: int = 200
    repeats: int = 100

    @cached_property
    def parts(self) -> tuple[Estimator, Estimator, Estimator]:
        """Leave-one-out, .632 and repeated 2-fold cross-validation."""
        return LeaveOneOutCV(), library.Bootstrap632(self.replicates), CrossValidation(2, self.repeats)

    @cached_property
    def schemes(self) -> tuple[Scheme, ...]:
        return tuple(scheme for part in self.parts for scheme in part.schemes)

    def reduce(self, sample: Labelled, outcomes: Outcomes) -> float:
        left, boot, half = (part.reduce(sample, outcomes) for part in self.parts)
        if left < boot:
            return boot
        return half if half < left else left


class _ClonableFamily(Family[Estimator]):
    """Estimators whose ids may have the settings of a cloning too."""

    def make(self, name: str, texts: Mapping[str, str]) -> Estimator:
        """Make an estimator of the texts of its settings."""
        made = self[name]
        if not issubclass(made, Clonable):
            return super().make(name, texts)
        cloning = kinds_of(Cloning)
        values = self.read_values(name, texts, dict.fromkeys(kinds_of(made), made) | dict.fromkeys(cloning, Cloning))
        of_cloning = {key: values.pop(key) for key in texts if key in cloning}
        if of_cloning and not values.get("cloned"):
            raise UsageError(
                f"{self.what} {name} was given {', '.join(of_cloning)} without cloned=True; expected cloned=True "
                "beside it; add that or remove it"
            )
        return made(**values | ({"cloned": Cloning(**of_cloning)} if of_cloning else {}))


ESTIMATORS: Family[Estimator] = _ClonableFamily(
    library.ESTIMATORS.what,
    (
        *library.ESTIMATORS.values(),
        # in the place of the library's of these names
        BootstrapE0,
        Bootstrap632,
        Bootstrap632Plus,
        LooStar,
        NaiveBootstrap,
        BootstrappedCV,
        DoubleBootstrap,
    ),
    library.ESTIMATORS.example,
)
"""The library's estimators and those of the papers, by the name that stands before the parenthesis of an id."""


def parse_estimator(text: str) -> Estimator:
    """Read an estimator of the library or of a paper from its id.

    Parameters
    ----------
    text : str
        A name of :data:`ESTIMATORS` with settings in parentheses, such as ``cv(k=5, repeats=20)``; where clones
        are drawn, ``cloned=True`` and perhaps settings of :class:`~compendium.methods.clones.cloning.Cloning`
        beside it.

    Raises
    ------
    UsageError
        If the name or a setting is unknown, or a value is of the wrong type.

    Examples
    --------
    >>> parse_estimator("bs(replicates=50, cloned=True, bounds=0:1/0:)").id
    'bs(replicates=50, cloned=True, bounds=0:1/0:)'
    """
    return ESTIMATORS.parse(text)
