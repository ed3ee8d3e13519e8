"""Queue managers (MS-MQSO): scenarios drive one together with its model, and judge what was seen by what it allows."""

from typing import Final

STEP_MODULES: Final = (
    "mqconform.harness.judge.mqso.scenes",
    "mqconform.harness.judge.mqso.queue_manager_steps",
    "mqconform.harness.judge.mqso.queue_manager_checks",
    "mqconform.harness.judge.mqso.security",
    "mqconform.harness.judge.mqso.simultaneous_calls",
    "mqconform.harness.judge.mqso.generated_histories",
    "mqconform.harness.judge.mqso.generated_network_histories",
    "mqconform.harness.judge.mqso.network",
    "mqconform.harness.judge.mqso.directory",
    "mqconform.harness.judge.mqso.arrangements",
)
