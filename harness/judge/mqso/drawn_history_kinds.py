"""Which kinds of deeds the drawn histories of a queue manager have, how often, and what they need."""

from collections.abc import Collection
from typing import Final

from mqconform.harness.judge.mqso.drawn_history_text import KINDS
from mqconform.harness.judge.mqso.drawn_story import EVERYTHING, TRANSACTIONS, Offer

WEIGHTS: Final = {
    "serve": 2, "expire": 2, "given back": 2,
    "receive": 2, "end": 2, "receive round": 2, "identify": 2, "cursor": 2, "wait within": 2, "wait": 2, "restart": 2,
}  # fmt: skip
"""How often a kind is drawn beside others, once where it is not named."""
WEIGHTS_OF_USERS: Final = {**WEIGHTS, "anew": 3, "room": 3, "restart": 3, "receive": 3, "wait": 1, "serve": 1}
"""In histories of users: what makes, changes and stores the lists of queues."""
_WITHIN: Final = ("begin", "send within", "receive within", "end", "send round", "receive round")
_OTHERWISE: Final = (
    "identify", "cursor", "given back", "wait within", "give up", "external", "over", "letters", "anew", "again",
    "room", "fill", "close", "scale", "serve", "expire", "throttling", "full store", "no coordinator",
)  # fmt: skip
"""Messages that are asked for in another way than as the first, waits, and what is rare."""
_WITHOUT: Final = ("send", "receive", "wait", "time")
LEFT_OUT: Final = {
    "of plain messages": (*_WITHIN, *_OTHERWISE),
    "with transactions": (*_WITHOUT, *_OTHERWISE),
    "of all kinds": (),
    "of users": ("external", "over", "letters", "fill", "scale", "throttling", "full store", "no coordinator"),
}
"""The kinds of deeds that each kind of histories does without."""
NEEDS: Final = {
    "count": "management",
    "time": "virtual-clock",
    "scale": "virtual-clock",
    "restart": "restart",
    "cursor": "cursors",
    "expire": "virtual-clock",
    "throttling": "throttling",
    "full store": "store-faults",
    "no coordinator": "coordinator-faults",
    **dict.fromkeys((*_WITHIN, "wait within", "given back", "over", "fill"), "transactions"),
}
"""The capability without which a kind of deed is not drawn."""


_WORDS: Final = {
    "counts": "management",
    "runs for": "virtual-clock",
    "restarted": "restart",
    "cursor": "cursors",
    "transaction t": "transactions",
    "external": "external-transactions",
    "signed by": "security",
    "throttling": "throttling",
    "store": "store-faults",
    "coordinator": "coordinator-faults",
}
"""Words of sentences that need a capability."""


def needs_of(sentences: Collection[str]) -> set[str]:
    """Return the capabilities without which some sentences cannot be played."""
    return {needed for words, needed in _WORDS.items() if any(words in sentence for sentence in sentences)}


def kinds_for(capabilities: Collection[str], histories: str, offer: Offer = EVERYTHING) -> tuple[str, ...]:
    """Return the kinds of deeds that an implementation with some capabilities can do."""
    left_out = {
        *LEFT_OUT[histories],
        *(() if offer.identifiers else ("identify",)),
        *(() if offer.rooms else ("room", "fill")),
        *(() if TRANSACTIONS[1] in offer.transactions else ("external",)),
    }
    offered = (kind for kind in KINDS if NEEDS.get(kind) is None or NEEDS[kind] in capabilities)
    return tuple(kind for kind in offered if kind not in left_out)
