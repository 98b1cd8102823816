"""Scheffer & Herbrich (1997), "Unbiased assessment of learning algorithms"."""
