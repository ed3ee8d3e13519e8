"""How a discovery ends, and when (MS-MQSD 3.1.4.1, 3.1.5.2, 3.1.6.1)."""

from pytest_bdd import parsers, then

from mqconform.harness.iut.drivers.discovery_client.observations import Timed
from mqconform.harness.iut.interface import Unsupported
from mqconform.harness.judge.mqsd_client.client_scene import ClientScene, effects_text
from mqconform.reference.mqsd.client import Complete


@then(parsers.re(r"discovery completes(?: with (?P<result>success|failure))?, once(?:, at (?P<seconds>[\d.]+) s)?"))
def discovery_completes(discovery: ClientScene, result: str | None, seconds: str | None) -> None:
    """Judge how the event ended, and that it ended but once."""
    effects, ends = discovery.effects(), completions(discovery)
    right = len(ends) == 1 and (not result or ends[0][1].result.value == result)
    right = right and (not seconds or discovery.is_at(ends[0][0], seconds))
    when = f" at {seconds} s" if seconds else ""
    discovery.says(right, f"the event completes once, with {result or 'any result'}{when}", effects_text(effects))


@then("discovery is not complete")
def discovery_is_not_complete(discovery: ClientScene) -> None:
    """Judge that no completion was reported so far."""
    effects = discovery.effects()
    discovery.says(not completions(discovery), "the event is not complete", effects_text(effects))


def completions(discovery: ClientScene) -> list[tuple[Timed, Complete]]:
    """Return the completions that the client reported.

    Raises:
        Unsupported: it reports none.
    """
    if not discovery.current.shows_completion:
        raise Unsupported("the implementation does not tell that a discovery is over")
    return [(timed, timed.effect) for timed in discovery.effects() if isinstance(timed.effect, Complete)]
