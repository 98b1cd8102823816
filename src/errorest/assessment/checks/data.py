"""Checks of the data: rare classes, copies, identifiers, few groups, labels that are written alike."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from errorest.assessment.checks.classifier import columns_seen
from errorest.assessment.checks.warning import Checked, CheckWarning, check, counted
from errorest.counting import count_each
from errorest.data.columns import FEW, free_text, identifies, written_alike
from errorest.resampling.schemes import KFold

# A class with fewer cases than this is reported (four cases leave at least six of ten folds without the class, and its
# error rate moves in steps of 25 %)
_FEW_CASES = 5

# More rare classes than this are reported together
_NAMED = 3

# An interval from fewer groups than this is reported: Student's quantile with 9 degrees of freedom is 2.26 in place of
# 1.96, and grows fast below
_FEW_UNITS = 10

# Copies move an error rate by no more than the share of tests whose case has a copy in training.  They give a warning
# where that is at least half of the standard error of a rate of 10 %, sqrt(.1 x .9 / n) = .3 / sqrt(n)
_MATTERS = 0.15

# Copies are counted in so many rows of a scheme at most
_ROWS = 200


@check("E201", "data")
def rare_class(of: Checked) -> Iterable[CheckWarning]:
    """E201: classes with fewer cases than five."""
    counts = of.data.class_counts().tolist()
    rare = [(c, name) for name, c in zip(of.data.names, counts, strict=True) if 0 < c < _FEW_CASES]
    if len(rare) > _NAMED:
        shown = ", ".join(f"{c} {name}" for c, name in rare[:4])
        more = f", and {len(rare) - 4} more" if len(rare) > 4 else ""
        return [CheckWarning.of("E201.many", number=len(rare), few=_FEW_CASES, counts=shown + more)]
    return [CheckWarning.of("E201.one" if c == 1 else "E201.few", name=name, cases=c) for c, name in rare]


@check("E202", "data")
def class_missing_in_folds(of: Checked) -> Iterable[CheckWarning]:
    """E202: classes with fewer cases than there are folds."""
    folds = max((s.k for s in of.predictions[0].runs if isinstance(s, KFold) and s.k != "n"), default=0)
    counts = zip(of.data.names, of.data.class_counts().tolist(), strict=True)
    if sparse := [name for name, c in counts if _FEW_CASES <= c < folds]:
        more = f" and {len(sparse) - 1} more" if len(sparse) > 1 else ""
        yield CheckWarning.of("E202", name=sparse[0], more=more, folds=folds)


@check("E203", "copies", "data")
def copies_on_both_sides(of: Checked) -> Iterable[CheckWarning]:
    """E203: copies of tested cases among those trained on, often enough to move an error rate."""
    copies, n = of.problems[0].copies, of.data.n
    assert copies is not None
    straddling = tested = 0
    for scheme, run in of.predictions[0].runs.items():
        if not scheme.unseen:
            continue
        r = run.resamples
        last = min(r.n_rows, _ROWS)
        trained = np.zeros((last, int(copies.max()) + 1), dtype=np.int64)
        np.add.at(trained.T, copies, r.training_counts(0, last).T)
        stop = int(r.start[last])
        straddling += int((trained[r.row_of_test()[:stop], copies[r.cases[:stop]]] > 0).sum())
        tested += stop
    sizes = count_each(copies)
    equal, repeats = int((sizes[copies] > 1).sum()), int((sizes - 1).sum())
    # the share of tests whose case has a copy in training bounds what copies can change
    share = straddling / tested if straddling else equal / n
    if repeats < 2 or share < _MATTERS / np.sqrt(n):
        return
    if straddling:
        yield CheckWarning.of("E203.parted", equal=equal, n=n, share=100 * share)
    else:
        yield CheckWarning.of("E203.equal", equal=equal, n=n)


@check("E204", "groups", "data")
def few_groups(of: Checked) -> Iterable[CheckWarning]:
    """E204: few groups."""
    groups = of.data.n_groups or 0
    return [CheckWarning.of("E204", groups=counted(groups, "group"))] if groups < _FEW_UNITS else []


@check("E205", "encoding unused", "data")
def unused_encoding(of: Checked) -> Iterable[CheckWarning]:
    """E205: an encoding that was asked for and changes nothing."""
    return [CheckWarning.of("E205", learner=of.problems[0].learner.id)]


@check("E206", "problem", "estimate")
def one_class_training(of: Checked) -> Iterable[CheckWarning]:
    """E206: training sets of one class."""
    y, most = of.data.y, int(of.data.class_counts().max())
    one = rows = 0
    for run in of.predictions[0].runs.values():
        r = run.resamples
        rows += r.n_rows
        compact = not (r.compact.form.any() or r.compact.source.shape[1])
        if compact and (run.sizes > most).all():
            continue  # more cases, none of them twice, than any class has
        # class counts of every training set in one product
        classes = np.eye(of.data.n_classes, dtype=np.int64)[y]
        for first, last in r.blocks():
            present = (r.training_counts(first, last) @ classes) > 0
            one += int((present.sum(axis=1) == 1).sum())
    return [CheckWarning.of("E206", one=one, rows=rows)] if one else []


@check("E208", "frame", "data")
def identifier(of: Checked) -> Iterable[CheckWarning]:
    """E208: columns of a frame, among those that a classifier looks at, that number or name the cases."""
    found: dict[str, str] = {}
    for p in (one for one in of.problems if hasattr(one.X, "iloc")):
        seen = columns_seen(p.learner.model, p.X)
        for name, column in (one for j, one in enumerate(p.X.items()) if j in seen):
            values = column.dropna().tolist()
            distinct = len(set(values))
            reason = ""
            if len(values) < FEW:
                continue
            if all(isinstance(value, str) for value in values):
                if distinct == len(values) and not any(" " in value for value in values):
                    reason = "names or codes that all differ"
                elif p.text_is_nominal:  # other text is left to the user's own vectorizer
                    reason = free_text(distinct, len(values))
            elif distinct == len(values) == len(column) and all(
                isinstance(v, int | float) and float(v).is_integer() for v in values
            ):
                ordered = column.is_monotonic_increasing or column.is_monotonic_decreasing
                reason = "whole numbers in one direction" if ordered else identifies(str(name), values, len(values))
            if reason:
                found[f"column '{name}'"] = reason
    return [CheckWarning.of("E208", name=name, reason=reason) for name, reason in found.items()]


@check("E209", "data")
def classes_written_alike(of: Checked) -> Iterable[CheckWarning]:
    """E209: classes that may be one, written in two ways."""
    if same := written_alike(of.data.names):
        more = f" ({len(same) - 1} more)" if len(same) > 1 else ""
        yield CheckWarning.of("E209", same=same[0], more=more)
