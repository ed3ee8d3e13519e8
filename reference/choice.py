"""Routes to follow a reading of the ambiguity register, as members of enumerations."""

from enum import Enum

from mqconform.reference.allowed import Reading, Standing


class Choice(Enum):
    """Base: the ways among which an implementation chooses at one ambiguous place.

    A member is declared as (register entry, reading, standing) and, where several ways follow one reading, what tells
    them apart.
    """

    reading: Reading
    how: str

    def __init__(self, register: str, reading: str, standing: Standing, how: str = "") -> None:
        self.reading = Reading(register, reading, standing)
        self.how = how

    __hash__ = object.__hash__  # a member is equal to itself alone; the explainer keeps sets of members

    def __str__(self) -> str:
        """Return ``SD-41/replies-kept (in place)``."""
        return f"{self.reading} ({self.how})" if self.how else f"{self.reading}"
