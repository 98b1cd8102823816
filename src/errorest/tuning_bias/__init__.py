"""The bias of tuning on the test set, after Scheffer & Herbrich (1997).

:func:`tuning_bias` says what a number of trials, or of bits, can buy on a test set, and :func:`needed_test_size` how
large a test set must be so that they cannot.  Probabilities are exact; gains are in hits or, as biases, proportions.
"""

from errorest.tuning_bias.calculator import Scenario, TuningBias, tuning_bias
from errorest.tuning_bias.sizing import needed_test_size

__all__ = ["Scenario", "TuningBias", "needed_test_size", "tuning_bias"]
