"""Changes that no scenario can convict, each with the reason."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

FILE = "equivalents.toml"


def load_equivalents() -> Mapping[str, str]:
    """Return the reasons by the id of the place."""
    whole = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return {place: entry["reason"] for entry in whole.get("equivalent", []) for place in entry["places"]}
