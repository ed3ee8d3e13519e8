"""Cut running text into sentences and find the requirement words of RFC 2119 in them."""

import re

_END = re.compile(r"(?<=[.?!])[\"')]*\s+(?=[\"'(]?[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"(?:\b(?:i\.e|e\.g|etc|vs|cf|approx|No|Fig|Sec|Inc|Corp|resp|incl)|\b[A-Z])\.[\"')]*$", re.IGNORECASE
)
_KEYWORD = re.compile(
    r"\b(?:MUST NOT|SHALL NOT|SHOULD NOT|NOT RECOMMENDED|MUST|REQUIRED|SHALL|SHOULD|RECOMMENDED|MAY|OPTIONAL)\b"
)
KEYWORDS = (
    "MUST",
    "MUST NOT",
    "SHOULD",
    "SHOULD NOT",
    "MAY",
    "REQUIRED",
    "SHALL",
    "SHALL NOT",
    "RECOMMENDED",
    "NOT RECOMMENDED",
    "OPTIONAL",
)
"""The words of RFC 2119, in capitals, in the order in which totals are shown."""

LEVEL_OF = {
    "MUST": "must",
    "REQUIRED": "must",
    "SHALL": "must",
    "MUST NOT": "must-not",
    "SHALL NOT": "must-not",
    "SHOULD": "should",
    "RECOMMENDED": "should",
    "SHOULD NOT": "should-not",
    "NOT RECOMMENDED": "should-not",
    "MAY": "may",
    "OPTIONAL": "may",
}


def sentences(text: str) -> list[str]:
    """Return the sentences of one normalised paragraph; names with dots and section numbers stay whole."""
    pieces: list[str] = []
    begin = 0
    for end in _END.finditer(text):
        piece = text[begin : end.end()].strip()
        if not _is_abbreviation(piece):
            pieces.append(piece)
            begin = end.end()
    rest = text[begin:].strip()
    return [*pieces, rest] if rest else pieces


def keywords(sentence: str) -> tuple[str, ...]:
    """Return the RFC 2119 words of a sentence in order; lower-case words are none."""
    return tuple(_KEYWORD.findall(sentence))


def _is_abbreviation(piece: str) -> bool:
    return bool(_ABBREVIATION.search(piece))
