"""The roles that can be triangulated: each brings inputs, a way to play them, and a way to make them smaller."""

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeVar

from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.answer import Answer
from mqconform.harness.iut.interface import Iut, Json, ServerFacts
from mqconform.harness.iut.role import Role
from mqconform.harness.iut.roles import ROLES
from mqconform.harness.records.profile import Profile

I = TypeVar("I")  # noqa: E741 - an input


class Subject(Protocol[I]):
    """One role of the IUT protocol with the inputs that are put to it.

    Attributes:
        fixed: the configuration of servers that the harness cannot give another; other roles have none.
    """

    fixed: ServerFacts | None
    role: str

    def inputs(self) -> st.SearchStrategy[I]:
        """Return where inputs come from."""

    def play(self, iut: Iut, given: I) -> list[Answer]:
        """Put an input to a fresh implementation, and return its answers with the reference's votes.

        Raises:
            IutProblem: it could not be asked.
        """

    def smaller(self, given: I) -> Iterator[I]:
        """Yield inputs that are smaller in one respect."""

    def size(self, given: I) -> int:
        """Return what "smallest" means."""

    def record(self, given: I) -> Json:
        """Return an input as JSON, from which ``read`` makes it again."""

    def read(self, record: Json) -> I:
        """Return the input of a record.

        Raises:
            KeyError, TypeError, ValueError: it is no input of this subject.
        """

    def told(self, given: I) -> list[str]:
        """Return the input in words, a line for each thing."""


Maker = Callable[[Profile, ServerFacts | None], Subject[Any]]


def _maker(role: Role) -> Maker:
    module, _, name = role.subject.partition(":")

    def make(profile: Profile, facts: ServerFacts | None) -> Subject[Any]:
        made: Maker = getattr(import_module(f"{__package__}.{module}"), name)
        subject: Subject[Any] = made(profile, facts)
        return subject

    return make


SUBJECTS: Final[Mapping[str, Maker]] = MappingProxyType(
    {name.value: _maker(role) for name, role in ROLES.items() if role.subject}
)
"""How the subject of each role is made, given the profile and the configuration that servers cannot leave."""
