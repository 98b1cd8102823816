"""Samples, stacks of samples, tables read from CSV files, and the shipped data sets."""

from errorest.data.columns import Column, ReadReport
from errorest.data.reading import ReadingWarning, read_csv
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.data.sets import load, names

__all__ = [
    "Attribute",
    "Column",
    "ReadReport",
    "ReadingWarning",
    "Sample",
    "SampleStack",
    "load",
    "names",
    "read_csv",
]
