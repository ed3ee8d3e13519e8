"""Profiles: how strictly a run judges. The set is closed, and a result without its profile means nothing."""

from enum import StrEnum

from mqconform.harness.records.requirement import Level

_ABSOLUTE: frozenset[Level] = frozenset({"must", "must-not"})
_ADVISED: frozenset[Level] = _ABSOLUTE | {"should", "should-not"}


class Profile(StrEnum):
    """Which requirements bind, and how much latitude the ambiguity register gives."""

    MUST = "must"
    """Only MUST and MUST NOT bind; every permitted reading is accepted."""
    DEFAULT = "default"
    """MUST and SHOULD bind; every permitted reading is accepted."""
    STRICT = "strict"
    """MUST and SHOULD bind, the literal text decides and order is significant; latitude is inconclusive at best."""
    WINDOWS = "windows"
    """The product notes decide: SHOULD as prescribed, MAY not done; for the rest as the default profile."""

    @classmethod
    def of(cls, word: str) -> "Profile":
        """Return the profile that results and the command line spell as ``word``.

        Raises:
            ValueError: naming the profiles, if none is spelled so.
        """
        try:
            return cls(word)
        except ValueError:
            names = ", ".join(profile.value for profile in cls)
            raise ValueError(f"{word!r} is not a profile; the profiles are {names}") from None


def binding_levels(profile: Profile) -> frozenset[Level]:
    """Return the levels of requirement that bind in ``profile``; MAY binds in none."""
    return _ABSOLUTE if profile is Profile.MUST else _ADVISED


def binds(level: str, profile: Profile) -> bool:
    """Tell whether requirements of a level bind in ``profile``."""
    return level in binding_levels(profile)
