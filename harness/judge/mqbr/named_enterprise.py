"""Enterprises described by names, as features write them, and the GUIDs that stand for the names.

A GUID follows from kind and name alone, so that the same scenario always shows the same octets; its sixteen octets
differ from each other, so that no mistake in their order stays hidden.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from typing import Any
from uuid import UUID

from mqconform.harness.iut.interface import Json
from mqconform.reference.directory import Directory, directory_from_document

SITE, MACHINE, LINK, ENTERPRISE = "site", "queue manager", "routing link", "enterprise"
GUID_OCTETS = 16


_PLACES = {str(place): place for place in range(GUID_OCTETS)}


def _likeness(name: str) -> tuple[str, list[int]]:
    """Return the name that ``A_but_for_octet_15`` is like, and the octets in which its GUID is another one."""
    alike, *octets = name.split("_but_for_octet_")
    return (alike, [_PLACES[octet] for octet in octets]) if alike and _PLACES.keys() >= {*octets} else (name, [])


@cache
def guid_of(kind: str, name: str) -> str:
    """Return the GUID of a named thing as lower-case 8-4-4-4-12 text, its octets all different.

    That of ``A_but_for_octet_15`` differs from that of ``A`` in the last octet and in no other.
    """
    alike, places = _likeness(name)
    octets: dict[int, None] = {}
    turn = 0
    while len(octets) < GUID_OCTETS:
        octets |= dict.fromkeys(sha256(f"{kind}:{alike}:{turn}".encode(errors="surrogatepass")).digest())
        turn += 1
    guid = bytearray([*octets][:GUID_OCTETS])
    for place in places:
        guid[place] ^= 1
    return str(UUID(bytes=bytes(guid)))


@dataclass(frozen=True, slots=True)
class Link:
    """A routing link between two sites with its ActualCost."""

    one: str
    other: str
    cost: int


@dataclass(frozen=True, slots=True)
class Machine:
    """A queue manager; everything it refers to goes by name."""

    name: str
    sites: tuple[str, ...]
    routing_server: bool = False
    out_servers: tuple[str, ...] = ()
    in_servers: tuple[str, ...] = ()
    networks: tuple[str, ...] = ()


@dataclass(frozen=True)
class NamedEnterprise:
    """An enterprise in which all things go by name, each tuple in the directory's order of enumeration.

    A name that is used and not declared stands for an identifier that the directory does not hold.
    """

    sites: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    machines: tuple[Machine, ...] = ()
    gates: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Names of the site gates of each site that has any."""
    upper_case_references: bool = False
    """Whether identifiers stand in upper case wherever something refers to them."""

    @property
    def document(self) -> Json:
        """The enterprise document of the IUT protocol."""
        plain = self._document
        if not self.upper_case_references:
            return plain
        return {kind: _referring_in_upper_case(entries) for kind, entries in plain.items()}

    @property
    def _document(self) -> Json:
        gates = dict(self.gates)
        return {
            "enterprise": {"id": guid_of(ENTERPRISE, ""), "name": "enterprise"},
            "sites": [
                {
                    "id": guid_of(SITE, site),
                    "name": _likeness(site)[0],
                    "site_gates": [guid_of(MACHINE, gate) for gate in gates.get(site, ())],
                }
                for site in self.sites
            ],
            "routing_links": [_link_entry(place, link) for place, link in enumerate(self.links)],
            "queue_managers": [_machine_entry(machine) for machine in self.machines],
        }

    @cached_property
    def directory(self) -> Directory:
        """The directory as the reference model reads it."""
        return directory_from_document(self.document)

    @cached_property
    def names(self) -> dict[str, str]:
        """The name behind every GUID that the enterprise mentions."""
        sites = {guid_of(SITE, name): name for name in self._site_names()}
        return sites | {guid_of(MACHINE, name): name for name in self._machine_names()}

    def _site_names(self) -> Iterator[str]:
        yield from self.sites
        for link in self.links:
            yield from (link.one, link.other)
        for machine in self.machines:
            yield from machine.sites

    def _machine_names(self) -> Iterator[str]:
        for machine in self.machines:
            yield machine.name
            yield from (*machine.in_servers, *machine.out_servers)
        for _, gates in self.gates:
            yield from gates


def _referring_in_upper_case(entries: Any) -> Any:
    """Return the entries of one kind with every GUID in upper case that is not an entry's own."""
    if isinstance(entries, list):
        return [_referring_in_upper_case(entry) for entry in entries]
    return {
        key: value
        if key in {"id", "name"}
        else [guid.upper() for guid in value]
        if isinstance(value, list)
        else value.upper()
        if isinstance(value, str)
        else value
        for key, value in entries.items()
    }


def _link_entry(place: int, link: Link) -> Json:
    identifier = guid_of(LINK, f"{link.one}-{link.other} {place}")
    ends = {"site1": guid_of(SITE, link.one), "site2": guid_of(SITE, link.other)}
    return {"id": identifier} | ends | {"cost": link.cost}


def _machine_entry(machine: Machine) -> Json:
    plain = {
        "id": guid_of(MACHINE, machine.name),
        "name": _likeness(machine.name)[0],
        "sites": [guid_of(SITE, site) for site in machine.sites],
        "routing_server": machine.routing_server,
    }
    lists = {
        "in_routing_servers": [guid_of(MACHINE, in_server) for in_server in machine.in_servers],
        "out_routing_servers": [guid_of(MACHINE, out_server) for out_server in machine.out_servers],
        "connected_networks": [guid_of("connected network", network) for network in machine.networks],
    }
    return plain | {key: guids for key, guids in lists.items() if guids}
