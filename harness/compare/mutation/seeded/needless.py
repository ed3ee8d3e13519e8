"""Defects that need not be noticed, each with the reason."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files

FILE = "needless.toml"


def load_needless() -> Mapping[str, str]:
    """Return the reasons by the name of the defect."""
    whole = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return {name: entry["reason"] for entry in whole["needless"] for name in entry["defects"]}
