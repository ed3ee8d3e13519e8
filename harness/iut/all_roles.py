"""The reference model as an implementation under test: all roles behind one ``call``, and each mutant as such."""

from collections.abc import Callable
from typing import Any

from mqconform.harness.iut.interface import PROTOCOL_VERSION, Json
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.role import Capability, MethodNotFound, RolePart
from mqconform.harness.iut.roles import ROLES, all_mutants
from mqconform.harness.records.requirement import RoleName


class ReferenceIut:
    """All roles of the reference."""

    name = "mqconform reference"

    def __init__(self) -> None:
        self.parts = {name: self.make(name) for name in ROLES}

    def make(self, role: RoleName) -> RolePart:
        """Return what plays a role; an implementation that differs in one returns another."""
        return ROLES[role].reference()

    def call(self, method: str, params: dict[str, Any]) -> Json:
        """Perform one operation of the IUT protocol.

        Raises:
            MethodNotFound: the reference has no such operation.
        """
        match method:
            case "initialize":
                return self.description()
            case "reset" | "shutdown":
                for part in self.parts.values():
                    part.reset()
                return {}
        name, _, operation = method.partition(".")
        role = ROLES.get(name)  # type: ignore[call-overload]  # names of roles are texts
        if role is None or operation not in role.operations:
            raise MethodNotFound(method)
        answer: Json = getattr(self.parts[role.name], operation)(**params)
        return answer

    def description(self) -> Json:
        """Return what the reference says of itself."""
        offered = {capability for role in ROLES.values() for capability in role.offered}
        return {
            "protocol": PROTOCOL_VERSION,
            "name": self.name,
            "version": "1",
            "roles": [*ROLES],
            "capabilities": [capability.value for capability in Capability if capability in offered],
            "specs": {role.specification: role.revision for role in ROLES.values()},
        }


class MutantIut(ReferenceIut):
    """The reference with one role made otherwise, and no other role: the others need not be judged again."""

    def __init__(self, mutant: Mutant) -> None:
        self.name = f"mutant {mutant.name}"
        self._mutant = mutant
        super().__init__()

    def make(self, role: RoleName) -> RolePart:
        """Return the mutant in its role, the reference in all others."""
        if role is not self._mutant.role:
            return super().make(role)
        part: RolePart = self._mutant.make()
        return part

    def description(self) -> Json:
        """Return the reference's description with the one role that is changed."""
        role, offered = ROLES[self._mutant.role], self._mutant.capabilities
        return super().description() | {
            "roles": [role.name],
            "capabilities": role.offered if offered is None else [*offered],
            "specs": {role.specification: role.revision},
        }


def __getattr__(attribute: str) -> Callable[[], MutantIut]:
    """Return the factory of a mutant, its name with underscores: what ``mutant:NAME`` is resolved to."""
    mutant = all_mutants().get(attribute.replace("_", "-"))
    if mutant is None:
        raise AttributeError(f"no mutant is named {attribute.replace('_', '-')}")
    return lambda: MutantIut(mutant)
