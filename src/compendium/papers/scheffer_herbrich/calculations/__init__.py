"""Sections 2.4, 3.1 and 4.1 recalculated, and what Figures 1 and 2 show, counted."""
