"""Section 8: what an estimate costs."""
