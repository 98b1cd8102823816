"""Parameters of the notebook on both halves of the study."""

from __future__ import annotations

from compendium.papers.parameters import Parameters, parameter
from compendium.papers.shakhnarovich.synthetic.experiment import SyntheticParameters
from compendium.papers.shakhnarovich.uci.experiment import UciParameters

__all__ = ["ConclusionsParameters"]


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
    validation: int = parameter(
        20_000, "cases of each synthetic validation set, even", ge=2, preview=2_000, replication=True
    )

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
