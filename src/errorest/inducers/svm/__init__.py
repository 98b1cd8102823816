"""Support vector machines on one Gram matrix a sample, with multiplicities of cases.

``kernel`` lays the distinct cases of a sample out and computes kernel values, ``solver`` solves a
problem of two classes, ``machines`` makes those of all pairs and lets them vote, ``batch`` does so
for resamples, stacks and folds, ``inducer`` is what others use.
"""

from errorest.inducers.svm.inducer import SVM, SVMClassifier

__all__ = ["SVM", "SVMClassifier"]
