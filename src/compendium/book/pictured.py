"""A figure on a page: two drawings, of which the style sheet shows one, and what stands below them."""

from __future__ import annotations

from html import escape

__all__ = ["pictured"]


def pictured(light: str, dark: str, alt: str, caption: str) -> str:
    """Return a figure of two drawings, for light and for dark pages, with its caption (HTML).

    The style sheet shows one of them; without it, in a notebook, the light one is seen alone.
    """
    said = escape(alt)
    other = f'<img class="errorest-dark" src="{dark}" alt="{said}" hidden=""/>' if dark else ""
    return (
        f'<figure class="errorest-figure"><img src="{light}" alt="{said}"/>{other}'
        f"<figcaption>{caption}</figcaption></figure>"
    )
