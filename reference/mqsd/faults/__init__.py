"""Faults of MS-MQSD: rows of a name, what it breaks, one sentence for people, and the changed rule."""

from mqconform.reference.mqsd.faults.client_events import EVENTS, REQUESTS, WAITS
from mqconform.reference.mqsd.faults.client_replies import LISTS, REPLIES
from mqconform.reference.mqsd.faults.server_replies import OF_ARRAYS, OF_HEADERS, OF_NAMES, OF_NETWORKS, OF_SITES
from mqconform.reference.mqsd.faults.server_rules import OF_REQUESTS, SERVICE

CLIENT_FAULTS = {fault.name: fault for fault in (*REQUESTS, *EVENTS, *WAITS, *REPLIES, *LISTS)}
"""Discovery clients with one changed rule, by name."""
SERVER_FAULTS = (*OF_REQUESTS, *SERVICE, *OF_HEADERS, *OF_NETWORKS, *OF_SITES, *OF_ARRAYS, *OF_NAMES)
"""Discovery servers with one changed rule."""
