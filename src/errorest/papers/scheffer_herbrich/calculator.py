"""The calculator at work: biases under each way of seeing the tuning, a map over (m, c), and test sizes to ask for.

Beyond the paper; every number is exact.  Own artifacts, with the key ``unstated:calculator`` for the
accuracies and budgets that were picked as examples.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from errorest.evidence.regenerated import Check, Regenerated, Row, Run
from errorest.papers.parameters import Parameters, parameter
from errorest.tuning_bias import Scene, gain_map, needed_test_size, tuning_bias
from errorest.tuning_bias.sizing import OutOfReachError

__all__ = ["SCENARIOS", "CalculatorParameters", "biases", "heat_map", "sizes_needed"]

SCENARIOS: Mapping[Scene, str] = {
    "greedy": "Greedy worst case",
    "independent": "Best of t independent",
    "listed": "Bound, settings listed",
    "adaptive": "Bound, adaptive",
}
"""Ways of seeing the same tuning, and their names."""

_READING = "unstated:calculator"


class CalculatorParameters(Parameters):
    """Parameters of the calculator's examples."""

    seed: int = parameter(1997, "not used: nothing here is random", ge=0)
    accuracy: float = parameter(0.85, "accuracy of the untuned classifier, a proportion", gt=0.0, lt=1.0)
    classes: int = parameter(2, "classes, equally frequent", ge=2)
    sizes: list[int] = parameter([100, 1000, 10000], "test sizes m", min_length=1)
    trials: list[int] = parameter([1, 3, 10, 30, 100, 300, 1000], "settings tried, t", min_length=2)
    gains: list[float] = parameter([0.01, 0.02, 0.05], "gains in accuracy that must not be bought", min_length=1)
    risk: float = parameter(0.05, "probability of such a gain that is accepted", gt=0.0, lt=1.0)
    map_gain: float = parameter(0.01, "gain in accuracy that the map is drawn for", gt=0.0, lt=1.0)
    map_steps: int = parameter(200, "rows and columns of the map", ge=20, le=400, preview=60)


def biases(p: CalculatorParameters, run: Run | None = None) -> Regenerated:
    """Expected bias of trying t settings on one test set, under every way of seeing it.

    Parameters
    ----------
    p : CalculatorParameters
    run : callable, optional
        Not used: nothing here is worth storing.

    Returns
    -------
    Regenerated
        Rows: bias in points by test size and trials; data ``biases``.

    Examples
    --------
    >>> made = biases(CalculatorParameters(sizes=[100], trials=[1, 100]))
    >>> [(r.column, round(r.value, 2)) for r in made.rows if r.row == "m=100/t=100"][:2]
    [('greedy/bias-percent', 7.5), ('independent/bias-percent', 8.21)]
    """
    rows, lines = [], []
    for m in p.sizes:
        for t in p.trials:
            answer = tuning_bias(m, accuracy=p.accuracy, classes=p.classes, trials=t)
            for name in SCENARIOS:
                bias = round(100 * answer[name].expected_bias, 9)
                lines.append({"m": m, "trials": t, "scenario": name, "bias": bias})
                rows.append(Row(_READING, f"m={m}/t={t}", f"{name}/bias-percent", bias, 0.0, 1))
    table = pd.DataFrame(lines)
    few = min((t for t in p.trials if t > 1), default=p.trials[-1])
    wide = table.pivot_table(index=["m", "trials"], columns="scenario", values="bias").reset_index()
    more = wide[(wide["trials"] == few) & (wide["independent"] > wide["greedy"])]
    return Regenerated(
        rows,
        data={"biases": table},
        checks=[
            Check(
                "The greedy optimizer is the worst case: with as many trials nothing gains more.",
                f"with {few} trials the best of {few} independent, equally good settings gains more on average at "
                f"{len(more)} of {len(p.sizes)} test sizes: a few trials buy more by luck than by spelling out labels",
                "fails" if len(more) else "holds",
            )
        ],
        findings=[
            f"At m = {m} cases and an accuracy of {p.accuracy:g}, {t} trials look {independent:.2f} points too good "
            f"if the settings are equally good and independent, and {greedy:.2f} by the greedy worst case."
            for m in (min(p.sizes), max(p.sizes))
            for t in (max(p.trials),)
            for independent in (_bias(table, m, t, "independent"),)
            for greedy in (_bias(table, m, t, "greedy"),)
        ],
    )


def _bias(table: pd.DataFrame, m: int, t: int, scenario: str) -> float:
    found = table[(table.m == m) & (table.trials == t) & (table.scenario == scenario)]
    return float(found["bias"].to_numpy()[0])


def heat_map(p: CalculatorParameters, run: Run | None = None) -> Regenerated:
    """Probability that c told labels gain the map's accuracy on m test cases, equation (4).

    Parameters
    ----------
    p : CalculatorParameters
    run : callable, optional
        Not used.

    Returns
    -------
    Regenerated
        Data ``map``: m, c and the probability, a line a cell; a finding.

    Examples
    --------
    >>> heat_map(CalculatorParameters(map_steps=20)).data["map"].shape
    (400, 3)
    """
    m = np.unique(np.linspace(50, 3000, p.map_steps).round().astype(int))
    c = np.unique(np.linspace(1, 300, p.map_steps).round().astype(int))
    chance = gain_map(m, c, accuracy=p.accuracy, gain=p.map_gain)
    table = pd.DataFrame({"m": np.repeat(m, c.size), "c": np.tile(c, m.size), "probability": chance.ravel()})
    even = [
        (int(size), int(c[np.argmax(line >= 0.5)])) for size, line in zip(m, chance, strict=True) if line[-1] >= 0.5
    ]
    if even:
        size, told = even[-1]
        said = (
            f"The greedy optimizer needs labels in proportion to the test set: {told} of {size} to gain "
            f"{100 * p.map_gain:g} points every other time at an accuracy of {p.accuracy:g}, one in {size / told:.0f}."
        )
    else:
        said = f"Up to {c[-1]} labels never gain {100 * p.map_gain:g} points every other time."
    return Regenerated(data={"map": table}, findings=[said])


def sizes_needed(p: CalculatorParameters, run: Run | None = None) -> Regenerated:
    """Test size from which on t trials do not buy a gain with more than the accepted risk.

    Parameters
    ----------
    p : CalculatorParameters
    run : callable, optional
        Not used.

    Returns
    -------
    Regenerated
        Rows: test sizes by gain and trials, where there is one under 20 million; data ``sizes``.

    Examples
    --------
    >>> made = sizes_needed(CalculatorParameters(trials=[10, 100], gains=[0.02]))
    >>> [int(r.value) for r in made.rows if r.column == "independent"]
    [2078, 3363]
    """
    rows: list[Row] = []
    lines: list[dict[str, Any]] = []
    for gain in p.gains:
        for t in p.trials:
            for name in SCENARIOS:
                try:
                    size = needed_test_size(t, gain, p.risk, accuracy=p.accuracy, scenario=name, classes=p.classes)
                except OutOfReachError:
                    continue
                lines.append({"gain": gain, "trials": t, "scenario": name, "size": size})
                rows.append(Row(_READING, f"gain={100 * gain:g}%/t={t}", name, float(size), 0.0, 1))
    gain, t = min(p.gains), max(p.trials)
    found = {line["scenario"]: line["size"] for line in lines if (line["gain"], line["trials"]) == (gain, t)}
    said = ", ".join(f"{SCENARIOS[name][:1].lower()}{SCENARIOS[name][1:]} {size}" for name, size in found.items())
    asked = f"{t} trials do not buy {100 * gain:g} points with more than {100 * p.risk:g} %"
    return Regenerated(
        rows,
        data={"sizes": pd.DataFrame(lines)},
        findings=[f"Test cases needed so that {asked}, at an accuracy of {p.accuracy:g}: {said}."],
    )
