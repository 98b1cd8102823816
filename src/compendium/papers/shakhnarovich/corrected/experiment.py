"""Parameters of the notebook on .632+ as it was corrected."""

from __future__ import annotations

from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters

__all__ = ["CorrectedParameters"]


class CorrectedParameters(SyntheticParameters, notebook="shakhnarovich/02-correct-632plus"):
    """The design of the synthetic half, whose trials these are."""
