"""Queue managers and sites as people name them: by name in either case, or by GUID."""

import difflib
from collections.abc import Iterable

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.reference.directory import Directory, QueueManager, QueueManagerId, Site, SiteId
from mqconform.reference.directory.names import is_guid

MAX_SHOWN = 60
"""Longest name that a message repeats, in characters."""


class UnknownMachine(ConfigurationError):
    """A name stands for no queue manager, or for several; exit code 4."""


def uniquely_named(enterprise: str) -> Directory:
    """Return an enterprise whose machines have names of their own, as a log names them.

    Raises:
        ConfigurationError: the file cannot be read, or two machines share a name.
    """
    directory = read_enterprise(enterprise).directory
    names = [machine.name for machine in directory.queue_managers]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise ConfigurationError(
            f"--enterprise {enterprise}: queue_managers: two are called {repeated!r:.80}; give each its own name"
        )
    return directory


def find_machine(directory: Directory, named: str) -> QueueManagerId:
    """Return the queue manager with a name or GUID.

    A GUID stands for itself even where the directory has none such: the specification has an answer to that.

    Raises:
        UnknownMachine: with names that come close, or with the GUIDs of the queue managers of that name.
    """
    if is_guid(named):
        return QueueManagerId(named.lower())
    alike = [machine for machine in directory.queue_managers if machine.name.casefold() == named.casefold()]
    exact = [machine for machine in alike if machine.name == named]
    identifiers = list(dict.fromkeys(machine.identifier for machine in exact or alike)) if named else []
    if len(identifiers) == 1:
        return identifiers[0]
    excerpt = visible(named[:MAX_SHOWN])
    if identifiers:
        listed = ", ".join(identifiers[:5])
        raise UnknownMachine(f"{len(identifiers)} queue managers have the name {excerpt}; give a GUID: {listed}")
    raise UnknownMachine(f"no queue manager has the name {excerpt}; {_hint(directory, named)}")


def _hint(directory: Directory, named: str) -> str:
    """Return names that come close, or which there are."""
    names = {machine.name.casefold(): machine.name for machine in directory.queue_managers if machine.name}
    near = difflib.get_close_matches(named[:MAX_SHOWN].casefold(), names, n=3)
    if near:
        return f"did you mean {' or '.join(visible(names[name]) for name in near)}?"
    if not names:
        return "none has a name"
    some = [visible(name[:MAX_SHOWN]) for name in list(names.values())[:5]]
    return f"there are {', '.join(some)}{' and others' if len(names) > len(some) else ''}"


def machine_label(directory: Directory, machine: QueueManagerId) -> str:
    """Return what a queue manager is called, as the file has it: it is not safe to show yet."""
    queue_managers = directory.queue_managers_by_identifier.get(machine, ())
    return shared_name(queue_managers) or machine


def site_label(directory: Directory, site: SiteId) -> str:
    """Return what a site is called, as the file has it: it is not safe to show yet."""
    sites = directory.sites_by_identifier.get(site, ())
    return shared_name(sites) or site


def shared_name(objects: Iterable[Site] | Iterable[QueueManager]) -> str:
    """Return the names of the objects that share an identifier: which of them is meant cannot be told."""
    return " or ".join(dict.fromkeys(member.name for member in objects if member.name))
