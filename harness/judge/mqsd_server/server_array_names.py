"""The names in DirectoryServiceServerArray and their characters (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections import Counter

from mqconform.harness.judge.bears_on import bears_on
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import ReplyCheck, ReplyView
from mqconform.harness.judge.mqsd_server.server_array_view import ABSENT, FLAGS, array_span, read_server_array
from mqconform.harness.records.witness import Judgement

CHARACTER_RULES = (
    *("MQSD-2.2.3-32", "MQSD-2.2.3-33", "MQSD-2.2.3-34", "MQSD-2.2.3-35", "MQSD-2.2.3-36", "MQSD-2.2.3-37"),  # R1 - R6
    *("MQSD-2.2.3-38", "MQSD-2.2.3-39", "MQSD-2.2.3-40", "MQSD-2.2.3-41"),  # X1 - X4
    "MQSD-2.2.3-42",  # NameChar
)


@bears_on("MQSD-2.2.3-20", "MQSD-2.2.3-23", "MQSD-3.2.5.1-13")
def names_are_the_servers(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that every name of the server's list is there, in any order (2.2.3, 3.2.5.1, register SD-26)."""
    configured = reply.expected.names
    expected = f"in any order: {names_text(configured)}"
    names = tuple(entry.name for entry in read_server_array(reply.array).entries if entry.units)
    observed, span = names_text(names), array_span(reply)
    if Counter(names) == Counter(configured):
        order = "list-order" if names == configured else "any-order"
        return judge.reading("SD-26", order, expected, observed, situation="names", span=span)
    if set(names) == set(configured):
        return judge.reading("SD-26", "duplicates", expected, observed, situation="names", span=span)
    return judge.says(False, expected, observed, span)


@bears_on(*CHARACTER_RULES)
def name_between_is_unchanged(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge an unusual name between plain ones: the array lists it as it is (2.2.3, register SD-29).

    Where the plain names are not there either, the unusual one says nothing about its characters.
    """
    configured = reply.expected.names
    unusual = configured[len(configured) // 2]
    plain = set(configured) - {unusual}
    names = {entry.name for entry in read_server_array(reply.array).entries}
    expected, observed = f"{names_text((unusual,))} among the names", names_text(tuple(sorted(names)))
    if unusual in names:
        return judge.reading("SD-29", "any-name", expected, observed, span=array_span(reply))
    if not names.issuperset(plain):
        return judge.undecided(expected, f"{observed}: not even the plain names of the server")
    if _as_json_may_carry(unusual) in names:
        return judge.undecided(
            expected, f"{observed}: JSON could not carry an unpaired surrogate to the implementation"
        )
    return judge.says(False, expected, observed, array_span(reply))


def names_hold_no_delimiter(judge: Judge, reply: ReplyView) -> Judgement:
    """Judge that no name falls apart at a comma or a null in it (2.2.3)."""
    array, configured = read_server_array(reply.array), reply.expected.names
    expected = f"{len(configured)} names, none with a comma or a null in it"
    if not array.entries:
        return judge.undecided(expected, ABSENT)
    entries = [entry for entry in array.entries if entry.units]
    observed = f"commas and nulls make {len(entries)} entries"
    others = [entry for entry in entries if entry.name not in configured]
    if not others:
        return judge.says(True, expected, observed)
    if len(entries) > len(configured) and any(flag not in FLAGS for entry in others for flag in entry.flags):
        return judge.says(False, expected, f"{observed}, one of them just a piece", array_span(reply))
    return judge.undecided(expected, f"{observed}, other names than the server's among them")


def names_text(names: tuple[bytes, ...]) -> str:
    """Return names for a witness: characters where they are plain, code units where not."""
    texts = (name.decode("utf-16-le", "backslashreplace") for name in names)
    return ", ".join(ascii(text) for text in texts) or "none"


def _as_json_may_carry(name: bytes) -> bytes:
    """Return the name with U+FFFD for unpaired surrogates, as some readers of JSON make of them."""
    return name.decode("utf-16-le", "replace").encode("utf-16-le")


SENTENCES: dict[str, ReplyCheck] = {
    "the array names every directory server": names_are_the_servers,
    "the array lists the name between as it is": name_between_is_unchanged,
    "no name holds a comma or a null": names_hold_no_delimiter,
}
