"""scikit-learn's scorers as metrics of ours, where both are the same number up to their sign."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from errorest.data.labels import positions
from errorest.errors import UsageError
from errorest.estimation.metrics import METRICS

# Our metrics by scikit-learn's function and its settings; accuracy is one less the error rate
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


def read_scorer(scoring: Any, pos_label: Any, labels: np.ndarray) -> tuple[Any, Any]:
    """Return scoring and the positive class, with a scorer of scikit-learn, or its name, replaced by our name."""
    scorer = scoring
    if isinstance(scoring, str) and scoring.isidentifier() and scoring not in ("error", "balanced", *METRICS):
        from sklearn.metrics import get_scorer, get_scorer_names

        scorer = get_scorer(scoring) if scoring in get_scorer_names() else scoring
    function = getattr(scorer, "_score_func", None)
    if function is None:
        return scoring, pos_label
    usual = {name: p.default for name, p in inspect.signature(function).parameters.items()}
    settings = {name: value for name, value in scorer._kwargs.items() if value != usual.get(name)}
    requested = settings.pop("pos_label", None)
    # scikit-learn's positive class is 1 where nobody names it, whatever comes last
    usual_label = usual.get("pos_label")
    assumed = usual_label if usual_label is not None and positions([usual_label], labels)[0] >= 0 else None
    ours = _OURS.get((function.__name__, *settings.items()), "")
    of_labels = ours in ("", "error") or not METRICS[ours]().needs_probabilities
    response = "predict" if of_labels else "predict_proba"
    asks = scorer._response_method
    sign = -1 if ours in ("brier", "log-loss") else 1
    if not ours or sign != scorer._sign or response not in ((asks,) if isinstance(asks, str) else asks):
        raise UsageError(
            f"scoring = {scoring}; expected error, balanced, costs or one of {', '.join(METRICS)}; of scorers "
            "accuracy, average_precision, balanced_accuracy, f1, f1_macro, matthews_corrcoef, neg_brier_score, "
            "neg_log_loss, recall, roc_auc or roc_auc_ovr"
        )
    if requested is not None and pos_label is not None and len(set(positions([requested, pos_label], labels))) > 1:
        raise UsageError(f"pos_label = {pos_label!r} was given beside a scorer of {requested!r}; leave out pos_label")
    return ours, next((one for one in (pos_label, requested, assumed) if one is not None), None)
