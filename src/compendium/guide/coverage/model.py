"""The model of coverage that the library ships: fitted to all cells, and judged on populations that were left out.

Of each interval the shares of samples, a line a population, inducer and size, are fitted by the formula that
:mod:`errorest.estimation.intervals.coverage_model` states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan, sqrt

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate, exact
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.guide.coverage.counted import counted_lines
from compendium.guide.coverage.parameters import CoverageParameters
from errorest.estimation.intervals import parse_interval
from errorest.estimation.intervals.coverage_model import COLUMNS, CoverageModel, terms_of
from errorest.estimation.intervals.coverage_table import Counted

# A line counts as so many samples, however many it has: the coverages of populations spread about as widely as the
# shares of ten samples, so that many samples of a population say little more of the next one
TRIALS = 10.0

# Standard deviation, in logits, of the slopes and of the kinds' effects before anything was measured
SPREAD = 1.0

# Populations from which on an interval has a model; each is left out in turn to see how far off it predicts
LEAST_FITTED = 5

_STEPS = 50


def fit_model(lines: Sequence[Counted], target: str) -> CoverageModel:
    """Fit the model to some lines: the maximum of the likelihood with normal priors, by Newton's steps."""
    kinds = sorted({line.inducer for line in lines})
    slopes = np.array([list(terms_of(line.n, line.error).values()) for line in lines])
    of_kind = np.array([[line.inducer == kind for kind in kinds] for line in lines], dtype=float)
    X = np.column_stack([np.ones(len(lines)), slopes, of_kind])
    y = np.array([line.share(target) for line in lines])
    precision = np.full(X.shape[1], SPREAD**-2)
    # the intercept is free; ten logits keep it finite where every interval held
    precision[0] = 0.01
    beta = np.zeros(X.shape[1])
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-X @ beta))
        slope = TRIALS * X.T @ (y - p) - precision * beta
        curvature = TRIALS * (X.T * (p * (1 - p))) @ X + np.diag(precision)
        step = np.linalg.solve(curvature, slope)
        # a step of several logits would leave the range in which the quadratic holds
        beta += step / max(1.0, float(np.abs(step).max()))
        if np.abs(step).max() < 1e-10:
            break
    names = list(terms_of(100, 0.1))
    return CoverageModel(
        float(beta[0]),
        dict(zip(names, map(float, beta[1:]), strict=False)),
        dict(zip(kinds, map(float, beta[1 + len(names) :]), strict=True)),
        nan,
        len({line.population for line in lines}),
        min(line.n for line in lines),
        max(line.n for line in lines),
    )


def leave_out(lines: Sequence[Counted], target: str) -> Mapping[str, CoverageModel]:
    """Fit the model without each population in turn."""
    names = dict.fromkeys(line.population for line in lines)
    return {name: fit_model([o for o in lines if o.population != name], target) for name in names}


def errors_of(lines: Sequence[Counted], without: Mapping[str, CoverageModel], target: str) -> np.ndarray:
    """Return measured less predicted coverage of each line, a proportion; predicted without its population."""
    return np.array(
        [x.share(target) - without[x.population].predict(x.n, x.error, x.inducer) for x in lines], dtype=float
    )


def grouped(lines: Sequence[tuple[str, Counted]]) -> dict[tuple[str, str], list[Counted]]:
    """Group lines by interval, with any number of repeats, and unit; those of few populations are left out."""
    groups: dict[tuple[str, str], list[Counted]] = {}
    for method, line in lines:
        groups.setdefault((method, line.unit), []).append(line)
    return {place: own for place, own in groups.items() if len({line.population for line in own}) >= LEAST_FITTED}


@artifact("guide-coverage-model", matrix=True)
def model(p: CoverageParameters, run: Run) -> ArtifactResult:
    """Fit the model of each interval to its cells, and leave each population out to see how far off it predicts."""
    rows, table = [], []
    for (method, unit), lines in grouped(counted_lines(p, run)).items():
        made = parse_interval(lines[0].interval)
        fitted = fit_model(lines, made.target)
        errors = errors_of(lines, leave_out(lines, made.target), made.target)
        off_by = sqrt(float(np.mean(errors**2)))
        fitted = CoverageModel(**{**vars(fitted), "off_by": off_by})
        # the delta method of a root mean square over lines
        se = float(np.std(errors**2, ddof=1)) / sqrt(len(lines)) / (2 * off_by) if off_by > 0 else 0.0
        name = f"{unit}/{method}"
        for term, value in fitted.rows().items():
            number = exact(value) if term in ("populations", "least", "most") else Estimate(value, nan, len(lines))
            number = Estimate(100 * off_by, 100 * se, len(lines)) if term == "off-by" else number
            rows.append(Row.of("literal", name, term.replace(" ", "-"), number))
            table.append((made.id, unit, term, float(f"{value:.6g}")))
    return ArtifactResult(rows, {"table": pd.DataFrame(table, columns=list(COLUMNS))})
