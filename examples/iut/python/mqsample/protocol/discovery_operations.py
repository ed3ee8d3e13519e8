"""The roles `discovery_server` and `discovery_client`: from requests to events, and from effects to results."""

from collections.abc import Iterable

from mqsample.discovery_client import Complete, DiscoveryClient, Effect, Network, Send
from mqsample.discovery_server import DiscoveryServer
from mqsample.protocol.jsonrpc import METHOD_NOT_FOUND, Method, MethodError
from mqsample.protocol.parameters import InvalidParameters, JsonObject, Parameters
from mqsample.server_list import DirectoryServer
from mqsample.udp_server import UdpServer

_NOBODY = "00000000-0000-0000-0000-000000000000"


class RepliesToTheHarness:
    """A carrier without a socket: what is sent on it is the result of the request."""

    def __init__(self) -> None:
        self.replies: list[bytes] = []

    def send(self, reply: bytes) -> None:
        """Keep the reply for the harness."""
        self.replies.append(reply)

    def reopen(self) -> None:
        """Nothing is there to be opened."""


class DiscoveryServerOperations:
    """One discovery server that takes orders, and the UDP ports that it was told to listen on."""

    def __init__(self) -> None:
        self.server = DiscoveryServer(_NOBODY, (), ())
        self._sockets: list[UdpServer] = []
        self.methods: dict[str, Method] = {
            "discovery_server.configure": self.configure,
            "discovery_server.receive": self.receive,
            "discovery_server.listen": self.listen,
            "discovery_server.fail_next_send": self.fail_next_send,
            "discovery_server.fail_next_open": self.fail_next_open,
            "discovery_server.state": self.state,
        }

    def close(self) -> None:
        """Stop listening everywhere."""
        while self._sockets:
            self._sockets.pop().close()

    def configure(self, params: Parameters) -> JsonObject:
        """Another server; ports stay open and serve it."""
        params.guid("enterprise")  # no step of the protocol uses it
        self.server = DiscoveryServer(
            params.guid("site"),
            params.guids("connected_networks"),
            [
                DirectoryServer(each.text("name"), each.boolean("ip"), each.boolean("ipx"))
                for each in params.list_of("directory_servers")
            ],
        )
        for socket in self._sockets:
            socket.server = self.server
        return {}

    def receive(self, params: Parameters) -> JsonObject:
        """A datagram arrives."""
        if params.one_of("network", "ip", "ipx") == "ipx":
            raise MethodError(METHOD_NOT_FOUND, "this server speaks IP")
        carrier = RepliesToTheHarness()
        self.server.receive(params.octets("datagram"), carrier)
        return {"replies": [reply.hex() for reply in carrier.replies]}

    def listen(self, params: Parameters) -> JsonObject:
        """From now on the server is reached by UDP too."""
        host, port = params.text("host"), params.port("port")
        try:
            socket = UdpServer(self.server, host, port)
        except OSError as error:
            raise InvalidParameters(f"cannot listen on {host}:{port}: {error}") from None
        self._sockets.append(socket)
        socket.start()
        return {"host": socket.address[0], "port": socket.address[1]}

    def fail_next_send(self, _params: Parameters) -> JsonObject:
        """The next reply meets a network error."""
        self.server.fail_next_send()
        return {}

    def fail_next_open(self, _params: Parameters) -> JsonObject:
        """The socket that is opened after that error is not opened."""
        self.server.fail_next_open()
        return {}

    def state(self, _params: Parameters) -> JsonObject:
        """What became of the socket."""
        return {"listening": self.server.listening, "sockets_opened": self.server.sockets_opened}


class DiscoveryClientOperations:
    """One discovery client that takes orders."""

    def __init__(self) -> None:
        self.client = DiscoveryClient(_NOBODY, _NOBODY, ())
        self.methods: dict[str, Method] = {
            "discovery_client.configure": self.configure,
            "discovery_client.change_networks": self.change_networks,
            "discovery_client.start": self.start,
            "discovery_client.receive": self.receive,
            "discovery_client.advance_clock": self.advance_clock,
            "discovery_client.state": self.state,
        }

    def configure(self, params: Parameters) -> JsonObject:
        """Another client, freshly started."""
        self.client = DiscoveryClient(params.guid("enterprise"), params.guid("site"), _networks(params))
        return {}

    def change_networks(self, params: Parameters) -> JsonObject:
        """The computer is connected to other networks; the next search uses them."""
        self.client.networks = _networks(params)
        return {}

    def start(self, _params: Parameters) -> JsonObject:
        """Get Directory Server List."""
        return _effects(self.client.start())

    def receive(self, params: Parameters) -> JsonObject:
        """A datagram arrives."""
        return _effects(self.client.receive(params.text("network"), params.octets("datagram")))

    def advance_clock(self, params: Parameters) -> JsonObject:
        """Let time pass."""
        return _effects(self.client.advance_clock(params.microseconds("seconds")))

    def state(self, _params: Parameters) -> JsonObject:
        """What the client knows."""
        return client_state(self.client)


def client_state(client: DiscoveryClient) -> JsonObject:
    """The keys of `discovery_client.state`."""
    return {
        "directory_servers": client.directory_servers,
        "connected_networks": client.connected_networks,
        "valid_last_successful_network_address": client.last_successful_network_valid,
        "last_successful_network_address": client.last_successful_network,
        "request_id": client.request,
        "current_network_index": client.current_index,
    }


def show_effect(effect: Effect) -> JsonObject:
    """One effect as the protocol writes it."""
    match effect:
        case Send(network, datagram):
            return {"send": {"network": network, "datagram": datagram.hex()}}
        case Complete(success):
            return {"complete": {"result": "success" if success else "failure"}}


def _effects(effects: Iterable[Effect]) -> JsonObject:
    return {"effects": [show_effect(effect) for effect in effects]}


def _networks(params: Parameters) -> list[Network]:
    return [
        Network(each.text("address"), each.boolean("remote_access", default=False))
        for each in params.list_of("networks")
    ]
