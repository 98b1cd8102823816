"""What a thing is called: a paper's symbol, and titles for a sentence and for a heading."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = ["COMMON", "Name"]


class Name(NamedTuple):
    """One entry of a paper's table of names, or of the library's.

    ``symbol`` is the short word of figures, ``sentence`` stands within a sentence and ``heading`` at the
    start of a line; no code makes one of the other.
    """

    symbol: str
    sentence: str
    heading: str

    @property
    def markdown(self) -> str:
        """The symbol, its asterisks escaped."""
        return self.symbol.replace("*", "\\*")


# names that are written alike anywhere
_ALIKE = {
    "clopper-pearson": "Clopper-Pearson",
    "cv-2": "2-fold CV",
    "cv-5": "5-fold CV",
    "cv-10": "10-fold CV",
    "cv-20": "20-fold CV",
    "repeated-cv-2": "2-fold CV, iterated",
    "repeated-cv-5": "5-fold CV, iterated",
    "repeated-cv-10": "10-fold CV, iterated",
    "bootstrap-e0": "e0 bootstrap",
    "bootstrap-632": ".632 bootstrap",
    "bootstrap-632-plus": ".632+ bootstrap",
    "bootstrap-632plus": ".632+ bootstrap",
    "bscv-10": "10-fold CV on bootstrap samples",
    "bscv-5": "5-fold CV on bootstrap samples",
    "cloned-632": ".632, cloned",
    "cloned-632plus": ".632+, cloned",
    "cloned-bscv-10": "10-fold CV on clones",
    "cloned-bscv-5": "5-fold CV on clones",
    "ldf": "Fisher's linear discriminant",
    "svm-rbf": "SVM, RBF kernel",
    "svm-linear": "SVM, linear kernel",
    "17-nn": "17-NN",
    "632": ".632",
    "632plus": ".632+",
    "loo*": "LOO*",
    "bs": "BS",
    "bscv": "BSCV",
    "bsx2": "BSx2",
    "5x2cv": "5x2 cv",
    "cv-wald": "CV, Wald",
    "errorest": "errorest",
    "errorest, truncated-632": "errorest, truncated-632",
    "ipred, mt": "ipred, mt",
    "sortinghat": "sortinghat",
    "caret": "caret",
    "mlxtend": "mlxtend",
    "repeated-stratified-cv-10": "10-fold CV, stratified, repeated",
    "cloned-632-plus": ".632+ on clones, as printed",
    "cloned-632-plus-correct": ".632+ on clones",
    "632-plus": ".632+",
    "10-fold-CV-Wald": "10-fold CV, Wald",
    "10-fold-CV-Wald-in-folds": "10-fold CV, Wald within folds",
    "10-fold-CV-equation-3": "10-fold CV, Kohavi's equation 3",
    "sqrt-mu-d": "√μd",
    "sigma-d": "σd",
    "alpha": "α",
    "loo-star": "LOO*",
    "632-ter": ".632 bootstrap with true error",
    "632-loo": ".632 bootstrap with leave-one-out",
    "c4.5": "C4.5",
    "land-sat": "Land-sat",
    "land-sat-16": "Land-sat, c = 16",
    "dna": "DNA",
    "fem-mesh-26": "FEM mesh, 26 %",
    "fem-mesh-31": "FEM mesh, 31 %",
    "heart-knn": "Heart, k-NN",
    "heart-c4.5": "Heart, C4.5",
    "pima": "Diabetes (Pima)",
    "1-nn": "1-NN",
    "3-nn": "3-NN",
    "k-nn": "k-NN",
    "stratified-cv-10": "10-fold CV, stratified",
    "naive-bayes": "Naive Bayes",
}
# words, as they stand in a sentence and at the start of a line
_WORDS = {
    "holdout-1/2": ("holdout, ½ tested", "Holdout, ½ tested"),
    "holdout-1/3": ("holdout, ⅓ tested", "Holdout, ⅓ tested"),
    "holdout-1/4": ("holdout, ¼ tested", "Holdout, ¼ tested"),
    "resubstitution": ("apparent error", "Apparent error"),
    "loo": ("leave-one-out", "Leave-one-out"),
    "bootstrap-naive": ("naive bootstrap, BS", "Naive bootstrap, BS"),
    "bootstrap-loo": ("leave-one-out bootstrap, BS(1)", "Leave-one-out bootstrap, BS(1)"),
    "bootstrap-x2": ("double bootstrap, BSx2", "Double bootstrap, BSx2"),
    "bscv-loo": ("leave-one-out on bootstrap samples", "Leave-one-out on bootstrap samples"),
    "cloned-naive": ("naive bootstrap, cloned", "Naive bootstrap, cloned"),
    "cloned-loo": ("leave-one-out bootstrap, cloned", "Leave-one-out bootstrap, cloned"),
    "cloned-x2": ("double bootstrap, cloned", "Double bootstrap, cloned"),
    "cloned-bscv-loo": ("leave-one-out on clones", "Leave-one-out on clones"),
    "repeated-loo": ("leave-one-out, iterated", "Leave-one-out, iterated"),
    "rmse": ("root mean square error", "Root mean square error"),
    "oob": ("out-of-bag", "Out-of-bag"),
    "632+span": (".632+ to out-of-bag", ".632+ to out-of-bag"),
    "loo-wald": ("leave-one-out, Wald", "Leave-one-out, Wald"),
    "loo-kohavi": ("leave-one-out, equation 3", "Leave-one-out, equation 3"),
    "holdout-wald": ("holdout, Wald", "Holdout, Wald"),
    "holdout-wilson": ("holdout, Wilson", "Holdout, Wilson"),
    "holdout-clopper-pearson": ("holdout, Clopper-Pearson", "Holdout, Clopper-Pearson"),
    "nested-cv": ("nested CV", "Nested CV"),
    "replace-one-cv": ("replace-one CV", "Replace-one CV"),
    "bootstrap-case-cv": ("bootstrap case CV", "Bootstrap case CV"),
    "d": ("attributes, d", "Attributes, d"),
    "n": ("cases, n", "Cases, n"),
    "LOO-equation-3": ("leave-one-out, Kohavi's equation 3", "Leave-one-out, Kohavi's equation 3"),
    "holdout-Clopper-Pearson": ("holdout, Clopper-Pearson", "Holdout, Clopper-Pearson"),
    "normals-5d": ("normal classes, 5 attributes", "Normal classes, 5 attributes"),
    "std": ("standard deviation", "Standard deviation"),
    "true-error": ("true error", "True error"),
    "all": ("all", "All"),
    "text": ("in the text", "In the text"),
    "bias-percent": ("bias, %", "Bias, %"),
    "rms-percent": ("root mean square, %", "Root mean square, %"),
    "mean-percent": ("mean, %", "Mean, %"),
    "std-percent": ("standard deviation, %", "Standard deviation, %"),
    "rms-halfwidth-percent-of-rms": ("half-width of an rms, % of the rms", "Half-width of an rms, % of the rms"),
    "loo-ter": ("leave-one-out with true error", "Leave-one-out with true error"),
    "c": ("labels told, c", "Labels told, c"),
}

COMMON: Mapping[str, Name] = {
    **{key: Name(word, word, word) for key, word in _ALIKE.items()},
    **{key: Name(sentence, sentence, heading) for key, (sentence, heading) in _WORDS.items()},
}
"""Names that papers share, by the keys of their tables: estimators, inducers, intervals, quantities."""
