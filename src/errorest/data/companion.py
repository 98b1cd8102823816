"""The YAML file beside a person's CSV file, which says for good how it is to be read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from errorest.data.text import quoted
from errorest.errors import UsageError, nearest
from errorest.extras import MissingExtra

if TYPE_CHECKING:
    import yaml

__all__ = ["Companion", "read_companion"]

_LISTS = ("missing", "drop")
_TEXTS = ("class", "sep", "decimal", "encoding")
_KEYS = ("class", "attributes", *_LISTS, *_TEXTS[1:])
_DEEPEST = 20


@dataclass(frozen=True)
class Companion:
    """What the YAML file beside a CSV file states.

    Parameters
    ----------
    texts : mapping of str to str
        The class column, separator, decimal sign and encoding, where stated.
    kinds : mapping of str to str
        Of columns.
    missing : tuple of str, optional
        Cells that stand for missing values, instead of the usual ones.
    drop : tuple of str
        Columns to leave out.

    Examples
    --------
    >>> Companion().drop
    ()
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    missing: tuple[str, ...] | None = None
    drop: tuple[str, ...] = ()


def read_companion(path: Path) -> Companion:
    """Read the YAML beside a CSV file; an empty one where there is none.

    Parameters
    ----------
    path : path

    Raises
    ------
    UsageError
        If PyYAML is not installed, or the file cannot be read, is no plain YAML, or states what nobody asks for.

    Examples
    --------
    >>> read_companion(Path("there is none.yml")).drop
    ()
    """
    if not os.path.isfile(path):
        return Companion()
    if find_spec("yaml") is None:
        raise MissingExtra(f"{path}: YAML cannot be read; expected the package pyyaml; run: pip install pyyaml")
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise UsageError(
            f"{path}: the file cannot be read; expected YAML in UTF-8; mend it or move it away from the CSV file"
        ) from None
    content = _yaml(text, path)
    shape = f"expected the keys {', '.join(_KEYS)}"
    if content in (None, ""):
        return Companion()
    if not isinstance(content, dict):
        raise UsageError(f"{path}: the file is not a mapping; {shape}; write one 'key: value' a line")
    for key in content:
        if key not in _KEYS:
            raise UsageError(f"{path}: unknown key {quoted(str(key))}; {shape}; {nearest(str(key), _KEYS)}")
    kinds = content.get("attributes", {})
    texts = {key: content[key] for key in _TEXTS if key in content}
    for key, value in texts.items():
        if not isinstance(value, str):
            what = "a name" if key == "class" else "a text"
            raise UsageError(f"{path}: '{key}' is not {what}; expected one text; write '{key}: ...'")
    if not (isinstance(kinds, dict) and all(isinstance(kind, str) for kind in kinds.values())):
        raise UsageError(
            f"{path}: 'attributes' is not a mapping of names to kinds; expected 'name: kind' lines; write it so"
        )
    for key in _LISTS:
        value = content.get(key, [])
        if not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
            raise UsageError(f"{path}: '{key}' is not a list of texts; expected a list; write '{key}: [a, b]'")
    missing = tuple(content["missing"]) if "missing" in content else None
    return Companion(texts, kinds, missing, tuple(content.get("drop", [])))


def _yaml(text: str, path: Path) -> object:
    """Parse a small YAML text; every scalar stays text: '?', 'no' and '1' are names and cells here."""
    import yaml

    try:
        depth = 0
        for token in yaml.scan(text, Loader=yaml.BaseLoader):
            kind = type(token).__name__
            depth += kind.endswith("StartToken") and not kind.startswith("Stream")
            depth -= kind.endswith("EndToken") and not kind.startswith("Stream")
            if depth > _DEEPEST or isinstance(token, yaml.AliasToken):
                raise UsageError(
                    f"{path}: line {token.start_mark.line + 1} nests too deep or refers to an anchor; expected plain "
                    "'key: value' lines; mend it"
                )
        loader = yaml.BaseLoader(text)
        node = loader.get_single_node()
        _check_keys(node, path)
        return None if node is None else loader.construct_document(node)
    except yaml.YAMLError as exc:
        mark = getattr(exc, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else "the file"
        raise UsageError(f"{path}: {where} is not YAML; expected 'key: value' lines; mend it") from None


def _check_keys(node: yaml.Node | None, path: Path) -> None:
    import yaml

    if not isinstance(node, yaml.MappingNode):
        return
    seen: set[str] = set()
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise UsageError(
                f"{path}: line {key.start_mark.line + 1} has a list for a key; expected 'key: value' lines; mend it"
            )
        if key.value in seen:
            raise UsageError(
                f"{path}: line {key.start_mark.line + 1} states {quoted(key.value)} twice; expected each key once; "
                "remove one"
            )
        seen.add(key.value)
        _check_keys(value, path)
