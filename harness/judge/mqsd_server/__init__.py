"""Judges of discovery servers (MS-MQSD 2.2.3 and 3.2): one module for each subject, its steps beside its checks.

The check of a sentence about replies is its step: ``scene`` has the decorators.
"""

STEP_MODULES: tuple[str, ...] = tuple(
    f"{__name__}.{subject}"
    for subject in (
        "scene",
        "configuration",
        "requests",
        "reply",
        "server_array",
        "whole_reply",
        "service",
        "transport",
        "open_choices",
        "generated",
    )
)
"""The modules that define steps and their fixture."""
