"""One table of estimators: mean, standard deviation and RMSE of each for each classifier, from a study's frame.

The frame has a row a trial and a column ``<classifier>/<estimator>`` for each pair; see
:func:`table_rows` for how a table is made of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from errorest.evidence.monte_carlo import Measured, mean, rms, standard_deviation
from errorest.evidence.regenerated import Row
from errorest.papers.shakhnarovich.calibration import agreement, agreement_sentence
from errorest.papers.shakhnarovich.named import CORRECT_PLUS, ESTIMATORS, PLUS_READING, TRUE_ERROR, NamedInducer

__all__ = ["columns_of", "estimates_of", "judged_by", "reading_of", "table_frame", "table_rows"]


def estimates_of(results: pd.DataFrame, classifier: NamedInducer) -> dict[str, np.ndarray]:
    """Return the estimates of one classifier, a proportion for each trial, by the estimator's name.

    Parameters
    ----------
    results : DataFrame
        A row a trial of one setting, columns ``<classifier>/<estimator>``.
    classifier : NamedInducer

    Returns
    -------
    dict of str to float array, shape (trials,)
        With ``true-error``; estimators that were not computed are missing.

    Examples
    --------
    >>> from errorest.papers.shakhnarovich.named import classifier_named
    >>> frame = pd.DataFrame({"1-nn/true-error": [0.2], "1-nn/loo": [0.25], "ldf/loo": [0.1]})
    >>> sorted(estimates_of(frame, classifier_named("1-nn")))
    ['loo', 'true-error']
    """
    prefix = f"{classifier.key}/"
    return {
        str(c).removeprefix(prefix): results[c].to_numpy(dtype=float)
        for c in results.columns
        if str(c).startswith(prefix) and results[c].notna().any()
    }


def reading_of(classifier: NamedInducer, estimator: str) -> str:
    """Return the reading of a cell of a table.

    The classifier's, but for the .632+ rows of a classifier that is taken literally: there
    the paper's own variant of the .632+ is a reading that was chosen because it fits.
    """
    if classifier.reading == "literal" and estimator in CORRECT_PLUS:
        return PLUS_READING
    return classifier.reading


def columns_of(values: np.ndarray, truth: np.ndarray) -> tuple[tuple[str, Measured], ...]:
    """Mean, standard deviation and RMSE of an estimator's values, with their Monte Carlo errors.

    Parameters
    ----------
    values, truth : float arrays, shape (trials,)
        Estimates and true errors of the same trials, proportions.

    Examples
    --------
    >>> [(name, round(m.value, 3)) for name, m in columns_of(np.array([0.1, 0.3]), np.array([0.2, 0.2]))]
    [('mean', 0.2), ('std', 0.141), ('rmse', 0.1)]
    """
    return ("mean", mean(values)), ("std", standard_deviation(values)), ("rmse", rms(values - truth))


def table_rows(results: pd.DataFrame, classifiers: Sequence[NamedInducer], artifact: str = "") -> list[Row]:
    """Make the rows of one of Tables 8 to 15: ``<classifier>/<estimator>`` with mean, std, rmse (proportions).

    Parameters
    ----------
    results : DataFrame
        As in :func:`estimates_of`.
    classifiers : sequence of NamedInducer
        In the order in which their readings are to be listed: the first one of a row is the headline.
    artifact : str
        If the rows belong to another artifact than the one that is being made.

    Returns
    -------
    list of Row
        Efron & Tibshirani's .632+ is left out.

    Examples
    --------
    >>> from errorest.papers.shakhnarovich.named import classifier_named
    >>> frame = pd.DataFrame({"1-nn/true-error": [0.2, 0.2], "1-nn/loo": [0.1, 0.3]})
    >>> [(r.row, r.column, round(r.value, 3)) for r in table_rows(frame, [classifier_named("1-nn")])][3:]
    [('1-nn/loo', 'mean', 0.2), ('1-nn/loo', 'std', 0.141), ('1-nn/loo', 'rmse', 0.1)]
    """
    rows = []
    for classifier in classifiers:
        found = estimates_of(results, classifier)
        for estimator in (TRUE_ERROR, *ESTIMATORS):
            if estimator in found:
                reading = reading_of(classifier, estimator)
                for column, m in columns_of(found[estimator], found[TRUE_ERROR]):
                    rows.append(Row(reading, f"{classifier.row}/{estimator}", column, *m, artifact))
    return rows


def table_frame(results: pd.DataFrame, classifiers: Sequence[NamedInducer]) -> pd.DataFrame:
    """Return what figures of such a table are drawn from.

    Parameters
    ----------
    results : DataFrame
        As in :func:`estimates_of`.
    classifiers : sequence of NamedInducer

    Returns
    -------
    DataFrame
        A row a classifier and estimator (with Efron & Tibshirani's .632+), columns classifier
        (with its settings), row, reading, estimator, mean, std, rmse, bias, their errors
        ``mean_se`` and so on, n; proportions.
    """
    rows = []
    for classifier in classifiers:
        found = estimates_of(results, classifier)
        for estimator in (TRUE_ERROR, *ESTIMATORS, *CORRECT_PLUS.values()):
            if estimator not in found:
                continue
            values, truth = found[estimator], found[TRUE_ERROR]
            row: dict[str, object] = {"classifier": classifier.key, "row": classifier.row}
            row |= {"reading": reading_of(classifier, estimator), "estimator": estimator}
            for name, m in (*columns_of(values, truth), ("bias", mean(values - truth))):
                row |= {name: m.value, f"{name}_se": m.se}
            rows.append({**row, "n": values.shape[0]})
    return pd.DataFrame(rows)


def judged_by(headline: Sequence[Mapping[str, np.ndarray]], rng: np.random.Generator) -> str:
    """Say by which share of reproduced cells a table is to be judged (Markdown).

    Parameters
    ----------
    headline : sequence of mappings of str to float array, shape (trials,)
        As :func:`estimates_of` returns them: one a classifier, all of the same trials, under the
        reading that is judged.
    rng : numpy.random.Generator
    """
    columns = [(own[e], own[TRUE_ERROR]) for own in headline for e in (TRUE_ERROR, *ESTIMATORS) if e in own]
    estimates, truth = (np.column_stack(side) for side in zip(*columns, strict=True))
    return agreement_sentence(agreement(estimates, truth, rng))
