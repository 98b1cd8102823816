"""Kohavi (1995), "A study of cross-validation and bootstrap for accuracy estimation and model selection"."""
