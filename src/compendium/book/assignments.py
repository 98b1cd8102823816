"""Parameters as a person gives them to the command: ``name=value`` texts over a YAML file.

A text is YAML, read as people mean it; what it is checked against stands in :mod:`compendium.book.parameters`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path

import yaml

from compendium.book.parameters import Given, plain_value, shown
from errorest.errors import UsageError

# How deep lists in a value may lie in one another
_DEEPEST = 20


def from_assignments(assignments: Sequence[str], file: Path | None = None) -> Given:
    """Read ``name=value`` texts (values as YAML) over the contents of a YAML file."""
    given: Given = {}
    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, ValueError) as exc:
            reason = getattr(exc, "strerror", None) or " ".join(str(exc).split())
            raise UsageError(f"parameter file {file} cannot be read ({reason})") from None
        read = _read_yaml(text, f"parameter file {file}")
        if not isinstance(read, dict):
            raise UsageError(f"parameter file {file} holds no names", "write one 'name: value' a line")
        given.update({str(k): v for k, v in read.items()})
    for text in assignments:
        name, equals, value = text.partition("=")
        name = name.strip()
        if not equals:
            raise UsageError(f"parameter '{text}' has no value", f"write -p {text}=VALUE")
        try:
            given[name] = _read_yaml(value, name)
        except UsageError:
            raise UsageError(
                f"parameter {name} was given {shown(value)}; expected a number, a word or a list such as [10, 20]",
                "quote the whole argument for the shell",
            ) from None
    for name in given:
        if not name.isidentifier():
            raise UsageError(f"parameter name {name!r} is not an identifier", "see: compendium params NOTEBOOK")
    return given


class _Loader(yaml.BaseLoader):
    """YAML whose plain scalars are read as people mean them, in which a key stands once.

    YAML 1.1 takes ``0100`` for octal, ``1:30`` for 90, ``no`` for false, ``1e3`` for text, ``2024-01-01`` for a date.
    Tags, aliases and deep nesting are refused while reading: a few lines of them can expand beyond any memory.
    """

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()
        problem = ""
        if self.check_event(yaml.AliasEvent):
            problem = "an alias; write the value out"
        elif getattr(event, "tag", None) is not None:
            problem = "a tag; write the value alone"
        elif self._depth == _DEEPEST:
            problem = f"more than {_DEEPEST} brackets in one another"
        if problem:
            raise yaml.composer.ComposerError(problem=problem, problem_mark=event.start_mark)
        self._depth += 1
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def construct_scalar(self, node: yaml.ScalarNode) -> str | float | bool | None:  # type: ignore[override]
        return node.value if node.style else plain_value(node.value)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
        mapping = super().construct_mapping(node, deep=deep)
        if len(mapping) < len(node.value):
            raise yaml.constructor.ConstructorError(problem="a key twice", problem_mark=node.start_mark)
        return mapping


def _read_yaml(text: str, source: str) -> object:
    try:
        return yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, ValueError) as exc:  # an impossible date or number is a ValueError
        mark, problem = getattr(exc, "problem_mark", None), getattr(exc, "problem", None) or str(exc)
        where = f"line {mark.line + 1}" if mark else "the file"
        raise UsageError(
            f"{source}: {where} is not YAML ({' '.join(problem.split())[:80]})", "write 'key: value' lines"
        ) from None
