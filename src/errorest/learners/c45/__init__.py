"""C4.5 (Quinlan 1993, 1996): compiled decision trees over weighted cases."""

from errorest.learners.c45.inducer import C45, C45Tree

__all__ = ["C45", "C45Tree"]
