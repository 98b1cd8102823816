"""Shakhnarovich, El-Yaniv & Baram (2001), "Smoothed bootstrap and statistical data cloning for classifier evaluation".

Designs and readings of the paper, one function per artifact.
"""
