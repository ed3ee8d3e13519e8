"""The encoding of a server's list of names, as its first flags show it (MS-MQSD 2.2.3). Nothing is judged here."""

from typing import Final

DIGITS: Final = b"01"


def wrong_encoding(array: bytes) -> tuple[str, str] | None:
    """Return the codec of a list that is not in UTF-16, low octet first, and the mistake in words; None if it is."""
    first = array[:4]
    if len(first) < 4:
        return None
    if first[0] in DIGITS and first[1] in DIGITS:
        return "utf-8", "8-bit characters instead of UTF-16"
    if first[0] == 0 and first[1] in DIGITS:
        return "utf-16-be", "UTF-16 with the high octet first instead of the low one"
    if first[0] in DIGITS and first[1:] == bytes(3):
        return "utf-32-le", "characters of four octets instead of UTF-16"
    return None


def decoded_list(array: bytes) -> str:
    """Return a list in a wrong encoding as text and the mistake in words, empty for one in UTF-16, low octet first."""
    mistake = wrong_encoding(array)
    if mistake is None:
        return ""
    codec, text = mistake
    return f"'{plain_text(array.decode(codec, 'replace'))}' in {text}"


def plain_text(text: str) -> str:
    """Return text with each character that is not printable ASCII by its number."""
    return "".join(
        character if character.isascii() and character.isprintable() else f"<U+{ord(character):04X}>"
        for character in text
    )
