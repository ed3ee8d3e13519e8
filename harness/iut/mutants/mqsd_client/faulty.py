"""Faulty discovery clients: those of ``reference.mqsd.faults``, and faults of the clock, RequestIDs and memory."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from msgspec import structs

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.fault import altered
from mqconform.reference.mqsd.client import ClientState, Complete, Effect, Event, Send
from mqconform.reference.mqsd.client.explain.hypothesis import Rules
from mqconform.reference.mqsd.client.transition import Moment
from mqconform.reference.mqsd.faults import CLIENT_FAULTS
from mqconform.reference.mqsd.faults.client_step import going_by
from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.specification import FACTS

IDS = "3.1.4.1-07 2.2.2-04"


class _OtherRules(ReferenceDiscoveryClient):
    """Goes by other rules than those of the text."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules = rules

    def react(self, client: ClientState, event: Event) -> tuple[ClientState, Sequence[Effect]]:
        after = self._rules(client, event, Moment(self.now, self.readings, self.new_guid))
        return after.state, after.effects


class OtherClock(ReferenceDiscoveryClient):
    """Waits for another time than 15 seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._pace = FACTS.response_timeout / seconds

    def advance_clock(self, seconds: float) -> Json:
        """Let its own time pass."""
        return super().advance_clock(seconds * self._pace)


class _RepeatsIds(ReferenceDiscoveryClient):
    """Draws its RequestIDs from one seed at each start."""

    def reset(self) -> None:
        """Begin with the first RequestID again."""
        super().reset()
        self.requests_before = 0

    def new_guid(self, request: int) -> Guid:
        """Return the RequestID of an ordinal, whatever the case."""
        return self.drawn("", self.requests_before + request)


class _CutsLaterRequests(ReferenceDiscoveryClient):
    """Leaves out the last octet once an event has completed, so that only the first requests are whole."""

    _completed = False

    def react(self, client: ClientState, event: Event) -> tuple[ClientState, Sequence[Effect]]:
        after, effects = super().react(client, event)
        cut = [replace(sent, datagram=sent.datagram[:-1]) if isinstance(sent, Send) else sent for sent in effects]
        effects = cut if self._completed else effects
        self._completed = self._completed or any(isinstance(effect, Complete) for effect in effects)
        return after, effects

    def reset(self) -> None:
        self._completed = False
        super().reset()


def _knowing_a_network(self: ReferenceDiscoveryClient, enterprise: str, site: str, networks: list[Json]) -> Json:
    """Start with the first network for the last successful one, without having asked."""
    answer = ReferenceDiscoveryClient.configure(self, enterprise, site, networks)
    if self.client and self.client.networks:
        address = self.client.networks[0].address
        self.client = structs.replace(
            self.client, last_successful_network_address=address, valid_last_successful_network_address=True
        )
    return answer


def _wrapping_guid(self: ReferenceDiscoveryClient, request: int) -> Guid:
    return self.drawn("", (self.requests_before + request) % 20)


ROWS = (
    fault("client-later-request-cut", "2.2.2-06", "The requests of later events lack the last octet of SiteID.",
        _CutsLaterRequests),
    fault("client-starts-successful", "3.1.3-02", "It starts with a last successful network.",
        altered(ReferenceDiscoveryClient, configure=_knowing_a_network)),
    fault("client-one-request-id", IDS, "All events have one RequestID.",
        altered(ReferenceDiscoveryClient, new_guid=lambda self, _: self.drawn("", 0))),
    fault("client-ids-from-one-seed", IDS, "RequestIDs come from one seed at each start.", _RepeatsIds),
    fault("client-ids-wrap", IDS, "RequestIDs come again after twenty requests.",
        altered(ReferenceDiscoveryClient, new_guid=_wrapping_guid)),
    fault("client-waits-10", "3.1.2.1-01", "The wait is 10 s.", partial(OtherClock, 10)),
    fault("client-waits-14", "3.1.2.1-01", "The wait is 14 s.", partial(OtherClock, 14)),
    fault("client-waits-14-4", "3.1.2.1-01", "The wait is 14.4 s.", partial(OtherClock, 14.4)),
    fault("client-waits-15-6", "3.1.2.1-03", "The wait is 15.6 s.", partial(OtherClock, 15.6)),
    fault("client-waits-17", "3.1.2.1-03", "The wait is 17 s.", partial(OtherClock, 17)),
    fault("client-waits-30", "3.1.2.1-03", "The wait is 30 s.", partial(OtherClock, 30)),
)  # fmt: skip

MUTANTS = (
    *playing(
        RoleName.DISCOVERY_CLIENT,
        CLIENT_FAULTS.values(),
        lambda row: partial(_OtherRules, going_by(row.breaks, row.rule)),
    ),
    *playing(RoleName.DISCOVERY_CLIENT, ROWS, lambda row: row.rule),
)
