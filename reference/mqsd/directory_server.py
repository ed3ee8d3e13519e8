"""One MSMQ Directory Service server as a reply lists it (MS-MQSD 2.2.3)."""

from dataclasses import dataclass


def name_octets(name: str) -> bytes:
    """Return the UTF-16 code units of a name, low octet first, unpaired surrogates included."""
    return name.encode("utf-16-le", "surrogatepass")


def name_text(octets: bytes) -> str:
    """Return an even number of octets as text; an unpaired surrogate stays one character of its own.

    Octets to text and back is the identity. Text to octets and back joins a surrogate pair that was written as two
    characters, which is why ``DirectoryServer`` keeps the joined form: equal code units are then equal names.
    """
    return octets.decode("utf-16-le", "surrogatepass")


@dataclass(frozen=True, slots=True)
class DirectoryServer:
    """A server name with the networking protocols it is said to support (MS-MQSD 2.2.3)."""

    name: str
    """Any UTF-16 code units but 0x002C and 0x0000; neither NetBIOS nor DNS rules are asked for."""
    ip: bool
    ipx: bool

    def __post_init__(self) -> None:
        """Join the surrogate pairs of the name."""
        if not self.name.isascii():
            object.__setattr__(self, "name", name_text(name_octets(self.name)))

    @property
    def code_units(self) -> tuple[int, ...]:
        """The UTF-16 code units of the name."""
        octets = name_octets(self.name)
        return tuple(int.from_bytes(octets[at : at + 2], "little") for at in range(0, len(octets), 2))
