"""Two controls of the book: what to use on a sample, and how often an interval held the truth.

Every answer is written at build time from recorded rows; the page's script only looks it up.  The answers lie in a
script file beside the page, since a page opened from a folder may fetch nothing; without scripts the page shows the
first answer, and the tables hold them all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from compendium.book.numbers import number
from compendium.book.places import write_whole
from compendium.evidence.names import COMMON
from compendium.guide.advice.experiment import AdviceParameters, bands_of
from compendium.guide.names import INDUCERS, INTERVALS, LEARNERS, TARGETS, unbroken
from errorest.data import sets

__all__ = ["Choice", "Control", "Output", "advice_control", "coverage_control", "write_control"]

_FOLDER = "explore"


class Choice(NamedTuple):
    """One question of a control: its key, its label, the answers to choose from, the first one, and its form."""

    key: str
    label: str
    options: tuple[str, ...]
    start: int = 0
    slider: bool = False


class Output(NamedTuple):
    """One line of the answer: what it is, the positions of the questions that it depends on, and its texts by these.

    A text's key is the chosen positions, joined by strokes.
    """

    label: str
    of: tuple[int, ...]
    texts: Mapping[str, str]


@dataclass(frozen=True)
class Control:
    """Questions and answers."""

    id: str
    label: str
    choices: Sequence[Choice]
    outputs: Sequence[Output]
    missing: str = "not measured"

    def answer(self, position: Sequence[int]) -> list[str]:
        """Return the answer's lines at a position, as the page shows them."""
        return [o.texts.get("/".join(str(position[i]) for i in o.of), self.missing) for o in self.outputs]


def write_control(control: Control, stage: Path, to_root: str) -> str:
    """Write a control's answers as a script into a stage, and return the HTML for the page."""
    data = {
        "missing": control.missing,
        "outputs": [{"of": o.of, "texts": dict(o.texts)} for o in control.outputs],
    }
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    write_whole(
        stage / "extra" / _FOLDER / f"{control.id}.js",
        f'(window.errorestControls ??= {{}})["{control.id}"] = {text};\n',
    )
    questions = "".join(_question(control.id, one) for one in control.choices)
    first = control.answer([c.start for c in control.choices])
    chosen = ", ".join(f"{c.label.lower()}: {c.options[c.start]}" for c in control.choices)
    lines = "".join(
        f"<div><dt>{escape(o.label)}</dt><dd>{escape(text)}</dd></div>"
        for o, text in zip(control.outputs, first, strict=True)
    )
    return (
        f'<div class="errorest-control" data-control="{control.id}">'
        f'<div class="errorest-questions" role="group" aria-label="{escape(control.label)}" hidden>{questions}</div>'
        f'<p class="errorest-chosen">For {escape(chosen)}.</p>'
        f'<dl class="errorest-answer" aria-live="polite">{lines}</dl>'
        f'<script src="{to_root}{_FOLDER}/{control.id}.js" defer></script></div>'
    )


def _question(control: str, one: Choice) -> str:
    name = f"{control}-{one.key}"
    if one.slider:
        steps = escape(json.dumps(one.options, ensure_ascii=False))
        return (
            f'<p class="errorest-slider"><label for="{name}">{escape(one.label)}</label>'
            f'<input id="{name}" type="range" min="0" max="{len(one.options) - 1}" step="1" value="{one.start}" '
            f'autocomplete="off" data-steps="{steps}"/>'
            f'<output for="{name}">{escape(one.options[one.start])}</output></p>'
        )
    options = "".join(
        f"<option{' selected' if i == one.start else ''}>{escape(text)}</option>" for i, text in enumerate(one.options)
    )
    return (
        f'<p class="errorest-select"><label for="{name}">{escape(one.label)}</label>'
        f'<select id="{name}" autocomplete="off">{options}</select></p>'
    )


# --- what to use ---------------------------------------------------------


def advice_control(manifests: Mapping[str, Mapping[str, Any]]) -> Control | None:
    """Make the control of what to use, of the guide's recorded rows."""
    if not {"guide-which-estimator", "guide-price-of-tuning", "guide-coverage-map"} <= set(manifests):
        return None
    price = _values(manifests["guide-price-of-tuning"])
    sizes = _sizes(manifests["guide-coverage-map"], price)
    tried = [1, *dict.fromkeys(int(c.split(" ")[0]) for _, c in price)]
    learners = list(LEARNERS)
    fields = _Fields(manifests)
    every = [(a, b) for a in range(len(sizes)) for b in range(len(learners))]

    def by_field(write: Callable[[str, int], str]) -> dict[str, str]:
        return {f"{a}/{b}": write(learners[b], sizes[a]) for a, b in every}

    outputs = [
        Output("Estimator", (0, 1), by_field(fields.estimator)),
        Output("Costs", (0, 1), by_field(fields.fits)),
        Output("Is off by", (0, 1), by_field(fields.error)),
        Output("Its 95 % interval", (0, 1), by_field(fields.coverage)),
        Output("Interval of any estimator", (0,), {str(a): _interval_at(manifests, n) for a, n in enumerate(sizes)}),
        Output(
            "Cases measured",
            (0, 1, 2),
            {f"{a}/{b}/{c}": fields.behind(learners[b], sizes[a], more=bool(c)) for a, b in every for c in range(2)},
        ),
        Output(
            "What trying buys",
            (0, 3),
            {f"{a}/{d}": _bought(price, n, t) for a, n in enumerate(sizes) for d, t in enumerate(tried)},
        ),
    ]
    # the page opens on a field that gives advice, if there is one
    first = next(((a, b) for a, b in every if fields.advises(learners[b], sizes[a])), (0, 0))
    choices = [
        Choice("cases", "Cases", tuple(f"{n:,}" for n in sizes), first[0], slider=True),
        Choice("kind", "Kind of classifier", tuple(_capital(LEARNERS[name].title) for name in learners), first[1]),
        Choice("classes", "Classes", ("two", "more than two"), 0),
        Choice("tried", "Settings tried", tuple(f"{t:,}" for t in tried), 0, slider=True),
    ]
    return Control("advice", "Your sample and your classifier", choices, outputs)


class _Fields:
    """The fields of the guide's table: a kind of classifier and a number of cases."""

    def __init__(self, manifests: Mapping[str, Mapping[str, Any]]) -> None:
        self._use: dict[str, str] = {}
        self._rows: dict[str, dict[str, tuple[float, float]]] = {}
        for r in manifests["guide-which-estimator"]["rows"]:
            place, _, told = str(r["row"]).partition(": ")
            self._use[place] = told
            self._rows.setdefault(place, {})[str(r["column"])] = (float(r["value"]), float(r["se"] or 0.0))
        self._bands = bands_of(AdviceParameters())
        cross = manifests.get("guide-cross-rmse", {"rows": []})
        self._cases = list(dict.fromkeys(str(r["row"]) for r in cross["rows"]))

    def _place(self, learner: str, n: int) -> str:
        band = next(b for b in self._bands if b.holds(n))
        return unbroken(f"{LEARNERS[learner].title}/{band.title}")

    def _row(self, learner: str, n: int) -> dict[str, tuple[float, float]]:
        return self._rows.get(self._place(learner, n), {})

    def advises(self, learner: str, n: int) -> bool:
        """Whether enough cases were measured for advice."""
        return "fits" in self._row(learner, n)

    def estimator(self, learner: str, n: int) -> str:
        """Name the estimator that is advised."""
        return self._use.get(self._place(learner, n), "nothing was measured here").removeprefix("use ")

    def fits(self, learner: str, n: int) -> str:
        """Tell what it costs."""
        row = self._row(learner, n)
        return f"{row['fits'][0]:,.0f} classifiers made" if "fits" in row else _DASH

    def error(self, learner: str, n: int) -> str:
        """Tell how far off it is."""
        row = self._row(learner, n)
        if "off-by-percent" not in row:
            return _DASH
        return (
            f"{_with_error(*row['off-by-percent'])} points (root mean square), bias {_with_error(*row['bias-percent'])}"
        )

    def coverage(self, learner: str, n: int) -> str:
        """Tell how often its own interval held the truth."""
        row = self._row(learner, n)
        if "coverage-percent" not in row:
            return "none goes with this estimator" if "fits" in row else _DASH
        return f"held the true error in {_with_error(*row['coverage-percent'])} % of samples"

    def behind(self, learner: str, n: int, *, more: bool) -> str:
        """Count the measured cases behind a field, and those with as many classes."""
        row = self._row(learner, n)
        band = next(b for b in self._bands if b.holds(n))
        if "cases" not in row:
            return "0"
        own = [c for c in self._cases if _learner_of(c) == learner and band.holds(_size_of(c))]
        like = sum((_classes_of(c) > 2) == more for c in own)
        return f"{row['cases'][0]:.0f}, of samples of {band.title}; {like} of them with {_MORE[more]}"


_DASH = "–"
_MORE = ("two classes", "more than two classes")
_SLACK = 2.0
"""Points by which a coverage may fall short of what is promised and still count."""


def _values(manifest: Mapping[str, Any]) -> dict[tuple[str, str], tuple[float, float]]:
    rows = manifest["rows"]
    return {(str(r["row"]), str(r["column"])): (float(r["value"]), float(r["se"] or 0.0)) for r in rows}


def _sizes(coverage: Mapping[str, Any], price: Iterable[tuple[str, str]]) -> list[int]:
    measured = {int(c.split("-")[0]) for _, c in _values(coverage)}
    priced = dict.fromkeys(int(row.removeprefix("m=")) for row, _ in price)
    return [m for m in priced if m in measured]


def _with_error(value: float, se: float) -> str:
    text = number(value, se, 1)
    return f"{text} ± {number(se, se, 1)}" if se > 0 else text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _learner_of(case: str) -> str:
    name = case.rpartition("/")[2]
    return next((i.learner for i in INDUCERS.values() if unbroken(i.title) == name), "")


def _size_of(case: str) -> int:
    return int(case.rpartition("/")[0].rpartition("N=")[2])


@lru_cache(maxsize=128)
def _classes_of(case: str) -> int:
    """Return the number of classes of a case; synthetic settings have two, the lenses three."""
    if case.startswith("Lenses"):
        return 3
    name = case.partition(" of ")[0]
    return len(sets.load(name).classes) if name in sets.names() else 2


def _interval_at(manifests: Mapping[str, Mapping[str, Any]], n: int) -> str:
    """Name the narrowest interval whose mean coverage of this classifier's error falls short by two points at most."""
    covered, width = _values(manifests["guide-coverage-map"]), _values(manifests["guide-coverage-width"])
    column = f"{n}-cases"
    known = {
        r.partition("/")[2]: v for (r, c), v in covered.items() if r.startswith("this-classifier/") and c == column
    }
    good = {m: v for m, v in known.items() if v[0] >= 95 - _SLACK and (f"points/{m}", column) in width}
    if not good:
        return _DASH
    best = min(good, key=lambda m: width[f"points/{m}", column][0])
    worst = covered[f"worst-cell-this-classifier/{best}", column][0]
    return (
        f"{INTERVALS[best]}: held this classifier's error in {_with_error(*good[best])} % of samples of {n:,} on the "
        f"average, at worst in {worst:.0f} %; {width[f'points/{best}', column][0]:.0f} points wide"
    )


def _bought(price: Mapping[tuple[str, str], tuple[float, float]], n: int, tried: int) -> str:
    if tried == 1:
        return "nothing, if this setting was fixed beforehand"
    points = price[f"m={n}", f"{tried} settings"][0]
    return f"the best of {tried:,} equally good settings looks {points:.1f} points better than it is"


# --- how often an interval held the truth ---------------------------------


def coverage_control(manifests: Mapping[str, Mapping[str, Any]], cells: Sequence[Mapping[str, str]]) -> Control | None:
    """Make the control of the coverage study, of its cells and of the means over them."""
    if not cells or "guide-coverage-map" not in manifests:
        return None
    methods = [m for m in INTERVALS if any(c["method"] == m for c in cells)]
    sizes = sorted({int(c["n"]) for c in cells})
    places = [("", ""), *dict.fromkeys((c["inducer"], c["population"]) for c in cells)]
    targets = list(TARGETS)
    held = dict(_means(manifests, methods, sizes, targets))
    for c in cells:
        place = places.index((c["inducer"], c["population"]))
        key = f"{methods.index(c['method'])}/{sizes.index(int(c['n']))}/{place}/{targets.index(c['target'])}"
        held[key] = _cell_words(c)
    start = methods.index(_FIRST) if _FIRST in methods else 0
    return Control(
        "coverage",
        "An interval and where it was measured",
        [
            Choice("interval", "Interval, 95 %", tuple(INTERVALS[m] for m in methods), start),
            Choice("cases", "Cases", tuple(f"{n:,}" for n in sizes), 0, slider=True),
            Choice("place", "Classifier and population", tuple(map(_place_words, places)), 0),
            Choice("target", "It is to hold", tuple(TARGETS[t].words for t in targets), 0),
        ],
        [
            Output(label, (0, 1, 2, 3), {k: v[i] for k, v in held.items()})
            for i, label in enumerate(("Held the truth", "Width", "Measured on"))
        ],
        "not run: left out for its cost, or not possible there",
    )


_FIRST = ".632+"


def _place_words(place: tuple[str, str]) -> str:
    inducer, population = place
    return (
        f"{COMMON[inducer].heading if inducer in COMMON else inducer}, {population}"
        if inducer
        else "all of them, on the average"
    )


def _means(
    manifests: Mapping[str, Mapping[str, Any]], methods: Sequence[str], sizes: Sequence[int], targets: Sequence[str]
) -> Iterator[tuple[str, tuple[str, str, str]]]:
    covered, width = _values(manifests["guide-coverage-map"]), _values(manifests["guide-coverage-width"])
    for a, method in enumerate(methods):
        for b, n in enumerate(sizes):
            for d, target in enumerate(targets):
                mean = covered.get((f"{target}/{method}", f"{n}-cases"))
                if mean is None:
                    continue
                worst = covered[f"worst-cell-{target}/{method}", f"{n}-cases"]
                wide = width.get((f"points/{method}", f"{n}-cases"))
                yield (
                    f"{a}/{b}/0/{d}",
                    (
                        f"in {_with_error(*mean)} % of samples, at worst in {_with_error(*worst)} %",
                        f"{_with_error(*wide)} points" if wide else _DASH,
                        "all populations and classifiers that were run at this size",
                    ),
                )


def _cell_words(c: Mapping[str, str]) -> tuple[str, str, str]:
    share, low, high = (100 * float(c[name]) for name in ("coverage", "low", "high"))
    wide = f"{_with_error(100 * float(c['width']), 100 * float(c['width_se']))} points" if c["width"] else _DASH
    return (
        f"in {share:.1f} % of samples (95 % limits {low:.1f} to {high:.1f} %)",
        wide,
        f"{int(c['samples']):,} samples; mean true error {100 * float(c['error']):.1f} %",
    )
