"""Remove what a conversion of the text adds: links, emphasis, escapes, anchors, note markers, line breaks.

Nothing here may depend on where a line was wrapped, and nothing may swallow a character of the text itself:
hashes are taken from what these functions return.
"""

import hashlib
import html
import re
import unicodedata

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^<>\s]++)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_IMAGE = re.compile(r"!\[[^\]]*+\]\([^)]*+\)")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*+\])*+)\]\((?:[^()]|\([^()]*+\))*+\)")
_NOTE = re.compile(r"\s*<\d+>")
_EMPHASIS_UNDERSCORE = re.compile(r"(?<!\w)_{1,3}(?=\S)([^_]*+)(?<=\S)_{1,3}(?!\w)")
_HYPHEN_AT_LINE_END = re.compile(r"(?<=\w)([-\u2013\u2014])\n\s*(?=\w)")
_SPACE = re.compile(r"\s+")
_SPACE_BEFORE_POINT = re.compile(r"\s+(?=[,.;:?!)](?:\s|$))")
_SPACE_AFTER_OPEN = re.compile(r"\(\s+")
_SPACE_BEFORE_CLOSE = re.compile(r"\s+\)")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]")
_PLAIN = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u201b": "'", "\u2032": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u2033": '"',
    "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-", "\u2212": "-",
})  # fmt: skip
_MARKS = 0xE000
"""First of the private-use characters that stand for escaped punctuation while markup is removed."""
_UNMARKED = {_MARKS + code_point: chr(code_point) for code_point in range(0x21, 0x7F)}


def plain_characters(text: str) -> str:
    """Return ``text`` with one kind of quote, dash and space and without invisible characters."""
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).translate(_PLAIN)


def prose(text: str) -> str:
    """Return a paragraph as one line of bare text: no markup, no note markers, no square brackets."""
    text = unwrapped(text)
    text = _TAG.sub("", _AUTOLINK.sub(r"\1", _ESCAPE.sub(lambda match: chr(_MARKS + ord(match[1])), text)))
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", text)))
    text = _EMPHASIS_UNDERSCORE.sub(r"\1", text).replace("*", "").replace("`", "")
    text = html.unescape(text.translate(_UNMARKED)).replace("[", "").replace("]", "").replace("*", "")
    text = _NOTE.sub("", _SPACE.sub(" ", text))
    return _close_up(plain_characters(text)).strip()


def unwrapped(text: str) -> str:
    """Return ``text`` on one line; a hyphen that ends a line stays with what follows."""
    return _HYPHEN_AT_LINE_END.sub(r"\1", text).replace("\n", " ")


def code(text: str) -> str:
    """Return pseudo-code or grammar as one line of bare text; its asterisks and brackets are its own."""
    return _close_up(_SPACE.sub(" ", plain_characters(unescaped(text)))).strip()


def unescaped(text: str) -> str:
    """Return ``text`` with each escape, of markdown or of HTML, replaced by the character itself."""
    return html.unescape(_ESCAPE.sub(r"\1", text))


def digest(text: str) -> str:
    """Return the name under which catalogues know a normalised segment."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def _close_up(text: str) -> str:
    text = _SPACE_BEFORE_CLOSE.sub(")", _SPACE_AFTER_OPEN.sub("(", text))
    return _SPACE_BEFORE_POINT.sub("", text)
