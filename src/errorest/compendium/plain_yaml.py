"""YAML as people write it by hand: small, flat, each key once; whatever else a YAML text can do is refused.

A text that nests thousands of levels deep, refers to itself or states a number of thousands of digits is told of in one
line, in bounded time and memory.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from errorest.data import companion
from errorest.errors import UsageError

__all__ = ["LONGEST", "read_yaml"]

LONGEST = 1 << 20
"""Characters of a text, 1 MiB."""


def read_yaml(text: str, source: str) -> Any:
    """Parse a YAML text.

    Parameters
    ----------
    text : str
    source : str
        What messages call it.

    Returns
    -------
    object
        None for an empty text.

    Raises
    ------
    UsageError
        If it is no YAML, longer than :data:`LONGEST` or nests deep, uses anchors or tags of programs,
        states a key twice, or a value cannot be read.

    Examples
    --------
    >>> read_yaml("sizes: [10, 20]", "p.yml")
    {'sizes': [10, 20]}
    """
    if len(text) > LONGEST:
        raise UsageError(
            f"{source}: the text has {len(text):,} characters; expected at most {LONGEST:,} of 'key: value' lines; "
            "shorten it"
        )
    # depth, references and keys are looked at before anything is built of the text, as beside a CSV file
    companion._yaml(text, Path(source))
    try:
        _check_lists(yaml.compose(text, Loader=yaml.BaseLoader), Path(source))
        return yaml.safe_load(text)
    except yaml.YAMLError as exc:  # a tag of a program
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


def _check_lists(node: yaml.Node | None, path: Path) -> None:
    """Look at the keys of what stands in lists too, which the file beside a CSV file has none of."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            companion._check_keys(item, path)
            _check_lists(item, path)
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            _check_lists(value, path)
