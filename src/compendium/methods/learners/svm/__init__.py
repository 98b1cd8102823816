"""Support vector machines on one Gram matrix a sample, with multiplicities of cases."""

from compendium.methods.learners.svm.inducer import SVM, SVMClassifier

__all__ = ["SVM", "SVMClassifier"]
