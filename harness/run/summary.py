"""The summary that a person reads in ten seconds: what was judged, what is wrong and why."""

from collections import Counter
from collections.abc import Iterator

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import WORDS, ExitCode
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.printable import visible, visible_lines
from mqconform.harness.records.results import Span
from mqconform.harness.records.scope import scope_text
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.records.witness import Witness
from mqconform.harness.run.baseline_text import baseline_lines
from mqconform.harness.run.declaration.text import declaration_lines
from mqconform.harness.run.plan import Outcome

SHOWN = 10
"""How many violated requirements are shown in full."""
REASONS = 5
"""How many reasons for cases that were not judged are named."""
MOST_OCTETS, OCTETS_AROUND = 64, 16
"""Octets of a datagram that are shown, and how many of them stand before those that a judgement is about."""

IN_PART = "CONFORMS IN WHAT WAS JUDGED"
"""Instead of the word for 0 where something was not."""


def print_summary(outcome: Outcome, console: Console) -> None:
    """Print the outcome; everything that came from an IUT is made visible first."""
    for line in summary(outcome):
        console.print(line, soft_wrap=True)


def summary(outcome: Outcome) -> Iterator[Text | Padding]:
    """Yield the lines of the summary."""
    yield _title(outcome)
    violated = [one for one in outcome.findings if one.standing is Standing.VIOLATED and not _expected(one, outcome)]
    for finding in violated[:SHOWN]:
        yield from _violation(finding, outcome.cases)
    if len(violated) > SHOWN:
        rest = ", ".join(one.requirement.id for one in violated[SHOWN:])
        yield Text(f"  and {len(violated) - SHOWN} more violated: {rest}", "red")
    yield from _beyond_selection(violated, outcome)
    yield from _undecided(outcome)
    yield from _errors(outcome.cases)
    yield from _unverified(outcome)
    yield from _excused(outcome.cases)
    yield from _readings(outcome)
    yield from baseline_lines(outcome)
    if outcome.plan.declaration:
        yield from declaration_lines(outcome.plan.declaration)
    yield from _totals(outcome)


def _title(outcome: Outcome) -> Text:
    who = outcome.description
    name = visible(" ".join(part for part in (who.vendor, who.name, who.version) if part))
    plan = outcome.plan
    return Text.assemble((name, "bold"), f" ({visible(plan.iut)}), profile {plan.profile.value}, seed {plan.seed}")


def _violation(finding: Finding, cases: list[Case]) -> Iterator[Text | Padding]:
    known = finding.requirement
    yield Text.assemble(("\nVIOLATED ", "bold red"), (known.id, "bold"), f"  section {known.section}, {known.level}")
    yield Text(f"  {known.summary}")
    failed = [one for case in cases for one in case.witnesses if _failed(one, known.id)]
    yield from _witness(failed[0])
    if len(failed) > 1:
        others = sorted({one.case for one in failed[1:]} - {failed[0].case})
        if others:
            yield Text(f"  also in {', '.join(others[:4])}{' ...' if len(others) > 4 else ''}", "dim")


def _beyond_selection(violated: list[Finding], outcome: Outcome) -> Iterator[Text]:
    wants = outcome.plan.selection.wants
    beyond = [one.requirement.id for one in violated if not wants((one.requirement.id,))]
    if not beyond:
        return
    selected = "violated as well" if len(beyond) < len(violated) else "not violated"
    yield Text(f"\nselected requirements {selected}; not selected and broken: {', '.join(beyond)}", "bold red")


def _witness(seen: Witness) -> Iterator[Text | Padding]:
    judged = seen.judgement
    yield Text(f"  case      {seen.case}", "dim")
    yield Text(f"  step      {visible(seen.step)}", "dim")
    yield _wrapped("expected", judged.expected)
    yield _wrapped("observed", judged.observed)
    if seen.traffic.request:
        yield Text(f"  request   {_marked_octets(seen.traffic.request)}", "dim")
    if seen.traffic.reply:
        span = judged.span
        where = f" ({_octets(span)}, {span.field})" if span else ""
        yield Text.assemble(("  reply     ", "dim"), _marked_octets(seen.traffic.reply, span), (where, "dim"))


def _octets(span: Span) -> str:
    if span.length == 0:
        return f"no octet at {span.offset}"
    return f"octets {span.offset} to {span.offset + span.length - 1}"


def _wrapped(label: str, text: str) -> Text:
    shown = visible_lines(text).replace("\n", "\n            ")
    return Text(f"  {label:<10}{shown[:700]}{' ...' if len(shown) > 700 else ''}")


def _undecided(outcome: Outcome) -> Iterator[Text | Padding]:
    known = outcome.expected.tolerated
    cases = [case for case in outcome.cases if case.verdict is Verdict.INCONCLUSIVE and case.id not in known]
    if not cases:
        return
    yield Text(f"\nINCONCLUSIVE in {len(cases)} cases", "bold yellow")
    seen: set[tuple[str, str]] = set()
    for case in cases:
        one = next(one for one in case.witnesses if one.judgement.verdict is Verdict.INCONCLUSIVE)
        key = (one.requirement, one.judgement.observed)
        if key in seen or len(seen) >= SHOWN:
            continue
        seen.add(key)
        reading = f" [{one.judgement.reading}]" if one.judgement.reading else ""
        yield Text(f"  {one.requirement}{reading} {case.id}: {visible(one.judgement.observed)[:300]}", "yellow")


def _errors(cases: list[Case]) -> Iterator[Text | Padding]:
    for case in cases:
        if case.error:
            yield Text(f"\nERROR in {case.id}, step {visible(case.step)}: {visible(case.error)[:400]}", "magenta")


def _unverified(outcome: Outcome) -> Iterator[Text | Padding]:
    ids = [one.requirement.id for one in outcome.findings if one.standing is Standing.UNVERIFIED]
    if ids and not outcome.problem:
        yield Text(f"\nUNVERIFIED, no assertion ran: {', '.join(ids[:20])}{' ...' if len(ids) > 20 else ''}", "yellow")


def _excused(cases: list[Case]) -> Iterator[Text | Padding]:
    reasons = Counter((case.excused, case.reason) for case in cases if case.excused)
    shown = reasons.most_common(REASONS)
    for (kind, reason), count in shown:
        yield Text(f"  {kind}: {count} cases, {visible(reason)[:200]}", "dim")
    left = sum(reasons.values()) - sum(count for _, count in shown)
    if left:
        yield Text(f"  not judged for {len(reasons) - len(shown)} other reasons: {left} cases", "dim")


def _readings(outcome: Outcome) -> Iterator[Text | Padding]:
    for line in outcome.mixed:
        yield Text(f"  mixes two readings of {visible(line)}", "yellow")
    if outcome.readings:
        yield Text(f"  readings followed where the text is open: {', '.join(outcome.readings)}", "dim")


def _totals(outcome: Outcome) -> Iterator[Text | Padding]:
    words = Counter(one.standing.value for one in outcome.findings)
    verdicts = Counter(case.excused or case.verdict.word for case in outcome.cases)
    if outcome.problem:
        yield Text(f"\n{visible_lines(outcome.problem)}", "red")
    for lost in outcome.lost[:SHOWN]:
        yield Text(f"  lost: {visible(lost)}", "yellow")
    if len(outcome.lost) > SHOWN:
        yield Text(f"  and {len(outcome.lost) - SHOWN} more lost", "yellow")
    yield Text(f"\nrequirements: {_counted(words) or 'none'}")
    yield Text(f"cases: {_counted(verdicts) or 'none'}")
    wording = WORDS[outcome.exit_code]
    word = wording.run
    left_out = scope_text(outcome.findings, outcome.plan.profile)
    if left_out:
        yield Text(f"{left_out}; nothing is known of them", "yellow")
    if left_out and outcome.exit_code == ExitCode.OK:
        word = IN_PART
    yield Text.assemble((word, wording.style), _roles(outcome), f"  results in {outcome.results}")


def _roles(outcome: Outcome) -> str:
    """Return as what it conforms, where it does not declare everything that can be judged."""
    declared = sorted(outcome.description.roles.intersection(ROLES))
    conforms = outcome.exit_code == ExitCode.OK and len(declared) < len(ROLES)
    return f" as {', '.join(declared)}" if conforms and declared else ""


def _counted(counter: Counter[str]) -> str:
    return ", ".join(f"{count} {word}" for word, count in counter.most_common())


def _expected(finding: Finding, outcome: Outcome) -> bool:
    """Tell whether a requirement is violated in cases alone whose failure was expected."""
    failing = {case.id for case in outcome.cases for one in case.witnesses if _failed(one, finding.requirement.id)}
    return bool(failing) and failing <= outcome.expected.tolerated


def _failed(seen: Witness, requirement: str) -> bool:
    return seen.requirement == requirement and seen.judgement.verdict is Verdict.FAIL


def _marked_octets(octets: bytes, span: Span | None = None) -> Text:
    """Return the octets around the span, or the first of them, in hexadecimal; the span stands out."""
    first = max(0, span.offset - OCTETS_AROUND) if span and len(octets) > MOST_OCTETS else 0
    last = min(len(octets), first + MOST_OCTETS)
    text = Text("... " if first else "")
    for at in range(first, last):
        inside = span is not None and span.offset <= at < span.offset + span.length
        text.append(f"{octets[at]:02x} ", "bold red reverse" if inside else "dim")
    if last < len(octets):
        text.append(f"... {len(octets)} octets")
    return text
