"""scikit-learn's scorers as metrics of ours, where both are the same number up to their sign."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from errorest.data.labels import positions
from errorest.errors import UsageError
from errorest.estimation.metrics import METRICS
from errorest.estimation.metrics.metric import Metric

# Our metrics by the name of scikit-learn's function and its settings; accuracy is one less the error rate
_OURS: dict[tuple[Any, ...], str] = {
    ("accuracy_score",): "error",
    ("average_precision_score",): "average-precision",
    ("balanced_accuracy_score",): "balanced-accuracy",
    ("brier_score_loss",): "brier",
    ("f1_score",): "f1",
    ("f1_score", ("average", "macro")): "macro-f1",
    ("log_loss",): "log-loss",
    ("matthews_corrcoef",): "mcc",
    ("recall_score",): "sensitivity",
    ("roc_auc_score",): "auc",
    ("roc_auc_score", ("multi_class", "ovr")): "macro-auc",
}
_SCORERS = (
    "accuracy, average_precision, balanced_accuracy, f1, f1_macro, matthews_corrcoef, neg_brier_score, neg_log_loss, "
    "recall, roc_auc or roc_auc_ovr"
)


def read_scorer(scoring: Any, pos_label: Any, labels: np.ndarray) -> tuple[Any, Any]:
    """Return scoring and the positive class, with a scorer of scikit-learn, or its name, replaced by our name."""
    _refuse_several(scoring)
    scorer = scoring
    if isinstance(scoring, str) and scoring.isidentifier() and scoring not in ("error", "balanced", *METRICS):
        from sklearn.metrics import get_scorer, get_scorer_names

        scorer = get_scorer(scoring) if scoring in get_scorer_names() else scoring
    function = getattr(scorer, "_score_func", None)
    if function is None:
        if callable(scoring) and _is_of_sklearn(scoring):
            raise UsageError(
                f"scoring is the function {scoring.__name__}; expected the name of a scorer, one of {_SCORERS}, or a "
                "loss of single cases"
            )
        return scoring, pos_label
    usual = {name: p.default for name, p in inspect.signature(function).parameters.items()}
    settings = {name: value for name, value in scorer._kwargs.items() if repr(value) != repr(usual.get(name))}
    requested = settings.pop("pos_label", None)
    # scikit-learn's positive class is 1 where nobody names it, whatever comes last
    usual_label = usual.get("pos_label")
    assumed = usual_label if usual_label is not None and positions([usual_label], labels)[0] >= 0 else None
    # a function or scorer of one's own may bear the name of scikit-learn's and compute something else
    known = _is_of_sklearn(function) and type(scorer).__module__.startswith("sklearn.")
    key = (function.__name__, *((name, str(value)) for name, value in settings.items()))
    ours = _OURS.get(key, "") if known else ""
    of_labels = ours in ("", "error") or not METRICS[ours]().needs_probabilities
    response = "predict" if of_labels else "predict_proba"
    asks = scorer._response_method
    sign = -1 if ours in ("brier", "log-loss") else 1
    if not ours or sign != scorer._sign or response not in ((asks,) if isinstance(asks, str) else asks):
        raise UsageError(
            f"scoring = {' '.join(str(scoring).split())}; expected error, balanced, costs or one of "
            f"{', '.join(METRICS)}; of scorers {_SCORERS}"
        )
    if requested is not None and pos_label is not None and len(set(positions([requested, pos_label], labels))) > 1:
        raise UsageError(f"pos_label = {pos_label!r} was given beside a scorer of {requested!r}; leave out pos_label")
    return ours, next((one for one in (pos_label, requested, assumed) if one is not None), None)


def _is_of_sklearn(function: Any) -> bool:
    """Whether a function is the one of its name in :mod:`sklearn.metrics`."""
    from sklearn import metrics

    return function is getattr(metrics, getattr(function, "__name__", ""), None)


def _refuse_several(scoring: Any) -> None:
    """Refuse a collection of scores; tables of costs hold numbers."""
    if isinstance(scoring, Mapping):
        parts = [one for one in scoring.values() if callable(one) or one in ("error", "balanced", *METRICS)]
    elif isinstance(scoring, list | tuple | set | frozenset | np.ndarray):
        parts = [one for one in scoring if isinstance(one, str | Metric) or callable(one)]
    else:
        return
    if parts:
        shown = " ".join(str(scoring).split())
        raise UsageError(f"scoring = {shown}; expected one score at a time, such as scoring={parts[0]!r}")
