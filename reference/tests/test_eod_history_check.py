import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from mqconform.reference.history.streams import NOT_RECORDED, Entry, Finding, Kind, check_history

np = pytest.importorskip("numpy", reason="the compiled check needs numpy: pip install '.[bulk]'")
pytest.importorskip("numba", reason="the compiled check needs numba: pip install '.[bulk]'")

from mqconform.reference.history.streams import Columns  # noqa: E402
from mqconform.reference.history.streams_compiled import findings_of  # noqa: E402


def queued(message: str, stream: str = "a"):
    return Entry(Kind.ENQUEUED, stream, message)


def sent(message: str, number: int, previous: int, stream: str = "a"):
    return Entry(Kind.SENT, stream, message, number, previous)


def accepted(message: str, number: int, previous: int, stream: str = "a"):
    return Entry(Kind.ACCEPTED, stream, message, number, previous)


def rejected(message: str, number: int, previous: int):
    return Entry(Kind.REJECTED, "a", message, number, previous)


def acknowledged(number: int):
    return Entry(Kind.ACKNOWLEDGED, "a", number=number)


def released(number: int):
    return Entry(Kind.RELEASED, "a", number=number)


def discarded(message: str):
    return Entry(Kind.DISCARDED, "a", message)


RECEIVER_LOST = Entry(Kind.RECEIVER_LOST_STATE, "a")
SENDER_LOST = Entry(Kind.SENDER_LOST_STATE, "a")
ONE = (queued("m1"), sent("m1", 1, 0), accepted("m1", 1, 0))
TWO = (*ONE, queued("m2"), sent("m2", 2, 1), accepted("m2", 2, 1))

CLEAN = {
    "nothing": (),
    "one message": ONE,
    "two messages": (*TWO, acknowledged(2), released(2)),
    "a duplicate rejected": (*TWO, rejected("m1", 1, 0)),
    "a gap rejected and then filled": (
        queued("m1"), queued("m2"), sent("m1", 1, 0), sent("m2", 2, 1), rejected("m2", 2, 1), sent("m1", 1, 0),
        sent("m2", 2, 1), accepted("m1", 1, 0), accepted("m2", 2, 1),
    ),
    "a discarded message": (queued("m1"), sent("m1", 1, 0), discarded("m1"), *(queued("m2"), sent("m2", 2, 0)),
                            accepted("m2", 2, 0)),
    "a successor linked late": (*ONE, queued("m2"), discarded("m2"), queued("m3"), sent("m3", 3, 2),
                                rejected("m3", 3, 2), sent("m3", 3, 1), accepted("m3", 3, 1)),
    "the first of the queue names what is acknowledged": (*ONE, released(1), queued("m2"), sent("m2", 2, 1),
                                                          accepted("m2", 2, 1)),
    "the first of the queue names nothing": (*ONE, released(1), queued("m2"), sent("m2", 2, 0), accepted("m2", 2, 0)),
    "delivered again after the receiver lost its numbers": (*ONE, RECEIVER_LOST, acknowledged(0), sent("m1", 1, 0),
                                                            accepted("m1", 1, 0)),
    "lost with the sender": (*ONE, queued("m2"), SENDER_LOST),
    "an acknowledgment of nothing": (queued("m1"), acknowledged(0), *ONE[1:]),
    "two streams with the same numbers": (*ONE, *(queued("m1", "b"), sent("m1", 1, 0, "b"),
                                                  accepted("m1", 1, 0, "b"))),
    "a receiver's log alone": (accepted("x", 1, 0), accepted("y", 4, 1), rejected("x", 1, 0)),
}  # fmt: skip

WRONG = {
    "delivered twice": (
        (*ONE, accepted("m1", 1, 0)), [(3, Finding.DELIVERED_TWICE), (3, Finding.DUPLICATE_ACCEPTED)],
    ),
    "delivered twice under another number": (
        (*ONE, sent("m1", 2, 0), accepted("m1", 2, 0)), [(3, Finding.RENUMBERED), (4, Finding.DELIVERED_TWICE)],
    ),
    "out of order": (
        (queued("m1"), queued("m2"), sent("m1", 1, 0), sent("m2", 2, 1), accepted("m2", 2, 1), accepted("m1", 1, 0)),
        [(4, Finding.GAP_ACCEPTED), (5, Finding.OUT_OF_ORDER), (5, Finding.DUPLICATE_ACCEPTED)],
    ),
    "lost": ((*ONE, queued("m2")), [(3, Finding.NEVER_DELIVERED)]),
    "a number used twice": ((*ONE, queued("m2"), sent("m2", 1, 1)),
                            [(3, Finding.NEVER_DELIVERED), (4, Finding.NUMBER_NOT_GREATER)]),
    "sent after it was discarded": ((queued("m1"), discarded("m1"), sent("m1", 1, 0)),
                                    [(2, Finding.SENT_AFTER_DISCARD)]),
    "sent after it was released": ((*ONE, released(1), sent("m1", 1, 0)), [(4, Finding.SENT_AFTER_RELEASE)]),
    "linked to nothing": ((*ONE, queued("m2"), sent("m2", 2, 0), accepted("m2", 2, 0)), [(4, Finding.WRONG_LINK)]),
    "linked to itself": ((queued("m1"), sent("m1", 1, 1), accepted("m1", 1, 0)), [(1, Finding.WRONG_LINK)]),
    "a resend not linked past a discarded message": (
        (*ONE, queued("m2"), sent("m2", 2, 1), queued("m3"), sent("m3", 3, 2), discarded("m2"), sent("m3", 3, 2),
         accepted("m3", 3, 1)),
        [(8, Finding.NOT_RELINKED)],
    ),
    "a resend of the first that is not linked to zero": (
        (*TWO, released(1), sent("m2", 2, 1)), [(7, Finding.FIRST_NOT_ZERO)],
    ),
    "rejected in order": ((queued("m1"), sent("m1", 1, 0), rejected("m1", 1, 0), accepted("m1", 1, 0)),
                          [(2, Finding.REJECTED_IN_ORDER)]),
    "the next number acknowledged": ((*ONE, acknowledged(2)), [(3, Finding.ACKNOWLEDGED_TOO_MUCH)]),
    "an older number acknowledged": ((*TWO, acknowledged(1)), [(6, Finding.ACKNOWLEDGED_TOO_LITTLE)]),
    "never sent": ((*ONE, accepted("m9", 9, 0)), [(3, Finding.NEVER_SENT)]),
}  # fmt: skip


LINKS = {
    Finding.WRONG_LINK,
    Finding.NOT_RELINKED,
    Finding.FIRST_NOT_ZERO,
    Finding.GAP_ACCEPTED,
    Finding.REJECTED_IN_ORDER,
}
"""What only previous numbers show."""


FROM_THE_BEGINNING = {("out of order", Finding.GAP_ACCEPTED), ("rejected in order", Finding.REJECTED_IN_ORDER)}
"""What only shows where nothing was accepted before."""


def without_previous_numbers(history: Sequence[Entry]) -> list[Entry]:
    return [replace(entry, previous=NOT_RECORDED) for entry in history]


def test_nothing_is_found_in_a_clean_history_nor_from_anywhere_on_in_it():
    for name, history in CLEAN.items():
        assert check_history(history) == check_history(without_previous_numbers(history)) == (), name
        for start in range(len(history)):
            assert check_history(history[start:], healed=False, begun=False) == (), (name, start)


def test_what_is_wrong_is_found_where_it_is_wrong():
    for name, (history, expected) in WRONG.items():
        assert [(one.position, one.finding) for one in check_history(history)] == expected, name
        later = [(one.position, one.finding) for one in check_history(history, begun=False)]
        assert later == [one for one in expected if (name, one[1]) not in FROM_THE_BEGINNING], name
        unlinked = [(one.position, one.finding) for one in check_history(without_previous_numbers(history))]
        assert unlinked == [one for one in expected if one[1] not in LINKS], name


BEFORE_THE_LOG = {
    "accepted before": (accepted("m57", 57, 56), accepted("m58", 58, 57), acknowledged(58)),
    "acknowledged before": (acknowledged(56), rejected("m56", 56, 55), accepted("m57", 57, 56)),
    "sent before": (sent("m57", 57, 56), sent("m58", 58, 57), released(58), queued("m59"), sent("m59", 59, 58)),
    "sent again from the middle": (sent("m58", 58, 57), sent("m57", 57, 56), sent("m58", 58, 57)),
    "queued behind what was sent before": (queued("m58"), sent("m57", 57, 56), sent("m58", 58, 57),
                                           accepted("m57", 57, 56), accepted("m58", 58, 57)),
}  # fmt: skip


def test_a_stream_that_ran_before_its_log_is_clean():
    for name, history in BEFORE_THE_LOG.items():
        assert check_history(history, healed=False, begun=False) == (), name
        assert check_history(history, healed=False) != (), name


def test_every_finding_is_shown_and_means_something():
    shown = {finding for _, expected in WRONG.values() for _, finding in expected}
    assert shown == set(Finding)


def test_a_violation_reads_as_a_sentence():
    (violation, _) = check_history(WRONG["delivered twice"][0])
    assert str(violation) == "EOD-2-01: stream a, message m1: delivered a second time"
    (violation,) = check_history(WRONG["the next number acknowledged"][0])
    assert str(violation) == "EOD-2-11: stream a, acknowledgment 2: acknowledges what was not accepted"
    assert violation.finding.role == "ordered_receiver"


def arbitrary_history(generator: random.Random, length: int) -> list[Entry]:
    """Entries without rhyme or reason, few numbers and messages, so that everything meets everything."""
    kinds = [*Kind]
    entries = []
    for _ in range(length):
        kind, stream = generator.choice(kinds), generator.choice("ab")
        named = kind in {Kind.ENQUEUED, Kind.SENT, Kind.ACCEPTED, Kind.REJECTED, Kind.DISCARDED}
        message = generator.choice("vwxyz") if named else None
        entries.append(Entry(kind, stream, message, generator.randrange(6), generator.randrange(-1, 6)))
    return entries


def columns_of(history: list[Entry]) -> Columns:
    streams = {"a": 0, "b": 1}
    messages = {(stream, message): index for index, (stream, message) in
                enumerate((stream, message) for stream in "ab" for message in "vwxyz")}  # fmt: skip
    rows = [
        (int(one.kind), streams[one.stream], messages.get((one.stream, one.message), -1), one.number, one.previous)
        for one in history
    ]
    return Columns(*np.array(rows, dtype=np.int64).reshape(-1, 5).T.copy())


def test_the_compiled_check_finds_the_same():
    generator = random.Random(7)
    for options in (
        {"healed": True, "begun": True},
        {"healed": False, "begun": True},
        {"healed": False, "begun": False},
    ):
        seen = 0
        for length in [1, 2, 3, *range(5, 120, 2)]:
            history = arbitrary_history(generator, length)
            expected = [0] * length
            for one in check_history(history, **options):
                expected[one.position] |= int(one.finding)
            assert findings_of(columns_of(history), 2, 10, **options).tolist() == expected, options
            seen |= int(np.bitwise_or.reduce(expected))
        never = set() if options["healed"] else {Finding.NEVER_DELIVERED}
        assert {finding for finding in Finding if seen & finding} == set(Finding) - never, options


def test_columns_that_cannot_be_a_history_are_refused():
    good = columns_of([queued("v"), sent("v", 1, 0), accepted("v", 1, 0)])
    assert findings_of(good, 2, 10, healed=True, begun=True).tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="columns of equal length"):
        findings_of(good._replace(number=good.number[:1]), 2, 10, healed=True, begun=True)
    with pytest.raises(ValueError, match="column stream holds 0 to 0; expected 0 to -1"):
        findings_of(good, 0, 10, healed=True, begun=True)
    with pytest.raises(ValueError, match="names none"):
        findings_of(good._replace(message=good.message - 1 - good.message), 2, 10, healed=True, begun=True)
    empty = Columns(*(column[:0] for column in good))
    assert findings_of(empty, 0, 0, healed=True, begun=True).tolist() == []
