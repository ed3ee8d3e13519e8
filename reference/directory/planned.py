"""A planned change of an enterprise, as a short list of steps: links, gates and queue managers by name.

Shape: ``{"changes": [{"link": [site, site], "cost": n} | {"link": [site, site], "remove": true} | {"site": site,
"gates": [queue manager]} | {"queue_manager": name, "routing_server": bool | "sites": [site] | "remove": true}]}``.
"""

from collections.abc import Mapping
from typing import Any, Final

from mqconform.reference.directory.document import directory_from_document, document_from_directory
from mqconform.reference.directory.elements import GREATEST_COST, LEAST_COST, Directory
from mqconform.reference.directory.fields import Problem, UnreadableDocument, shown

CHANGES: Final = "changes"
"""Key that tells a list of changes from an enterprise document."""

STEPS: Final[Mapping[str, tuple[str, ...]]] = {
    "link": ("cost", "remove"),
    "site": ("gates",),
    "queue_manager": ("routing_server", "sites", "remove"),
}
"""What a step is about, and what it may say of it: one thing."""


def changed_directory(directory: Directory, plan: Mapping[str, Any]) -> Directory:
    """Return the enterprise as it would be after the changes of a plan, made one after the other.

    Raises:
        UnreadableDocument: naming the step that cannot be understood, and what to write there.
    """
    steps = plan.get(CHANGES)
    if not isinstance(steps, list) or len(plan) > 1:
        raise _wrong(CHANGES, "has to be a list of steps, and the only key")
    document = document_from_directory(directory)
    for number, step in enumerate(steps):
        _apply(document, step, f"{CHANGES}[{number}]")
    return directory_from_document(document)


def _apply(document: dict[str, Any], step: object, path: str) -> None:
    about, action = _understood(step, path)
    assert isinstance(step, Mapping), "it was understood"
    match about, action:
        case "link", _:
            _change_link(document, step, action, path)
        case "site", _:
            site = _found(document["sites"], step["site"], "site", f"{path}.site")
            names = _listed(step["gates"], f"{path}.gates")
            site["site_gates"] = [_machine(document, name, f"{path}.gates")["id"] for name in names]
        case _, "remove":
            document["queue_managers"].remove(_machine(document, step[about], f"{path}.{about}"))
        case _, "sites":
            names = _listed(step["sites"], f"{path}.sites")
            sites = [_found(document["sites"], name, "site", f"{path}.sites")["id"] for name in names]
            _machine(document, step[about], f"{path}.{about}")["sites"] = sites
        case _:
            if not isinstance(step[action], bool):
                raise _wrong(f"{path}.{action}", f"has to be true or false, not {shown(step[action])}")
            _machine(document, step[about], f"{path}.{about}")[action] = step[action]


def _understood(step: object, path: str) -> tuple[str, str]:
    """Return what a step is about, and what it says of it."""
    if isinstance(step, Mapping):
        for about, keys in STEPS.items():
            actions = [key for key in step if key in keys]
            if about in step and len(actions) == 1 and len(step) == 2:
                if actions == ["remove"] and step["remove"] is not True:
                    raise _wrong(f"{path}.remove", "has to be true; leave the step out otherwise")
                return about, actions[0]
    forms = "; ".join(f"{about} with {' or '.join(keys)}" for about, keys in STEPS.items())
    raise _wrong(path, f"is no step; write {forms}")


def _change_link(document: dict[str, Any], step: Mapping[str, Any], action: str, path: str) -> None:
    """Set the cost of all links between two sites, add one where there is none, or remove them."""
    names = _listed(step["link"], f"{path}.link")
    if len(names) != 2:
        raise _wrong(f"{path}.link", f"has to name two sites, not {len(names)}")
    ends = [_found(document["sites"], name, "site", f"{path}.link")["id"] for name in names]
    between = [link for link in document["routing_links"] if {link["site1"], link["site2"]} == set(ends)]
    if action == "remove":
        if not between:
            raise _wrong(f"{path}.link", "names two sites without a link")
        document["routing_links"] = [link for link in document["routing_links"] if link not in between]
        return
    cost = step["cost"]
    if not isinstance(cost, int) or isinstance(cost, bool) or cost < 0:
        raise _wrong(f"{path}.cost", f"has to be a cost from {LEAST_COST} to {GREATEST_COST}, not {shown(cost)}")
    for link in between:
        link["cost"] = cost
    if not between:
        new = {"id": f"planned {path}", "site1": ends[0], "site2": ends[1], "cost": cost}
        document["routing_links"].append(new)


def _machine(document: dict[str, Any], name: object, path: str) -> dict[str, Any]:
    return _found(document["queue_managers"], name, "queue manager", path)


def _found(entries: list[dict[str, Any]], name: object, kind: str, path: str) -> dict[str, Any]:
    """Return the one object that goes by a name, in either case, or by a GUID."""
    called = name.casefold() if isinstance(name, str) else ""
    matches = [entry for entry in entries if called and called in {entry["id"], entry.get("name", "").casefold()}]
    if len(matches) != 1:
        raise _wrong(
            path, f"{len(matches) or 'no'} objects of kind {kind} are called {shown(name)}; write name or GUID"
        )
    return matches[0]


def _listed(value: object, path: str) -> list[object]:
    if not isinstance(value, list):
        raise _wrong(path, f"has to be a list of names, not {shown(value)}")
    return value


def _wrong(path: str, text: str) -> UnreadableDocument:
    return UnreadableDocument((Problem(path, text),))
