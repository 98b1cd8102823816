"""Section 9: both halves of the paper counted together, as it counts them and with the correct .632+.

The studies are those of the notebooks on synthetic and on real data; with the same numbers
of trials they are found in the store.
"""

from __future__ import annotations

from math import hypot

from errorest.evidence.artifact import artifact
from errorest.evidence.claims import graded
from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.papers.parameters import Parameters, parameter
from errorest.papers.shakhnarovich.contests import CLAIMS, significantly_better
from errorest.papers.shakhnarovich.corrected.artifacts import CAPTION, corrected_cases
from errorest.papers.shakhnarovich.corrected.figures import draw_corrected
from errorest.papers.shakhnarovich.names import LABELS, words_for
from errorest.papers.shakhnarovich.synthetic import artifacts as synthetic
from errorest.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from errorest.papers.shakhnarovich.tables import Case, first_of_each
from errorest.papers.shakhnarovich.uci import cases as uci
from errorest.papers.shakhnarovich.uci.experiment import UciParameters
from errorest.streams import Streams

__all__ = ["ConclusionsParameters", "all_claims", "all_corrected"]


class ConclusionsParameters(Parameters, notebook="shakhnarovich/06-conclusions"):
    """Parameters of both halves that a reader may change here; the others are their defaults."""

    seed: int = parameter(2001, "seed of every random stream", ge=0)
    synthetic_trials: list[int] = parameter(
        [200, 200, 200, 200, 50], "trials of each of the five settings", min_length=5, max_length=5,
        preview=[6, 6, 6, 6, 3],
    )  # fmt: skip
    uci_trials: list[int] = parameter(
        [150, 100, 150], "trials with breast cancer, vehicle and Pima", min_length=3, max_length=3, preview=[6, 4, 6]
    )
    synthetic_level: float = parameter(0.01, "largest significant p-value of synthetic cases", gt=0, lt=0.5)
    uci_level: float = parameter(0.1, "largest significant p-value of cases of real data", gt=0, lt=0.5)
    bootstrap_samples: int = parameter(
        100, "bootstrap samples and clones B of each estimate, synthetic data", ge=2, preview=20
    )
    uci_bootstrap_samples: int = parameter(100, "bootstrap samples and clones, real data", ge=2, preview=5)
    validation: int = parameter(20_000, "cases of each synthetic validation set, even", ge=2, preview=2_000)

    @property
    def synthetic(self) -> SyntheticParameters:
        """The design of the synthetic half."""
        return SyntheticParameters(
            seed=self.seed,
            trials=self.synthetic_trials,
            bootstrap_samples=self.bootstrap_samples,
            validation=self.validation,
            level=self.synthetic_level,
        )

    @property
    def uci(self) -> UciParameters:
        """The design of the half on real data."""
        return UciParameters(
            seed=self.seed, trials=self.uci_trials, bootstrap_samples=self.uci_bootstrap_samples, level=self.uci_level
        )

    def inputs(self) -> dict[str, str]:
        """Return the digest of each data set that is read."""
        return self.uci.inputs()


def _halves(p: ConclusionsParameters, run: Run) -> tuple[list[Case], list[Case]]:
    return first_of_each(synthetic.cases_of(p.synthetic, run)), first_of_each(uci.cases_of(p.uci, run))


@artifact(
    "shakhnarovich-claims-all",
    "Section 9",
    "How often the new estimators win, over all cases",
    "Number of cases, one a setting or data set and classifier.",
    labels=LABELS,
)
def all_claims(p: ConclusionsParameters, run: Run) -> Regenerated:
    """Count all cases in which a new estimator is significantly better, each half at its own level.

    Returns
    -------
    Regenerated
        The printed key of row ``all``.
    """
    streams = Streams(p.seed).child("shakhnarovich-conclusions")
    drawn, sets = _halves(p, run)
    made = significantly_better(drawn, streams, p.synthetic_level)
    real = significantly_better(sets, streams, p.uci_level)
    value, se, of = made.value + real.value, hypot(made.se, real.se), made.of + real.of
    strict = significantly_better(sets, streams, p.synthetic_level)
    column = "cases-with-significantly-better-new"
    row = Row("literal", "all", column, float(value), se, min(made.n, real.n), CLAIMS)
    check = Check(
        "In most cases one of the new estimators is significantly better than any of the old ones.",
        f"in {value} of {of} (± {se:.1f}, standard error over new trials): {made.value} of {made.of} synthetic cases "
        f"at the {p.synthetic_level:g} level and {real.value} of {real.of} of real data at the {p.uci_level:g} level",
        graded(value > of / 2),
    )
    finding = (
        f"The two halves are counted at different levels. With {p.synthetic_level:g} for both it is "
        f"{made.value + strict.value} of {of}; of real data: {words_for(strict.cases, '')}."
    )
    return Regenerated([row], checks=[check], findings=[finding])


@artifact(
    "shakhnarovich-corrected-all",
    "Beyond the paper",
    "All cases with the .632+ of its inventors",
    CAPTION,
    draw=draw_corrected,
    labels=LABELS,
)
def all_corrected(p: ConclusionsParameters, run: Run) -> Regenerated:
    """Compare both forms of the .632+ over all cases."""
    drawn, sets = _halves(p, run)
    return corrected_cases([*drawn, *sets], Streams(p.seed).child("shakhnarovich-corrected"), "all")
