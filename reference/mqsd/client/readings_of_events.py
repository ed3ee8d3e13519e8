"""Ambiguous places in the client's events, sending and initialisation: what the register lets a client do there.

Ids and standings are those of the register; a test holds them to it.
"""

from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice

_TEXT: Final = Standing.TEXT
_PERMITTED: Final = Standing.PERMITTED
_REFUSED: Final = Standing.REFUSED


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
