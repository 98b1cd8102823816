"""Cloning: the smoothed bootstrap of whole samples by kernel density estimates (Shakhnarovich et al., 2001)."""

from compendium.methods.clones.cloner import Cloner
from compendium.methods.clones.cloning import Cloning

__all__ = ["Cloner", "Cloning"]
