"""An artifact as HTML, in full and in short: which numbers stand where, with their errors and verdicts.

Numbers stand one below the other, or, where an artifact asks for it, as a grid with a column for each quantity.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

import pandas as pd
from markupsafe import Markup

from compendium.book.citation import Part, Work, apa, bibtex
from compendium.book.labels import labeller
from compendium.book.source_state import short
from compendium.book.templating import breakable, fill, number, row_anchor
from compendium.evidence.claims import counted
from compendium.evidence.papers import PAPERS
from compendium.evidence.side_by_side import COUNTS_FIRST
from compendium.evidence.verdicts import KINDS, counts

_ROUNDING = 1e-12
# So few samples, or fewer, explain by themselves why a number is not defined
_FEW = 3
# Rows from which on, exclusively, a table that stands under a figure is folded
_LONG = 30
# Numbers from which on, exclusively, the text shows a figure and no table
_HEADLINE_NUMBERS = 130
# The same for a paper's figure without printed numbers to compare with: the picture shows ours
_HEADLINE_NUMBERS_PICTURED = 30
# The same where there is no figure: the text has the findings then
_HEADLINE_NUMBERS_ALONE = 200
# Columns that fit into the text, where the printed number stands below ours
_HEADLINE_COLUMNS = 7
# Columns that fit into the text as pairs of the printed number and ours
_PAIRED_COLUMNS = 3
_RELATIONS = {">": "> ", "~": "≈ "}
_NUMERIC = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?")

_Key = tuple[str, str]
# A reading and a scale
_Run = tuple[str, str]


@dataclass(frozen=True)
class Cell:
    """A number with its error, notes and verdict; of a run without verdicts with its z alone."""

    text: str = ""
    small: str = ""
    printed: str = ""
    samples: int = 0
    relation: str = ""
    verdict: str = ""
    z: str = ""
    note: str = ""
    note_name: str = "note"


class Line(NamedTuple):
    """A row; one with an anchor says how it is cited: its name, and each number with its error."""

    name: str
    anchor: str
    cells: Sequence[Cell]
    cite: str = ""


class Head(NamedTuple):
    """A heading of a column; a column of the class "text" has verdicts as badges."""

    text: str
    css: str = "num"
    small: str = ""


@dataclass(frozen=True)
class Grid:
    """A table; a text among its rows is the heading of those below."""

    label: str
    number: str
    caption: str
    heads: Sequence[Head]
    rows: Sequence[Line | str]
    spans: Sequence[str] = ()
    matrix: bool = False


@dataclass(frozen=True)
class Block:
    """A table under the name of its reading, or several blocks; folded where there is a summary."""

    grid: Grid | None = None
    reading: str = ""
    summary: str = ""
    css: str = ""
    blocks: Sequence[Block] = ()


class ArtifactTables:
    """Lays out the numbers of a manifest."""

    def __init__(self, manifest: Mapping[str, Any]) -> None:
        self._manifest = manifest
        self._rows: Sequence[Mapping[str, Any]] = manifest["rows"]
        self._label = labeller(manifest["labels"])
        self._title = f"{manifest['number']}: {manifest['title']}"
        self._all_exact = all(r["se"] == 0 and r["n"] <= 1 for r in self._rows)
        self._ours = _by_run(self._rows)
        self._judged = _by_run(manifest["comparison"])
        self._printed: dict[_Key, Mapping[str, Any]] = {(c["row"], c["column"]): c for c in manifest["comparison"]}
        # by what stands before an equals sign, the name behind it
        parts = [(r, *r["column"].partition("=")[::2]) for r in reversed(self._rows)]
        self._named = {(r["row"], column, r["reading"], r["scale"]): name for r, column, name in parts}

    def blocks(self) -> list[Block]:
        """Return the numbers at the paper's repeats, then those with more, then the half-widths."""
        if not self._rows:
            return []
        runs = list(dict.fromkeys((r["reading"], r["scale"]) for r in self._rows))
        first = [r for r in runs if "enlarged" not in r[1]]
        more = [r for r in runs if "enlarged" in r[1]]
        lay_out = self._matrices if self._manifest.get("matrix") else self._list
        head, *rest = lay_out(first or more)
        blocks = [self._folded(head), *rest]
        if first and more:
            blocks.append(Block(summary="With more repeats", blocks=lay_out(more)))
        if any(r["column"].endswith("/halfwidth") for r in self._rows) and any(
            c["halfwidth_verdict"] for c in self._manifest["comparison"]
        ):
            blocks.append(Block(self._half_widths(first), summary="Half-widths"))
        return blocks

    def headline(self) -> Block | None:
        """Return the headline reading at the published scale as a grid; none where it is too long for a text.

        The shorter side of the keys gives the columns; a grid with more gaps than numbers is a list instead.
        """
        runs = self._headline_runs()
        most = _HEADLINE_NUMBERS_ALONE
        if self._manifest.get("figure"):
            pictured = self._manifest["number"].startswith("Figure") and not self._printed
            most = _HEADLINE_NUMBERS_PICTURED if pictured else _HEADLINE_NUMBERS
        if not runs or len(runs) > most:
            return None
        rows, columns = (list(dict.fromkeys(key[side] for key in runs)) for side in (0, 1))
        if turned := len(columns) > min(_HEADLINE_COLUMNS, len(rows)):
            rows, columns = columns, rows
        # of readings with equally many numbers the first: a set would choose by the hashes of this process
        base = max(dict.fromkeys(runs.values()), key=list(runs.values()).count)
        paired = bool(self._printed) and len(columns) <= _PAIRED_COLUMNS
        caption = self._caption(base[1], signs=True)
        compared = partial(self._compared, runs=runs, base=base, brief=True)
        if len(columns) > _HEADLINE_COLUMNS or 2 * len(runs) < len(rows) * len(columns):
            listed = [(key, compared(key, paired=True)) for key in runs]
            heads = [Head("Published"), Head("Ours")] if self._printed else [Head("Ours")]
            return Block(self._grouped(listed, heads, caption))
        columns.sort(key=lambda column: column not in COUNTS_FIRST)
        keys = {row: [(c, row) if turned else (row, c) for c in columns] for row in rows}
        lines = [
            Line(
                self._label(row),
                "",
                [cell for key in own for cell in compared(key, paired=paired)],
            )
            for row, own in keys.items()
        ]
        names = [self._label(c) for c in columns]
        if paired:
            heads = [Head("Published"), Head("Ours")] * len(columns)
            return Block(Grid(self._title, self._manifest["number"], caption, heads, lines, names, True))
        if self._printed:
            caption += " The printed number stands below ours."
        return Block(Grid(self._title, self._manifest["number"], caption, [Head(n) for n in names], lines))

    def _headline_runs(self) -> dict[_Key, _Run]:
        """Return the headline run of each key: literal before unstated before fitted, at published repeats."""
        known = set(self._printed) | {(r["row"], r["column"]) for r in self._rows}
        results: dict[_Key, tuple[tuple[int, bool], _Run]] = {}
        for r in self._rows:
            key, kind = (r["row"], r["column"]), r["reading"].partition(":")[0]
            label = (r["row"], r["column"].partition("=")[0])
            if label != key and self._printed.get(label, {}).get("kind") == "label":
                # our label takes its place, as in ``best=.632``
                key = label
            elif _is_part(r["column"], r["row"], known):
                continue
            rank = (KINDS.index(kind) if kind in KINDS else 0, "enlarged" in r["scale"])
            if key not in results or rank < results[key][0]:
                results[key] = (rank, (r["reading"], r["scale"]))
        return {key: run for key, (_, run) in results.items()}

    def _compared(
        self, key: _Key, runs: Mapping[_Key, _Run], base: _Run, *, paired: bool, brief: bool = False
    ) -> list[Cell]:
        """Return a number of ours with the printed one, before it or below it; empty where there is neither."""
        if key not in runs:
            return [Cell()] * (1 + (paired and bool(self._printed)))
        note = "" if runs[key][0] == base[0] else runs[key][0]
        ours = replace(self._number(key, runs[key]), note=note, note_name="reading")
        if brief:
            ours = replace(ours, small=ours.small.removeprefix("exact"))
        if not self._printed:
            return [ours]
        printed = self._print(key)
        return [printed, ours] if paired else [replace(ours, printed=f"{printed.relation}{printed.text}")]

    def _folded(self, block: Block) -> Block:
        """Fold a long table under its figure; the summary counts its rows and verdicts."""
        rows = sum(isinstance(row, Line) for row in block.grid.rows) if block.grid else 0
        if rows <= _LONG or not self._manifest.get("figure"):
            return block
        result = counts(pd.DataFrame(self._manifest["comparison"])) if self._manifest["comparison"] else {}
        verdicts = "".join(f", {n} {verdict}" for verdict, n in result.items() if n)
        summary = f"{self._manifest['number']} in numbers: {rows} rows{verdicts}"
        return Block(summary=summary, css="errorest-long", blocks=[block])

    def _list(self, runs: Sequence[_Run]) -> list[Block]:
        """Lay out the numbers one below the other, with a pair of columns for each run."""
        labels = {key for key, c in self._printed.items() if c["kind"] == "label"}
        known = labels | {(r["row"], r["column"]) for r in self._rows}
        shown = [(r["row"], r["column"]) for r in self._rows if not _is_part(r["column"], r["row"], known)]
        keys = sorted(dict.fromkeys([*self._printed, *shown]), key=lambda key: key[1] not in COUNTS_FIRST)
        heads = [Head("Published")] if self._printed else []
        for reading, _ in runs:
            heads.append(Head(breakable(reading)))
            if self._printed:
                heads.append(Head("Verdict" if self._manifest["scale"] == "published" else "z", "text"))
        rows = []
        for key in keys:
            cells = [self._print(key)] if self._printed else []
            for ours in (self._number(key, run) for run in runs):
                cells.append(replace(ours, verdict="", z=""))
                cells += [Cell(verdict=ours.verdict, z=ours.z)] if self._printed else []
            rows.append((key, cells))
        anchored = all("enlarged" not in scale for _, scale in runs)
        return [Block(self._grouped(rows, heads, self._caption(runs[0][1]), anchored=anchored))]

    def _half_widths(self, runs: Sequence[_Run]) -> Grid:
        """Lay out the printed half-widths, ours by the paper's rule, and the honest ones."""
        honest = any(r["column"].endswith("/honest-halfwidth") for r in self._rows)
        heads = [Head("Published")]
        for reading, _ in runs:
            heads += [Head(breakable(reading), small="the paper's rule"), Head("Verdict", "text")]
            heads += [Head("honest")] if honest else []
        widths = [r for r in self._rows if r["column"].endswith("/halfwidth")]
        rows = []
        for key in dict.fromkeys((r["row"], r["column"].removesuffix("/halfwidth")) for r in widths):
            if key not in self._printed:
                continue
            decimals = self._printed[key]["decimals"]
            cells = [Cell(f"{self._printed[key]['halfwidth']:.{int(decimals)}f}")]
            for run in runs:
                judged = self._judged.get((*key, *run))
                cells.append(Cell(number(judged["ours_halfwidth"], 0.01, decimals) if judged else "–"))
                cells.append(Cell(verdict=judged["halfwidth_verdict"] if judged else ""))
                if honest:
                    own = self._ours.get((key[0], f"{key[1]}/honest-halfwidth", *run))
                    cells.append(Cell(number(own["value"], 0.01, decimals) if own else "–"))
            rows.append((key, cells))
        return self._grouped(rows, heads, "Printed half-widths, ours by the paper's rule, and the honest ones.")

    def _grouped(
        self,
        rows: Sequence[tuple[_Key, Sequence[Cell]]],
        heads: Sequence[Head],
        caption: str,
        *,
        anchored: bool = False,
    ) -> Grid:
        """Group rows by the shorter side of their keys, so that a group is a list to read down."""
        by_column = len({c for (_, c), _ in rows}) <= len({r for (r, _), _ in rows})
        groups: dict[str, list[Line | str]] = {}
        for (row, column), cells in rows:
            line = Line(self._label(row if by_column else column), "", cells)
            if anchored:
                anchor = row_anchor({**self._manifest, "matrix": False}, row, column)
                numbers = [(_side(head), c) for head, c in zip(heads, cells, strict=True) if head.css == "num"]
                line = line._replace(anchor=anchor, cite=self._entry((row, column), numbers))
            groups.setdefault(column if by_column else row, []).append(line)
        named = len(groups) > 1 or by_column
        lines = [line for name, own in groups.items() for line in ([self._label(name), *own] if named else own)]
        return Grid(self._title, self._manifest["number"], caption, heads, lines)

    def _matrices(self, runs: Sequence[_Run]) -> list[Block]:
        """Lay out the headline readings as a grid, then, folded, each reading that has more."""
        shown = [(r["row"], r["column"]) for r in self._rows if not _is_part(r["column"])]
        every = list(dict.fromkeys([*self._printed, *shown]))
        first = {key: next((run for run in runs if (*key, *run) in self._named), runs[0]) for key in every}
        blocks = [Block(self._matrix(first, runs[0]), reading=runs[0][0] if len(runs) > 1 else "")]
        for run in runs[1:]:
            own = {key: run for key in every if (*key, *run) in self._named and first[key] != run}
            if own:
                summary = Markup("Reading: ") + breakable(run[0])
                blocks.append(Block(self._matrix(own, run, anchored=False), summary=summary))
        return blocks

    def _matrix(self, runs: Mapping[_Key, _Run], run: _Run, *, anchored: bool = True) -> Grid:
        """Lay out numbers as a grid; one of another run than the grid's names its reading."""
        columns = sorted(dict.fromkeys(c for _, c in runs), key=lambda column: column not in COUNTS_FIRST)
        names = list(dict.fromkeys(r for r, _ in runs))
        if grouped := all("/" in name for name in names):
            # a paper that prints two classifiers side by side interleaves their rows
            order = list(dict.fromkeys(name.rpartition("/")[0] for name in names))
            names.sort(key=lambda name: order.index(name.rpartition("/")[0]))
        labels = [self._label(c) for c in columns]
        heads = [Head("Published"), Head("Ours")] * len(columns) if self._printed else [Head(name) for name in labels]
        sides = [f"{name}, {side}" for name in labels for side in ("published", "ours")] if self._printed else labels
        rows: list[Line | str] = []
        group = None
        for row in names:
            of, _, name = row.rpartition("/") if grouped else ("", "", row)
            if grouped and of != group:
                rows.append(self._label(group := of))
            cells: list[Cell] = []
            for key in ((row, column) for column in columns):
                cells += self._compared(key, runs, run, paired=True)
            line = Line(self._label(name), "", cells)
            if anchored and "enlarged" not in run[1]:
                cite = self._entry((row,), zip(sides, cells, strict=True))
                line = line._replace(anchor=row_anchor(self._manifest, row, ""), cite=cite)
            rows.append(line)
        caption, spans = self._caption(run[1], signs=True), labels if self._printed else []
        return Grid(f"{self._title}, {run[0]}", self._manifest["number"], caption, heads, rows, spans, True)

    def _entry(self, key: Sequence[str], numbers: Iterable[tuple[str, Cell]]) -> str:
        """Write a row as a reference gives it: what it is of, and its numbers with their errors."""
        there = [(name, c) for name, c in numbers if c.text.strip("–") or c.small]
        texts = (" ".join(filter(None, (name, f"{c.relation}{c.text}", c.small))) for name, c in there)
        return f"{', '.join(map(self._label, key))}: {'; '.join(texts)}"

    def _number(self, key: _Key, run: _Run) -> Cell:
        """Return our number, or our label, of a key with its verdict."""
        ours, printed = self._ours.get((*key, *run)), self._printed.get(key)
        if ours is not None:
            cell = with_error(ours, printed["decimals"] if printed else None, all_exact=self._all_exact)
        elif printed is not None and printed["kind"] == "label":
            cell = Cell(self._named.get((*key, *run), "–"))
        else:
            return Cell("–")
        judged = self._judged.get((*key, *run), {"verdict": "", "z": None})
        z = judged["z"]
        return replace(cell, verdict=judged["verdict"], z=number(z, 0.1, 0) if z is not None and isfinite(z) else "")

    def _print(self, key: _Key) -> Cell:
        p = self._printed.get(key)
        if p is None:
            return Cell("–")
        half, text = p["halfwidth"], str(p["printed"])
        width = f"(half-width {half:.{int(p['decimals'] or 0)}f})" if half is not None and isfinite(half) else ""
        text = text.replace("-", "−") if _NUMERIC.fullmatch(text) else text
        return Cell(text, width, relation=_RELATIONS.get(p["relation"], ""), note=p["note"] or "")

    def _caption(self, scale: str, *, signs: bool = False) -> Markup:
        """Return the caption, which ends with whose numbers stand there, and from which run."""
        compared = bool(self._printed)
        caption = fill(
            "caption.html",
            m=self._manifest,
            own=not PAPERS[self._manifest["paper"]].printed,
            enlarged="enlarged" in scale,
            compared=compared,
            all_exact=self._all_exact,
            signs=signs and compared,
        )
        return Markup(caption)


def _side(head: Head) -> str:
    """Return whose a column's numbers are, in a reference: published, or ours in a reading."""
    return "published" if head.text == "Published" else f"ours ({Markup(head.text).striptags()})"


def _by_run(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, ...], Mapping[str, Any]]:
    """Return the first row of each key and run."""
    return {(r["row"], r["column"], r["reading"], r["scale"]): r for r in reversed(rows)}


def _is_part(column: str, row: str = "", known: Container[_Key] | None = None) -> bool:
    """Whether a row of ours belongs to another: a half-width, quantiles of reruns, a number of another label."""
    if column.endswith("halfwidth") or "/reruns-" in column:
        return True
    name, named, _ = column.partition("=")
    return bool(named) and (known is None or (row, name) in known)


def with_error(ours: Mapping[str, Any], decimals: float | None, *, all_exact: bool) -> Cell:
    """Return a number with its standard error, or the reason why there is none: sampled numbers are not exact."""
    value, se, n = ours["value"], ours["se"], ours["n"]
    few = f": {counted(n, 'sample')}" if 0 < n <= _FEW else ""
    if value is None or not isfinite(value):
        return Cell(small=f"not defined{few}")
    if se is not None and 0 < se <= _ROUNDING * max(1.0, abs(value)):
        # sums of equal numbers leave this much
        se = 0.0
    text = number(value, se, decimals)
    if se is None or not isfinite(se):
        return Cell(text)
    if se > 0:
        return Cell(text, f"± {number(se, se, decimals)}")
    if all_exact:
        return Cell(text)
    return Cell(text, "exact") if n <= 1 else Cell(text, samples=n)


_OUTCOME_CLASSES = {"holds": "reproduced", "fails": "differs", "holds in part": "close", "not decided": "none"}
# The outcome of a claim in a run that is not the published one, which can settle nothing
_IN_THIS_RUN = {"holds": "so in this run", "fails": "not so in this run", "holds in part": "in part, in this run"}


@dataclass(frozen=True)
class Placed:
    """What a page of the book adds to an artifact."""

    commit: str
    source: str
    work: Work
    part: Part
    code: Markup


def artifact_html(manifest: Mapping[str, Any], files: str, placed: Placed | None = None) -> str:
    """Render an artifact from its manifest."""
    downloads = []
    for name in manifest["files"]:
        stem, _, kind = name.rpartition(".")
        part = stem.removeprefix(manifest["id"]).strip("-")
        downloads.append((name, f"{kind.upper()} ({part})" if part else kind.upper()))
    return fill(
        "artifact.html",
        **_shared(manifest, files),
        blocks=ArtifactTables(manifest).blocks(),
        wholes=[
            w["said"] for w in manifest.get("wholes", []) if (w["reading"], w["scale"]) == ("headline", "published")
        ],
        downloads=downloads,
        placed=placed,
        state=short(placed.commit) if placed else (),
        apa=apa(placed.work, placed.part) if placed else "",
        bibtex=bibtex(placed.work, placed.part) if placed else "",
    )


def story_html(manifest: Mapping[str, Any], files: str, placed: Placed, counts: str) -> str:
    """Render what the text shows of an artifact: figure, headline reading, findings, code, and a link to the rest."""
    parts = {
        "every reading and scale": manifest["rows"],
        "claims": manifest["checks"] and manifest["figure"],
        "downloads and provenance": True,
    }
    return fill(
        "story.html",
        **_shared(manifest, files),
        headline=ArtifactTables(manifest).headline(),
        counts=counts,
        what=", ".join(name for name, there in parts.items() if there),
        placed=placed,
    )


def _shared(manifest: Mapping[str, Any], files: str) -> dict[str, Any]:
    """Return what both templates of an artifact take."""
    published = manifest["scale"] == "published"
    claims = {"outcomes": {} if published else _IN_THIS_RUN, "outcome_classes": _OUTCOME_CLASSES}
    return {"m": {"figure": None, **manifest}, "files": files, "published": published, **claims}
