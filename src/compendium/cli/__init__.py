"""The command ``compendium``."""
