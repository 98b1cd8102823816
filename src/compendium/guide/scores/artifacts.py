"""How often intervals for Brier score and AUC hold the truth, how wide they are, and how far off their centres."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate, plus_minus, signed
from compendium.evidence.monte_carlo import mean
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.held import held
from compendium.guide.names import TARGETS
from compendium.guide.scores.experiment import METHODS, TRUTH, Cell, ScoresParameters, cells_of, scores_study
from compendium.guide.scores.figures import INTERVAL_TITLES, draw_score_coverage, draw_score_offsets
from errorest.estimation.intervals.method import NO_WIDTH

__all__ = ["score_coverage", "score_offsets"]


class _Own(NamedTuple):
    """What one interval yielded in the samples of one cell."""

    cell: Cell
    score: str
    method: str
    truth: np.ndarray
    value: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def held(self, target: str) -> np.ndarray:
        """Whether each interval holds the truth; one without limits holds nothing."""
        return held(self.low, self.high, self.truth, target)


def _measured(p: ScoresParameters, run: Run) -> list[_Own]:
    cells = cells_of(p)
    out = []
    for cell, (_, lines) in zip(cells, run(scores_study(cells, p)).groupby("cell"), strict=True):
        for score, own in METHODS.items():
            of = lines[lines["score"] == score]
            truth = of.loc[of["quantity"] == TRUTH, "value"].to_numpy()
            for method in own:
                made = of[of["quantity"] == method]
                out.append(_Own(cell, score, method, truth, *(made[c].to_numpy() for c in ("value", "low", "high"))))
    return out


def _groups(p: ScoresParameters, measured: list[_Own]) -> Iterator[tuple[str, str, int, list[_Own]]]:
    for score, own in METHODS.items():
        for method in own:
            for n in p.sizes:
                yield (
                    score,
                    method,
                    n,
                    [m for m in measured if (m.score, m.method, m.cell.n) == (score, method, n)],
                )


def _averaged(own: list[_Own], values: list[np.ndarray]) -> Estimate:
    """Average cells alike; inducers share samples, so that they are averaged sample by sample first."""
    by: dict[float, list[np.ndarray]] = {}
    for one, value in zip(own, values, strict=True):
        by.setdefault(one.cell.distance, []).append(value)
    parts = [mean(np.mean(arrays, axis=0)) for arrays in by.values()]
    se = float(np.sqrt(sum(part.se**2 for part in parts))) / len(parts)
    return Estimate(float(np.mean([part.value for part in parts])), se, sum(v.size for v in values))


@artifact("guide-scores-coverage", draw=draw_score_coverage, matrix=True)
def score_coverage(p: ScoresParameters, run: Run) -> ArtifactResult:
    """Coverage of every interval by sample size, for both targets: mean over the cells and worst cell, in percent."""
    measured = _measured(p, run)
    rows, worst_rows, table = [], [], []
    for target in TARGETS:
        for score, method, n, own in _groups(p, measured):
            hits = [m.held(target).astype(float) for m in own]
            group = _averaged(own, hits) * 100
            least = int(np.argmin([h.mean() for h in hits]))
            share = float(hits[least].mean())
            spread = 100 * float(np.sqrt(share * (1 - share) / p.repetitions))
            rows.append(Row.of("literal", f"{target}/{score}/{method}", f"{n}-cases", group))
            worst_rows.append(
                Row(
                    "literal", f"worst-cell-{target}/{score}/{method}", f"{n}-cases", 100 * share, spread, p.repetitions
                )
            )
            worst = own[least].cell
            place = {"worst": 100 * share, "worst_inducer": worst.inducer, "worst_distance": worst.distance}
            width = float(np.nanmean([m.high - m.low for m in own]))
            first = {"target": target, "score": score, "method": method, "n": n, "coverage": group.value}
            table.append({**first, "se": group.se, "width": width, **place})
    frame = pd.DataFrame(table)
    return ArtifactResult(rows + worst_rows, {"map": frame}, findings=_coverage_words(p, frame))


def _coverage_words(p: ScoresParameters, table: pd.DataFrame) -> list[str]:
    out = []
    for score in METHODS:
        for target in TARGETS:
            parts = []
            for n in p.sizes:
                own = table[(table["score"] == score) & (table["target"] == target) & (table["n"] == n)]
                distance = (own["coverage"] - 100 * p.confidence).abs().to_numpy()
                near, far = (own.iloc[int(place)] for place in (distance.argmin(), distance.argmax()))
                nearest = plus_minus(Estimate(near["coverage"], near["se"], p.repetitions), "")
                if np.ptp(distance) < NO_WIDTH:
                    parts.append(f"at n = {n} all are as near, {_title(near)} with {nearest} %")
                else:
                    parts.append(
                        f"at n = {n} {_title(near)} is nearest with {nearest} % and {_title(far)} farthest with "
                        f"{far['coverage']:.1f} %"
                    )
            out.append(f"{_SCORES[score]} of {_WHOSE[target]}, against {100 * p.confidence:g} %: {'; '.join(parts)}.")
    return out


_SCORES = {"brier": "Brier score", "auc": "AUC"}
_WHOSE = dict(zip(TARGETS, ("this classifier", "the procedure"), strict=True))


def _title(row: pd.Series) -> str:
    return INTERVAL_TITLES[row["method"]]


@artifact("guide-scores-offsets", draw=draw_score_offsets, matrix=True)
def score_offsets(p: ScoresParameters, run: Run) -> ArtifactResult:
    """Mean of estimate less truth by sample size (hundredths)."""
    measured = _measured(p, run)
    rows, table = [], []
    for score, method, n, own in _groups(p, measured):
        known = [np.isfinite(m.value) for m in own]
        values = [np.where(k, m.value - m.truth, 0.0) for m, k in zip(own, known, strict=True)]
        group = _averaged(own, values) * 100
        rows.append(Row.of("literal", f"{score}/{method}", f"{n}-cases", group))
        without = 1 - float(np.mean([k.mean() for k in known]))
        table.append(
            {"score": score, "method": method, "n": n, "offset": group.value, "se": group.se, "undefined": without}
        )
    frame = pd.DataFrame(table)
    words = []
    for score in METHODS:
        at = frame[(frame["score"] == score) & (frame["n"] == min(p.sizes))]
        size = at["offset"].abs().to_numpy()
        most, least = at.iloc[int(size.argmax())], at.iloc[int(size.argmin())]
        words.append(
            f"{_SCORES[score]}, n = {min(p.sizes)}: farthest off is the estimate of {_title(most)} with "
            f"{plus_minus(Estimate(most['offset'], most['se'], p.repetitions), '+', 2)} hundredths, nearest that of "
            f"{_title(least)} with {signed(least['offset'], 2)}."
        )
    undefined = frame[frame["undefined"] > 0]
    if len(undefined):
        words.append(f"Estimates without a value are counted as if they were right: {len(undefined)} of {len(frame)}.")
    return ArtifactResult(rows, {"offsets": frame}, findings=words)
