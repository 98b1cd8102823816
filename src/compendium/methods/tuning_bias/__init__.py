"""The bias of tuning on the test set, after Scheffer & Herbrich (1997)."""

from compendium.methods.tuning_bias.calculator import Scenario, TuningBias, tuning_bias
from compendium.methods.tuning_bias.sizing import needed_test_size

__all__ = ["Scenario", "TuningBias", "needed_test_size", "tuning_bias"]
