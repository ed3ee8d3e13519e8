"""Fingerprints, by which a later comparison distinguishes a changed text from a changed implementation.

Each is the beginning of a SHA-256, the same on every machine.
"""

from collections.abc import Iterable
from hashlib import sha256

from mqconform.harness.records.requirement import Requirement

DIGITS = 16
"""Hexadecimal digits of a fingerprint: two texts with the same one are not met by accident."""


def fingerprint(parts: Iterable[str]) -> str:
    """Return the fingerprint of some texts in their order."""
    total = sha256()
    for part in parts:
        octets = part.encode("utf-8", "surrogatepass")
        total.update(b"%d:" % len(octets) + octets)
    return total.hexdigest()[:DIGITS]


def requirement_fingerprint(requirement: Requirement) -> str:
    """Return the fingerprint of the text that a requirement stands on, and of how it binds."""
    stands_on = requirement.source or (requirement.summary,)
    return fingerprint((requirement.level, requirement.judged, *stands_on))
