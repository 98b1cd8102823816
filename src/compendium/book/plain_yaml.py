"""YAML as people write it by hand: small, flat, each key once; whatever else a YAML text can do is refused.

A text that nests thousands of levels deep, refers to itself or states a number of thousands of digits is told of in one
line, in bounded time and memory.
"""

from __future__ import annotations

from typing import Any

import yaml

from errorest.data.text import quoted
from errorest.errors import UsageError

__all__ = ["LONGEST", "read_yaml"]

LONGEST = 1 << 20
"""Characters of a text, 1 MiB."""

_DEEPEST = 20


def read_yaml(text: str, source: str) -> Any:
    """Parse a YAML text."""
    if len(text) > LONGEST:
        raise UsageError(
            f"{source}: the text has {len(text):,} characters; expected at most {LONGEST:,} of 'key: value' lines; "
            "shorten it"
        )
    try:
        # before anything is built of the text
        _check_depth(text, source)
        _check_keys(yaml.compose(text, Loader=yaml.BaseLoader), source)
        return yaml.safe_load(text)
    except yaml.YAMLError as exc:  # a tag of a program, too
        mark = getattr(exc, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else "the file"
        raise UsageError(f"{source}: {where} is not YAML; expected 'key: value' lines; mend it") from None
    except UsageError:
        raise
    except (ValueError, TypeError, OverflowError, AttributeError) as exc:  # a date or number that there cannot be
        told = " ".join(str(exc).split())[:80]
        raise UsageError(
            f"{source}: a value cannot be read ({told}); expected plain 'key: value' lines; mend it"
        ) from None


def _check_depth(text: str, source: str) -> None:
    """Refuse what nests deep or refers to itself, from the words of the text alone."""
    depth = 0
    for token in yaml.scan(text, Loader=yaml.BaseLoader):
        kind = type(token).__name__
        if not kind.startswith("Stream"):
            depth += kind.endswith("StartToken") - kind.endswith("EndToken")
        if depth > _DEEPEST or isinstance(token, yaml.AliasToken):
            raise UsageError(
                f"{source}: line {token.start_mark.line + 1} nests too deep or refers to an anchor; expected plain "
                "'key: value' lines; mend it"
            )


def _check_keys(node: yaml.Node | None, source: str) -> None:
    """Refuse keys that are no text, and those that stand twice, wherever in the text."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check_keys(item, source)
    if not isinstance(node, yaml.MappingNode):
        return
    seen: set[str] = set()
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise UsageError(f"{source}: line {line} has a list for a key; expected 'key: value' lines; mend it")
        if key.value in seen:
            raise UsageError(
                f"{source}: line {line} states {quoted(key.value)} twice; expected each key once; remove one"
            )
        seen.add(key.value)
        _check_keys(value, source)
