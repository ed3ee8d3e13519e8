"""The file of options: ``mqconform.toml``, or ``[tool.mqconform]`` in ``pyproject.toml``, of the working directory."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.text_file import read_toml

OWN_FILE: Final = "mqconform.toml"
PROJECT_FILE: Final = "pyproject.toml"
LARGEST: Final = 1 << 20


class Settings(NamedTuple):
    """What a file says, and where it says so."""

    path: Path
    table: Mapping[str, Any]


def read_settings(named: Path | None) -> Settings | None:
    """Return the settings of a file that the user names, else those of the working directory, None without any.

    Raises:
        ConfigurationError: the file cannot be read, is not TOML, or has no table for mqconform although it is named.
    """
    if named is not None:
        table = _table(named)
        if table is None:
            raise ConfigurationError(f"{named}: has no table [tool.mqconform]; add it, or name another file")
        return Settings(named, table)
    for path in (Path(OWN_FILE), Path(PROJECT_FILE)):
        if path.is_file() and (table := _table(path)) is not None:
            return Settings(path, table)
    return None


def _table(path: Path) -> Mapping[str, Any] | None:
    document = read_toml(path, LARGEST, "a file of options")
    if path.name != PROJECT_FILE:
        return document
    tools = document.get("tool", {})
    table = tools.get("mqconform") if isinstance(tools, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigurationError(f"{path}: tool.mqconform: is not a table; write [tool.mqconform]")
    return table
