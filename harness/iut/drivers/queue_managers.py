"""Fault schedules of several queue managers as text: ``a sends to b; a is cut from b; +31 b receives``."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.schedule import LONGEST, steps_in

MACHINES: Final = ("a", "b", "c")
COORDINATOR, DIRECTORY = SERVICES = ("coordinator", "directory")
"""What the machines share."""


class Deed(Enum):
    """What a machine does in a step, or what happens to it; the value is its wording."""

    SENDS = "sends to"
    SENDS_AND_ABORTS = "sends and aborts to"
    SENDS_PLAIN = "sends plain to"
    RECEIVES = "receives"
    RECEIVES_AND_ABORTS = "receives and aborts"
    RECEIVES_PLAIN = "receives plain"
    CUT = "is cut from"
    LINKED = "is linked to"
    CRASHES = "crashes"
    STARTS = "starts"
    SENDS_EXPRESS = "sends express to"
    SENDS_ASKING = "sends asking to"
    SENDS_WRONG_KIND = "sends the wrong kind to"
    RECEIVES_FROM = "receives from"
    RECEIVES_PLAIN_FROM = "receives plain from"
    RECEIVES_EXTERNALLY_FROM = "receives externally from"
    RECEIVES_EXTERNALLY_AND_ABORTS_FROM = "receives externally and aborts from"
    COUNTS = "counts at"
    PAUSES = "pauses for"
    RESUMES = "resumes for"
    GOES_OFFLINE = "goes offline"
    COMES_ONLINE = "comes online"
    FILLS_ITS_STORE = "fills its store"
    HAS_ROOM = "has room again"
    SENDS_BY_NAME = "sends by name to"
    LOOKS_UP = "looks up the queues"
    SHOWS = "shows its state"
    IS_LOST = "is lost"
    IS_BACK = "is back"

    @property
    def names_another(self) -> bool:
        """Whether another machine follows the wording."""
        return self.value.endswith((" to", " from", " for", " at"))

    @property
    def is_of_service(self) -> bool:
        """Whether it happens to a service that the machines share."""
        return self in {Deed.IS_LOST, Deed.IS_BACK}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a schedule.

    Attributes:
        after: seconds since the step before.
        other: the machine that the wording names, empty where it names none.
    """

    machine: str
    deed: Deed
    other: str = ""
    after: int = 0

    def __str__(self) -> str:
        words = [f"+{self.after}"] if self.after else []
        return " ".join([*words, self.machine, self.deed.value, *([self.other] if self.other else [])])


Schedule = tuple[Step, ...]
_NEEDS: Final[dict[Deed, frozenset[str]]] = {
    Deed.RECEIVES_FROM: frozenset({"remote-read"}),
    Deed.RECEIVES_PLAIN_FROM: frozenset({"remote-read"}),
    Deed.RECEIVES_EXTERNALLY_FROM: frozenset({"remote-read", "external-transactions"}),
    Deed.RECEIVES_EXTERNALLY_AND_ABORTS_FROM: frozenset({"remote-read", "external-transactions"}),
    Deed.COUNTS: frozenset({"management"}),
    Deed.PAUSES: frozenset({"offline"}),
    Deed.RESUMES: frozenset({"offline"}),
    Deed.GOES_OFFLINE: frozenset({"offline"}),
    Deed.COMES_ONLINE: frozenset({"offline"}),
    Deed.FILLS_ITS_STORE: frozenset({"store-faults"}),
    Deed.HAS_ROOM: frozenset({"store-faults"}),
    Deed.SENDS_BY_NAME: frozenset({"directory"}),
    Deed.LOOKS_UP: frozenset({"directory"}),
    Deed.SHOWS: frozenset({"management"}),
}
_SERVICE_NEEDS: Final = {COORDINATOR: frozenset({"coordinator-faults"}), DIRECTORY: frozenset({"directory"})}


def needed_by(step: Step) -> frozenset[str]:
    """Return the capabilities without which a step cannot be taken, more than every schedule needs."""
    return _NEEDS.get(step.deed, frozenset()) | _SERVICE_NEEDS.get(step.machine, frozenset())


_DEEDS: Final = {deed.value: deed for deed in Deed}
_WORDINGS: Final = "|".join(sorted(_DEEDS, key=len, reverse=True))
_STEP: Final = re.compile(
    rf"(?:\+(?P<after>\d{{1,9}})\s+)?(?P<machine>\w+)\s+(?P<deed>{_WORDINGS})(?:\s+(?P<other>\w+))?"
)


def parse_schedule(text: str) -> Schedule:
    """Return the schedule in a text; empty lines and what follows ``#`` count for nothing.

    Raises:
        ConfigurationError: naming the step that is wrong and what is expected there.
    """
    return steps_in(text, _parsed, "step {} of the schedule, {}")


def _parsed(piece: str) -> Step:
    match = _STEP.fullmatch(piece)
    if match is None:
        raise ValueError(f"expected [+SECONDS] MACHINE, then one of {', '.join(_DEEDS)}")
    deed, other, after = _DEEDS[match["deed"]], match["other"] or "", int(match["after"] or 0)
    there, what = (SERVICES, "service") if deed.is_of_service else (MACHINES, "machine")
    for machine in filter(None, (match["machine"], other)):
        if machine not in there:
            raise ValueError(f"{machine} is not a {what}; they are {', '.join(there)}")
    if deed.names_another != bool(other) or other == match["machine"]:
        expected = "another machine" if deed.names_another else "nothing"
        raise ValueError(f"expected {expected} after {deed.value!r}")
    if after > LONGEST:
        raise ValueError(f"expected at most {LONGEST} seconds")
    return Step(match["machine"], deed, other, after)
