"""Queue managers together, played by the rules of the text: what they answer, and whether that is explained."""

from collections.abc import Sequence

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.events import Event
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.system import System


def played(events: Sequence[Event], start: System) -> list[Seen]:
    """Return what a system answers that transfers at once, and follows the readings that come first."""
    model, system = Network(), start
    history: list[Seen] = []
    for event in events:
        results = [result for result in model.results(event, system) if result[0].standing is Standing.TEXT]
        system, answer = min(results, key=lambda result: sorted(f"{type(one)}{one.name}" for one in result[0].followed))
        history.append(Seen(event, answer))
        while after := model.next_transfer(system):
            system = after[0]
    return history


def contradicts(history: Sequence[Seen], start: System) -> bool:
    return explain(history, Network(), start).contradiction is not None
