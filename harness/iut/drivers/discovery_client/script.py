"""What a scenario does to a discovery client, read from its sentences: the client's configuration and the stimuli."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from mqconform.harness.iut.drivers.discovery_client.replies import OWN_SITE, ReplyDraft, guid_named
from mqconform.harness.iut.drivers.discovery_client.stimuli import (
    Brings,
    NetworksBecome,
    Passes,
    Starts,
    Stimulus,
    networks_named,
)
from mqconform.harness.iut.interface import Json
from mqconform.reference.mqsd.client import NetworkAddress
from mqconform.reference.mqsd.guid import Guid, guid_from_text, guid_text

ENTERPRISE, SITE = Guid(guid_named("enterprise")), Guid(guid_named("site own"))

CLIENT: Final = (
    r"a client (?:of enterprise (?P<enterprise>[0-9a-f-]{36}) and site (?P<site>[0-9a-f-]{36}) )?"
    r"on networks? (?P<networks>.+)"
)
STARTS: Final = r"the client starts discovery(?: again)?"
PASSES: Final = r"(?P<seconds>\d+(?:\.\d)?) seconds pass"
BRINGS: Final = (
    r"network (?P<network>\d+) brings a reply from (?P<sender>its own site|site \w+)"
    r"(?: listing (?P<listing>[^;]+))?(?:; (?P<flaw>.+))?"
)
BECOME: Final = r"the networks become (?P<become>.+)"
STIMULUS: Final = f"(?:{STARTS}|{PASSES}|{BRINGS}|{BECOME})"


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a client is told about itself."""

    networks: tuple[NetworkAddress, ...]
    enterprise: Guid = ENTERPRISE
    site: Guid = SITE

    def params(self) -> Json:
        """Return the parameters of ``discovery_client.configure``."""
        ids = {"enterprise": guid_text(self.enterprise), "site": guid_text(self.site)}
        return {**ids, "networks": network_params(self.networks)}


@dataclass(frozen=True, slots=True)
class Script:
    """A client, and all that happens to it in one scenario."""

    configuration: Configuration
    stimuli: tuple[Stimulus, ...]


def network_params(networks: tuple[NetworkAddress, ...]) -> list[Json]:
    """Return networks as the protocol has them."""
    return [{"address": one.address, "remote_access": one.remote_access} for one in networks]


def configuration_from(sentence: str) -> Configuration | None:
    """Return the configuration that a sentence is about; None where it is about something else."""
    found = re.fullmatch(CLIENT, sentence)
    if found is None:
        return None
    networks = networks_named(found["networks"])
    if found["enterprise"] is None:
        return Configuration(networks)
    return Configuration(networks, guid_from_text(found["enterprise"]), guid_from_text(found["site"]))


def stimulus_from(sentence: str) -> Stimulus | None:
    """Return the stimulus that a sentence tells of; None where it tells of something else."""
    found = re.fullmatch(STIMULUS, sentence)
    if found is None:
        return None
    if found["seconds"]:
        return Passes(round(float(found["seconds"]) * 10))
    if found["become"]:
        return NetworksBecome(networks_named(found["become"]))
    if not found["network"]:
        return Starts()
    site = OWN_SITE if found["sender"] == "its own site" else found["sender"].removeprefix("site ")
    entries = tuple(found["listing"].split(", ")) if found["listing"] else ()
    return Brings(found["network"], ReplyDraft(site, entries), found["flaw"] or "")


def scripts_from(sentences: Iterable[str]) -> tuple[Script, ...]:
    """Return what the Givens and Whens of a scenario come to: a script for each client that they configure.

    A scenario has more than one where its own Given takes the place of its background's.
    """
    scripts: list[Script] = []
    for sentence in sentences:
        if (configuration := configuration_from(sentence)) is not None:
            scripts.append(Script(configuration, ()))
        elif (stimulus := stimulus_from(sentence)) is not None and scripts:
            scripts[-1] = Script(scripts[-1].configuration, (*scripts[-1].stimuli, stimulus))
    return tuple(scripts)
