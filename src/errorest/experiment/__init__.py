"""Where samples come from: populations that know a classifier's true error."""
