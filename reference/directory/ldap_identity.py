"""Objects of a directory that cannot be told apart: one identifier, one name, or the same two ends."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from mqconform.reference.directory.ldap_entries import Entries, Entry
from mqconform.reference.directory.ldap_findings import Code, Notes
from mqconform.reference.directory.ldap_names import dn_key, rdn_value
from mqconform.reference.directory.ldap_schema import ENTERPRISE, LINK, QUEUE_MANAGER, SITE


def note_identity(entries: Entries, notes: Notes) -> None:
    """Note each object that has the identifier, the name or the ends of another, and name that one too."""
    routed = [entry for kind in (ENTERPRISE, SITE, LINK, QUEUE_MANAGER) for entry in entries.of(kind)]
    for first, other in _alike(routed, lambda entry: entry.guid):
        text = f"has the identifier {other.guid} of {first.name}; the identifier does not say which of the two is meant"
        notes.fail(Code.SAME_IDENTIFIER, other.name, text)
    for kind, named in ((SITE, _site_name), (QUEUE_MANAGER, _machine_name)):
        for first, other in _alike(entries.of(kind), named):
            notes.warn(Code.SAME_NAME, other.name, f"has the name of {first.name}; ask by GUID")
    for first, other in _alike(entries.of(LINK), _ends):
        notes.warn(Code.SAME_ENDS, other.name, f"joins the sites of {first.name}")


def _alike(entries: Iterable[Entry], key: Callable[[Entry], Any]) -> list[tuple[Entry, Entry]]:
    """Return each entry whose key is that of an earlier one by name, with the first; empty keys do not count."""
    groups: defaultdict[Any, list[Entry]] = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: entry.key):
        groups[key(entry)].append(entry)
    return [(first, other) for shared, (first, *others) in groups.items() if shared for other in others]


def _site_name(site: Entry) -> str:
    return (site.text("cn") or rdn_value(site.name)).casefold()


def _machine_name(machine: Entry) -> str:
    return rdn_value(machine.name, 1).casefold()


def _ends(link: Entry) -> frozenset[object]:
    ends = [link.text(attribute) for attribute in ("mSMQSite1", "mSMQSite2")]
    return frozenset(map(dn_key, ends)) if all(ends) else frozenset()
