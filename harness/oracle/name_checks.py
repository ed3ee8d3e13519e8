"""Judgements on the names of a server array and their characters (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections import Counter

from mqconform.harness.oracle.array_checks import ABSENT, array_span
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.reply_view import ReplyView
from mqconform.harness.oracle.server_array import read_server_array
from mqconform.harness.witness import Judgement

OTHER_ENCODINGS = ("utf-8", "utf-16-be", "utf-32-le", "utf-32-be")
"""What an array may be written in by mistake; UTF-8 has the code pages' octets for plain letters."""


def names_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that every name of the server's list is there, in any order (2.2.3, 3.2.5.1, register SD-26)."""
    wanted = reply.expected.names
    expected = f"in any order: {shown(wanted)}"
    found = tuple(entry.name for entry in read_server_array(reply.array).entries if entry.units)
    observed, span = shown(found), array_span(reply)
    if Counter(found) == Counter(wanted):
        order = "list-order" if found == wanted else "any-order"
        return judge.reading("SD-26", order, expected, observed, situation="names", span=span)
    if set(found) == set(wanted):
        return judge.reading("SD-26", "duplicates", expected, observed, situation="names", span=span)
    return judge.says(False, expected, observed, span)


def name_between_is_unchanged(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge an unusual name between plain ones: the array lists it as it is (2.2.3, register SD-29).

    Where the plain names are not there either, the unusual one says nothing about its characters.
    """
    names = reply.expected.names
    unusual = names[len(names) // 2]
    plain = set(names) - {unusual}
    found = {entry.name for entry in read_server_array(reply.array).entries}
    expected, observed = f"{shown((unusual,))} among the names", shown(tuple(sorted(found)))
    if unusual in found:
        return judge.reading("SD-29", "any-name", expected, observed, span=array_span(reply))
    if not found.issuperset(plain):
        return judge.undecided(expected, f"{observed}: not even the plain names of the server")
    if _as_json_may_carry(unusual) in found:
        return judge.undecided(
            expected, f"{observed}: JSON could not carry an unpaired surrogate to the implementation"
        )
    return judge.says(False, expected, observed, array_span(reply))


def characters_are_utf_16(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that the array is written in characters of two octets, low octet first (2.2.3)."""
    expected = "characters of two octets, low octet first"
    if not reply.array:
        return judge.undecided(expected, ABSENT)
    if len(reply.array) % 2:
        return judge.says(False, expected, f"{len(reply.array)} octets, which is odd", array_span(reply))
    if not any(name in reply.array for name in reply.expected.names):
        for encoding in OTHER_ENCODINGS:
            texts = (name.decode("utf-16-le", "replace") for name in reply.expected.names)
            if any(text.encode(encoding) in reply.array for text in texts):
                return judge.says(False, expected, f"names in {encoding}", array_span(reply))
    return judge.says(True, expected, f"{len(reply.array) // 2} characters")


def shown(names: tuple[bytes, ...]) -> str:
    """Return names for a witness: characters where they are plain, code units where not."""
    texts = (name.decode("utf-16-le", "backslashreplace") for name in names)
    return ", ".join(ascii(text) for text in texts) or "none"


def _as_json_may_carry(name: bytes) -> bytes:
    """Return the name with U+FFFD for unpaired surrogates, as some readers of JSON make of them."""
    return name.decode("utf-16-le", "replace").encode("utf-16-le")
