"""Ambiguous places in what the client does with replies: what the register lets a client do there.

Ids and standings are those of the register; a test holds them to it.
"""

from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice

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
    FAILURE = ("SD-43", "failure", _PERMITTED)


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
