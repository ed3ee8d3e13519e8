"""Which requirements of the catalogue speak of a field or grammar rule of MS-MQSD 2.2.

Octets of one packet cannot show everything that these ask for (a RequestID that nobody else used, say); the ids tell
where to read on. The rules R1 to X4 are named nowhere in a packet: NameChar stands for them.
"""

from typing import Final

FIELD_REQUIREMENTS: Final[dict[str, tuple[str, ...]]] = {
    "TopologyPacketHeader": ("MQSD-2.2.1-01",),
    "Version": ("MQSD-2.2.1-02", "MQSD-2.2.1-03", "MQSD-2.2.1-04"),
    "Type": ("MQSD-2.2.1-05", "MQSD-2.2.1-06", "MQSD-2.2.1-07"),
    "Reserved": ("MQSD-2.2.1-08", "MQSD-2.2.1-09", "MQSD-2.2.1-10"),
    "TopologyClientRequest": ("MQSD-2.2.2-13",),
    "EnterpriseID": ("MQSD-2.2.2-03",),
    "RequestID": ("MQSD-2.2.2-04", "MQSD-2.2.2-05"),
    "SiteID": ("MQSD-2.2.2-06",),
    "IPXNetworkCount": ("MQSD-2.2.2-07", "MQSD-2.2.2-08", "MQSD-2.2.2-09", "MQSD-2.2.2-10"),
    "IPXNetworkNumberArray": ("MQSD-2.2.2-11", "MQSD-2.2.2-12", "MQSD-2.2.2-13"),
    "TopologyServerReply": ("MQSD-2.2.3-11", "MQSD-2.2.3-15", "MQSD-2.2.3-18"),
    "CorrelationID": ("MQSD-2.2.3-03",),
    "ConnectedNetworkCount": ("MQSD-2.2.3-04", "MQSD-2.2.3-05", "MQSD-2.2.3-06"),
    "ConnectedNetworkMask": ("MQSD-2.2.3-07", "MQSD-2.2.3-08", "MQSD-2.2.3-09"),
    "DirectoryServiceServerSize": ("MQSD-2.2.3-10", "MQSD-2.2.3-11", "MQSD-2.2.3-12"),
    "ConnectedNetworkArray": ("MQSD-2.2.3-14", "MQSD-2.2.3-15", "MQSD-2.2.3-16"),
    "RespondingSiteID": ("MQSD-2.2.3-13", "MQSD-2.2.3-17", "MQSD-2.2.3-18"),
    "DirectoryServiceServerArray": (
        "MQSD-2.2.3-13",
        "MQSD-2.2.3-19",
        "MQSD-2.2.3-20",
        "MQSD-2.2.3-26",
        "MQSD-2.2.3-27",
    ),
    "Entry": ("MQSD-2.2.3-45", "MQSD-2.2.3-46"),
    "IP": ("MQSD-2.2.3-21", "MQSD-2.2.3-28", "MQSD-2.2.3-29", "MQSD-2.2.3-30"),
    "IPX": ("MQSD-2.2.3-22", "MQSD-2.2.3-28", "MQSD-2.2.3-29", "MQSD-2.2.3-31"),
    "NameChar": ("MQSD-2.2.3-23", "MQSD-2.2.3-24", "MQSD-2.2.3-42"),
    "Delim": ("MQSD-2.2.3-25", "MQSD-2.2.3-43", "MQSD-2.2.3-46"),
    "EndList": ("MQSD-2.2.3-25", "MQSD-2.2.3-44"),
}


def requirements_of(field: str) -> tuple[str, ...]:
    """Return the ids of the requirements on a field or grammar rule, none where there are none."""
    return FIELD_REQUIREMENTS.get(field, ())
