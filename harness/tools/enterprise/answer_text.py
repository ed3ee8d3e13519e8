"""The answer to "where may this message go next" for people; every name made visible."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from mqconform.harness.records.printable import visible
from mqconform.harness.suite.ambiguity import Register, UnknownReading
from mqconform.harness.tools.enterprise.answer import Answer, Outcome, branch_of
from mqconform.harness.tools.enterprise.machine_names import machine_label, site_label
from mqconform.harness.tools.enterprise.routes import Ending, Path
from mqconform.reference.allowed import Standing, Step
from mqconform.reference.directory import Directory, QueueManagerId

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
    for steps, outcomes in _by_steps(answer).items():
        yield from _branch_lines(answer, steps, outcomes, register)
    if answer.doubts:
        yield f"  Ambiguities that allow other answers too: {', '.join(answer.doubts)}."
    if answer.routed:
        yield ""
        yield from _path_lines(answer)


def _by_steps(answer: Answer) -> dict[tuple[Step, ...], list[Outcome]]:
    """Return the outcomes that the same steps lead to, in their order."""
    by_steps: defaultdict[tuple[Step, ...], list[Outcome]] = defaultdict(list)
    for outcome in answer.outcomes:
        steps = (step for step in outcome.derivation if step.procedure not in FETCHING or step.note.endswith("Nothing"))
        by_steps[tuple(steps)].append(outcome)
    return by_steps


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
        yield f"    {_way(answer.directory, path)}"
    if not answer.all_paths:
        yield "  and more"


def _way(directory: Directory, path: Path) -> str:
    names = " -> ".join(visible(site_label(directory, site)) for site in path.sites) or "no site"
    if path.cost is None:
        return f"sites {names}; a hop has no routing link, so that the path has no cost"
    return f"sites {names}; cost {path.cost}"


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
