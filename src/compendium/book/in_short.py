"""The box on top of a page: what came out, in sentences whose numbers, signs and words are the runs'.

Texts stand in ``book/in-short.yml``, by notebook or paper, as templates.  What a template asks for is looked up in the
recorded rows, findings and outcomes; how many printed numbers agree and how many claims hold is added to each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from html import escape
from math import hypot
from typing import Any, NamedTuple

import jinja2
import pandas as pd
import yaml

from compendium.book.counted import named_counts
from compendium.book.labels import labeller
from compendium.book.numbers import number, row_anchor
from compendium.book.places import root
from compendium.evidence.records import dicts
from compendium.evidence.verdicts import headline

__all__ = ["Ours", "Shorts", "choose_words", "engine", "standing", "texts"]

_CLEAR = 2.0
"""Standard errors from which on one number counts as larger than another."""


class Ours(NamedTuple):
    """A recorded number as a sentence shows it, and as templates compare it."""

    row: str
    value: float
    se: float

    def __str__(self) -> str:
        """Write the value with its standard error, if it has one."""
        decimals = 1 if abs(self.value) >= 1 else 2
        text = number(self.value, self.se, decimals if self.se else 0)
        return f"{text} ± {number(self.se, self.se, decimals)}" if self.se > 0 else text


class _Linked(Ours):
    """A recorded number that leads to its row."""

    address = ""

    def __str__(self) -> str:
        """Write the number as a link."""
        return f'<a href="{escape(self.address)}">{super().__str__()}</a>'


def choose_words(one: Ours, other: Ours, more: str, less: str, alike: str) -> str:
    """Choose words by whether a number lies above another, below it, or within two standard errors."""
    apart = one.value - other.value
    error = hypot(one.se or 0.0, other.se or 0.0)
    if abs(apart) <= _CLEAR * error or apart == 0:
        return alike
    return more if apart > 0 else less


@lru_cache(maxsize=1)
def texts() -> Mapping[str, str]:
    """Return the templates by notebook or paper."""
    read = yaml.safe_load((root() / "book" / "in-short.yml").read_text(encoding="utf-8"))
    return {str(key): str(text).strip() for key, text in read.items()}


def standing(manifests: Sequence[Mapping[str, Any]]) -> str:
    """Say how many printed numbers of some artifacts agree, by kind of reading, and how many claims hold."""
    compared = [pd.DataFrame(m["comparison"]) for m in manifests if m.get("comparison")]
    said = []
    if compared:
        found = named_counts(pd.concat([headline(one) for one in compared], ignore_index=True))
        parts = [
            (found.literal.reproduced, "reproduced as the paper words it"),
            (found.unstated.reproduced, "reproduced where the paper is silent"),
            (found.fitted.reproduced, "reproduced by a reading that was fitted to them, which is no evidence"),
            (found.close, "close"),
            (found.differs, "different"),
            (found.no_power, "such that nearly anything would agree"),
        ]
        if found.judged:
            told = _joined([f"{n} {'is' if n == 1 else 'are'} {words}" for n, words in parts if n])
            few = found.judged == 1
            start = "The one printed number" if few else f"Of {found.judged} printed numbers"
            told = told.removeprefix("1 ").replace("fitted to them", "fitted to it") if few else told
            said.append(f"{start} that can be judged {told}.")
    outcomes = Counter(str(c["outcome"]) for m in manifests for c in m.get("checks", []))
    total = sum(outcomes.values())
    if total:
        verbs = {"holds": "hold", "holds in part": "hold in part", "fails": "fail", "not decided": "are not decided"}
        one = {"hold": "holds", "hold in part": "holds in part", "fail": "fails", "are not decided": "is not decided"}
        told = _joined([f"{n} {one[v] if n == 1 else v}" for k, v in verbs.items() if (n := outcomes[k])])
        few = total == 1
        start = "The one claim that was" if few else f"Of {total} claims that were"
        said.append(f"{start} put to the test {told.removeprefix('1 ') if few else told}.")
    return " ".join(said)


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _boxed(text: str) -> str:
    """Put a text, as Markdown, into the box."""
    return f"::::::{{admonition}} In short\n:class: errorest-short\n\n{text}\n::::::\n"


def engine() -> jinja2.Environment:
    """Return what fills the book's templates, whose marks leave braces and percent signs alone."""
    return jinja2.Environment(
        block_start_string="[%",
        block_end_string="%]",
        variable_start_string="[[",
        variable_end_string="]]",
        comment_start_string="[##",
        comment_end_string="##]",
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )


class _GapError(LookupError):
    """A template asks for what no run yields."""


class Shorts:
    """Fills the boxes from the rows, findings and outcomes of the book's runs."""

    def __init__(
        self, manifests: Mapping[str, Mapping[str, Any]], rows: pd.DataFrame, printed: Callable[..., str], whole: bool
    ) -> None:
        self._manifests = manifests
        self._rows = rows
        self._whole = whole
        self._links = False
        self._engine = engine()
        self._engine.globals.update(
            ours=self._ours,
            rows=self._column,
            cases=self._cases,
            label=self._label,
            above=choose_words,
            finding=self._finding,
            outcome=self._outcome,
            published=printed,
        )

    def box(self, key: str) -> str:
        """Return the box of a notebook or paper as Markdown; the empty text where no text is written for it."""
        if key not in texts():
            return ""
        told = [self._paragraph(key, text) for text in texts()[key].split("\n\n")]
        own = [m for m in self._manifests.values() if key in (m["notebook"], m["paper"])]
        told.insert(max(1, len(told) - 1), standing(own))
        return _boxed("\n\n".join(t for t in told if t))

    def paragraph(self, key: str, place: int) -> str:
        """Return one paragraph of a box for a page of the folder ``book``, its numbers as links to their rows.

        It is the empty text where a preview lacks its numbers.
        """
        self._links = True
        try:
            return self._paragraph(key, texts()[key].split("\n\n")[place])
        finally:
            self._links = False

    def _paragraph(self, key: str, text: str) -> str:
        try:
            return self._engine.from_string(text).render().strip()
        except _GapError as gap:
            # the check of the built pages looks for this class
            return f'<span class="errorest-gap">{escape(key)}: {escape(str(gap))}</span>' if self._whole else ""

    def _found(self, artifact: str, row: str, column: str, reading: str | None, scale: str | None) -> pd.DataFrame:
        r = self._rows
        found = r[(r["artifact"] == artifact) & (r["row"] == row) & (r["column"] == column)]
        if reading is not None:
            found = found[found["reading"] == reading]
        if scale is not None and (found["scale"] == scale).any():
            found = found[found["scale"] == scale]
        return found

    def _ours(self, artifact: str, row: str, column: str, reading: str | None = None, scale: str | None = None) -> Ours:
        found = self._found(artifact, row, column, reading, scale)
        if found.empty:
            raise _GapError(f"{artifact}, {row}, {column}")
        one = found.iloc[0]
        ours = (row, float(one["value"]), float(one["se"]) if pd.notna(one["se"]) else 0.0)
        if not self._links or artifact not in self._manifests:
            return Ours(*ours)
        linked, manifest = _Linked(*ours), self._manifests[artifact]
        linked.address = f"../notebooks/{manifest['notebook']}.html#{row_anchor(manifest, row, column)}"
        return linked

    def _column(self, artifact: str, column: str, begins: str = "", reading: str | None = None) -> list[Ours]:
        r = self._rows
        found = r[(r["artifact"] == artifact) & (r["column"] == column) & r["row"].str.startswith(begins)]
        found = found[found["reading"] == reading] if reading is not None else found
        return [Ours(o["row"], float(o["value"]), float(o["se"])) for o in dicts(found)]

    def _cases(self, artifact: str, column: str, ending: str) -> int:
        r = self._rows
        found = r[(r["artifact"] == artifact) & (r["column"] == column) & r["row"].str.endswith(ending)][
            "row"
        ].nunique()
        if not found:
            raise _GapError(f"{artifact}, {column}")
        return int(found)

    def _label(self, artifact: str, row: str) -> str:
        return labeller(self._manifests[artifact]["labels"])(row.rpartition("/")[2])

    def _finding(self, artifact: str, has: str) -> str:
        said = [str(f) for f in self._manifests.get(artifact, {}).get("findings", []) if has in f]
        if not said:
            raise _GapError(f"{artifact}, '{has}'")
        return said[0]

    def _outcome(self, artifact: str, begins: str, has: str = "") -> str:
        checks = self._manifests.get(artifact, {}).get("checks", [])
        said = [str(c["outcome"]) for c in checks if c["claim"].startswith(begins) and has in c["claim"]]
        if not said:
            raise _GapError(f"{artifact}, '{begins}'")
        return f"**{'is not decided' if said[0] == 'not decided' else said[0]}**"
