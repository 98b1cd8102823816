"""``compendium tuning-bias``: what trying many settings on one test set can buy, and how large it must be."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from contextlib import suppress
from math import isfinite
from typing import TYPE_CHECKING

from errorest.errors import UsageError

if TYPE_CHECKING:
    from compendium.methods.tuning_bias import TuningBias


def number_as_typed(text: str) -> float | int:
    """Read a number; a whole one stays whole, so that 1700.0 and 1700 are the same count of hits."""
    value = float(text)
    return int(value) if value.is_integer() else value


def tell_tuning_bias(arguments: argparse.Namespace) -> None:
    """``compendium tuning-bias``."""
    if arguments.gain is None and arguments.probability is None:
        _forward(arguments)
    else:
        _inverse(arguments)


def _classes(arguments: argparse.Namespace) -> int | None:
    return 2 if arguments.classes is None and arguments.entropy is None else arguments.classes


def _forward(a: argparse.Namespace) -> None:
    from compendium.methods.tuning_bias import tuning_bias

    if a.test_size is None:
        raise UsageError("no test size was given; expected --test-size, or --gain to ask for it")
    given = {name: getattr(a, name) for name in ("hits", "accuracy", "entropy", "folds", "setting", "trials", "bits")}
    extra, target = 1 if a.extra is None else a.extra, 0.9 if a.target is None else a.target
    answer = tuning_bias(a.test_size, classes=_classes(a), extra=extra, target=target, **given)
    if not a.json:
        print(_as_text(answer))
        return
    requested = {name: value for name, value in vars(answer).items() if name != "scenarios"}
    scenarios = [
        {
            name: (value if not isinstance(value, float) or isfinite(value) else None)
            for name, value in {**vars(s), "kind": "bound" if s.name in _BOUNDS else "exact"}.items()
        }
        for s in answer.scenarios
    ]
    print(json.dumps({"asked": {**requested, "accuracy": answer.accuracy}, "scenarios": scenarios}, indent=1))


_BOUNDS = ("listed", "adaptive")


def _name_of(scenario: str, trials: float | None) -> str:
    number = "t" if trials is None else f"{trials:g}"
    return {
        "greedy": "greedy worst case",
        "independent": f"best of {number} independent",
        "listed": "bound, settings listed",
        "adaptive": "bound, adaptive",
    }[scenario]


def _as_text(b: TuningBias) -> str:
    apart = b.setting == "per-fold"
    budget = []
    if b.trials is not None:
        budget.append(_many(b.trials, "setting") + " tried" + (" in each fold" if apart else ""))
    if b.bits is not None:
        budget.append(_many(b.bits, "bit") + " of parameters")
    folds = "" if b.folds == 1 else f" in {b.folds} folds of {b.m // b.folds}"
    message = " in each fold" if apart else ", the same in all folds" if b.folds > 1 else ""
    test_set = f"{_many(b.m, 'case')}{folds}, {_many(b.hits, 'hit')} (accuracy {b.accuracy:.4f}), {b.classes} classes"
    lines = [
        f"Test set    {test_set}, {b.entropy:.4g} bits a label",
        f"Tuning      {b.setting}: {', '.join(budget)}; the greedy optimizer tells {_many(b.labels, 'label')}{message}",
        f"To gain     {_many(b.extra, 'hit')} or more over all folds, {100 * b.extra / b.m:.3g} points of accuracy",
        "",
        f"{'':<28}{'chance of':>12}{'expected bias':>16}{f'needed for a chance of {100 * b.target:g} %':>30}",
        f"{'':<28}{'the gain':>12}{'in points':>16}{'trials':>18}{'bits':>12}",
    ]
    for s in b.scenarios:
        most, least = ("≤ ", "≥ ") if s.name in _BOUNDS else ("", "")
        digits = ".2f" if s.probability == 0 or s.probability >= 5e-5 else ".1e"
        chance, bias = f"{100 * s.probability:{digits}} %", f"{100 * s.expected_bias:z.3f}"
        lines.append(
            f"{_name_of(s.name, b.trials):<28}{most + chance:>12}{most + bias:>16}"
            f"{_count(s.trials_needed, least):>18}{_count(s.bits_needed, least, 1):>12}"
        )
    lines += [
        "",
        "Bounds say the most that tuning can buy, and the least that it takes. A gain that no budget buys is marked –.",
    ]
    if apart:
        lines.append("Trials and bits needed are those of one fold.")
    return "\n".join(lines)


def _many(number: float, what: str) -> str:
    return f"{number:g} {what}" + ("" if number == 1 else "s") if number < 1e6 else f"{number:.0f} {what}s"


def _count(value: float, sign: str, decimals: int = 0) -> str:
    if not isfinite(value):
        return "–"
    return sign + (f"{value:.3e}" if value >= 1e9 else f"{value:.{decimals}f}")


def _inverse(a: argparse.Namespace) -> None:
    from compendium.methods.tuning_bias import needed_test_size
    from compendium.methods.tuning_bias.sizing import OutOfReachError

    for name in ("test_size", "hits", "extra", "target"):
        if getattr(a, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} was given; expected --gain and --probability alone; leave out {option}")
    for name in ("gain", "accuracy", "trials"):
        if getattr(a, name) is None:
            raise UsageError(f"--{name} was not given; expected --accuracy, --trials and --gain to ask for a test size")
    risk = 0.05 if a.probability is None else a.probability
    given = {name: getattr(a, name) for name in ("accuracy", "setting", "folds", "entropy", "bits")}
    ask: Callable[..., int] = needed_test_size
    sizes: dict[str, int | None] = dict.fromkeys(("greedy", "independent", "listed", "adaptive"))
    for scene in sizes:
        with suppress(OutOfReachError):
            sizes[scene] = ask(a.trials, a.gain, risk, scenario=scene, classes=_classes(a), **given)
    if a.json:
        requested = {k: getattr(a, k) for k in ("accuracy", "trials", "bits", "gain", "folds", "entropy")}
        requested |= {"classes": _classes(a), "probability": risk}
        print(json.dumps({"asked": requested, "test_sizes": sizes}, indent=1))
        return
    print(
        f"Test cases needed so that {a.trials:g} trials gain {100 * a.gain:g} points or more with a probability of at "
        f"most {100 * risk:g} %, at an accuracy of {a.accuracy:g}:\n"
    )
    for scene, size in sizes.items():
        print(f"{_name_of(scene, a.trials):<28}{'over 20 million' if size is None else size:>16}")
