"""Collects the features that a run needs, and those that a user adds; the steps come from harness/judge."""

import os

from pytest_bdd import scenarios


def paths(variable: str) -> list[str]:
    return [path for path in os.environ.get(variable, "").split(os.pathsep) if path]


of_suite, added = paths("MQCONFORM_SUITE"), paths("MQCONFORM_FEATURES")
if of_suite:
    scenarios(*of_suite)
if added:
    scenarios(*added)
