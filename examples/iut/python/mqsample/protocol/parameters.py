"""Reading the parameters of a request: each reader says which field is wrong."""

import math
from typing import Self, TypeVar

from mqsample import guid

JsonObject = dict[str, object]
Key = str | int
_Value = TypeVar("_Value")


class InvalidParameters(Exception):
    """A field is missing or is not what it has to be."""


class Parameters:
    """A JSON object of which nothing is known yet."""

    def __init__(self, values: object, where: str = "params") -> None:
        if not isinstance(values, dict):
            raise InvalidParameters(f"{where} has to be an object")
        self._values = values
        self._where = where

    def has(self, name: str) -> bool:
        """Whether an optional field is there."""
        return name in self._values

    def is_null(self, name: str) -> bool:
        """Whether a field is there and has no value."""
        return self.has(name) and self._values[name] is None

    def text(self, name: str) -> str:
        """A string."""
        return self._checked(name, str, "text")

    def boolean(self, name: str, *, default: bool | None = None) -> bool:
        """True or false; with a default the field is optional."""
        if default is not None and name not in self._values:
            return default
        return self._checked(name, bool, "true or false")

    def integer(self, name: str) -> int:
        """An integer of either sign."""
        value = self._checked(name, int, "an integer")
        if isinstance(value, bool):
            raise self._invalid(name, "an integer")
        return value

    def count(self, name: str) -> int:
        """An integer of zero or more."""
        value = self.integer(name)
        if value < 0:
            raise self._invalid(name, "zero or more")
        return value

    def port(self, name: str) -> int:
        """A UDP port, 0 for any."""
        value = self.count(name)
        if value > 65_535:
            raise self._invalid(name, "a UDP port")
        return value

    def microseconds(self, name: str) -> int:
        """A duration in seconds, in whole microseconds: sums of them stay exact."""
        value = self._values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
            raise self._invalid(name, "seconds, zero or more")
        return round(value * 1_000_000)

    def key(self, name: str) -> Key:
        """The name of a stream or message: text or an integer."""
        value = self._values.get(name)
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self._invalid(name, "text or an integer")
        return value

    def octets(self, name: str) -> bytes:
        """A datagram in hexadecimal digits."""
        try:
            return bytes.fromhex(self.text(name))
        except ValueError:
            raise self._invalid(name, "hexadecimal digits, two an octet") from None

    def guid(self, name: str) -> str:
        """A GUID."""
        return self._guid(name, self.text(name))

    def guids(self, name: str, *, optional: bool = False) -> tuple[str, ...]:
        """A list of GUIDs; an optional one that is missing is empty."""
        if optional and name not in self._values:
            return ()
        return tuple(self._guid(name, each) for each in self.texts(name))

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        values = self._checked(name, list, "a list")
        if not all(isinstance(each, str) for each in values):
            raise self._invalid(name, "a list of texts")
        return tuple(values)

    def object(self, name: str) -> JsonObject:
        """An object, as it came."""
        return dict(self._checked(name, dict, "an object"))

    def nested(self, name: str) -> Self:
        """An object to read."""
        return type(self)(self._values.get(name), f"{self._where}.{name}")

    def list_of(self, name: str) -> list[Self]:
        """A list of objects."""
        values = self._checked(name, list, "a list")
        return [type(self)(each, f"{self._where}.{name}[{number}]") for number, each in enumerate(values)]

    def lists_of(self, name: str) -> list[list[Self]]:
        """A list of lists of objects."""
        values = self._checked(name, list, "a list")
        return [
            type(self)({"list": each}, f"{self._where}.{name}[{number}]").list_of("list")
            for number, each in enumerate(values)
        ]

    def one_of(self, name: str, *choices: str | None) -> str | None:
        """One of these values."""
        value = self._values.get(name, ...)
        if not any(value == choice for choice in choices):
            raise self._invalid(name, f"one of {', '.join(map(str, choices))}")
        return value if isinstance(value, str) else None

    def _checked(self, name: str, kind: type[_Value], description: str) -> _Value:
        value = self._values.get(name)
        if not isinstance(value, kind):
            raise self._invalid(name, description)
        return value

    def _guid(self, name: str, text: str) -> str:
        try:
            return guid.parse(text)
        except ValueError:
            raise self._invalid(name, "a GUID, 8-4-4-4-12") from None

    def _invalid(self, name: str, description: str) -> InvalidParameters:
        return InvalidParameters(f"{self._where}.{name} has to be {description}")
