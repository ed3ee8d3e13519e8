"""Which runs of a history are looked at."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime

from mqconform.reports.pipeline.problems import UnusableInput


@dataclass(frozen=True, slots=True)
class Selection:
    """Which runs are looked at; empty and None mean all."""

    vendor: str = ""
    name: str = ""
    profile: str = ""
    since: datetime | None = None


def month_of(time: datetime) -> str:
    """Return the month in UTC, which is a folder of the history; a time without a zone is in UTC."""
    return f"{time.astimezone(UTC) if time.tzinfo else time:%Y-%m}"


def check_named(runs: Collection[str], then: str, now: str) -> None:
    """Refuse identities, which may be shortened, that do not name two different runs.

    Args:
        runs: identities of the runs that either of the two may mean.
        then: the earlier run.
        now: the later run.

    Raises:
        UnusableInput: naming the identity.
    """
    named = [run for run in runs if run.startswith((then, now))]
    for identity in (then, now):
        number = sum(run.startswith(identity) for run in named)
        if number != 1:
            how = "names no run that is looked at" if not number else f"names {number} runs"
            raise UnusableInput(
                f"--between: {identity[:40]!r} {how}; give the first letters as `history trend` shows them"
            )
    if len(named) != 2:
        raise UnusableInput("--between: names one run twice; give two")
