"""The experiments behind Figures 6 and 7: section 3's study, repeated, in windows of the true error."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import field_validator

from compendium.papers.martin_hirschberg.discriminant.experiment import READINGS, Rule, discriminant_study
from compendium.papers.martin_hirschberg.estimators import library_ids
from compendium.papers.parameters import InherentErrors, Parameters, SizesForTenFolds, each_once, parameter
from compendium.studies.study import Study

ITERATED = "repeated-cv-2"  # 2-CV*, of which Figure 6 and most claims speak

ESTIMATORS = ("cv-2", ITERATED, "cv-10", "loo", "bootstrap-632")


class WindowsParameters(Parameters, notebook="martin-hirschberg/03-bias-against-true-error", repeated="realizations"):
    """Parameters of Figures 6 and 7 and of the claims around them."""

    sizes: SizesForTenFolds = parameter([10, 20, 50], min_length=1)
    inherent_errors: InherentErrors = parameter([0.5, 0.4, 0.25, 0.1, 0.05, 0.02, 0.01, 0.001], min_length=1)
    samples: int = parameter(100, ge=2, preview=40)
    figure_6_repeats: int = parameter(6, ge=1, preview=2)
    realizations: int = parameter(1, ge=1, replication=True)
    repeats: int = parameter(3, ge=1, preview=1, replication=True)
    cv_repeats: int = parameter(100, ge=2, preview=20)
    bootstrap_replicates: int = parameter(200, ge=1, preview=50)
    window: float = parameter(2.0, gt=0, le=20)
    negligible: float = parameter(0.5, gt=0, le=50)
    reversal_rules: list[Rule] = parameter(list(READINGS), min_length=1)

    _once = field_validator("reversal_rules")(each_once)


def repeats_study(p: WindowsParameters) -> Study:
    """Figure 6's experiments: the first ``p.samples`` of a cell are Table 4's, the next ones the first repeat's."""
    return _study(p, p.sizes[:1], p.realizations * (1 + p.figure_6_repeats), (ITERATED,))


def curves_study(p: WindowsParameters) -> Study:
    """The experiments behind Figure 7 and the claims, at every size; samples as of :func:`repeats_study`."""
    return _study(p, p.sizes, p.realizations, ESTIMATORS)


def _study(p: WindowsParameters, sizes: Sequence[int], experiments: int, names: Sequence[str]) -> Study:
    ids = library_ids(names, p.cv_repeats, p.bootstrap_replicates)
    return discriminant_study(sizes, p.inherent_errors, p.samples * experiments, ids, p.reversal_rules, p.seed)
