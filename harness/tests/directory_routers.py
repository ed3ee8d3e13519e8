"""Routers that read a directory by themselves, with a reader of their own: nothing of mqconform's importer is in it."""

import uuid
from collections.abc import Iterator
from typing import Any

from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole

Entries = list[tuple[str, dict[str, list[bytes]]]]
ANYTHING = ["objectGUID", "cn", "mSMQSites", "mSMQRoutingServices", "mSMQOutRoutingServers", "mSMQInRoutingServers"]
ANYTHING += ["mSMQSite1", "mSMQSite2", "mSMQCost", "mSMQSiteGates", "objectClass"]


class LdapDirectory:
    """Reads a server that lets anybody in whose name and password stand in the address."""

    def __init__(self, server: str) -> None:
        import ldap3

        host, user, password = server.removeprefix("ldap://").split("|")
        self.ldap = ldap3.Connection(ldap3.Server(host, get_info=ldap3.NONE), user, password, auto_bind=True)
        self._usn: Any = None
        self._entries: Entries = []

    def entries(self) -> Entries:
        self.ldap.search("", "(objectClass=*)", "BASE", attributes=["highestCommittedUSN", "rootDomainNamingContext"])
        root = self.ldap.response[0]["raw_attributes"]
        if root["highestCommittedUSN"] != self._usn:
            self._usn = root["highestCommittedUSN"]
            self._entries = [*self._read(root["rootDomainNamingContext"][0].decode())]
        return self._entries

    def _read(self, domain: str) -> Iterator[tuple[str, dict[str, list[bytes]]]]:
        configuration = f"CN=Configuration,{domain}"
        for base, kind in ((configuration, "site"), (configuration, "mSMQSiteLink"), (domain, "mSMQConfiguration")):
            found = self.ldap.extend.standard.paged_search(
                base, f"(objectClass={kind})", attributes=ANYTHING, paged_size=200, generator=True
            )
            for one in found:
                if one["type"] == "searchResEntry":
                    yield one["dn"], one["raw_attributes"]


class LdifDirectory:
    """Reads an export."""

    def __init__(self, server: str) -> None:
        self.file = server.removeprefix("ldif:")

    def entries(self) -> Entries:
        from ldif import LDIFParser

        with open(self.file, "rb") as file:  # noqa: PTH123 - a router of somebody else
            return [*LDIFParser(file, encoding=None, strict=False).parse()]


def document_of(entries: Entries) -> dict[str, Any]:
    """Return the enterprise document in the order of reading."""
    guids = {
        dn.lower(): str(uuid.UUID(bytes_le=held["objectGUID"][0])) for dn, held in entries if held.get("objectGUID")
    }

    def of(kind: bytes) -> Entries:
        return [(dn, held) for dn, held in entries if kind in held.get("objectClass", [])]

    def named(held: dict[str, list[bytes]], attribute: str) -> list[str]:
        names = (value.decode().lower() for value in held.get(attribute, []))
        return [guids[name] for name in names if name in guids]

    machines = [
        {
            "id": guids[dn.lower()],
            "name": dn.split(",")[1].removeprefix("CN="),
            "sites": [str(uuid.UUID(bytes_le=value)) for value in held.get("mSMQSites", [])],
            "routing_server": held.get("mSMQRoutingServices") == [b"TRUE"],
            "out_routing_servers": named(held, "mSMQOutRoutingServers"),
            "in_routing_servers": named(held, "mSMQInRoutingServers"),
        }
        for dn, held in of(b"mSMQConfiguration")
    ]
    links = [
        {
            "id": guids[dn.lower()],
            "site1": named(held, "mSMQSite1")[0],
            "site2": named(held, "mSMQSite2")[0],
            "cost": int(held["mSMQCost"][0]),
            "gates": named(held, "mSMQSiteGates"),
        }
        for dn, held in of(b"mSMQSiteLink")
    ]
    members = {one["id"]: one["sites"] for one in machines}
    sites = []
    for dn, _ in of(b"site"):
        site = guids[dn.lower()]
        near = [gate for link in links if site in (link["site1"], link["site2"]) for gate in link["gates"]]
        gates = [gate for gate in dict.fromkeys(near) if site in members.get(gate, [])]
        sites.append({"id": site, "name": dn.split(",")[0].removeprefix("CN="), "site_gates": gates})
    plain = [{key: value for key, value in link.items() if key != "gates"} for link in links]
    return {"enterprise": {"name": "own"}, "sites": sites, "routing_links": plain, "queue_managers": machines}


class ReadingRouter(ReferenceRouterRole):
    """Reads the directory when it is initialised and before each answer; its table waits for the timer."""

    def use_directory_server(self, server: str) -> dict[str, Any]:
        self.directory = LdifDirectory(server) if server.startswith("ldif:") else self._by_ldap(server)
        return {}

    def initialize(self, local: str) -> dict[str, Any]:
        self.load_directory(document_of(self.directory.entries()))
        return super().initialize(local)

    def get_next_hops(self, source: str, destination: str) -> dict[str, Any]:
        self.change_directory(document_of(self.directory.entries()))
        return super().get_next_hops(source, destination)

    def _by_ldap(self, server: str) -> LdapDirectory:
        import os

        return LdapDirectory(f"{server}|{os.environ['ROUTER_USER']}|{os.environ['ROUTER_PASSWORD']}")


class StaleRouter(ReadingRouter):
    """Reads the directory once, and never again."""

    def use_directory_server(self, server: str) -> dict[str, Any]:
        super().use_directory_server(server)
        self._once = self.directory.entries()
        self.directory.entries = lambda: self._once  # type: ignore[method-assign]
        return {}


class OwnGatesRouter(ReadingRouter):
    """Takes the gates of links for gates of both sites."""

    def load_directory(self, directory: dict[str, Any]) -> dict[str, Any]:
        return super().load_directory(self._with_all(directory))

    def change_directory(self, directory: dict[str, Any]) -> dict[str, Any]:
        return super().change_directory(self._with_all(directory))

    def _with_all(self, directory: dict[str, Any]) -> dict[str, Any]:
        gates = {dn.lower(): held for dn, held in self.directory.entries()}
        guids = {
            dn: str(uuid.UUID(bytes_le=held["objectGUID"][0])) for dn, held in gates.items() if "objectGUID" in held
        }
        for site in directory["sites"]:
            named: dict[str, None] = {}
            for held in gates.values():
                ends = [guids.get(held[key][0].decode().lower()) for key in ("mSMQSite1", "mSMQSite2") if key in held]
                if site["id"] in ends:
                    named |= {
                        guids[one.decode().lower()]: None
                        for one in held.get("mSMQSiteGates", [])
                        if one.decode().lower() in guids
                    }
            site["site_gates"] = list(named)
        return directory


class _Object:
    kind: type[ReadingRouter] = ReadingRouter

    def __init__(self) -> None:
        self.router = self.kind()

    def initialize(self, protocol: int, harness: str) -> dict[str, Any]:
        del protocol, harness
        return {"protocol": 1, "name": "directory router", "version": "1", "roles": ["router"], "capabilities": []}


class Reading(_Object):
    """Conforms."""


class Stale(_Object):
    """Does not follow the directory."""

    kind = StaleRouter


class OwnGates(_Object):
    """Has another idea of gates."""

    kind = OwnGatesRouter
