"""What a run did not judge of the roles that an implementation declares: it never looks like full conformance."""

from collections import Counter
from collections.abc import Collection, Iterable

from mqconform.harness.running.coverage import Finding
from mqconform.harness.verdict import Standing

OF_THE_PROFILE = "does not bind in profile"
"""How the reason begins where a requirement is left out by the user's own choice."""


def unjudged(findings: Iterable[Finding]) -> list[Finding]:
    """Return the requirements that bind in this run and were not judged: unsupported, or not brought about here."""
    return [one for one in findings if _left_out(one)]


def scope_text(findings: Collection[Finding]) -> str:
    """Return in words what was not judged, empty where everything was."""
    left = unjudged(findings)
    if not left:
        return ""
    counted = Counter(one.standing.value for one in left)
    kinds = ", ".join(f"{count} {word}" for word, count in counted.most_common())
    of = sum(one.standing is not Standing.UNOBSERVABLE and not _of_the_profile(one) for one in findings)
    return f"{len(left)} of {of} requirements of its roles were not judged ({kinds})"


def _left_out(one: Finding) -> bool:
    if one.standing is Standing.UNSUPPORTED:
        return True
    return one.standing is Standing.NOT_APPLICABLE and not _of_the_profile(one)


def _of_the_profile(one: Finding) -> bool:
    return one.reason.startswith(OF_THE_PROFILE)
