"""Section 6: five synthetic settings."""
