"""The classifiers and metrics that the page "Your data, here" offers, and how code and commands name them."""

from __future__ import annotations

from typing import NamedTuple

from errorest.errors import UsageError


class PageLearner(NamedTuple):
    """A classifier of the list: its name on the page, and what Python imports for it, if anything."""

    title: str
    classifier: str = ""
    scaled: bool = False

    @property
    def imports(self) -> tuple[str, ...]:
        """Lines of Python that import what :meth:`code` names."""
        if not self.classifier:
            return ()
        module, _, name = self.classifier.rpartition(".")
        lines = [f"from {module} import {name}"]
        if self.scaled:
            lines += ["from sklearn.pipeline import make_pipeline", "from sklearn.preprocessing import StandardScaler"]
        return tuple(lines)


LEARNERS = {
    "naive-bayes": PageLearner("naive Bayes"),
    "knn": PageLearner("5 nearest neighbours, standardized"),
    "linear-discriminant": PageLearner("linear discriminant"),
    "c4.5": PageLearner("C4.5 tree"),
    "majority": PageLearner("most frequent class"),
    "sklearn-logistic": PageLearner("logistic regression", "sklearn.linear_model.LogisticRegression", scaled=True),
    "sklearn-forest": PageLearner("random forest", "sklearn.ensemble.RandomForestClassifier"),
    "sklearn-knn": PageLearner("nearest neighbours", "sklearn.neighbors.KNeighborsClassifier", scaled=True),
    "sklearn-svm": PageLearner("support vector machine", "sklearn.svm.SVC", scaled=True),
    "sklearn-bayes": PageLearner("naive Bayes", "sklearn.naive_bayes.GaussianNB"),
    "sklearn-lda": PageLearner("linear discriminant", "sklearn.discriminant_analysis.LinearDiscriminantAnalysis"),
}

METRICS = {
    "error": "error rate",
    "balanced-accuracy": "balanced accuracy",
    "auc": "AUC (two classes)",
    "macro-auc": "AUC, mean over classes",
    "brier": "Brier score",
    "log-loss": "log loss",
    "f1": "F1 (two classes)",
    "macro-f1": "F1, mean over classes",
    "mcc": "Matthews correlation",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "precision": "precision",
}


def learner(name: str) -> PageLearner:
    """Return a classifier of the list; no other name is ever imported."""
    if name not in LEARNERS:
        raise UsageError(f"'{name}' is no classifier of this page; expected one of {', '.join(LEARNERS)}")
    return LEARNERS[name]


def as_text(name: str) -> str:
    """Return a classifier as the command line names it."""
    one = learner(name)
    return ("sklearn.preprocessing.StandardScaler + " if one.scaled else "") + (one.classifier or name)


def as_code(name: str) -> str:
    """Return a classifier as Python code."""
    one = learner(name)
    if not one.classifier:
        return repr(name)
    made = f"{one.classifier.rpartition('.')[2]}()"
    return f"make_pipeline(StandardScaler(), {made})" if one.scaled else made
