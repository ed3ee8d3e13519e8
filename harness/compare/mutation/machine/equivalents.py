"""Changes that need no conviction, each with the reason."""

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files

FILE = "equivalents.toml"


def load_equivalents() -> Mapping[str, str]:
    """Return the reasons by the pattern of the place."""
    whole = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return {entry["pattern"]: entry["reason"] for entry in whole["equivalent"]}


def reason_for(place: str, reasons: Mapping[str, str]) -> str:
    """Return why a change that nothing convicted needs no conviction; nothing where there is no reason."""
    return next((reason for pattern, reason in reasons.items() if re.search(pattern, place)), "")
