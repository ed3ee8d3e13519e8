"""What can be wrong with, or open about, one discovery as its packets show it (MS-MQSD 2.2, 3.1, 3.2.5).

A conversation is all packets that carry one identifier: the requests of one event of a client, on all its networks,
and the replies to them. Only the table of rules lives here; ``bulk_conversations`` applies them. The numbers stand in
files that outlive a release: they are never used again for something else.
"""

from enum import IntEnum
from typing import Final, Self

CLIENT, SERVER = "client", "server"
UNDECIDED: Final = ("", "")
"""In place of a reading: a capture cannot tell, as something may have been lost, or have passed elsewhere."""


class ConversationRule(IntEnum):
    """A rule: its number, the requirement, whose doing it is, what was found, and the register"s reading.

    ``NONE`` stands where nothing was found.
    """

    requirement: str
    at_fault: str
    """``client`` or ``server``."""
    says: str
    reading: tuple[str, str] | None
    """Entry and reading of the ambiguity register that decide; None where the text does, or nothing can."""
    undecided: bool
    """Whether a capture cannot tell."""

    def __new__(
        cls, number: int, requirement: str = "", at_fault: str = "", says: str = "", why: tuple[str, str] | None = None
    ) -> Self:
        """Make a number of the rule with what it is about."""
        rule = int.__new__(cls, number)
        rule._value_ = number
        rule.requirement, rule.at_fault, rule.says = requirement, at_fault, says
        rule.undecided = why == UNDECIDED
        rule.reading = None if rule.undecided else why
        return rule

    # fmt: off
    NONE = 0
    REPLY_TO_NOBODY = 1, "MQSD-2.2.3-03", SERVER, "a reply to a request that was not captured", UNDECIDED
    OTHER_ID = (2, "MQSD-2.2.3-03", SERVER,
        "CorrelationID is not the RequestID of the request that its client had under way")
    ANSWERED_TWICE = 3, "MQSD-3.2.5-01", SERVER, "a server sent more replies than requests were there"
    REPLY_ELSEWHERE = 4, "MQSD-3.2.5.1-15", SERVER, "a reply went to another address or port than the request came from"
    REPLY_LATE = (5, "MQSD-3.2.5-02", SERVER,
        "a reply came more than 15 s after the request", ("SD-35", "answers-after-15-seconds"))
    REPLY_BEFORE_REQUEST = (6, "MQSD-2.2.2-05", SERVER,
        "a reply was captured before the request: clocks that differ, or a chance that is none", UNDECIDED)
    OWN_SITE_LISTED = (7, "MQSD-2.2.3-13", SERVER,
        "RespondingSiteID and a server list were sent to a client of that same site")
    OWN_SITE_SIZE = 8, "MQSD-2.2.3-12", SERVER, "a server list was sent to a client of the server's own site"
    OTHER_SITE_UNLISTED = (9, "MQSD-3.2.5.1-12", SERVER,
        "neither site nor server list was sent to a client of another site")
    NOTHING_TO_LIST = (10, "MQSD-3.2.5.1-12", SERVER,
        "a server without names to list sent no site to a client of another site", ("SD-24", "size-zero-without-site"))
    UNANSWERED = 11, "MQSD-3.2.5-01", SERVER, "no reply was captured within 15 s", UNDECIDED
    EARLY_REQUEST = (12, "MQSD-3.1.2.1-01", CLIENT,
        "the next network was asked before 15 s had passed or replies had come")
    EARLY_REQUEST_UNSEEN = (13, "MQSD-3.1.2.1-01", CLIENT,
        "the next network was asked before 15 s had passed; no reply to this client was captured, or two clocks differ",
        UNDECIDED)
    REQUEST_REPEATED = (14, "MQSD-3.1.5.1-01", CLIENT,
        "a request was repeated on the same network", ("SD-08", "request-repeated"))
    LATE_REQUEST = (15, "MQSD-3.1.2.1-03", CLIENT,
        "the next network was asked later than the timer allows; the capture may lack a request in between", UNDECIDED)
    NETWORK_ORDER = 16, "MQSD-3.1.5.1-01", CLIENT, "networks were asked in an order that no list explains", UNDECIDED
    LIST_TWICE = 17, "MQSD-3.1.4.1-04", CLIENT, "the list of networks was gone through again", ("SD-51", "list-doubled")
    ID_REUSED = 18, "MQSD-3.1.4.1-07", CLIENT, "a RequestID was used again more than an hour later"
    ID_SHARED = 19, "MQSD-2.2.2-04", CLIENT, "clients of different enterprises used the same RequestID"
    SITE_CHANGED = 20, "MQSD-3.1.5.1-04", CLIENT, "requests of one event and one address name different sites"
    CROWDED = (21, "MQSD-2.2.2-04", CLIENT,
        "too many packets carry one identifier to match replies with requests", UNDECIDED)
    OWN_SITE_FOLLOWED = (22, "MQSD-2.2.3-18", SERVER,
        "a site or more follows the networks in a reply of size 0 to a client of that site")
    ANSWERED_TWICE_UNSEEN = (23, "MQSD-3.2.5-01", SERVER,
        "a server sent more replies than requests were captured; one may have been sent before the capture began",
        UNDECIDED)
    # fmt: on


CONVERSATION_RULES: Final = tuple(rule for rule in ConversationRule if rule)
"""Every rule but ``NONE``."""
