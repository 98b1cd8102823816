"""Words for the keys of ``data/published/``: what a reader sees in a table's head and margin."""

from __future__ import annotations

import re

__all__ = ["label"]

_WORDS = {
    "holdout-1/2": "Holdout, ½ tested",
    "holdout-1/3": "Holdout, ⅓ tested",
    "holdout-1/4": "Holdout, ¼ tested",
    "resubstitution": "Apparent error",
    "cv-2": "2-fold CV",
    "cv-5": "5-fold CV",
    "cv-10": "10-fold CV",
    "cv-20": "20-fold CV",
    "loo": "Leave-one-out",
    "repeated-cv-2": "2-fold CV, iterated",
    "repeated-cv-5": "5-fold CV, iterated",
    "repeated-cv-10": "10-fold CV, iterated",
    "bootstrap-e0": "e0 bootstrap",
    "bootstrap-632": ".632 bootstrap",
    "bootstrap-632-plus": ".632+ bootstrap",
    "bootstrap-632plus": ".632+ bootstrap",
    "bootstrap-naive": "Naive bootstrap, BS",
    "bootstrap-loo": "Leave-one-out bootstrap, BS(1)",
    "bootstrap-x2": "Double bootstrap, BSx2",
    "bscv-loo": "Leave-one-out on bootstrap samples",
    "bscv-10": "10-fold CV on bootstrap samples",
    "bscv-5": "5-fold CV on bootstrap samples",
    "cloned-632": ".632, cloned",
    "cloned-632plus": ".632+, cloned",
    "cloned-naive": "Naive bootstrap, cloned",
    "cloned-loo": "Leave-one-out bootstrap, cloned",
    "cloned-x2": "Double bootstrap, cloned",
    "cloned-bscv-loo": "Leave-one-out on clones",
    "cloned-bscv-10": "10-fold CV on clones",
    "cloned-bscv-5": "5-fold CV on clones",
    "repeated-loo": "Leave-one-out, iterated",
    "ldf": "Fisher's linear discriminant",
    "svm-rbf": "SVM, RBF kernel",
    "svm-linear": "SVM, linear kernel",
    "17-nn": "17-NN",
    "rmse": "Root mean square error",
    "632": ".632",
    "632plus": ".632+",
    "loo*": "LOO*",
    "bs": "BS",
    "bscv": "BSCV",
    "bsx2": "BSx2",
    "oob": "Out-of-bag",
    "5x2cv": "5x2 cv",
    "cv-wald": "CV, Wald",
    "loo-wald": "Leave-one-out, Wald",
    "loo-kohavi": "Leave-one-out, equation 3",
    "holdout-wald": "Holdout, Wald",
    "holdout-wilson": "Holdout, Wilson",
    "holdout-clopper-pearson": "Holdout, Clopper-Pearson",
    "nested-cv": "Nested CV",
    "replace-one-cv": "Replace-one CV",
    "bootstrap-case-cv": "Bootstrap case CV",
    "errorest": "errorest",
    "errorest, truncated-632": "errorest, truncated-632",
    "ipred, mt": "ipred, mt",
    "sortinghat": "sortinghat",
    "caret": "caret",
    "mlxtend": "mlxtend",
    "d": "Attributes, d",
    "n": "Cases, n",
    "repeated-stratified-cv-10": "10-fold CV, stratified, repeated",
    "cloned-632-plus": ".632+ on clones, as printed",
    "cloned-632-plus-correct": ".632+ on clones",
    "632-plus": ".632+",
    "10-fold-CV-Wald": "10-fold CV, Wald",
    "10-fold-CV-Wald-in-folds": "10-fold CV, Wald within folds",
    "10-fold-CV-equation-3": "10-fold CV, Kohavi's equation 3",
    "LOO-equation-3": "Leave-one-out, Kohavi's equation 3",
    "holdout-Clopper-Pearson": "Holdout, Clopper-Pearson",
    "normals-5d": "Normal classes, 5 attributes",
    "std": "Standard deviation",
    "sqrt-mu-d": "√μd",
    "sigma-d": "σd",
    "alpha": "α",
    "loo-star": "LOO*",
    "true-error": "True error",
    "all": "All",
    "text": "In the text",
    "bias-percent": "Bias, %",
    "rms-percent": "Root mean square, %",
    "mean-percent": "Mean, %",
    "std-percent": "Standard deviation, %",
    "rms-halfwidth-percent-of-rms": "Half-width of an rms, % of the rms",
    "loo-ter": "Leave-one-out with true error",
    "632-ter": ".632 bootstrap with true error",
    "632-loo": ".632 bootstrap with leave-one-out",
    "c": "Labels told, c",
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


_ACRONYMS = {w.lower(): w for w in ("LDA", "QDA", "CART", "SVM", "LDF", "TER", "LOO", "DNA", "k-NN")}


def label(key: str) -> str:
    """Turn a key into words.

    Parameters
    ----------
    key : str
        A row or column key; parts joined by ``/`` are turned one by one.

    Examples
    --------
    >>> label("loo"), label("632-ter/N=10"), label("bias-negligible-from-N")
    ('Leave-one-out', '.632 bootstrap with true error, N = 10', 'Bias negligible from N')
    """
    if key in _WORDS:
        return _WORDS[key]
    if "/" in key and not re.search(r"\d/\d", key):
        first, *rest = (label(part) for part in key.split("/"))
        return ", ".join([first, *(r if "=" in r or r[:1] == "." else r[:1].lower() + r[1:] for r in rest)])
    if re.fullmatch(r"[\d.]+|k\d", key):
        return key
    if "=" in key:
        return " = ".join(part.strip() for part in key.split("=", 1))
    text = key.removesuffix("-percent").replace("-", " ") if not key.startswith("-") else key
    text = " ".join(_ACRONYMS.get(w, w) for w in text.split(" "))
    text = text[:1].upper() + text[1:]
    return f"{text}, %" if key.endswith("-percent") else text
