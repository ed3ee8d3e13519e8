"""Imported once by the process that all trials are forked from."""

from mqconform.harness.explore.mutation.job import warm_up

warm_up()
