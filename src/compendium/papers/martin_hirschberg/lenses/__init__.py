"""Section 6: decision trees on contact lenses."""
