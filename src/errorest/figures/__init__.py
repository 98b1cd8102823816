"""Figures of the book: one module a paper, one function an artifact.

Each function takes a notebook's parameters, what was regenerated at each scale and the
printed numbers, and returns a :class:`~errorest.plots.Drawn`.
"""
