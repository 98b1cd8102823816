"""Tables 5, 6 and "Figure 7" of the page, and a field guide to its estimators on one measured example.

Each scheme is applied to several designs (n, j, B); what it trains on, tests on and how often is
counted, and the expression that fits every design is looked for.  Nothing is taken from the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
import pandas as pd

from compendium.evidence.artifact import artifact
from compendium.evidence.claims import Claim, equal
from compendium.evidence.estimate import signed
from compendium.evidence.records import parts
from compendium.evidence.regenerated import Check, Erratum, Regenerated, Row, Run
from compendium.papers.lis.claims import Key, cells_of
from compendium.papers.lis.experiment import (
    DESIGNS,
    INDUCERS,
    SCHEMES,
    FieldGuideParameters,
    count,
    estimator_ids,
    expression,
)
from compendium.papers.lis.figures import draw_field_guide, draw_schemes
from compendium.papers.lis.names import ESTIMATORS
from compendium.papers.lis.names import INDUCERS as NAMES
from compendium.papers.lis.names import SCHEMES as SCHEMES_AS_PRINTED
from compendium.studies.populations import TwoNormals
from errorest.estimation.estimators import parse_estimator
from errorest.resampling import draw as resampling
from errorest.streams import Streams

__all__ = ["field_guide", "figure_7", "table_5", "table_6"]


def _counted(name: str, p: FieldGuideParameters) -> dict[str, list[Fraction]]:
    found: dict[str, list[Fraction]] = {}
    for d in DESIGNS:
        for column, value in count(SCHEMES[name](d, Streams(p.seed).generator(name, list(d)))).items():
            found.setdefault(column, []).append(value)
    return found


def _table(names: Sequence[str], p: FieldGuideParameters, printed: Mapping[str, tuple[str, str, str]]) -> Regenerated:
    """Count some schemes; numbers among the expressions become rows, and all are held against the page's."""
    lines, rows, checks = [], [], []
    for name in names:
        counted = _counted(name, p)
        found = [expression(counted[c]) for c in ("training-cases", "testing-cases", "iterations")]
        line = dict(zip(("training-cases", "testing-cases", "iterations"), found, strict=True))
        lines.append({"scheme": name, **line})
        rows += _rows(name, line)
        checks.append(counted_as(name, found, printed[name]))
    return Regenerated(rows, data={"expressions": pd.DataFrame(lines)}, checks=checks)


def counted_as(name: str, found: Sequence[str], printed: Sequence[str]) -> Check:
    """Hold a line of a table against the expressions that fit the counts of all designs; empty where none does."""
    what = ("training cases", "testing cases", "iterations")
    said = ", ".join(f"{text or 'no expression'} for the {of}" for text, of in zip(found, what, strict=True))
    same = sum(a == b for a, b in zip(found, printed, strict=True))
    return Claim(
        f"{SCHEMES_AS_PRINTED[name]} trains on {printed[0]} cases and tests on {printed[1]}, {printed[2]} times.",
        [equal("expressions as printed", same, len(what))],
        context=f"counted in {len(DESIGNS)} designs, exact ({said})",
    ).check()


def _rows(name: str, line: Mapping[str, str]) -> list[Row]:
    """Numbers as they are; an expression as a label, with the share of designs in which it holds."""
    return [
        Row.exact("literal", name, column, float(text))
        if text.isdigit()
        else Row("literal", name, f"{column}={text}", 1.0, 0.0, len(DESIGNS))
        for column, text in line.items()
        if text
    ]


@artifact("lis-table-5", draw=draw_schemes)
def table_5(p: FieldGuideParameters, run: Run | None = None) -> Regenerated:
    """Table 5: holdout and random subsampling."""
    return _table(
        ["holdout", "random-subsampling"],
        p,
        {"holdout": ("j", "n - j", "1"), "random-subsampling": ("j", "n - j", "B")},
    )


@artifact("lis-table-6", draw=draw_schemes)
def table_6(p: FieldGuideParameters, run: Run | None = None) -> Regenerated:
    """Table 6: leave-one-out and 10-fold cross-validation; as :func:`table_5`.

    Shares of 10-fold cross-validation are those of the folds' mean; where 10 does not divide n, folds
    differ by a case.
    """
    made = _table(["leave-one-out", "cv-10"], p, {"leave-one-out": ("n - 1", "1", "n"), "cv-10": ("90%", "10%", "10")})
    rng = Streams(p.seed).generator("coverage")
    tested = [SCHEMES[name](d, rng).test_counts().sum(axis=0) for name in ("leave-one-out", "cv-10") for d in DESIGNS]
    same = [
        np.array_equal(
            np.unique(resampling.k_fold(d.n, d.n, rng).training_counts(), axis=0),
            np.unique(resampling.leave_one_out(d.n).training_counts(), axis=0),
        )
        for d in DESIGNS
    ]
    made.checks.extend([all_tested(tested), special_case(same)])
    return made


def all_tested(tested: Sequence[np.ndarray]) -> Check:
    """Hold "all cases are used for testing" against how often each case is, by scheme and design."""
    times = np.concatenate(list(tested))
    return Claim(
        "All cases are used for testing.",
        [equal(f"cases tested once, of {times.size}", int((times == 1).sum()), times.size)],
        context=f"counted in {len(DESIGNS)} designs, exact",
    ).check()


def special_case(same: Sequence[bool]) -> Check:
    """Hold "a special case of cross-validation" against whether n folds have leave-one-out's training sets."""
    return Claim(
        "Leave-one-out is a special case of cross-validation.",
        [equal(f"designs, of {len(same)}, in which n folds of n cases have its training sets", sum(same), len(same))],
        context="compared, exact",
    ).check()


@artifact("lis-figure-7", draw=draw_schemes)
def figure_7(p: FieldGuideParameters, run: Run | None = None) -> Regenerated:
    """The table called Figure 7: bootstrap estimators; as :func:`table_5`.

    j is the number of distinct training cases, which differs from one bootstrap sample to the next:
    the page's n - j is checked sample by sample.  How many iterations are needed is measured with the
    claims (:mod:`compendium.papers.lis.claims`).
    """
    counted = _counted("bootstrap", p)
    agree = True
    for d in DESIGNS:
        drawn = SCHEMES["bootstrap"](d, Streams(p.seed).generator("each", list(d)))
        distinct = (drawn.training_counts() > 0).sum(axis=1)
        agree &= bool((np.diff(drawn.start) == d.n - distinct).all())
    trained = expression(counted["training-cases"])
    unique = counted["distinct-training-cases"] != counted["training-cases"]
    line = {
        "scheme": "bootstrap",
        "training-cases": f"{trained} (j unique)" if unique else trained,
        "testing-cases": "n - j" if agree else "",
        "iterations": expression(counted["iterations"]),
    }
    return Regenerated(
        _rows("bootstrap", {k: v for k, v in line.items() if k != "scheme"}),
        data={"expressions": pd.DataFrame([line])},
        checks=[
            counted_as(
                "bootstrap",
                [line["training-cases"], line["testing-cases"], line["iterations"]],
                ("n (j unique)", "n - j", "B"),
            )
        ],
        errata=[
            Erratum(
                "Figure 7",
                "Figure 7",
                "Table 7",
                "No run is needed: it has columns and rows, and the text before it refers to Table 7",
            ),
            Erratum(
                "section on cross-validation",
                "known from 19060s",
                "1960s",
                "No run is needed: a year has four digits",
            ),
        ],
    )


@artifact("lis-field-guide", draw=draw_field_guide)
def field_guide(p: FieldGuideParameters, run: Run) -> Regenerated:
    """What each estimator trains on, tests on, costs, and how biased and variable it is, on one example.

    The example is the cell of the middle size and the middle inherent error.
    """
    cells = cells_of(p, run)
    n, error = sorted(p.sizes)[len(p.sizes) // 2], sorted(p.inherent_errors)[len(p.inherent_errors) // 2]
    sample = TwoNormals.of_inherent_error(error).sample(n, Streams(p.seed).generator("guide"))
    lines, rows = [], []
    for key, text in estimator_ids(p).items():
        scheme = parse_estimator(text).schemes[-1]
        counted = count(scheme.resamples(n, Streams(p.seed).generator("guide", scheme.id), sample.y))
        made = {
            "trains on": float(counted["distinct-training-cases"]),
            "tests on": float(counted["testing-cases"]),
            "fits": int(counted["iterations"]),
        }
        # a mean over bootstrap samples is no whole number, and its scatter is of no interest here
        rows += [
            Row(_READING, quantity.replace(" ", "-"), key, float(v), 0.0 if float(v).is_integer() else np.nan, 1)
            for quantity, v in made.items()
        ]
        for inducer in INDUCERS:
            cell = cells[Key(inducer, n, error)]
            found = {"bias": cell.bias(key), "sd": cell.sd(key), "rms": cell.rms(key)}
            for quantity, column in (("bias", "bias-percent"), ("sd", "std-percent"), ("rms", "rms-percent")):
                rows.append(Row.of(_READING, f"{inducer}/{column}", key, found[quantity]))
            values = {k: v for q, m in found.items() for k, v in ((q, m.value), (f"{q} se", m.se))}
            lines.append({"inducer": inducer, "estimator": ESTIMATORS[key], **made, **values})
    # a stable sort: the estimators keep the page's order
    lines.sort(key=lambda line: list(INDUCERS).index(str(line["inducer"])))
    guide = pd.DataFrame(lines)
    return Regenerated(rows, {"guide": guide}, findings=_findings(guide, n, error, p.samples))


_READING = "unstated:two-normals"


def _findings(guide: pd.DataFrame, n: int, error: float, samples: int) -> list[str]:
    found = []
    for inducer, lines in parts(guide.set_index("estimator"), "inducer").items():
        rms, bias = lines["rms"], lines["bias"]
        least = str(bias.abs().idxmin())
        steady = lines["sd"].drop("training set").idxmin()
        found.append(
            f"{NAMES[inducer].heading}, {n} cases, inherent error {100 * error:g} %, {samples} samples: "
            f"the least rms belongs to *{rms.idxmin()}* ({rms.min():.1f} points), the least bias to "
            f"*{least}* ({signed(bias[least])}), and apart from the training set's own error "
            f"*{steady}* varies least; the training set's error is off by {signed(bias['training set'])}."
        )
    return found
