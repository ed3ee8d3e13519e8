"""The discovery client of MS-MQSD 3.1: a pure step function, the readings it may follow, and an explainer of runs.

The model (one module for each event of the specification)::

    initialize(enterprise, site, networks, directory_servers=(), connected_networks=()) -> ClientState
    step(state, event, now, new_guid, readings=LITERAL) -> (ClientState, effects)
    show(state) -> ShownState

Events are ``GetDirectoryServerList``, ``DatagramReceived``, ``ClockAdvanced``, ``NetworksChanged`` and ``SendFailed``;
effects are ``Send`` and ``Complete``. ``now`` is in nanoseconds (``SECOND``). ``new_guid`` gives a new GUID for the
ordinal of a request. Waits that end by ``now`` end before the event: a clock that jumps passes through every instant.

The readings: ``Readings`` has one field for each place at which the ambiguity register lets clients differ in what
can be observed. ``LITERAL`` is the text word by word, ``UNDISPUTED`` what the fewest profiles object to, ``SENSIBLE``
the evident purpose.

The explainer says which readings explain what a client was seen to do::

    explain(state, observations, space=PERMITTED, tolerance=0) -> Explanation
    explanation_from(state, space=PERMITTED, tolerance=0) -> Explanation      for one observation at a time:
    explanation.after(Observation(event, now, effects, shown)) -> Explanation

While it ``.holds``, ``.best`` is the hypothesis that asks the least of the register, ``.followed()`` the choices left
where some are ruled out, and ``.allows(readings)`` answers for one client. ``.contradiction`` names the first
observation that nothing explains, and what the closest hypotheses expected there, by which rules and readings.
The RequestID is the client's choice: it is taken from what was sent and has to be new where the text wants a new one.
"""

from mqconform.reference.mqsd.client.events import (
    SECOND,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    GetDirectoryServerList,
    NetworkAddress,
    NetworksChanged,
    Result,
    Send,
    SendFailed,
)
from mqconform.reference.mqsd.client.explain.explanation import (
    Contradiction,
    Expectation,
    Explanation,
    explain,
    explanation_from,
)
from mqconform.reference.mqsd.client.explain.hypothesis import EVERY_READING, PERMITTED, Hypothesis
from mqconform.reference.mqsd.client.explain.observation import Difference, Observation
from mqconform.reference.mqsd.client.readings import LITERAL, SENSIBLE, UNDISPUTED, Readings
from mqconform.reference.mqsd.client.state import ClientState, ShownState, initialize, show
from mqconform.reference.mqsd.client.step import step
from mqconform.reference.mqsd.client.transition import NewGuid

__all__ = [
    "EVERY_READING",
    "LITERAL",
    "PERMITTED",
    "SECOND",
    "SENSIBLE",
    "UNDISPUTED",
    "ClientState",
    "ClockAdvanced",
    "Complete",
    "Contradiction",
    "DatagramReceived",
    "Difference",
    "Effect",
    "Event",
    "Expectation",
    "Explanation",
    "GetDirectoryServerList",
    "Hypothesis",
    "NetworkAddress",
    "NetworksChanged",
    "NewGuid",
    "Observation",
    "Readings",
    "Result",
    "Send",
    "SendFailed",
    "ShownState",
    "explain",
    "explanation_from",
    "initialize",
    "show",
    "step",
]
