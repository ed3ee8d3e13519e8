"""The roles and capabilities that this version of the protocol knows, and which role each capability is for."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mqconform.harness.checkup.smoke_calls import ROLES as KNOWN_ROLES

ROLES: Final = KNOWN_ROLES
CLOCKS: Final = ("virtual-clock", "real-clock")
"""Of which a discovery client needs either."""
CAPABILITIES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "virtual-clock": ("router", "discovery_client", "ordered_receiver", "ordered_sender"),
        "real-clock": ("discovery_client",),
        "procedures": ("router",),
        "directory-faults": ("router",),
        "udp": ("discovery_server",),
        "ipx": ("discovery_server",),
        "ipx-client": ("discovery_client",),
        "send-faults": ("discovery_server", "transaction"),
        "restart": ("ordered_receiver", "ordered_sender"),
        "sequences": ("ordered_receiver",),
    }
)
"""Capability -> roles of which it says something."""
