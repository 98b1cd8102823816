"""Results in words and pictures.

A result is numbers; ``print(result)`` shows a summary of at most twelve lines and ``result.details()`` everything that
is known.  :func:`plot` draws it, :func:`to_html` writes a page, :func:`methods_text` the paragraph for a methods
section, :func:`verdict` the sentence that says what it means.
"""

from errorest.assessment.report.methods import methods_text
from errorest.assessment.report.page import plot, to_html
from errorest.assessment.report.text import verdict

__all__ = ["methods_text", "plot", "to_html", "verdict"]
