"""Collects every feature of the package, and those that a user adds; the steps come from harness/judge."""

import os
from importlib.resources import files

from pytest_bdd import scenarios

scenarios(str(files("mqconform.features")))

added = [path for path in os.environ.get("MQCONFORM_FEATURES", "").split(os.pathsep) if path]
if added:
    scenarios(*added)
