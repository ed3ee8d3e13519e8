"""Imported once by the process that all trials are forked from: it imports and reads what every run needs."""

import gc
from importlib import import_module

from mqconform.harness.explore.mutation.trial import Job, perform
from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.roles import step_modules
from mqconform.harness.suite.catalogue import load_catalogue

for module in step_modules():
    import_module(module)
load_catalogue()
# Cases that pass through most of what runs: the first run of a process loads as it goes.
perform(Job("warm-up", REFERENCE_TARGET, ("mqsd/2_1 or until-the-timer-fires or generated-requests",)))
gc.collect()
gc.freeze()
