"""Parameters and data of section 2's examples."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import numpy as np

from compendium.methods.samples import load_or_read
from compendium.papers.parameters import Even, Parameters, Proportions, Sizes, parameter
from errorest.data.sample import Sample
from errorest.errors import UsageError
from errorest.streams import Streams


class IrisParameters(Parameters, notebook="kohavi/01-iris", repeated="realizations"):
    """Parameters of the examples of section 2."""

    seed: int = parameter(1995, ge=0)
    data: str = parameter("iris", min_length=1)
    class_column: str | None = parameter(None)
    holdouts: int = parameter(500, ge=2, preview=200)
    test_share: float = parameter(1 / 3, gt=0, lt=1)
    realizations: int = parameter(1, ge=1, replication=True)
    repeats: int = parameter(10, ge=1, preview=1, replication=True)
    no_information_size: Even = parameter(100, ge=4)
    memorizer_sizes: Sizes = parameter([100, 20, 50, 200], min_length=1)
    memorizer_samples: int = parameter(100, ge=2, preview=20, replication=True)
    bootstrap_replicates: int = parameter(100, ge=1, preview=20)
    test_sizes: Sizes = parameter([20, 50, 100, 500], min_length=1)
    accuracies: Proportions = parameter([0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99], min_length=1)
    trials: int = parameter(10000, ge=100, preview=2000, replication=True)
    confidence: float = parameter(0.95, gt=0, lt=1)
    splits: int = parameter(500, ge=1, preview=100, replication=True)

    def inputs(self) -> dict[str, str]:
        """Check that holdouts can be drawn of the data set, and return its digest."""
        sample = self.sample()
        self.tested(sample)
        return {self.data: sample.digest()}

    def sample(self) -> Sample:
        """Load the data set."""
        sample = load_or_read(self.data, self.class_column)
        if sample.n < 4 or np.count_nonzero(sample.class_counts()) < 2:
            raise UsageError(
                f"{sample.name} has {sample.n} cases and {np.count_nonzero(sample.class_counts())} class(es); expected "
                "at least four cases and two classes; choose another data set"
            )
        return sample

    def tested(self, sample: Sample) -> int:
        """Return how many cases a holdout tests."""
        tested = ceil(Fraction(self.test_share).limit_denominator(1_000_000) * sample.n)
        if tested >= sample.n:
            raise UsageError(
                f"a holdout of {self.test_share:.6g} of {sample.n} cases leaves none to train on; expected a smaller "
                "share"
            )
        return tested

    def without_information(self) -> Sample:
        """Draw a data set whose attributes are independent of its two equally frequent classes."""
        n = self.no_information_size
        rng = Streams(self.seed).child("kohavi-no-information").generator("sample")
        return Sample.from_arrays(rng.standard_normal((n, 2)), rng.permutation(n) % 2, name="no-information")
