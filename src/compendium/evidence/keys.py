"""The printed keys of an artifact as named columns: what a row and a column of a paper's table say.

The keys in ``data/published`` stay as they are.  An artifact's entry in ``artifacts.yaml`` declares of what they are
composed, row and column between a bar, one template or several, of which the first that fits reads a key::

    lis-field-guide:
      keys:
        - "{inducer}/{quantity} | {estimator*}"
        - "{quantity} | {estimator*}"

    MEASURED, COUNTED = keys_of("lis-field-guide")
    MEASURED.row("literal", Estimate(8.4, 0.25, 400), inducer="1-nn", quantity="rms-percent", estimator="loo")

Names are the same in all papers: ``inducer``, ``data_set``, ``problem`` (a synthetic population), ``size`` (cases of a
sample), ``estimator``, ``interval``, ``procedure``, ``scheme`` (of resampling), ``quantity``, ``summary`` (over which
cells), ``target`` (what an interval is meant to contain), ``other`` (what the first is compared with), ``bayes_error``,
``distance``, ``candidates``, ``item`` (what a row is of, where it is none of these), and letters that papers use.
``{name*}`` may itself hold a stroke, and ``{label}`` is what a column says that is no number, such as the winner.

Behind a column may stand what else is known of its number, one of :data:`ROLES`, as in ``rms-percent/halfwidth``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Row
from compendium.evidence.texts import declared_of
from errorest.errors import UsageError

__all__ = ["PARTS", "ROLES", "Keys", "keys_of", "parts_of", "tidy"]

ROLES = ("honest-halfwidth", "halfwidth", "reruns-least", "reruns-low", "reruns-high", "reruns-most")
"""What may stand behind a column, after a stroke, and is a number about the number."""

PARTS = ("of_row", "of_column", "group", "line", "role", "label")
"""Columns of a tidy table beside the named ones.

The key of the printed number; the row's last named part and what stands before it; the role of ours, and its label.
"""

_NAME = re.compile(r"\{(\w+)\*?\}")


@dataclass(frozen=True)
class Keys:
    """Of what the row and the column of an artifact's keys are composed.

    Parameters
    ----------
    rows, columns : str
        Templates whose braces name the columns of the tidy table; ``{name*}`` may itself hold a stroke.

    Examples
    --------
    >>> keys = Keys("{data_set}", "{inducer}")
    >>> parts = keys.parse("vehicle", "c4.5/halfwidth")
    >>> parts["data_set"], parts["inducer"], parts["role"]
    ('vehicle', 'c4.5', 'halfwidth')
    >>> keys.write(data_set="vehicle", inducer="c4.5")
    ('vehicle', 'c4.5')
    """

    rows: str
    columns: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the tidy table's columns, in the order of the templates."""
        return tuple(_NAME.findall(f"{self.rows} {self.columns}"))

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        # a name matches a text without strokes, a name with a star any text
        rows, columns = (
            re.sub(r"\\{(\w+)(\\\*)?\\}", lambda m: f"(?P<{m[1]}>{'.+' if m[2] else '[^/]+'})", re.escape(template))
            for template in (self.rows, self.columns)
        )
        return re.compile(rows), re.compile(columns)

    def write(self, **named: object) -> tuple[str, str]:
        """Return the printed key of named parts.

        Raises
        ------
        KeyError
            If the names are not those of the templates.
        """
        if set(named) != set(self.names):
            raise KeyError(f"{sorted(named)} where the keys are composed of {sorted(self.names)}")
        row, column = (_NAME.sub(lambda m: str(named[m[1]]), t) for t in (self.rows, self.columns))
        return row, column

    def row(self, reading: str, measured: Estimate, role: str = "", **named: object) -> Row:
        """Return the row of a measured value; ``role`` is empty or one of :data:`ROLES`."""
        row, column = self.write(**named)
        return Row.of(reading, row, f"{column}/{role}" if role else column, measured)

    def parse(self, row: str, column: str) -> dict[str, str] | None:
        """Return the named parts of a printed key with :data:`PARTS`; None if it is not composed like the templates.

        The role is ``value``, ``label`` or one of :data:`ROLES`.
        """
        role = next((one for one in ROLES if column.endswith(f"/{one}")), "value")
        column = column.removesuffix(f"/{role}")
        matches = [pattern.fullmatch(text) for pattern, text in zip(self._patterns, (row, column), strict=True)]
        if matches[0] is None or matches[1] is None:
            return None
        parts = matches[0].groupdict() | matches[1].groupdict()
        label = parts.pop("label", "")
        # rows are grouped by all parts of their template but the last
        line = _NAME.sub(lambda m: parts[m[1]], self.rows.rpartition("/")[2])
        printed = {"of_row": row, "of_column": column.removesuffix(f"={label}")}
        rows = {"group": row.removesuffix(line).removesuffix("/"), "line": line}
        return {**parts, **printed, **rows, "role": "label" if label else role, "label": label}


@cache
def keys_of(artifact: str) -> tuple[Keys, ...]:
    """Return the keys that an artifact declares; in one that declares none a row is an item, a column a quantity."""
    declared = declared_of(artifact).get("keys", "{item*} | {quantity*}")
    return tuple(Keys(*one.split(" | ")) for one in ([declared] if isinstance(declared, str) else declared))


def tidy(rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows of ``data/published`` or ``data/regenerated`` with the parts of their keys as columns.

    Each key is read by the first of its artifact's templates that fits; parts that a template does not name are empty.

    Raises
    ------
    UsageError
        If a key is not composed like any of its artifact's templates.
    """
    parts = [parts_of(*key) for key in zip(rows["artifact"], rows["row"], rows["column"], strict=True)]
    columns = [*dict.fromkeys(name for one in parts for name in one if name not in PARTS), *PARTS]
    return pd.concat([rows, pd.DataFrame(parts, index=rows.index, columns=columns).fillna("")], axis=1)


def names_of(artifacts: Iterable[str]) -> list[str]:
    """Return the names of the columns that artifacts declare, in order."""
    return list(dict.fromkeys(name for one in artifacts for keys in keys_of(one) for name in keys.names))


@cache
def parts_of(artifact: str, row: str, column: str) -> Mapping[str, str]:
    """Return the named parts of a key of an artifact with :data:`PARTS`."""
    for keys in keys_of(artifact):
        if (parts := keys.parse(row, column)) is not None:
            return parts
    templates = " or ".join(f"'{keys.rows} | {keys.columns}'" for keys in keys_of(artifact))
    raise UsageError(
        f"the key '{row} | {column}' of {artifact} is not composed like {templates}",
        "add a template to its keys: in artifacts.yaml",
    )
