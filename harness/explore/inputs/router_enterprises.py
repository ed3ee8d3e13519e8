"""Generated routing inputs: enterprises of every shape, altered where implementations tend to differ, and questions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar

import msgspec
from hypothesis import strategies as st

from mqconform.harness.explore.inputs.role_inputs import Inputs
from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.mqbr.enterprise_shapes import OCTETS, SHAPES, Choices, has_gates, smaller_enterprises
from mqconform.harness.judge.mqbr.named_enterprise import Link, NamedEnterprise
from mqconform.reference.directory import directory_from_document
from mqconform.reference.mqbr.specification import FACTS

WAITS: Final = (0, FACTS.query_timer // 2, FACTS.query_timer, 2 * FACTS.query_timer)
"""Seconds between a change of the directory and the questions that follow; the timer has 3,600."""
STRANGER: Final = "stranger"
"""Name of a queue manager that no directory holds."""
MOST_QUESTIONS: Final = 8
HIGHEST_COST: Final = 999_999
T = TypeVar("T")
Question = tuple[str, str]
"""Source and destination by name."""
Bend = Callable[[NamedEnterprise, Choices], NamedEnterprise]


@dataclass(frozen=True)
class RouterInput:
    """An enterprise and questions about it.

    Attributes:
        later: what the directory holds after it changed, None where it does not.
        wait: seconds that pass between the change and the questions after it.
    """

    enterprise: NamedEnterprise
    questions: tuple[Question, ...]
    later: NamedEnterprise | None = None
    wait: int = 0


def _input(plain: NamedEnterprise, choices: Choices) -> RouterInput:
    enterprise = BENDS[choices.below(len(BENDS))](plain, choices)
    names = [*(machine.name for machine in enterprise.machines), STRANGER]
    gates = [name for _, of_it in enterprise.gates for name in of_it] or names[:-1]
    sources = [gates, names[:-1]]  # gates alone have a routing table
    asked = dict.fromkeys(
        (_one_of(sources[place % 2], choices), _one_of(names, choices)) for place in range(MOST_QUESTIONS)
    )
    changes = choices.below(3) == 2
    later = CHANGES[choices.below(len(CHANGES))](enterprise, choices) if changes else None
    return RouterInput(enterprise, tuple(asked), later, WAITS[choices.below(len(WAITS))] if changes else 0)


def _one_of(names: list[str], choices: Choices) -> str:
    return names[choices.below(len(names))]


class EnterpriseInputs(Inputs[RouterInput]):
    """All that inputs of routers are but for how they are played."""

    role = "router"

    def inputs(self) -> st.SearchStrategy[RouterInput]:
        """Return inputs; drawn as octets, so that drawing costs little."""
        octets = st.binary(min_size=2 * OCTETS, max_size=2 * OCTETS)
        return st.tuples(st.sampled_from(sorted(SHAPES)), octets).map(
            lambda drawn: _input(SHAPES[drawn[0]](Choices(drawn[1][:OCTETS])), Choices(drawn[1][OCTETS:]))
        )

    def smaller(self, role_input: RouterInput) -> Iterator[RouterInput]:
        """Yield inputs with one thing less: questions, the change, or a part of the enterprise."""
        if len(role_input.questions) > 1:
            for question in role_input.questions:
                yield replace(role_input, questions=(question,))
        if role_input.later is not None:
            yield replace(role_input, later=None, wait=0)
            for later in smaller_enterprises(role_input.later):
                yield replace(role_input, later=later)
        needed = {name for question in role_input.questions for name in question}
        gated = has_gates(role_input.enterprise)  # which MS-MQBR 1.5 takes for granted: what does without tells less
        for enterprise in smaller_enterprises(role_input.enterprise):
            there = {machine.name for machine in enterprise.machines} | {STRANGER}
            if needed <= there and (has_gates(enterprise) or not gated):
                yield replace(role_input, enterprise=enterprise)

    def size(self, role_input: RouterInput) -> int:
        """Return the number of things in it."""
        enterprises = filter(None, (role_input.enterprise, role_input.later))
        things = sum(len(each.sites) + len(each.links) + len(each.machines) for each in enterprises)
        return things + len(role_input.questions)

    def record(self, role_input: RouterInput) -> Json:
        """Return an input as JSON; things go by name, and a name stands for one GUID wherever it is read."""
        record: Json = {
            "enterprise": _enterprise_record(role_input.enterprise),
            "questions": [{"from": source, "to": destination} for source, destination in role_input.questions],
        }
        if role_input.later is not None:
            record |= {"later": _enterprise_record(role_input.later), "wait": role_input.wait}
        return record

    def read(self, record: Json) -> RouterInput:
        questions = tuple((str(question["from"]), str(question["to"])) for question in record["questions"])
        later = _enterprise(record["later"]) if "later" in record else None
        return RouterInput(_enterprise(record["enterprise"]), questions, later, int(record.get("wait", 0)))

    def told(self, role_input: RouterInput) -> list[str]:
        lines = [*_enterprise_lines(role_input.enterprise)]
        if role_input.later is not None:
            changed = f"changed, {role_input.wait} s before the last question, to"
            lines += [changed, *_enterprise_lines(role_input.later)]
        return [*lines, *(f"asked: next hops from {source} to {to}" for source, to in role_input.questions)]


def _enterprise_record(enterprise: NamedEnterprise) -> Json:
    record: Json = msgspec.to_builtins(enterprise)
    lists = ("out_servers", "in_servers", "networks")
    machines = [
        {key: value for key, value in machine.items() if value or key not in lists} for machine in record["machines"]
    ]
    return {"sites": record["sites"], "gates": dict(enterprise.gates), "links": record["links"], "machines": machines}


def _enterprise(record: Json) -> NamedEnterprise:
    try:
        enterprise = msgspec.convert(record | {"gates": [*record["gates"].items()]}, NamedEnterprise)
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from error
    directory_from_document(enterprise.document)  # an enterprise that the reference cannot read is refused here
    return enterprise


def _enterprise_lines(enterprise: NamedEnterprise) -> Iterator[str]:
    gates = dict(enterprise.gates)
    for site in enterprise.sites:
        yield f"site {site}, gates {', '.join(gates.get(site, ())) or 'none'}"
    for link in enterprise.links:
        yield f"link {link.one}-{link.other}, cost {link.cost}"
    for machine in enterprise.machines:
        kind = "routing server" if machine.routing_server else "client"
        lists = [("Out", machine.out_servers), ("In", machine.in_servers)]
        lists_text = "".join(f", {name} list {', '.join(names)}" for name, names in lists if names)
        yield f"{kind} {machine.name} in {', '.join(machine.sites) or 'no site'}{lists_text}"


def _plain(enterprise: NamedEnterprise, _: Choices) -> NamedEnterprise:
    return enterprise


def _ties(enterprise: NamedEnterprise, choices: Choices) -> NamedEnterprise:
    """Give links costs of 1 and 2 alone, so that many paths cost the same."""
    links = (replace(link, cost=1 + choices.below(4) // 3) for link in enterprise.links)
    return replace(enterprise, links=tuple(links))


def _one_cost(enterprise: NamedEnterprise, choices: Choices, cost: int) -> NamedEnterprise:
    links = _one_changed(enterprise.links, choices, lambda link: replace(link, cost=cost))
    return replace(enterprise, links=links)


def _unreachable(enterprise: NamedEnterprise, choices: Choices) -> NamedEnterprise:
    """Take the links of a site away."""
    site = enterprise.sites[choices.below(len(enterprise.sites))]
    return replace(enterprise, links=tuple(link for link in enterprise.links if site not in (link.one, link.other)))


def _parallel(enterprise: NamedEnterprise, choices: Choices) -> NamedEnterprise:
    """Add a second link between two sites, the other way round and of another cost."""
    if not enterprise.links:
        return enterprise
    link = enterprise.links[choices.below(len(enterprise.links))]
    return replace(enterprise, links=(*enterprise.links, Link(link.other, link.one, 1 + choices.below(9))))


def _gates(
    enterprise: NamedEnterprise, choices: Choices, gates: Callable[[tuple[str, ...]], tuple[str, ...]]
) -> NamedEnterprise:
    changed = _one_changed(enterprise.gates, choices, lambda of_site: (of_site[0], gates(of_site[1])))
    return replace(enterprise, gates=changed)


def _one_changed(items: tuple[T, ...], choices: Choices, change: Callable[[T], T]) -> tuple[T, ...]:
    place = choices.below(len(items)) if items else 0
    return tuple(change(item) if at == place else item for at, item in enumerate(items))


def _foreign_gate(enterprise: NamedEnterprise, choices: Choices) -> NamedEnterprise:
    """Name the gate of a site as a gate of another one as well."""
    other = enterprise.gates[choices.below(len(enterprise.gates))][1] if enterprise.gates else ()
    return _gates(enterprise, choices, lambda mine: tuple(dict.fromkeys((*mine, *other))))


def _gate_that_does_not_route(enterprise: NamedEnterprise, choices: Choices) -> NamedEnterprise:
    """Let a gate be no routing server."""
    gates = [name for _, names in enterprise.gates for name in names] or [""]
    chosen = gates[choices.below(len(gates))]
    machines = (
        replace(machine, routing_server=machine.routing_server and machine.name != chosen)
        for machine in enterprise.machines
    )
    return replace(enterprise, machines=tuple(machines))


def _far_servers(enterprise: NamedEnterprise, choices: Choices) -> NamedEnterprise:
    """Give a queue manager Out and In servers of any site."""
    routers = [machine.name for machine in enterprise.machines if machine.routing_server]
    place, kind = choices.below(len(enterprise.machines)), choices.below(3)
    chosen = (routers[choices.below(len(routers))],) if routers else ()
    out, into = chosen if kind != 1 else (), chosen if kind != 0 else ()
    machines = (
        replace(machine, out_servers=out, in_servers=into) if at == place else machine
        for at, machine in enumerate(enterprise.machines)
    )
    return replace(enterprise, machines=tuple(machines))


BENDS: Final[tuple[Bend, ...]] = (
    _plain,
    _ties,
    _ties,
    _ties,
    _plain,
    partial(_one_cost, cost=0),
    partial(_one_cost, cost=HIGHEST_COST),
    _unreachable,
    _parallel,
    partial(_gates, gates=lambda _: ()),
    _foreign_gate,
    _gate_that_does_not_route,
    _far_servers,
    _far_servers,
)
"""What may be bent, each as often as it should turn up."""
CHANGES: Final[tuple[Bend, ...]] = (_ties, partial(_one_cost, cost=HIGHEST_COST), _unreachable, _parallel, _far_servers)
"""What a directory may become while routers run."""
