"""How often intervals cover the true error."""
