"""What the values of the model have in common: they never change, and are equal where all they hold is."""

from msgspec import Struct


class Value(Struct, frozen=True, gc=False):
    """A value; ``msgspec.structs.replace`` makes a changed one.

    Models change worlds hundreds of thousands of times, which took a dataclass of as many fields sixty times as long.
    No value is part of itself, so the search for cycles leaves them out.
    """
