"""Checking an enterprise: what keeps routing from being decided, and what makes its outcome depend on readings.

``check_document`` takes a document that may not even be readable, ``check_directory`` a directory. Paths are those of
the enterprise document, such as ``routing_links[3].cost``.
"""

from collections.abc import Iterable, Iterator, Mapping

from mqconform.reference.directory.check_machines import machine_findings
from mqconform.reference.directory.check_topology import topology_findings
from mqconform.reference.directory.document import directory_from_document
from mqconform.reference.directory.elements import Directory
from mqconform.reference.directory.fields import UnreadableDocument
from mqconform.reference.directory.findings import Finding, Severity, error, warning

__all__ = ["Finding", "check_directory", "check_document"]


def check_document(document: object) -> tuple[Finding, ...]:
    """Return everything worth saying about an enterprise document, errors first.

    An unreadable one gives its problems as errors; nothing more is looked at then.
    """
    try:
        directory = directory_from_document(document)
    except UnreadableDocument as unreadable:
        return tuple(error(problem.path, problem.text) for problem in unreadable.problems)
    return _errors_first([*_empty_server_lists(document), *_all_findings(directory)])


def check_directory(directory: Directory) -> tuple[Finding, ...]:
    """Return everything worth saying about a directory, errors first; paths as in its enterprise document."""
    return _errors_first(list(_all_findings(directory)))


def _all_findings(directory: Directory) -> Iterator[Finding]:
    yield from topology_findings(directory)
    yield from machine_findings(directory)


def _empty_server_lists(document: object) -> Iterator[Finding]:
    """Yield a warning for each list of routing servers that is given and empty, which a directory cannot tell apart."""
    machines = document.get("queue_managers", ()) if isinstance(document, Mapping) else ()
    for place, machine in enumerate(machines):
        for key in ("in_routing_servers", "out_routing_servers"):
            if not machine.get(key, True):
                yield warning(f"queue_managers[{place}].{key}", "is empty, which is the same as omitting it")


def _errors_first(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR))
