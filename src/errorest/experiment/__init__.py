"""Where samples come from, what knows a classifier's true error, and the one experiment on them."""
