"""The paragraph for a methods section, with the references that it cites.

Its sentences stand in ``methods.toml``, the references in ``methods.bib``.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import metadata, resources
from typing import Any

from errorest.assessment.formatting import counts_text
from errorest.spec import name_and_settings


def methods_text(result: Any) -> str:
    """Write the paragraph of a result, and after it the BibTeX entries."""
    sentences = _texts()["sentences"]
    entries = {m[1]: m[0].strip() for m in re.finditer(r"^@\w+\{(\w+),.*?^\}", _shipped("methods.bib"), re.M | re.S)}
    stand = []
    for when, sentence in sentences[type(result).__name__] + sentences["every"]:
        present = bool(getattr(result, when.lstrip("!"), None))
        if not when or present != when.startswith("!"):
            stand.append(sentence)
    text = " ".join(stand)
    interval = getattr(result, "interval", None)
    ids = {"method": result.estimator or getattr(result, "resamples", ""), "interval": getattr(interval, "method", "")}
    score = getattr(result.score, "name", "")
    for what, name in ids.items():
        text = text.replace(f"{{{what}}}", _described(name, score).replace("{", "{{").replace("}", "}}"))
    citation = rf" \[({'|'.join(entries)})\]"
    keys = re.findall(citation, text)
    candidates = [one.name for one in getattr(result, "candidates", ())]

    def in_words(cited: re.Match[str]) -> str:
        return f" ({'; '.join(_named(entries[key]) for key in re.findall(citation, cited[0]))})"

    text = re.sub(f"(?:{citation})+", in_words, text).format(
        r=result,
        model=result.classifier or "a classifier",
        cases=f"{result.n} cases" + ("" if result.n_groups is None else f" in {result.n_groups} groups"),
        classes=counts_text(getattr(result, "class_counts", {})),
        number=len(candidates),
        names="; ".join(candidates),
        sizes=", ".join(map(str, getattr(getattr(result, "points", None), "sizes", ()))),
        version=metadata.version("errorest"),
    )
    return "\n\n".join([text, *(entries[key] for key in sorted(set(keys)))])


def _described(text: str, score: str) -> str:
    """Say in words what an id means, perhaps for a score; one that has none stays as it is."""
    name, settings = name_and_settings(text.partition(" on ")[0]) or (text, {})
    methods = _texts()["methods"]
    words: str | None = methods.get(f"{name} of {score}", methods.get(name))
    if words is None:
        return text
    known: dict[str, str] = _texts()["settings"]
    messages = [known.get(key, f"{key} = {{}}").format(value) for key, value in settings.items()]
    if name == "splitter":
        messages = [text.removeprefix("splitter(").removesuffix(")")]
    what, bracket, cited = words.partition(" [")
    return ", with ".join(filter(None, [what, ", ".join(filter(None, messages))])) + bracket + cited


@cache
def _texts() -> dict[str, Any]:
    return tomllib.loads(_shipped("methods.toml"))


def _shipped(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _named(entry: str) -> str:
    """Name the authors of an entry, and its year."""
    authors = re.search(r"author = \{(.*?)\},\n", entry, re.S)
    year = re.search(r"year = \{(\d+)\}", entry)
    assert authors is not None
    assert year is not None
    names = [one.partition(",")[0].strip() for one in re.split(r"\s+and\s+", authors[1])]
    who = names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."
    return f"{who}, {year[1]}"
