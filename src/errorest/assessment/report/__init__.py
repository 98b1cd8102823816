"""Results in words and pictures: :func:`plot`, :func:`to_html`, :func:`methods_text` and :func:`verdict`."""

from errorest.assessment.report.methods import methods_text
from errorest.assessment.report.page import plot, to_html
from errorest.assessment.report.text import verdict

__all__ = ["methods_text", "plot", "to_html", "verdict"]
