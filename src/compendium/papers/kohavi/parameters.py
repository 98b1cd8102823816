"""Parameters of section 4's notebooks; an inducer that cannot learn from a data set is refused before anything runs."""

from __future__ import annotations

from compendium.papers.kohavi.estimates import experiment as estimates
from compendium.papers.kohavi.named_inducers import inducer_named
from compendium.papers.kohavi.truth import experiment as truth
from compendium.papers.learnable import check_learnable

__all__ = ["AnotherParameters", "StudyParameters", "TruthParameters"]


def _check(p: truth.SetsParameters) -> None:
    for one in p.sets():
        for name in p.inducers:
            check_learnable(name, inducer_named(name), one.sample, one.size)


class TruthParameters(truth.TruthParameters, notebook="kohavi/02-true-accuracies"):
    """Parameters of Table 1 and the learning curves."""

    def inputs(self) -> dict[str, str]:
        """Check that every inducer can learn from every data set, and return the digests of both."""
        _check(self)
        return super().inputs()


class StudyParameters(estimates.StudyParameters, notebook="kohavi/03-cross-validation-and-bootstrap"):
    """Parameters of Figures 1 to 4 and of the claims around them."""

    def inputs(self) -> dict[str, str]:
        """Check that every inducer can learn from every data set, and return the digests of both."""
        _check(self)
        return super().inputs()


class AnotherParameters(estimates.AnotherParameters, notebook="kohavi/04-another-data-set"):
    """Parameters of the same questions about a data set and a classifier that the paper did not have."""

    def inputs(self) -> dict[str, str]:
        """Check that every inducer can learn from every data set, and return the digests of both."""
        _check(self)
        return super().inputs()
