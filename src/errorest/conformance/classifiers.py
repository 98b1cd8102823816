"""The battery for classifiers of anybody's: what in one makes its estimated error rate wrong.

A classifier is fitted a few dozen times on halves of the cases, with its own labels and with labels dealt by lot, and
asked case by case and all at once.  What is found are cautions with their ids, not errors.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import joblib
import numpy as np

from errorest.assessment.caution import Caution, checked_ids, not_ignored
from errorest.assessment.classifiers import OwnClassifier
from errorest.assessment.inputs import prepare
from errorest.assessment.labelling import Trainer, reason
from errorest.assessment.options import streams_of
from errorest.assessment.training import training_cautions
from errorest.conformance.inducers import check_inducer
from errorest.errors import UsageError

__all__ = ["check_classifier"]

_MOST = 200
"""Cases that the battery works on."""

_ALONE = 30
"""Cases that are asked one by one."""

_DEALT = 5
"""Times that labels are dealt by lot."""

_TOO_GOOD = 0.15
"""Above the share of right answers that luck gives; a classifier that learns from its labels alone has none."""


def check_classifier(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    encode: bool = False,
    rng: np.random.Generator | int | None = 0,
    ignore: Iterable[str] | str = (),
) -> tuple[Caution, ...]:
    """Find what in a classifier would make its estimated error rate wrong.

    Looked for are a classifier that learns nothing in ``fit`` (E101, E102), state from one fit to the next (E103),
    two fits that differ (E104), inputs that are changed (E105), answers that depend on what else is asked (E106),
    settings that change (E107), knowledge that did not come through ``fit`` (E108) and answers that are no class
    (E109).  What was done to the data before, no battery can see.

    Parameters
    ----------
    model : scikit-learn classifier or pipeline, inducer, or str
        As :func:`~errorest.assessment.estimate` takes it; of an inducer see
        :func:`~errorest.conformance.check_inducer`, which raises.
    X : array-like or DataFrame, shape (n, d), or sparse matrix, optional
        By default 60 cases of three numbers.  Of more than 200 cases 200 are taken.
    y : array-like, shape (n,), optional
    encode : bool
        As :func:`~errorest.assessment.estimate`.
    rng : numpy.random.Generator or int, optional
        Parts the cases and deals labels.
    ignore : iterable of str, or str
        Ids that are not to be told.

    Returns
    -------
    tuple of Caution
        None of them where all is well.

    Raises
    ------
    UsageError
        If data and classifier do not fit, or it cannot be trained on half of the cases.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> check_classifier(KNeighborsClassifier(3))
    ()
    >>> class Remembers(KNeighborsClassifier):
    ...     def predict(self, X):
    ...         return super().predict(X - X.mean(axis=0))
    >>> [found.kind for found in check_classifier(Remembers(3))]
    ['E106']
    """
    ignored = checked_ids(ignore)
    generator = streams_of(rng)[0].generator("battery")
    if X is None:
        X, y = _made_up()
    problem = prepare(model, X, y, encode=encode)
    if not isinstance(problem.inducer, OwnClassifier):
        check_inducer(problem.inducer, {"these cases": problem.sample})
        return ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = training_cautions("the classifier", problem.inducer)
        found += _Bench(problem.inducer.trainer, generator).cautions(learns=not found)
    return tuple(one for one in not_ignored(found, ignored) if isinstance(one, Caution))


def _made_up() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, np.where(X[:, 0] + rng.normal(size=60) > 0, "yes", "no")


class _Bench:
    """Two halves of the cases, and what is tried on them."""

    def __init__(self, trainer: Trainer, rng: np.random.Generator) -> None:
        self.trainer, self.rng = trainer, rng
        self.halves = _halves(trainer.codes, rng)
        self.all = np.sort(np.concatenate(self.halves))
        self.seeds = rng.integers(2**31, size=len(trainer.seeds))

    def cautions(self, *, learns: bool) -> list[str]:
        """Try everything; answers that are no classes end it."""
        try:
            return [*self._fits(), *self._alone(), *self._inputs(), *(self._lots() if learns else ()), *self._unseen()]
        except _CannotTrainError:
            raise
        except UsageError as error:
            return [Caution("E109", f"an answer is no class of the training set: {str(error).split(';')[0]}")]

    def _fitted(self, rows: np.ndarray, trainer: Trainer | None = None) -> Any:
        try:
            return (trainer or self.trainer).fit(rows, self.seeds)
        except Exception as exc:  # a foreign classifier may raise anything
            raise _CannotTrainError(
                f"the classifier cannot be trained on {rows.size} of the cases ({reason(exc)}); expected one that can "
                "be trained on half of them; mend the classifier, or pass more cases"
            ) from None

    def _said(self, model: Any, rows: np.ndarray, trained: np.ndarray) -> np.ndarray:
        return self.trainer.predict(model, rows, trained)

    def _fits(self) -> Iterator[Caution]:
        a, b = self.halves
        self._fitted(a)  # so that what came before is the same for the next two
        one = self._said(self._fitted(a), self.all, a)
        differ = bool((self._said(self._fitted(a), self.all, a) != one).any())
        if differ:
            told = "two fits on the same cases, with the same seeds, answer some of the cases differently"
            yield Caution("E104", f"{told}, so that no estimate can be repeated; draw from a random_state setting")
        model = self._fitted(b)
        later = self._said(self._fitted(a), self.all, a)
        model.fit(self.trainer.cut(a, a), self.trainer.y[a])
        again = self._said(model, self.all, a)
        if not differ and ((later != one).any() or (again != one).any()):
            where = "in another" if (later != one).any() else "in the same"
            yield Caution(
                "E103", f"a fit on other cases, {where} object, changes what is fitted next; let fit begin afresh"
            )

    def _alone(self) -> Iterator[Caution]:
        a, b = self.halves
        asked, model = b[:_ALONE], self._fitted(a)
        together = self._said(model, asked, a)
        alone = np.concatenate([self._said(model, asked[i : i + 1], a) for i in range(asked.size)])
        if (wrong := int((together != alone).sum())) > 0:
            yield Caution(
                "E106",
                f"{wrong} of {asked.size} cases are answered otherwise alone than among others, so that predict learns "
                "from what it is asked; learn in fit alone",
            )

    def _inputs(self) -> Iterator[Caution]:
        from sklearn.base import clone

        a, b = self.halves
        model = clone(self.trainer.estimator)
        model.set_params(**dict(zip(self.trainer.seeds, self.seeds.tolist(), strict=True)))
        handed = self.trainer.cut(a, a), self.trainer.y[a].copy(), self.trainer.cut(b, a)
        before, settings = [joblib.hash(one) for one in handed], repr(model.get_params())
        model.fit(*handed[:2])
        model.predict(handed[2])
        names = ("fit changes its X", "fit changes its y", "predict changes its X")
        for name, was, now in zip(names, before, map(joblib.hash, handed), strict=True):
            if was != now:
                yield Caution("E105", f"{name}, and what comes after works on other data; copy first")
        if repr(model.get_params()) != settings:
            yield Caution(
                "E107", "settings are others after fit than before; keep what is learnt in names that end in '_'"
            )

    def _lots(self) -> Iterator[Caution]:
        """Deal labels by lot, each in turn for every other: who learns from them alone gives each answer as often."""
        a, b = self.halves
        codes, classes = self.trainer.codes, self.trainer.labels.shape[0]
        right = []
        for _ in range(_DEALT):
            dealt = codes.copy()
            dealt[a] = self.rng.permutation(codes[a])
            for shift in range(classes):
                turned = (dealt + shift) % classes
                taught = replace(self.trainer, y=self.trainer.labels[turned], codes=turned)
                right.append(float((self._said(self._fitted(a, taught), b, a) == codes[b]).mean()))
        share = float(np.mean(right))
        if share - 1 / classes > _TOO_GOOD:
            yield Caution(
                "E108",
                f"trained on labels dealt by lot, the classifier is right about {100 * share:.0f} % of held-out cases, "
                f"where luck gives {100 / classes:.0f} %: it knows of them what fit did not tell it",
            )

    def _unseen(self) -> Iterator[Caution]:
        """Leave a class out of training, where two are left."""
        a, b = self.halves
        if self.trainer.labels.shape[0] < 3:
            return
        rare = int(np.argmin(np.bincount(self.trainer.codes[a])))
        rows = a[self.trainer.codes[a] != rare]
        if (self._said(self._fitted(rows), b, rows) == rare).any():
            name = self.trainer.labels[rare]
            yield Caution("E109", f"trained without class '{name}', the classifier answers with it all the same")


class _CannotTrainError(UsageError):
    """Raised where no battery can be run."""


def _halves(codes: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Part the cases, each class as evenly as can be."""
    order = rng.permutation(codes.size)[:_MOST]
    order = order[np.argsort(codes[order], kind="stable")]
    return np.sort(order[::2]), np.sort(order[1::2])
