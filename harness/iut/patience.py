"""How long a run waits for one implementation, all cases together, and when it gives it up."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from mqconform.harness.iut.interface import Unreachable
from mqconform.harness.iut.protocol import NOT_TRIED

GIVE_UP_AFTER = 30.0
"""Seconds that a run waits in all for answers that do not come before it gives the IUT up, whatever the carrier."""
MAX_RESTARTS = 20
"""How often an IUT that crashed is started anew before the run gives it up."""


@dataclass(slots=True)
class Patience:
    """What a run has borne with so far.

    Attributes:
        give_up_after: after how many seconds of waits in vain the IUT is given up; 0 for never.
        until: time of the monotonic clock at which the run ends.
        dead_since: the case after which the IUT answered no more, where it cannot be started again.
        silences: how many requests that must be answered were waited for in vain.
        floods: how many exchanges ended because more came than the harness keeps.
        waited: seconds that cases waited for answers that did not come.
        began: time of the monotonic clock at which the case began.
    """

    give_up_after: float = 0.0
    until: float = inf
    dead_since: str = ""
    restarts: int = 0
    silences: int = 0
    floods: int = 0
    waited: float = 0.0
    began: float = 0.0
    _earlier: dict[str, float] = field(default_factory=dict)

    def check_alive(self) -> None:
        """Raise if the IUT has been given up, or the time of the run is over.

        Raises:
            Unreachable: so it is.
        """
        if self.dead_since:
            raise Unreachable(f"the implementation has not answered since case {self.dead_since}")
        if monotonic() > self.until:
            raise Unreachable(NOT_TRIED)

    @property
    def seconds(self) -> float:
        """How long the case has been running."""
        return round(monotonic() - self.began, 3)

    def wait_in_vain(self, case: str, at_least: float = 0.0) -> None:
        """Count the time of a case that waited for an answer in vain, and give the IUT up after too much of it.

        At least ``at_least`` seconds are counted: waits are short where the IUT refuses, or has been silent before.
        """
        self.waited += max(at_least, monotonic() - self.began)
        if self.give_up_after and self.waited >= self.give_up_after:
            self.dead_since = case

    def crashed(self, case: str) -> bool:
        """Count a crash or a hang, and tell whether the IUT may be started anew."""
        self.restarts += 1
        if self.restarts > MAX_RESTARTS:
            self.dead_since = case
        return not self.dead_since

    def restore(self, case: str, restarts: int, spent: Mapping[str, float]) -> None:
        """Take over what a case of an earlier part of this run had spent, as ``spent`` told it."""
        self.restarts += restarts
        self.waited += spent.get("waited", 0)
        self.silences += int(spent.get("silences", 0))
        self.floods += int(spent.get("floods", 0))
        if spent.get("given_up"):
            self.dead_since = case
        self._earlier = self._counts()

    def spent(self) -> dict[str, float]:
        """Return what the case that ends has cost, for its record; what cost nothing is left out."""
        counts = self._counts()
        cost = {name: round(count - self._earlier.get(name, 0), 3) for name, count in counts.items()}
        self._earlier = counts
        cost["given_up"] = bool(cost["given_up"])
        if cost["restarts"] == 1:  # which "crashed" tells
            del cost["restarts"]
        return {name: value for name, value in cost.items() if value}

    def _counts(self) -> dict[str, float]:
        return {
            "silences": self.silences,
            "floods": self.floods,
            "waited": self.waited,
            "restarts": self.restarts,
            "given_up": bool(self.dead_since),
        }
