"""A routing input as JSON and in words; things go by name, and a name stands for one GUID wherever it is read."""

from collections.abc import Iterator
from typing import Any

from mqconform.harness.compare.triangulate.router_inputs import RouterInput
from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.mqbr.named_enterprise import Link, Machine, NamedEnterprise


def input_record(given: RouterInput) -> Json:
    """Return an input as JSON."""
    record: Json = {
        "enterprise": _enterprise_record(given.enterprise),
        "questions": [{"from": source, "to": destination} for source, destination in given.questions],
    }
    if given.later is not None:
        record |= {"later": _enterprise_record(given.later), "wait": given.wait}
    return record


def input_from(record: Json) -> RouterInput:
    """Return the input of a record."""
    questions = tuple((str(one["from"]), str(one["to"])) for one in record["questions"])
    later = _enterprise(record["later"]) if "later" in record else None
    return RouterInput(_enterprise(record["enterprise"]), questions, later, int(record.get("wait", 0)))


def input_lines(given: RouterInput) -> list[str]:
    """Return an input in words."""
    lines = [*_enterprise_lines(given.enterprise)]
    if given.later is not None:
        lines += [f"changed, {given.wait} s before the last question, to", *_enterprise_lines(given.later)]
    return [*lines, *(f"asked: next hops from {source} to {to}" for source, to in given.questions)]


def _enterprise_record(enterprise: NamedEnterprise) -> Json:
    return {
        "sites": list(enterprise.sites),
        "gates": {site: list(names) for site, names in enterprise.gates},
        "links": [{"one": link.one, "other": link.other, "cost": link.cost} for link in enterprise.links],
        "machines": [_machine_record(machine) for machine in enterprise.machines],
    }


def _machine_record(machine: Machine) -> Json:
    lists = {"out_servers": machine.out_servers, "in_servers": machine.in_servers, "networks": machine.networks}
    record: Json = {"name": machine.name, "sites": list(machine.sites), "routing_server": machine.routing_server}
    return record | {key: list(names) for key, names in lists.items() if names}


def _enterprise(record: Json) -> NamedEnterprise:
    return NamedEnterprise(
        sites=tuple(map(str, record["sites"])),
        links=tuple(Link(str(one["one"]), str(one["other"]), int(one["cost"])) for one in record["links"]),
        machines=tuple(_machine(one) for one in record["machines"]),
        gates=tuple((str(site), tuple(map(str, names))) for site, names in record["gates"].items()),
    )


def _machine(record: dict[str, Any]) -> Machine:
    out, into, networks = (tuple(record.get(key, ())) for key in ("out_servers", "in_servers", "networks"))
    return Machine(str(record["name"]), tuple(record["sites"]), bool(record["routing_server"]), out, into, networks)


def _enterprise_lines(enterprise: NamedEnterprise) -> Iterator[str]:
    gates = dict(enterprise.gates)
    for site in enterprise.sites:
        yield f"site {site}, gates {', '.join(gates.get(site, ())) or 'none'}"
    for link in enterprise.links:
        yield f"link {link.one}-{link.other}, cost {link.cost}"
    for machine in enterprise.machines:
        kind = "routing server" if machine.routing_server else "client"
        lists = [("Out", machine.out_servers), ("In", machine.in_servers)]
        told = "".join(f", {name} list {', '.join(names)}" for name, names in lists if names)
        yield f"{kind} {machine.name} in {', '.join(machine.sites) or 'no site'}{told}"
