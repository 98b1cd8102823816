"""Inducers that one paper needs, beside those of the library, and all of them by their ids."""

from compendium.methods.learners.id3 import ID3
from compendium.methods.learners.named import INDUCERS
from compendium.methods.learners.svm import SVM
from compendium.methods.learners.threshold import IntervalClassifier, Threshold

__all__ = ["ID3", "INDUCERS", "SVM", "IntervalClassifier", "Threshold"]
