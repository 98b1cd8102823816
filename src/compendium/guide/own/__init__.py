"""Estimates on a reader's own data."""
