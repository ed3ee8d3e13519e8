"""Judges of discovery servers (MS-MQSD 2.2.3 and 3.2): one module for each subject, its steps beside its checks.

The tables SENTENCES say which check a sentence of the features about one reply stands for; ``sentences`` merges them.
"""

STEP_MODULES: tuple[str, ...] = tuple(
    f"{__name__}.{subject}"
    for subject in (
        "configuration",
        "requests",
        "sentences",
        "ignored_fields",
        "service",
        "failed_send",
        "transport",
        "open_choices",
        "protocol_examples",
        "generated",
    )
)
"""The modules that define steps."""
