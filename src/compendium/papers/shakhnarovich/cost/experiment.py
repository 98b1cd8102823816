"""Parameters of Table 7."""

from __future__ import annotations

from compendium.papers.parameters import parameter
from compendium.papers.shakhnarovich.uci.experiment import SetsParameters

__all__ = ["CostParameters"]


class CostParameters(SetsParameters, notebook="shakhnarovich/05-cost"):
    """Parameters of Table 7."""

    bootstrap_samples: int = parameter(100, "bootstrap samples, clones, and repeats of cross-validation, B", ge=2)
