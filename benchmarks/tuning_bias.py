"""Seconds of the tuning-bias calculations: ``python benchmarks/tuning_bias.py``.

Everything that the paper's examples need is to take under a second, and a heat map of 200 x 200
under five; both are measured in processor seconds, after a first call, which compiles.
"""

from __future__ import annotations

import numpy as np
from timing import seconds

import compendium.methods.tuning_bias as tb
from compendium.methods.tuning_bias.distributions import gain_map
from compendium.papers.scheffer_herbrich.examples import fixed_examples, one_shot_examples, per_fold_examples
from compendium.papers.scheffer_herbrich.greedy import simulate_greedy


def all_examples() -> None:
    """Chances and least labels of every example of Scheffer & Herbrich."""
    for e in (*one_shot_examples(), *per_fold_examples(), *fixed_examples()):
        e.chance()
        e.least_labels()


def heat_map() -> None:
    """A map of the chance of one percent more accuracy, 200 test-set sizes by 200 numbers of told labels."""
    gain_map(np.linspace(100, 100_000, 200).astype(int), np.arange(1, 2001, 10), accuracy=0.85, gain=0.01)


def million() -> None:
    """The tuning-bias calculator at a million cases in its three settings."""
    for folds, setting in ((1, "one-shot"), (10, "per-fold"), (10, "fixed")):
        tb.tuning_bias(10**6, accuracy=0.85, classes=2, trials=100, extra=1000, folds=folds, setting=setting)


def inverse() -> None:
    """The test size that 100 trials need, in each of four scenarios."""
    for scenario in ("greedy", "independent", "listed", "adaptive"):
        tb.needed_test_size(100, 0.02, accuracy=0.85, scenario=scenario, classes=2)


def optimizer() -> None:
    """A thousand runs of the greedy optimizer on Land-sat's numbers."""
    simulate_greedy(2000, 1700, 60, np.random.default_rng(0), classes=6, repeats=1000)


def main() -> list[tuple[str, float, str]]:
    """Measure and print; returns (quantity, value, unit) for each calculation."""
    figures = []
    for work in (all_examples, heat_map, million, inverse, optimizer):
        quantity = (work.__doc__ or "").rstrip(".")
        figures.append((quantity, seconds(work), "s"))
        print(f"  {figures[-1][1]:8.3f} s  {quantity}", flush=True)
    return figures


if __name__ == "__main__":
    main()
