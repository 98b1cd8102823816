"""Cloning: the smoothed bootstrap of whole samples, by kernel estimates of their density.

:class:`Cloner` draws clones of any sample; :class:`CloneScheme` says what is tested on
them; the other names are the parts that they are made of (Shakhnarovich, El-Yaniv & Baram, 2001).
"""

from errorest.resampling.clones.bandwidths import plug_in_bandwidth
from errorest.resampling.clones.bounds import resolve_bounds
from errorest.resampling.clones.cloner import Cloner, leave_one_out_stacks
from errorest.resampling.clones.cloning import CloneCases, CloneFolds, CloneLeftOut, CloneScheme, Cloning
from errorest.resampling.clones.kernels import (
    corrected_kernel,
    discrete_bandwidth,
    discrete_weights,
    epanechnikov,
    kernel_distribution,
    kernel_values,
)
from errorest.resampling.clones.whitening import Whitening, whiten

__all__ = [
    "CloneCases",
    "CloneFolds",
    "CloneLeftOut",
    "CloneScheme",
    "Cloner",
    "Cloning",
    "Whitening",
    "corrected_kernel",
    "discrete_bandwidth",
    "discrete_weights",
    "epanechnikov",
    "kernel_distribution",
    "kernel_values",
    "leave_one_out_stacks",
    "plug_in_bandwidth",
    "resolve_bounds",
    "whiten",
]
