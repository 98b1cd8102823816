"""Compiled batches that give the labels of scikit-learn's classifiers on all rows of resamples at once.

A batch knows where rounding might decide: it marks such tests, and rows that it leaves to scikit-learn itself.
"""

from errorest.learners.equals.batch import Batch, BatchAnswers
from errorest.learners.equals.table import batch_of

__all__ = ["Batch", "BatchAnswers", "batch_of"]
