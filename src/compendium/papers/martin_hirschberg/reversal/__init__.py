"""Class reversal: its mathematics and its frequency."""
