"""Sections 3 to 5: kernels, bandwidths and clones."""
