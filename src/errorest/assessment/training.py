"""Whether a foreign classifier is trained anew on every training set, without which no resample tells anything.

scikit-learn's ``FrozenEstimator`` says so itself.  Any other is asked: trained on the same cases with the
classes exchanged, a classifier that learns answers otherwise.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from errorest.assessment.caution import Caution
from errorest.assessment.classifiers import SklearnRowsLearner
from errorest.errors import UsageError

__all__ = ["learns_nothing", "refuse_frozen", "training_cautions"]

# Cases on which it is tried whether a classifier learns
_PROBED = 60


def refuse_frozen(classifier: Any) -> None:
    """Refuse a scikit-learn classifier, or a pipeline that ends with one, that cannot be trained anew."""
    last = classifier
    while getattr(last, "steps", None):
        last = last.steps[-1][1]
    if _frozen(last):
        raise UsageError(
            "the classifier is a FrozenEstimator and is never trained again, so that every resample would test it on "
            "cases that it may have been made of; expected a classifier that is trained on every training set; pass "
            "its .estimator, or count the errors of the frozen one on new cases"
        )


def training_cautions(who: str, inducer: Any) -> list[str]:
    """Say what of a classifier is never trained again."""
    if not isinstance(inducer, SklearnRowsLearner):
        return []
    frozen = sorted({type(getattr(part, "estimator", part)).__name__ for part in _parts(inducer.estimator)})
    if frozen:
        return [Caution.of("E102", who=who, parts=", ".join(frozen))]
    return [Caution.of("E101", who=who)] if learns_nothing(inducer) else []


def learns_nothing(inducer: SklearnRowsLearner) -> bool:
    """Whether a classifier says the same of some cases after training on them with each class in place of the next.

    It costs two fits on at most 60 cases.  A classifier that cannot be trained on these is not spoken of.
    """
    trainer = inducer.trainer
    rows = _asked(trainer.codes)
    exchanged = (trainer.codes + 1) % trainer.labels.shape[0]
    seeds = np.arange(len(trainer.seeds)) if trainer.seeds else None
    texts = []
    for codes in (trainer.codes, exchanged):
        taught = replace(trainer, y=trainer.labels[codes], codes=codes)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                texts.append(taught.predict(taught.fit(rows, seeds), rows, rows))
            except Exception:  # whatever it is, the resamples tell of it
                return False
    return bool((texts[0] == texts[1]).all())


def _asked(codes: np.ndarray) -> np.ndarray:
    """Take cases of every class; one class has the most, or a classifier that answers with it may not change."""
    take = min(1.0, _PROBED / codes.size)
    parts = []
    for c in np.unique(codes):
        own = np.flatnonzero(codes == c)
        parts.append(own[: max(1, round(take * own.size))])
    parts.sort(key=len)
    if len(parts) > 1 and len(parts[-1]) == len(parts[-2]) > 1:
        parts[:-1] = [p[: max(1, len(parts[-1]) - 1)] for p in parts[:-1]]
    return np.sort(np.concatenate(parts))


def _frozen(part: Any) -> bool:
    return type(part).__name__ == "FrozenEstimator" and type(part).__module__.startswith("sklearn.")


def _parts(classifier: Any) -> Iterator[Any]:
    """Walk through the parts of a classifier that are frozen."""
    try:
        settings = classifier.get_params(deep=True)
    except Exception:  # a foreign classifier may raise anything
        return
    yield from (part for part in settings.values() if _frozen(part))
