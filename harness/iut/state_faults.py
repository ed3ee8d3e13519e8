"""The reference with one small fault in what it remembers: in one field of its model's state, or in one operation.

Faults are generated: for each field of the values that a role keeps between two operations, those that programmers
make in state machines. They belong to the ``small_faults`` and are measured with them.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import Any, Final, get_args, get_origin, get_type_hints

from msgspec import NODEFAULT, Struct
from msgspec.structs import replace as struct_replace

from mqconform.harness.iut.role import RolePart
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.receiver import IncomingStream
from mqconform.reference.eod.sender import OutgoingStream
from mqconform.reference.eod.transaction import Network
from mqconform.reference.mqbr.router import ReferenceRouter
from mqconform.reference.mqsd.client import ClientState
from mqconform.reference.mqsd.server import DiscoveryServer, Listener
from mqconform.reference.mqso.elements import Cursor, Entry, Opened, Properties, Queue, Reader
from mqconform.reference.mqso.immutable import FrozenMap
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.world import World

Change = Callable[[Any, Any], Any]
"""What a field holds after an operation, from what it held before and should hold now."""
KEPT: Final[Mapping[RoleName, tuple[type, ...]]] = MappingProxyType(
    {
        RoleName.ROUTER: (ReferenceRouter,),
        RoleName.DISCOVERY_SERVER: (DiscoveryServer, Listener),
        RoleName.DISCOVERY_CLIENT: (ClientState,),
        RoleName.ORDERED_RECEIVER: (IncomingStream,),
        RoleName.ORDERED_SENDER: (OutgoingStream,),
        RoleName.TRANSACTION: (Network,),
        RoleName.QUEUE_MANAGER: (System, World, Queue, Properties, Entry, Cursor, Reader, Opened),
    }
)
"""What each role remembers. Of what no one should change, such as the time, there are faults as well."""
RESTARTS: Final = frozenset({"restart", "stop", "crash", "initialize", "change_networks", "change_directory"})
FIELDS_OF_OBJECTS: Final[Mapping[type, Mapping[str, Any]]] = MappingProxyType(
    {ReferenceRouter: MappingProxyType({"view": object, "local": str, "clock": float, "table": dict[str, str]})}
)
"""Fields, with their types, of classes that do not declare them."""
LIMITS: Final = (3, 9, 40)
ASKING: Final = frozenset(
    {
        "state", "outcomes", "outgoing", "queue_properties", "find_queues", "directory_objects", "routing_table",
        "is_site_gate", "get_next_hops", "get_routing_server", "get_site_gate", "get_site_gate_for_site",
    }
)  # fmt: skip
"""Operations that only ask: done twice they come to the same, and nothing keeps them from doing anything."""


@dataclass(frozen=True, slots=True)
class StateFault:
    """One fault.

    Attributes:
        of: the class of values of which it changes one field, None where an operation is done twice.
        on: the operation after which it does; empty for all.
        unguarded: the operation is performed as if the field still held this, and leaves it as it was.
    """

    field: str = ""
    of: type | None = None
    change: Change = lambda _, now: now
    on: str = ""
    twice: bool = False
    unguarded: Any = NODEFAULT


class Faulty:
    """A role of the reference whose state is changed after its operations."""

    def __init__(self, part: RolePart, operations: frozenset[str], fault: StateFault) -> None:
        self._part, self._operations, self._fault = part, operations, fault

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._part, name)
        if name not in self._operations or self._fault.on not in {"", name}:
            return method

        def perform(**params: Any) -> Any:
            before = _content(self._part)
            if self._fault.unguarded is not NODEFAULT:
                return self._without_guard(before, method, params)
            answer = method(**params)
            if self._fault.twice:
                method(**params)
            else:
                _alter(self._part, before, self._fault)
            return answer

        return perform

    def _without_guard(self, before: Mapping[str, Any], method: Callable[..., Any], params: Mapping[str, Any]) -> Any:
        free = self._fault.unguarded
        _alter(self._part, before, replace(self._fault, change=lambda _was, _now: free))
        try:
            return method(**params)
        finally:
            _alter(self._part, before, replace(self._fault, change=lambda was, now: was if now == free else now))


def state_faults(role: RoleName) -> Iterator[tuple[str, StateFault]]:
    """Yield the faults of a role, with their names behind that of the role."""
    operations = sorted(ROLES[role].operations)
    deeds = [operation for operation in operations if operation not in ASKING]
    for operation in deeds:
        yield f"twice/{operation}", StateFault(on=operation, twice=True)
    for of in KEPT[role]:
        for field in _fields(of):
            where = f"state/{of.__name__}.{field}"
            several, kinds = _is_collection(of, field), _kinds_of_one(_types_of(of)[field])
            for kind, change in (OF_SEVERAL if several else {kind: OF_ONE[kind] for kind in kinds}).items():
                yield f"{where}/{kind}", StateFault(field, of, change)
            for operation in (name for name in operations if several and name in RESTARTS):
                yield f"{where}/one-forgotten-on-{operation}", StateFault(field, of, _without_last, operation)
        for (field, free), operation in product(_guards(of), deeds):
            yield f"unguarded/{operation}/{of.__name__}.{field}", StateFault(field, of, on=operation, unguarded=free)


def _of_several(place: int) -> Change:
    def change(was: Any, now: Any) -> Any:
        """Let the first or the last of several changes happen."""
        if not _are_collections(was, now):
            return now
        if isinstance(now, Mapping):
            changed = [key for key in {**was, **now} if was.get(key) != now.get(key)][place:][:1]
            kept = {key: value for key, value in was.items() if key not in changed}
            return _like(now, kept | _picked(now, changed))
        if isinstance(now, tuple) and len(was) == len(now):
            places = [number for number, value in enumerate(now) if value != was[number]][place:][:1]
            return tuple(now[number] if number in places else value for number, value in enumerate(was))
        added, removed = ([e for e in a if e not in b] for a, b in ((now, was), (was, now)))
        if len(added) > 1:
            return _like(now, [element for element in now if element in was or element == added[place]])
        return _like(now, [element for element in was if element != removed[place]]) if len(removed) > 1 else now

    return change


def _like(value: Any, content: Any) -> Any:
    return type(value)(content)


def _picked(mapping: Mapping[Any, Any], keys: Collection[Any]) -> dict[Any, Any]:
    return {key: mapping[key] for key in mapping if key in keys}


def _stops_at(limit: int) -> Change:
    def change(was: Any, now: Any) -> Any:
        return was if _are_collections(was, now) and len(now) > max(limit, len(was)) else now

    return change


def _without_last(was: Any, now: Any) -> Any:
    if not _are_collections(was, now) or len(now) <= 1:
        return now
    first = [*now][:-1]
    return _like(now, _picked(now, first) if isinstance(now, Mapping) else first)


OF_SEVERAL: Final[Mapping[str, Change]] = MappingProxyType(
    {
        "first-of-several": _of_several(0),
        "last-of-several": _of_several(-1),
        "never-cleared": lambda was, now: was if was and not now else now,
        **{f"stops-at-{limit}": _stops_at(limit) for limit in LIMITS},
    }
)
"""Of fields that hold several values."""
OF_ONE: Final[Mapping[str, Change]] = MappingProxyType(
    {
        "never-cleared": lambda was, now: was if was and not now else now,
        "set-once": lambda was, now: was if was and now else now,
    }
)
"""Of all other fields."""


def _types_of(of: Any) -> Mapping[str, Any]:
    return {**get_type_hints(of), **FIELDS_OF_OBJECTS.get(of, {})}


def _kinds_of_one(kind: Any) -> Iterator[str]:
    """Yield the faults that a field of a type can show: one that is never empty is never cleared."""
    if kind in {bool, int, float} or type(None) in get_args(kind):
        yield "never-cleared"
    if kind is not bool:
        yield "set-once"


def _is_collection(of: Any, field: str) -> bool:
    kind = _types_of(of)[field]
    origins = [get_origin(part) for part in (kind, *get_args(kind))]
    return any(isinstance(origin, type) and issubclass(origin, Collection) for origin in origins)


def _are_collections(*values: object) -> bool:
    return all(isinstance(value, tuple | frozenset | FrozenMap | dict) for value in values)


def _fields(of: Any) -> tuple[str, ...]:
    if issubclass(of, Struct):
        return tuple(name for name in of.__struct_fields__ if name not in {"now", "followed"})
    return tuple(FIELDS_OF_OBJECTS.get(of, ())) or tuple(field.name for field in fields(of))


def _guards(of: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields that may keep an operation from doing something, each with what it holds while it does not."""
    if of in FIELDS_OF_OBJECTS:
        return
    free = (
        dict(zip(reversed(of.__struct_fields__), reversed(of.__struct_defaults__), strict=False))
        if issubclass(of, Struct)
        else {field.name: field.default for field in fields(of)}
    )
    for name in _fields(of):
        if isinstance(free.get(name, NODEFAULT), bool | int | frozenset | None):
            yield name, free[name]


def _content(part: object) -> dict[str, Any]:
    """Return what an object holds now; values never change, dictionaries and objects with fields do."""
    return {
        name: dict(value) if isinstance(value, dict) else _content(value) if type(value) in FIELDS_OF_OBJECTS else value
        for name, value in vars(part).items()
    }


def _alter(part: object, before: Mapping[str, Any], fault: StateFault) -> None:
    for name, value in [*vars(part).items()]:
        if type(value) in FIELDS_OF_OBJECTS:
            _alter(value, before.get(name, {}), fault)
        elif type(part) is fault.of and name == fault.field:
            setattr(part, name, fault.change(before.get(name), value))
        else:
            setattr(part, name, _altered(before.get(name), value, fault))


def _altered(was: Any, now: Any, fault: StateFault) -> Any:
    """Return a value with the field of the fault changed wherever it is in it."""
    if isinstance(now, dict | FrozenMap):
        before: Mapping[Any, Any] = was if isinstance(was, Mapping) else {}
        return _like(now, {key: _altered(before.get(key), value, fault) for key, value in now.items()})
    if isinstance(now, tuple) and now and isinstance(now[0], Struct):
        first = now[0].__struct_fields__[0]
        olds = {getattr(old, first): old for old in was or () if isinstance(old, Struct)}
        return tuple(_altered(olds.get(getattr(value, first, None)), value, fault) for value in now)
    if not isinstance(now, Struct) and not (is_dataclass(now) and not isinstance(now, type)):
        return now
    names = now.__struct_fields__ if isinstance(now, Struct) else [field.name for field in fields(now)]
    changes = {}
    for name in names:
        value, old = getattr(now, name), getattr(was, name, None) if type(was) is type(now) else None
        other = _altered(old, value, fault)
        if type(now) is fault.of and name == fault.field and type(was) is type(now):
            other = fault.change(old, other)
        if other is not value and other != value:
            changes[name] = other
    if not changes:
        return now
    return struct_replace(now, **changes) if isinstance(now, Struct) else replace(now, **changes)
