"""Requirements that are judged and have no mutant, each with the reason why."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import TypeAlias

FILE = "without_mutant.toml"
Exemptions: TypeAlias = Mapping[tuple[str, str], str]
"""The reason by role and requirement."""


def load_exemptions() -> Exemptions:
    """Return the list that the package ships."""
    whole = tomllib.loads(files(__package__).joinpath(FILE).read_text("utf-8"))
    return {
        (entry["role"], requirement): entry["reason"]
        for entry in whole["exempt"]
        for requirement in entry["requirements"]
    }
