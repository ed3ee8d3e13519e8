r"""Text that an implementation sent, made safe for any format.

The same rule as on the terminal: controls, direction marks, unpaired surrogates and whatever else has no glyph
become ``\uXXXX``, and a backslash doubles. What is left is legal in XML 1.0 (section 2.2, Char).
"""


def visible(text: str) -> str:
    """Return ``text`` on one line with every character visible."""
    return "".join(map(_visible, text))


def visible_lines(text: str) -> str:
    """Return ``text`` with every character visible; its line breaks stay."""
    return "\n".join(visible(line) for line in text.split("\n"))


def shortened(text: str, longest: int) -> str:
    """Return ``text``, its end left out where it is longer than ``longest`` characters."""
    return text if len(text) <= longest else f"{text[:longest]} ... {len(text) - longest} characters left out"


def octets_text(octets: bytes, longest: int) -> str:
    """Return octets in hexadecimal, at most the first ``longest`` of them."""
    rest = len(octets) - longest
    return octets[:longest].hex(" ") + (f" ... {rest} octets left out" if rest > 0 else "")


def _visible(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
