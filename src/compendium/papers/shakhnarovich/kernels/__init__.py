"""Sections 4 and 7: kernels at a boundary, kernels of integers, rejection, clones of a data set."""
