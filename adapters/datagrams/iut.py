"""``udp:HOST:PORT``: a discovery server that is reached by datagrams and by nothing else.

It cannot be configured, so a facts file has to state how it is configured. What would need control is not
applicable, for the reason given.
"""

from collections.abc import Sequence

from mqconform.adapters.datagrams.clients import TARGET, UdpClients, open_clients
from mqconform.adapters.datagrams.conversation import Conversation
from mqconform.adapters.datagrams.endpoint import resolve
from mqconform.harness.iut import interface

ROLE = "discovery_server"
FACTS_REMEDY = """give a facts file with --facts FILE that states how the server is configured, such as
[discovery_server]
enterprise = "e6eaba61-d1c6-11db-baac-0003ff4e2d22"
site = "e6eaba60-d1c6-11db-baac-0003ff4e2d22"
connected_networks = ["e6eaba62-d1c6-11db-baac-0003ff4e2d22"]
directory_servers = [{ name = "nt4pec", ip = true, ipx = false }]"""


def open_iut(target: str, options: interface.AdapterOptions) -> "UdpIut | UdpClients":
    """Open a socket towards ``HOST:PORT``, or return the client of the facts; nothing is sent yet.

    Raises:
        ConfigurationError: the target is not an address of one host, or there are no facts.
        Unreachable: no route leads there.
    """
    if target == TARGET:
        return open_clients(options)
    endpoint = resolve(target)
    if options.facts is None:
        raise interface.ConfigurationError(f"udp:{target}: a server without control needs facts; {FACTS_REMEDY}")
    return UdpIut(Conversation(endpoint, options.reply_timeout), options.facts)


class UdpIut:
    """A server behind the IUT interface that answers datagrams and takes no orders."""

    def __init__(self, conversation: Conversation, facts: interface.ServerFacts) -> None:
        self._conversation = conversation
        self._name = f"udp {conversation.endpoint}"
        self.facts: interface.ServerFacts | None = facts
        self._configured = facts
        self.lossless = conversation.lossless
        self.description = interface.IutDescription(
            name=self._name, version="", roles=frozenset({ROLE}), capabilities=frozenset({"udp"})
        )

    def exchange(self, datagrams: Sequence[bytes], fence: bytes, expected: int = 0) -> interface.Exchange:
        """Send datagrams and return what came back; see ``DatagramCarrier.exchange``."""
        return self._conversation.exchange(datagrams, fence, expected)

    def call(self, method: str, params: interface.Json) -> interface.Json:
        """Answer for the server what can be answered without it; see ``Iut.call``. Nothing is sent."""
        match method:
            case "initialize":
                return self._introduction()
            case "reset" | "shutdown":
                return {}
            case "discovery_server.configure":
                self._require_configuration(params)
                return {}
            case "discovery_server.receive" if params.get("network") == "ipx":
                raise interface.NotApplicable("IPX is not carried: the server is reached by UDP")
            case _ if method.startswith(f"{ROLE}."):
                raise interface.NotApplicable(f"{method}: the server is reached by datagrams and takes no orders")
            case _:
                raise interface.Unsupported(f"{method}: a server reached by datagrams has no such method")

    def evidence(self) -> tuple[str, ...]:
        """Return both addresses and what arrived outside of exchanges."""
        here = self._conversation.own_address
        return (f"{self._name} from {here}; {self._conversation.strays} datagrams arrived between exchanges",)

    def close(self) -> None:
        """Close the socket."""
        self._conversation.close()

    def _introduction(self) -> interface.Json:
        description = self.description
        return {
            "protocol": interface.PROTOCOL_VERSION,
            "name": description.name,
            "version": description.version,
            "roles": sorted(description.roles),
            "capabilities": sorted(description.capabilities),
        }

    def _require_configuration(self, params: interface.Json) -> None:
        """Raise NotApplicable unless the facts give the wanted configuration.

        Order does not matter, nor the protocols of directory servers: a server answers by the protocol it was
        asked by.
        """
        facts = self._configured
        stated: dict[str, object] = {
            "enterprise": facts.enterprise.lower(),
            "site": facts.site.lower(),
            "connected_networks": sorted({connected_network.lower() for connected_network in facts.connected_networks}),
            "directory_servers": sorted({directory_server.name for directory_server in facts.directory_servers}),
        }
        requested: dict[str, object] = {
            "enterprise": params["enterprise"].lower(),
            "site": params["site"].lower(),
            "connected_networks": sorted({network.lower() for network in params["connected_networks"]}),
            "directory_servers": sorted({server["name"] for server in params["directory_servers"]}),
        }
        for name, value in stated.items():
            if requested[name] != value:
                raise interface.NotApplicable(
                    f"the server's configuration differs: its {name} is {value}, wanted is {requested[name]}"
                )
