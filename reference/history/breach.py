"""What a check of a history may find, and which requirements say so."""

from mqconform.reference.mqso.immutable import Value


class Breach(Value, frozen=True):
    """A rule that a history breaks.

    Attributes:
        says: what is wrong, in one sentence.
        requirements: ids of the requirements that say so, the plainest first.
        places: what in the history shows it, by number; the last is where it shows.
    """

    says: str
    requirements: tuple[str, ...]
    places: tuple[int, ...]


def breach(says: str, places: tuple[int, ...], requirements: str) -> Breach:
    """Return a breach of MS-MQSO; requirements are sections and numbers, separated by blanks."""
    return Breach(says, tuple(f"MQSO-{number}" for number in requirements.split()), tuple(sorted(set(places))))
