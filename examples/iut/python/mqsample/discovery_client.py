"""The discovery client of MS-MQSD 3.1."""

from collections.abc import Sequence
from dataclasses import dataclass

from mqsample import guid
from mqsample.packets import Malformed, TopologyClientRequest, TopologyServerReply
from mqsample.server_list import names_in

WAIT_FOR_RESPONSE = 15_000_000  # microseconds, section 3.1.2.1


@dataclass(frozen=True)
class Network:
    """A network that the computer is connected to, by the computer's own address there."""

    address: str
    remote_access: bool = False


@dataclass(frozen=True)
class Send:
    """Broadcast this request on that network."""

    network: str
    datagram: bytes


@dataclass(frozen=True)
class Complete:
    """The event Get Directory Server List is over."""

    success: bool


Effect = Send | Complete


class DiscoveryClient:
    """One client. Every event returns what has to be done, in order; time is what `advance_clock` says."""

    def __init__(self, enterprise: str, site: str, networks: Sequence[Network]) -> None:
        self.enterprise = enterprise
        self.site = site
        self.networks = list(networks)
        self.directory_servers: list[str] = []
        self.connected_networks: list[str] = []
        self.request: str | None = None
        self.last_successful_network: str | None = None
        self.last_successful_network_valid = False
        self.current_index = 0
        self.wait: int | None = None  # microseconds until No Server Response; None: the timer stands
        self._address_list: list[Network] = []
        self._last_reply: TopologyServerReply | None = None
        self._reply_received = False
        self._searching = False
        self._effects: list[Effect] = []

    # Events

    def start(self) -> list[Effect]:
        """Get Directory Server List, section 3.1.4.1."""
        # Addresses are added; nothing ever takes one away.
        self._address_list += self.networks
        if self.last_successful_network_valid and not any(network.remote_access for network in self._address_list):
            # This event is over; a search that is under way for another one goes on.
            self._effects.append(Complete(success=True))
        elif not self._address_list:
            # The index would never reach the end of the list.
            self._effects.append(Complete(success=False))
        else:
            self.request = guid.new()
            self.current_index = 0
            self._reply_received = False
            self._searching = True
            self._send_request()
        return self._take_effects()

    def receive(self, network: str, datagram: bytes) -> list[Effect]:
        """Receiving a TopologyServerReply, section 3.1.5.2."""
        if self._searching and network == self._current_network().address:
            try:
                reply = TopologyServerReply.from_octets(datagram)
            except Malformed:
                return []
            if reply.correlation == self.request:
                self._take_reply(network, reply)
        return self._take_effects()

    def advance_clock(self, microseconds: int) -> list[Effect]:
        """Time passes; as many waits end as fit into it."""
        while self.wait is not None and self.wait <= microseconds:
            microseconds -= self.wait
            self.wait = None
            self._no_server_response()
        if self.wait is not None:
            self.wait -= microseconds
        return self._take_effects()

    # Steps

    def _send_request(self) -> None:
        """Sending a TopologyClientRequest, section 3.1.5.1."""
        assert self.request is not None
        self.current_index += 1
        self._last_reply = None
        self.wait = WAIT_FOR_RESPONSE
        packet = TopologyClientRequest(self.enterprise, self.request, self.site)
        self._effects.append(Send(self._current_network().address, packet.to_octets()))

    def _take_reply(self, network: str, reply: TopologyServerReply) -> None:
        """The rules of section 3.1.5.2 from the fourth on, for a reply to the current request."""
        on_last_network = self.current_index == len(self._address_list)
        if reply.of_local_site and not on_last_network:
            self._keep(network, reply)
            self._send_request()
        elif reply.of_local_site:
            # This reply is not kept: what fills the lists is what was there before it.
            self._remember_network(network)
            self._populate_and_succeed()
        elif self._last_reply is None:
            self._keep(network, reply)
            self.wait = WAIT_FOR_RESPONSE
        elif not on_last_network:
            self._send_request()
        else:
            self._remember_network(network)
            self._populate_and_succeed()

    def _no_server_response(self) -> None:
        """No Server Response, section 3.1.6.1."""
        if self.current_index != len(self._address_list):
            self._send_request()
        elif self._last_reply is None and not self._reply_received:
            self.last_successful_network_valid = False
            self._end_search(success=False)
        else:
            self._populate_and_succeed()

    def _populate_and_succeed(self) -> None:
        """Sections 3.1.7.1 and 3.1.7.2, from the reply that was kept on the last network, if any."""
        if self._last_reply is not None and not self._last_reply.of_local_site:
            self.directory_servers = names_in(self._last_reply.servers)
        self.connected_networks = list(self._last_reply.connected_networks) if self._last_reply else []
        self._end_search(success=True)

    def _keep(self, network: str, reply: TopologyServerReply) -> None:
        self._last_reply = reply
        self._reply_received = True
        self._remember_network(network)

    def _remember_network(self, network: str) -> None:
        self.last_successful_network = network
        self.last_successful_network_valid = True

    def _end_search(self, *, success: bool) -> None:
        # What arrives from now on has no search that it could belong to.
        self._searching = False
        self.wait = None
        self._effects.append(Complete(success))

    def _current_network(self) -> Network:
        return self._address_list[self.current_index - 1]

    def _take_effects(self) -> list[Effect]:
        effects, self._effects = self._effects, []
        return effects
