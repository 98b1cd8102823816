"""Checks of scikit-learn classifiers: faults that make an estimated error rate wrong, returned as warnings."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import joblib
import numpy as np

from errorest.assessment.caution import Caution, checked_ids, not_ignored
from errorest.assessment.cautions import training_cautions
from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.assessment.inputs import prepare
from errorest.assessment.labelling import Trainer, reason
from errorest.assessment.options import streams_of
from errorest.errors import UsageError
from errorest.learners.named import INDUCERS
from errorest.streams import Seed

_MOST_CASES = 200
_PREDICTED_ALONE = 30
_PERMUTATIONS = 5

# Accuracy above chance on permuted labels that no classifier reaches by luck alone
_TOO_ACCURATE = 0.15


def check_classifier(
    model: Any,
    X: Any = None,
    y: Any = None,
    *,
    encode: bool = False,
    rng: Seed | None = 0,
    ignore: Iterable[str] | str = (),
) -> tuple[Caution, ...]:
    """Check a classifier for faults that make its estimated error rate wrong.

    Looked for are a classifier that learns nothing in ``fit`` (E101, E102), state from one fit to the next (E103),
    two fits that differ (E104), inputs that are changed (E105), predictions that depend on the other cases (E106),
    settings that change (E107), knowledge that did not come through ``fit`` (E108) and predictions that are no class
    (E109).  What was done to the data beforehand cannot be seen.

    Parameters
    ----------
    model : scikit-learn classifier or pipeline, or str
        As :func:`~errorest.assessment.estimate` takes it; in the library's own learners nothing is found.
    X : array-like or DataFrame, shape (n, d), or sparse matrix, optional
        By default 60 simulated cases with three attributes.  At most 200 cases are used.
    y : array-like, shape (n,), optional
    encode : bool
        As :func:`~errorest.assessment.estimate`.
    rng : numpy.random.Generator or int, optional
        Splits the cases and permutes labels.
    ignore : iterable of str, or str
        Ids of warnings to leave out.

    Returns
    -------
    tuple of Caution
        Empty where nothing is found.

    Raises
    ------
    UsageError
        If data and classifier do not fit, it is an inducer of one's own, or it cannot be trained on half of the cases.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> check_classifier(KNeighborsClassifier(3))
    ()
    >>> class CentresInPredict(KNeighborsClassifier):
    ...     def predict(self, X):
    ...         return super().predict(X - X.mean(axis=0))
    >>> [found.kind for found in check_classifier(CentresInPredict(3))]
    ['E106']
    """
    ignored = checked_ids(ignore)
    generator = streams_of(rng)[0].generator("battery")
    if X is None:
        simulated = np.random.default_rng(0)
        X = simulated.normal(size=(60, 3))
        y = np.where(X[:, 0] + simulated.normal(size=60) > 0, "yes", "no")
    problem = prepare(model, X, y, encode=encode)
    if not isinstance(problem.inducer, SklearnRowsLearner):
        if type(problem.inducer) not in INDUCERS.values():
            raise UsageError(
                f"'{problem.inducer.id}' is an inducer; expected a scikit-learn classifier, or a learner of the library"
            )
        # tests hold the library's learners to more than is checked here; all that is open is whether they take the data
        problem.inducer.fit(problem.sample)
        return ()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = training_cautions("the classifier", problem.inducer)
        result += _Checks(problem.inducer.trainer, generator).cautions(learns=not result)
    return tuple(one for one in not_ignored(result, ignored) if isinstance(one, Caution))


class _Checks:
    """The checks of one classifier, trained on the first half of the cases (``a``) or the second (``b``)."""

    def __init__(self, trainer: Trainer, rng: np.random.Generator) -> None:
        self.trainer, self.rng = trainer, rng
        # each class as evenly as can be
        order = rng.permutation(trainer.codes.size)[:_MOST_CASES]
        order = order[np.argsort(trainer.codes[order], kind="stable")]
        self.a, self.b = np.sort(order[::2]), np.sort(order[1::2])
        self.all = np.sort(order)
        self.seeds = rng.integers(2**31, size=len(trainer.seeds))

    def cautions(self, *, learns: bool) -> list[str]:
        """Run all checks; predictions that are no classes end them."""
        try:
            permuted = self._permuted_labels() if learns else ()
            return [*self._predictions(), *self._inputs(), *permuted, *self._missing_class()]
        except _CannotTrainError:
            raise
        except SystemExit as exc:
            raise UsageError(
                f"the classifier ended the program ({reason(exc)})", "let it raise another error"
            ) from None
        except UsageError as error:
            return [Caution("E109", f"a prediction is no class of the training set: {str(error).split(';')[0]}")]

    def _fit(self, rows: np.ndarray, trainer: Trainer | None = None) -> Any:
        try:
            return (trainer or self.trainer).fit(rows, self.seeds)
        except (Exception, SystemExit) as exc:  # a foreign classifier may raise anything
            problem = f"the classifier cannot be trained on {rows.size} of the cases ({reason(exc)})"
            raise _CannotTrainError(problem, "check the classifier, or pass more cases") from None

    def _predictions(self) -> Iterator[Caution]:
        a = self.a
        self._fit(a)  # so that the next two have the same fit before them
        one = self.trainer.predict(self._fit(a), self.all, a)
        two = self.trainer.predict(self._fit(a), self.all, a)
        if differ := bool((two != one).any()):
            yield Caution(
                "E104",
                "two fits on the same cases, with the same seeds, give different predictions, so that no estimate can "
                "be repeated; draw from a random_state setting",
            )
        model = self._fit(self.b)
        other_object = self.trainer.predict(self._fit(a), self.all, a)
        model.fit(self.trainer.cut(a, a), self.trainer.y[a])
        same_object = self.trainer.predict(model, self.all, a)
        if not differ and ((other_object != one).any() or (same_object != one).any()):
            where = "another" if (other_object != one).any() else "the same"
            yield Caution(
                "E103", f"a fit on other cases, in {where} object, changes the next fit; let fit start afresh"
            )
        cases, model = self.b[:_PREDICTED_ALONE], self._fit(a)
        together = self.trainer.predict(model, cases, a)
        alone = np.concatenate([self.trainer.predict(model, case, a) for case in cases[:, None]])
        if (wrong := int((together != alone).sum())) > 0:
            yield Caution(
                "E106",
                f"the predictions of {wrong} of {cases.size} cases depend on the other cases, so that predict learns "
                "from what it is given; learn in fit alone",
            )

    def _inputs(self) -> Iterator[Caution]:
        from sklearn.base import clone

        a, b = self.a, self.b
        model = clone(self.trainer.estimator)
        model.set_params(**dict(zip(self.trainer.seeds, self.seeds.tolist(), strict=True)))
        inputs = self.trainer.cut(a, a), self.trainer.y[a].copy(), self.trainer.cut(b, a)
        before, settings = [joblib.hash(one) for one in inputs], repr(model.get_params())
        model.fit(*inputs[:2])
        model.predict(inputs[2])
        names = ("fit changes its X", "fit changes its y", "predict changes its X")
        for name, was, now in zip(names, before, map(joblib.hash, inputs), strict=True):
            if was != now:
                yield Caution("E105", f"{name}, so that what follows works on other data; copy it first")
        if repr(model.get_params()) != settings:
            yield Caution("E107", "fit changes settings; store what is learnt in attributes that end in '_'")

    def _permuted_labels(self) -> Iterator[Caution]:
        """Train on permuted labels; shifted through all classes, so that guessing scores 1 / classes."""
        a, b = self.a, self.b
        codes, classes = self.trainer.codes, self.trainer.labels.shape[0]
        right = []
        for _ in range(_PERMUTATIONS):
            permuted = codes.copy()
            permuted[a] = self.rng.permutation(codes[a])
            for shift in range(classes):
                shifted = (permuted + shift) % classes
                trainer = replace(self.trainer, codes=shifted)
                right.append(float((self.trainer.predict(self._fit(a, trainer), b, a) == codes[b]).mean()))
        accuracy = float(np.mean(right))
        if accuracy - 1 / classes > _TOO_ACCURATE:
            yield Caution(
                "E108",
                f"trained on permuted labels, the classifier is right for {100 * accuracy:.0f} % of held-out cases, "
                f"against {100 / classes:.0f} % by chance: it knows labels that fit did not give it",
            )

    def _missing_class(self) -> Iterator[Caution]:
        """Leave the rarest class out of training, where two others remain."""
        a, codes = self.a, self.trainer.codes
        if self.trainer.labels.shape[0] < 3:
            return
        rare = int(np.argmin(np.bincount(codes[a])))
        rows = a[codes[a] != rare]
        if (self.trainer.predict(self._fit(rows), self.b, rows) == rare).any():
            name = self.trainer.labels[rare]
            yield Caution("E109", f"trained without class '{name}', the classifier predicts it all the same")


class _CannotTrainError(UsageError):
    """Raised where no check can be run."""
