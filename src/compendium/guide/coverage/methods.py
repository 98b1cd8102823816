"""The intervals whose coverage is measured, and with which settings they are made of samples of a size."""

from __future__ import annotations

from collections.abc import Mapping

from errorest.estimation.intervals import fits_of, parse_interval
from errorest.estimation.intervals.out_of_bag import usual_replicates

# The intervals of the study, each with its settings in falling order of cost; `usual` grows with the sample
METHODS: Mapping[str, tuple[str, ...]] = {
    "holdout-Wald": ("holdout-wald",),
    "holdout-Wilson": ("holdout-wilson",),
    "holdout-Clopper-Pearson": ("holdout-clopper-pearson",),
    "10-fold-CV-equation-3": ("kohavi(k=10)",),
    "10-fold-CV-Wald": ("cv-wald(k=10)",),
    "10-fold-CV-Wald-in-folds": ("cv-wald(k=10, variance=within-fold)",),
    # what the library does by default, whose five repetitions are too dear here at 1,000 cases
    "stratified-CV-Wilson": (
        "cv-wilson(k=10, repeats=5, stratified=True)",
        "cv-wilson(k=10, stratified=True)",
    ),
    "10-fold-CV-Wilson": ("cv-wilson(k=10)",),
    "5-fold-CV-Wilson": ("cv-wilson(k=5)",),
    "stratified-5-fold-CV-Wilson": ("cv-wilson(k=5, stratified=True)",),
    "LOO-equation-3": ("loo-kohavi",),
    "LOO-Wald": ("loo-wald",),
    "corrected-t": ("corrected-t(splits=25)",),
    "conservative-z": (
        "conservative-z(splits=15, halvings=10)",
        "conservative-z(splits=5, halvings=5)",
        "conservative-z(splits=4, halvings=4)",
    ),
    "nested-CV": ("nested-cv(repeats=10)", "nested-cv(repeats=3)", "nested-cv(repeats=2)"),
    "5x2-CV-first": ("5x2cv",),
    "5x2-CV-mean": ("5x2cv(estimate=mean)",),
    "replace-one-CV": ("replace-one-cv(k=5)",),
    "out-of-bag": ("oob(replicates={usual})",),
    "out-of-bag-uncorrected": ("oob(replicates={usual}, noise=kept)",),
    ".632+": ("632+(replicates={usual})",),
    ".632+-uncorrected": ("632+(replicates={usual}, noise=kept)",),
    ".632+-to-out-of-bag": ("632+span(replicates={usual})",),
    ".632+-to-Wilson": ("632+wilson(replicates={usual})",),
    "location-shifted": ("location-shifted(replicates=100)",),
    "bootstrap-case-CV": ("bootstrap-case-cv(replicates=40)",),
    "two-stage": ("two-stage(outer=40, inner=4)",),
}

# What is measured on the populations of other kinds: what the library does by default, and what is fitted for it anyway
ELSEWHERE = (
    "holdout-Wilson",
    "10-fold-CV-Wald",
    "stratified-CV-Wilson",
    "10-fold-CV-Wilson",
    "5-fold-CV-Wilson",
    "stratified-5-fold-CV-Wilson",
    "corrected-t",
    "out-of-bag",
    ".632+",
    ".632+-to-out-of-bag",
    ".632+-to-Wilson",
)

# What is measured where few errors are: what is drawn there, and what is measured elsewhere
WHERE_FEW = ("10-fold-CV-equation-3", "nested-CV", *ELSEWHERE)

# What is measured of learners that fit one classifier at a time
OF_LEARNERS = ("holdout-Wilson", "stratified-5-fold-CV-Wilson")

# What the benchmark of Schulz-Kuempel et al. recommends.
RECOMMENDED = ("corrected-t", "conservative-z", "nested-CV")


def settings_at(method: str, n: int) -> tuple[str, ...]:
    """Return the ids of a method of :data:`METHODS` for samples of n cases, in falling order of cost."""
    return tuple(text.format(usual=usual_replicates(n)) for text in METHODS[method])


def methods_at(n: int, most_trained: int) -> dict[str, str]:
    """Return the id of each method that is made of n cases: the dearest settings within the limit.

    Those that reduce the usual bootstrap samples share their classifiers and are always made, and the recommended
    ones with their cheapest settings.
    """
    results = {}
    for method, texts in METHODS.items():
        legal = [text for text in settings_at(method, n) if parse_interval(text).least <= n]
        cheap = [text for text in legal if fits_of([text], n) * n <= most_trained]
        if legal and ("{usual}" in texts[0] or method in RECOMMENDED):
            cheap += legal[-1:]
        if cheap:
            results[method] = cheap[0]
    return results
