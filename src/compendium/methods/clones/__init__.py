"""Cloning: the smoothed bootstrap of whole samples by kernel density estimates (Shakhnarovich et al., 2001)."""

from compendium.methods.clones.cloner import Cloner, leave_one_out_stacks
from compendium.methods.clones.cloning import (
    CloneCases,
    CloneFolds,
    CloneLeftOut,
    CloneScheme,
    Cloning,
    resolve_bounds,
)

__all__ = [
    "CloneCases",
    "CloneFolds",
    "CloneLeftOut",
    "CloneScheme",
    "Cloner",
    "Cloning",
    "leave_one_out_stacks",
    "resolve_bounds",
]
