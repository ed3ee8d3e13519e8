"""Whether the discovery clients of a run have the real clock; if so, they are recorded before the first case."""

from collections.abc import Callable, Mapping, Sequence

from mqconform.harness.iut.connect import innermost
from mqconform.harness.iut.drivers.discovery_client.called import TOLERANCE
from mqconform.harness.iut.drivers.discovery_client.real_clock.called_clients import CalledClients
from mqconform.harness.iut.drivers.discovery_client.real_clock.recordings import Progress, Recordings, record_all
from mqconform.harness.iut.drivers.discovery_client.script import scripts_from
from mqconform.harness.iut.interface import AdapterOptions, ConfigurationError, Iut, LiveClients

ROLE = "discovery_client"
REAL, VIRTUAL = "real", "virtual"
WIDEST = 0.9
"""Seconds; with a virtual clock scenarios keep a second from the end of each wait."""


def live_clients(iut: Iut, options: AdapterOptions, connect: Callable[[], Iut]) -> LiveClients | None:
    """Return where clients in real time come from, None where the clients of the run have a virtual clock.

    Args:
        iut: the implementation, behind whatever checks and records.
        options: what the user asked for.
        connect: opens a connection of its own for each client.

    Raises:
        ConfigurationError: a virtual clock is asked for, and the client has none; or the tolerance is too wide for one.
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
    if ROLE in iut.description.roles and options.tolerance is not None and options.tolerance > WIDEST:
        raise ConfigurationError(f"--tolerance {options.tolerance:g}: with a virtual clock at most {WIDEST} s")
    return None


def record_cases(live: LiveClients, sentences: Mapping[str, Sequence[str]], progress: Progress | None) -> Recordings:
    """Play all cases about clients at once, and return what was recorded.

    Args:
        live: where clients come from.
        sentences: Givens and Whens by the ids of the cases; those that configure no client are left out.
        progress: see ``record_all``.
    """
    scripts = {case: found for case, steps in sentences.items() if (found := scripts_from(steps))}
    return record_all(live, scripts, progress)
