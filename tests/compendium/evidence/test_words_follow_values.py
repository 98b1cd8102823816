"""No word of sign or size is typed beside a computed value: what a finding or an erratum concludes follows from it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[3] / "src" / "errorest"
WORDS = re.compile(
    r"\b(positive|negative|optimistic|pessimistic|significant(ly)?|(un)?biased|better|worse|lowers?|higher|raises?|"
    r"falls?|rises?|increases?|decreases?|improves?|exceeds?|too (high|low|good))\b"
)
# what a claim asks, its parts are called, and a paper prints is typed; so are messages to whoever gives parameters
TYPED = {
    "Claim", "Check", "above", "below", "near", "apart", "equal", "every", "most", "some", "asked", "parameter",
    "UsageError", "ValueError", "Drawn", "spread_claim", "_more_biased", "artifact",
}  # fmt: skip

# read one by one: the sentence is right whatever its values are
RIGHT_WHATEVER_THE_VALUES = {
    # counts of both sides, none of which need be the larger
    "clearly better in",
    # a count, a share or a maximum of what is named
    "A new estimator is significantly better than every old one {}",
    "significantly so, {}",
    "it comes out positive in",
    "optimism positive",
    "the most optimistic on the whole is {}",
    # stands behind a condition in an earlier line
    "none is clearly optimistic",
    "the more likely to exceed the largest absolute errors",
    # the claim of a paper, put together before it is checked
    "{} is biased",
    "In most cases cloning lowers the RMSE",
    # luck and its size, which the calculator cannot give another sign
    "points too good if the settings are equally good",
    "points better than it is on {} tested cases, by luck",
    "none of them better than that answer",
    # what a term means
    "is .632 where the overfitting rate exceeds 1",
    "from its lower bound keeps",
    "the density inside rises by a factor",
    "Area under the lower of the two curves",
    "is significant at 5 % from |r|",
    "Leave-one-out is almost unbiased",
    "falls back to the .632",
}


def sentences() -> Iterator[tuple[str, str]]:
    """Yield every text with a computed value that makes no condition of its own: where it stands, and its words."""
    for path in sorted([*(SRC / "papers").rglob("*.py"), *(SRC / "guide").rglob("*.py")]):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and not isinstance(above[node], ast.FormattedValue):
                computed = any(isinstance(value, ast.FormattedValue) for value in node.values)
                if computed and not _decided(node, above):
                    text = "".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
                    yield f"{path.relative_to(SRC)}:{node.lineno}", text


def _decided(node: ast.AST, above: dict[ast.AST, ast.AST]) -> bool:
    """Whether a condition chooses a text, or it is what a paper says or a claim asks."""
    child = node
    while child in above and not isinstance(above[child], ast.FunctionDef):
        parent = above[child]
        if isinstance(parent, ast.If | ast.IfExp):
            return True
        if isinstance(parent, ast.Call):
            name = getattr(parent.func, "id", getattr(parent.func, "attr", ""))
            printed = name == "Erratum" and child in parent.args[:3]
            if name in TYPED or printed:
                return True
        child = parent
    return False


def test_no_word_of_sign_or_size_is_typed_beside_a_computed_value() -> None:
    found = list(sentences())
    assert len(found) > 500
    typed = [
        (place, text)
        for place, text in found
        if WORDS.search(text) and not any(fine in text for fine in RIGHT_WHATEVER_THE_VALUES)
    ]
    assert not typed


def test_every_text_that_was_read_still_stands() -> None:
    texts = [text for _, text in sentences()]
    assert {fine for fine in RIGHT_WHATEVER_THE_VALUES if not any(fine in text for text in texts)} == set()


@pytest.mark.parametrize(
    ("code", "typed"),
    [
        ('f"the bias is {b}, pessimistic"', True),
        ('f"the bias is {b}, {word(b)}"', False),
        ('f"{b} too high" if b > 0 else f"{-b} too low"', False),
        ('Claim(f"{n} folds are pessimistic.", [])', False),
        ('Erratum("x", f"{n} are significant", "y", "z")', False),
        ('Erratum("x", "y", "z", f"{n} are significant")', True),
    ],
)
def test_a_typed_word_is_found(code: str, typed: bool) -> None:
    tree = ast.parse(code)
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    texts = [
        "".join(v.value if isinstance(v, ast.Constant) else "{}" for v in node.values)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr) and not _decided(node, above)
    ]
    assert any(map(WORDS.search, texts)) == typed
