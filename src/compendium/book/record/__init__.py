"""The record of a complete build: written, compared with new measurements, and archived with the measured chunks."""
