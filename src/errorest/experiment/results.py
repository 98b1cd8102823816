"""Reading the long table of an experiment: a line a sample, a column a quantity."""

from __future__ import annotations

import numpy as np
import pandas as pd

__all__ = ["wide"]

_LINE = ("quantity", "value", "low", "high")


def wide(table: pd.DataFrame, inducer: str | None = None, column: str = "value") -> pd.DataFrame:
    """Spread the quantities of one inducer over columns.

    Parameters
    ----------
    table : DataFrame
        From :func:`~errorest.study.study.run_study`, of an experiment.
    inducer : str, optional
        By name; empty for what is said of the samples alone.  None where inducers have no names.
    column : {"value", "low", "high"}
        What is spread; the limits are NaN for quantities that are no intervals.

    Returns
    -------
    DataFrame
        A line for each sample that has quantities of the inducer: the cells' parameters, ``cell``,
        ``replicate``, and a column a quantity, NaN where a sample lacks one.

    Examples
    --------
    >>> lines = {"n": 10, "cell": 0, "replicate": [0, 0, 1], "value": [0.1, 0.2, 0.3]}
    >>> quantity = pd.Categorical(["true-error", "loo", "true-error"], ["true-error", "loo"])
    >>> wide(pd.DataFrame({**lines, "quantity": quantity})).round(1).to_numpy().tolist()
    [[10.0, 0.0, 0.0, 0.1, 0.2], [10.0, 0.0, 1.0, 0.3, nan]]
    """
    lines = table if inducer is None else table[table["inducer"] == inducer]
    quantity = lines["quantity"].cat.remove_unused_categories().cat
    of = lines[["cell", "replicate"]].to_numpy()
    first = np.ones(len(lines), dtype=bool)
    first[1:] = (of[1:] != of[:-1]).any(axis=1)
    values = np.full((int(first.sum()), len(quantity.categories)), np.nan)
    values[np.cumsum(first) - 1, quantity.codes.to_numpy()] = lines[column].to_numpy()
    # without an inducer asked for, a column of that name is a parameter of the cells
    told = _LINE if inducer is None else ("inducer", *_LINE)
    samples = lines.loc[first, [name for name in lines.columns if name not in told]].reset_index(drop=True)
    return pd.concat([samples, pd.DataFrame(values, columns=list(quantity.categories))], axis=1)
