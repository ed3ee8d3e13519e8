"""The reference client as an implementation under test: role ``discovery_client`` of the IUT protocol."""

from collections.abc import Sequence
from hashlib import sha256

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.role import Capability, Role
from mqconform.harness.iut.smoke_calls import CLIENT_NETWORK, ENTERPRISE, REQUEST, SITE, Call
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqsd import client as model
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_from_text, guid_text
from mqconform.reference.mqsd.specification import FACTS

case_in_hand = ""
"""Id of the case that is judged, empty outside of cases: the plug-in of pytest sets it, one at a time in a process."""


class NotConfigured(Exception):
    """The client was told to act before ``discovery_client.configure``."""


class ReferenceDiscoveryClient:
    """Role ``discovery_client`` of the IUT protocol over the pure client of MS-MQSD 3.1.

    It has a virtual clock and knows IP networks only: the protocol has no way to name an IPX network number.

    Args of the constructor:
        readings: what it follows where the text is ambiguous.
        seed: what its RequestIDs derive from; the same seed gives the same ids in the same case.
    """

    def __init__(self, readings: model.Readings = model.UNDISPUTED, seed: int | str = 0) -> None:
        self.readings = readings
        self.client: model.ClientState | None = None
        self.now = 0
        """Nanoseconds since it was made."""
        self._seed = seed
        self._case = ""
        self.requests_before = 0
        """Requests since the case began."""

    def configure(self, enterprise: str, site: str, networks: list[Json]) -> Json:
        """Start afresh with a configuration; RequestIDs go on, so that none is used twice."""
        if self.client:
            self.requests_before += self.client.requests_sent
        self.client = model.initialize(guid_from_text(enterprise), guid_from_text(site), _network_addresses(networks))
        return {}

    def change_networks(self, networks: list[Json]) -> Json:
        """Connect the computer to other networks."""
        self._meet(model.NetworksChanged(_network_addresses(networks)))
        return {}

    def start(self) -> Json:
        """Trigger Get Directory Server List (3.1.4.1)."""
        return self._meet(model.GetDirectoryServerList())

    def receive(self, network: str, datagram: str) -> Json:
        """Receive a datagram on a network (3.1.5.2)."""
        return self._meet(model.DatagramReceived(network, bytes.fromhex(datagram)))

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass (3.1.6)."""
        self.now += round(seconds * model.SECOND)
        return self._meet(model.ClockAdvanced())

    def state(self) -> Json:
        """Show the elements of 3.1.1 that the protocol asks for."""
        return state_of(self._configured())

    def reset(self) -> None:
        """Reset to the initial state; RequestIDs go on, because no request may reuse one.

        Those of a case derive from its id, so that they do not depend on what the process did before.
        """
        if self.client:
            self.requests_before += self.client.requests_sent
        self.client = None
        if self._case != case_in_hand:
            self._case, self.requests_before = case_in_hand, 0

    # What follows is what mutants change.

    def react(self, client: model.ClientState, event: model.Event) -> tuple[model.ClientState, Sequence[model.Effect]]:
        """Return the client after an event, and what it does (3.1.4 to 3.1.6)."""
        return model.step(client, event, self.now, self.new_guid, self.readings)

    def new_guid(self, request: int) -> Guid:
        """Return the RequestID for the request of that ordinal since ``configure``."""
        return self.drawn(self._case, self.requests_before + request)

    def drawn(self, case: str, ordinal: int) -> Guid:
        """Return the RequestID that has an ordinal in a case."""
        return Guid(sha256(f"{self._seed}: {case}request {ordinal}".encode()).digest()[:GUID_SIZE])

    def _meet(self, event: model.Event) -> Json:
        self.client, effects = self.react(self._configured(), event)
        return {"effects": [effect_record(effect) for effect in effects]}

    def _configured(self) -> model.ClientState:
        if self.client is None:
            raise NotConfigured("the client knows no networks yet; call discovery_client.configure first")
        return self.client


def _network_addresses(networks: list[Json]) -> tuple[model.NetworkAddress, ...]:
    """Port and broadcast address concern a client with sockets; this one has none."""
    return tuple(model.NetworkAddress(network["address"], network.get("remote_access", False)) for network in networks)


def state_of(client: model.ClientState) -> Json:
    """Return what a client shows of itself, as ``discovery_client.state`` has it."""
    state = model.show(client)
    request_id = state["request_id"]
    return {
        **state,
        "directory_servers": list(state["directory_servers"]),
        "connected_networks": [guid_text(network) for network in state["connected_networks"]],
        "request_id": None if request_id is None else guid_text(request_id),
    }


def effect_record(effect: model.Effect) -> Json:
    """Return an effect as the protocol has it."""
    match effect:
        case model.Send():
            return {"send": {"network": effect.network, "datagram": effect.datagram.hex()}}
        case model.Complete():
            return {"complete": {"result": effect.result.value}}


ROLE = Role(
    RoleName.DISCOVERY_CLIENT,
    "MQSD",
    "13.0",
    folder="mqsd_client",
    reference=ReferenceDiscoveryClient,
    capabilities=(Capability.VIRTUAL_CLOCK, Capability.REAL_CLOCK, Capability.IPX_CLIENT),
    unoffered=(Capability.REAL_CLOCK, Capability.IPX_CLIENT),
    cheap=(
        Call("configure", {"enterprise": ENTERPRISE, "site": SITE, "networks": [{"address": CLIENT_NETWORK}]}),
        Call("change_networks", {"networks": [{"address": CLIENT_NETWORK}]}),
        Call("start"),
        Call("receive", {"network": CLIENT_NETWORK, "datagram": REQUEST.hex()}),
        Call("state"),
        Call("advance_clock", {"seconds": FACTS.response_timeout}, capability="virtual-clock"),
    ),
    inputs="discovery_client:DiscoveryClientInputs",
    drivers=("discovery_client.*",),
)
