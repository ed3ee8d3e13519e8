"""The reference with one small fault at the border: in what it takes in or gives out, in one field or one operation.

Faults are generated: for each field, list, number, flag, time and key that the IUT protocol has in a role, those that
programmers make there. ``mqconform mutants small-faults`` tells which of them the suite notices.
"""

import json
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import product
from types import MappingProxyType
from typing import Any, Final, Literal

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.discovery_server import ReferenceDiscoveryServer
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.iut.role import RolePart
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.iut.state_faults import Faulty, StateFault, state_faults
from mqconform.harness.iut.what_shows import STARTING, hidden, limits_that_show, widths_that_show
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.schema_text import published
from mqconform.reference.mqsd.messages import HEADER, REPLY, REQUEST

Part = Literal["params", "result"]
Path = tuple[str, ...]
"""Names of fields; ``[]`` stands for each item of a list, ``*`` for each value of an object whose names are free."""
Change = Callable[[Any], Any]
Memory = dict[Hashable, Any]
"""What a fault remembers; the names of a directory until another is loaded, or one case would hide it from the next."""

LIMITS: Final = (1, 2, 8, 16)
PAIR: Final = 2
"""Fields of which one names and the other refers to it: to compare wrongly in either is to do so in both."""
BITS: Final = (8, 16, 32)
KEYS: Final = MappingProxyType(
    {
        "id": "machine-or-site",
        "source": "machine-or-site",
        "destination": "machine-or-site",
        "local": "machine-or-site",
        "machine": "machine-or-site",
        "site": "machine-or-site",
        "site1": "machine-or-site",
        "site2": "machine-or-site",
        "sites": "machine-or-site",
        "site_gates": "machine-or-site",
        "in_routing_servers": "machine-or-site",
        "out_routing_servers": "machine-or-site",
        "stream": "stream",
        "message": "message",
        "queue": "queue",
        "address": "network",
        "network": "network",
        "connected_networks": "network",
    }
)
"""Field -> what it names; a fault in comparing names is in all fields that name the same."""
OF_REQUEST: Final = MappingProxyType({name: REQUEST[name].place for name in ("EnterpriseID", "RequestID", "SiteID")})
OF_REPLY: Final = MappingProxyType(
    {rule.name: rule.place for rule in REPLY.fields[len(HEADER.fields) :] if not rule.count and rule.offset >= 0}
    | {"arrays": slice(REPLY.size, None)}
)
SENT_BY: Final = MappingProxyType({RoleName.DISCOVERY_SERVER: OF_REPLY, RoleName.DISCOVERY_CLIENT: OF_REQUEST})
TAKEN_BY: Final = MappingProxyType({RoleName.DISCOVERY_SERVER: OF_REQUEST, RoleName.DISCOVERY_CLIENT: OF_REPLY})


@dataclass(frozen=True, slots=True)
class SmallFault:
    """One fault.

    Attributes:
        name: ``role/place/kind``.
        changes: of parameters and results, by operation and part; each gets the fault's memory and the value.
        remembers: an operation whose answers are given again: to the same question, or after a number of calls.
        calls: after how many calls it answers as it did; 0 for the same question.
        keeps_reset: whether ``reset`` changes nothing.
        state: what it does to what the role remembers.
        over_udp: whether a discovery server has the fault over UDP alone.
    """

    name: str
    role: RoleName
    changes: Mapping[tuple[str, Part], Callable[[Memory, Json], Json]] = field(default_factory=dict)
    remembers: str = ""
    calls: int = 0
    keeps_reset: bool = False
    state: StateFault | None = None
    over_udp: bool = False


class SlightlyFaulty(ReferenceIut):
    """The reference in one role, with one fault."""

    def __init__(self, fault: SmallFault) -> None:
        self.name = f"small fault {fault.name}"
        self._fault = fault
        self._at_calls = SmallFault(fault.name, fault.role) if fault.over_udp else fault
        self._memory: Memory = {}
        self._answers: dict[str, Json] = {}
        self._called = 0
        super().__init__()

    def make(self, role: RoleName) -> RolePart:
        """Return the reference in a role, or what has the fault over UDP."""
        if self._fault.over_udp and role is RoleName.DISCOVERY_SERVER:
            return FaultyOverUdp(replace(self._fault, over_udp=False))
        if self._fault.state is not None and role is self._fault.role:
            return Faulty(super().make(role), ROLES[role].operations, self._fault.state)
        return super().make(role)

    def call(self, method: str, params: dict[str, Any]) -> Json:
        """Perform one operation of the IUT protocol."""
        if method == "reset" and self._at_calls.keeps_reset:
            return {}
        if method == "router.load_directory":
            self._memory.clear()
        if method == self._at_calls.remembers:
            return self._remembered(method, params)
        return self._performed(method, params)

    def _performed(self, method: str, params: Json) -> Json:
        taken = self._changed(method, "params", params)
        return self._changed(method, "result", super().call(method, taken))

    def _remembered(self, method: str, params: Json) -> Json:
        self._called += 1
        question = "" if self._at_calls.calls else json.dumps(params, sort_keys=True)
        if question in self._answers and self._called > self._at_calls.calls:
            return self._answers[question]
        self._answers[question] = self._performed(method, params)
        return self._answers[question]

    def _changed(self, method: str, part: Part, value: Json) -> Json:
        change = self._at_calls.changes.get((method, part))
        return change(self._memory, value) if change else value

    def description(self) -> Json:
        """Return the reference's description with the one role."""
        role = ROLES[self._fault.role]
        return super().description() | {"roles": [role.name], "specs": {role.specification: role.revision}}


class FaultyOverUdp(ReferenceDiscoveryServer):
    """A discovery server that is right where it is called, and answers over UDP as one with the fault."""

    def __init__(self, fault: SmallFault) -> None:
        super().__init__()
        self._faulty = SlightlyFaulty(fault)

    def configure(self, **params: Any) -> Json:
        """Take over a configuration, with the fault for what is asked over UDP."""
        self._faulty.call("discovery_server.configure", params)
        return super().configure(**params)

    def service(self, host: str, port: int) -> UdpService:
        """Serve a UDP port with the fault."""
        return UdpService(host, port, self._over_udp)

    def _over_udp(self, datagram: bytes) -> list[bytes]:
        answer = self._faulty.call("discovery_server.receive", {"network": "ip", "datagram": datagram.hex()})
        return [bytes.fromhex(reply) for reply in answer["replies"]]


def altered_at(path: Path, change: Change, value: Any) -> Any:
    """Return a value with what stands at a path changed."""
    if not path:
        return change(value)
    first, rest = path[0], path[1:]
    if first == "[]" and isinstance(value, list):
        return [altered_at(rest, change, element) for element in value]
    if first == "*" and isinstance(value, dict):
        return {key: altered_at(rest, change, element) for key, element in value.items()}
    if isinstance(value, dict) and first in value:
        return value | {first: altered_at(rest, change, value[first])}
    return value


@cache
def small_faults() -> Mapping[str, SmallFault]:
    """Return by name all faults that may show, in the order of roles and of the schema."""
    return MappingProxyType({fault.name: fault for fault in possible_faults() if not hidden(fault.name)})


def possible_faults() -> list[SmallFault]:
    """Return all faults, those that show nowhere as well."""
    faults = [fault for role in ROLES.values() for fault in _of_role(role.name, sorted(role.operations))]
    return [*faults, *_over_udp(faults)]


def _of_role(role: RoleName, operations: list[str]) -> Iterator[SmallFault]:
    parts: tuple[Part, ...] = ("params", "result")
    places = [
        (f"{role}.{operation}", part, path, schema)
        for operation in operations
        for part in parts
        for path, schema in _fields(_definitions()[f"{role}.{operation}.{part}"])
    ]
    for method, part, path, schema in places:
        datagrams: Mapping[str, slice] = (TAKEN_BY if part == "params" else SENT_BY).get(role, {})
        for kind, change in _changes(role, path, schema, datagrams):
            where = f"{method.partition('.')[2]}.{part}.{'.'.join(path)}"
            yield SmallFault(f"{role}/{where}/{kind}", role, {(method, part): partial(_change, path, change)})
    yield from _of_keys(role, places)
    yield from (SmallFault(f"{role}/{name}", role, state=fault) for name, fault in state_faults(role))
    for operation in operations:
        method = f"{role}.{operation}"
        yield SmallFault(f"{role}/{operation}/same-answer-to-the-same-question", role, remembers=method)
        for calls in (1, 8):
            yield SmallFault(f"{role}/{operation}/no-change-after-{calls}", role, remembers=method, calls=calls)
    if STARTING.isdisjoint(operations):
        yield SmallFault(f"{role}/reset/ignored", role, keeps_reset=True)


def _over_udp(faults: list[SmallFault]) -> Iterator[SmallFault]:
    """Yield the faults that a discovery server can have in its configuration and its datagrams, over UDP alone."""
    for fault in faults:
        place = fault.name.removeprefix(f"{RoleName.DISCOVERY_SERVER}/")
        if place != fault.name and place.startswith(("configure", "receive", "network", "machine-or-site")):
            yield replace(fault, name=f"{RoleName.DISCOVERY_SERVER}/udp/{place}", over_udp=True)


def _change(path: Path, change: Change, memory: Memory, value: Json) -> Json:
    del memory
    altered: Json = altered_at(path, change, value)
    return altered


def _of_keys(role: RoleName, places: list[tuple[str, Part, Path, Json]]) -> Iterator[SmallFault]:
    """Yield faults in comparing names, the same in all operations of a role."""
    named = [
        (place, KEYS[_last_name(place[2])]) for place in places if _last_name(place[2]) in KEYS and _is_name(place[3])
    ]
    for names in dict.fromkeys(names for _, names in named):
        for kind, key in _COMPARED_BY.items():
            changes: dict[tuple[str, Part], Callable[[Memory, Json], Json]] = {}
            for (method, part, path, _), what in named:
                if what == names and part == "params":
                    changes[method, part] = _after(changes.get((method, part)), partial(_same_as, path, key))
            if changes:
                yield SmallFault(f"{role}/{names}/{kind}", role, changes)
        yield from _of_references(role, [place for place, what in named if what == names and place[1] == "params"])


def _of_references(role: RoleName, places: list[tuple[str, Part, Path, Json]]) -> Iterator[SmallFault]:
    """Yield faults in looking up what one field names, among all names that were seen before."""
    fields = dict.fromkeys(_last_name(path) for _, _, path, _ in places)
    for field_name, kind in product(fields if len(fields) > PAIR else (), ("compared-by-prefix", "compared-by-suffix")):
        key = _COMPARED_BY[kind]
        changes: dict[tuple[str, Part], Callable[[Memory, Json], Json]] = {}
        for method, part, path, _ in places:
            changes[method, part] = _after(changes.get((method, part)), partial(_noted, path, key))
        for method, part, path, _ in places:
            if _last_name(path) == field_name:
                changes[method, part] = _after(changes[method, part], partial(_same_as, path, key))
        yield SmallFault(f"{role}/{field_name}/{kind}", role, changes)


def _noted(path: Path, key: Callable[[Memory, Any], Hashable], memory: Memory, value: Json) -> Json:
    _same_as(path, key, memory, value)
    return value


def _after(
    before: Callable[[Memory, Json], Json] | None, change: Callable[[Memory, Json], Json]
) -> Callable[[Memory, Json], Json]:
    return change if before is None else lambda memory, value: change(memory, before(memory, value))


def _same_as(path: Path, key: Callable[[Memory, Any], Hashable], memory: Memory, value: Json) -> Json:
    altered: Json = altered_at(path, lambda name: memory.setdefault(key(memory, name), name), value)
    return altered


_COMPARED_BY: Final[Mapping[str, Callable[[Memory, Any], Hashable]]] = MappingProxyType(
    {
        "compared-by-prefix": lambda _, name: name[: max(1, len(name) // 2)] if isinstance(name, str) else name,
        "compared-by-suffix": lambda _, name: name[len(name) // 2 :] if isinstance(name, str) else name,
        "compared-but-the-last": lambda _, name: name[:-1] if isinstance(name, str) and len(name) > 1 else name,
        "ninth-is-the-first": lambda memory, name: name if name in memory or len(memory) < 8 else next(iter(memory)),
    }
)


def _changes(role: RoleName, path: Path, schema: Json, datagrams: Mapping[str, slice]) -> Iterator[tuple[str, Change]]:
    kind = schema.get("type")
    match kind:
        case "array":
            yield "drop-last", lambda array: array[:-1]
            for limit in limits_that_show(_last_name(path), LIMITS):
                yield f"limit-{limit}", partial(_limited, limit)
        case "integer":
            for bits in widths_that_show(role, _last_name(path), BITS):
                yield f"wrap-{bits}", partial(_wrapped, bits)
        case "boolean":
            yield "always-true", lambda _: True
            yield "always-false", lambda _: False
        case "number":
            yield "whole-seconds", int
            yield "less-than-a-second-lost", lambda seconds: seconds if seconds >= 1 else 0
        case "string" if _last_name(path) in {"datagram", "replies"}:
            yield from _octet_changes(datagrams)


def _limited(limit: int, array: list[Any]) -> list[Any]:
    return array[:limit]


def _wrapped(bits: int, number: int) -> int:
    return number % (1 << bits)


def _octet_changes(datagrams: Mapping[str, slice]) -> Iterator[tuple[str, Change]]:
    for name, place in datagrams.items():
        yield (
            f"{name}-high-bits-lost",
            partial(_octets_at, place, lambda octets: bytes(octet & 0x7F for octet in octets)),
        )
        yield f"{name}-last-octet-lost", partial(_octets_at, place, lambda octets: octets[:-1] + b"\0" * bool(octets))
        yield f"{name}-reversed", partial(_octets_at, place, lambda octets: octets[::-1])


def _octets_at(place: slice, change: Callable[[bytes], bytes], datagram: str) -> str:
    octets = bytes.fromhex(datagram)
    start, stop, _ = place.indices(len(octets))
    return (octets[:start] + change(octets[start:stop]) + octets[stop:]).hex()


def _last_name(path: Path) -> str:
    return next((name for name in reversed(path) if name not in {"[]", "*"}), "")


def _is_name(schema: Json) -> bool:
    kinds = schema.get("type", ())
    return "string" in ([kinds] if isinstance(kinds, str) else kinds)


@cache
def _definitions() -> Json:
    definitions: Json = dict(published("iut_protocol")["$defs"])
    return definitions


def _fields(schema: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield everything below a definition with its path."""
    if reference := schema.get("$ref"):
        schema = _definitions()[reference.removeprefix("#/$defs/")]
    if path:
        yield path, schema
    for name, inner in schema.get("properties", {}).items():
        yield from _fields(inner, (*path, name))
    if isinstance(inner := schema.get("items"), dict):
        yield from _fields(inner, (*path, "[]"))
    if isinstance(inner := schema.get("additionalProperties"), dict):
        yield from _fields(inner, (*path, "*"))


def target_of(number: int) -> str:
    """Return the ``module:callable`` of the fault of that number, counted from 0."""
    return f"{__name__}:fault_{number}"


def __getattr__(attribute: str) -> Callable[[], SlightlyFaulty]:
    name, _, number = attribute.rpartition("_")
    if name != "fault" or not number.isdecimal():
        raise AttributeError(attribute)
    fault = [*small_faults().values()][int(number)]
    return lambda: SlightlyFaulty(fault)
