"""The printed keys of an artifact as named columns: what a row and a column of a paper's table say, declared once.

The keys in ``data/published`` stay as they are.  An artifact declares of what they are composed::

    KEYS = Keys("{inducer}/{quantity}", "{estimator}")
    KEYS.row("literal", Estimate(8.4, 0.25, 400), inducer="1-nn", quantity="rms-percent", estimator="loo")

Behind a column may stand what else is known of its number: ``/halfwidth``, ``/reruns-low``, or ``=`` and a label.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from compendium.evidence.estimate import Estimate
from compendium.evidence.results import Row

__all__ = ["ROLES", "Keys"]

ROLES = ("honest-halfwidth", "halfwidth", "reruns-least", "reruns-low", "reruns-high", "reruns-most")
"""What may stand behind a column, after a stroke, and is a number about the number."""


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
    >>> keys.parse("vehicle", "c4.5/halfwidth")
    {'data_set': 'vehicle', 'inducer': 'c4.5', 'role': 'halfwidth', 'label': ''}
    >>> keys.write(data_set="vehicle", inducer="c4.5")
    ('vehicle', 'c4.5')
    """

    rows: str
    columns: str

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the tidy table's columns, in the order of the templates."""
        return tuple(re.findall(r"\{(\w+)\*?\}", f"{self.rows} {self.columns}"))

    def write(self, **named: object) -> tuple[str, str]:
        """Return the printed key of named parts.

        Raises
        ------
        KeyError
            If the names are not those of the templates.
        """
        if set(named) != set(self.names):
            raise KeyError(f"{sorted(named)} where the keys are composed of {sorted(self.names)}")
        row, column = (re.sub(r"\{(\w+)\*?\}", lambda m: str(named[m[1]]), t) for t in (self.rows, self.columns))
        return row, column

    def row(self, reading: str, measured: Estimate, role: str = "", **named: object) -> Row:
        """Make the row of a measured value; ``role`` is one of :data:`ROLES` or ``=label``."""
        row, column = self.write(**named)
        suffix = role if role.startswith("=") or not role else f"/{role}"
        return Row(reading, row, f"{column}{suffix}", measured.value, measured.se, measured.n)

    def parse(self, row: str, column: str) -> dict[str, str]:
        """Return the named parts of a printed key, its role (``value``, ``label`` or one of ROLES) and its label.

        Raises
        ------
        ValueError
            If the key is not composed like the templates.
        """
        label, role = "", "value"
        if self.columns.endswith("}") and "=" not in self.columns:
            column, _, label = column.partition("=")
        for one in ROLES:
            if column.endswith(f"/{one}"):
                column, role = column.removesuffix(f"/{one}"), one
        read: dict[str, str] = {}
        for template, text in ((self.rows, row), (self.columns, column)):
            if (found := _pattern(template).fullmatch(text)) is None:
                raise ValueError(f"the key '{text}' is none of '{template}'")
            read |= found.groupdict()
        return {**read, "role": "label" if label else role, "label": label}


def tidy(keys: tuple[Keys, ...], rows: pd.DataFrame) -> pd.DataFrame:
    """Return rows of ``data/published`` or ``data/regenerated`` with the parts of their keys as columns.

    Each key is read by the first of the templates that it is composed like; parts that a template does not name
    are empty.
    """
    read = [_first(keys, r, c) for r, c in zip(rows["row"], rows["column"], strict=True)]
    names = dict.fromkeys([*(name for one in keys for name in one.names), "role", "label"])
    parts = pd.DataFrame(read, index=rows.index, columns=list(names)).fillna("")
    return pd.concat([rows.drop(columns=["row", "column"]), parts], axis=1)


def _first(keys: tuple[Keys, ...], row: str, column: str) -> dict[str, str]:
    for one in keys:
        try:
            return one.parse(row, column)
        except ValueError:
            continue
    templates = " or ".join(f"'{one.rows} | {one.columns}'" for one in keys)
    raise ValueError(f"the key '{row} | {column}' is not composed like {templates or 'anything declared'}")


def _pattern(template: str) -> re.Pattern[str]:
    """Return what matches a template: a name stands for a text without strokes, a name with a star for any text."""
    text = re.sub(r"\\{(\w+)(\\\*)?\\}", lambda m: f"(?P<{m[1]}>{'.+' if m[2] else '[^/]+'})", re.escape(template))
    return re.compile(text)
