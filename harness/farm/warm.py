"""Imported once by the process that all trials are forked from."""

from mqconform.harness.farm.job import warm_up

warm_up()
