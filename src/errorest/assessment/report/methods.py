"""The paragraph for a methods section, with the references that it cites.

Its sentences stand in ``methods.toml``, the references in ``methods.bib``.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import metadata, resources
from typing import TYPE_CHECKING, Any

from errorest.assessment.report.describe import kind_of
from errorest.assessment.report.formatting import counts_text, level_text
from errorest.spec import name_and_settings

if TYPE_CHECKING:
    from errorest.assessment.results import Result


def methods_text(result: Result) -> str:
    """Return a paragraph for a methods section, and the references to cite as BibTeX.

    It says what was estimated, by which resampling and how many fits, by which interval, and with which version and
    seed.

    Parameters
    ----------
    result : Estimate, Difference, Choice, PermutationTest or LearningCurve

    Returns
    -------
    str
        The paragraph, and after a blank line each entry.

    Examples
    --------
    >>> import errorest
    >>> result = errorest.estimate("majority", [[0.1], [0.2], [0.9], [1.1]], ["a", "a", "b", "b"], method="loo", rng=1)
    >>> print(errorest.report.methods_text(result).split(". ")[0][:85])
    The error rate of majority, trained on 4 cases (2 a, 2 b), was estimated by leave-one
    """
    of: Any = result
    sentences = _texts()["sentences"]
    present = []
    for condition, sentence in [*sentences[kind_of(result)], *sentences["every"]]:
        name = condition.lstrip("!")
        true = bool(getattr(result, name, None) or getattr(result.metric, name, None))
        if not condition or true != condition.startswith("!"):
            present.append(sentence)
    text = " ".join(present)
    interval = getattr(getattr(of, "interval", None), "method", "")
    # of given predictions the settings only repeat their number
    known = name_and_settings(interval)
    ids = {"method": of.method, "interval": known[0] if known and not result.n_fits else interval}
    methods, settings_in_words = _texts()["methods"], _texts()["settings"]
    for what, named in ids.items():
        # a method or interval in words, perhaps for one metric; an id without a description stays as it is
        name, settings = name_and_settings(named.partition(" on ")[0]) or (named, {})
        words = methods.get(f"{name} of {result.metric.metric.name}", methods.get(name))
        if words is None:
            words = named
        else:
            parts = [settings_in_words.get(key, f"{key} = {{}}").format(value) for key, value in settings.items()]
            if name == "splitter":
                parts = [named.removeprefix("splitter(").removesuffix(")")]
            shown, bracket, cited = words.partition(" [")
            words = ", with ".join(filter(None, [shown, ", ".join(filter(None, parts))])) + bracket + cited
        text = text.replace(f"{{{what}}}", words.replace("{", "{{").replace("}", "}}"))
    entries = {m[1]: m[0].strip() for m in re.finditer(r"^@\w+\{(\w+),.*?^\}", _shipped("methods.bib"), re.M | re.S)}
    citation = rf" \[({'|'.join(entries)})\]"
    keys = re.findall(citation, text)
    candidates = [one.name for one in getattr(of, "candidates", ())]

    def in_words(cited: re.Match[str]) -> str:
        sources = []
        for key in re.findall(citation, cited[0]):
            # authors and year of a BibTeX entry, which has both
            ((authors, year),) = re.findall(r"author = \{(.*?)\},\n.*?year = \{(\d+)\}", entries[key], re.S)
            names = [one.partition(",")[0].strip() for one in re.split(r"\s+and\s+", authors)]
            sources.append(f"{' and '.join(names) if len(names) < 3 else f'{names[0]} et al.'}, {year}")
        return f" ({'; '.join(sources)})"

    text = re.sub(f"(?:{citation})+", in_words, text).format(
        r=of,
        noun=result.metric.title,
        level=level_text(result.confidence_level),
        model=getattr(of, "model", "") or "a classifier",
        cases=f"{result.n} cases" + ("" if result.n_groups is None else f" in {result.n_groups} groups"),
        classes=counts_text(getattr(of, "class_counts", {})),
        number=len(candidates),
        names="; ".join(candidates),
        sizes=", ".join(map(str, getattr(getattr(of, "points", None), "sizes", ()))),
        version=metadata.version("errorest"),
    )
    return "\n\n".join([text, *(entries[key] for key in sorted(set(keys)))])


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(_shipped("methods.toml"))


def _shipped(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
