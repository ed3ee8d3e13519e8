"""What else a faulty discovery client violates inevitably, for the same fault (MS-MQSD 2.2 and 3.1).

Ids, or sections where the fault reaches into the course of every event: a client that waits for another time does most
things at another time. Whatever a run convicts a client of beyond its ``breaks`` and these is a scenario's mistake.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_COURSE: Final = ("MQSD-3.1.2.1", "MQSD-3.1.3", "MQSD-3.1.4.1", "MQSD-3.1.5.1", "MQSD-3.1.5.2", "MQSD-3.1.6.1")
_LISTS: Final = ("MQSD-3.1.7.1", "MQSD-3.1.7.2")
_DATAGRAMS: Final = ("MQSD-2.1-01", "MQSD-2.2-01")

ALSO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "client-version-1": ("MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.2-01", "MQSD-2.2.2-02"),
        "client-type-2": ("MQSD-2.2.1-01", "MQSD-2.2.1-05", "MQSD-2.2.2-01", "MQSD-2.2.2-02"),
        "client-reserved-1": ("MQSD-2.2.1-01", "MQSD-2.2.1-08", "MQSD-2.2.2-01", "MQSD-2.2.2-02"),
        "client-ipx-fields": ("MQSD-2.2.2-08",),
        "client-cut-request": ("MQSD-2", "MQSD-3.1.3-01", "MQSD-3.1.4.1-07", "MQSD-3.1.5.1-04"),
        "client-wrong-enterprise": ("MQSD-2-01", "MQSD-3.1.5.1-04"),
        "client-enterprise-in-text-order": ("MQSD-2.2.2-03", "MQSD-3.1.3-01", "MQSD-3.1.5.1-04"),
        "client-wrong-site": ("MQSD-3.1.5.1-04",),
        "client-request-id-in-text-order": (*_COURSE, *_LISTS),
        "client-one-request-id": ("MQSD-2.2.2-04", "MQSD-3.1.4.1-01"),
        "client-first-network-only": (*_COURSE, *_LISTS, *_DATAGRAMS),
        "client-last-network-left-out": (*_COURSE, *_LISTS, *_DATAGRAMS),
        "client-skips-a-network": (*_COURSE, *_LISTS, *_DATAGRAMS),
        "client-repeats-a-network": (*_COURSE, *_LISTS, *_DATAGRAMS, "MQSD-2.2.2-04"),
        "client-networks-reversed": (*_COURSE, *_DATAGRAMS),
        "client-all-networks-at-once": _COURSE,
        "client-always-on-first-network": (*_COURSE, *_LISTS, *_DATAGRAMS),
        "client-sends-before-start": ("MQSD-3.1.2.1-01", "MQSD-3.1.2.1-03", "MQSD-3.1.3-02"),
        "client-waits-10": (*_COURSE, *_LISTS),
        "client-waits-14-9": (*_COURSE, *_LISTS),
        "client-waits-15-1": (*_COURSE, *_LISTS, *_DATAGRAMS, "MQSD-2.2.2-04"),
        "client-waits-30": (*_COURSE, *_LISTS, *_DATAGRAMS, "MQSD-2.2.2-04"),
        "client-wait-not-restarted": ("MQSD-3.1.2.1-01", "MQSD-3.1.5.2-06"),
        "client-wait-not-stopped": (
            "MQSD-3.1.4.1-06",
            "MQSD-3.1.5.2-14",
            "MQSD-3.1.5.2-28",
            "MQSD-3.1.7.1-02",
            "MQSD-3.1.7.2-02",
        ),
        "client-never-completes": (*_COURSE, *_LISTS, "MQSD-2.2.2-04"),
        "client-completes-twice": (*_COURSE, *_LISTS),
        "client-success-on-failure": (
            "MQSD-3.1.2.1-03",
            "MQSD-3.1.4.1-03",
            "MQSD-3.1.4.1-04",
            "MQSD-3.1.4.1-05",
            "MQSD-3.1.4.1-09",
            "MQSD-3.1.5.1-01",
            "MQSD-3.1.5.1-05",
        ),
        "client-failure-on-success": (*_COURSE, *_LISTS),
        "client-remembers-replies": ("MQSD-3.1.2.1-03", "MQSD-3.1.6.1-03"),
        "client-knows-a-network-at-start": ("MQSD-2", "MQSD-3.1"),
        "client-valid-after-failure": ("MQSD-2.2.2-04", "MQSD-3.1.4.1-01", "MQSD-3.1.4.1-07", "MQSD-3.1.4.1-08"),
        "client-later-event-at-second-network": (
            "MQSD-3.1.4.1-01",
            "MQSD-3.1.4.1-04",
            "MQSD-3.1.4.1-06",
            "MQSD-3.1.4.1-07",
        ),
        "client-lists-cleared-after-failure": ("MQSD-3.1.2.1-03",),
        "client-crashes-on-cut-replies": (
            "MQSD-3.1.5.2-04",
            "MQSD-3.1.5.2-14",
            "MQSD-3.1.5.2-21",
            "MQSD-3.1.5.2-28",
            "MQSD-3.1.6.1-02",
        ),
        "client-deaf": (*_COURSE, *_LISTS),
        "client-deaf-to-own-site": ("MQSD-3.1.2.1", "MQSD-3.1.5.1", "MQSD-3.1.5.2"),
        "client-deaf-to-other-sites": (*_COURSE, *_LISTS),
        "client-stops-at-first-foreign": (
            "MQSD-3.1.5.1-01",
            "MQSD-3.1.5.1-03",
            "MQSD-3.1.5.2-01",
            "MQSD-3.1.5.2-02",
            "MQSD-3.1.5.2-04",
            "MQSD-3.1.5.2-12",
            "MQSD-3.1.5.2-13",
            "MQSD-3.1.5.2-23",
            "MQSD-3.1.5.2-24",
            "MQSD-3.1.5.2-25",
            "MQSD-3.1.5.2-26",
            "MQSD-3.1.5.2-27",
        ),
        "client-goes-on-at-first-foreign": (
            "MQSD-3.1.5.1-05",
            "MQSD-3.1.5.2-01",
            "MQSD-3.1.5.2-02",
            "MQSD-3.1.5.2-04",
            "MQSD-3.1.5.2-12",
            "MQSD-3.1.5.2-13",
            "MQSD-3.1.5.2-23",
            "MQSD-3.1.5.2-24",
            "MQSD-3.1.5.2-25",
            "MQSD-3.1.5.2-26",
            "MQSD-3.1.5.2-27",
        ),
        "client-second-foreign-ignored": ("MQSD-3.1.5.1", "MQSD-3.1.5.2", "MQSD-3.1.7.1", "MQSD-3.1.7.2"),
        "client-last-foreign-kept": ("MQSD-3.1.5.2-30", "MQSD-3.1.5.2-31", "MQSD-3.1.7.1-02", "MQSD-3.1.7.2-02"),
        "client-keeps-flags": (
            "MQSD-3.1.5.2-22",
            "MQSD-3.1.5.2-30",
            "MQSD-3.1.6.1-05",
            "MQSD-3.1.7.1-01",
            "MQSD-3.1.7.1-02",
            "MQSD-3.1.7.1-03",
            "MQSD-3.1.7.1-05",
        ),
        "client-networks-never-filled": ("MQSD-3.1.5.2-31", "MQSD-3.1.6.1-06", "MQSD-3.1.7.2-01", "MQSD-3.1.7.2-02"),
        "client-first-name-only": (
            "MQSD-3.1.5.2-30",
            "MQSD-3.1.6.1-05",
            "MQSD-3.1.7.1-01",
            "MQSD-3.1.7.1-02",
            "MQSD-3.1.7.1-04",
            "MQSD-3.1.7.1-05",
        ),
        "client-ipx-servers-left-out": ("MQSD-3.1.7.1-01", "MQSD-3.1.7.1-03", "MQSD-3.1.7.1-04"),
        "client-network-not-noted": ("MQSD-3.1.5.2-16", "MQSD-3.1.5.2-24", "MQSD-3.1.5.2-32"),
        "client-success-not-noted": ("MQSD-3.1.5.2-17", "MQSD-3.1.5.2-25", "MQSD-3.1.5.2-33", "MQSD-3.1.6.1-03"),
    }
)
