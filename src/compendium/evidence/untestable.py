"""Printed keys for which nothing can be regenerated, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["UNTESTABLE", "why_untestable"]

_NOT_SHIPPED = "a property of a data set that is not among those shipped"
_ADVICE = "a rule of thumb in words; the claims beside it are executed, the threshold is a matter of judgement"

UNTESTABLE: Mapping[tuple[str, str, str], str] = {
    ("shakhnarovich-table-7", "*", "*"): "seconds of another machine; classifiers are counted instead",
    ("scheffer-herbrich-one-shot", "dna", "train"): "the size of the training set, which no equation takes",
    ("scheffer-herbrich-per-fold", "fem-mesh-26", "samples"): _NOT_SHIPPED,
    ("scheffer-herbrich-per-fold", "fem-mesh-26", "classes"): _NOT_SHIPPED,
    ("scheffer-herbrich-per-fold", "fem-mesh-26", "entropy"): _NOT_SHIPPED,
    ("lis-claims", "text", "small-sample-up-to"): _ADVICE,
    ("lis-claims", "text", "loo-accurate-above-n"): _ADVICE,
}
"""(artifact, row, column) -> reason; ``*`` stands for all rows or columns.  A regenerated row goes before a reason."""


def why_untestable(artifact: str, row: str, column: str) -> str:
    """Say why nothing is regenerated for a printed key; ``no reason is known`` where none is, which a test refuses."""
    for key in ((artifact, row, column), (artifact, row, "*"), (artifact, "*", "*")):
        if key in UNTESTABLE:
            return UNTESTABLE[key]
    return "no reason is known"
