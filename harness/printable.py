r"""Text that an implementation sent, made safe to show.

Controls, terminal escapes, direction marks and unpaired surrogates become ``\uXXXX``; a backslash doubles, so that
what is shown can be told from what was sent.
"""


def visible(text: str) -> str:
    """Return ``text`` with every character visible and none that acts on a terminal."""
    return "".join(map(_visible, text))


def visible_lines(text: str) -> str:
    """Return ``text`` made visible line by line; its line breaks stay."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _visible(character: str) -> str:
    if character == "\\":
        return "\\\\"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
