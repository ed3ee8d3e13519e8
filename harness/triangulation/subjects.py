"""The roles that can be triangulated."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from mqconform.harness.iut import ServerFacts
from mqconform.harness.profile import Profile
from mqconform.harness.triangulation.receiving import Receiving
from mqconform.harness.triangulation.routing import Routing
from mqconform.harness.triangulation.searching import Searching
from mqconform.harness.triangulation.sending import Sending
from mqconform.harness.triangulation.serving import Serving
from mqconform.harness.triangulation.subject import Subject

Maker = Callable[[Profile, ServerFacts | None], Subject[Any]]
SUBJECTS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "router": lambda profile, _: Routing(profile),
        "discovery_server": Serving,
        "discovery_client": lambda profile, _: Searching(profile),
        "ordered_receiver": lambda profile, _: Receiving(profile),
        "ordered_sender": lambda profile, _: Sending(profile),
    }
)
"""How the subject of each role is made, given the profile and the configuration that servers cannot leave."""
