"""Cut a file's lines into blocks: paragraphs, bullets, table rows and code, each in its section.

A block is what no conversion splits or merges, page breaks apart: those are joined here. Headings may be markdown
headings of any depth or bare lines; a number is a heading only where the section numbering allows it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mqconform.harness.suite.spec import normalise

Kind = Literal["prose", "bullet", "table", "caption", "code", "fence", "statement"]
Number = tuple[int, ...]

_FENCE = re.compile(r"^\s*(?:```|~~~)")
_ATX = re.compile(r"^\s{0,3}#{1,6}\s+(.*?)\s*#*$")
_NUMBERED = re.compile(r"^(\d{1,2}(?:\.\d{1,2})*)\.?\s+([A-Z].*)$")
_LONGEST_HEADING = 140
_CONTENTS_LINE = re.compile(r"(?:\.\s?){4,}\s*\d+\s*$")
_BULLET = re.compile(r"^\s*[-*+\u2022\u00b7\u25aa\u25e6\u2023](?:\s+(.*))?$")
_ORDERED = re.compile(r"^\s*\d{1,2}[.)]\s+(.*)$")
_RULE = re.compile(r"^\s*(?:[-=_*]\s*){3,}$")
_ROW_RULE = re.compile(r"^[\s|:.-]*$")
_ANCHOR = re.compile(r"^\s*(?:</?[A-Za-z][^<>]*+>\s*)+$")
_CAPTION = re.compile(r"^Figure \d+:")
_SIGNATURE = re.compile(r"^[A-Z]\w+\s*\([^)]*\bof type\b")
_GRAMMAR = re.compile(r'^[A-Za-z][\w-]*\s+=/?\s+(?:%[xdb]|[A-Z"]|\d*\*)(?!.*[.]$)')
_BRACED = re.compile(r"^if\s*\(.*}$|^\w+\s*=\s*[\w.]+\s*;$|^i[A-Z]\w* := ")
"""A conditional with its body, or an assignment, of a language with braces; or arguments of an event."""
_TERMINAL = re.compile(r"[.:;?!][\"')]*$")
_LONGEST_PARAGRAPH = 10_000
"""A longer one is not joined: it is not a torn paragraph but a file without sentences."""
_TAIL = 300
"""As much of a paragraph as tells whether it is finished: the longest link and then some."""
_FURNITURE = re.compile(
    r"^(?:\W*MS-[A-Z]+\W*\s*[-\u2013\u2014]\s*v\d{8}\b.*|Copyright \(?(?:c|\u00a9)\)?.*|\u00a9.*Microsoft.*"
    r"|Release: .*\d{4}|\d{1,3}\s*/\s*\d{1,3}|Page \d+(?: of \d+)?)$",
    re.IGNORECASE,
)
_RUNNING_TITLE = re.compile(r"^(?:MS-[A-Z]+:\s*)?Message Queuing \(MSMQ\): [^.:]*$|^\d{1,3}$")


@dataclass(frozen=True, slots=True)
class Block:
    """One paragraph, bullet, table row, caption or stretch of code."""

    section: str
    kind: Kind
    text: str
    """As it stands in the file, line breaks included; markers of bullets are gone."""


class _Cutter:
    """State of one walk over the lines of a file."""

    def __init__(self, headings: Sequence[str] = ()) -> None:
        self.blocks: list[Block] = []
        self._headings = [normalise.prose(heading).casefold() for heading in headings]
        self._number: Number = ()
        self._kind: Kind = "prose"
        self._lines: list[str] = []
        self._fenced = False
        self._coding = False

    def line(self, line: str) -> None:
        """Take in the next line of the file."""
        if _FENCE.match(line):
            self.flush()
            self._fenced = not self._fenced
            self._kind = "fence" if self._fenced else "prose"
        elif self._fenced:
            if not _FURNITURE.match(line):
                self._lines.append(line)
        elif heading := _ATX.match(line):
            self.flush()
            self._heading_or_prose(heading[1])
        elif not line.strip() or _RULE.match(line) or _ANCHOR.match(line):
            self.flush()
        elif not _FURNITURE.match(normalise.unescaped(line).strip(" \t*_")):
            self._text_line(line)

    def flush(self) -> None:
        """Close the open block."""
        lines, kind = self._lines, self._kind
        self._lines, self._kind = [], "prose"
        if not lines:
            return
        if kind == "prose" and not any(map(_NUMBERED.match, map(str.strip, lines[1:]))):
            self._heading_or_prose("\n".join(lines))
        else:
            self._emit(kind, "\n".join(lines))

    def _text_line(self, line: str) -> None:
        bullet = None if self._coding else _BULLET.match(line) or self._ordered(line)
        if line.lstrip().startswith("|"):
            self.flush()
            if not _ROW_RULE.match(line):
                self._emit("table", line)
        elif bullet:
            self.flush()
            self._kind, self._lines = "bullet", [bullet[1] or ""]
        else:
            self._lines.append(line)

    def _ordered(self, line: str) -> re.Match[str] | None:
        """A numbered item begins a block or follows another item: elsewhere the number is the sentence's own."""
        return _ORDERED.match(line) if not self._lines or self._kind == "bullet" else None

    def _heading_or_prose(self, written: str) -> None:
        text = normalise.prose(written)
        if len(text) > _LONGEST_HEADING:
            self._emit("prose", written)
        elif self._headings:
            self._named_heading_or_prose(text, written)
        elif _CONTENTS_LINE.search(text):
            return
        elif (heading := _NUMBERED.match(text)) and self._is_next(number := _number(heading[1]), heading[2]):
            self._open_section(number)
        else:
            self._emit("prose", written)

    def _named_heading_or_prose(self, text: str, written: str) -> None:
        """Number the headings of a text that numbers none; its title may stand above the first of them."""
        number = self._headings.index(text.casefold()) + 1 if text.casefold() in self._headings else 0
        if number and number in {1, (self._number or (0,))[0] + 1} and self._number <= (number,):
            self._open_section((number,))
        else:
            self._emit("prose", written)

    def _is_next(self, number: Number, title: str) -> bool:
        if title.endswith((".", ":", ";", ",")):
            return False
        if number == (1,):
            return title == "Introduction"
        return bool(self._number) and number > self._number and number[0] <= self._number[0] + 1

    def _open_section(self, number: Number) -> None:
        self._number = number
        self._coding = False
        if number == (1,):
            self.blocks.clear()  # what came before was the table of contents

    def _emit(self, kind: Kind, text: str) -> None:
        if not self._number:
            return
        plain = normalise.prose(text) if kind == "prose" else ""
        if kind == "prose":
            if not plain or _RUNNING_TITLE.match(plain):
                return
            kind = self._prose_kind(plain, text)
        self.blocks.append(Block(".".join(map(str, self._number)), kind, text))

    def _prose_kind(self, plain: str, text: str) -> Kind:
        """Code that lost its fence is known by its signature or its braces, grammar by its rules."""
        if _BRACED.match(plain):
            return "statement"
        if _SIGNATURE.match(plain):
            self._coding = True
        if self._coding:
            return "code"
        if _GRAMMAR.match(normalise.code(text.splitlines()[0])):
            return "fence"
        return "caption" if _CAPTION.match(plain) else "prose"


def _number(written: str) -> Number:
    return tuple(map(int, written.split(".")))


def cut(text: str, headings: Sequence[str] = ()) -> tuple[Block, ...]:
    """Return the blocks of a whole file, from its section 1 on.

    Args:
        text: the file.
        headings: of a text that numbers no sections, its headings in order; the first opens section 1.
    """
    cutter = _Cutter(headings)
    for line in text.splitlines():
        cutter.line(line)
    cutter.flush()
    return tuple(_mended(cutter.blocks))


def _mended(blocks: list[Block]) -> list[Block]:
    """Join what page breaks tore apart: unfinished sentences, and code cut into several stretches."""
    joined: list[Block] = []
    for block in blocks:
        if joined and _belongs_to(block, joined[-1]):
            joined[-1] = replace(joined[-1], text=f"{joined[-1].text}{_seam(block)}{block.text}")
        else:
            joined.append(block)
    return joined


def _belongs_to(block: Block, before: Block) -> bool:
    if block.section != before.section:
        return False
    if block.kind == "prose":
        if before.kind not in {"prose", "bullet"} or len(before.text) > _LONGEST_PARAGRAPH:
            return False
        return not _TERMINAL.search(normalise.prose(before.text[-_TAIL:]))
    return block.kind == before.kind and block.kind in {"code", "fence"}


def _seam(block: Block) -> str:
    return "\n\n" if block.kind == "code" else "\n"
