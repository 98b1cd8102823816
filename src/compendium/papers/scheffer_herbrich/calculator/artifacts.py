"""Biases under each way of seeing the tuning, a map over (m, c), and test sizes to ask for.

Beyond the paper; every number is exact.  Own artifacts, with the key ``unstated:calculator`` for the
accuracies and budgets that were picked as examples.
"""

from __future__ import annotations

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import claim_of, counted, equal
from compendium.evidence.records import each, parts
from compendium.evidence.results import ArtifactResult, Check, Row, Run
from compendium.papers.scheffer_herbrich.calculator import experiment
from compendium.papers.scheffer_herbrich.calculator.experiment import CalculatorParameters
from compendium.papers.scheffer_herbrich.calculator.figures import draw_biases, draw_map, draw_sizes
from compendium.papers.scheffer_herbrich.names import SCENARIOS

_READING = "unstated:calculator"


@artifact("scheffer-herbrich-calculator", draw=draw_biases)
def biases(p: CalculatorParameters, run: Run | None = None) -> ArtifactResult:
    """Expected bias of trying t settings on one test set, under every way of seeing it."""
    table = experiment.biases(p)
    bias = {(r.m, r.trials, r.scenario): r.bias for r in each(table)}
    few, many = min((t for t in p.trials if t > 1), default=p.trials[-1]), max(p.trials)
    more = [m for m in dict.fromkeys(p.sizes) if bias[m, few, "independent"] > bias[m, few, "greedy"]]
    check = worst_case(few, len(more), len(p.sizes))
    findings = [
        f"At m = {m} cases and an accuracy of {p.accuracy:g}, {many} trials look {bias[m, many, 'independent']:.2f} "
        f"points too good if the settings are equally good and independent, and {bias[m, many, 'greedy']:.2f} by the "
        "greedy worst case."
        for m in (min(p.sizes), max(p.sizes))
    ]
    rows = [Row.exact(_READING, f"m={m}/t={t}", f"{name}/bias-percent", value) for (m, t, name), value in bias.items()]
    return ArtifactResult(rows, {"biases": table}, [check], findings)


def worst_case(trials: int, more: int, sizes: int) -> Check:
    """Hold "the greedy optimizer is the worst case" against the test sizes where luck alone buys more."""
    return claim_of(
        "scheffer-herbrich-calculator",
        "worst-case",
        [equal(f"test sizes, of {sizes}, at which the best of them gains more on average", more, 0)],
        trials=trials,
    ).check()


@artifact("scheffer-herbrich-map", draw=draw_map)
def heat_map(p: CalculatorParameters, run: Run | None = None) -> ArtifactResult:
    """Probability that c told labels gain the map's accuracy on m test cases, equation (4).

    Parameters are those of :func:`biases`.
    """
    table = experiment.chances(p)
    gain = counted(100 * p.map_gain, "point")
    text = f"Up to {table['c'].max()} labels never gain {gain} every other time."
    for size, line in reversed(parts(table, "m").items()):
        even = line.loc[line["probability"] >= 0.5, "c"]
        if line["probability"].iloc[-1] >= 0.5:
            text = (
                f"The greedy optimizer needs labels in proportion to the test set: {even.iloc[0]} of {size} to gain "
                f"{gain} every other time at an accuracy of {p.accuracy:g}, one in {size / even.iloc[0]:.0f}."
            )
            break
    return ArtifactResult(data={"map": table}, findings=[text])


@artifact("scheffer-herbrich-test-sizes", draw=draw_sizes)
def sizes_needed(p: CalculatorParameters, run: Run | None = None) -> ArtifactResult:
    """Test size from which on t trials do not buy a gain with more than the accepted risk.

    Parameters are those of :func:`biases`.
    """
    table = experiment.sizes(p)
    rows = [Row.exact(_READING, f"gain={100 * r.gain:g}%/t={r.trials}", r.scenario, r.size) for r in each(table)]
    gain, t = min(p.gains), max(p.trials)
    hardest = each(table[(table["gain"] == gain) & (table["trials"] == t)])
    text = ", ".join(f"{SCENARIOS[r.scenario].sentence} {r.size}" for r in hardest)
    requested = f"{t} trials do not buy {counted(100 * gain, 'point')} with more than {100 * p.risk:g} %"
    finding = f"Test cases needed so that {requested}, at an accuracy of {p.accuracy:g}: {text}."
    return ArtifactResult(rows, {"sizes": table}, findings=[finding])
