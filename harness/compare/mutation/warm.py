"""Imported once by the process that all trials are forked from."""

from mqconform.harness.compare.mutation.job import warm_up

warm_up()
