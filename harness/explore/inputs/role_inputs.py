"""The roles that can be triangulated: each brings inputs, a way to play them, and a way to make them smaller."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, TypeVar

from hypothesis import strategies as st

from mqconform.harness.explore.votes import Answer
from mqconform.harness.iut.interface import Iut, Json, ServerFacts
from mqconform.harness.iut.role import Role
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.profile import Profile

I = TypeVar("I")  # noqa: E741 - an input
T = TypeVar("T")


@dataclass(slots=True)
class Inputs(ABC, Generic[I]):
    """One role of the IUT protocol with the inputs that are put to it.

    Attributes:
        profile: how strictly the reference votes.
        fixed: the configuration of servers that the harness cannot give another; other roles have none.
    """

    role: ClassVar[str]
    profile: Profile
    fixed: ServerFacts | None = None

    @abstractmethod
    def inputs(self) -> st.SearchStrategy[I]:
        """Return where inputs come from."""

    @abstractmethod
    def play(self, iut: Iut, role_input: I) -> list[Answer]:
        """Put an input to a fresh implementation, and return its answers with the reference's votes.

        Raises:
            IutProblem: it could not be asked.
        """

    @abstractmethod
    def smaller(self, role_input: I) -> Iterator[I]:
        """Yield inputs that are smaller in one respect."""

    @abstractmethod
    def size(self, role_input: I) -> int:
        """Return what "smallest" means."""

    @abstractmethod
    def record(self, role_input: I) -> Json:
        """Return an input as JSON, from which ``read`` makes it again."""

    @abstractmethod
    def read(self, record: Json) -> I:
        """Return the input of a record.

        Raises:
            KeyError, TypeError, ValueError: it is not an input of this role.
        """

    @abstractmethod
    def told(self, role_input: I) -> list[str]:
        """Return the input in words, a line for each thing."""


def with_one_less(items: tuple[T, ...], *, first_stays: bool = False) -> Iterator[tuple[T, ...]]:
    """Yield a sequence without one of its items, the last first; one item is left at least."""
    for place in reversed(range(int(first_stays), len(items) if len(items) > 1 else 0)):
        yield items[:place] + items[place + 1 :]


def with_one_plainer(items: tuple[T, ...], plainer: Callable[[T], Iterable[T]]) -> Iterator[tuple[T, ...]]:
    """Yield a sequence with a plainer item in the place of one."""
    for place, item in enumerate(items):
        for other in plainer(item):
            yield (*items[:place], other, *items[place + 1 :])


Maker = Callable[[Profile, ServerFacts | None], Inputs[Any]]


def _maker(role: Role) -> Maker:
    module, _, name = role.inputs.partition(":")

    def make(profile: Profile, facts: ServerFacts | None) -> Inputs[Any]:
        made: Maker = getattr(import_module(f"{__package__}.{module}"), name)
        return made(profile, facts)

    return make


INPUTS: Final[Mapping[str, Maker]] = MappingProxyType(
    {name.value: _maker(role) for name, role in ROLES.items() if role.inputs}
)
"""How the inputs of each role are made, given the profile and the configuration that servers cannot leave."""
