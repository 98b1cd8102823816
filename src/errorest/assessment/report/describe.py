"""What a result means, in words: one function for each kind of result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from errorest.assessment.report.formatting import (
    capitalized,
    counts_text,
    duration,
    gain_text,
    interval_text,
    level_text,
    limits_text,
    percent,
    percent_limits,
    round_above,
    value_text,
)
from errorest.errors import UsageError

if TYPE_CHECKING:
    from errorest.assessment.choose import CandidateResult, Choice
    from errorest.assessment.compare import Difference
    from errorest.assessment.learning_curve import Expected, LearningCurve
    from errorest.assessment.permutation import PermutationTest
    from errorest.assessment.results import Estimate, Result

# Up to so many classes have a line each in the details; so many are named in a verdict
_CLASSES_SHOWN, _CLASSES_NAMED = 6, 3

# A class of which more than this share is misclassified is named in the verdict
_MOSTLY_WRONG = 0.5

# Up to so many indistinguishable candidates are named in a verdict
_CANDIDATES_NAMED = 4

Facts = list[tuple[str, str]]


@dataclass(frozen=True)
class Description:
    """A result in words.

    ``lead`` is its main number; ``verdict`` what that means, a sentence without its full stop; ``facts`` are pairs of
    a heading and a text, of which those in ``summary`` stand in the short text; ``title`` and ``sentences`` are for a
    page.
    """

    lead: str
    verdict: str
    facts: Facts
    title: str
    sentences: tuple[str, ...] = ()
    summary: frozenset[str] = frozenset({"model", "method", "coverage", "cases"})


def describe(result: Result) -> Description:
    """Put a result into words."""
    return _KINDS[kind_of(result)](result)


def kind_of(result: Any) -> str:
    """Name the class of a result; several estimates, and all else, are none."""
    if (kind := type(result).__name__) not in _KINDS:
        hint = "take one of them, such as result[0]" if kind == "Estimates" else "expected an Estimate or the like"
        raise UsageError(f"a report is about one result, and a {kind} was given", hint)
    return kind


def _settings(result: Result) -> Facts:
    """List metric, model, method, cases, fits and seed."""
    of: Any = result
    metric, counts = result.metric, getattr(result, "class_counts", None)
    cases = str(result.n) if result.n_groups is None else f"{result.n} in {result.n_groups} groups"
    fits = f"{result.n_fits} in {duration(result.seconds)}" if result.n_fits else ""
    facts = [
        ("metric", f"{metric}{f' of {metric.pos_label}' if metric.pos_label else ''}"),
        ("costs", metric.costs),
        ("model", getattr(of, "model", "")),
        ("settings", getattr(getattr(of, "predictions", None), "settings", "")),
        ("method", of.method),
        ("cases", f"{cases} ({counts_text(counts)})" if counts else cases),
        ("fits", fits),
        ("seed", "" if result.seed is None else str(result.seed)),
        ("note", "; ".join(result._notes)),
    ]
    return [(head, text) for head, text in facts if text]


def _estimate(e: Estimate) -> Description:
    metric, between = e.metric, e.interval
    lead = f"{metric.title} {value_text(metric, e.value)}"
    facts: Facts = [(metric.title, value_text(metric, e.value))]
    if between is not None:
        lead += f" ({interval_text(metric, between)})"
        limits = limits_text(metric, between.low, between.high)
        facts.append((f"{level_text(between.level)} interval", f"{limits} ({between.method})"))
    verdict, coverage = _verdict_of_estimate(e), ""
    if e.coverage is not None:
        coverage = e.coverage.sentence
    elif between is not None and not np.isnan(between.low):
        groups = "" if e.n_groups is None else " with groups"
        coverage = f"The coverage of such intervals of the {metric.title}{groups} was not measured in simulations."
    facts.append(("verdict", verdict))
    if between is not None:
        facts.append(("aims at", between.aim))
    if coverage:
        facts.append(("coverage", coverage))
    if e.standard_error is not None:
        facts.append(("standard error", gain_text(metric, e.standard_error, signed=False)))
    error = None if between is None else between.monte_carlo
    if error is not None and np.isfinite(error.limit):
        shown = (gain_text(metric, v, signed=False) for v in (error.estimate, error.se, error.limit))
        of = ("of the estimate", "of its standard error", "of a limit")
        facts.append(("Monte Carlo error", ", ".join(f"{v} {what}" for v, what in zip(shown, of, strict=True))))
    if (share := e.resampling_share) is not None:
        unit, total = ("cases", e.n) if e.n_groups is None else ("groups", e.n_groups)
        removed = f"would remove {percent(share)} of the variance of the estimate"
        facts.append(("more resamples", f"{removed}, as much as {total * share:.1f} {unit} more"))
    facts += _settings(e)
    classes = _wrong_by_class(e)
    if 0 < len(classes) <= _CLASSES_SHOWN:
        facts += [
            (f"class {name}", f"{percent(error)} wrong of {cases} held-out cases ({percent_limits(low, high)})")
            for name, cases, error, low, high in classes
        ]
    sentences = [f"{capitalized(verdict)}.", f"The interval aims at {between.aim}." if between else "", coverage]
    return Description(
        capitalized(lead),
        verdict,
        facts,
        f"{capitalized(metric.title)} of {e.model}",
        tuple(filter(None, sentences)),
    )


def _wrong_by_class(e: Estimate) -> list[tuple[Any, int, float, float, float]]:
    """List class, cases, error and limits, where the metric is a mean loss of labels."""
    return e.predictions.class_rows(e.confidence_level) if e.baseline.constant else []


def _verdict_of_estimate(e: Estimate) -> str:
    """Compare with the baseline: by a paired test of the held-out cases, or by the interval."""
    metric, baseline, between = e.metric, e.baseline, e.interval
    if baseline.value is None:
        return f"the {metric.title} has no baseline to compare with"
    against = f"{baseline.name} ({value_text(metric, baseline.value)})"
    test = e.against_baseline
    if test is None and not metric.metric.decomposable:
        if between is None or np.isnan(between.low):
            return f"not compared with {against}, since there is no interval"
        if between.low <= baseline.value <= between.high:
            return f"{against}, which the interval contains"
        if between.degenerate or baseline.name == "ideal value":
            return f"{against}, which the interval does not contain"
        better = (e.value > baseline.value) == metric.greater_is_better
        return f"{'better' if better else 'worse'} than {against}, which the interval does not contain"
    if test is None:
        return f"{against}; no paired test, since fewer than two cases or groups were tested unseen"
    finding = "no evidence of improvement over"
    # differences that are all equal, as of few cases, say nothing of their spread
    if test.low < test.high and (test.high < 0 or test.low > 0):
        finding = "better than" if (test.low > 0) == metric.greater_is_better else "worse than"
    limits = f"{level_text(e.confidence_level)} interval {limits_text(metric, test.low, test.high, gain=True)}"
    difference = f"difference on held-out cases {gain_text(metric, test.difference)}, {limits}"
    wrong = sorted((one for one in _wrong_by_class(e) if one[2] > _MOSTLY_WRONG), key=lambda one: -one[2])
    also = "; ".join(f"{percent(error)} of the cases of '{name}' wrong" for name, _, error, *_ in wrong)
    if len(wrong) > _CLASSES_NAMED:
        also = f"more than half of the cases of {len(wrong)} classes wrong"
    return f"{finding} {against}: {difference}" + (f"; {also}" if also else "")


def axis_limits(e: Estimate) -> tuple[float, float]:
    """Return an axis for the estimate and its interval, within the metric's range.

    A loss has an axis from 0 to a round number of which they take half, so that a small rate is not drawn in a corner;
    the baseline may lie beyond.  Other metrics have one around the estimate, its interval and the baseline.
    """
    least, most = e.metric.bounds()
    values = [e.value, *(() if e.interval is None else (e.interval.low, e.interval.high))]
    shown, baseline = [v for v in values if np.isfinite(v)], e.baseline.value
    if e.baseline.constant and baseline is not None and not e.metric.greater_is_better and least >= 0:
        end = 2 * max(shown, default=0.0) or baseline
        return 0.0, min(most if e.metric.percent else np.inf, round_above(end) if end > 0 else 1.0)
    shown = [*shown, *([] if baseline is None else [baseline])] or [0.0]
    spread = max(max(shown) - min(shown), 1e-3)
    return max(min(shown) - 0.15 * spread, least - 0.02), min(max(shown) + 0.35 * spread, most + 0.02)


def _difference(d: Difference) -> Description:
    metric, between, practical, test = d.metric, d.interval, d.practical, d.sign_test
    undefined = np.isnan(between.low)
    limits = f"undefined: {between.note}" if undefined else limits_text(metric, between.low, between.high, gain=True)
    # long names stand in the lines of a and b alone
    brief = max(len(d.model_a), len(d.model_b)) <= 40
    a, b = (f"a ({d.model_a})", f"b ({d.model_b})") if brief else ("a", "b")
    # differences that are all equal, as of few splits, say nothing of their spread
    if undefined or between.degenerate or between.low <= 0 <= between.high:
        reason = "there is no interval" if undefined else "the interval contains zero"
        if between.degenerate and d.value:
            reason = "the interval has no width"
        verdict = f"undecided between {a} and {b}, since {reason}"
    else:
        high = "higher" if metric.greater_is_better else "lower"
        verdict = f"{a if (d.value < 0) != metric.greater_is_better else b} has the {high} {metric.title}"
    coverage = "" if undefined else "The coverage of such an interval of a difference was not measured in simulations."
    facts: Facts = [
        ("verdict", verdict),
        ("a", f"{metric.title} {value_text(metric, d.value_a)}, {d.model_a}"),
        ("b", f"{metric.title} {value_text(metric, d.value_b)}, {d.model_b}"),
        ("a minus b", gain_text(metric, d.value)),
        (f"{level_text(between.level)} interval", f"{limits} ({between.method})"),
        ("aims at", between.aim),
        ("coverage", coverage if d.coverage is None else d.coverage.sentence),
    ]
    if practical is not None:
        equal = f"equal within {gain_text(metric, practical.rope, signed=False)} with probability {practical.equal:.3f}"
        better = f"a better by more {practical.a_better:.3f}, b {practical.b_better:.3f}"
        facts.append(("practically", f"{equal}; {better}"))
    signs = "none, since " + (
        "the metric is one of probabilities" if metric.metric.needs_probabilities else "there is no holdout"
    )
    if test is not None:
        counts = "a alone wrong in {}, b alone in {}" if test.unit == "cases" else "a wrong more often in {}, b in {}"
        counts = counts.format(test.only_a, test.only_b)
        signs = f"of labels, {test.tested} held-out {test.unit}: {counts}, p = {test.p_value:.3g}"
    facts.append(("sign test", signs))
    return Description(
        f"Difference of the {metric.title}, a minus b: {gain_text(metric, d.value)} ({level_text(between.level)} "
        f"interval {limits})",
        verdict,
        [fact for fact in facts if fact[1]] + _settings(d),
        f"{capitalized(metric.title)} of {d.model_a} and {d.model_b}",
        (f"{capitalized(verdict)}.",),
        frozenset({"a", "b", "practically", "sign test", "coverage", "method"}),
    )


def _choice(c: Choice) -> Description:
    metric, number, indistinct, baseline = c.metric, len(c.candidates), c.not_worse, c.baseline
    if len(indistinct) == 1:
        highest = "highest" if metric.greater_is_better else "lowest"
        verdict = f"{c.best} has the {highest} {metric.title}; the data distinguish it from all {number - 1} others"
    else:
        named = f" ({'; '.join(indistinct)})" if len(indistinct) <= _CANDIDATES_NAMED else ""
        which = f"the {number}" if len(indistinct) == number else f"{len(indistinct)} of the {number}"
        verdict = f"the data do not distinguish {which} candidates{named}; take the simplest"
    if baseline.value is not None and c.reaches_baseline:
        verdict += f"; no evidence of improvement over {baseline.name} ({value_text(metric, baseline.value)})"
    corrected = f"{value_text(metric, c.corrected_value)} ({interval_text(metric, c.interval)})"
    facts: Facts = [
        ("verdict", verdict),
        ("best", f"{c.best}: {value_text(metric, c.value)}, optimistic since it was chosen for it"),
        ("corrected", f"{corrected}, {c.interval.method}"),
        ("aims at", c.interval.aim),
    ]
    if (nested := c.nested_interval) is not None and c.nested_value is not None:
        value = f"{value_text(metric, c.nested_value)} ({interval_text(metric, nested)})"
        facts.append(("nested", f"{value}, {nested.method}"))
    if baseline.value is not None:
        facts.append(("baseline", f"{baseline.name}: {value_text(metric, baseline.value)}"))
    for rank, one in enumerate(c.candidates, 1):
        text = f"{one.name}: {value_text(metric, one.value)}, best in {percent(one.wins)} of bootstrap resamples"
        if rank > 1:
            finding = "not distinguished from the best" if one.not_worse else "worse than the best"
            text += f"; {gain_text(metric, one.difference)} ({candidate_limits(c, one)}), {finding}"
        facts.append((f"{rank}.", text))
    facts.append(("differences", c.paired))
    best = f"The {value_text(metric, c.value)} of {c.best} is optimistic, since it was chosen for it."
    return Description(
        f"Best of {number} candidates: {c.best}, {metric.title} corrected for the choice {corrected}",
        verdict,
        facts + _settings(c),
        f"{capitalized(metric.title)} of {number} candidates",
        (f"{capitalized(verdict)}.", best),
        frozenset({"best", "nested", "method", "1.", "2.", "3."}),
    )


def candidate_limits(c: Choice, one: CandidateResult) -> str:
    """Write the simultaneous limits of the difference from the best."""
    return "no limits" if np.isnan(one.low) else limits_text(c.metric, one.low, one.high, gain=True)


def p_text(t: PermutationTest) -> str:
    """Write the p-value, with its limits where permutations were drawn at random."""
    limits = f" ({level_text(t.confidence_level)} limits {t.low:.2g} to {t.high:.2g})"
    return f"p = {t.p_value:.3g}{', exact' if t.exact else limits}"


def _permutation(t: PermutationTest) -> Description:
    metric, alpha = t.metric, round(1 - t.confidence_level, 12)
    value, chance = value_text(metric, t.value), t.chance
    better = t.p_value <= alpha
    verdict = f"{'better' if better else 'no evidence that it is better'} than chance at alpha = {alpha:g}"
    # the p-value of random permutations is valid itself; its limits say whether more of them could turn the verdict
    if not t.exact and t.low <= alpha < t.high:
        verdict += "; more permutations may change this"
    mean, *quantiles = (value_text(metric, float(v)) for v in (chance.mean(), *np.quantile(chance, [0.025, 0.975])))
    drawn = "all" if t.exact else "drawn at random"
    undefined = f"{t.undefined:,} permutations, under which the {metric.title} is undefined" if t.undefined else ""
    facts: Facts = [
        ("verdict", verdict),
        (metric.title, value),
        ("by chance", f"mean {mean}; 95 % within {quantiles[0]} to {quantiles[1]}"),
        ("p-value", p_text(t)),
        ("as good", f"{t.as_good:,} of {t.n_permutations:,} permutations, {drawn}"),
        ("left out", undefined),
        ("permuted", t.permuted),
        ("baseline", _baseline(t)),
    ]
    text = (
        f"On the observed labels the {metric.title} is {value}; with {t.permuted} permuted, {mean} on average. A small "
        "p-value says that labels and attributes are dependent, not that the classifier is good."
    )
    return Description(
        f"{capitalized(metric.title)} {value}, {mean} by chance; {p_text(t)}",
        verdict,
        [fact for fact in facts if fact[1]] + _settings(t),
        f"Permutation test of {t.model}",
        (f"{capitalized(verdict)}.", text, *((f"Left out: {undefined}.",) if undefined else ())),
        frozenset({"by chance", "as good", "baseline", "method", "cases"}),
    )


def _baseline(result: Any) -> str:
    """Name the baseline with its value; nothing where there is none."""
    baseline = result.baseline
    return "" if baseline.value is None else f"{baseline.name}: {value_text(result.metric, baseline.value)}"


def expected_text(c: LearningCurve, one: Expected) -> str:
    """Write what the power laws predict at a number of training cases."""
    limits = limits_text(c.metric, one.low, one.high)
    return f"{value_text(c.metric, one.value)} with {one.size:,} {c.unit} (median; limits {limits})"


def curve_points(c: LearningCurve) -> list[tuple[str, str, str]]:
    """List size, value and limits of each measured point."""
    return [
        (str(size), value_text(c.metric, value), limits_text(c.metric, low, high))
        for size, value, _, low, high in c.to_frame().itertuples(index=False)
    ]


def _learning_curve(c: LearningCurve) -> Description:
    metric, points, level = c.metric, curve_points(c), level_text(c.confidence_level)
    size, value, limits = points[-1]
    verdict = "; ".join(f"expected {expected_text(c, one)}" for one in c.expected)
    if c.rises:
        verdict = "no extrapolation, since the curve rises"
    facts: Facts = [("verdict", verdict)]
    facts += [(f"{number} {c.unit}", f"{error} ({level} interval {between})") for number, error, between in points]
    if (law := c.power_law) is not None:
        amplitude = percent(law.b) if metric.percent else f"{law.b:.3g}"
        facts.append(("power law", f"{value_text(metric, law.a)} + {amplitude} / {c.unit}^{law.c:.2g}"))
    coverage = "The coverage of such limits was not measured in simulations." if c.expected else ""
    if c.expected and c.coverage is not None:
        texts = [f"{mean:.0f} % of samples of {n} cases (lowest {low:.0f} %)" for n, (mean, low) in c.coverage.items()]
        coverage = f"At twice the cases such limits contained the mean error in {' and '.join(texts)} in simulations."
        if not min(c.coverage) <= c.n <= max(c.coverage):
            coverage = f"{c.n} cases are outside the simulated range. {coverage}"
    assumed = f"the {metric.noun} falls with more {c.unit} as a power law, beyond the measured sizes too"
    assumed = assumed if c.expected else ""
    facts += [
        ("aims at", f"the mean {metric.noun} of classifiers trained on so many {c.unit}"),
        ("assumes", assumed),
        ("coverage", coverage),
        ("baseline", _baseline(c)),
    ]
    return Description(
        capitalized(f"{metric.title} {value} ({level} interval {limits}) with {size} training {c.unit}"),
        verdict,
        [fact for fact in facts if fact[1]] + _settings(c),
        f"Learning curve of {c.model}",
        tuple(
            filter(
                None, (verdict and f"{capitalized(verdict)}.", assumed and f"This assumes that {assumed}.", coverage)
            )
        ),
        frozenset({"power law", "assumes", "coverage", "baseline", "method", "cases"}),
    )


_KINDS: dict[str, Callable[[Any], Description]] = {
    "Estimate": _estimate,
    "Difference": _difference,
    "Choice": _choice,
    "PermutationTest": _permutation,
    "LearningCurve": _learning_curve,
}
