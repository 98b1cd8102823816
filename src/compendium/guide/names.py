"""Names of what the guide measures, for figures, sentences and headings: one table for all its chapters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

__all__ = [
    "ESTIMATORS",
    "FAMILIES",
    "GROUNDS",
    "INDUCERS",
    "INTERVALS",
    "LEARNERS",
    "PAIRED_INTERVALS",
    "POPULATIONS",
    "TARGETS",
    "Estimator",
    "Family",
    "Inducer",
    "Learner",
    "symbol",
    "unbroken",
]


class Estimator(NamedTuple):
    """An estimator of the cross-examination: its symbol in sentences and tables, and a shorter one for figures."""

    symbol: str
    short: str


ESTIMATORS: Mapping[str, Estimator] = {
    "resubstitution": Estimator("apparent error", "apparent error"),
    "cv-10": Estimator("10-CV", "10-CV"),
    "stratified-cv-10": Estimator("stratified 10-CV", "strat. 10-CV"),
    "repeated-stratified-cv-10": Estimator("stratified 10-CV, repeated", "strat. 10-CV, rep."),
    "loo": Estimator("LOO", "LOO"),
    "repeated-cv-2": Estimator("2-CV, repeated", "2-CV, rep."),
    "bootstrap-632": Estimator(".632", ".632"),
    "loo-star": Estimator("LOO*", "LOO*"),
    "bootstrap-632-plus": Estimator(".632+", ".632+"),
    "cloned-632-plus": Estimator("printed .632+ on clones", ".632+*, printed"),
    "cloned-632-plus-correct": Estimator(".632+ on clones", ".632+*"),
    "cloned-bscv-5": Estimator("5-CV on clones", "5-CV*"),
}
"""Estimators by the name of their columns."""


class Learner(NamedTuple):
    """A kind of inducer: first in a sentence, many of them within one, above a panel, and with examples."""

    heading: str
    plural: str
    panel: str
    title: str


LEARNERS: Mapping[str, Learner] = {
    "memorizer": Learner("Memorizer", "memorizers", "memorizers", "memorizers (1-NN, unpruned tree)"),
    "neighbours": Learner("Neighbours", "neighbours", "nearest neighbours, k > 1", "nearest neighbours, k > 1"),
    "linear": Learner("Linear", "linear rules", "linear rules", "linear rules"),
    "kernel machine": Learner("Kernel machine", "kernel machines", "RBF machine", "RBF machine"),
    "pruned tree": Learner("Pruned tree", "pruned trees", "pruned tree", "pruned tree (C4.5)"),
    "Naive Bayes": Learner("Naive Bayes", "Naive Bayes", "Naive Bayes", "Naive Bayes"),
}
"""Kinds of inducers, in the order of the guide; a memorizer makes no error on its training cases, whatever they are."""


class Inducer(NamedTuple):
    """An inducer of the cross-examination, and its kind, a key of :data:`LEARNERS`."""

    title: str
    learner: str


INDUCERS: Mapping[str, Inducer] = {
    "1-nn": Inducer("1-NN", "memorizer"),
    "1-nn-hamming": Inducer("1-NN", "memorizer"),
    "id3": Inducer("unpruned tree", "memorizer"),
    "3-nn": Inducer("3-NN", "neighbours"),
    "17-nn": Inducer("17-NN", "neighbours"),
    "threshold": Inducer("threshold", "linear"),
    "ldf": Inducer("LDF", "linear"),
    "svm-linear": Inducer("linear SVM", "linear"),
    "svm-rbf": Inducer("RBF SVM", "kernel machine"),
    "c4.5": Inducer("C4.5", "pruned tree"),
    "naive-bayes": Inducer("Naive Bayes", "Naive Bayes"),
}
"""Inducers by the name that a design gives them."""


class Ground(NamedTuple):
    """The settings of one paper: its authors, their names cut short, and what they do."""

    title: str
    short: str
    favours: str


GROUNDS: Mapping[str, Ground] = {
    "martin-hirschberg": Ground("Martin & Hirschberg", "M & H", "favour"),
    "shakhnarovich": Ground("Shakhnarovich et al.", "Shakhnarovich", "favour"),
    "kohavi": Ground("Kohavi", "Kohavi", "favours"),
}
"""Papers by the name of their ground."""


class Family(NamedTuple):
    """A kind of setting: the paper whose it is, as a title, and a setting as a row's key and within a sentence.

    ``key`` and ``sentence`` take ``at`` and ``n``.
    """

    ground: str
    title: str
    key: str
    sentence: str


FAMILIES: Mapping[str, Family] = {
    "two-normals": Family(
        "martin-hirschberg",
        "two Gaussians",
        "Two Gaussians with error {at}, N={n}",
        "two Gaussians with error {at}, N = {n}",
    ),
    "lenses": Family("martin-hirschberg", "lenses", "Lenses with noise {at}, N={n}", "lenses with noise {at}, N = {n}"),
    "synthetic": Family(
        "shakhnarovich", "five synthetic", "Synthetic setting {at}, N={n}", "synthetic setting {at}, N = {n}"
    ),
    "uci": Family("shakhnarovich", "UCI samples", "{at} of Shakhnarovich, N={n}", "{at} of Shakhnarovich, N = {n}"),
    "data": Family("kohavi", "Kohavi's sets", "{at} of Kohavi, N={n}", "{at} of Kohavi, N = {n}"),
}
"""Kinds of settings of the cross-examination."""


class PairedInterval(NamedTuple):
    """An interval of the cross-examination, as a title and in a sentence."""

    title: str
    words: str


PAIRED_INTERVALS: Mapping[str, PairedInterval] = {
    "kohavi": PairedInterval("equation 3, stratified 10-CV", "equation 3 on stratified 10-CV"),
    "cv-wald": PairedInterval("CV Wald, 10-CV", "CV Wald"),
    "loo-kohavi": PairedInterval("equation 3, LOO", "equation 3 on LOO"),
    "632-plus": PairedInterval(".632+, influence", "the .632+ interval"),
}
"""Intervals that the library pairs with the estimators of the cross-examination."""

INTERVALS: Mapping[str, str] = {
    "holdout-Wald": "holdout, Wald",
    "holdout-Wilson": "holdout, Wilson",
    "holdout-Clopper-Pearson": "holdout, Clopper-P.",
    "10-fold-CV-equation-3": "10-fold, Kohavi (3)",
    "10-fold-CV-Wald": "10-fold, Wald",
    "10-fold-CV-Wald-in-folds": "10-fold, within folds",
    "LOO-equation-3": "LOO, Kohavi (3)",
    "LOO-Wald": "LOO, Wald",
    "corrected-t": "corrected t",
    "conservative-z": "conservative z",
    "nested-CV": "nested CV",
    "5x2-CV-first": "5x2 cv, first",
    "5x2-CV-mean": "5x2 cv, mean",
    "replace-one-CV": "replace-one CV",
    "out-of-bag": "out-of-bag",
    "out-of-bag-uncorrected": "out-of-bag, noise kept",
    ".632+": ".632+",
    ".632+-uncorrected": ".632+, noise kept",
    ".632+-to-out-of-bag": ".632+ to out-of-bag",
    "location-shifted": "location-shifted",
    "bootstrap-case-CV": "bootstrap case CV",
    "two-stage": "two-stage",
}
"""Intervals of the coverage study: short names for figures and sentences."""


POPULATIONS: Mapping[str, str] = {
    "two-normals": "two normal classes on one attribute, least error .25 (Martin & Hirschberg)",
    "normals-5d": "two normal classes on five attributes, least error .159 (Shakhnarovich et al., setting 1)",
    "normals-2d": "two normal classes on two attributes, least error .309 (Shakhnarovich et al., setting 3)",
    "no-information": "classes tossed for, two attributes, every error .5 (Shakhnarovich et al., setting 4)",
    "rand": "classes tossed for, twenty Boolean attributes (Kohavi's rand)",
    "lenses": "contact lenses with one label in four wrong (Martin & Hirschberg)",
    "mushroom": "the data set mushroom taken for the population",
    "chess": "the data set chess taken for the population",
    "land-sat": "the training half of land-sat taken for the population",
}
"""Populations of the coverage study, in words."""


class Target(NamedTuple):
    """What an interval is to hold, in a sentence, and as the title of a panel."""

    words: str
    title: str


TARGETS: Mapping[str, Target] = {
    "this-classifier": Target("the error of this classifier", "this classifier"),
    "the-procedure": Target("the mean error of the procedure", "the procedure"),
}
"""The two truths."""


def symbol(estimator: str) -> str:
    """Return the symbol of an estimator of the cross-examination."""
    return ESTIMATORS[estimator].symbol


def unbroken(text: str) -> str:
    """Write hyphens so that they stay in a table's margin, where a key's hyphens become spaces."""
    return text.replace("-", "\N{NON-BREAKING HYPHEN}")
