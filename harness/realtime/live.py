"""Whether the discovery clients of a run live in real time, and the play that comes before the first case then."""

from collections.abc import Callable, Mapping, Sequence

from mqconform.harness.iut import AdapterOptions, ConfigurationError, Iut, LiveClients
from mqconform.harness.mqsd.client_script import scripts_from
from mqconform.harness.realtime.called_clients import CalledClients
from mqconform.harness.realtime.performances import Performances, Progress, play_together
from mqconform.harness.running.connect import innermost
from mqconform.harness.running.selection import Excuse

ROLE = "discovery_client"
REAL, VIRTUAL = "real", "virtual"
TOLERANCE = 0.5
"""Seconds by which the end of a wait may be early or late, unless the user says otherwise."""


def live_clients(iut: Iut, options: AdapterOptions, connect: Callable[[], Iut]) -> LiveClients | None:
    """Return where clients in real time come from, None where the clients of the run have a virtual clock.

    Args:
        iut: the implementation, behind whatever checks and records.
        options: what the user asked for.
        connect: opens a connection of its own for each client.

    Raises:
        ConfigurationError: a virtual clock is asked for, and the client has none.
    """
    inner = innermost(iut)
    if isinstance(inner, LiveClients):
        if options.clock == VIRTUAL:
            raise ConfigurationError("--clock virtual: a client that takes no orders has the real clock; leave it out")
        return inner
    has = iut.description.capabilities
    of_its_own = "real-clock" in has and "virtual-clock" not in has
    if ROLE in iut.description.roles and (options.clock == REAL or (of_its_own and options.clock != VIRTUAL)):
        return CalledClients(connect, TOLERANCE if options.tolerance is None else options.tolerance)
    return None


def clock_excuse(live: LiveClients | None, tags: Sequence[str]) -> Excuse | None:
    """Return why a case about clients is not judged with the real clock, None where it is."""
    if live and f"role:{ROLE}" in tags and "needs:virtual-clock" in tags:
        return Excuse("not-applicable", "it takes a virtual clock, and the clock of this run is real")
    return None


def play_cases(live: LiveClients, sentences: Mapping[str, Sequence[str]], progress: Progress | None) -> Performances:
    """Play all cases about clients at once.

    Args:
        live: where clients come from.
        sentences: Givens and Whens by the ids of the cases; those that configure no client are left out.
        progress: see ``play_together``.
    """
    scripts = {case: found for case, steps in sentences.items() if (found := scripts_from(steps))}
    return play_together(live, scripts, progress)
