"""Martin & Hirschberg (1996), "Small sample statistics for classification error rates I".

Designs and readings of the technical report, one function per artifact.
"""
