"""Enterprise documents: the mapping between the JSON-like form of the IUT protocol and the model.

Shape: ``{"enterprise": {"id", "name"?}, "sites": [{"id", "name"?, "site_gates": [id]}], "routing_links": [{"id",
"site1", "site2", "cost"}], "queue_managers": [{"id", "name"?, "sites": [id], "routing_server", "in_routing_servers"?,
"out_routing_servers"?, "connected_networks"?}]}``. Array order is the directory's order of enumeration.

Beyond that form a reader takes names where GUIDs are expected, objects with a name and no id, and ``foreign_site`` in a
site (BR-43). What is written has GUIDs everywhere and ``foreign_site`` only where it is true.
"""

from collections.abc import Mapping
from typing import Any

from mqconform.reference.directory import elements
from mqconform.reference.directory.fields import Complaints, Fields, UnreadableDocument, value_text
from mqconform.reference.directory.names import Names, guid_of_name, is_guid

DOCUMENT_KEYS = ("enterprise", "sites", "routing_links", "queue_managers")
_ENTERPRISE_KEYS = ("id", "name")
_SITE_KEYS = ("id", "name", "site_gates", "foreign_site")
_LINK_KEYS = ("id", "site1", "site2", "cost")
_QUEUE_MANAGER_KEYS = (
    "id",
    "name",
    "sites",
    "routing_server",
    "in_routing_servers",
    "out_routing_servers",
    "connected_networks",
)


def directory_from_document(document: object) -> elements.Directory:
    """Return the directory that an enterprise document describes.

    Raises:
        UnreadableDocument: naming every place that cannot be understood, and what to write there.
    """
    complaints = Complaints()
    if not isinstance(document, Mapping):
        complaints.add("", f"must be an object with the keys {', '.join(DOCUMENT_KEYS)}, not {value_text(document)}")
        raise UnreadableDocument(tuple(complaints.problems))
    directory = _Reader(Fields("", document, complaints)).directory()
    if complaints.problems:
        raise UnreadableDocument(tuple(complaints.problems))
    return directory


class _Reader:
    """Reads one document: all objects are declared before any reference is resolved."""

    def __init__(self, root: Fields) -> None:
        self._root = root
        self._sites = Names("site", root.complaints)
        self._machines = Names("queue manager", root.complaints)
        self._networks = Names("connected network", root.complaints, open_ended=True)

    def directory(self) -> elements.Directory:
        self._root.allow(DOCUMENT_KEYS)
        enterprise = self._enterprise()
        sites = [(entry, *self._sites.declare(entry)) for entry in self._root.objects("sites")]
        machines = [(entry, *self._machines.declare(entry)) for entry in self._root.objects("queue_managers")]
        return elements.Directory(
            enterprise=enterprise,
            sites=tuple(self._site(*declared) for declared in sites),
            routing_links=tuple(map(self._link, self._root.objects("routing_links"))),
            queue_managers=tuple(self._queue_manager(*declared) for declared in machines),
        )

    def _enterprise(self) -> elements.Enterprise:
        enterprise = self._root.members.get("enterprise")
        if not isinstance(enterprise, Mapping):
            problem = "is missing" if enterprise is None else f"is {value_text(enterprise)}"
            self._root.complaints.add("enterprise", f"{problem}; give an object with an id or a name")
            return elements.Enterprise(elements.EnterpriseId(""))
        entry = Fields("enterprise", enterprise, self._root.complaints)
        entry.allow(_ENTERPRISE_KEYS)
        identifier, name = Names("enterprise", self._root.complaints).declare(entry)
        return elements.Enterprise(elements.EnterpriseId(identifier), name)

    def _site(self, entry: Fields, identifier: str, name: str) -> elements.Site:
        entry.allow(_SITE_KEYS)
        gates = tuple(map(elements.QueueManagerId, self._references(entry, "site_gates", self._machines)))
        return elements.Site(elements.SiteId(identifier), name, gates, entry.flag("foreign_site"))

    def _link(self, entry: Fields) -> elements.RoutingLink:
        entry.allow(_LINK_KEYS)
        ends = [self._sites.resolve(entry.at(end), entry.members.get(end)) or "" for end in ("site1", "site2")]
        return elements.RoutingLink(
            self._link_id(entry), elements.SiteId(ends[0]), elements.SiteId(ends[1]), entry.natural("cost")
        )

    def _link_id(self, entry: Fields) -> elements.RoutingLinkId:
        """Return the link's GUID; a link has no name, so that any other text in ``id`` serves as one."""
        identifier = entry.text("id") or entry.path
        self._sites.refuse_broken_guid(entry.at("id"), identifier)
        return elements.RoutingLinkId(
            identifier.lower() if is_guid(identifier) else guid_of_name("routing link", identifier)
        )

    def _queue_manager(self, entry: Fields, identifier: str, name: str) -> elements.QueueManager:
        entry.allow(_QUEUE_MANAGER_KEYS)
        servers = {
            way: tuple(map(elements.QueueManagerId, self._references(entry, f"{way}_routing_servers", self._machines)))
            for way in ("in", "out")
        }
        return elements.QueueManager(
            identifier=elements.QueueManagerId(identifier),
            name=name,
            site_identifier_list=tuple(map(elements.SiteId, self._references(entry, "sites", self._sites))),
            routing_server=entry.flag("routing_server"),
            in_routing_server_identifier_list=servers["in"],
            out_routing_server_identifier_list=servers["out"],
            connected_network_identifier_list=tuple(
                map(elements.ConnectedNetworkId, self._references(entry, "connected_networks", self._networks))
            ),
        )

    def _references(self, entry: Fields, key: str, names: Names) -> list[str]:
        resolved = [names.resolve(path, value) for path, value in entry.entries(key)]
        return [guid for guid in resolved if guid is not None]


def document_from_directory(directory: elements.Directory) -> dict[str, Any]:
    """Return the enterprise document of a directory, in the IUT protocol's form."""
    return {
        "enterprise": identified(directory.enterprise.identifier, directory.enterprise.name),
        "sites": [
            identified(site.identifier, site.name)
            | {"site_gates": list(site.site_gate_collection)}
            | ({"foreign_site": True} if site.foreign_site else {})
            for site in directory.sites
        ],
        "routing_links": [
            {
                "id": link.identifier,
                "site1": link.site1_identifier,
                "site2": link.site2_identifier,
                "cost": link.actual_cost,
            }
            for link in directory.routing_links
        ],
        "queue_managers": [_queue_manager_entry(machine) for machine in directory.queue_managers],
    }


def identified(identifier: str, name: str) -> dict[str, Any]:
    """Return the members ``id`` and ``name`` of an object, the name only if there is one."""
    return {"id": identifier, "name": name} if name else {"id": identifier}


def _queue_manager_entry(machine: elements.QueueManager) -> dict[str, Any]:
    lists = {
        "in_routing_servers": machine.in_routing_server_identifier_list,
        "out_routing_servers": machine.out_routing_server_identifier_list,
        "connected_networks": machine.connected_network_identifier_list,
    }
    plain = {"sites": list(machine.site_identifier_list), "routing_server": machine.routing_server}
    return identified(machine.identifier, machine.name) | plain | {key: list(ids) for key, ids in lists.items() if ids}
