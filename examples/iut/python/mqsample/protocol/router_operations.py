"""The role `router`: from requests to the procedures of the router."""

from collections.abc import Callable

from mqsample.directory import Directory, QueueManager, RoutingLink, Site
from mqsample.protocol.jsonrpc import Method, MethodError
from mqsample.protocol.parameters import JsonObject, Parameters
from mqsample.router import NoRoute, Router

ROUTING_ATTEMPT_FAILED = -32010


class RouterOperations:
    """One router that takes orders."""

    def __init__(self) -> None:
        self.router = Router()
        self.methods: dict[str, Method] = {
            "router.load_directory": self.load_directory,
            "router.initialize": self.initialize,
            "router.change_directory": self.load_directory,  # nothing is computed from it before the timer ends
            "router.advance_clock": self.advance_clock,
            "router.get_next_hops": self.get_next_hops,
            "router.routing_table": self.routing_table,
            "router.is_site_gate": self.is_site_gate,
            "router.get_routing_server": _search("machine", self.router.get_routing_server),
            "router.get_site_gate": _search("machine", self.router.get_site_gate),
            "router.get_site_gate_for_site": _search("site", self.router.get_site_gate_for_site),
            "router.fail_directory": self.fail_directory,
        }

    def load_directory(self, params: Parameters) -> JsonObject:
        """Another directory; what fails goes on failing."""
        faults = self.router.directory.faults
        self.router.directory = _directory(params.nested("directory"))
        self.router.directory.faults = faults
        return {}

    def initialize(self, params: Parameters) -> JsonObject:
        """Become that queue manager."""
        self.router.initialize(params.guid("local"))
        return {}

    def advance_clock(self, params: Parameters) -> JsonObject:
        """Let time pass."""
        self.router.advance_clock(params.microseconds("seconds"))
        return {}

    def get_next_hops(self, params: Parameters) -> JsonObject:
        """Next hops, or the error that stands for a failed attempt."""
        try:
            hops = self.router.get_next_hops(params.guid("source"), params.guid("destination"))
        except NoRoute as failure:
            raise MethodError(ROUTING_ATTEMPT_FAILED, str(failure)) from None
        return {"next_hops": hops}

    def routing_table(self, _params: Parameters) -> JsonObject:
        """The rows of the routing table."""
        rows = self.router.routing_table.items()
        return {"rows": [{"destination_site": site, "next_hop_site": next_site} for site, next_site in rows]}

    def is_site_gate(self, params: Parameters) -> JsonObject:
        """0 or 1."""
        return {"value": int(self.router.is_site_gate(params.guid("machine")))}

    def fail_directory(self, params: Parameters) -> JsonObject:
        """Let reading a type of object fail, or heal it."""
        object_type = params.one_of("object_type", "Site", "RoutingLink", "QueueManager")
        at = params.one_of("at", "begin", "next", None)
        faults = self.router.directory.faults
        if object_type is not None and at is not None:
            faults[object_type] = at
        elif object_type is not None:
            faults.pop(object_type, None)
        return {}


def _search(parameter: str, procedure: Callable[[str], str | None]) -> Method:
    return lambda params: {"value": procedure(params.guid(parameter))}


def _directory(document: Parameters) -> Directory:
    document.nested("enterprise").guid("id")
    return Directory(
        sites=tuple(Site(each.guid("id"), each.guids("site_gates")) for each in document.list_of("sites")),
        routing_links=tuple(
            RoutingLink(each.guid("id"), each.guid("site1"), each.guid("site2"), each.integer("cost"))
            for each in document.list_of("routing_links")
        ),
        queue_managers=tuple(map(_queue_manager, document.list_of("queue_managers"))),
    )


def _queue_manager(entry: Parameters) -> QueueManager:
    return QueueManager(
        id=entry.guid("id"),
        sites=entry.guids("sites"),
        routing_server=entry.boolean("routing_server"),
        in_routing_servers=entry.guids("in_routing_servers", optional=True),
        out_routing_servers=entry.guids("out_routing_servers", optional=True),
    )
