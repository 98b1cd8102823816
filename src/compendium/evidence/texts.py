"""Numbers, titles and captions of artifacts: ``data/artifacts/<paper>.yaml``, by artifact."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

from errorest import bits
from errorest.errors import UsageError

__all__ = ["Texts", "read_texts", "texts_of"]


class Texts(NamedTuple):
    """What stands above an artifact; the values of parameters in title and caption in braces, ``{samples}``."""

    number: str
    title: str
    caption: str = ""


@cache
def read_texts(paper: str) -> dict[str, Texts]:
    """Read the texts of all artifacts of a paper."""
    file = (bits.project_root() or Path()) / "data" / "artifacts" / f"{paper}.yaml"
    try:
        found = yaml.load(file.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        return {artifact: Texts(**texts) for artifact, texts in found.items()}
    except (OSError, yaml.YAMLError, AttributeError, TypeError) as exc:
        raise UsageError(
            f"data/artifacts/{paper}.yaml cannot be read ({exc}); expected number, title and caption by artifact"
        ) from None


def texts_of(paper: str, artifact: str) -> Texts:
    """Return the texts of one artifact."""
    found = read_texts(paper)
    if artifact not in found:
        raise UsageError(
            f"artifact '{artifact}' has no texts; expected an entry with number, title and caption in "
            f"data/artifacts/{paper}.yaml"
        )
    return found[artifact]
