"""Section 9: both halves of the paper counted together, as it counts them and with the correct .632+.

The studies are those of the notebooks on synthetic and on real data; with the same numbers
of trials they are found in the store.
"""

from __future__ import annotations

from math import hypot

from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.papers.parameters import Parameters, parameter
from errorest.papers.shakhnarovich.claims import significantly_better, words_for
from errorest.papers.shakhnarovich.corrected.artifacts import corrected_cases
from errorest.papers.shakhnarovich.synthetic.artifacts import SyntheticParameters, headline_cases
from errorest.papers.shakhnarovich.uci.cases import UciParameters, cases_of
from errorest.papers.shakhnarovich.uci.data import digests
from errorest.papers.shakhnarovich.uci.winners import headlines
from errorest.papers.shakhnarovich.winners import Case
from errorest.streams import Streams

__all__ = ["ConclusionsParameters", "all_claims", "all_corrected", "read_digests"]


class ConclusionsParameters(Parameters):
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


def _synthetic(p: ConclusionsParameters) -> SyntheticParameters:
    return SyntheticParameters(
        seed=p.seed,
        trials=p.synthetic_trials,
        bootstrap_samples=p.bootstrap_samples,
        validation=p.validation,
        level=p.synthetic_level,
    )


def _uci(p: ConclusionsParameters) -> UciParameters:
    return UciParameters(seed=p.seed, trials=p.uci_trials, bootstrap_samples=p.uci_bootstrap_samples, level=p.uci_level)


def read_digests(p: ConclusionsParameters) -> dict[str, str]:
    """Return the digest of each data set that is read."""
    return digests(_uci(p))


def _halves(p: ConclusionsParameters, run: Run) -> tuple[list[Case], list[Case]]:
    return headline_cases(_synthetic(p), run), headlines(cases_of(_uci(p), run))


def all_claims(p: ConclusionsParameters, run: Run) -> Regenerated:
    """Count all cases in which a new estimator is significantly better, each half at its own level.

    Returns
    -------
    Regenerated
        The printed key of row ``all``.
    """
    streams = Streams(p.seed).child("shakhnarovich-conclusions")
    synthetic, uci = _halves(p, run)
    made = significantly_better(synthetic, streams, p.synthetic_level)
    real = significantly_better(uci, streams, p.uci_level)
    value, se, of = made.value + real.value, hypot(made.se, real.se), made.of + real.of
    strict = significantly_better(uci, streams, p.synthetic_level)
    column = "cases-with-significantly-better-new"
    row = Row("literal", "all", column, float(value), se, min(made.n, real.n), "shakhnarovich-claims")
    check = Check(
        "In most cases one of the new estimators is significantly better than any of the old ones.",
        f"in {value} of {of} (± {se:.1f}, standard error over new trials): {made.value} of {made.of} synthetic cases "
        f"at the {p.synthetic_level:g} level and {real.value} of {real.of} of real data at the {p.uci_level:g} level",
        "holds" if value > of / 2 else "fails",
    )
    finding = (
        f"The two halves are counted at different levels. With {p.synthetic_level:g} for both it is "
        f"{made.value + strict.value} of {of}; of real data: {words_for(strict.cases, '')}."
    )
    return Regenerated([row], checks=[check], findings=[finding])


def all_corrected(p: ConclusionsParameters, run: Run) -> Regenerated:
    """Compare both forms of the .632+ over all cases."""
    synthetic, uci = _halves(p, run)
    blind = [c.row for c in synthetic if c.row[0] in "24"]
    return corrected_cases([*synthetic, *uci], Streams(p.seed).child("shakhnarovich-corrected"), "all", blind)
