"""Check the columns of a user's table: rows that can be cut, gaps, text, copies, and values for built-in learners."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Number
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from errorest.data.columns import MISSING, number_of
from errorest.data.labels import names_of
from errorest.data.sample import Attribute, Sample
from errorest.errors import UsageError, quoted, refuse_complex, refuse_sparse

if TYPE_CHECKING:
    from sklearn.compose import ColumnTransformer

_NO_COLUMN = "X has no column; expected at least one attribute"


def check_lengths(rows: int, n: int) -> None:
    """Refuse X and y of different lengths."""
    if rows != n:
        raise UsageError(
            f"X has {rows} rows and y has {n} labels; expected as many of both; give one label for each case"
        )


def rows_of(X: Any, n: int) -> Any:
    """Return the user's rows in a form that can be indexed; frames, and Series of text, stay what they are."""
    if _is_series(X) and not _is_text(X):
        X = X.to_frame()
    if hasattr(X, "iloc") or _is_other_frame(X) or (hasattr(X, "tocsr") and hasattr(X, "shape")):
        check_lengths(X.shape[0], n)
        refuse_complex(X, "X")
        return X.tocsr() if hasattr(X, "tocsr") else X
    if hasattr(X, "__array__"):
        values = np.asarray(X)
    else:
        # lists: an array of objects where there is text, which keeps numbers, and short texts short
        ragged = UsageError("the rows of X differ in length; expected (n, d); give every case d values")
        try:
            values = np.array(X, dtype=object)
        except ValueError:
            raise ragged from None
        kinds = set(map(type, values.ravel().tolist()))
        if values.ndim == 1 and any(issubclass(kind, list | tuple | np.ndarray) for kind in kinds):
            raise ragged
        if all(issubclass(kind, Number | np.bool_) for kind in kinds):
            values = np.asarray(X)
    if values.ndim == 0:
        raise UsageError("X is no table; expected an array of shape (n, d) or a DataFrame; check what was passed")
    check_lengths(values.shape[0], n)
    refuse_complex(values, "X")
    if values.ndim == 1 and values.dtype.kind in "biuf":
        return values[:, None]
    return values


def _is_series(X: Any) -> bool:
    return hasattr(X, "iloc") and X.ndim == 1


def _is_other_frame(X: Any) -> bool:
    """Whether an object holds columns by name, as a frame of polars does."""
    named = hasattr(X, "shape") and hasattr(X, "dtypes") and not hasattr(X, "iloc")
    return named and all(isinstance(name, str) for name in getattr(X, "columns", [None]))


def _is_text(series: Any) -> bool:
    return series.dtype.kind not in "biufc"


def refuse_lists(name: str, cells: Any) -> None:
    """Refuse cells that hold several values: each list would be one category."""
    if any(isinstance(cell, list | tuple | dict | set | np.ndarray) for cell in cells):
        raise UsageError(f"{name} holds lists; expected one number or text a cell", "make a column of each entry")


def refuse_written_numbers(values: Any) -> None:
    """Refuse measurements in an array of text, where each would be one category."""
    if not isinstance(values, np.ndarray) or values.dtype.kind != "U" or values.ndim != 2:
        return
    for j, column in enumerate(values.T.tolist()):
        numbers = {cell: number_of(cell) for cell in set(column) - set(MISSING)}
        if None not in numbers.values() and any(value % 1 for value in numbers.values() if value is not None):
            raise UsageError(
                f"column {j + 1} of X holds numbers as text, such as {quoted(min(numbers))}",
                "numpy writes rows of text and numbers as text: pass them as a list, or as a DataFrame",
            )


def table_of(X: Any) -> Any:
    """Return rows as what is looked at: a frame of pandas where columns have names, else an array or sparse matrix."""
    if _is_series(X):
        return X.to_numpy(dtype=object) if _is_text(X) else X.to_frame()
    if not _is_other_frame(X):
        return X
    import pandas as pd

    return pd.DataFrame({name: np.asarray(X[name]) for name in X.columns}).infer_objects()


@dataclass(frozen=True)
class Column:
    """What a column holds: a piece of text, if any, and how many missing and infinite values."""

    position: int
    name: str
    text: str = ""
    missing: int = 0
    infinite: int = 0


def columns_of(X: Any) -> list[Column]:
    """Look for text, gaps and infinite values; columns that have none of them are left out where X is an array."""
    named = hasattr(X, "iloc")
    if not named:
        if hasattr(X, "tocsr") or X.dtype.kind in "biu":
            return []
        if X.dtype.kind == "f" and np.isfinite(X.sum(dtype=np.float64)):
            return []
        if X.dtype.kind != "f" and X.ndim != 2:
            return [Column(0, "X", str(X[0]))]
    import pandas as pd

    frame = X if named else pd.DataFrame(X.reshape(X.shape[0], -1)).infer_objects()
    columns = []
    for j, name in enumerate(frame.columns):
        known = frame.iloc[:, j].dropna()
        number = pd.api.types.is_numeric_dtype(known.dtype)
        infinite = int(np.isinf(np.asarray(known, dtype=np.float64)).sum()) if number else 0
        text = "" if number or not len(known) else str(known.iloc[0])
        label = f"column '{name}'" if named else f"column {j + 1}"
        columns.append(Column(j, label, text, len(frame) - len(known), infinite))
    return columns


def sample_of_values(X: Any, codes: np.ndarray, labels: np.ndarray, n: int) -> Sample:
    """Make a sample of values for a built-in learner."""
    refuse_sparse(X, "X")
    if not hasattr(X, "iloc"):
        values = rows_of(X, n)
        if values.ndim != 2:
            raise UsageError(f"X has shape {values.shape}; expected (n, d); give one row a case and one column a value")
        if not values.shape[1]:
            raise UsageError(_NO_COLUMN)
        if values.dtype.kind in "biuf":
            numbers = np.ascontiguousarray(values, dtype=np.float64)
            if numbers is X:
                # the user may change the array while a result still refers to it
                numbers = numbers.copy()
            if np.isinf(numbers).any():
                column = int(np.nonzero(np.isinf(numbers).any(axis=0))[0][0])
                raise _infinite(f"column {column + 1}")
            attributes = tuple(Attribute(f"x{j + 1}") for j in range(numbers.shape[1]))
            return Sample(numbers, codes, attributes, names_of(labels))
        refuse_written_numbers(values)
        import pandas as pd

        X = pd.DataFrame(values, columns=[f"x{j + 1}" for j in range(values.shape[1])]).infer_objects()
    check_lengths(X.shape[0], n)
    refuse_complex(X, "X")
    parts = [_attribute(str(name), X.iloc[:, j]) for j, name in enumerate(X.columns)]
    if not parts:
        raise UsageError(_NO_COLUMN)
    return Sample(
        np.ascontiguousarray(np.column_stack([v for _, v in parts])),
        codes,
        tuple(a for a, _ in parts),
        names_of(labels),
    )


def _infinite(column: str) -> UsageError:
    return UsageError(f"{column} holds an infinite value; expected finite numbers or NaN for missing; replace it")


def _attribute(name: str, series: Any) -> tuple[Attribute, np.ndarray]:
    import pandas as pd

    if pd.api.types.is_numeric_dtype(series.dtype):
        values = series.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isinf(values).any():
            raise _infinite(f"column '{name}'")
        whole = series.dtype.kind in "biu"
        return Attribute(name, "integer" if whole else "continuous"), values
    if pd.api.types.is_datetime64_any_dtype(series.dtype):
        raise UsageError(
            f"column '{name}' holds dates; expected numbers or categories; turn it into a number, such as days"
        )
    known = series.dropna()
    if not len(known):
        raise UsageError(f"column '{name}' holds no value at all; expected some; leave the column out")
    refuse_lists(f"column '{name}'", known)
    text = known.astype(str)
    if known.dtype == object and len({isinstance(v, str) for v in known}) == 2:
        raise UsageError(
            f"column '{name}' mixes numbers and text; expected one of the two; write all as text, or remove the text"
        )
    categories = tuple(sorted(cast("set[str]", set(text))))
    number = {c: float(i) for i, c in enumerate(categories)}
    values = np.full(len(series), np.nan)
    values[series.notna().to_numpy()] = [number[v] for v in text]
    return Attribute(name, "nominal", categories), values


def copies_in(X: Any) -> np.ndarray | None:
    """Number the cases so that equal rows have equal numbers; None where all differ or equality has no meaning."""
    if hasattr(X, "tocsr"):
        return None
    if hasattr(X, "iloc"):
        import pandas as pd

        try:
            keys: list[Any] = pd.util.hash_pandas_object(X, index=False).tolist()
        except TypeError:
            return None
    elif X.dtype.kind in "biuf":
        # adding nothing makes one zero of both
        keys = [row.tobytes() for row in np.ascontiguousarray(X + 0)]
    else:
        keys = list(map(str, X)) if X.ndim == 1 else [tuple(map(str, row)) for row in X]
    number = {key: position for position, key in enumerate(dict.fromkeys(keys))}
    return np.array([number[key] for key in keys], dtype=np.int64) if len(number) < len(keys) else None


def rows_of_sample(sample: Sample, classifier: Any) -> Any:
    """Return a sample's numbers; where a step may name a column, or a value is nominal, a DataFrame with text."""
    # a pipeline's scalers treat every column alike
    scaled = getattr(classifier, "steps", [(None, classifier)])[:-1]
    numbers = all(type(step).__module__ == "sklearn.preprocessing._data" for _, step in scaled)
    if all(a.kind != "nominal" for a in sample.attributes) and numbers:
        return sample.X
    import pandas as pd

    columns: dict[str, Any] = {}
    for j, a in enumerate(sample.attributes):
        values = sample.X[:, j]
        if a.kind == "nominal":
            text = np.array([*a.categories, None], dtype=object)
            values = text[np.where(np.isnan(values), len(a.categories), values).astype(int)]
        columns[a.name] = values
    return pd.DataFrame(columns)


def check_takes(classifier: Any, X: Any) -> None:
    """Refuse what a scikit-learn classifier says that it does not take; a pipeline in it may impute and encode."""
    if not type(classifier).__module__.startswith("sklearn."):
        return
    if any(hasattr(part, "steps") for part in (classifier, *classifier.get_params().values())):
        return
    from sklearn.utils import get_tags

    takes = get_tags(classifier).input_tags
    # boosted trees read categories from a frame, unless they are set to read none
    own_categories = getattr(classifier, "categorical_features", None)
    for column in columns_of(X):
        if own_categories == "from_dtype":
            reads = hasattr(X, "iloc") and X.dtypes.iloc[column.position] == "category"
        else:
            reads = takes.string or takes.categorical or own_categories is not None
        if column.text and not reads:
            raise UsageError(
                f"{column.name} holds text ({quoted(column.text)}) and {type(classifier).__name__} takes numbers; pass "
                "encode=True, a pipeline with an encoder, or a learner such as 'naive-bayes'"
            )
        if column.missing and not takes.allow_nan:
            raise UsageError(
                f"{column.name} lacks {column.missing} value(s) (NaN) and {type(classifier).__name__} takes none "
                "missing; pass encode=True, a pipeline with an imputer, or a learner such as 'naive-bayes'"
            )
        if column.infinite:
            raise UsageError(f"{column.name} holds {column.infinite} infinite value(s); expected finite numbers")


def encoded(classifier: Any, table: Any, X: Any) -> tuple[Any, Any]:
    """Put an encoder before a classifier, where the columns need one; it learns from training sets alone."""
    kinds = columns_of(table)
    if not any(c.text or c.missing for c in kinds):
        return X, classifier
    refuse_written_numbers(table)
    import pandas as pd
    from sklearn.pipeline import make_pipeline

    text = [c.position for c in kinds if c.text]
    numbers = [c.position for c in kinds if not c.text]
    frame = table if hasattr(table, "iloc") else pd.DataFrame(table)
    for j in text:
        refuse_lists(kinds[j].name, frame.iloc[:, j])
    # one sign for what is missing, which the imputer knows
    columns = {
        j: frame.iloc[:, j].astype(object).where(frame.iloc[:, j].notna(), np.nan)
        if j in text
        else pd.to_numeric(frame.iloc[:, j]).astype(np.float64)
        for j in range(frame.shape[1])
    }
    return pd.DataFrame(columns), make_pipeline(column_encoder(numbers, text), classifier)


def column_encoder(numbers: list[int], names: list[int]) -> ColumnTransformer:
    """Return what fills missing values and makes a column of each category, learned from training sets alone."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    parts: list[tuple[str, Any, list[int]]] = []
    if numbers:
        parts.append(("numbers", SimpleImputer(strategy="median", keep_empty_features=True), numbers))
    if names:
        fill = SimpleImputer(strategy="most_frequent", keep_empty_features=True)
        onehot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        parts.append(("text", make_pipeline(fill, onehot), names))
    return ColumnTransformer(parts)
