"""Samples, stacks of samples, tables read from CSV files, and the shipped data sets."""
