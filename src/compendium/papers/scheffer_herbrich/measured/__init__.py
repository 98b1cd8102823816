"""Beyond the paper: tuning measured on real data."""
