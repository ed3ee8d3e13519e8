"""The dissector that Wireshark loads, made from the table of the messages and the ids of the catalogue."""

import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.reference.mqsd.messages import FIELD_REQUIREMENTS, HEADER, REPLY, REQUEST, FieldRule, Kind, MessageRule
from mqconform.reference.mqsd.specification import FACTS

FILE_NAME: Final = "mqsd.lua"
HEXADECIMAL: Final = ("Reserved", "IPXNetworkNumberArray", "ConnectedNetworkMask")


def lua_dissector() -> str:
    """Return the dissector for MS-MQSD 2.2 as one Lua file."""
    source = (files("mqconform.harness.tools.packets") / FILE_NAME).read_text(encoding="utf-8")
    rules = {rule.name: rule for message in (REQUEST, REPLY) for rule in message.fields if rule.name != "Type"}
    parts = {
        "--@REQUIREMENTS@": _lines(f'["{field}"] = "{" ".join(ids)}"' for field, ids in FIELD_REQUIREMENTS.items()),
        "--@HEADER@": _rules(HEADER.fields, 2),
        "--@MESSAGES@": "\n".join(map(_message, (REQUEST, REPLY))),
        "--@FIELDS@": _lines(map(_proto_field, rules.values())),
        "@LEAST@": str(REPLY.size + REPLY["ConnectedNetworkArray"].size),
        "@UDP_PORT@": str(FACTS.udp_port),
        "@IPX_SOCKET@": str(FACTS.ipx_socket),
    }
    return re.sub("|".join(parts), lambda match: parts[match.group()], source)


def _message(message: MessageRule) -> str:
    fields = _rules(message.fields[len(HEADER.fields) :], 4)
    return f'  [{int(message.types[0])}] = {{\n    name = "{message.name}",\n{fields}\n  }},'


def _lines(entries: Iterable[str], indent: int = 2) -> str:
    return "\n".join(f"{' ' * indent}{entry}," for entry in entries)


def _rules(rules: Iterable[FieldRule], indent: int) -> str:
    return _lines(map(_rule, rules), indent)


def _rule(rule: FieldRule) -> str:
    """Return a row of the table as a Lua table; keys that would say nothing are left out."""
    keys = {
        "name": f'"{rule.name}"',
        "kind": f'"{rule.kind.value}"',
        "size": rule.size,
        "from": rule.from_length,
        "count": rule.count and f'"{rule.count}"',
        "most": rule.most,
        "even": rule.even and "true",
        "only_if": rule.only_if and f'"{rule.only_if}"',
    }
    return f"{{ {', '.join(f'{key} = {value}' for key, value in keys.items() if value or key == 'from')} }}"


def _proto_field(rule: FieldRule) -> str:
    """Return the declaration of a field, or of the elements of an array, by the name that display filters have."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=IPX)(?=[A-Z])", "_", rule.name).lower().removesuffix("_array")
    match rule.kind:
        case Kind.GUID:
            kind = "guid"
        case Kind.SERVERS:
            kind, words = "bytes", f"{words}s"
        case _:
            kind = f"uint{8 * rule.size}"
    base = ", base.HEX" if rule.name in HEXADECIMAL else ""
    return f'{rule.name} = ProtoField.{kind}("mqsd.{words}", "{rule.name}"{base})'


def write_lua(path: Path) -> Path:
    """Write the dissector to a file, or into a folder, and return the file.

    Raises:
        ConfigurationError: it cannot be written there.
    """
    file = path / FILE_NAME if path.is_dir() else path
    try:
        file.write_text(lua_dissector(), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"--lua {path}: {error.strerror or error}; name a file or an existing folder"
        ) from error
    return file
