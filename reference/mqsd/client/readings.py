"""Ambiguous places of the discovery client: what the register lets it do there, and what a single client follows.

Ids and standings are those of the register; a test holds them to it. Not in ``Readings``: places that nothing outward
tells apart (SD-42, SD-48, SD-60, SD-63, SD-66, SD-68) and those that the tolerance of a clock takes up (SD-49, SD-67).
"""

from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqsd.client.received_reply import HEADER_IRREGULARITIES, Irregularity

_TEXT: Final = Standing.TEXT
_PERMITTED: Final = Standing.PERMITTED
_REFUSED: Final = Standing.REFUSED


class HeaderNotZero(Choice):
    """What the client does with a reply whose Version or Reserved is not zero."""

    ACCEPTED = ("SD-11", "client-accepts-nonzero", _PERMITTED)
    DISCARDED = ("SD-11", "client-discards-nonzero", _PERMITTED)


class RequestAsReply(Choice):
    """What the client does with a packet of Type 1."""

    IGNORED = ("SD-12", "client-ignores-requests", _TEXT)
    ACTED_UPON = ("SD-12", "client-acts-on-requests", _REFUSED)


class LocalReplyOnLastNetwork(Choice):
    """Which connected networks a local reply on the last network leaves behind."""

    OLDER_REPLY_USED = ("SD-40", "older-reply-used", _TEXT)
    LOCAL_REPLY_USED = ("SD-40", "local-reply-used", _PERMITTED)
    LISTS_UNCHANGED = ("SD-40", "lists-unchanged", _PERMITTED)


class EarlierNetworks(Choice):
    """What survives of the replies of a network when the next request is sent."""

    REPLIES_CLEARED = ("SD-41", "replies-cleared", _TEXT)
    KEPT_ASIDE = ("SD-41", "replies-kept", _PERMITTED, "for want of a later reply")
    KEPT_IN_PLACE = ("SD-41", "replies-kept", _PERMITTED, "as the stored reply")


class NothingStored(Choice):
    """How the last wait ends where a reply was received and none is stored."""

    NETWORKS_EMPTIED = ("SD-43", "success-and-networks-emptied", _TEXT)
    NETWORKS_UNCHANGED = ("SD-43", "success-and-networks-unchanged", _PERMITTED)
    FAILURE = ("SD-43", "failure", _PERMITTED, "no network is the last successful one")
    FAILURE_REMEMBERING = ("SD-43", "failure", _PERMITTED, "the network stays the last successful one")


class LateReply(Choice):
    """What a reply does after its event is complete."""

    IGNORED = ("SD-44", "ignored", _TEXT)
    ACTED_UPON = ("SD-44", "acted-upon", _PERMITTED)


class ForeignThenLocal(Choice):
    """What a local reply on the last network does with the server list of an earlier foreign one."""

    FOREIGN_LIST_INSTALLED = ("SD-45", "foreign-list-installed", _TEXT)
    LIST_UNCHANGED = ("SD-45", "list-unchanged", _PERMITTED)


class ForeignReplyStored(Choice):
    """Which foreign reply of several on one network supplies the lists."""

    FIRST = ("SD-46", "first-foreign-reply", _TEXT)
    LAST = ("SD-46", "last-foreign-reply", _PERMITTED)


class CopiedReply(Choice):
    """What a copy of the stored foreign reply does."""

    COUNTS = ("SD-47", "copy-counts", _TEXT)
    IGNORED = ("SD-47", "copy-ignored", _PERMITTED)


class WaitAfterForeignReply(Choice):
    """How long the client waits after the first foreign reply."""

    ANEW = ("SD-50", "waits-anew", _TEXT)
    IN_ALL = ("SD-50", "waits-15-seconds-in-all", _PERMITTED)


class LocalReplyAlone(Choice):
    """What a local reply without any server list means."""

    SUCCESS = ("SD-55", "success-without-list", _TEXT)
    FAILURE = ("SD-55", "failure-without-list", _PERMITTED, "the network stays the last successful one")
    FAILURE_FORGETTING = ("SD-55", "failure-without-list", _PERMITTED, "no network is the last successful one")


class GrossError(Choice):
    """What the client does with a reply that ends within a field or a counted array."""

    DISCARDED = ("SD-59", "gross-error-discarded", _TEXT)
    ACCEPTED = ("SD-59", "gross-error-accepted", _REFUSED)


class LesserError(Choice):
    """What the client does with a reply that is wrong in another way."""

    DISCARDED = ("SD-59", "lesser-error-discarded", _PERMITTED)
    ACCEPTED = ("SD-59", "lesser-error-accepted", _PERMITTED)


class ShortItem(Choice):
    """What becomes of an item of the server list that holds no name."""

    IGNORED = ("SD-61", "short-item-ignored", _TEXT)
    LISTED = ("SD-61", "short-item-listed", _PERMITTED, "the one behind the end of the list as well")
    LISTED_BEFORE_END = ("SD-61", "short-item-listed", _PERMITTED, "before the end of the list")


class ProtocolFlags(Choice):
    """Which names of the server list are listed."""

    ALL_NAMES = ("SD-62", "all-names-listed", _TEXT)
    REACHABLE_NAMES = ("SD-62", "unreachable-names-left-out", _REFUSED)


class Requests(Choice):
    """How often a request goes out on one network; a client that repeats does so when it likes."""

    ONE_DATAGRAM = ("SD-08", "one-datagram", _TEXT)
    REPEATED = ("SD-08", "request-repeated", _PERMITTED)


class RequestIds(Choice):
    """What one RequestID stands for."""

    ONE_PER_EVENT = ("SD-14", "one-id-per-event", _TEXT)
    NEW_PER_PACKET = ("SD-14", "new-id-per-packet", _PERMITTED)


class NetworkAddresses(Choice):
    """How an event adds the networks to NetworkAddressList."""

    LIST_DOUBLED = ("SD-51", "list-doubled", _TEXT)
    LIST_REBUILT = ("SD-51", "list-rebuilt", _PERMITTED, "emptied first")
    NEW_ONES_ADDED = ("SD-51", "list-rebuilt", _PERMITTED, "only new ones added")


class NoNetwork(Choice):
    """What comes of an event without any network."""

    FAILURE_AT_ONCE = ("SD-52", "failure", _TEXT, "at once")
    FAILURE_REMEMBERING = ("SD-52", "failure", _TEXT, "at once, and the last successful network stays known")
    FAILURE_AFTER_WAIT = ("SD-52", "failure", _TEXT, "after 15 s")
    NEVER_COMPLETES = ("SD-52", "never-completes", _PERMITTED)
    SUCCESS_AT_ONCE = ("SD-52", "success", _REFUSED, "at once")
    SUCCESS_AFTER_WAIT = ("SD-52", "success", _REFUSED, "after 15 s")


class LaterEvent(Choice):
    """What an event does after a discovery that succeeded."""

    NO_PACKET = ("SD-53", "no-packet", _TEXT)
    NEW_DISCOVERY = ("SD-53", "new-discovery", _PERMITTED)


class RemoteAccess(Choice):
    """Whether a Remote Access Service address makes a later event discover."""

    FORCES_DISCOVERY = ("SD-54", "remote-access-forces-discovery", _TEXT)
    UNKNOWN = ("SD-54", "remote-access-unknown", _REFUSED)


class CompletionAtOnce(Choice):
    """What a later event that sends nothing reports."""

    SUCCESS = ("SD-56", "reports-success", _TEXT)
    FAILURE = ("SD-56", "reports-otherwise", _PERMITTED)


class EventWhileRunning(Choice):
    """What a second event does while one is in progress."""

    STARTS_OVER = ("SD-57", "starts-over", _PERMITTED)
    IGNORED = ("SD-57", "second-ignored", _PERMITTED, "nothing follows")
    REFUSED = ("SD-57", "second-ignored", _PERMITTED, "it fails at once")
    QUEUED = ("SD-57", "second-queued", _PERMITTED)
    JOINED = ("SD-57", "second-joins-the-first", _PERMITTED)
    ENDS_BOTH = ("SD-57", "second-ends-both", _PERMITTED)
    ENDS_ALONE = ("SD-57", "second-ends-alone", _PERMITTED)


class ListsAfterFailure(Choice):
    """What becomes of the lists when an event fails."""

    KEPT = ("SD-58", "lists-kept", _TEXT)
    CLEARED = ("SD-58", "lists-cleared", _REFUSED)


class OwnSite(Choice):
    """Where Site.Identifier comes from."""

    AS_CONFIGURED = ("SD-64", "site-as-configured", _TEXT)
    UNSET = ("SD-64", "site-unset", _REFUSED)


class ListBetweenEvents(Choice):
    """Whether another protocol changes the server list while time passes."""

    UNCHANGED = ("SD-75", "unchanged-between-events", _TEXT)
    CHANGED = ("SD-75", "changed-by-another-protocol", _PERMITTED)


class FailedSend(Choice):
    """What follows when a request cannot be sent."""

    WAITS = ("SD-65", "waits", _PERMITTED)
    GOES_ON = ("SD-65", "goes-on", _PERMITTED)


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
