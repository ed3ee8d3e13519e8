"""One choice for each ambiguous place: what a single client follows throughout.

Not here: places that nothing outward tells apart (SD-42, SD-48, SD-60, SD-63, SD-66, SD-68) and those that the
tolerance of a clock takes up (SD-49, SD-67).
"""

from dataclasses import dataclass, replace

from mqconform.reference.mqsd.client import readings_of_events, readings_of_replies
from mqconform.reference.mqsd.client.received_reply import HEADER_IRREGULARITIES, Irregularity


@dataclass(frozen=True)
class Readings:
    """What a client follows at each ambiguous place; the types of the fields name the entries of the register."""

    requests: readings_of_events.Requests
    request_ids: readings_of_events.RequestIds
    network_addresses: readings_of_events.NetworkAddresses
    no_network: readings_of_events.NoNetwork
    later_event: readings_of_events.LaterEvent
    remote_access: readings_of_events.RemoteAccess
    completion_at_once: readings_of_events.CompletionAtOnce
    event_while_running: readings_of_events.EventWhileRunning
    lists_after_failure: readings_of_events.ListsAfterFailure
    list_between_events: readings_of_events.ListBetweenEvents
    own_site: readings_of_events.OwnSite
    failed_send: readings_of_events.FailedSend

    header_not_zero: readings_of_replies.HeaderNotZero
    request_as_reply: readings_of_replies.RequestAsReply
    local_reply_on_last_network: readings_of_replies.LocalReplyOnLastNetwork
    earlier_networks: readings_of_replies.EarlierNetworks
    nothing_stored: readings_of_replies.NothingStored
    late_reply: readings_of_replies.LateReply
    foreign_then_local: readings_of_replies.ForeignThenLocal
    foreign_reply_stored: readings_of_replies.ForeignReplyStored
    copied_reply: readings_of_replies.CopiedReply
    wait_after_foreign_reply: readings_of_replies.WaitAfterForeignReply
    local_reply_alone: readings_of_replies.LocalReplyAlone
    gross_error: readings_of_replies.GrossError
    lesser_error: readings_of_replies.LesserError
    short_item: readings_of_replies.ShortItem
    protocol_flags: readings_of_replies.ProtocolFlags

    def on_irregularity(
        self, kind: Irregularity
    ) -> readings_of_replies.HeaderNotZero | readings_of_replies.LesserError:
        """Return what the client does with a reply that is irregular in that way."""
        return self.header_not_zero if kind in HEADER_IRREGULARITIES else self.lesser_error


LITERAL = Readings(
    requests=readings_of_events.Requests.ONE_DATAGRAM,
    request_ids=readings_of_events.RequestIds.ONE_PER_EVENT,
    network_addresses=readings_of_events.NetworkAddresses.LIST_DOUBLED,
    no_network=readings_of_events.NoNetwork.NEVER_COMPLETES,
    later_event=readings_of_events.LaterEvent.NO_PACKET,
    remote_access=readings_of_events.RemoteAccess.FORCES_DISCOVERY,
    completion_at_once=readings_of_events.CompletionAtOnce.SUCCESS,
    event_while_running=readings_of_events.EventWhileRunning.STARTS_OVER,
    lists_after_failure=readings_of_events.ListsAfterFailure.KEPT,
    list_between_events=readings_of_events.ListBetweenEvents.UNCHANGED,
    own_site=readings_of_events.OwnSite.AS_CONFIGURED,
    failed_send=readings_of_events.FailedSend.WAITS,
    header_not_zero=readings_of_replies.HeaderNotZero.ACCEPTED,
    request_as_reply=readings_of_replies.RequestAsReply.IGNORED,
    local_reply_on_last_network=readings_of_replies.LocalReplyOnLastNetwork.OLDER_REPLY_USED,
    earlier_networks=readings_of_replies.EarlierNetworks.REPLIES_CLEARED,
    nothing_stored=readings_of_replies.NothingStored.NETWORKS_EMPTIED,
    late_reply=readings_of_replies.LateReply.ACTED_UPON,
    foreign_then_local=readings_of_replies.ForeignThenLocal.FOREIGN_LIST_INSTALLED,
    foreign_reply_stored=readings_of_replies.ForeignReplyStored.FIRST,
    copied_reply=readings_of_replies.CopiedReply.COUNTS,
    wait_after_foreign_reply=readings_of_replies.WaitAfterForeignReply.ANEW,
    local_reply_alone=readings_of_replies.LocalReplyAlone.SUCCESS,
    gross_error=readings_of_replies.GrossError.DISCARDED,
    lesser_error=readings_of_replies.LesserError.DISCARDED,
    short_item=readings_of_replies.ShortItem.IGNORED,
    protocol_flags=readings_of_replies.ProtocolFlags.ALL_NAMES,
)
"""The text word by word, where it never ends an event and where it ends one twice included."""

UNDISPUTED = replace(
    LITERAL, no_network=readings_of_events.NoNetwork.FAILURE_AT_ONCE, late_reply=readings_of_replies.LateReply.IGNORED
)
"""At each place the reading that fewest profiles object to; among equals the word-for-word one."""

SENSIBLE = replace(
    UNDISPUTED,
    network_addresses=readings_of_events.NetworkAddresses.LIST_REBUILT,
    later_event=readings_of_events.LaterEvent.NEW_DISCOVERY,
    event_while_running=readings_of_events.EventWhileRunning.IGNORED,
    failed_send=readings_of_events.FailedSend.GOES_ON,
    local_reply_on_last_network=readings_of_replies.LocalReplyOnLastNetwork.LOCAL_REPLY_USED,
    earlier_networks=readings_of_replies.EarlierNetworks.KEPT_ASIDE,
    nothing_stored=readings_of_replies.NothingStored.NETWORKS_UNCHANGED,
    foreign_then_local=readings_of_replies.ForeignThenLocal.LIST_UNCHANGED,
    copied_reply=readings_of_replies.CopiedReply.IGNORED,
)
"""The evident purpose of the text: what is learnt is kept, what is over is over."""
