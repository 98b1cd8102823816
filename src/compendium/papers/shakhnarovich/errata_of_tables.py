"""Evidence of errata in Tables 2, 4 and 8 to 15: signs, p-values, labels, rows and forms of the .632+."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite, sqrt

import numpy as np
import pandas as pd
from scipy import stats

from compendium.evidence.errata import (
    CHECKS,
    FINDINGS,
    Statement,
    evidence,
    printed_cells,
    printed_numbers,
    recorded_errata,
    regenerated_cells,
    regenerated_row,
    regenerated_values,
)
from compendium.evidence.judging import judge
from compendium.papers.shakhnarovich.cases import STRATIFIED, zero_reading
from compendium.papers.shakhnarovich.methods import PLUS
from compendium.papers.shakhnarovich.names import case_title, symbol_of, words_for
from compendium.papers.shakhnarovich.uci.data import PUBLISHED

COLUMNS = ("mean", "std", "rmse")
TABLES = [f"shakhnarovich-table-{number}" for number in range(8, 16)]  # Tables of every estimator, by place
TABLE_OF = dict(zip(["1", "2", "3", "4", "5", *PUBLISHED], TABLES, strict=True))
SUSPECTS = (("cloned-bscv-5", "cloned-bscv-10"), ("repeated-cv-5", "repeated-cv-10"), ("bscv-loo", "cloned-bscv-loo"))


def _number(artifact: str) -> str:
    return f"Table {artifact.rpartition('-')[2]}"


# ---- Tables 2 and 4: signs, p-values and labels of a line


def _decimals(number: str) -> int:
    return len(number.partition(".")[2])


def _bounds(number: str, decades: float = 0.5) -> tuple[float, float]:
    """Return what a printed number lay between before it was rounded, a power of ten by so many decades."""
    if "e" in number:
        return float(number) / 10**decades, float(number) * 10**decades
    half = 0.5 * 10.0 ** -_decimals(number)
    return max(float(number) - half, 0.0), float(number) + half


def _mislabelled(row: str, line: dict[str, str]) -> list[str]:
    """Return the one estimator of a side whose numbers stand beside a label that names another."""
    place, classifier = row.split("/")
    cells = {key: cell.value for key, cell in printed_cells(TABLE_OF[place]).items()}
    known = dict.fromkeys(r.split("/")[1] for r, _ in cells if r.startswith(f"{classifier}/"))

    def equal(side: str, estimator: str) -> bool:
        pairs = [(line.get(f"{side}-{c}", ""), cells.get((f"{classifier}/{estimator}", c), "")) for c in COLUMNS]
        return all(
            a and b and abs(float(a) - float(b)) <= 0.5 * 10.0 ** -min(_decimals(a), _decimals(b)) + 1e-12
            for a, b in pairs
        )

    matches = {side: [e for e in known if equal(side, e)] for side in ("new", "old")}
    return [same[0] for side, same in matches.items() if len(same) == 1 and line[side] != same[0]]


@evidence("shakhnarovich-table-2", "shakhnarovich-table-4")
def signs_p_values_and_labels(artifact: str) -> Iterator[Statement]:
    """Derive from each printed line the sign of its test, the p-value that its numbers allow, and its labels."""
    cells = {key: cell.value for key, cell in printed_cells(artifact).items()}
    signs, alphas, labels = [], [], []
    rows = [row for row, column in cells if column == "alpha"]
    for row in rows:
        line = {c: v for (r, c), v in cells.items() if r == row}
        title, place = case_title(row), f"{_number(artifact)}, {case_title(row)}"
        root, sigma = line["sqrt-mu-d"], line["sigma-d"]
        gap = float(line["old-rmse"]) ** 2 - float(line["new-rmse"]) ** 2
        if gap * float(root) < 0:
            signs.append(title)
            yield f"{place}, √μ_d", root
            yield f"{place}, √μ_d", f"{gap:+.2g}".replace("-", "−")
        ours, n = regenerated_row(artifact, row, "alpha"), int(regenerated_row(artifact, row, "alpha").n)
        # z = mu / (sigma / sqrt(n)), at the limits that rounding leaves of both
        (low, high), (narrow, wide) = _bounds(root.lstrip("-")), _bounds(sigma)
        z = np.square([high, float(root), low]) / [narrow, float(sigma), wide] * sqrt(n)
        least, follows, most = stats.norm.sf(z)
        low, high = _bounds(line["alpha"], decades=1)
        if not (least <= high and low <= most):
            alphas.append(f"{title} (prints {line['alpha']}, {follows:.2g} follows)")
            yield f"{place}, α", f"{line['alpha']}, beside √μ_d = {root} and σ_d = {sigma}"
            yield f"{place}, α", f"{follows:.2g}, by the line's own numbers and {n} trials"
            yield f"{place}, α", f"{least:.2g} to {most:.2g} follows. Ours: {ours.value:.2g}, from"
            yield f"{place}, α", f"σ_d = {regenerated_row(artifact, row, 'sigma-d').value:.2g}"
        wrong = _mislabelled(row, line)
        labels += [title] * bool(wrong)
        for estimator in wrong:
            yield place, f"the label {symbol_of(estimator)},"
    counts = {
        "lines in which it contradicts them": signs,
        "lines in which, with all rounding allowed for and whatever the sign, another p follows": alphas,
        "lines in which they are those of another one": labels,
    }
    for text, off in counts.items():
        listed = f"not in {'; '.join(off)}: " if off else ""
        yield CHECKS, f"{len(rows)} lines in print: {listed}{text} {len(off)} (asked: 0) {'fails' if off else 'holds'}"
    larger = [case_title(row) for row in printed_numbers(artifact).query("alpha > 0.01").index]
    yield FINDINGS, f"The printed p is over .01 in {len(larger)} lines ({'; '.join(larger)})."


@evidence("shakhnarovich-claims-synthetic", "shakhnarovich-claims-uci")
def significant_lines(artifact: str) -> Iterator[Statement]:
    """Count the lines of Table 2 or 4 in which a new estimator is significantly better."""
    synthetic = artifact.endswith("synthetic")
    table, level = ("shakhnarovich-table-2", 0.01) if synthetic else ("shakhnarovich-table-4", 0.1)
    lines = printed_numbers(table)
    others = list(lines.index[(lines["alpha"] > level) | (lines["new-rmse"] >= lines["old-rmse"])])
    place = "Section 6" if synthetic else "Section 9"
    yield place, f"{len(lines) - len(others)}, by {_number(table)}'s own α and RMSEs"
    yield place, f"in {len(others)} lines: {words_for(others, 'setting' if synthetic else '')}."


# ---- Tables 8 to 15: rows, forms of the .632+, samples


def gaps_of_suspects(artifact: str) -> dict[str, pd.DataFrame]:
    """Return by pair of suspected rows, as the errata name them, what the one exceeds the other by, and ours."""
    cells = printed_numbers(artifact)
    cells["ours"] = pd.Series({row: v for (row, column), v in regenerated_values(artifact).items() if column == "mean"})
    cells.index = cells.index.str.split("/", expand=True)
    results = {}
    for pair in SUSPECTS:
        one, other = (cells[cells.index.get_level_values(1) == e].droplevel(1) for e in pair)
        gaps = (one - other).dropna()
        same = (gaps[[*COLUMNS]] == 0).all(axis=1)
        kinds = gaps.assign(copied=same, exchanged=gaps["mean"] * gaps["ours"] < 0)
        results[f"{_number(artifact)}, rows {' and '.join(map(symbol_of, pair))}"] = kinds
    return results


@evidence("shakhnarovich-table-8", *TABLES[2:])
def copied_and_exchanged_rows(artifact: str) -> Iterator[Statement]:
    """Compare the difference of two printed rows with ours: none in print, or the other sign."""
    recorded = {e["place"]: e for e in recorded_errata(artifact)}
    for place, gaps in gaps_of_suspects(artifact).items():
        if place in recorded:
            kind = "copied" if recorded[place]["should_be"] == "two different rows" else "exchanged"
            for classifier, gap in gaps.loc[gaps[kind], "ours"].items():
                yield place, f"{symbol_of(classifier)} {gap:+.4f} ±".replace("-0", "−0")


@evidence("shakhnarovich-claims-synthetic")
def forms_of_the_632plus(artifact: str) -> Iterator[Statement]:
    """Judge the printed rows of the .632+ in Tables 8 to 12 in both forms."""
    judged: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for table in TABLES[:5]:
        rows = regenerated_cells(table, ("published",))
        for (row, column), cell in printed_cells(table).items():
            if row.split("/")[1] not in PLUS or column not in COLUMNS:
                continue
            reading = next(r for r, *key in rows if key == [row, column])
            forms = {"As the text has it": reading, "With R set to 0 outside [0, 1]": zero_reading(reading)}
            for form, name in forms.items():
                r = rows[name, row, column]
                verdict = judge(r.value, r.se, cell.value, cell.decimals)
                judged.setdefault((form, column), []).append((verdict.verdict, verdict.z))
    for form in dict.fromkeys(form for form, _ in judged):
        texts = []
        for column in COLUMNS:
            verdicts, z = zip(*judged[form, column], strict=True)
            counts = [verdicts.count(v) for v in ("reproduced", "close", "differs")]
            square = sum(v**2 for v in z if isfinite(v))
            texts.append(
                f"{column} {counts[0]} reproduced, {counts[1]} close, {counts[2]} different (sum of z² {square:.0f})"
            )
        yield "Section 2.3.4 against Tables 8 to 12", f"{form}: {'; '.join(texts)}."
        yield FINDINGS, f"{form}: {'; '.join(texts)}."


@evidence("shakhnarovich-reused-samples")
def leave_one_out_of_table_12(artifact: str) -> Iterator[Statement]:
    """Test the distance of leave-one-out from the true error, and solve the printed RMSE for the correlations."""
    n, cells = 50, printed_numbers("shakhnarovich-table-12").dropna()
    share = (n - 1) / n
    for classifier in ("ldf", "1-nn", "3-nn", "svm-rbf"):
        of = cells[cells.index.str.startswith(f"{classifier}/")].rename(lambda row: row.split("/")[1])
        mean, std = (float(of[column]["true-error"]) for column in ("mean", "std"))
        apparent, loo = (of.loc[row].astype(float).to_dict() for row in ("resubstitution", "loo"))
        if not apparent["mean"] and not apparent["std"]:
            # then the RMSE of resubstitution is the root mean square of the true error itself
            mean = sqrt(max(apparent["rmse"] ** 2 - std**2 * share, 0.0))
        z = (loo["mean"] - mean) / (sqrt(loo["std"] ** 2 + std**2) / sqrt(n))
        # rmse^2 = (mean difference)^2 + (n - 1)/n (s^2 + t^2 - 2 r s t)
        other = of[of["std"] > 0].drop(["true-error", "resubstitution"], errors="ignore")
        unexplained = (other["mean"] - mean) ** 2 + share * (other["std"] ** 2 + std**2) - other["rmse"] ** 2
        r = unexplained / (2 * share * other["std"] * std)
        spread = regenerated_row(artifact, classifier, "true-error-std")
        place = f"Table 12, {symbol_of(classifier)}"
        yield place, f"would lie {z:+.1f} standard errors"
        yield place, f"{r.min():.2f} to {r.max():.2f} (median {r.median():.2f})"
        yield place, f"{spread.value:.4f} ± {spread.se:.4f}"


@evidence("shakhnarovich-table-15")
def spread_of_samples_in_proportion(artifact: str) -> Iterator[Statement]:
    """Judge the printed standard deviation of leave-one-out under both ways of drawing samples."""
    row = "17-nn/loo"
    cell = printed_cells(artifact)[row, "std"]
    for reading, expected in (("literal", "differs"), (STRATIFIED, "reproduced")):
        r = regenerated_row(artifact, row, "std", reading)
        judged = judge(r.value, r.se, cell.value, cell.decimals)
        if judged.verdict == expected:
            yield "Section 8 against Table 15, 17-NN", f"{r.value:.4f} ± {r.se:.4f}"
            yield "Section 8 against Table 15, 17-NN", f"(z = {judged.z:+.1f})"


@evidence("shakhnarovich-table-14", "shakhnarovich-table-15")
def headers_of_columns(artifact: str) -> Iterator[Statement]:
    """Read the true and the apparent error of both candidates for the second column."""
    for classifier in ("3-nn", "svm-rbf"):
        true, apparent = (
            regenerated_row(artifact, f"header/{classifier}", e).value for e in ("true-error", "resubstitution")
        )
        text = f"{symbol_of(classifier)} has a true error of {true:.3f} and an apparent error of {apparent:.3f}"
        yield f"{_number(artifact)}, header of the second column", text
