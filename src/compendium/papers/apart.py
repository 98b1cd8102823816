"""What the paper has not is measured apart, so that finished studies of its own stay valid."""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["studied_apart"]


def studied_apart(names: Sequence[str], is_own: Callable[[str], object]) -> list[list[str]]:
    """Part inducers or classifiers into those of the paper, which are one study, and a study for each other one.

    All studies draw the same samples, since an inducer enters no seed.
    """
    own = [name for name in names if is_own(name)]
    papers = [name for name in names if name not in own]
    return [some for some in (papers, *([name] for name in own)) if some]
