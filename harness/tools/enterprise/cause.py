"""Why a message does not arrive: what is wrong with the objects on its way, the likeliest cause first."""

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from mqconform.harness.records.printable import one_line
from mqconform.harness.tools.enterprise.answer import Answer
from mqconform.harness.tools.enterprise.file import EnterpriseFile
from mqconform.harness.tools.enterprise.machine_names import machine_label, site_label
from mqconform.harness.tools.enterprise.routes import Ending
from mqconform.reference.directory import Directory, QueueManagerId, SiteId, check_directory

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
    known = [note for note in (*file.notes, *_checked(directory)) if not note[1].endswith(HARMLESS)]
    findings = [text for place in way for object_, text in known if object_ == place]
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
    """Yield what a check finds, each with the identifier of the object that it is about."""
    for finding in check_directory(directory):
        if place := _PLACE.match(finding.path):
            object_ = getattr(directory, place[1])[int(place[2])]
            name = getattr(object_, "name", "") or object_.identifier
            kind, key = place[1].removesuffix("s").replace("_", " "), finding.path[place.end() :]
            register = f" [{finding.register}]" if finding.register else ""
            yield object_.identifier, f"{kind} {name}: {key}{' ' if key else ''}{finding.text}{register}"
