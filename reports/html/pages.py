"""What each page of the site says, as values for its template."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from mqconform.harness.records.results import Case, Finding, Witness
from mqconform.reports.formats.case_outcome import Outcome, blamed, message, requirements
from mqconform.reports.formats.run_remarks import run_remarks
from mqconform.reports.formats.scenario_text import feature_text
from mqconform.reports.html.names import natural
from mqconform.reports.html.packet_view import PacketView, packet_view
from mqconform.reports.html.register import entries_by_requirement, titles
from mqconform.reports.html.runs import STANDINGS, Run
from mqconform.reports.html.sequence import Sequence as Diagram
from mqconform.reports.html.sequence import sequence

MOST_WITNESSES: Final = 30
"""Witnesses of one run that a requirement's page shows, those that failed first; the result file has them all."""
MOST_PACKETS: Final = 8
"""Datagrams that a case's page takes apart, those with marked octets first."""
VERDICTS: Final = ("fail", "error", "inconclusive", "pass", "none")
OUTCOMES: Final[tuple[Outcome, ...]] = (
    "fail",
    "error",
    "unjudged",
    "inconclusive",
    "pass",
    "unsupported",
    "not-applicable",
)
"""What a case can come to, in the order in which its page shows them."""


class Section(NamedTuple):
    """Requirements of one section and how they stand in one run."""

    spec: str
    section: str
    standings: tuple[tuple[str, int], ...]
    total: int


class FirstFailure(NamedTuple):
    """A requirement that is violated, with the first witness of it."""

    finding: Finding
    witness: Witness | None
    cases: tuple[str, ...]


class Step(NamedTuple):
    """A step of a scenario; ``deciding`` where the verdict was given."""

    keyword: str
    text: str
    table: tuple[tuple[str, ...], ...]
    deciding: bool


class Packet(NamedTuple):
    """A datagram of a case."""

    title: str
    view: PacketView


class CaseInRun(NamedTuple):
    """A case as one run saw it."""

    run: Run
    case: Case
    outcome: Outcome
    why: str
    witnesses: tuple[Witness, ...]
    blamed: tuple[Witness, ...]
    packets: tuple[Packet, ...]
    diagram: Diagram | None


@dataclass(frozen=True, slots=True)
class RequirementPage:
    """Everything about one requirement."""

    finding: Finding
    title: str
    register: tuple[Any, ...]
    standings: tuple[tuple[Run, str, str], ...]
    """Run, standing, reason."""
    cases: tuple[tuple[str, tuple[Outcome | None, ...]], ...]
    """Case id, and what it came to in each run."""
    witnesses: tuple[tuple[Run, tuple[Witness, ...], int], ...]
    """Run, the witnesses shown, the number left out."""


def sections(run: Run) -> list[Section]:
    """Return the coverage of a run, section by section."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for one in run.file.findings:
        spec = one.id.partition("-")[0]
        counts.setdefault((spec, one.section), Counter())[one.standing] += 1
    ordered = sorted(counts.items(), key=lambda item: (item[0][0], natural(item[0][1])))
    return [
        Section(spec, section, tuple((one, count[one]) for one in STANDINGS if count[one]), count.total())
        for (spec, section), count in ordered
    ]


def first_failures(run: Run) -> list[FirstFailure]:
    """Return what is violated in a run, in the order in which it showed."""
    order = {one: place for place, one in enumerate(dict.fromkeys(w.requirement for w in _bad(run)))}
    violated = [one for one in run.file.findings if one.standing in ("violated", "error")]
    violated.sort(key=lambda one: order.get(one.id, len(order)))
    failures = []
    for finding in violated:
        bad = [one for one in run.witnesses_by_requirement.get(finding.id, ()) if one.verdict in ("fail", "error")]
        cases = tuple(dict.fromkeys(one.case for one in bad))
        failures.append(FirstFailure(finding, bad[0] if bad else None, cases))
    return failures


def _bad(run: Run) -> Iterator[Witness]:
    return (one for one in run.file.witnesses if one.verdict in ("fail", "error"))


def remarks(run: Run) -> list[str]:
    """Return what a reader has to know of a run as a whole."""
    said = [f"{one.name}: {one.message}" for one in run_remarks(run.file)]
    return [*said, *(one.partition(": ")[2] for one in run.file.remarks())]


def all_requirements(runs: Sequence[Run]) -> dict[str, Finding]:
    """Return every requirement that a run speaks of, in natural order."""
    found: dict[str, Finding] = {}
    for run in runs:
        for one in run.file.findings:
            found.setdefault(one.id, one)
    return {one: found[one] for one in sorted(found, key=natural)}


def requirement_page(finding: Finding, runs: Sequence[Run]) -> RequirementPage:
    """Return the page of a requirement."""
    named: dict[str, None] = {}
    for run in runs:
        for case in run.cases.values():
            if finding.id in case.requirements:
                named[case.id] = None
        named.update(dict.fromkeys(one.case for one in run.witnesses_by_requirement.get(finding.id, ())))
    return RequirementPage(
        finding=finding,
        title=titles().get(finding.id.partition("-")[0], ""),
        register=entries_by_requirement().get(finding.id, ()),
        standings=tuple((run, run.standing(finding.id), _reason(run, finding.id)) for run in runs),
        cases=tuple((case, tuple(run.outcome(case) for run in runs)) for case in named),
        witnesses=tuple(_shown_witnesses(run, finding.id) for run in runs),
    )


def _reason(run: Run, requirement: str) -> str:
    finding = run.findings.get(requirement)
    return finding.reason if finding else "not part of this run"


def _shown_witnesses(run: Run, requirement: str) -> tuple[Run, tuple[Witness, ...], int]:
    found = sorted(run.witnesses_by_requirement.get(requirement, ()), key=lambda one: VERDICTS.index(one.verdict))
    return run, tuple(found[:MOST_WITNESSES]), max(0, len(found) - MOST_WITNESSES)


def all_cases_of(runs: Sequence[Run]) -> dict[str, Case]:
    """Return every case of every run, in the order of the first run that has it."""
    return {case.id: case for run in reversed(runs) for case in run.cases.values()} if runs else {}


def case_in_runs(case: str, runs: Sequence[Run]) -> list[CaseInRun]:
    """Return a case as each run that has it saw it, those that did not pass first."""
    found = [_seen(run, run.cases[case]) for run in runs if case in run.cases]
    return sorted(found, key=lambda one: OUTCOMES.index(one.outcome))


def _seen(run: Run, case: Case) -> CaseInRun:
    witnesses = run.witnesses.get(case.id, ())
    came_to = run.outcome(case.id)
    assert came_to is not None, "the run has the case"
    why = message(case, witnesses)
    bad = blamed(case, witnesses) if came_to in ("fail", "inconclusive") else ()
    return CaseInRun(run, case, came_to, why, witnesses, bad, _packets(witnesses), sequence(witnesses))


def _packets(witnesses: tuple[Witness, ...]) -> tuple[Packet, ...]:
    """Return the datagrams of a case, each once, with the octets marked that any witness blamed."""
    spans: dict[tuple[str, bytes], list[Any]] = {}
    for one in witnesses:
        if one.request:
            spans.setdefault(("Request", one.request_octets), [])
        if one.reply:
            held = spans.setdefault(("Reply", one.reply_octets), [])
            if one.span and one.verdict in ("fail", "inconclusive"):
                held.append(one.span)
    ordered = sorted(spans.items(), key=lambda item: not item[1])
    return tuple(Packet(title, packet_view(octets, tuple(held))) for (title, octets), held in ordered[:MOST_PACKETS])


def steps(seen: Sequence[CaseInRun]) -> list[Step]:
    """Return the steps of a case: those of the feature, or else those that made assertions."""
    case = seen[0].case
    deciding = {witness.step for one in seen for witness in one.blamed}
    known = feature_text(case.feature)
    pickle = known.pickle_of(case) if known else None
    if pickle is None:
        named = dict.fromkeys(witness.step for one in seen for witness in one.witnesses)
        return [Step(*_split(one), (), one in deciding) for one in named]
    texts = {_split(one)[1] for one in deciding}
    return [Step(_keyword(step), step["text"], _table(step), step["text"] in texts) for step in pickle["steps"]]


def _split(step: str) -> tuple[str, str]:
    keyword, _, text = step.partition(" ")
    return keyword, text


def _keyword(step: Mapping[str, Any]) -> str:
    return {"Context": "Given", "Action": "When", "Outcome": "Then"}.get(step.get("type", ""), "*")


def _table(step: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    rows = step.get("argument", {}).get("dataTable", {}).get("rows", ())
    return tuple(tuple(cell["value"] for cell in row["cells"]) for row in rows)


def named_requirements(seen: Sequence[CaseInRun]) -> tuple[str, ...]:
    """Return the requirements that a case bears on."""
    return tuple(dict.fromkeys(name for one in seen for name in requirements(one.case, one.witnesses)))
