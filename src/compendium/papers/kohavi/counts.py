"""What the text counts: deterioration with more cases, data sets of high variance at the high ends, runs."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from compendium.evidence.artifact import artifact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.kohavi.estimates import LEAVE_TWO, LOO, RUNS, InducerEstimates, by_inducer, estimates_of, key_of
from compendium.papers.kohavi.inducers import column_and_reading
from compendium.papers.kohavi.learning_curves import curves_of, frame_of
from compendium.papers.kohavi.parameters import StudyParameters
from errorest.streams import Streams

# Bootstrap samples of the samples
RESAMPLES = 400


@artifact("kohavi-claims", enlarge=False)
def claims(p: StudyParameters, run: Run) -> ArtifactResult:
    curves, estimates = curves_of(p, p.inducers, run), estimates_of(p, run)
    rows = []
    for (name, inducer), curve in curves.items():
        best, last = max(curve, key=lambda n: curve[n].value), max(curve)
        fall = curve[best].value - curve[last].value
        se = hypot(curve[best].se, curve[last].se) if best != last else 0.0
        reading = column_and_reading(inducer)[1]
        rows.append(Row(reading, key_of(name, inducer), "deterioration-percent", fall, se, curve[last].n))
    rows += [
        _high_ends(p, one)
        for one in by_inducer(estimates)
        if {LOO, LEAVE_TWO, "k=10", "k=20"} <= {point.name for point in p.points}
    ]
    # the classifiers of each of the paper's inducers, in its first reading
    first = {column_and_reading(name)[0]: name for name in reversed(p.inducers)}
    runs = [t.frame[RUNS] for (_, inducer), t in estimates.items() if inducer in first.values()]
    total = sum(int(n.sum()) for n in runs) + p.holdouts * len(runs)
    rows.append(Row.exact("literal", "text", "runs", total))
    rows.append(Row.exact("literal", "text", "runs-of-whole-samples", sum(map(len, runs))))
    return ArtifactResult(rows, {"curves": frame_of(curves)})


def _high_ends(p: StudyParameters, one: InducerEstimates) -> Row:
    """Count the data sets on which leave-one-out and leave-two-out both vary more than both 10 and 20 folds.

    The paper has no rule for "high variance".  The error is that of the count over bootstrap samples of the samples.
    """

    def high(estimates: np.ndarray) -> bool:
        sd = estimates.std(axis=0, ddof=1)
        return bool(sd[:2].min() > sd[2:].max())

    count, variance = 0, 0.0
    for name, t in one.trials.items():
        estimates = np.column_stack([t[point] for point in (LEAVE_TWO, LOO, "k=10", "k=20")])
        rng = Streams(p.seed).child("kohavi-claims", one.inducer).generator(name)
        draws = rng.integers(0, t.n, size=(RESAMPLES, t.n))
        share = float(np.mean([high(estimates[d]) for d in draws]))
        variance += share * (1 - share)
        count += high(estimates)
    row, kind = column_and_reading(one.inducer)
    # classifiers of one name differ in their reading
    reading = "unstated:more-than-10-and-20-folds" if kind == "literal" else kind
    fewest = min(t.n for t in one.trials.values())
    return Row(reading, row, "files-with-high-variance-at-loo-and-leave-2-out", float(count), sqrt(variance), fewest)
