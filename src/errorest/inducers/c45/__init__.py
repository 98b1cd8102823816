"""C4.5 (Quinlan 1993, 1996): compiled decision trees over weighted cases.

``cases`` lays a sample out, ``criterion`` and ``contingency`` weigh tests, ``grow`` and
``prune`` make a tree, ``predict`` labels with it, ``batch`` does so for all rows of
resamples, ``tree`` and ``inducer`` are what others use.
"""

from errorest.inducers.c45.inducer import C45
from errorest.inducers.c45.tree import C45Tree

__all__ = ["C45", "C45Tree"]
