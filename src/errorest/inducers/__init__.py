"""Inducers: learning algorithms, with a batch method that labels as one fit a row does."""

from errorest.inducers.base import Classifier, ConstantClassifier, Inducer, IntervalClassifier, predict_by_loop
from errorest.inducers.c45 import C45
from errorest.inducers.discriminant import LinearDiscriminant
from errorest.inducers.id3 import ID3
from errorest.inducers.majority import Majority
from errorest.inducers.naive_bayes import NaiveBayes
from errorest.inducers.neighbors import KNN
from errorest.inducers.sklearn_adapter import SklearnInducer
from errorest.inducers.svm import SVM
from errorest.inducers.threshold import Threshold

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
