"""What each page of the site says, as values for its template."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any, Final, NamedTuple

from mqconform.harness.records.finding import by_cause
from mqconform.harness.records.results import Case, Finding, Witness
from mqconform.reports.formats.case_outcome import Outcome, blamed, message, requirements
from mqconform.reports.formats.run_remarks import run_remarks
from mqconform.reports.formats.scenario_text import scenario_text
from mqconform.reports.html.drawings import PacketView, packet_view, sequence
from mqconform.reports.html.drawings import Sequence as Diagram
from mqconform.reports.html.names import natural
from mqconform.reports.html.register import entries_by_requirement, titles
from mqconform.reports.html.runs import STANDINGS, Run

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

    @property
    def is_judged(self) -> bool:
        """Whether a requirement of it was judged; the run says of those left out whether they should have been."""
        return STANDINGS.index(self.standings[0][0]) <= STANDINGS.index("verified")


class FirstFailure(NamedTuple):
    """A requirement that is violated, with the simplest witness of it, and those that fail in the same cases."""

    finding: Finding
    witness: Witness | None
    cases: tuple[str, ...]
    consequences: tuple[Finding, ...]
    is_known: bool


class Undecided(NamedTuple):
    """A reason for which cases were not decided."""

    why: str
    cases: tuple[str, ...]


class Step(NamedTuple):
    """A step of a scenario; ``deciding`` is the verdict for which the case did not pass, if given there."""

    keyword: str
    text: str
    table: tuple[tuple[str, ...], ...]
    deciding: str


class Packet(NamedTuple):
    """A datagram of a case."""

    title: str
    view: PacketView
    octets: str


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

    @property
    def worst_first(self) -> list[Witness]:
        """Its witnesses, those that failed first."""
        return sorted(self.witnesses, key=lambda witness: VERDICTS.index(witness.verdict))

    @property
    def replay(self) -> str:
        """The argument of ``mqconform replay`` for its bundle, quoted for a shell; empty where there is none."""
        bundle = self.run.bundles.get(self.case.id)
        return quote(str(bundle)) if bundle else ""


@dataclass(frozen=True, slots=True)
class RequirementPage:
    """Everything about one requirement."""

    finding: Finding
    title: str
    register: tuple[Any, ...]
    standings: tuple[tuple[Run, str, str], ...]
    """Run, standing, reason."""
    cases: tuple[str, ...]
    """Case ids, those that failed in a run first."""
    witnesses: tuple[tuple[Run, tuple[Witness, ...], int], ...]
    """Run, the witnesses shown, the number left out."""


def sections(run: Run) -> list[Section]:
    """Return the coverage of a run, section by section."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for finding in run.file.findings:
        spec = finding.id.partition("-")[0]
        counts.setdefault((spec, finding.section), Counter())[finding.standing] += 1
    ordered = sorted(counts.items(), key=lambda item: (item[0][0], natural(item[0][1])))
    return [
        Section(
            spec,
            section,
            tuple((standing, count[standing]) for standing in STANDINGS if count[standing]),
            count.total(),
        )
        for (spec, section), count in ordered
    ]


def first_failures(run: Run) -> list[FirstFailure]:
    """Return what is violated in a run with what it affects, what explains most first."""
    order = {requirement: place for place, requirement in enumerate(dict.fromkeys(w.requirement for w in _bad(run)))}
    violated = [finding for finding in run.file.findings if finding.standing in ("violated", "affected", "error")]
    violated.sort(key=lambda finding: order.get(finding.id, len(order)))
    likeliest = run.file.footer.broken if run.file.footer else ()
    failures = []
    for finding, consequences in by_cause(violated, lambda violation: violation.id, likeliest):
        bad = [
            witness
            for witness in run.witnesses_by_requirement.get(finding.id, ())
            if witness.verdict in ("fail", "error")
        ]
        cases = tuple(dict.fromkeys(witness.case for witness in bad))
        simplest = min(bad, key=lambda witness: _complexity(run, witness), default=None)
        failures.append(FirstFailure(finding, simplest, cases, tuple(consequences), finding.id in run.known))
    return failures


def _complexity(run: Run, witness: Witness) -> tuple[int, bool]:
    """Return the key by which the witness that shows a failure best is the least."""
    return len(run.cases[witness.case].timeline), witness.span is None


def undecided(run: Run) -> list[Undecided]:
    """Return why cases of a run were inconclusive, the reason of most cases first."""
    reasons: dict[str, list[str]] = {}
    for case in run.cases.values():
        if run.outcome(case.id) == "inconclusive":
            why = message(case, run.witnesses.get(case.id, ())).removeprefix("inconclusive: ")
            reasons.setdefault(why, []).append(case.id)
    return sorted((Undecided(why, tuple(ids)) for why, ids in reasons.items()), key=lambda reason: -len(reason.cases))


def _bad(run: Run) -> Iterator[Witness]:
    return (witness for witness in run.file.witnesses if witness.verdict in ("fail", "error"))


def remarks(run: Run) -> list[str]:
    """Return what a reader has to know of a run as a whole."""
    notes = [f"{remark.name}: {remark.message}" for remark in run_remarks(run.file)]
    return [*notes, *(remark.partition(": ")[2] for remark in run.file.remarks())]


def all_requirements(runs: Sequence[Run]) -> dict[str, Finding]:
    """Return every requirement that a run speaks of, in natural order."""
    findings: dict[str, Finding] = {}
    for run in runs:
        for finding in run.file.findings:
            findings.setdefault(finding.id, finding)
    return {identifier: findings[identifier] for identifier in sorted(findings, key=natural)}


def worst_first(requirements: Mapping[str, Finding], runs: Sequence[Run]) -> dict[str, Finding]:
    """Return requirements by how they stand in the run in which they stand worst."""

    def rank(requirement: str) -> int:
        standings = [run.standing(requirement) for run in runs]
        return min((STANDINGS.index(standing) for standing in standings if standing), default=len(STANDINGS))

    return {requirement: requirements[requirement] for requirement in sorted(requirements, key=rank)}


def requirement_page(finding: Finding, runs: Sequence[Run]) -> RequirementPage:
    """Return the page of a requirement."""
    named: dict[str, None] = {}
    for run in runs:
        for case in run.cases.values():
            if finding.id in case.requirements:
                named[case.id] = None
        named.update(dict.fromkeys(witness.case for witness in run.witnesses_by_requirement.get(finding.id, ())))
    return RequirementPage(
        finding=finding,
        title=titles().get(finding.id.partition("-")[0], ""),
        register=entries_by_requirement().get(finding.id, ()),
        standings=tuple(
            (run, run.standing(finding.id), _reason(run, finding.id))
            for run in sorted(runs, key=lambda run: (*STANDINGS, "").index(run.standing(finding.id)))
        ),
        cases=tuple(sorted(named, key=lambda case: _worst_outcome(case, runs))),
        witnesses=tuple(sorted((_shown_witnesses(run, finding.id) for run in runs), key=_worst)),
    )


def _reason(run: Run, requirement: str) -> str:
    finding = run.findings.get(requirement)
    return finding.reason if finding else "not part of this run"


def _shown_witnesses(run: Run, requirement: str) -> tuple[Run, tuple[Witness, ...], int]:
    witnesses = sorted(
        run.witnesses_by_requirement.get(requirement, ()),
        key=lambda witness: (VERDICTS.index(witness.verdict), *_complexity(run, witness)),
    )
    return run, tuple(witnesses[:MOST_WITNESSES]), max(0, len(witnesses) - MOST_WITNESSES)


def _worst(shown: tuple[Run, tuple[Witness, ...], int]) -> int:
    return VERDICTS.index(shown[1][0].verdict) if shown[1] else len(VERDICTS)


def _worst_outcome(case: str, runs: Sequence[Run]) -> int:
    return min(OUTCOMES.index(outcome) for run in runs if (outcome := run.outcome(case)))


def all_cases_of(runs: Sequence[Run]) -> dict[str, Case]:
    """Return every case of every run, in the order of the first run that has it."""
    return {case.id: case for run in reversed(runs) for case in run.cases.values()} if runs else {}


def case_in_runs(case: str, runs: Sequence[Run]) -> list[CaseInRun]:
    """Return a case as each run that has it saw it, those that did not pass first."""
    views = [_case_in_run(run, run.cases[case]) for run in runs if case in run.cases]
    return sorted(views, key=lambda view: OUTCOMES.index(view.outcome))


def _case_in_run(run: Run, case: Case) -> CaseInRun:
    witnesses = tuple(sorted(run.witnesses.get(case.id, ()), key=lambda witness: VERDICTS.index(witness.verdict)))
    came_to = run.outcome(case.id)
    assert came_to is not None, "the run has the case"
    why = message(case, witnesses)
    bad = blamed(case, witnesses) if came_to in ("fail", "inconclusive") else ()
    return CaseInRun(run, case, came_to, why, witnesses, bad, _packets(witnesses), sequence(witnesses))


def _packets(witnesses: tuple[Witness, ...]) -> tuple[Packet, ...]:
    """Return the datagrams of a case, each once, with the octets marked that any witness blamed."""
    spans: dict[tuple[str, bytes], list[Any]] = {}
    for witness in witnesses:
        if witness.request:
            spans.setdefault(("Request", witness.request_octets), [])
        if witness.reply:
            marked = spans.setdefault(("Reply", witness.reply_octets), [])
            if witness.span and witness.verdict in ("fail", "inconclusive"):
                marked.append(witness.span)
    ordered = sorted(spans.items(), key=lambda item: not item[1])
    return tuple(
        Packet(title, packet_view(octets, tuple(marked)), octets.hex())
        for (title, octets), marked in ordered[:MOST_PACKETS]
    )


def steps(views: Sequence[CaseInRun]) -> list[Step]:
    """Return the steps of a case: those of the feature, or else those that made assertions."""
    case = views[0].case
    deciding = {witness.step: witness.verdict for view in reversed(views) for witness in view.blamed}
    scenario = scenario_text(case)
    if scenario is None:
        named = dict.fromkeys(witness.step for view in views for witness in view.witnesses)
        return [Step(*_split(step), (), deciding.get(step, "")) for step in named]
    texts = {_split(step)[1]: verdict for step, verdict in deciding.items()}
    return [Step(_keyword(step), step["text"], _table(step), texts.get(step["text"], "")) for step in scenario.steps]


def asked(case: Case) -> str:
    """Return the question of a case, the text of its last When; empty for a scenario that is not in the package."""
    scenario = scenario_text(case)
    actions = [step["text"] for step in scenario.steps if step.get("type") == "Action"] if scenario else []
    return actions[-1] if actions else ""


def _split(step: str) -> tuple[str, str]:
    keyword, _, text = step.partition(" ")
    return keyword, text


def _keyword(step: Mapping[str, Any]) -> str:
    return {"Context": "Given", "Action": "When", "Outcome": "Then"}.get(step.get("type", ""), "*")


def _table(step: Mapping[str, Any]) -> tuple[tuple[str, ...], ...]:
    rows = step.get("argument", {}).get("dataTable", {}).get("rows", ())
    return tuple(tuple(cell["value"] for cell in row["cells"]) for row in rows)


def named_requirements(views: Sequence[CaseInRun]) -> tuple[str, ...]:
    """Return the requirements that a case bears on."""
    return tuple(dict.fromkeys(name for view in views for name in requirements(view.case, view.witnesses)))
