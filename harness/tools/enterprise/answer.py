"""The answer to "where may this message go next": as JSON (``next_hops.schema.json``), as text, and why there is none.

How routes are found is in ``routes``; every name in a text is made visible.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Final, NamedTuple

from mqconform.harness.records.printable import one_line, visible
from mqconform.harness.suite.ambiguity import Register, UnknownReading
from mqconform.harness.tools.enterprise.file import EnterpriseFile
from mqconform.harness.tools.enterprise.machine_names import machine_label, shared_name, site_label
from mqconform.harness.tools.enterprise.routes import MOST_PATHS, Ending, Path, Routes
from mqconform.reference.allowed import Alternative, Standing, Step
from mqconform.reference.directory import Directory, QueueManagerId, SiteId, check_directory
from mqconform.reference.directory.document import identified
from mqconform.reference.mqbr.latitude import openings
from mqconform.reference.mqbr.next_hops import NO_HOP, NextHops

Outcome = Alternative[NextHops]


@dataclass(frozen=True)
class Answer:
    """What a queue manager may answer with for one destination, and where that leads."""

    directory: Directory
    routes: Routes

    @cached_property
    def outcomes(self) -> tuple[Outcome, ...]:
        """The allowed outcomes, those that need the least from the ambiguity register first."""
        return tuple(outcome for outcome in self.routes.decision.allowed if outcome.standing < Standing.REFUSED)

    @property
    def doubts(self) -> tuple[str, ...]:
        """Register entries because of which an outcome that is not listed proves no violation."""
        return tuple(sorted({opening.reading.register for opening in openings(self.routes.decision)}))

    @property
    def routed(self) -> bool:
        """Whether some allowed outcome has a next hop."""
        return any(outcome.outcome for outcome in self.outcomes)

    @cached_property
    def paths(self) -> tuple[Path, ...]:
        """The first paths."""
        return tuple(islice(self.routes.paths(), MOST_PATHS))

    @property
    def all_paths(self) -> bool:
        """Whether these are all paths and each was followed to its end."""
        more = next(islice(self.routes.paths(), MOST_PATHS, None), None)
        return more is None and self.routes.complete

    @property
    def cost(self) -> int | None:
        """Cost of the cheapest path that leads to the destination over routing links; None without one."""
        delivered = (path.cost for path in self.paths if path.ending is Ending.DELIVERED)
        return min((cost for cost in delivered if cost is not None), default=None)

    def record(self) -> dict[str, Any]:
        """Return the answer as JSON has it."""
        return {
            "enterprise": identified(self.directory.enterprise.identifier, self.directory.enterprise.name),
            "source": self._endpoint(self.routes.source),
            "destination": self._endpoint(self.routes.destination),
            "answer": "next-hops" if self.routed else "no-route",
            "outcomes": [self._outcome(outcome) for outcome in self.outcomes],
            "doubts": list(self.doubts),
            "cost": self.cost,
            "paths": [self._path(path) for path in self.paths],
            "all_paths": self.all_paths,
        }

    def _endpoint(self, machine: QueueManagerId) -> dict[str, Any]:
        queue_managers = self.directory.queue_managers_by_identifier.get(machine, ())
        sites = self._sites(queue_managers[0].site_identifier_list) if queue_managers else []
        return self._machine(machine) | {"known": bool(queue_managers), "sites": sites}

    def _outcome(self, outcome: Outcome) -> dict[str, Any]:
        return {
            "next_hops": [self._machine(hop) for hop in outcome.outcome],
            "standing": outcome.standing.name.lower(),
            "readings": sorted(map(str, outcome.readings)),
            "branch": _step(branch_of(outcome)),
            "derivation": [_step(step) for step in outcome.derivation],
        }

    def _path(self, path: Path) -> dict[str, Any]:
        links = (crossing.link for crossing in path.crossings)
        return {
            "queue_managers": [self._machine(queue_manager) for queue_manager in path.queue_managers],
            "sites": self._sites(path.sites),
            "routing_links": [{"id": link.identifier, "cost": link.actual_cost} for link in links if link],
            "cost": path.cost,
            "ending": path.ending.value,
        }

    def _machine(self, machine: QueueManagerId) -> dict[str, Any]:
        return identified(machine, shared_name(self.directory.queue_managers_by_identifier.get(machine, ())))

    def _sites(self, sites: Iterable[SiteId]) -> list[dict[str, Any]]:
        by_identifier = self.directory.sites_by_identifier
        return [identified(site, shared_name(by_identifier.get(site, ()))) for site in sites]


def branch_of(outcome: Outcome) -> Step:
    """Return the step that decided: the last one of GetNextHops and its helpers before a failed attempt is reported."""
    deciding = [step for step in outcome.derivation if step.procedure.startswith("GetNextHops") and step != NO_HOP]
    return deciding[-1]


def _step(step: Step) -> dict[str, Any]:
    return {
        "procedure": step.procedure,
        "section": step.section,
        "note": step.note,
        "requirements": list(step.branches),
    }


STANDINGS: Final = {
    Standing.TEXT: "by the text",
    Standing.PERMITTED: "permitted reading",
    Standing.REFUSED: "refused reading",
}

ENDINGS: Final = {
    Ending.DELIVERED: "",
    Ending.NO_ROUTE: "; there is no route from there",
    Ending.LOOP: "; the message returns to an earlier machine",
    Ending.UNEXPLORED: "; not followed further",
}

FETCHING: Final = frozenset({"GetDirectoryData", "GetQueueManager"})
"""Procedures that fetch objects: of their steps, an explanation shows those that found nothing."""


def answer_lines(answer: Answer, register: Register | None = None) -> Iterator[str]:
    """Yield the answer as lines of text.

    Args:
        answer: what is told.
        register: the ambiguity register, for a text with derivations; None for one without.
    """
    yield f"From {_endpoint(answer, answer.routes.source)} to {_endpoint(answer, answer.routes.destination)}"
    yield ""
    yield "Next hops, each answer allowed:" if answer.routed else "No route:"
    by_steps: defaultdict[tuple[Step, ...], list[Outcome]] = defaultdict(list)
    for outcome in answer.outcomes:
        steps = (step for step in outcome.derivation if step.procedure not in FETCHING or step.note.endswith("Nothing"))
        by_steps[tuple(steps)].append(outcome)
    for same_steps, outcomes in by_steps.items():
        yield from _branch_lines(answer, same_steps, outcomes, register)
    if answer.doubts:
        yield f"  Ambiguities that allow other answers too: {', '.join(answer.doubts)}."
    if answer.routed:
        yield ""
        yield from _path_lines(answer)


def _branch_lines(
    answer: Answer, steps: tuple[Step, ...], outcomes: list[Outcome], register: Register | None
) -> Iterator[str]:
    branch = branch_of(outcomes[0])
    yield f"  {branch}{_requirements(branch)}"
    for outcome in outcomes:
        hops = ", then ".join(visible(machine_label(answer.directory, hop)) for hop in outcome.outcome) or "no next hop"
        resting = ", ".join(map(str, sorted(outcome.readings)))
        yield f"    {hops}  ({STANDINGS[outcome.standing]}{f': {resting}' if resting else ''})"
    if register is not None:
        for reading in sorted({reading for outcome in outcomes for reading in outcome.readings}):
            yield f"      {reading}: {_summary(register, reading.register, reading.name)}"
        yield from (f"      {number}. {step}{_requirements(step)}" for number, step in enumerate(steps, 1))


def _requirements(step: Step) -> str:
    return f" [{' '.join(step.branches)}]" if step.branches else ""


def _summary(register: Register, entry: str, reading: str) -> str:
    try:
        return register.reading(entry, reading).summary
    except UnknownReading:
        return "a reading of the reference model only"


def _path_lines(answer: Answer) -> Iterator[str]:
    yield f"Paths, at cost {answer.cost}:" if answer.cost is not None else "Paths:"
    for path in answer.paths:
        passed = " -> ".join(
            visible(machine_label(answer.directory, queue_manager)) for queue_manager in path.queue_managers
        )
        yield f"  {passed}{ENDINGS[path.ending]}"
        names = " -> ".join(visible(site_label(answer.directory, site)) for site in path.sites) or "no site"
        cost = "a hop has no routing link, so that the path has no cost" if path.cost is None else f"cost {path.cost}"
        yield f"    sites {names}; {cost}"
    if not answer.all_paths:
        yield "  and more"


def _endpoint(answer: Answer, machine: QueueManagerId) -> str:
    label = visible(machine_label(answer.directory, machine))
    queue_managers = answer.directory.queue_managers_by_identifier.get(machine, ())
    if not queue_managers:
        return f"{label} (not in the directory)"
    own = dict.fromkeys(site for queue_manager in queue_managers for site in queue_manager.site_identifier_list)
    sites = ", ".join(visible(site_label(answer.directory, site)) for site in own)
    ambiguous = f", ambiguous: {len(queue_managers)} queue managers have the identifier {machine}"
    where = f"site {sites}" if sites else "no site"
    return f"{label} ({where}{ambiguous if len(queue_managers) > 1 else ''})"


_PLACE: Final = re.compile(r"(sites|routing_links|queue_managers)\[(\d+)\]\.?")

_CODES: Final = ("BR-28", "BR-40", "BR-41", "BR-43", "DIR-02", "DIR-03", "DIR-04", "DIR-10", "DIR-14", "DIR-19")
HARMLESS: Final = tuple(f"[{code}]" for code in _CODES)
"""End findings for which no message is lost."""


class Cause(NamedTuple):
    """Where a message stops, and why: the cause first, then what follows from it."""

    machine: str
    findings: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return the cause as JSON has it."""
        return {"machine": self.machine, "findings": [*self.findings]}

    def lines(self) -> Iterator[str]:
        """Yield the cause for a person."""
        yield f"Cause, at {one_line(self.machine)}: {one_line(self.findings[0])}"
        yield from (f"  and {one_line(finding)}" for finding in self.findings[1:5])
        yield ""


def cause_of(answer: Answer, file: EnterpriseFile) -> Cause | None:
    """Return why messages do not arrive, or at which of two machines; None where they do."""
    directory, ends = answer.directory, (answer.routes.destination, answer.routes.source)
    shared = [end for end in ends if len(directory.queue_managers_by_identifier.get(end, ())) > 1]
    lost = next((path for path in answer.paths if path.ending in {Ending.NO_ROUTE, Ending.LOOP}), None)
    if lost is None and not shared:
        return None
    stop = lost.queue_managers[-1] if lost else shared[0]
    sites = [site for machine in (ends[0], stop, ends[1]) for site in _sites(directory, machine)]
    links = directory.routing_links
    joined = [(link.identifier, {link.site1_identifier, link.site2_identifier} & {*sites}) for link in links]
    on_way, aside = ([link for link, of in joined if len(of) == number] for number in (2, 1))
    way = dict.fromkeys((*shared, *on_way, *sites, *ends, stop, *aside))
    notes = [note for note in (*file.notes, *_checked(directory)) if not note[1].endswith(HARMLESS)]
    findings = [text for place in way for object_, text in notes if object_ == place]
    if ends[0] not in directory.queue_managers_by_identifier:
        findings = [f"the directory has no queue manager {ends[0]}"]
    elif not findings:
        names = [" or ".join(site_label(directory, site) for site in _sites(directory, end)) for end in (stop, ends[0])]
        findings = [f"no chain of routing links and gates leads from site {names[0]} to site {names[1]}"]
    return Cause(machine_label(directory, stop), tuple(dict.fromkeys(findings)))


def _sites(directory: Directory, machine: QueueManagerId) -> list[SiteId]:
    queue_managers = directory.queue_managers_by_identifier.get(machine, ())
    return [site for queue_manager in queue_managers for site in queue_manager.site_identifier_list]


def _checked(directory: Directory) -> Iterator[tuple[str, str]]:
    for finding in check_directory(directory):
        if place := _PLACE.match(finding.path):
            object_ = getattr(directory, place[1])[int(place[2])]
            name = getattr(object_, "name", "") or object_.identifier
            kind, key = place[1].removesuffix("s").replace("_", " "), finding.path[place.end() :]
            register = f" [{finding.register}]" if finding.register else ""
            yield object_.identifier, f"{kind} {name}: {key}{' ' if key else ''}{finding.text}{register}"
