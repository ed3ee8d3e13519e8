"""Discovery clients that differ from the reference in one reading of the ambiguity register (MS-MQSD 3.1).

The register passes them but for those that say what they break.
"""

from typing import Any

from mqconform.harness.iut.mutants.mqsd_client.altered_client import client, following
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.client.readings_of_events import NoNetwork, RemoteAccess
from mqconform.reference.mqsd.client.readings_of_replies import (
    LocalReplyAlone,
    LocalReplyOnLastNetwork,
    NothingStored,
    ShortItem,
)


def _reading(name: str, says: str, **choices: Any) -> Mutant:
    return client(name, says, following(**choices))


MUTANTS = (
    _reading(
        "client-keeps-lists-at-own-site",
        "A reply from the own site on the last network leaves the lists as they were.",
        local_reply_on_last_network=LocalReplyOnLastNetwork.LISTS_UNCHANGED,
    ),
    _reading(
        "client-keeps-networks-with-nothing-stored",
        "An event that succeeds with nothing stored leaves the networks as they were.",
        nothing_stored=NothingStored.NETWORKS_UNCHANGED,
    ),
    _reading(
        "client-without-network-waits", "Without networks it never completes.", no_network=NoNetwork.NEVER_COMPLETES
    ),
    client(
        "client-without-network-succeeds",
        "Without networks it succeeds.",
        following(no_network=NoNetwork.SUCCESS_AT_ONCE),
        ("MQSD-3.1.4.1-03",),
    ),
    client(
        "client-knows-no-remote-access",
        "Remote access addresses are like any others.",
        following(remote_access=RemoteAccess.UNKNOWN),
        ("MQSD-3.1.4.1-06",),
    ),
    _reading(
        "client-wants-a-list",
        "A reply from the own site alone is a failure.",
        local_reply_alone=LocalReplyAlone.FAILURE,
    ),
    _reading("client-lists-empty-names", "An item without a name is listed.", short_item=ShortItem.LISTED),
)
