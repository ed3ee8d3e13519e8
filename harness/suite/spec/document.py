"""Read a copy of a specification as segments: sentences, statements, grammar rules, table rows."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.requirement import Specification
from mqconform.harness.suite.spec import normalise
from mqconform.harness.suite.spec.blocks import Block, cut
from mqconform.harness.suite.spec.segments import keywords, sentences, statements

MAX_OCTETS = 4 * 1024 * 1024
"""Largest file that is read; the longest Open Specification is a fraction of it."""

_TITLE = re.compile(r"(?<![\w-])(M[CS]-[A-Z0-9]{2,8})\]?\W{0,6}?:")
_HEAD = 4000
_REVISION = re.compile(r"^\|?\s*\d{1,2}/\d{1,2}/\d{4}\s*[|\t]\s*(\d+(?:\.\d+)+)\s*[|\t]", re.MULTILINE)


class SpecificationFault(ConfigurationError):
    """The user's file cannot be read as a specification that has a catalogue; exit code 4."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence, pseudo-code statement, grammar rule, comment or table row."""

    section: str
    text: str
    """Normalised."""
    digest: str
    """``sha256:`` and the hexadecimal hash of ``text``."""
    occurrence: int
    """1 for the first segment of this digest in its section, 2 for the next."""
    keywords: tuple[str, ...]
    """Its RFC 2119 words in order."""


@dataclass(frozen=True, slots=True)
class Document:
    """A copy of one revision of one specification."""

    path: Path
    id: str
    """As catalogues name it: ``MQSD`` for [MS-MQSD]."""
    revision: str | None
    """Last row of its revision table, None where it has none."""
    segments: tuple[Segment, ...]


def read_document(path: Path, catalogued: Iterable[Specification] = ()) -> Document:
    """Return the segments of the copy at ``path``.

    Args:
        path: the file.
        catalogued: among these is looked for the text if it neither carries a name nor numbers its sections.

    Raises:
        SpecificationFault: if the file cannot be read, is not text, or is not an Open Specification.
    """
    text = _text_of(path)
    named = _TITLE.search(normalise.unescaped(text[:_HEAD]))
    if named is None:
        return _page(path, text, catalogued)
    segments = tuple(segments_of(text))
    if not segments:
        raise SpecificationFault(
            f"{path}: no section headings such as '1 Introduction' found; keep each heading on a line of its own"
        )
    revisions = _REVISION.findall(text)
    return Document(path, named[1].removeprefix("MS-"), revisions[-1] if revisions else None, segments)


def _page(path: Path, text: str, catalogued: Iterable[Specification]) -> Document:
    """Return a text without name and section numbers: it is known by having all the headings of its catalogue."""
    for specification in catalogued:
        segments = tuple(segments_of(text, specification.headings)) if specification.headings else ()
        if len({segment.section for segment in segments}) == len(specification.headings) > 0:
            return Document(path, specification.id, None, segments)
    raise SpecificationFault(
        f"{path}: no title line such as '[MS-MQSD]:' in its first {_HEAD} characters, and not the headings of a page "
        "that is catalogued; give a text or markdown copy of a whole specification, title and headings included"
    )


def segments_of(text: str, headings: Sequence[str] = ()) -> Iterator[Segment]:
    """Yield the segments of a file's text from its section 1 on, in text order; see ``cut`` for the headings."""
    occurrences: Counter[tuple[str, str]] = Counter()
    for block in cut(text, headings):
        for piece in _pieces(block):
            digest = normalise.digest(piece)
            occurrences[block.section, digest] += 1
            yield Segment(block.section, piece, digest, occurrences[block.section, digest], keywords(piece))


def _pieces(block: Block) -> list[str]:
    match block.kind:
        case "code" | "fence":
            return statements(block.text, fenced=block.kind == "fence")
        case "statement":
            return [normalise.code(block.text)]
        case "table":
            cells = (normalise.prose(cell) for cell in re.split(r"(?<!\\)\|", block.text.strip().strip("|")))
            row = " | ".join(cell for cell in cells if cell)
            return [row] if re.search(r"[^\W\d]", row) else []
        case _:
            return sentences(normalise.prose(block.text))


def _text_of(path: Path) -> str:
    try:
        if not path.is_file():
            raise SpecificationFault(f"{path}: not a file; give a text or markdown copy of the specification")
        if path.stat().st_size > MAX_OCTETS:
            raise SpecificationFault(f"{path}: larger than {MAX_OCTETS} octets; give one specification, as text")
        octets = path.read_bytes()
    except OSError as fault:
        raise SpecificationFault(f"{path}: cannot be read ({fault.strerror}); check its name and rights") from fault
    if not octets.strip():
        raise SpecificationFault(f"{path}: empty; give a text or markdown copy of the specification")
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise SpecificationFault(
            f"{path}: octet {fault.start} is not UTF-8; convert the copy to UTF-8 text (not PDF or Word)"
        ) from fault
    if "\0" in text:
        raise SpecificationFault(f"{path}: holds null characters, so it is not text; convert the copy to UTF-8 text")
    return text
