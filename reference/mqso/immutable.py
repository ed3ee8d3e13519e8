"""What the values of the model have in common: they never change, and are equal where all they hold is."""

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any, TypeVar, overload

from msgspec import Struct


class Value(Struct, frozen=True, gc=False):
    """A value; ``msgspec.structs.replace`` makes a changed one.

    Models change worlds hundreds of thousands of times, which took a dataclass of as many fields sixty times as long.
    No value is part of itself, so the search for cycles leaves them out.
    """


K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D")


class FrozenMap(Mapping[K, V]):
    """A mapping with a hash; changed ones are made from it."""

    __slots__ = ("_content", "_hash")

    def __init__(self, content: Mapping[K, V] | None = None) -> None:
        self._content = dict(content or {})
        self._hash: int | None = None

    def __getitem__(self, key: K) -> V:
        return self._content[key]

    def __contains__(self, key: object) -> bool:
        return key in self._content

    def __iter__(self) -> Iterator[K]:
        return iter(self._content)

    def __len__(self) -> int:
        return len(self._content)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, FrozenMap) and self._content == other._content)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._content.items()))
        return self._hash

    @overload
    def get(self, key: K) -> V | None: ...
    @overload
    def get(self, key: K, default: V | D) -> V | D: ...
    def get(self, key: K, default: Any = None) -> Any:
        """Return the value of a key, sooner than by the mapping's own means."""
        return self._content.get(key, default)

    def keys(self) -> KeysView[K]:
        """Return the keys, as soon."""
        return self._content.keys()

    def values(self) -> ValuesView[V]:
        """Return the values, as soon."""
        return self._content.values()

    def items(self) -> ItemsView[K, V]:
        """Return the keys with their values, as soon."""
        return self._content.items()

    def __repr__(self) -> str:
        return repr(self._content)

    def having(self, key: K, value: V) -> "FrozenMap[K, V]":
        """Return the same with one key set."""
        return FrozenMap({**self._content, key: value})

    def without(self, key: K) -> "FrozenMap[K, V]":
        """Return the same without a key, which need not be there."""
        return FrozenMap({name: value for name, value in self._content.items() if name != key})
