"""Checks of scikit-learn classifiers: faults that make an estimated error rate wrong, returned as warnings."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np

from errorest.assessment.checks import OF_TRAINING, run_checks
from errorest.assessment.checks.warning import Checked, CheckWarning, checked_ids
from errorest.assessment.learner import BuiltIn
from errorest.assessment.options import streams_of
from errorest.assessment.problem import prepare
from errorest.assessment.user_model import UserModel, reason
from errorest.counting import count_each
from errorest.errors import UsageError
from errorest.learners.named import INDUCERS
from errorest.streams import Seed

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from errorest.assessment.arguments import Model, Table

_MOST_CASES = 200
_PREDICTED_ALONE = 30
_PERMUTATIONS = 5

# Accuracy above chance on permuted labels that no classifier reaches by luck alone
_TOO_ACCURATE = 0.15


def check_classifier(
    model: Model,
    X: Table | None = None,
    y: ArrayLike | None = None,
    *,
    encode: bool = False,
    rng: Seed | None = 0,
    ignore: Iterable[str] | str = (),
) -> tuple[CheckWarning, ...]:
    """Check a classifier for faults that make its estimated error rate wrong.

    Looked for are a classifier that learns nothing in ``fit`` (E101, E102), state from one fit to the next (E103),
    two fits that differ (E104), inputs that are changed (E105), predictions that depend on the other cases (E106),
    settings that change (E107), knowledge that did not come through ``fit`` (E108) and predictions that are no class
    (E109).  What was done to the data beforehand cannot be seen.

    Parameters
    ----------
    model : scikit-learn classifier or pipeline, or str
        As :func:`errorest.estimate` takes it; in the library's own learners nothing is found.
    X : array-like or DataFrame, shape (n, d), or sparse matrix, optional
        By default 60 simulated cases with three attributes.  At most 200 cases are used.
    y : array-like, shape (n,), optional
    encode : bool
        As :func:`errorest.estimate`.
    rng : numpy.random.Generator or int, optional
        Splits the cases and permutes labels.
    ignore : iterable of str, or str
        Ids of warnings to leave out.

    Returns
    -------
    tuple of CheckWarning
        Empty where nothing is found.

    Raises
    ------
    UsageError
        If data and classifier do not fit, it is an inducer of your own, or it cannot be trained on half of the cases.

    Examples
    --------
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> check_classifier(KNeighborsClassifier(3))
    ()
    >>> class CentresInPredict(KNeighborsClassifier):
    ...     def predict(self, X):
    ...         return super().predict(X - X.mean(axis=0))
    >>> [found.id for found in check_classifier(CentresInPredict(3))]
    ['E106']

    The same as the last step of a pipeline of scikit-learn:

    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> print(*check_classifier(make_pipeline(StandardScaler(), CentresInPredict(3))))  # doctest: +ELLIPSIS
    the predictions of 3 of 30 cases depend on the other cases, so that predict learns from what it is given...
    """
    ignored = checked_ids(ignore)
    generator = streams_of(rng)[0].generator("battery")
    if X is None:
        simulated = np.random.default_rng(0)
        X = simulated.normal(size=(60, 3))
        y = np.where(X[:, 0] + simulated.normal(size=60) > 0, "yes", "no")
    problem = prepare(model, X, y, encode=encode)
    learner = problem.learner
    if isinstance(learner, BuiltIn):
        if type(learner.model) not in INDUCERS.values():
            raise UsageError(
                f"'{learner.model.id}' is an inducer; expected a scikit-learn classifier, or a learner of the library"
            )
        # tests hold the library's learners to more than is checked here; all that is open is whether they take the data
        learner.model.fit(learner.sample)
        return ()
    assert isinstance(learner, UserModel)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = run_checks(Checked(problems=(problem,)), OF_TRAINING)
        found += _Checks(learner, generator).run(learns=not found)
    return tuple(one for one in found if one.id not in ignored)


class _Checks:
    """The checks of one classifier, trained on the first half of the cases (``a``) or the second (``b``)."""

    def __init__(self, learner: UserModel, rng: np.random.Generator) -> None:
        self.learner, self.rng = learner, rng
        # each class as evenly as can be
        order = rng.permutation(learner.codes.size)[:_MOST_CASES]
        order = order[np.argsort(learner.codes[order], kind="stable")]
        self.a, self.b = np.sort(order[::2]), np.sort(order[1::2])
        self.all = np.sort(order)
        self.seeds = rng.integers(2**31, size=len(learner.seeds))

    def run(self, *, learns: bool) -> list[CheckWarning]:
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
            return [CheckWarning.of("E109.unknown", reason=str(error).split(";")[0])]

    def _fit(self, rows: np.ndarray, learner: UserModel | None = None) -> Any:
        try:
            return (learner or self.learner).fit(rows, self.seeds)
        except (Exception, SystemExit) as exc:  # a foreign classifier may raise anything
            problem = f"the classifier cannot be trained on {rows.size} of the cases ({reason(exc)})"
            raise _CannotTrainError(problem, "check the classifier, or pass more cases") from None

    def _labels(self, rows: np.ndarray) -> np.ndarray:
        return self.learner.y[rows]

    def _predictions(self) -> Iterator[CheckWarning]:
        a = self.a
        self._fit(a)  # so that the next two have the same fit before them
        one = self.learner.predict(self._fit(a), self.all, a)
        two = self.learner.predict(self._fit(a), self.all, a)
        if differ := bool((two != one).any()):
            yield CheckWarning.of("E104")
        model = self._fit(self.b)
        other_object = self.learner.predict(self._fit(a), self.all, a)
        model.fit(self.learner.cut(a, a), self._labels(a))
        same_object = self.learner.predict(model, self.all, a)
        if not differ and ((other_object != one).any() or (same_object != one).any()):
            where = "another" if (other_object != one).any() else "the same"
            yield CheckWarning.of("E103", where=where)
        cases, model = self.b[:_PREDICTED_ALONE], self._fit(a)
        together = self.learner.predict(model, cases, a)
        alone = np.concatenate([self.learner.predict(model, case, a) for case in cases[:, None]])
        if (wrong := int((together != alone).sum())) > 0:
            yield CheckWarning.of("E106", wrong=wrong, cases=cases.size)

    def _inputs(self) -> Iterator[CheckWarning]:
        from sklearn.base import clone

        a, b = self.a, self.b
        model = clone(self.learner.model)
        model.set_params(**dict(zip(self.learner.seeds, self.seeds.tolist(), strict=True)))
        inputs = self.learner.cut(a, a), self._labels(a), self.learner.cut(b, a)
        before, settings = [joblib.hash(one) for one in inputs], repr(model.get_params())
        model.fit(*inputs[:2])
        model.predict(inputs[2])
        names = ("fit changes its X", "fit changes its y", "predict changes its X")
        for name, was, now in zip(names, before, map(joblib.hash, inputs), strict=True):
            if was != now:
                yield CheckWarning.of("E105", change=name)
        if repr(model.get_params()) != settings:
            yield CheckWarning.of("E107")

    def _permuted_labels(self) -> Iterator[CheckWarning]:
        """Train on permuted labels; shifted through all classes, so that guessing scores 1 / classes."""
        a, b = self.a, self.b
        codes, classes = self.learner.codes, self.learner.labels.shape[0]
        right = []
        for _ in range(_PERMUTATIONS):
            permuted = codes.copy()
            permuted[a] = self.rng.permutation(codes[a])
            for shift in range(classes):
                shifted = (permuted + shift) % classes
                taught = replace(self.learner, codes=shifted)
                right.append(float((self.learner.predict(self._fit(a, taught), b, a) == codes[b]).mean()))
        accuracy = float(np.mean(right))
        if accuracy - 1 / classes > _TOO_ACCURATE:
            yield CheckWarning.of("E108", right=100 * accuracy, chance=100 / classes)

    def _missing_class(self) -> Iterator[CheckWarning]:
        """Leave the rarest class out of training, where two others remain."""
        a, codes = self.a, self.learner.codes
        if self.learner.labels.shape[0] < 3:
            return
        rare = int(np.argmin(count_each(codes[a])))
        rows = a[codes[a] != rare]
        if (self.learner.predict(self._fit(rows), self.b, rows) == rare).any():
            yield CheckWarning.of("E109.missing", name=self.learner.labels[rare])


class _CannotTrainError(UsageError):
    """Raised where no check can be run."""
