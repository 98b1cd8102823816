"""The calculator at work: expected biases, chances of a gain and test sizes over ranges of their settings."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd

from compendium.methods.tuning_bias import needed_test_size, tuning_bias
from compendium.methods.tuning_bias.distributions import gain_map
from compendium.methods.tuning_bias.sizing import OutOfReachError, Scene
from compendium.papers.parameters import Counts, Parameters, Proportions, parameter


class CalculatorParameters(Parameters, notebook="scheffer-herbrich/03-calculator"):
    """Parameters of the calculator's examples."""

    seed: int = parameter(1997, ge=0)
    accuracy: float = parameter(0.85, gt=0.0, lt=1.0)
    classes: int = parameter(2, ge=2)
    sizes: Counts = parameter([100, 1000, 10000], min_length=1)
    trials: Counts = parameter([1, 3, 10, 30, 100, 300, 1000], min_length=2)
    gains: Proportions = parameter([0.01, 0.02, 0.05], min_length=1)
    risk: float = parameter(0.05, gt=0.0, lt=1.0)
    map_gain: float = parameter(0.01, gt=0.0, lt=1.0)
    map_steps: int = parameter(200, ge=20, le=400, preview=60)


def biases(p: CalculatorParameters) -> pd.DataFrame:
    """Return the expected bias in points by test size m, trials and scenario."""
    lines = []
    for m in p.sizes:
        for t in p.trials:
            answer = tuning_bias(m, accuracy=p.accuracy, classes=p.classes, trials=t)
            for name in get_args(Scene):
                bias = round(100 * answer[name].expected_bias, 9)
                lines.append({"m": m, "trials": t, "scenario": name, "bias": bias})
    return pd.DataFrame(lines)


def chances(p: CalculatorParameters) -> pd.DataFrame:
    """Return the probability that c told labels gain the map's accuracy on m test cases."""
    m = np.unique(np.linspace(50, 3000, p.map_steps).round().astype(int))
    c = np.unique(np.linspace(1, 300, p.map_steps).round().astype(int))
    chance = gain_map(m, c, accuracy=p.accuracy, gain=p.map_gain)
    return pd.DataFrame({"m": np.repeat(m, c.size), "c": np.tile(c, m.size), "probability": chance.ravel()})


def sizes(p: CalculatorParameters) -> pd.DataFrame:
    """Return the test size that is needed by gain, trials and scenario, where there is one under 20 million."""
    lines = []
    for gain in p.gains:
        for t in p.trials:
            for name in get_args(Scene):
                try:
                    size = needed_test_size(t, gain, p.risk, accuracy=p.accuracy, scenario=name, classes=p.classes)
                except OutOfReachError:
                    continue
                lines.append({"gain": gain, "trials": t, "scenario": name, "size": size})
    return pd.DataFrame(lines)
