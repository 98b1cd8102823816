"""Printed numbers, Monte Carlo errors, verdicts, and what an artifact yields."""
