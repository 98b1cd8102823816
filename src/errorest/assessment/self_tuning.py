"""Which parts of a scikit-learn model tune themselves on splits of their own training set."""

from __future__ import annotations

from typing import Any


def self_tuning_parts(model: Any) -> tuple[str, ...]:
    """Name the parts of a model that split their training set to tune, calibrate or stop early.

    These have a parameter ``cv``, as searches, calibrated and stacked classifiers have, or hold out a part of the
    training set for early stopping.
    """
    if not hasattr(model, "get_params"):
        return ()
    try:
        parts = [
            p for p in (model, *model.get_params().values()) if hasattr(p, "get_params") and not isinstance(p, type)
        ]
        return tuple(sorted({type(p).__name__ for p in parts if _splits_training_set(p.get_params(deep=False))}))
    except (Exception, SystemExit):  # a user's classifier may raise anything
        return ()


def _splits_training_set(settings: dict[str, Any]) -> bool:
    # "prefit" refits nothing; boosting without early_stopping holds out cases where n_iter_no_change is set
    if "cv" in settings:
        return not (isinstance(settings["cv"], str) and settings["cv"] == "prefit")
    if "early_stopping" in settings:
        return settings["early_stopping"] is True
    return settings.get("validation_fraction") is not None and settings.get("n_iter_no_change") is not None
