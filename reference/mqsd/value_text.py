"""What the value of a field means, in words (MS-MQSD 2.2).

Names that a packet holds are repeated as they stand; whoever shows the text makes it visible first.
"""

from typing import Final

from mqconform.reference.mqsd.field import FieldValue, ServerEntry
from mqconform.reference.mqsd.guid import guid_text

TYPE_NAMES: Final = {1: "TopologyClientRequest", 2: "TopologyServerReply"}
FLAGS: Final = {"1": "supported", "0": "not supported"}


def value_text(name: str, value: FieldValue) -> str:
    """Return what the value of the field ``name`` means; by its field where the value alone says little."""
    match name, value:
        case "Type", int():
            return f"0x{value:02x} ({TYPE_NAMES.get(value, 'no message')})"
        case "ConnectedNetworkMask", int():
            return f"0x{value:08x} ({value.bit_count()} bits set)"
        case "IP" | "IPX", str():
            return f"{value} ({FLAGS.get(value, 'neither 0 nor 1')})"
        case "Delim" | "EndList", str():
            return "comma" if value == "," else "null"
        case _, int() if name.startswith("IPXNetworkNumberArray"):
            return f"0x{value:08x}"
        case _:
            return _plain_text(value)


def _plain_text(value: FieldValue) -> str:
    match value:
        case None:
            return "cut off"
        case int():
            return str(value)
        case str():
            return f'"{value}"'
        case bytes():
            return guid_text(value)
        case ServerEntry():
            return f'"{value.name}"'
        case tuple():
            return "1 entry" if len(value) == 1 else f"{len(value)} entries"
