"""What is called how in the pages on Scheffer & Herbrich."""

from __future__ import annotations

from collections.abc import Mapping

from compendium.evidence.names import Name, read_names

_NAMES = read_names("scheffer-herbrich")

DATA: Mapping[str, str] = _NAMES["data"]
INDUCERS: Mapping[str, str] = _NAMES["inducers"]
EXAMPLES: Mapping[str, str] = _NAMES["examples"]
WAYS, SCENARIOS = (
    {key: Name(heading, sentence, heading) for key, (heading, sentence) in _NAMES[kind].items()}
    for kind in ("ways", "scenarios")
)
"""Ways of reporting a cross-validated error, and of seeing the same tuning."""
