"""The dissector that Wireshark loads, with the ids of the catalogue and the port of the specification put in."""

from importlib.resources import files
from pathlib import Path

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.reference.mqsd.messages import FIELD_REQUIREMENTS
from mqconform.reference.mqsd.specification import FACTS

NAME = "mqsd.lua"
REQUIREMENTS, UDP_PORT = "--@REQUIREMENTS@", "@UDP_PORT@"
"""What stands in the source in their place."""


def lua_dissector() -> str:
    """Return the dissector for MS-MQSD 2.2 as one Lua file."""
    source = (files("mqconform.harness.tools.packets") / NAME).read_text(encoding="utf-8")
    rows = [f'  ["{field}"] = "{" ".join(ids)}",' for field, ids in FIELD_REQUIREMENTS.items()]
    return source.replace(REQUIREMENTS, "\n".join(rows)).replace(UDP_PORT, str(FACTS.udp_port))


def write_lua(path: Path) -> Path:
    """Write the dissector to a file, or into a folder, and return the file.

    Raises:
        ConfigurationError: it cannot be written there.
    """
    file = path / NAME if path.is_dir() else path
    try:
        file.write_text(lua_dissector(), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"--lua {path}: {error.strerror or error}; name a file or an existing folder"
        ) from error
    return file
