"""``udp:discovery-client``: a client that takes no orders and is made to search, on networks made for it.

Each scenario gets a client of its own in network namespaces of its own, so that many can wait at the same time.
"""

from dataclasses import replace
from functools import cache
from shutil import which

from mqconform.adapters.networks.client import ClientNetworks
from mqconform.adapters.networks.client_program import Computers, ProgramClient, ThisMachine
from mqconform.adapters.networks.namespaces import NamespacesUnavailable, why_no_namespaces
from mqconform.harness.iut.interface import (
    PROTOCOL_VERSION,
    AdapterOptions,
    ConfigurationError,
    IutDescription,
    Json,
    NotApplicable,
    ServerFacts,
    Unsupported,
)

TARGET = "discovery-client"
ROLE = "discovery_client"
FOLDER = "captures"
FACTS_REMEDY = """give a facts file with --facts FILE that states how the client is made to search, such as
[discovery_client]
start = ["my-client", "--enterprise", "{enterprise}", "--site", "{site}", "{networks}"]
network = ["--network", "{address}/{prefix}"]
outcome = "exit-status\""""

why_not = cache(why_no_namespaces)


def open_clients(options: AdapterOptions) -> "UdpClients":
    """Return the client; nothing is started yet.

    Raises:
        ConfigurationError: there are no facts of it, or they name a program that does not exist.
    """
    facts = options.client
    for command in (facts.start, facts.service) if facts else ():
        if command and "{" not in command[0] and which(command[0]) is None:
            raise ConfigurationError(f"{ROLE}: {command[0]}: no such program; name an executable program in the facts")
    name = (facts.service or facts.start)[0] if facts else ""
    return UdpClients(options, ThisMachine(name), why_not())


class UdpClients:
    """A client behind the IUT interface, to be had as often as there are scenarios.

    Args of the constructor:
        options: with the facts that say how it is made to search.
        computers: what it runs on.
        obstacle: why no networks can be made here, empty where they can.

    Raises, when made:
        ConfigurationError: there are no facts of it.
    """

    def __init__(self, options: AdapterOptions, computers: Computers, obstacle: str = "") -> None:
        if options.client is None:
            raise ConfigurationError(f"{computers.target}: a client without control needs facts; {FACTS_REMEDY}")
        facts, tolerance = options.client, options.tolerance
        self._client = facts if tolerance is None else replace(facts, tolerance=tolerance)
        self._port, self._folder = options.discovery_port, options.evidence and options.evidence / FOLDER
        self._computers, self._obstacle = computers, obstacle
        self.facts: ServerFacts | None = None
        self.shows_completion = facts.outcome != "none"
        self.tolerance, self.patience = self._client.tolerance, facts.patience
        self.description = IutDescription(
            name=f"discovery client {computers.name}",
            version="",
            roles=frozenset({ROLE}),
            capabilities=frozenset({"real-clock"}),
        )

    def live_client(self, configuration: Json, name: str) -> ProgramClient:
        """Return a client on its own networks; see ``LiveClients.live_client``."""
        if self._obstacle:
            raise NotApplicable(f"real broadcast is not tried, as no networks can be made: {self._obstacle}")
        for field in ("enterprise", "site"):
            fixed = getattr(self._client, field)
            if fixed and fixed != configuration[field].lower():
                raise NotApplicable(f"the client's {field} is {fixed}, wanted is {configuration[field]}")
        if any(network.get("remote_access") for network in configuration["networks"]):
            raise NotApplicable("no network is set up as one for remote access")
        if self._folder:
            self._folder.mkdir(exist_ok=True)
        capture = self._folder / f"{name}.pcapng" if self._folder else None
        try:
            names = [network["address"] for network in configuration["networks"]]
            networks = ClientNetworks(names, self._port, capture, self._computers.computer)
        except NamespacesUnavailable as error:
            raise NotApplicable(f"real broadcast is not tried, as no networks can be made: {error}") from error
        evidence = f"{FOLDER}/{capture.name}" if capture else ""
        host, each = networks.client, networks.each
        facts, computers = self._client, self._computers
        return ProgramClient(facts, configuration, host, each, computers, networks=networks, capture=evidence)

    def call(self, method: str, params: Json) -> Json:
        """Answer for the client what can be answered without it; see ``Iut.call``."""
        match method:
            case "initialize":
                description = self.description
                introduction = {
                    "name": description.name,
                    "version": description.version,
                    "roles": sorted(description.roles),
                }
                return {"protocol": PROTOCOL_VERSION, **introduction, "capabilities": sorted(description.capabilities)}
            case "reset" | "shutdown":
                return {}
            case "discovery_client.configure":
                return {}
            case _ if method.startswith("discovery_client."):
                raise NotApplicable(f"{method}: a client that is started by a command takes no orders")
        del params
        raise Unsupported(f"{method}: a client that is started by a command has no such method")

    def evidence(self) -> tuple[str, ...]:
        """Return nothing: what a client showed stands in the cases that it was started for."""
        return ()

    def close(self) -> None:
        """Do nothing: each client is closed by itself."""
