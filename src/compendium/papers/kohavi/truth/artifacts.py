"""Table 1 and the learning curves.

A true accuracy is the mean of many holdouts.  Accuracies are in percent, as printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import hypot, sqrt

import numpy as np
import pandas as pd

from compendium.evidence import monte_carlo as accuracy
from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, above
from compendium.evidence.estimate import Estimate
from compendium.evidence.records import each, largest, parts
from compendium.evidence.regenerated import Check, Regenerated, Row, Run
from compendium.papers.apart import studied_apart
from compendium.papers.kohavi.data import RAND, DataSet, load_set
from compendium.papers.kohavi.named_inducers import own_files
from compendium.papers.kohavi.names import column_and_reading, title_of
from compendium.papers.kohavi.truth.experiment import LearningParameters, SetsParameters, TruthParameters, truth_study
from compendium.papers.kohavi.truth.figures import draw_learning_curves
from errorest.data.sample import Sample

__all__ = ["curves_of", "digest_of", "learning_curves", "table_1", "truths_of"]


def _measured(
    p: SetsParameters, wanted: Sequence[tuple[DataSet, int, int]], inducers: Sequence[str], run: Run
) -> dict[tuple[str, int, str], Estimate]:
    """Run some holdouts: mean accuracy (percent) by digest of the data set, size and inducer."""
    parted = studied_apart(inducers, lambda name: own_files([name]))
    studies = [_study(tuple(wanted), tuple(some), p.seed) for some in parted]
    results = pd.concat([run(study) for study in studies], ignore_index=True)
    groups = parts(results, "digest", "size", "inducer")
    return {key: accuracy.mean(100 * (1.0 - own["value"].to_numpy())) for key, own in groups.items()}


# reruns ask for the same again and again
_study = lru_cache(maxsize=8)(truth_study)


@lru_cache(maxsize=64)
def digest_of(sample: Sample) -> str:
    """Return the digest of a data set, which is computed once: large ones take long."""
    return sample.digest()


@lru_cache(maxsize=2)
def _drawn_alike(size: int, seed: int, number: int) -> tuple[DataSet, ...]:
    """Draw further data sets like ``rand``."""
    return tuple(load_set(RAND, size, None, seed, one) for one in range(1, number + 1))


def truths_of(p: SetsParameters, run: Run) -> dict[tuple[str, str], Estimate]:
    """Run the holdouts of Table 1."""
    sets = p.sets()
    found = _measured(p, [(one, one.size, p.holdouts) for one in sets], p.inducers, run)
    return {(one.name, i): found[(digest_of(one.sample), one.size, i)] for one in sets for i in p.inducers}


def _between_sets(p: TruthParameters, one: DataSet, run: Run) -> dict[str, float]:
    """Standard deviation of the true accuracy between data sets that are drawn alike, percent."""
    others = _drawn_alike(one.size, p.seed, p.rand_sets)
    found = _measured(p, [(o, o.size, min(p.holdouts, 50)) for o in others], p.inducers, run)
    spread = {}
    for name in p.inducers:
        means = [found[(digest_of(o.sample), o.size, name)] for o in others]
        # what the means vary by beyond their own errors
        within = float(np.mean([m.se**2 for m in means]))
        spread[name] = sqrt(max(0.0, float(np.var([m.value for m in means], ddof=1)) - within))
    return spread


def _counted(one: DataSet) -> dict[str, int]:
    """Count what can be counted of a data set; duplicates without the label where it is drawn."""
    sample = one.sample
    return {
        "attributes": sample.d,
        "total-size": sample.n,
        "categories": int(np.count_nonzero(sample.class_counts())),
        "duplicates": sample.n - len(np.unique(sample.X, axis=0)) if one.source == RAND else sample.duplicates(),
    }


_counted_once = lru_cache(maxsize=16)(_counted)


@artifact(
    "kohavi-table-1",
    "Table 1",
    "Data sets and true accuracies",
    "What can be counted of each data set, and the inducers' accuracies in percent; the half-width is "
    "one standard error.",
)
def table_1(p: TruthParameters, run: Run) -> Regenerated:
    """Table 1: sizes, categories and duplicates, and the inducers' true accuracies (percent).

    The half-width of an accuracy is one standard error, as the paper prints it.  For ``rand``,
    whose rows were never published, the standard error of a row also counts how much such
    data sets differ; duplicates are counted without the label there.
    """
    sets, truths = p.sets(), truths_of(p, run)
    rows = [
        Row.exact("literal", one.name, column, value) for one in sets for column, value in _counted_once(one).items()
    ]
    between = {one.name: _between_sets(p, one, run) for one in sets if one.source == RAND}
    table = []
    for name in p.inducers:
        column, reading = column_and_reading(name)
        for one in sets:
            m = truths[(one.name, name)]
            se = hypot(m.se, between[one.name][name]) if one.name in between else m.se
            rows.append(Row(reading, one.name, column, m.value, se, m.n))
            rows.append(Row(reading, one.name, f"{column}/halfwidth", m.se, m.se / sqrt(2 * (m.n - 1)), m.n))
            of = {"set": one.name, "inducer": name, "reading": reading}
            table.append({**of, "accuracy": m.value, "se": m.se, "n": m.n})
    findings = _readings_compared(p, pd.DataFrame(table))
    for spread in between.values():
        findings.append(
            f"{p.rand_sets} further sets drawn like rand have true accuracies whose spread beyond their own errors is, "
            f"in points: {'; '.join(f'{spread[name]:.3f} for {title_of(name)}' for name in p.inducers)}."
        )
    return Regenerated(rows, {"accuracies": pd.DataFrame(table)}, findings=findings)


def _readings_compared(p: TruthParameters, table: pd.DataFrame) -> list[str]:
    """Say how far each further reading of an inducer lies from the first."""
    found = []
    first: dict[str, str] = {}
    for name in p.inducers:
        column = column_and_reading(name)[0]
        headline = first.setdefault(column, name)
        if name == headline:
            continue
        own, theirs = (each(table[table["inducer"] == i]) for i in (name, headline))
        moved = [a.accuracy - b.accuracy for a, b in zip(own, theirs, strict=True)]
        clear = sum(abs(m) > 2 * hypot(a.se, b.se) for m, a, b in zip(moved, own, theirs, strict=True))
        most = int(np.argmax(np.abs(moved)))
        found.append(
            f"{title_of(name)} (reading *{column_and_reading(name)[1]}*) differs from {title_of(headline)} by more "
            f"than two standard errors on {clear} of {len(moved)} data sets, most on {own[most].set}: "
            f"{own[most].accuracy:.2f} against {theirs[most].accuracy:.2f} %."
        )
    return found


def curves_of(p: LearningParameters, inducers: list[str], run: Run) -> pd.DataFrame:
    """Run the learning curves."""
    wanted = [(one, n, p.learning_holdouts) for one in p.sets() for n in p.sizes_of(one)]
    found = _measured(p, wanted, inducers, run)
    table = []
    for name in inducers:
        for one, n, _ in wanted:
            m = found[(digest_of(one.sample), n, name)]
            table.append({"set": one.name, "inducer": name, "n": n, "accuracy": m.value, "se": m.se, "holdouts": m.n})
    return pd.DataFrame(table)


@artifact(
    "kohavi-learning-curves",
    "Section 4",
    "Learning curves",
    "Accuracy in percent; rows are data sets and inducers, columns numbers of training cases.",
    draw=draw_learning_curves,
    enlarge=False,
)
def learning_curves(p: TruthParameters, run: Run) -> Regenerated:
    """Learning curves, from which the paper chose its sample sizes: accuracy (percent) by training cases."""
    table = curves_of(p, p.inducers[: p.curve_inducers], run)
    rows, checks, findings = [], [], []
    for name, curves in parts(table, "inducer").items():
        column, reading = column_and_reading(name)
        of_sets = parts(curves, "set")
        rows += [
            Row(reading, f"{one}/{column}", f"n={c.n}", c.accuracy, c.se, c.holdouts)
            for one, curve in of_sets.items()
            for c in each(curve)
        ]
        checks += _slopes(p, name, of_sets)
        tops = [largest(curve, "accuracy") for curve in of_sets.values()]
        said = ", ".join(f"{t.set} {t.n} ({t.accuracy:.1f} %)" for t in tops)
        findings.append(f"{title_of(name)} is most accurate with this many training cases: {said}.")
    return Regenerated(rows, {"curves": table}, checks, findings)


def _slopes(p: TruthParameters, inducer: str, curves: dict[str, pd.DataFrame]) -> list[Check]:
    """Check whether curves rise from the chosen size to the largest."""
    gains = []
    # the one without information was added to those that were chosen
    for one in (one for one in p.sets() if one.source != RAND):
        curve = curves[one.name]
        here, last = each(curve[curve["n"] == one.size])[0], each(curve)[-1]
        if last.n > here.n:
            gain = Estimate(last.accuracy - here.accuracy, hypot(last.se, here.se), last.holdouts)
            gains.append(above(one.name, gain, unit="points", digits=1))
    text = f"At the chosen sizes the learning curve of {title_of(inducer)} still slopes up, on every data set."
    context = "accuracy at the largest size minus that at the chosen one"
    return [Claim(text, gains, context=context).check()] if gains else []
