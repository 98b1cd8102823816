"""Methods that a single paper needs: its learners, calculations and ways to resample, used by the studies."""
