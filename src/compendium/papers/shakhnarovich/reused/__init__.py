"""Samples drawn once for all rows of a table."""
