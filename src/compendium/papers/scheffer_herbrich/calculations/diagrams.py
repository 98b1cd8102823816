"""What Figures 1 and 2 show, executed: the channel from the test set to the learner, and its absence.

Figure 1 stands for tuning on the test set, Figure 2 for choosing the setting within the training part
of each fold.  Neither prints a number; what the text says beside them is checked by counting.
"""

from __future__ import annotations

import itertools
from math import log2

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, equal
from compendium.evidence.regenerated import Check, Regenerated, Run
from compendium.papers.scheffer_herbrich.calculations.experiment import CalculationParameters, class_entropy
from compendium.papers.scheffer_herbrich.calculations.figures import draw_channel, draw_separation
from errorest.resampling.draw import k_fold
from errorest.streams import Streams
from errorest.tuning_bias import labels_told, simulate_greedy_on

__all__ = ["channel", "separation"]

# a test set small enough that every assignment of its labels can be tried
_CASES, _CLASSES, _TEST_SETS = 6, 3, 40
# the design whose fits and uses of cases are counted
_SAMPLE, _OUTER, _INNER, _SETTINGS = 90, 9, 10, 5


@artifact("scheffer-herbrich-figure-1", "Figure 1", "Parameters as a communication channel", draw=draw_channel)
def channel(p: CalculationParameters, run: Run | None = None) -> Regenerated:
    """Figure 1: the parameters as a channel from the test set to the learner."""
    entropy, bits = class_entropy(np.arange(4)), log2(16)
    rng = Streams(p.seed).generator("channel")
    optimal = 0
    for _ in range(_TEST_SETS):
        labels = rng.integers(0, _CLASSES, _CASES)
        labels[0] = _CLASSES - 1  # every test set has all class numbers, so the optimizer tries them all
        correct = rng.random(_CASES) < 0.5
        runs = simulate_greedy_on(labels, correct, np.zeros(_CASES, int), _CASES, rng, setting="one-shot", repeats=1)
        best = max(int(np.sum(labels == each)) for each in itertools.product(range(_CLASSES), repeat=_CASES))
        optimal += int(runs.gained[0]) == best - int(correct.sum())
    said = (
        f"On {optimal} of {_TEST_SETS} small test sets the greedy search gains as much in {_CASES * _CLASSES} trials "
        f"as the best of all {_CLASSES**_CASES} assignments of labels."
    )
    return Regenerated(checks=[told_by_channel(entropy, bits), finds_the_best(optimal, _TEST_SETS)], findings=[said])


def told_by_channel(entropy: float, bits: float) -> Check:
    """Hold section 2.1's example against what so many bits tell at that entropy of a label."""
    told = labels_told(bits, entropy)
    return Claim(
        "A channel of 4 bits, 16 settings, tells the labels of 2 objects of 4 equally frequent classes.",
        [equal("labels told", told, 2)],
        context=f"exact, by {bits:g} bits at an entropy of {entropy:g} bits a label",
    ).check()


def finds_the_best(optimal: int, of: int) -> Check:
    """Hold section 2.2's claim against the number of test sets on which the greedy search was as good as any."""
    return Claim(
        "The greedy search finds an optimal assignment in c times |classes| trials.",
        [equal(f"test sets on which it gains as much, of {of}", optimal, of)],
        context=f"{_CASES} cases of {_CLASSES} classes, {_CASES * _CLASSES} trials against the best of all "
        f"{_CLASSES**_CASES} assignments, tried one by one",
    ).check()


@artifact(
    "scheffer-herbrich-figure-2",
    "Figure 2",
    "Model selection apart from accuracy estimation",
    draw=draw_separation,
)
def separation(p: CalculationParameters, run: Run | None = None) -> Regenerated:
    """Figure 2: the setting is chosen within the training part of each fold."""
    rng = Streams(p.seed).generator("separation")
    outer = k_fold(_SAMPLE, _OUTER, rng)
    training = outer.training_counts() > 0
    tested = outer.test_counts() > 0
    used, fits = np.zeros((_OUTER, _SAMPLE), dtype=bool), 0
    for fold in range(_OUTER):
        cases = np.nonzero(training[fold])[0]
        inner = k_fold(cases.size, _INNER, rng)
        used[fold, cases[inner.cases]] = True
        fits += inner.n_rows * _SETTINGS + 1
    leaked = float(np.mean(used[tested]))
    apart = int(((tested.sum(axis=0) == 1) & ~(used & tested).any(axis=0)).sum())
    said = (
        f"Of {_SAMPLE} cases in {_OUTER} folds, {100 * leaked:g} % of those tested take part in choosing the setting "
        f"that they test; the price, for {_SETTINGS} settings, is {fits} fits instead of {_OUTER * _SETTINGS}."
    )
    uses = pd.DataFrame(
        [
            # tuned on the test folds, every setting's hits on a case help to choose what it tests
            {"scheme": "tuned on the test folds", "fits": _OUTER * _SETTINGS, "tested cases that chose": 1.0},
            {"scheme": "tuned within the training part", "fits": fits, "tested cases that chose": leaked},
        ]
    )
    return Regenerated(
        data={"uses": uses},
        checks=kept_apart(apart, fits),
        findings=[said],
    )


def kept_apart(apart: int, fits: int) -> list[Check]:
    """Hold Figure 2 and the count of trials against a counted design."""
    return [
        Claim(
            "With model selection and accuracy estimation separated, no tested case takes part in the choice.",
            [equal("cases that are tested once and take no part in it", apart, _SAMPLE)],
            context=f"counted, {_SAMPLE} cases, {_OUTER} outer and {_INNER} inner folds",
        ).check(),
        Claim(
            "It takes n times m learning trials.",
            [equal("fits", fits, _OUTER * _INNER)],
            context=f"counted, for n = {_OUTER}, m = {_INNER} and {_SETTINGS} settings, with a fit in each fold to use "
            "what was chosen",
        ).check(),
    ]
