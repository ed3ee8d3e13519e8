"""Readings of the MS-MQBR ambiguity register that change an outcome of the model.

The register itself is data of another folder; a test holds ids and standings here to it. ``TEXT`` is what no
profile objects to, ``PERMITTED`` what the default profile passes, ``REFUSED`` what it fails.
"""

from typing import Final

from mqconform.reference.allowed import Reading, Standing

_TEXT, _PERMITTED = Standing.TEXT, Standing.PERMITTED

# Form of "no route".
NO_ROUTE_AS_EXCEPTION: Final = Reading("BR-04", "exception", _TEXT)
NO_ROUTE_AS_EMPTY_LIST: Final = Reading("BR-04", "empty-list", _PERMITTED)
LIST_HOLDING_NOTHING: Final = Reading("BR-05", "list-holding-nothing", _TEXT)
NOTHING_DROPPED: Final = Reading("BR-05", "empty-list", _TEXT)
NOTHING_RAISED: Final = Reading("BR-05", "exception", _TEXT)

# Configured lists.
IDS_DROPPED: Final = Reading("BR-13", "unusable-ids-dropped", _PERMITTED)
LIST_IN_ORDER: Final = Reading("BR-61", "order-kept", _TEXT)
LIST_IN_ANOTHER_ORDER: Final = Reading("BR-61", "another-order", _PERMITTED)
OUT_LIST_AS_GIVEN: Final = Reading("BR-56", "list-as-given", _TEXT)
OUT_SERVER_LEFT_OUT: Final = Reading("BR-56", "unusable-server-left-out", _PERMITTED)
SELF_KEPT: Final = Reading("BR-56", "self-kept", _PERMITTED)
SELF_LEFT_OUT: Final = Reading("BR-56", "self-left-out", _PERMITTED)
IN_LIST_WITH_SELF: Final = Reading("BR-57", "list-with-self", _PERMITTED)
IN_LIST_WITHOUT_SELF: Final = Reading("BR-57", "self-left-out", _PERMITTED)
IN_SERVER_SENDS_DIRECTLY: Final = Reading("BR-57", "destination", _PERMITTED)
IN_LIST_AS_GIVEN: Final = Reading("BR-58", "list-as-given", _TEXT)
IN_SERVER_LEFT_OUT: Final = Reading("BR-58", "unusable-server-left-out", _PERMITTED)
IN_SERVER_TEST_FIRST: Final = Reading("BR-59", "in-server-test-first", _TEXT)
OWN_OUT_LIST_IGNORED: Final = Reading("BR-54", "own-out-list-ignored", _TEXT)
OWN_OUT_LIST_HONOURED: Final = Reading("BR-54", "own-out-list-honoured", _PERMITTED)

# Direct connection and its alternatives.
NETWORKS_HONOURED: Final = Reading("BR-51", "honoured", _PERMITTED)
ROUTERS_AFTER_DESTINATION: Final = Reading("BR-52", "routing-servers-after-the-destination", _PERMITTED)
NO_DIRECT_ATTEMPT: Final = Reading("BR-53", "no-route", _TEXT)
DIRECT_ATTEMPT: Final = Reading("BR-53", "direct-attempt", _PERMITTED)
ASKED_FOR_ITSELF: Final = Reading("BR-64", "answered-otherwise", _PERMITTED)
WORKGROUP_SERVED: Final = Reading("BR-65", "workgroup-machine-served", _PERMITTED)
AROUND_GATELESS_SITE: Final = Reading("BR-69", "around-the-site-without-a-gate", _PERMITTED)

# Look-ups.
BAD_OBJECT_SKIPPED: Final = Reading("BR-18", "bad-object-skipped", _PERMITTED)
FIRST_MATCH: Final = Reading("BR-23", "first-in-directory-order", _TEXT)
ANOTHER_MATCH: Final = Reading("BR-23", "another-match", _PERMITTED)
FIRST_OBJECT: Final = Reading("BR-25", "first-object", _TEXT)
ANOTHER_OBJECT: Final = Reading("BR-25", "another-object", _PERMITTED)
SEVERAL_ROUTING_SERVERS: Final = Reading("BR-62", "several-routing-servers", _PERMITTED)

# Site gates.
ANY_GATE: Final = Reading("BR-28", "any-member", _TEXT)
NO_GATE_IS_NOTHING: Final = Reading("BR-29", "nothing", _TEXT)
FIRST_OWN_SITE: Final = Reading("BR-30", "first-own-site", _TEXT)
ANOTHER_OWN_SITE: Final = Reading("BR-30", "another-own-site", _PERMITTED)
GATELESS_OWN_SITE: Final = Reading("BR-30", "gateless-own-site", _PERMITTED)
NON_ROUTER_CHOSEN: Final = Reading("BR-31", "listed-non-router-chosen", _TEXT)
NON_ROUTER_LEFT_OUT: Final = Reading("BR-31", "listed-non-router-left-out", _PERMITTED)
OUTSIDE_GATE_USED: Final = Reading("BR-32", "outside-gate-used", _PERMITTED)
OUTSIDE_GATE_LEFT_OUT: Final = Reading("BR-32", "outside-gate-left-out", _PERMITTED)
SEVERAL_GATES: Final = Reading("BR-34", "several-hops", _PERMITTED)

# Graph and table.
TABLE_EMPTIED: Final = Reading("BR-17", "table-emptied", _TEXT)
OLD_TABLE_KEPT: Final = Reading("BR-17", "old-table-kept", _PERMITTED)
ROW_ABSENT: Final = Reading("BR-36", "row-absent", _TEXT)
ROW_WITHOUT_NEXT_HOP: Final = Reading("BR-36", "row-without-next-hop", _TEXT)
OWN_ROW_DECIDES: Final = Reading("BR-37", "own-site-row-decides", _PERMITTED)
SOME_ROOT: Final = Reading("BR-38", "some-own-site-as-root", _TEXT)
SELF_HOP: Final = Reading("BR-38", "self-hop", _PERMITTED)
ROWS_OF_SEVERAL_ROOTS: Final = Reading("BR-38", "rows-of-several-roots", _PERMITTED)
ANY_LEAST_COST_PATH: Final = Reading("BR-39", "any-least-cost-path", _TEXT)
COST_AS_GIVEN: Final = Reading("BR-40", "cost-used-as-given", _PERMITTED)
COSTLY_LINK_LEFT_OUT: Final = Reading("BR-40", "link-left-out", _PERMITTED)
COST_FORCED: Final = Reading("BR-40", "cost-forced-into-range", _PERMITTED)
CHEAPEST_LINK: Final = Reading("BR-41", "cheapest-link", _TEXT)
ANOTHER_LINK: Final = Reading("BR-41", "another-parallel-link", _TEXT)
SOME_COMBINATION: Final = Reading("BR-41", "some-combination", _PERMITTED)
STRAY_LINK_IGNORED: Final = Reading("BR-42", "ignored", _TEXT)
STRAY_LINK_COUNTS: Final = Reading("BR-42", "changes-the-result", _PERMITTED)
WITHOUT_PENALTY: Final = Reading("BR-43", "without-penalty", _TEXT)
WITH_PENALTY: Final = Reading("BR-43", "with-penalty", _PERMITTED)
LAST_ROW: Final = Reading("BR-45", "last-row-in-site-order", _TEXT)
ANOTHER_ROW: Final = Reading("BR-45", "another-row", _PERMITTED)
TABLE_EMPTY: Final = Reading("BR-46", "table-empty", _TEXT)
TABLE_FILLED: Final = Reading("BR-46", "table-filled", _PERMITTED)
ALTERNATE_ROUTES: Final = Reading("BR-71", "alternates", _PERMITTED)

# The passing of time.
OLD_TABLE: Final = Reading("BR-47", "old-table-until-the-timer", _TEXT)
NEW_TABLE_EARLY: Final = Reading("BR-47", "new-table-before-the-timer", _PERMITTED)
PERIODIC_REFRESH: Final = Reading("BR-48", "periodic-refresh", _TEXT)
REFRESHED_ONCE: Final = Reading("BR-48", "refreshed-once", _PERMITTED)
NEVER_REFRESHED: Final = Reading("BR-48", "never-refreshed", Standing.REFUSED)
CURRENT_SITE_ATTRIBUTES: Final = Reading("BR-49", "within-the-table-timer", _TEXT)
COPY_OF_THE_DIRECTORY: Final = Reading("BR-49", "copy-of-the-last-refresh", _PERMITTED)
STALE_SITE_ATTRIBUTES: Final = Reading("BR-49", "site-attributes-within-12-hours", _PERMITTED)

ALL: Final = tuple(sorted(reading for reading in tuple(globals().values()) if isinstance(reading, Reading)))
"""Every reading of this file, in the order of the register."""
