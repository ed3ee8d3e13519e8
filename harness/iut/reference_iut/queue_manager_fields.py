"""Fields of the protocol for queue managers as the model has them, and its answers as the protocol has them."""

from typing import Final, cast
from uuid import NAMESPACE_OID, uuid5

from mqconform.harness.iut.interface import Json
from mqconform.reference.mqso.directory_contact import DOMAIN, Contact, Roles, contact_before, contact_in
from mqconform.reference.mqso.elements import SECOND, Handle, MachineName, Properties, Seal, TransactionId, User
from mqconform.reference.mqso.events import Answer, Failed
from mqconform.reference.mqso.world import World

FAILED: Final[Json] = {"failed": {}}


def done_or_failed(answer: Answer) -> Json:
    """Return the result of an operation that has nothing to say but whether it failed."""
    return FAILED if isinstance(answer, Failed) else {}


def nanoseconds_of(seconds: object) -> int | None:
    """Return seconds as nanoseconds, None where there are none."""
    return round(float(seconds) * SECOND) if isinstance(seconds, int | float) else None


def transaction_of(named: object) -> TransactionId | None:
    """Return the transaction that a call names, None without one."""
    return None if named is None else cast("TransactionId", named)


def properties_of(fields: Json) -> Properties:
    """Return the properties that a queue is created with."""
    return Properties(
        transactional=fields.get("transactional", False),
        room=fields.get("room"),
        in_kilobytes=fields.get("room_unit") == "kilobytes",
        writers=_users_of(fields.get("writers")),
        readers=_users_of(fields.get("readers")),
        authenticated_only=fields.get("authenticated_only", False),
        multicast=fields.get("multicast"),
    )


def _users_of(names: list[str] | None) -> frozenset[User] | None:
    return None if names is None else frozenset(map(User, names))


def seal_of(world: World, handle: Handle, asked: Json) -> Seal | None:
    """Return what a message carries of its sender: the user who opened the queue, unless the send says otherwise.

    Args:
        world: in Workgroup mode there are no users.
        handle: by which it is sent.
        asked: what the send says.
    """
    user = world.handles[handle].user if handle in world.handles else None
    if world.registered is None or (user is None and not asked.keys() & {"sign", "identity"}):
        return None
    identity = asked.get("identity", user)
    signed = user if asked.get("sign") else None
    return Seal(signed, None if identity is None else User(identity), altered=bool(asked.get("altered")))


def contact_of(machine: Json) -> Contact:
    """Return what a machine of ``configure`` has of the directory."""
    roles = Roles(
        machine.get("routing_server", False),
        machine.get("directory_server", False),
        machine.get("directory_server_type"),
    )
    make = contact_in if machine.get("provisioned", True) else contact_before
    return make(machine.get("domain", DOMAIN), roles)


def guid_of(identifier: tuple[MachineName, int]) -> str:
    """Return an identifier of a queue manager as text."""
    return str(uuid5(NAMESPACE_OID, "/".join(map(str, identifier))))
