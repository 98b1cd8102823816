"""Subcommands with their help and options, as ``commands.toml`` declares them."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

__all__ = ["add_command"]

_READING = "*reading"


@cache
def _declared() -> dict[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("commands.toml").read_text(encoding="utf-8"))


def add_command(
    commands: Any,
    name: str,
    run: Callable[[argparse.Namespace], Any],
    types: dict[str, Callable[[str], Any]],
) -> None:
    """Add a command; ``types`` are those of options beside paths and numbers."""
    declared = _declared()
    own = declared["commands"][name]
    texts = declared["texts"]
    texts = texts | {"data": texts["data"].format(**texts)}
    more = {key: own[key].format(**texts) for key in ("description", "epilog") if key in own}
    if "epilog" in own:
        more["formatter_class"] = argparse.RawDescriptionHelpFormatter
    command = commands.add_parser(name, help=own["help"], **more)
    options, groups = declared["options"] | own.get("own", {}), declared["groups"]
    known: dict[str, Any] = {"path": Path, "int": int, "float": float, **types}
    for listed in own["options"]:
        place = command.add_argument_group("how the file is read") if listed == _READING else command
        for option in groups[listed[1:]] if listed.startswith("*") else [listed]:
            settings = dict(options[option])
            if "type" in settings:
                settings["type"] = known[settings["type"]]
            place.add_argument(option, **settings)
    command.set_defaults(command=run)
