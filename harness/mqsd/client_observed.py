"""What the steps of a scenario need of a discovery client, whether its time is virtual or real."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from mqconform.harness.mqsd.client_stimuli import Stimulus
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.mqsd_client import Weighed
from mqconform.harness.oracle.mqsd_client_seen import Expectation, Timed
from mqconform.harness.witness import Judgement
from mqconform.reference.mqsd.client import ShownState


class ObservedClient(Protocol):
    """One client from ``configure`` on."""

    @property
    def shows_completion(self) -> bool:
        """Whether it tells that a search is over."""

    @property
    def stimuli(self) -> Sequence[Stimulus]:
        """What has happened to it, in order."""

    @property
    def shown(self) -> ShownState | None:
        """What it shows of itself now, None where it shows nothing."""

    def configure(self) -> None:
        """Give it its configuration."""

    def meet(self, stimulus: Stimulus) -> None:
        """Let something happen to it."""

    def effects(self) -> list[Timed]:
        """Return all that it did, in order."""

    def is_at(self, effect: Timed, tenths: int) -> bool:
        """Return whether an effect was seen at that time in tenths of a second, by the clock of the scenario."""

    def says(self, judge: Judge, expectation: Expectation) -> Judgement:
        """Return the judgement on an expectation that the scenario writes out."""

    def judgements(self, judge: Judge, tagged: tuple[str, ...]) -> Iterator[Weighed]:
        """Yield what the model says of everything that was seen; ``tagged`` are the requirements of the scenario."""
