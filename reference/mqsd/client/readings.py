"""One choice for each ambiguous place: what a single client follows throughout.

Not here: places that nothing outward tells apart (SD-42, SD-48, SD-60, SD-63, SD-66, SD-68) and those that the
tolerance of a clock takes up (SD-49, SD-67).
"""

from dataclasses import dataclass, replace

from mqconform.reference.mqsd.client.readings_of_events import (
    CompletionAtOnce,
    EventWhileRunning,
    FailedSend,
    LaterEvent,
    ListBetweenEvents,
    ListsAfterFailure,
    NetworkAddresses,
    NoNetwork,
    OwnSite,
    RemoteAccess,
    RequestIds,
    Requests,
)
from mqconform.reference.mqsd.client.readings_of_replies import (
    CopiedReply,
    EarlierNetworks,
    ForeignReplyStored,
    ForeignThenLocal,
    GrossError,
    HeaderNotZero,
    LateReply,
    LesserError,
    LocalReplyAlone,
    LocalReplyOnLastNetwork,
    NothingStored,
    ProtocolFlags,
    RequestAsReply,
    ShortItem,
    WaitAfterForeignReply,
)
from mqconform.reference.mqsd.client.received_reply import HEADER_IRREGULARITIES, Irregularity


@dataclass(frozen=True)
class Readings:
    """What a client follows at each ambiguous place; the types of the fields name the entries of the register."""

    requests: Requests
    request_ids: RequestIds
    network_addresses: NetworkAddresses
    no_network: NoNetwork
    later_event: LaterEvent
    remote_access: RemoteAccess
    completion_at_once: CompletionAtOnce
    event_while_running: EventWhileRunning
    lists_after_failure: ListsAfterFailure
    list_between_events: ListBetweenEvents
    own_site: OwnSite
    failed_send: FailedSend

    header_not_zero: HeaderNotZero
    request_as_reply: RequestAsReply
    local_reply_on_last_network: LocalReplyOnLastNetwork
    earlier_networks: EarlierNetworks
    nothing_stored: NothingStored
    late_reply: LateReply
    foreign_then_local: ForeignThenLocal
    foreign_reply_stored: ForeignReplyStored
    copied_reply: CopiedReply
    wait_after_foreign_reply: WaitAfterForeignReply
    local_reply_alone: LocalReplyAlone
    gross_error: GrossError
    lesser_error: LesserError
    short_item: ShortItem
    protocol_flags: ProtocolFlags

    def on_irregularity(self, kind: Irregularity) -> HeaderNotZero | LesserError:
        """Return what the client does with a reply that is irregular in that way."""
        return self.header_not_zero if kind in HEADER_IRREGULARITIES else self.lesser_error


LITERAL = Readings(
    requests=Requests.ONE_DATAGRAM,
    request_ids=RequestIds.ONE_PER_EVENT,
    network_addresses=NetworkAddresses.LIST_DOUBLED,
    no_network=NoNetwork.NEVER_COMPLETES,
    later_event=LaterEvent.NO_PACKET,
    remote_access=RemoteAccess.FORCES_DISCOVERY,
    completion_at_once=CompletionAtOnce.SUCCESS,
    event_while_running=EventWhileRunning.STARTS_OVER,
    lists_after_failure=ListsAfterFailure.KEPT,
    list_between_events=ListBetweenEvents.UNCHANGED,
    own_site=OwnSite.AS_CONFIGURED,
    failed_send=FailedSend.WAITS,
    header_not_zero=HeaderNotZero.ACCEPTED,
    request_as_reply=RequestAsReply.IGNORED,
    local_reply_on_last_network=LocalReplyOnLastNetwork.OLDER_REPLY_USED,
    earlier_networks=EarlierNetworks.REPLIES_CLEARED,
    nothing_stored=NothingStored.NETWORKS_EMPTIED,
    late_reply=LateReply.ACTED_UPON,
    foreign_then_local=ForeignThenLocal.FOREIGN_LIST_INSTALLED,
    foreign_reply_stored=ForeignReplyStored.FIRST,
    copied_reply=CopiedReply.COUNTS,
    wait_after_foreign_reply=WaitAfterForeignReply.ANEW,
    local_reply_alone=LocalReplyAlone.SUCCESS,
    gross_error=GrossError.DISCARDED,
    lesser_error=LesserError.DISCARDED,
    short_item=ShortItem.IGNORED,
    protocol_flags=ProtocolFlags.ALL_NAMES,
)
"""The text word by word, where it never ends an event and where it ends one twice included."""

UNDISPUTED = replace(LITERAL, no_network=NoNetwork.FAILURE_AT_ONCE, late_reply=LateReply.IGNORED)
"""At each place the reading that fewest profiles object to; among equals the word-for-word one."""

SENSIBLE = replace(
    UNDISPUTED,
    network_addresses=NetworkAddresses.LIST_REBUILT,
    later_event=LaterEvent.NEW_DISCOVERY,
    event_while_running=EventWhileRunning.IGNORED,
    failed_send=FailedSend.GOES_ON,
    local_reply_on_last_network=LocalReplyOnLastNetwork.LOCAL_REPLY_USED,
    earlier_networks=EarlierNetworks.KEPT_ASIDE,
    nothing_stored=NothingStored.NETWORKS_UNCHANGED,
    foreign_then_local=ForeignThenLocal.LIST_UNCHANGED,
    copied_reply=CopiedReply.IGNORED,
)
"""The evident purpose of the text: what is learnt is kept, what is over is over."""
