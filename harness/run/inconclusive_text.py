"""What a run could not decide, in words: what was not seen, in how many cases, and what the user can do about it.

Outside the profile strict a verdict is left open for one reason alone: the implementation was not seen.
"""

from collections.abc import Iterator
from shlex import quote

from rich.padding import Padding
from rich.text import Text

from mqconform.harness.iut.protocol import NOT_TRIED
from mqconform.harness.judge.mqsd_client.client_under_test import TOO_LOADED
from mqconform.harness.records.case import Case
from mqconform.harness.records.printable import quoted_lines, with_guids
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.plan import Outcome
from mqconform.harness.run.violation_text import MOST_TEXT

SHOWN = 10
"""How many kinds of undecided cases are shown."""


def cases_text(number: int, more: str = "") -> str:
    """Return ``3 more cases``."""
    return f"{number} {more}case{'' if number == 1 else 's'}"


def inconclusive_lines(outcome: Outcome) -> Iterator[Text | Padding]:
    """Yield why a run is inconclusive: nothing where it is not, or where its problem says why."""
    tolerated = outcome.expected.tolerated
    cases = [case for case in outcome.cases if case.verdict is Verdict.INCONCLUSIVE and case.id not in tolerated]
    if not cases or outcome.problem:
        return
    left_open = sum(bool(case.left_open.judgement.reading) for case in cases)
    not_tried = sum(case.reason == NOT_TRIED for case in cases)
    unseen = len(cases) - left_open - not_tried
    why = {
        "the time limit was reached": not_tried,
        "the behaviour could not be observed": unseen,
        "the specification leaves it open": left_open,
    }
    counted = [(reason, number) for reason, number in why.items() if number]
    reasons = ", ".join(reason if len(counted) == 1 else f"{reason} in {number}" for reason, number in counted)
    yield Text(f"\nINCONCLUSIVE in {cases_text(len(cases))}: {reasons}", "bold yellow")
    alike: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        witness = case.left_open
        what = witness.judgement.reading or witness.judgement.observed
        alike.setdefault(("" if case.reason else witness.requirement, what), []).append(case)
    for first, *others in list(alike.values())[:SHOWN]:
        witness = first.left_open
        reading = f" [{witness.judgement.reading}]" if witness.judgement.reading else ""
        more = f", and {cases_text(len(others), 'more ')}" if others else ""
        yield Text(f"  {witness.requirement}{reading} {first.id}{more}", "yellow")
        observed = quoted_lines(with_guids(witness.judgement.observed), "    ")
        yield Text(f"    {observed[:MOST_TEXT]}{' ...' if len(observed) > MOST_TEXT else ''}")
    if left := sum(map(len, list(alike.values())[SHOWN:])):
        yield Text(f"  and {cases_text(left, 'more ')}, for other reasons", "yellow")
    failed = any(case.verdict is Verdict.FAIL for case in outcome.cases)
    for remedy in dict.fromkeys(_remedy(case, outcome.plan.iut, failed=failed) for case in cases):
        yield Text(f"  {remedy}", "dim")


def _remedy(case: Case, iut: str, *, failed: bool) -> str:
    judgement = case.left_open.judgement
    if judgement.reading:
        return "the other profiles decide ambiguities of the specification"
    if case.reason == NOT_TRIED:
        return "give it more time, or add --resume to continue"
    if case.reason:
        return f"check that it runs and that no other host answers: mqconform smoke --iut {quote(iut)}"
    if TOO_LOADED in judgement.observed:
        return "the machine was overloaded: run it again when it is idle, or with the virtual clock"
    return "fix the failures first" if failed else "run it again: a datagram may have been lost"
