"""Inducers by id, as the papers' parameters name them: those of the library and those of the compendium."""

from __future__ import annotations

from typing import Any

from compendium.methods.learners.id3 import ID3
from compendium.methods.learners.svm import SVM
from compendium.methods.learners.threshold import Threshold
from errorest.learners import named
from errorest.spec import Family

INDUCERS: Family[Any] = Family("classifier", (*named.INDUCERS.values(), ID3, SVM, Threshold), named.INDUCERS.example)
"""Inducers of both packages by name; it reads and makes what ids name."""
