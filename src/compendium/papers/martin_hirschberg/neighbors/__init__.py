"""Section 5: nearest neighbours."""
