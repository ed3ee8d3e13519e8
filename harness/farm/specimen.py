"""The hand-written mutants as the farm sees them: whose role each takes, and what a run has to make of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from mqconform.harness import mutants
from mqconform.harness.iut import ConfigurationError
from mqconform.harness.mutants import eod_registry, mqbr_registry, mqsd_client_conforming
from mqconform.harness.running.selection import covers

ROLES = ("discovery_server", "discovery_client", "router", "ordered_receiver", "ordered_sender", "transaction")
_ROLE_OF_END = {one.name: one.role for one in eod_registry.ENDS}


class Kind(StrEnum):
    """What a run has to make of a mutant."""

    FAULTY = "faulty"
    """Convict it."""
    CONFORMING = "conforming"
    """Leave it alone."""
    UNDECIDED = "undecided"
    """Say that the text does not tell."""


@dataclass(frozen=True, slots=True)
class Specimen:
    """One mutant.

    Attributes:
        role: the one role that it has.
        breaks: requirements of which at least one has to be found violated; none unless it is faulty.
        also: requirements, or prefixes of ids, that the same defect violates inevitably.
    """

    name: str
    role: str
    kind: Kind
    says: str
    breaks: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The ``module:callable`` that makes it."""
        return f"{mutants.__name__}:{self.name.replace('-', '_')}"

    def explains(self, requirement: str) -> bool:
        """Tell whether the mutant is known to violate a requirement."""
        return any(covers(listed, requirement) for listed in (*self.breaks, *self.also))


def population() -> tuple[Specimen, ...]:
    """Return every mutant that ``mutant:NAME`` reaches, in the order of the registry."""
    undecided = {one.name for one in mqbr_registry.UNDECIDED} | {one.name for one in eod_registry.UNDECIDED}
    undecided |= {one.name for one in mqsd_client_conforming.UNDECIDED} | set(mutants.UNDECIDED)
    return tuple(_specimen(name, name in undecided) for name in mutants.NAMES)


def _specimen(name: str, undecided: bool) -> Specimen:  # noqa: FBT001 - what a registry says of it
    one = mutants.MUTANTS[name]
    role = "router" if name in mutants.ROUTERS else "discovery_server"
    role = "discovery_client" if name in mutants.CLIENTS else role
    role = _ROLE_OF_END.get(name, role)
    kind = Kind.FAULTY if one.breaks else Kind.CONFORMING
    return Specimen(name, role, Kind.UNDECIDED if undecided else kind, one.says, one.breaks, one.also)


def chosen(names: Sequence[str] = (), roles: Sequence[str] = (), part: str = "") -> tuple[Specimen, ...]:
    """Return the mutants of these names and roles whose name holds ``part``; whatever is left empty admits all.

    Raises:
        ConfigurationError: a name that no mutant has, or nothing is left.
    """
    everyone = population()
    unknown = sorted(set(names) - {one.name for one in everyone})
    if unknown:
        raise ConfigurationError(f"--mutant {unknown[0]}: no mutant has that name; `--iut mutant:?` lists them all")
    left = tuple(
        one
        for one in everyone
        if (not names or one.name in names) and (not roles or one.role in roles) and part in one.name
    )
    if not left:
        raise ConfigurationError("no mutant is left by --mutant, --role and -k together; leave one of them out")
    return left
