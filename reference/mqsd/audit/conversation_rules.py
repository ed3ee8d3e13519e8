"""What can be wrong with, or open about, one discovery as its packets show it (MS-MQSD 2.2, 3.1, 3.2.5).

A conversation is all packets that carry one identifier: the requests of one event of a client, on all its networks,
and the replies to them. Only the table of rules lives here; ``bulk_conversations`` applies them. The numbers stand in
files that outlive a release: they are never used again for something else.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final


class ConversationRule(IntEnum):
    """Numbers of the rules; ``NONE`` where nothing was found."""

    NONE = 0
    REPLY_TO_NOBODY = 1
    OTHER_ID = 2
    ANSWERED_TWICE = 3
    REPLY_ELSEWHERE = 4
    REPLY_LATE = 5
    REPLY_BEFORE_REQUEST = 6
    OWN_SITE_LISTED = 7
    OWN_SITE_SIZE = 8
    OTHER_SITE_UNLISTED = 9
    NOTHING_TO_LIST = 10
    UNANSWERED = 11
    EARLY_REQUEST = 12
    EARLY_REQUEST_UNSEEN = 13
    REQUEST_REPEATED = 14
    LATE_REQUEST = 15
    NETWORK_ORDER = 16
    LIST_TWICE = 17
    ID_REUSED = 18
    ID_SHARED = 19
    SITE_CHANGED = 20
    CROWDED = 21
    OWN_SITE_FOLLOWED = 22
    ANSWERED_TWICE_UNSEEN = 23


CLIENT, SERVER = "client", "server"


@dataclass(frozen=True, slots=True)
class RuleOfConversations:
    """What a rule is about."""

    requirement: str
    at_fault: str
    """``client`` or ``server``: whose doing it is."""
    says: str
    reading: tuple[str, str] | None = None
    """Entry and reading of the ambiguity register that decide; None where the text does."""
    undecided: bool = False
    """Whether a capture cannot tell: something may have been lost, or have passed elsewhere."""


_R = ConversationRule
_STEP: Final = "MQSD-3.2.5.1-"

CONVERSATION_RULES: Final[dict[ConversationRule, RuleOfConversations]] = {
    _R.REPLY_TO_NOBODY: RuleOfConversations(
        "MQSD-2.2.3-03", SERVER, "a reply to a request that was not captured", undecided=True
    ),
    _R.OTHER_ID: RuleOfConversations(
        "MQSD-2.2.3-03", SERVER, "CorrelationID is not the RequestID of the request that its client had under way"
    ),
    _R.ANSWERED_TWICE: RuleOfConversations(
        "MQSD-3.2.5-01", SERVER, "a server sent more replies than requests were there"
    ),
    _R.ANSWERED_TWICE_UNSEEN: RuleOfConversations(
        "MQSD-3.2.5-01",
        SERVER,
        "a server sent more replies than requests were captured; one may have been sent before the capture began",
        undecided=True,
    ),
    _R.REPLY_ELSEWHERE: RuleOfConversations(
        f"{_STEP}15", SERVER, "a reply went to another address or port than the request came from"
    ),
    _R.REPLY_LATE: RuleOfConversations(
        "MQSD-3.2.5-02",
        SERVER,
        "a reply came more than 15 s after the request",
        ("SD-35", "answers-after-15-seconds"),
    ),
    _R.REPLY_BEFORE_REQUEST: RuleOfConversations(
        "MQSD-2.2.2-05",
        SERVER,
        "a reply was captured before the request: clocks that differ, or a chance that is none",
        undecided=True,
    ),
    _R.OWN_SITE_LISTED: RuleOfConversations(
        "MQSD-2.2.3-13", SERVER, "RespondingSiteID and a server list were sent to a client of that same site"
    ),
    _R.OWN_SITE_SIZE: RuleOfConversations(
        "MQSD-2.2.3-12", SERVER, "a server list was sent to a client of the server's own site"
    ),
    _R.OWN_SITE_FOLLOWED: RuleOfConversations(
        "MQSD-2.2.3-18", SERVER, "a site or more follows the networks in a reply of size 0 to a client of that site"
    ),
    _R.OTHER_SITE_UNLISTED: RuleOfConversations(
        f"{_STEP}12", SERVER, "neither site nor server list was sent to a client of another site"
    ),
    _R.NOTHING_TO_LIST: RuleOfConversations(
        f"{_STEP}12",
        SERVER,
        "a server without names to list sent no site to a client of another site",
        ("SD-24", "size-zero-without-site"),
    ),
    _R.UNANSWERED: RuleOfConversations("MQSD-3.2.5-01", SERVER, "no reply was captured within 15 s", undecided=True),
    _R.EARLY_REQUEST: RuleOfConversations(
        "MQSD-3.1.2.1-01", CLIENT, "the next network was asked before 15 s had passed or replies had come"
    ),
    _R.EARLY_REQUEST_UNSEEN: RuleOfConversations(
        "MQSD-3.1.2.1-01",
        CLIENT,
        "the next network was asked before 15 s had passed; no reply to this client was captured, or two clocks differ",
        undecided=True,
    ),
    _R.REQUEST_REPEATED: RuleOfConversations(
        "MQSD-3.1.5.1-01", CLIENT, "a request was repeated on the same network", ("SD-08", "request-repeated")
    ),
    _R.LATE_REQUEST: RuleOfConversations(
        "MQSD-3.1.2.1-03",
        CLIENT,
        "the next network was asked later than the timer says; one in between may not have been captured",
        undecided=True,
    ),
    _R.NETWORK_ORDER: RuleOfConversations(
        "MQSD-3.1.5.1-01", CLIENT, "networks were asked in an order that no list explains", undecided=True
    ),
    _R.LIST_TWICE: RuleOfConversations(
        "MQSD-3.1.4.1-04", CLIENT, "the list of networks was gone through again", ("SD-51", "list-doubled")
    ),
    _R.ID_REUSED: RuleOfConversations("MQSD-3.1.4.1-07", CLIENT, "a RequestID was used again more than an hour later"),
    _R.ID_SHARED: RuleOfConversations(
        "MQSD-2.2.2-04", CLIENT, "clients of different enterprises used the same RequestID"
    ),
    _R.SITE_CHANGED: RuleOfConversations(
        "MQSD-3.1.5.1-04", CLIENT, "requests of one event and one address name different sites"
    ),
    _R.CROWDED: RuleOfConversations(
        "MQSD-2.2.2-04", CLIENT, "too many packets carry one identifier to match replies with requests", undecided=True
    ),
}
"""Every rule but ``NONE``."""
