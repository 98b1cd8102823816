"""The tables behind an estimate: every loss, every case, every resample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.runs import training_sizes
from errorest.estimation.losses import Outcome, RowErrors
from errorest.resampling.scheme import Scheme

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Tables"]


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of an estimate, each made when it is asked for.

    ``outcomes`` are those of the estimator alone, not of its interval.
    """

    outcomes: Mapping[Scheme, RowErrors]
    y: np.ndarray
    labels: np.ndarray
    names: Any

    def _resampled(self) -> dict[Scheme, Outcome]:
        """Leave out clones, which list no cases."""
        return {s: o for s, o in self.outcomes.items() if isinstance(o, Outcome)}

    def losses(self) -> pd.DataFrame:
        import pandas as pd

        parts = []
        names = np.asarray(self.names)
        for scheme, outcome in self._resampled().items():
            r = outcome.resamples
            row = r.row_of_test()
            parts.append(
                pd.DataFrame(
                    {
                        "scheme": scheme.id,
                        "replicate": r.replicate[row],
                        "fold": r.fold[row],
                        "row": row,
                        "case": names[r.cases],
                        "class": self.labels[self.y[r.cases]],
                        "predicted": self.labels[outcome.labels],
                        "loss": outcome.losses.astype(float),
                    }
                )
            )
        columns = ["scheme", "replicate", "fold", "row", "case", "class", "predicted", "loss"]
        return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)

    def cases(self) -> pd.DataFrame:
        import pandas as pd

        n = self.y.shape[0]
        tested, total = np.zeros(n), np.zeros(n)
        for outcome in self._resampled().values():
            r, loss = outcome.resamples, outcome.losses
            for first, last in r.blocks():
                part = slice(r.start[first], r.start[last])
                row = np.repeat(np.arange(last - first), np.diff(r.start[first : last + 1]))
                unseen = r.training_counts(first, last)[row, r.cases[part]] == 0
                tested += np.bincount(r.cases[part][unseen], minlength=n)
                total += np.bincount(r.cases[part][unseen], loss[part][unseen], n)
        mean = np.divide(total, tested, out=np.full(n, np.nan), where=tested > 0)
        return pd.DataFrame(
            {
                "case": np.asarray(self.names),
                "class": self.labels[self.y],
                "tested": tested.astype(np.int64),
                "loss": mean,
            }
        )

    def replicates(self) -> pd.DataFrame:
        import pandas as pd

        parts = []
        for scheme, outcome in self.outcomes.items():
            listed = outcome.resamples if isinstance(outcome, Outcome) else None
            parts.append(
                pd.DataFrame(
                    {
                        "scheme": scheme.id,
                        "replicate": outcome.replicate,
                        "fold": np.zeros(outcome.n_rows, dtype=int) if listed is None else listed.fold,
                        "row": np.arange(outcome.n_rows),
                        "trained": self.y.shape[0] if listed is None else training_sizes(listed),
                        "tested": outcome.tested,
                        "loss": outcome.row_rates,
                    }
                )
            )
        return pd.concat(parts, ignore_index=True)
