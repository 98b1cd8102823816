"""Scheffer & Herbrich (1997), "Unbiased assessment of learning algorithms".

The in-text examples of sections 2.4, 3.1 and 4.1, one function per artifact.
"""
