"""What is said of a role: everything about it that the rest of the project asks for, and where it stands.

A role has one name in each place: of the folder of its judges, ``harness/judge``, and of the module of its mutants.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from mqconform.harness.iut.interface import METHOD_NOT_FOUND, Json
from mqconform.harness.iut.protocol import methods
from mqconform.harness.iut.smoke_calls import Call
from mqconform.harness.records.requirement import RoleName


class Capability(StrEnum):
    """What can be tried of a role and need not be offered."""

    VIRTUAL_CLOCK = "virtual-clock"
    REAL_CLOCK = "real-clock"
    PROCEDURES = "procedures"
    DIRECTORY_FAULTS = "directory-faults"
    UDP = "udp"
    IPX = "ipx"
    IPX_CLIENT = "ipx-client"
    SEND_FAULTS = "send-faults"
    RESTART = "restart"
    SEQUENCES = "sequences"
    TRANSACTIONS = "transactions"
    EXTERNAL_TRANSACTIONS = "external-transactions"
    CURSORS = "cursors"
    MANAGEMENT = "management"
    STORE_FAULTS = "store-faults"
    COORDINATOR_FAULTS = "coordinator-faults"
    THROTTLING = "throttling"
    CONCURRENT = "concurrent"
    SEVERAL_MACHINES = "several-machines"
    OFFLINE = "offline"
    REMOTE_READ = "remote-read"
    SECURITY = "security"
    DIRECTORY = "directory"
    PROVISIONING = "provisioning"
    ROUTING = "routing"
    MULTICAST = "multicast"
    CONNECTOR = "connector"
    SUPPORTING_SERVER = "supporting-server"


class RolePart(Protocol):
    """An object that plays a role: it has a method for each operation, and can begin anew."""

    def reset(self) -> None:
        """Reset to the initial state."""


class MethodNotFound(Exception):
    """The reference has no such operation; adapters turn the code into "unsupported"."""

    code = METHOD_NOT_FOUND


@dataclass(frozen=True, slots=True)
class Role:
    """One role of the IUT protocol.

    Attributes:
        specification: id of its specification in the catalogue; ``revision`` is the one that the reference follows.
        folder: name of its folder in ``harness/judge`` and its module in ``harness/iut/mutants``; roles may share one.
        reference: class of the reference in this role, with a method for each operation that it offers.
        capabilities: those that say something about the role.
        unoffered: those of them that the reference does not offer.
        cheap: its cheap operations by their own names, in an order that any implementation can follow.
        inputs: ``module:callable`` in ``harness/explore/inputs`` that makes generated inputs for several
            implementations, empty where there is none.
        models: folders of ``reference`` with its model, the specification's own unless others are named.
        drivers: packages or modules that turn its answers into observations; ``.*`` is a package without those in it.
    """

    name: RoleName
    specification: str
    revision: str
    folder: str
    reference: type[RolePart]
    capabilities: tuple[Capability, ...]
    cheap: tuple[Call, ...]
    unoffered: tuple[Capability, ...] = ()
    inputs: str = ""
    models: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()

    @property
    def family(self) -> str:
        """The folder of its features, which is that of its model as well."""
        return self.specification.lower()

    @property
    def smoke_calls(self) -> tuple[Call, ...]:
        """Its cheap operations as calls of the protocol."""
        return tuple(replace(call, method=f"{self.name}.{call.method}", role=self.name) for call in self.cheap)

    @property
    def judging_packages(self) -> tuple[str, ...]:
        """The packages whose code decides what the verdicts on its scenarios are."""
        models = (f"mqconform.reference.{folder}" for folder in self.models or (self.family,))
        drivers = tuple(f"mqconform.harness.iut.drivers.{driver}" for driver in self.drivers)
        return (*models, f"mqconform.harness.judge.{self.folder}", *drivers)

    @property
    def operations(self) -> frozenset[str]:
        """The operations of the protocol that the reference offers."""
        return _offered(self.name, self.reference)

    @property
    def offered(self) -> list[str]:
        """The capabilities that the reference offers."""
        return [capability.value for capability in self.capabilities if capability not in self.unoffered]

    @property
    def step_modules(self) -> tuple[str, ...]:
        """The modules with the steps of its scenarios."""
        modules: tuple[str, ...] = import_module(f"mqconform.harness.judge.{self.folder}").STEP_MODULES
        return modules


@cache
def operations_of(role: str) -> tuple[str, ...]:
    """Return the operations of a role, in the order of the protocol's schema."""
    return tuple(method.removeprefix(f"{role}.") for method in methods() if method.startswith(f"{role}."))


@cache
def _offered(role: str, reference: type[RolePart]) -> frozenset[str]:
    return frozenset(name for name in operations_of(role) if hasattr(reference, name))


def offer(part: type[Any], operations: Iterable[str]) -> None:
    """Give a class a method for each of some operations that it does not define itself: ``perform`` with its name."""
    for name in operations:
        if name not in vars(part):
            setattr(part, name, _method(name))


def _method(name: str) -> Callable[..., Json]:
    return lambda self, **params: self.perform(name, params)
