"""Octets of a datagram on one line, with those that a judgement is about marked."""

from rich.text import Text

from mqconform.harness.records.results import Span

AROUND = 16
LONGEST = 64


def marked_octets(octets: bytes, span: Span | None = None) -> Text:
    """Return the octets around the span, or the first of them, in hexadecimal; the span stands out."""
    first = max(0, span.offset - AROUND) if span and len(octets) > LONGEST else 0
    last = min(len(octets), first + LONGEST)
    text = Text("... " if first else "")
    for at in range(first, last):
        inside = span is not None and span.offset <= at < span.offset + span.length
        text.append(f"{octets[at]:02x} ", "bold red reverse" if inside else "dim")
    if last < len(octets):
        text.append(f"... {len(octets)} octets")
    return text
