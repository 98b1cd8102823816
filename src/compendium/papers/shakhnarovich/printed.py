"""What the paper prints, held against itself and against our trials: Tables 2 and 4, 8 to 15, and the .632+ in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr

from compendium.evidence.claims import Claim, equal, signed
from compendium.evidence.judging import judge
from compendium.evidence.records import distinct, each, parts
from compendium.evidence.regenerated import Check, Erratum, Regenerated, Row
from compendium.papers.shakhnarovich.names import case_title, symbol_of

__all__ = ["form_held_against", "recomputed", "rows_held_against", "significant_lines", "table_of"]

_TABLES = {"shakhnarovich-table-2": "Table 2", "shakhnarovich-table-4": "Table 4"}
_COLUMNS = ("mean", "std", "rmse")
_LEVEL = 0.01
_CLEAR = 2.0

Texts = Mapping[tuple[str, str, str], str]
"""Printed texts by artifact, row and column."""


def table_of(place: str) -> int:
    """Return the number of the table that holds all estimators of a setting or data set."""
    return {"breast-cancer": 13, "vehicle": 14, "pima": 15}.get(place) or int(place) + 7


def _texts(published: pd.DataFrame) -> Texts:
    told = published[published["kind"].isin(["result", "label"])]
    return {(line.artifact, line.row, line.column): line.value for line in each(told)}


def _three(texts: Texts, number: int, row: str) -> tuple[str, ...]:
    """Return mean, standard deviation and RMSE of a row of one of Tables 8 to 15 as printed; empty where one lacks."""
    found = [texts.get((f"shakhnarovich-table-{number}", row, column), "") for column in _COLUMNS]
    return tuple(found) if all(found) else ()


def recomputed(p: Any, result: Regenerated, published: pd.DataFrame) -> Regenerated:
    """Check each printed line of a contest: its sign, the p-value that follows, and the rows that its labels name.

    The number of trials of a line is that of the result's data ``contests``, whose first line of a case is ours.
    """
    texts = _texts(published)
    ours = {line.row: line for line in reversed(each(result.data["contests"]))}
    artifacts = {row: artifact for artifact, row, column in texts if artifact in _TABLES and column == "alpha"}
    lines = {row: (artifacts[row], ours[row]) for row in distinct(result.data["contests"]["row"]) if row in artifacts}
    if not lines:
        return Regenerated()
    frame = pd.DataFrame(
        [
            _line(row, int(own.n), {column: text for (a, r, column), text in texts.items() if (a, r) == (table, row)})
            for row, (table, own) in lines.items()
        ]
    )
    alphas = [
        f"{case_title(line.row)} (prints {texts[artifacts[line.row], line.row, 'alpha']}, {line.alpha_follows:.2g} "
        "follows)"
        for line in each(frame)
        if not line.alpha_agrees
    ]
    labels = {row: wrong for row, (table, _) in lines.items() if (wrong := _mislabelled(texts, table, row))}
    signs = [case_title(line.row) for line in each(frame) if not line.sign_agrees]
    larger = [case_title(line.row) for line in each(frame) if line.alpha > _LEVEL]
    checks = [
        _lines_in_print(claim, name, wrong, len(frame))
        for claim, name, wrong in (
            (
                "In print, the sign of √μ_d goes with the two RMSEs of its line.",
                "lines in which it contradicts them",
                signs,
            ),
            (
                "In print, each p follows from μ_d, σ_d and the number of trials.",
                "lines in which, with all rounding allowed for and whatever the sign, another p follows",
                alphas,
            ),
            (
                "In print, the numbers beside a label are those of the estimator that it names.",
                "lines in which they are those of another one",
                list(map(case_title, labels)),
            ),
        )
    ]
    errata = [one for row, wrong in labels.items() for one in _wrong_labels(texts, *lines[row], wrong)]
    errata += [_wrong_sign(line, *lines[line.row], texts) for line in each(frame) if not line.sign_agrees]
    errata += [_wrong_alpha(line, *lines[line.row], texts) for line in each(frame) if not line.alpha_agrees]
    finding = f"The printed p is over .01 in {len(larger)} lines ({'; '.join(larger) or 'none'})."
    named = _as_named(result, published[published["artifact"].isin(_TABLES)])
    return Regenerated(named, {"printed-lines": frame}, checks, [finding], errata)


def _lines_in_print(claim: str, name: str, wrong: Sequence[str], lines: int) -> Check:
    """Hold what should be so in each line against the lines in which it is not, in words."""
    told = f"{lines} lines in print" + (f": not in {'; '.join(wrong)}" if wrong else "")
    return Claim(claim, [equal(name, len(wrong), 0)], context=told).check()


def _as_named(result: Regenerated, published: pd.DataFrame) -> list[Row]:
    """Make the rows of what the paper names, where ours is another."""
    if "rivals" not in result.data:
        return []
    rivals = result.data["rivals"]
    printed = {key: dict(zip(of.column, of.value, strict=True)) for key, of in parts(_labels(published), "row").items()}
    first: dict[tuple[str, str, str], str] = {}
    for r in result.rows:
        side, named_so, label = r.column.partition("=")
        if named_so:
            first.setdefault((r.reading, r.row, side), label)
    rows = []
    for (row, reading), own in parts(rivals, "row", "reading").items():
        named = printed.get(row, {})
        if not named or all(first.get((reading, row, side)) == label for side, label in named.items()):
            continue
        wanted = {*named.values(), "/".join(named.values())}
        rows += [
            Row(reading, row, f"{r.column}={r.label}", r.value, r.se, r.n)
            for r in each(own)
            if r.label in wanted and named.get(r.column.partition("-")[0], r.label) == r.label
        ]
    return rows


def _labels(published: pd.DataFrame) -> pd.DataFrame:
    return published[published["kind"] == "label"] if "kind" in published else published.iloc[:0]


def _mislabelled(texts: Texts, table: str, row: str) -> dict[str, str]:
    """Return the estimator whose numbers stand beside each label (new, old) that names another one."""
    place, classifier = row.split("/")
    number = table_of(place)
    known = distinct(
        r.split("/")[1]
        for artifact, r, _ in texts
        if artifact == f"shakhnarovich-table-{number}" and r.startswith(f"{classifier}/")
    )
    found = {}
    for side in ("new", "old"):
        beside = [texts.get((table, row, f"{side}-{column}"), "") for column in _COLUMNS]
        held = [e for e in known if _all_same(beside, _three(texts, number, f"{classifier}/{e}"))]
        if len(held) == 1 and texts[table, row, side] not in held:
            found[side] = held[0]
    return found


def _all_same(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether printed numbers are the same but for digits that one of the two leaves out."""
    pairs = list(zip(left, right, strict=False))
    return len(pairs) == len(_COLUMNS) and all(
        a and abs(float(a) - float(b)) <= 0.5 * 10.0 ** -min(_decimals(a), _decimals(b)) + 1e-12 for a, b in pairs
    )


def _decimals(text: str) -> int:
    return len(text.partition(".")[2])


def _starred(estimator: str) -> str:
    """Write an estimator's symbol so that two stars in a sentence are no emphasis."""
    return symbol_of(estimator).replace("*", "\\*")


def _wrong_labels(texts: Texts, table: str, own: Any, held: Mapping[str, str]) -> list[Erratum]:
    place = own.row.split("/")[0]
    names = {"new": own.new, "old": own.old}
    return [
        Erratum(
            f"{_TABLES[table]}, {case_title(own.row)}",
            f"the label {symbol_of(texts[table, own.row, side])}, with mean, standard deviation and RMSE of "
            f"{', '.join(texts[table, own.row, f'{side}-{c}'] for c in _COLUMNS)}",
            f"the label {symbol_of(estimator)}, or the numbers of the one that stands there",
            f"Table {table_of(place)} prints these numbers for {_starred(estimator)}. Our best {side} one is "
            f"{_starred(names[side])}.",
        )
        for side, estimator in held.items()
    ]


def _wrong_sign(line: Any, table: str, own: Any, texts: Texts) -> Erratum:
    new, old, root = (texts[table, line.row, column] for column in ("new-rmse", "old-rmse", "sqrt-mu-d"))
    return Erratum(
        f"{_TABLES[table]}, {case_title(line.row)}, √μ_d",
        f"{root}, with new {new} and old {old}",
        f"a number that goes with the two RMSEs, whose squares differ by {_small(line.difference)} (old minus new)",
        f"Ours, {symbol_of(own.old)} minus {symbol_of(own.new)}: {_small(own.mu_d)} from {own.n} trials.",
    )


def _small(value: float) -> str:
    return f"{value:+.2g}".replace("-", "−")


def _wrong_alpha(line: Any, table: str, own: Any, texts: Texts) -> Erratum:
    alpha, root, sigma = (texts[table, line.row, column] for column in ("alpha", "sqrt-mu-d", "sigma-d"))
    return Erratum(
        f"{_TABLES[table]}, {case_title(line.row)}, α",
        f"{alpha}, beside √μ_d = {root} and σ_d = {sigma}",
        f"{line.alpha_follows:.2g}, by the line's own numbers and {own.n} trials",
        f"With all rounding allowed for, and whatever the sign, {line.alpha_least:.2g} to {line.alpha_most:.2g} "
        f"follows. Ours: {own.alpha:.2g}, from μ_d = {own.mu_d:.2g} and σ_d = {own.sigma_d:.2g}.",
    )


def _line(row: str, n: int, texts: dict[str, str]) -> dict[str, object]:
    root, sigma, alpha = (texts[column] for column in ("sqrt-mu-d", "sigma-d", "alpha"))
    gap = float(texts["old-rmse"]) ** 2 - float(texts["new-rmse"]) ** 2
    least, follows, most = (_p_value(root, sigma, n, digits) for digits in (0.5, 0.0, -0.5))
    return {
        "row": row,
        "n": n,
        "difference": gap,
        "sqrt_mu_d": float(root),
        "sign_agrees": gap * float(root) >= 0,
        "alpha": float(alpha),
        "alpha_least": least,
        "alpha_follows": follows,
        "alpha_most": most,
        "alpha_agrees": least <= _rounded(alpha, 0.5) and _rounded(alpha, -0.5) <= most,
    }


def _rounded(text: str, digits: float) -> float:
    """Move a printed number by a part of its last digit; a power of ten by a power of ten."""
    if "e" in text:
        return float(text) * 10 ** (2 * digits)
    return max(float(text) + digits * 10.0 ** -_decimals(text), 0.0)


def _p_value(root: str, sigma: str, n: int, digits: float) -> float:
    """Return the one-sided p that follows from a printed line, its numbers moved towards a smaller p."""
    # a bare power of ten may be off by half a decade
    power = float(sigma) * 10**-digits if sigma.startswith("1e") else 0.0
    deviation = power or _rounded(sigma, -min(digits, 0.49) if "e" not in sigma else 0.0)
    mu = _rounded(root.lstrip("-"), digits) ** 2
    return float(ndtr(-mu / (deviation / sqrt(n)))) if deviation > 0 else 0.0


def rows_held_against(p: Any, result: Regenerated, published: pd.DataFrame, *, number: int) -> Regenerated:
    """Look for rows of one of Tables 8 to 15 that are printed twice, or that stand in each other's place.

    Reads data ``differences`` (:func:`~compendium.papers.shakhnarovich.tables.paired_differences`), which says what the
    same two rows differ by in our trials.
    """
    texts = _texts(published)
    errata = []
    for (first, second), own in parts(result.data.get("differences", _NO_PAIRS), "first", "second").items():
        shown = [
            (line, pair)
            for line in each(own)
            if all(pair := [_three(texts, number, f"{line.classifier}/{e}") for e in (first, second)])
        ]
        same = [line for line, pair in shown if pair[0] == pair[1]]
        if any(_clear(line) for line in same):
            errata.append(_printed_twice(number, first, second, same))
        gaps = [(line, float(pair[0][0]) - float(pair[1][0])) for line, pair in shown]
        if any(_clear(line) and gap * line.difference < 0 for line, gap in gaps):
            errata.append(_exchanged(number, first, second, gaps))
    return Regenerated(errata=errata)


_NO_PAIRS = pd.DataFrame(columns=["classifier", "first", "second", "difference", "se", "n", "equal"])


def _clear(line: Any) -> bool:
    return bool(abs(line.difference) > _CLEAR * line.se)


def _told(line: Any) -> str:
    return f"{symbol_of(line.classifier)} {signed(line.difference, 4)} ± {line.se:.4f}"


def _printed_twice(number: int, first: str, second: str, same: Sequence[Any]) -> Erratum:
    sure = [symbol_of(line.classifier) for line in same if _clear(line)]
    names = f"{symbol_of(first)} and {symbol_of(second)}"
    return Erratum(
        f"Table {number}, rows {names}",
        f"the same mean, standard deviation and RMSE in both rows: {', '.join(symbol_of(x.classifier) for x in same)}",
        "two different rows",
        f"Ours on the same samples and resamples, mean of {symbol_of(first)} minus {symbol_of(second)} (± standard "
        f"error, {max(line.n for line in same)} trials): {'; '.join(map(_told, same))}. Beyond two standard errors "
        f"for: {', '.join(sure)}; equal in {sum(line.equal for line in same)} of {sum(line.n for line in same)} "
        "pairs of estimates.",
    )


def _exchanged(number: int, first: str, second: str, gaps: Sequence[tuple[Any, float]]) -> Erratum:
    against = [symbol_of(line.classifier) for line, gap in gaps if _clear(line) and gap * line.difference < 0]
    agree = [symbol_of(line.classifier) for line, gap in gaps if _clear(line) and gap * line.difference > 0]
    unsure = [symbol_of(line.classifier) for line, gap in gaps if not _clear(line) or gap == 0]
    told = "; ".join(f"{_told(line)} (printed {signed(gap, 3)})" for line, gap in gaps)
    return Erratum(
        f"Table {number}, rows {symbol_of(first)} and {symbol_of(second)}",
        "the two rows as they stand",
        f"exchanged, as far as our trials decide it: {', '.join(against)}",
        f"Ours on the same samples, mean of {symbol_of(first)} minus {symbol_of(second)} (± standard error, "
        f"{max(line.n for line, _ in gaps)} trials): {told}. The printed sign is the opposite one beyond two standard "
        f"errors for {', '.join(against)}; the same for {', '.join(agree) or 'none'}; not decided for "
        f"{', '.join(unsure) or 'none'}.",
    )


def form_held_against(p: Any, result: Regenerated, published: pd.DataFrame) -> Regenerated:
    """Hold both forms of the .632+ against the printed rows: the one that the text describes, and R set to 0.

    Reads data ``forms`` (number of the table, row, column, form, value, se).
    """
    if "forms" not in result.data:
        return Regenerated()
    own = published[published["kind"] == "result"]
    cells = {(line.artifact, line.row, line.column): line for line in each(own)}
    judged = []
    for line in each(result.data["forms"]):
        cell = cells.get((f"shakhnarovich-table-{line.number}", line.row, line.column))
        if cell is not None:
            found = judge(line.value, line.se, cell.value, cell.decimals)
            judged.append({"form": line.form, "column": line.column, "verdict": found.verdict, "square": found.z**2})
    if not judged:
        return Regenerated()
    frame = _cells_counted(pd.DataFrame(judged))
    said = {form: "; ".join(map(_cells_said, each(part))) for form, part in parts(frame, "form").items()}
    told = " ".join(f"{_FORMS[form].capitalize()}: {text}." for form, text in said.items())
    rmse = {line.form: line for line in each(frame[frame["column"] == "rmse"])}
    finding = f"Printed rows of .632+ and .632+* in Tables 8 to 12, judged in both forms. {told}"
    text, zero = rmse.get("text"), rmse.get("to-zero")
    errata = []
    if text is not None and zero is not None and text.chi_square > zero.chi_square and text.differs:
        errata.append(
            Erratum(
                "Section 2.3.4 against Tables 8 to 12",
                "BS(1) and R are corrected if necessary, to ensure that R falls within [0, 1]",
                "R is set to 0 where it falls outside; so corrected, the text would give other tables",
                told,
            )
        )
    return Regenerated(data={"form-cells": frame}, findings=[finding], errata=errata)


_FORMS = {"text": "as the text has it", "to-zero": "with R set to 0 outside [0, 1]"}


def _cells_counted(judged: pd.DataFrame) -> pd.DataFrame:
    lines = []
    for (form, column), own in parts(judged, "form", "column").items():
        counts = {verdict: int((own["verdict"] == verdict).sum()) for verdict in ("reproduced", "close", "differs")}
        known = own["square"].to_numpy()
        lines.append({"form": form, "column": column, **counts, "chi_square": float(known[np.isfinite(known)].sum())})
    return pd.DataFrame(lines)


def _cells_said(line: Any) -> str:
    return (
        f"{line.column} {line.reproduced} reproduced, {line.close} close, {line.differs} different (sum of z² "
        f"{line.chi_square:.0f})"
    )


def significant_lines(published: pd.DataFrame, artifact: str, level: float) -> tuple[list[str], list[str]]:
    """Count the printed lines of a contest: significant for the new estimator, and the others."""
    texts = {(row, column): value for (a, row, column), value in _texts(published).items() if a == artifact}
    rows = distinct(row for row, column in texts if column == "alpha")
    better = [
        row
        for row in rows
        if float(texts[row, "alpha"]) <= level and float(texts[row, "new-rmse"]) < float(texts[row, "old-rmse"])
    ]
    return better, [row for row in rows if row not in better]
