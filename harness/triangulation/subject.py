"""What a role has to bring to be triangulated: inputs, a way to play them, and a way to make them smaller."""

from collections.abc import Iterator
from typing import Protocol, TypeVar

from hypothesis import strategies as st

from mqconform.harness.iut import Iut, Json
from mqconform.harness.triangulation.answer import Answer

I = TypeVar("I")  # noqa: E741 - an input


class Subject(Protocol[I]):
    """One role of the IUT protocol with the inputs that are put to it."""

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
