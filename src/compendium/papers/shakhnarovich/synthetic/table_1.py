"""Table 1: the Bayes error of each setting."""

from __future__ import annotations

from compendium.evidence import monte_carlo
from compendium.evidence.artifact import artifact
from compendium.evidence.estimate import Estimate
from compendium.evidence.results import ArtifactResult, Row, Run
from compendium.papers.shakhnarovich.names import LABELS
from compendium.papers.shakhnarovich.synthetic.study import SETTINGS, SyntheticParameters
from errorest.streams import Streams

_POPULATION_CASES = 200_000


@artifact("shakhnarovich-table-1", labels=LABELS, matrix=True, enlarge=False)
def table_1(p: SyntheticParameters, run: Run) -> ArtifactResult:
    """Compute the Bayes error of each setting, with unequal covariances by simulation."""
    rows = []
    for setting in p.settings:
        population, _ = SETTINGS[setting]
        if (population.covariances[0] == population.covariances[1]).all():
            direction = population.means[1] - population.means[0]
            least = Estimate(population.linear_error(direction, 0.0) if direction.any() else 0.5, 0.0, 1)
        else:
            rng = Streams(p.seed).child("shakhnarovich-table-1").generator(setting)
            sampled = population.balanced_sample(_POPULATION_CASES, rng)
            least = monte_carlo.mean(((population.log_ratio(sampled.X) > 0) != sampled.y).astype(float))
        rows.append(Row.of("literal", str(setting), "least-error", least))
    return ArtifactResult(rows)
