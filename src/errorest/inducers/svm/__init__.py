"""Support vector machines on one Gram matrix a sample, with multiplicities of cases."""

from errorest.inducers.svm.inducer import SVM, SVMClassifier

__all__ = ["SVM", "SVMClassifier"]
