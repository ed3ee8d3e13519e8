"""Cut paragraphs into sentences and code into statements, whatever their lines are, and find the words of RFC 2119.

A statement begins at its own word and ends before the next one's, so that neither indentation nor continuation
lines count. ELSE stands alone: whether an IF follows on its line or on the next is layout. A comment is a segment
of its own, after the statement it stands beside.
"""

import re

from mqconform.harness.suite.spec import normalise

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
        if not _ABBREVIATION.search(piece):
            pieces.append(piece)
            begin = end.end()
    rest = text[begin:].strip()
    return [*pieces, rest] if rest else pieces


def keywords(sentence: str) -> tuple[str, ...]:
    """Return the RFC 2119 words of a sentence in order; lower-case words are none."""
    return tuple(_KEYWORD.findall(sentence))


_STATEMENT = re.compile(
    r"(?<![\w.])(?:END FOREACH|BREAK FOREACH|FOREACH|ELSE|IF|ENDIF|INIT|SET|ADD|Add|RETURN|GOTO|Raise Exception"
    r"|[A-Z]\w*:)(?=\s|$)"
)
_RULE = re.compile(r"(?<![\w%*.-])[A-Za-z][\w-]*\s+=/?\s")
_COMMENT = re.compile(r'^((?:[^";]|"[^"]*+")*+);(.*)$', re.DOTALL)
_OPEN, _CLOSE = "\ue100", "\ue101"
_COMMENT_PLACE = re.compile(f"{_OPEN}(\\d+){_CLOSE}")


def statements(text: str, *, fenced: bool) -> list[str]:
    """Return the normalised statements, rules and comments of a stretch of code.

    A comment ends with its line in fenced code. In code that lost its fence, lines may have been wrapped: there it
    ends before the next statement, the next comment or an empty line.
    """
    stream, comments = _without_comments(text.splitlines() if fenced else _unwrapped(text))
    begins = _RULE if _RULE.match(stream) else _STATEMENT
    return [segment for piece in _pieces(stream, begins) for segment in _released(piece, comments)]


def _unwrapped(text: str) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        begins = True
        for line in map(str.strip, paragraph.splitlines()):
            if begins or line.startswith(";") or _STATEMENT.match(line):
                lines.append(line)
            else:
                lines[-1] = normalise.unwrapped(f"{lines[-1]}\n{line}")
            begins = False
    return lines


def _without_comments(lines: list[str]) -> tuple[str, list[str]]:
    comments: list[str] = []
    code_lines: list[str] = []
    for line in map(normalise.code, lines):
        match = _COMMENT.match(line)
        if match:
            code_lines.append(f"{match[1]} {_OPEN}{len(comments)}{_CLOSE}")
            comments.append(f"; {match[2].strip()}")
        else:
            code_lines.append(line)
    return normalise.code(" ".join(code_lines)), comments


def _pieces(stream: str, begins: re.Pattern[str]) -> list[str]:
    cuts = [match.start() for match in begins.finditer(stream)]
    return [stream[start:end].strip() for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)]


def _released(piece: str, comments: list[str]) -> list[str]:
    statement = normalise.code(_COMMENT_PLACE.sub(" ", piece))
    beside = [comments[int(number)] for number in _COMMENT_PLACE.findall(piece)]
    return [segment for segment in (statement, *beside) if segment]
