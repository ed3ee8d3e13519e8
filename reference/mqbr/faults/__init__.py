"""Faults of routers (MS-MQBR): rows of a name, what it breaks, one sentence for people, and the changed rule."""

from mqconform.reference.mqbr.faults.lookups import DIRECTORY_READING, LOOKUPS
from mqconform.reference.mqbr.faults.next_hops import OF_CLIENTS, OF_ROUTERS, OF_SITE_GATES
from mqconform.reference.mqbr.faults.over_time import KEPT_FROM_THE_START, QUERY_TIMER
from mqconform.reference.mqbr.faults.routing_table import ROUTING_TABLE

FAULTS = (
    *ROUTING_TABLE,
    *QUERY_TIMER,
    *KEPT_FROM_THE_START,
    *OF_CLIENTS,
    *OF_ROUTERS,
    *OF_SITE_GATES,
    *LOOKUPS,
    *DIRECTORY_READING,
)
