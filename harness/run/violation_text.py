"""A violated requirement as text: allowed, observed, and the offending octets."""

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

from rich.text import Text

from mqconform.harness.records.case import Case
from mqconform.harness.records.evidence_text import MARK, short_timeline_lines
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.printable import quoted_lines, visible, with_guids
from mqconform.harness.records.results import Span
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Witness

MOST_OCTETS, OCTETS_AROUND = 64, 16
"""Octets of a datagram that are shown, and how many of them stand before and behind those that a judgement is about."""
MOST_TEXT = 700
"""Characters of an expected or observed text that are shown."""
MOST_CASES = 4
WIDTH = 140
"""Characters of a line of text; octets and ids are not wrapped."""


def violation_lines(finding: Finding, consequences: Sequence[Finding], cases: Sequence[Case]) -> Iterator[Text]:
    """Yield the lines of a violated requirement, and of those that fail in the same cases."""
    requirement = finding.requirement
    yield Text.assemble(
        ("\nVIOLATED ", "bold red"), (requirement.id, "bold"), f"  section {requirement.section}, {requirement.level}"
    )
    yield Text(f"  {requirement.summary}")
    failing = {case.id: case for case in cases if any(failed_on(witness, requirement.id) for witness in case.witnesses)}
    simplest = simplest_case(failing.values())
    yield from _witness(next(witness for witness in simplest.witnesses if failed_on(witness, requirement.id)))
    for line in short_timeline_lines(simplest.timeline):
        yield Text(f"    {line}", "red" if line.startswith(MARK) else "dim")
    others = sorted(failing.keys() - {simplest.id})
    if others:
        more = f" and {len(others) - MOST_CASES} more" if len(others) > MOST_CASES else ""
        yield Text(f"  also in   {', '.join(others[:MOST_CASES])}{more}", "dim")
    if consequences:
        more = f"{len(consequences)} more requirements fail" if len(consequences) > 1 else "one more requirement fails"
        yield Text(f"  {more} in the same cases:")
    for consequence in consequences:
        yield Text(f"    {consequence.requirement.id}  {consequence.requirement.summary}", "dim")


def simplest_case(cases: Iterable[Case]) -> Case:
    """Return the case that shows a failure best: of those with the shortest time line the first that names octets."""

    def names_octets(case: Case) -> bool:
        return any(witness.judgement.span for witness in case.witnesses if witness.judgement.verdict is Verdict.FAIL)

    return min(cases, key=lambda case: (len(case.timeline), not names_octets(case)))


def failed_on(witness: Witness, requirement: str) -> bool:
    """Tell whether a witness fails a requirement."""
    return witness.requirement == requirement and witness.judgement.verdict is Verdict.FAIL


def _witness(witness: Witness) -> Iterator[Text]:
    judged = witness.judgement
    yield Text(f"  case      {witness.case}", "dim")
    yield Text(f"  step      {visible(witness.step)}", "dim")
    yield _wrapped("expected", with_guids(judged.expected))
    yield _wrapped("observed", with_guids(judged.observed))
    if witness.traffic.request:
        yield Text.assemble(("  request   ", "dim"), marked_octets(witness.traffic.request))
    if witness.traffic.reply:
        where = f"  {_octets(judged.span, len(witness.traffic.reply))}, {judged.span.field}" if judged.span else ""
        yield Text.assemble(("  reply     ", "dim"), marked_octets(witness.traffic.reply, judged.span), (where, "dim"))


def _octets(span: Span, size: int) -> str:
    if span.length == 0:
        return f"no octet at {span.offset}"
    missing = ", where the reply has ended" if span.offset >= size else ""
    return f"octets {span.offset} to {span.offset + span.length - 1}{missing}"


def _wrapped(label: str, text: str) -> Text:
    visible_text = quoted_lines(text, " " * 12)
    labelled = f"  {label:<10}{visible_text[:MOST_TEXT]}{' ...' if len(visible_text) > MOST_TEXT else ''}"
    bar = f"{' ' * 12}| "
    return Text(
        "\n".join(fill(line, WIDTH, subsequent_indent=bar, break_long_words=False) for line in labelled.split("\n"))
    )


def marked_octets(octets: bytes, span: Span | None = None) -> Text:
    """Return the octets around the span, or the first of them, in hexadecimal.

    The span stands in brackets, which are seen without colours as well; brackets with nothing in them are where octets
    are missing. An excerpt says with which octet it begins.
    """
    first, last = 0, min(len(octets), MOST_OCTETS)
    if span and len(octets) > MOST_OCTETS:
        first = max(0, min(span.offset, len(octets)) - OCTETS_AROUND)
        last = min(
            len(octets), max(span.offset + min(span.length, MOST_OCTETS) + OCTETS_AROUND, first + MOST_OCTETS // 2)
        )
    start, stop = (min(span.offset, last), min(span.offset + span.length, last)) if span else (last, last)
    text = Text(f"from octet {first}: " if first else "")
    text.append(octets[first:start].hex(" "), "dim")
    if span:
        text.append(" " if start > first else "")
        text.append(f"[{octets[start:stop].hex(' ')}]", "bold red reverse")
        text.append(" " if last > stop else "")
        text.append(octets[stop:last].hex(" "), "dim")
    text.append(f" ... of {len(octets)} octets" if last < len(octets) else "")
    return text
