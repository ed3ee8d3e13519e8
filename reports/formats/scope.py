"""What a run judged and what not, in words that no reader of a report can miss.

An implementation that declares little has little judged: what is left out is said beside every verdict, and a run with
something left out never has the word of a run without.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from mqconform.reports.printable import visible
from mqconform.reports.result_file import ResultFile
from mqconform.reports.schema import Finding

WORDS: Final = {
    0: ("conforms", "brightgreen"),
    1: ("does not conform", "red"),
    2: ("inconclusive", "yellow"),
    3: ("harness error", "orange"),
    4: ("not run", "lightgrey"),
    5: ("not all judged", "yellow"),
    7: ("baseline out of date", "orange"),
}
"""Exit code of the run -> its word, and a colour."""
IN_PART: Final = ("conforms in what was judged", "yellowgreen")
"""Instead of the word for 0 where something was not judged."""
OF_THE_PROFILE: Final = "does not bind in profile"
MOST_ROLES: Final = 2
"""Roles that are named; more are counted."""


def unjudged(run: ResultFile) -> tuple[Finding, ...]:
    """Return the requirements that bind and were not judged: unsupported, or not brought about in this run."""
    return tuple(one for one in run.findings if _left_out(one))


def word_of(run: ResultFile) -> tuple[str, str]:
    """Return what a run came to in words, and a colour."""
    if run.footer is None:
        return "run did not end", "lightgrey"
    if run.footer.exit_code == 0 and unjudged(run):
        return IN_PART
    return WORDS.get(run.footer.exit_code, ("unknown", "lightgrey"))


def roles_text(run: ResultFile) -> str:
    """Return as what an implementation was judged: its roles by name, or their number."""
    bound = {role for one in run.findings for role in one.roles}
    roles = sorted(bound.intersection(run.header.iut.roles))
    return ", ".join(map(visible, roles)) or "no role" if len(roles) <= MOST_ROLES else f"{len(roles)} roles"


def scope_text(run: ResultFile) -> str:
    """Return in words what was not judged, empty where everything was."""
    left = unjudged(run)
    if not left:
        return ""
    counted = Counter(one.standing for one in left)
    kinds = ", ".join(f"{count} {word}" for word, count in counted.most_common())
    return f"{len(left)} requirements of its roles were not judged ({kinds}); nothing is known of them"


def scope_lines(run: ResultFile) -> list[str]:
    """Return a line for each reason why requirements were not judged."""
    reasons: dict[str, list[str]] = {}
    for one in unjudged(run):
        reasons.setdefault(f"{one.standing}: {one.reason}", []).append(one.id)
    return [f"{reason}: {', '.join(ids)}" for reason, ids in reasons.items()]


def remarks_on_declaration(run: ResultFile) -> list[Mapping[str, str]]:
    """Return what review and probes said of the declaration."""
    return list(run.header.declaration.get("remarks", ()))


def declaration_rows(run: ResultFile) -> list[Mapping[str, Any]]:
    """Return what review and probes found of each role and capability, as the result file has it."""
    return list(run.header.declaration.get("features", ()))


def _left_out(one: Finding) -> bool:
    if one.standing == "unsupported":
        return True
    return one.standing == "not-applicable" and not one.reason.startswith(OF_THE_PROFILE)
