"""A person's words in a picture: names of classes, columns and files, which may hold anything."""

from __future__ import annotations

import unicodedata

__all__ = ["plain"]

# Controls, marks that turn the direction of writing, halves of characters
_UNSEEN = ("Cc", "Cf", "Cs")


def plain(text: str) -> str:
    """Write a text so that it is drawn as it stands: a dollar sign is no formula, and what cannot be seen is a mark.

    Examples
    --------
    >>> print(plain("$10k-$20k"), plain("a\\tb"))
    \\$10k-\\$20k a�b
    """
    seen = "".join("�" if c != "\n" and unicodedata.category(c) in _UNSEEN else c for c in text)
    return seen.replace("$", r"\$")
