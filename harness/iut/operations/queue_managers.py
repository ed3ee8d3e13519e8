"""Operations of the IUT protocol for queue managers, and the events of the model that they are.

An event says which operation it is, and by which names its fields go there (``reference.mqso.events``); which
parameters the operation has is in the published schema.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, get_args

from msgspec.structs import fields

from mqconform.harness.iut.interface import Json, Unsupported
from mqconform.harness.iut.protocol import SCHEMA
from mqconform.harness.records.schema_text import published
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.events import Answer, Committed, Counted, Done, Event, Failed, Shown
from mqconform.reference.mqso.networked_queue_manager import far

Translate = Mapping[str, Callable[[Any], Any]]
"""Parameter -> what turns a field of the model into it, or it into the field."""
OPERATIONS: Final[Mapping[str, tuple[type[Event], Mapping[str, object]]]] = {
    tag: (event, {}) for event in get_args(Event) if isinstance(tag := event.__struct_config__.tag, str)
} | {**events.VARIANTS}
"""Each operation that is an event, with that event and the fields that it implies."""
_STORE: Final[Mapping[str | None, Event]] = {
    "full": events.StoreBecomes(full=True),
    "inconsistent": events.StoreBreaks(beyond_repair=False),
    "beyond-repair": events.StoreBreaks(beyond_repair=True),
    None: events.StoreMended(),
}


def seconds_of(nanoseconds: int) -> float:
    """Return a time as the protocol has it, a whole number where it is one."""
    return nanoseconds / elements.SECOND if nanoseconds % elements.SECOND else nanoseconds // elements.SECOND


def nanoseconds_of(seconds: float) -> int:
    """Return a time as the model has it."""
    return round(seconds * elements.SECOND)


def said_of_queue(properties: elements.Properties) -> Json:
    """Return what a creation says of a queue."""
    fields: Json = {"transactional": properties.transactional}
    if properties.room is not None:
        fields |= {"room": properties.room, "room_unit": "kilobytes" if properties.in_kilobytes else "messages"}
    fields |= {"writers": sorted(properties.writers)} if properties.writers is not None else {}
    fields |= {"readers": sorted(properties.readers)} if properties.readers is not None else {}
    fields |= {"authenticated_only": True} if properties.authenticated_only else {}
    return fields | ({"multicast": properties.multicast} if properties.multicast else {})


def properties_of(said: Json) -> elements.Properties:
    """Return the properties that a queue is created with."""
    names = ("transactional", "room", "authenticated_only", "multicast")
    taken: Json = {name: said[name] for name in names if name in said}
    taken |= {name: frozenset(map(elements.User, said[name])) for name in ("writers", "readers") if name in said}
    return elements.Properties(**taken, in_kilobytes=said.get("room_unit") == "kilobytes")


_ENCODED: Final[Translate] = {
    "properties": said_of_queue,
    "room": lambda room: {"room": room},
    "by": seconds_of,
    "wait": seconds_of,
    "machines": sorted,
}
"""Field -> how the protocol has it."""
_DECODED: Final[Translate] = {
    "properties": properties_of,
    "room": lambda said: said.get("room"),
    "by": nanoseconds_of,
    "wait": nanoseconds_of,
    "machines": frozenset,
    "access": elements.Access,
    "kind": elements.Kind,
    "move": events.Move,
}
"""Field -> how the model has it."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What an operation is to the model, and which of its parameters are fields there.

    Attributes:
        fixed: the fields that the operation implies.
        parameters: each with whether it is required.
        fields: each field that is a parameter, with the name of that and the field's default.
        new: the field that names what the operation makes, empty where it makes nothing that has a name.
    """

    event: type[Event]
    fixed: Mapping[str, object]
    parameters: Mapping[str, bool]
    fields: Mapping[str, tuple[str, object]]
    new: str


@cache
def shape_of(name: str) -> Shape:
    """Return the shape of an operation."""
    event, fixed = OPERATIONS[name]
    schema = published(SCHEMA)["$defs"][f"queue_manager.{name}.params"]
    parameters = {parameter: parameter in schema.get("required", ()) for parameter in schema.get("properties", {})}
    named = {field.name: (field.encode_name, field.default) for field in fields(event) if field.name not in fixed}
    shown = {name: parameter for name, parameter in named.items() if parameter[0] in parameters}
    names = (elements.Handle, elements.Operation, elements.CursorId, elements.TransactionId)
    new = next((field.name for field in fields(event) if field.type in names and field.name not in shown), "")
    return Shape(event, fixed, parameters, shown, new)


def name_of(event: Event) -> str:
    """Return the operation that an event is."""
    variants = [
        (len(fixed), name)
        for name, (kind, fixed) in events.VARIANTS.items()
        if kind is type(event) and all(getattr(event, field) == value for field, value in fixed.items())
    ]
    return max(variants, default=(0, str(event.__struct_config__.tag)))[1]


def call_of(event: Event, translate: Translate, machine: str, on: str = "") -> tuple[str, Json]:
    """Return the operation that an event is, and its parameters.

    Args:
        event: something that one call makes happen.
        translate: what an implementation calls otherwise than the model.
        machine: that is called.
        on: the machine whose queue it is about, empty where it is the same.
    """
    name = name_of(event)
    shape = shape_of(name)
    params: Json = {"machine": machine} if shape.parameters.get("machine") else {}
    params |= {"on": on} if on else {}
    if name == "fail_store":
        faults = (how for how, fault in _STORE.items() if fault == event)
        return name, params | {"how": next(faults, None)}  # what ends a full store is what mends a broken one
    for field, (parameter, default) in shape.fields.items():
        value = getattr(event, field)
        if shape.parameters[parameter] or value != default:
            encode = translate.get(parameter) or _ENCODED.get(field)
            params[parameter] = encode(value) if encode else value.value if isinstance(value, Enum) else value
    return name, params


def event_of(name: str, params: Json, translate: Translate, new: Callable[[], int]) -> Event:
    """Return the event that a call is.

    Args:
        name: of the operation.
        params: its parameters, as the schema has them.
        translate: what the model calls otherwise than its caller.
        new: makes the name of what the operation makes.
    """
    if name == "fail_store":
        return _STORE[params["how"]]
    shape = shape_of(name)
    values: dict[str, Any] = dict(shape.fixed)
    if shape.new:
        values[shape.new] = new()
    for field, (parameter, _) in shape.fields.items():
        if parameter in params:
            decode = translate.get(parameter) or _DECODED.get(field)
            values[field] = decode(params[parameter]) if decode else params[parameter]
    return shape.event(**values)


def answer_of(event: Event, result: Json) -> Answer:  # noqa: PLR0911 - a table of answers
    """Return what a result says, where it hands out no message.

    Raises:
        Unsupported: it lacks what was asked for.
    """
    match event:
        case events.Circumstance():
            return Done()
        case events.Start():
            return Done() if result["started"] else Failed()
        case events.ShowState():
            if "state" not in result:
                raise Unsupported("queue_manager.state: does not show the state")
            return Shown(elements.State(result["state"]), result.get("mode"))
        case events.End() if "committed" in result:
            return Committed(result["committed"])
        case _ if "failed" in result:
            return Failed()
        case events.Count():
            if "messages" not in result:
                raise Unsupported("queue_manager.queue_properties: lacks the number of messages")
            return Counted(result["messages"])
        case events.CountOutgoing():
            return events.Outgoing(_waiting(result["queues"]))
        case _:
            return Done()


def _waiting(queues: list[Json]) -> frozenset[tuple[elements.QueueName, int]]:
    """Return how many messages wait for each queue; an address that is not direct is that of another one."""
    waiting = Counter[elements.QueueName]()
    for queue in queues:
        direct = queue["address"].get("direct") or {"machine": "another", "queue": "another"}
        waiting[far(direct["machine"], direct["queue"])] += queue["messages"]
    return frozenset((+waiting).items())
