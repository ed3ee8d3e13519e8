"""Distinguished names as Active Directory writes them (RFC 4514), compared without regard to case."""

import re
from typing import Final, NewType, TypeAlias

DnKey = NewType("DnKey", str)
"""A distinguished name in the form in which two that mean the same object are the same text."""

Rdns: TypeAlias = tuple[tuple[str, str], ...]

_RDN: Final = re.compile(r"(?:[^\\,]|\\.)+", re.DOTALL)
_ESCAPE: Final = re.compile(r"((?:\\[0-9a-fA-F]{2})+)|\\(.)", re.DOTALL)
_DELETED: Final = "\ndel:"
_CONFLICT: Final = "\ncnf:"


def rdns(name: str) -> Rdns:
    """Return the relative names of a distinguished name, the object's own first: pairs of type and unescaped value."""
    return tuple(_rdn(part.strip()) for part in _RDN.findall(name) if part.strip())


def dn_key(name: str) -> DnKey:
    """Return what to compare a distinguished name by."""
    return _key(rdns(name))


def parent_key(name: str) -> DnKey:
    """Return the key of the object above."""
    return _key(rdns(name)[1:])


def domain_key(name: str) -> DnKey:
    """Return the key of the domain that an object is in."""
    return _key(tuple(part for part in rdns(name) if part[0] == "DC"))


def rdn_value(name: str, place: int = 0) -> str:
    """Return the value of a relative name, empty where the name is shorter; 0 is the object itself, 1 its parent."""
    parts = rdns(name)
    return parts[place][1] if place < len(parts) else ""


def root_of(name: str) -> str:
    """Return what follows ``CN=Configuration`` in a name of the configuration partition, empty if it is none."""
    match = re.search(r"(?:^|,)\s*CN=Configuration\s*,(.+)$", name, re.IGNORECASE | re.DOTALL)
    return match[1].strip() if match else ""


def is_deleted(name: str) -> bool:
    """Return whether a name is that of a deleted object, which keeps its GUID in its name."""
    return _marked(name, _DELETED)


def is_conflict(name: str) -> bool:
    """Return whether two domain controllers made an object of this name, and this one lost its name."""
    return _marked(name, _CONFLICT)


def _marked(name: str, mark: str) -> bool:
    return any(mark in value.casefold() for _, value in rdns(name))


def _rdn(part: str) -> tuple[str, str]:
    kind, _, value = part.partition("=")
    return kind.strip().upper(), _ESCAPE.sub(_unescaped, value.strip())


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:
        return bytes.fromhex(match[1].replace("\\", "")).decode("utf-8", "replace")
    return match[2]


def _key(parts: Rdns) -> DnKey:
    """Return the parts as one text; the line feed keeps a comma within a value from passing for a border."""
    return DnKey("\n,".join(f"{kind}={value.casefold()}" for kind, value in parts))
