"""Inducers: learning algorithms, with a batch method that labels as one fit a row does."""

from errorest.learners.base import Classifier, ConstantClassifier, Inducer, IntervalClassifier, predict_by_loop
from errorest.learners.c45 import C45
from errorest.learners.discriminant import LinearDiscriminant
from errorest.learners.id3 import ID3
from errorest.learners.majority import Majority
from errorest.learners.naive_bayes import NaiveBayes
from errorest.learners.neighbors import KNN
from errorest.learners.sklearn_adapter import SklearnInducer
from errorest.learners.svm import SVM
from errorest.learners.threshold import Threshold

__all__ = [
    "C45",
    "ID3",
    "KNN",
    "SVM",
    "Classifier",
    "ConstantClassifier",
    "Inducer",
    "IntervalClassifier",
    "LinearDiscriminant",
    "Majority",
    "NaiveBayes",
    "SklearnInducer",
    "Threshold",
    "predict_by_loop",
]
