"""Texts that are nearly right, made of right ones by a seed, and one oracle: a result or a UsageError.

A maker of texts mutates a right text of its kind: pieces are lost, doubled, exchanged with another text's, repeated
thousands of times, or take what programs stumble over.  What once was found stands in ``FOUND`` and is tried always.
"""

from __future__ import annotations

import random
import tempfile
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from compendium.book import catalogue
from compendium.book.parameters import from_assignments, resolve
from errorest.cli.output import as_options
from errorest.data.tables import parse_table, table_to_sample
from errorest.errors import UsageError
from errorest.estimation.estimators import parse_estimator
from errorest.estimation.intervals import parse_interval
from errorest.inducers.named import named

__all__ = ["FOUND", "KINDS", "Tried", "made", "tried"]

_NASTY = [
    "\x00",
    "\t",
    "\r\n",
    "\n",
    "\x85",
    "\u2028",
    "\x1b[31m",
    "\ufeff",
    "\u202e",
    "\ud800",
    "é",
    "🎲",
    '"',
    "'",
    '""',
    ";",
    ",",
    "#",
    ":",
    "-",
    "--",
    "?",
    "&",
    "*",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "=",
    "==",
    "\\",
    "nan",
    "NaN",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "1e-999",
    "0x1F",
    "1_000",
    "1,5",
    "1.000,00",
    "00",
    "-0",
    "+5",
    "1/0",
    "1/3",
    "None",
    "null",
    "~",
    "true",
    "no",
    "2001-02-30",
    "1:30",
    "99999999999999999999",
    "$5",
    "5%",
    "€",
    "NA",
    "class",
    "x",
    "__class__",
    "__import__('os')",
    "!!python/name:os.system",
    "<<:",
    "*a",
    "&a",
    "lambda:",
    "k=k=",
]

_RIGHT: dict[str, list[str]] = {
    "csv": [
        "x,colour,class\n1.5,red,a\n2.5,blue,b\n-3,red,a\n4e2,,b\n",
        'a;b;class\n1,5;"two; words";u\n2,5;"say ""hi""";v\n3,5;x;u\n',
        "id\tday\tclass\n1\t2020-01-01\tyes\n2\t2020-01-02\tno\n3\t2020-01-03\tyes\n",
        "sep=|\np|class\n45%|a\n$5|b\n1'000|a\n007|b\n",
    ],
    "parameters": [
        "sizes: [10, 20]\nseed: 7\nsamples: 5\n",
        "inherent_errors: [0.1, 0.25]\nestimators: [loo, cv-10]\nbootstrap_replicates: 30\nreversal_rules: [literal]\n",
    ],
    "classifier": [
        "knn(k=3)",
        "c4.5(release=7)",
        "naive-bayes(zero_counts=laplace, denominator=known)",
        "sklearn.neighbors.KNeighborsClassifier(n_neighbors=3, weights='distance')",
        "sklearn.svm:SVC(C=2.5)",
    ],
    "estimator": [
        "cv(k=5, repeats=20)",
        "632+(replicates=100)",
        "holdout(test=1/3, repeats=25)",
        "loo",
        "bootstrap(replicates=50)",
    ],
    "interval": ["cv-wald(k=10)", "632+span", "oob(replicates=200, noise=kept)", "two-stage(outer=50, replicates=50)"],
}

FOUND: dict[str, list[str]] = {kind: [] for kind in _RIGHT}
"""Texts that once were neither."""

_LONGEST, _LONGEST_LINE = 20_000, 5_000
_SPEC = catalogue.notebook("martin-hirschberg/02-discriminant")


def _csv(text: str) -> object:
    table = parse_table(text.encode("utf-8", "surrogatepass"), "fuzzed.csv")
    return table_to_sample(table, "class" if "class" in table.header else table.header[-1], decimal=None)


def _parameters(text: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fuzzed.yml"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        return resolve(_SPEC, from_assignments([], path))


KINDS: dict[str, Callable[[str], object]] = {
    "csv": _csv,
    "parameters": _parameters,
    "classifier": named,
    "estimator": parse_estimator,
    "interval": parse_interval,
}
"""What reads a text of each kind."""


def made(kind: str, rng: random.Random) -> str:
    """Make a text that is nearly right."""
    text = rng.choice(_RIGHT[kind])
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5, 8])):
        a, b = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        b = min(b, a + rng.choice([1, 3, 10, 100]))
        other = rng.choice(_RIGHT[rng.choice(list(_RIGHT))])
        changed = (
            text[:a] + text[b:],
            text[:a] + rng.choice(_NASTY) + text[a:],
            text[:a] + rng.choice(_NASTY) + text[b:],
            text[:b] + text[a:b] + text[b:],
            text[:a] + other[: rng.randrange(len(other))] + text[b:],
            text[:a] + text[a:b] * rng.choice([2, 50, 2000]) + text[b:],
            text[:a] + chr(rng.choice([rng.randrange(128), rng.randrange(0x2100)])) + text[b:],
        )
        text = rng.choice(changed)[:_LONGEST]
    return text


class Tried(NamedTuple):
    """How many texts were tried, and those that were neither taken nor refused, each with what was raised."""

    number: int
    failures: list[tuple[str, str]]


def tried(kind: str, number: int, seed: int) -> Tried:
    """Try what once was found, and a number of new texts."""
    rng = random.Random(f"{kind} {seed}")
    failures = []
    for text in [*FOUND[kind], *(made(kind, rng) for _ in range(number))]:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                KINDS[kind](text)
        except UsageError as exc:
            line = as_options(str(exc))
            if (
                len(line) > _LONGEST_LINE
                or any(unicodedata.category(c) in ("Cc", "Cf", "Cs") for c in line)
                or "expected" not in line
            ):
                failures.append((text, f"message: {line}"))
        except Exception as exc:  # the very thing that is looked for
            failures.append((text, f"{type(exc).__name__}: {exc}"))
    return Tried(len(FOUND[kind]) + number, failures)
