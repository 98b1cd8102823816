"""The bias of tuning on the test set: Scheffer & Herbrich (1997), and a calculator beyond them.

Equations (1) to (23) with their misprinted forms beside them, the greedy optimizer as an
algorithm, what trials or bits can buy (:func:`tuning_bias`), and how large a test set must be so
that they cannot (:func:`needed_test_size`).  Probabilities are exact; gains are in hits or, as
biases, proportions.
"""

from errorest.tuning_bias.calculator import Scenario, TuningBias, tuning_bias
from errorest.tuning_bias.distributions import (
    Distribution,
    binomial,
    hypergeometric,
    hypergeometric_at_least,
    largest_of,
    most_frequent_in_folds,
)
from errorest.tuning_bias.fixed import (
    equation_14,
    equation_15,
    equation_16,
    equation_17,
    equation_18,
    equation_19,
    equation_20,
    equation_21,
    equation_22,
    equation_23,
    gain_fixed,
    gain_fixed_class_coupled,
)
from errorest.tuning_bias.gains import adaptive_bits, bias_bound, default_share_of, gain_map
from errorest.tuning_bias.one_shot import (
    bits_for_labels,
    equation_1,
    equation_2,
    equation_3,
    equation_4,
    equation_5,
    equation_6,
    footnote_1,
    gain_one_shot,
    labels_told,
)
from errorest.tuning_bias.per_fold import (
    condition_before_7,
    equation_7,
    equation_8,
    equation_9,
    equation_10,
    equation_11,
    equation_12,
    equation_13,
    gain_per_fold,
)
from errorest.tuning_bias.simulation import GreedyRuns, Setting, simulate_greedy, simulate_greedy_on
from errorest.tuning_bias.sizing import Scene, needed_test_size

__all__ = [
    "Distribution",
    "GreedyRuns",
    "Scenario",
    "Scene",
    "Setting",
    "TuningBias",
    "adaptive_bits",
    "bias_bound",
    "binomial",
    "bits_for_labels",
    "condition_before_7",
    "default_share_of",
    "equation_1",
    "equation_2",
    "equation_3",
    "equation_4",
    "equation_5",
    "equation_6",
    "equation_7",
    "equation_8",
    "equation_9",
    "equation_10",
    "equation_11",
    "equation_12",
    "equation_13",
    "equation_14",
    "equation_15",
    "equation_16",
    "equation_17",
    "equation_18",
    "equation_19",
    "equation_20",
    "equation_21",
    "equation_22",
    "equation_23",
    "footnote_1",
    "gain_fixed",
    "gain_fixed_class_coupled",
    "gain_map",
    "gain_one_shot",
    "gain_per_fold",
    "hypergeometric",
    "hypergeometric_at_least",
    "labels_told",
    "largest_of",
    "most_frequent_in_folds",
    "needed_test_size",
    "simulate_greedy",
    "simulate_greedy_on",
    "tuning_bias",
]
