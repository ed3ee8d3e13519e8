"""Fields of an enterprise document, read one by one; each complaint has its path and a remedy."""

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from mqconform.reference.errors import ModelError

MAX_SHOWN = 60
"""Longest excerpt of a document that an error message repeats, in characters."""

MOST_NATURAL = 2**31 - 1
"""Largest integer that is read: directories keep costs in 32 bits, and sums of such costs are exact as floats too."""

MOST_HINTS = 10
"""Problems that come with the name that was probably meant."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that keeps a document from being read."""

    path: str
    """Where, such as ``routing_links[3].cost``; empty for the document itself."""
    text: str
    """What is wrong there and what to write instead."""

    def __str__(self) -> str:
        """Return path and text."""
        return f"{self.path or 'document'}: {self.text}"


class UnreadableDocument(ModelError):
    """An enterprise document that cannot be understood; the fault is its author's.

    Attributes:
        problems: everything that is wrong, in the order of the document.
    """

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__(problems)
        self.problems = problems

    def __str__(self) -> str:
        """Name the first ten problems, one to a line."""
        more = len(self.problems) - 10
        return "\n".join([*map(str, self.problems[:10]), *([f"and {more} more"] if more > 0 else [])])


@dataclass(slots=True)
class Complaints:
    """What was found wrong so far."""

    problems: list[Problem] = field(default_factory=list)

    def add(self, path: str, text: str) -> None:
        """Record one problem."""
        self.problems.append(Problem(path, text))

    def near(self, text: str, names: Iterable[str]) -> str:
        """Return the most similar name; empty if none is close, and after many problems because the search is slow."""
        if len(self.problems) >= MOST_HINTS:
            return ""
        return next(iter(difflib.get_close_matches(text[:MAX_SHOWN], names, n=1)), "")


@dataclass(frozen=True, slots=True)
class Fields:
    """One object of a document.

    Attributes:
        path: where the object stands; empty for the document itself.
        members: its keys and values.
    """

    path: str
    members: Mapping[object, object]
    complaints: Complaints

    def at(self, key: str) -> str:
        """Return the path of one of its keys."""
        return f"{self.path}.{key}" if self.path else key

    def allow(self, keys: Collection[str]) -> None:
        """Complain about keys that are not in ``keys``."""
        for key in self.members:
            if key not in keys:
                near = self.complaints.near(str(key), keys)
                hint = f"did you mean {near}?" if near else f"known are {', '.join(keys)}"
                self.complaints.add(self.at(str(key)[:MAX_SHOWN]), f"is not a known key; {hint}")

    def text(self, key: str) -> str:
        """Return a text, empty where it is absent or no text (which is a complaint)."""
        value = self.members.get(key)
        if isinstance(value, str):
            return value
        if value is not None:
            self.complaints.add(self.at(key), f"must be text, not {value_text(value)}; put it in quotes")
        return ""

    def flag(self, key: str) -> bool:
        """Return a truth value, false where it is unset (BR-67) or none (which is a complaint)."""
        value = self.members.get(key)
        if value is None or isinstance(value, bool):
            return bool(value)
        self.complaints.add(self.at(key), f"must be true or false, not {value_text(value)}")
        return False

    def natural(self, key: str) -> int:
        """Return an integer from 0 to ``MOST_NATURAL``, 1 where it is absent or none (which is a complaint)."""
        value = self.members.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_NATURAL:
            return value
        problem = "is missing" if value is None else f"is {value_text(value)}"
        self.complaints.add(self.at(key), f"{problem}; give an integer from 1 to 999999")
        return 1

    def entries(self, key: str, *, required: bool = False) -> Iterator[tuple[str, object]]:
        """Yield path and value of each entry of a list; an absent one is empty, and a complaint if ``required``."""
        value = self.members.get(key)
        if isinstance(value, (list, tuple)):
            yield from ((f"{self.at(key)}[{place}]", entry) for place, entry in enumerate(value))
        elif value is not None or required:
            problem = "is missing" if value is None else f"is {value_text(value)}"
            self.complaints.add(self.at(key), f"{problem}; give a list, [] for none")

    def objects(self, key: str) -> Iterator["Fields"]:
        """Yield the entries of a required list that are objects; others are complaints."""
        for path, entry in self.entries(key, required=True):
            if isinstance(entry, Mapping):
                yield Fields(path, entry, self.complaints)
            else:
                self.complaints.add(path, f"must be an object with keys, not {value_text(entry)}")


def value_text(value: object) -> str:
    """Return a short form of a value for a message; containers are named by their type only."""
    if isinstance(value, (str, bool, float)) or value is None:
        text = repr(value[: MAX_SHOWN + 1] if isinstance(value, str) else value)
    elif isinstance(value, int):
        text = str(value) if value.bit_length() < 200 else f"an integer of {value.bit_length()} bits"
    else:
        text = f"a {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else text[:MAX_SHOWN] + "..."
