"""All faults of several queue managers, each kind with the histories in which it can show."""

from collections.abc import Sequence
from typing import Final

from mqconform.reference.mqso.events import At, ChangeDomain, EnterForeignQueue, Event, Open, PutObject, ShowObjects
from mqconform.reference.mqso.faults.connector import CONNECTOR_FAULTS
from mqconform.reference.mqso.faults.directory import DIRECTORY_FAULTS
from mqconform.reference.mqso.faults.domains import DOMAIN_FAULTS
from mqconform.reference.mqso.faults.misplaced import ON_THE_WAY_FAULTS
from mqconform.reference.mqso.faults.multicast import MULTICAST_FAULTS
from mqconform.reference.mqso.faults.network_fault import FaultTogether
from mqconform.reference.mqso.faults.routing import ROUTING_FAULTS
from mqconform.reference.mqso.faults.supporting_server import SUPPORTING_SERVER_FAULTS
from mqconform.reference.mqso.faults.transfers import TOGETHER_FAULTS
from mqconform.reference.mqso.faults.transit import TRANSIT_FAULTS
from mqconform.reference.mqso.networked_queue_manager import is_multicast
from mqconform.reference.mqso.system import System

ALL_FAULTS_TOGETHER: Final = (
    *TOGETHER_FAULTS,
    *TRANSIT_FAULTS,
    *ON_THE_WAY_FAULTS,
    *DIRECTORY_FAULTS,
    *DOMAIN_FAULTS,
    *ROUTING_FAULTS,
    *MULTICAST_FAULTS,
    *CONNECTOR_FAULTS,
    *SUPPORTING_SERVER_FAULTS,
)


def faults_that_can_show(start: System, events: Sequence[Event]) -> tuple[FaultTogether, ...]:
    """Return the faults that can show in what happens, the most special first."""
    of_domains = any(isinstance(event, ChangeDomain | PutObject | ShowObjects) for event in events)
    with_directory = any(world.contact is not None for world in start.machines.values())
    opened = {event.event.queue for event in events if isinstance(event, At) and isinstance(event.event, Open)}
    foreign = any(isinstance(event, EnterForeignQueue) for event in events)
    return (
        *(SUPPORTING_SERVER_FAULTS if start.clients else ()),
        *(CONNECTOR_FAULTS if foreign else ()),
        *(ROUTING_FAULTS if start.ways is not None else ()),
        *(DOMAIN_FAULTS if of_domains else ()),
        *(DIRECTORY_FAULTS if with_directory else ()),
        *(MULTICAST_FAULTS if any(map(is_multicast, opened)) else ()),
        *TOGETHER_FAULTS,
        *TRANSIT_FAULTS,
        *ON_THE_WAY_FAULTS,
    )
