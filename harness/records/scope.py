"""What a run did not judge of the roles that an implementation declares: it never looks like full conformance."""

from collections import Counter
from collections.abc import Collection, Iterable

from mqconform.harness.records.finding import Finding
from mqconform.harness.records.profile import Profile, binds
from mqconform.harness.records.verdict import Standing


def unjudged(findings: Iterable[Finding], profile: Profile) -> list[Finding]:
    """Return the requirements that bind in this run and were not judged: unsupported, or not brought about here."""
    return [one for one in findings if is_left_out(one.standing, one.requirement.level, profile)]


def is_left_out(standing: Standing, level: str, profile: Profile) -> bool:
    """Tell whether a requirement of that level was not judged although it binds in the profile."""
    return standing is Standing.UNSUPPORTED or (standing is Standing.NOT_APPLICABLE and binds(level, profile))


def scope_text(findings: Collection[Finding], profile: Profile) -> str:
    """Return in words what was not judged, empty where everything was."""
    left = unjudged(findings, profile)
    if not left:
        return ""
    counted = Counter(one.standing.value for one in left)
    kinds = ", ".join(f"{count} {word}" for word, count in counted.most_common())
    of = sum(_could_be_judged(one, profile) for one in findings)
    return f"{len(left)} of {of} requirements of its roles were not judged ({kinds})"


def _could_be_judged(one: Finding, profile: Profile) -> bool:
    if one.standing is Standing.NOT_APPLICABLE:
        return binds(one.requirement.level, profile)
    return one.standing is not Standing.UNOBSERVABLE
