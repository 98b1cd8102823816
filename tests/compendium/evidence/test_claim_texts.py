"""Texts of claims in ``artifacts.yaml`` and conditions in the papers' sections match one to one."""

import ast
import importlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from compendium.evidence.claims import Claims
from compendium.evidence.papers import PAPERS
from compendium.evidence.texts import claim_texts, paper_of

Named = set[tuple[str, str]]


def tables(value: Any) -> Iterator[Claims]:
    if isinstance(value, Claims):
        yield value
    elif isinstance(value, dict):
        for own in value.values():
            yield from tables(own)


@cache
def judged() -> Named:
    """Artifact and name of each condition: in a table, or where a claim is made by its name."""
    results: Named = set()
    for name in (name for paper in PAPERS.values() if paper.printed for name in paper.modules):
        module = importlib.import_module(name)
        results |= {(t.artifact, name) for v in vars(module).values() for t in tables(v) for name in t.conditions}
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "judge_claim":
                artifact, name = ast.literal_eval(node.args[0]), node.args[1]
                # a name that is computed is one of those that have a text
                names = [name.value] if isinstance(name, ast.Constant) else claim_texts(artifact)
                results |= {(artifact, str(one)) for one in names}
    return results


@pytest.mark.parametrize("paper", [one.id for one in PAPERS.values() if one.printed])
def test_every_text_of_a_claim_has_a_condition_and_every_condition_a_text(paper: str) -> None:
    written = {(one, name) for one in PAPERS[paper].read("artifacts") for name in claim_texts(one)}
    assert sorted(written) == sorted(one for one in judged() if paper_of(one[0]) == paper)


@pytest.mark.parametrize("paper", PAPERS)
def test_no_two_claims_of_an_artifact_say_the_same(paper: str) -> None:
    for artifact in PAPERS[paper].read("artifacts"):
        texts = [(own.text, own.reading) for own in claim_texts(artifact).values()]
        assert len(texts) == len(set(texts)), artifact
