"""Judges of discovery clients (MS-MQSD 3.1, and their requests, 2.2.1 and 2.2.2).

Every feature of the role ``discovery_client`` in ``features/mqsd`` drives the client with ``client_scene``. What a
scenario writes out is judged in ``outcomes``; what the text allows of everything that was seen, in ``whole_history``;
histories that no scenario writes out, in ``generated_histories``.
"""

STEP_MODULES: tuple[str, ...] = (
    "mqconform.harness.judge.mqsd_client.client_scene",
    "mqconform.harness.judge.mqsd_client.outcomes",
    "mqconform.harness.judge.mqsd_client.generated_histories",
)
"""Modules with step definitions; the rest is what they judge with."""
