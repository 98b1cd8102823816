"""Inducers: learning algorithms, with a batch method that labels as one fit a row does."""

from errorest.learners.base import Classifier, ConstantClassifier, Inducer, predict_by_loop
from errorest.learners.c45 import C45
from errorest.learners.discriminant import LinearDiscriminant
from errorest.learners.majority import Majority
from errorest.learners.naive_bayes import NaiveBayes
from errorest.learners.neighbors import KNN

__all__ = [
    "C45",
    "KNN",
    "Classifier",
    "ConstantClassifier",
    "Inducer",
    "LinearDiscriminant",
    "Majority",
    "NaiveBayes",
    "predict_by_loop",
]
