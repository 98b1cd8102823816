"""Section 3: bias against the true error."""
