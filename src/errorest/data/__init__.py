"""Samples, stacks of samples, tables read from CSV files, and the shipped data sets."""

from errorest.data.columns import Column, ReadReport
from errorest.data.reading import ReadingWarning, load_or_read, read_csv
from errorest.data.sample import Attribute, Sample, SampleStack
from errorest.data.sets import load, names
from errorest.data.writing import write_csv

__all__ = [
    "Attribute",
    "Column",
    "ReadReport",
    "ReadingWarning",
    "Sample",
    "SampleStack",
    "load",
    "load_or_read",
    "names",
    "read_csv",
    "write_csv",
]
